"""Loading is all or nothing, can be repeated, and one deal stays one deal."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import aikg as package
from aikg.files import shipped
from aikg.load import load

DATA = [shipped("data/triples") / f"{name}.trig" for name in ("registry", "trainium-chip-lab")]
FIRST = "<urn:a> <urn:p> <urn:b> , [ <urn:q> 1 ] ."


def _state(folder: Path) -> tuple[int, int, list[str]]:
    graph = package.open(folder)
    derived = graph.query("SELECT ?s ?p ?o { GRAPH aikg:derived { ?s ?p ?o } }")
    rows = sorted(str(row) for row in derived if "_:" not in str(row))  # type: ignore[union-attr]
    return len(graph.store), graph.stats().triples, [r for r in rows if "BlankNode" not in r]


def test_loading_files_twice_changes_nothing(tmp_path: Path) -> None:
    load(DATA, tmp_path / "store")
    before = _state(tmp_path / "store")
    load(DATA, tmp_path / "store")
    assert _state(tmp_path / "store") == before


def test_a_broken_file_leaves_the_store_as_it_was(aikg: Any, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ttl", tmp_path / "bad.ttl"
    good.write_text(FIRST)
    bad.write_text("<urn:a> <urn:p> <urn:c> .\n<urn:a> <urn:p> .\n")
    store = tmp_path / "store"
    assert aikg("load", str(good), "--store", str(store)).exit_code == 0
    before = _state(store)
    good.write_text("<urn:a> <urn:p> <urn:other> .")
    run = aikg("load", str(good), str(bad), "--store", str(store))
    assert run.exit_code == 3
    assert f"{bad}:2:" in run.stderr
    assert _state(store) == before


def test_one_deal_told_by_two_sources_counts_once() -> None:
    graph = package.open()
    [row] = graph.query(  # type: ignore[misc]
        "SELECT (COUNT(DISTINCT ?deal) AS ?deals) (COUNT(DISTINCT ?source) AS ?sources) {"
        " GRAPH ?source { ?deal a aikg:Acquisition ; aikg:acquirer ai:amazon ;"
        " aikg:acquired ai:annapurna-labs } }"
    )
    assert row["deals"].value == "1"
    assert int(row["sources"].value) > 1
    [once] = graph.query(  # type: ignore[misc]
        "SELECT (COUNT(*) AS ?n) { ai:amazon aikg:hasAcquired ai:annapurna-labs }"
    )
    assert once["n"].value == "1"


def test_two_files_with_the_same_blank_node_label_keep_two_nodes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.nt").write_text(f'_:x <urn:name> "{name}" .\n')
    load(sorted(tmp_path.glob("*.nt")), tmp_path / "store")
    found = package.open(tmp_path / "store").query("SELECT DISTINCT ?x { ?x <urn:name> ?name }")
    assert len(list(found)) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_load_leaves_the_store_as_it_was_or_done(
    stop: signal.Signals, tmp_path: Path
) -> None:
    store, more = tmp_path / "store", tmp_path / "more.nt"
    load(DATA, store)
    before = _state(store)
    more.write_text("".join(f"<urn:s{i}> <urn:p> <urn:o{i}> .\n" for i in range(60_000)))
    for moment in (0.2, 0.5, 0.9):
        command = [sys.executable, "-m", "aikg", "load", str(more), "--store", str(store)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(moment)
        process.send_signal(stop)
        process.communicate(timeout=60)
        after = _state(store)
        assert after == before or after[0] == before[0] + 120_000
    load([more], store)
    assert _state(store)[0] == before[0] + 120_000
