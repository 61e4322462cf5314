"""The folder of a store: one writer, readers that keep what they opened, and no harm to others."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import aikg as package
from aikg.load import load
from aikg.store import Folder

ONE = "<urn:a> <urn:p> <urn:one> ."
TWO = "<urn:a> <urn:p> <urn:two> ."
ASK = "SELECT ?o { <urn:a> <urn:p> ?o }"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.ttl"
    path.write_text(ONE)
    return path


def _load(path: Path, text: str, store: Path) -> None:
    path.write_text(text)
    load([path], store)


def _objects(graph: package.Graph) -> list[str]:
    return [row["o"].value for row in graph.query(ASK)]  # type: ignore[union-attr]


def _listing(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_reader_keeps_what_it_opened(source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    _load(source, ONE, store)
    reader = package.open(store)
    for text in (TWO, TWO.replace("two", "three"), TWO.replace("two", "four")):
        _load(source, text, store)
    assert _objects(reader) == ["urn:one"]
    assert _objects(package.open(store)) == ["urn:four"]


def test_old_generations_go_once_nobody_reads_them(source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for number in range(6):
        _load(source, TWO.replace("two", f"n{number}"), store)
    assert len(list(store.glob("generation-*"))) <= 3


def test_a_second_writer_is_refused(aikg: Any, source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    load([source], store)
    with Folder(store).writing():
        run = aikg("load", str(source), "--store", str(store))
        asked = aikg("query", ASK, "--store", str(store), "--format", "csv")
    assert run.exit_code == 3
    assert "Another process is writing to this store" in run.stderr
    assert asked.stdout.split() == ["o", "urn:one"]


@pytest.mark.parametrize("name", ["notes.txt", "CURRENT.txt", ".git"])
def test_a_folder_of_something_else_is_left_alone(
    aikg: Any, name: str, source: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / name).write_text("mine")
    before = _listing(mine)
    run = aikg("load", str(source), "--store", str(mine))
    assert run.exit_code == 3
    assert f'The folder holds "{name}", so it is no store.' in run.stderr
    assert _listing(mine) == before


@pytest.mark.parametrize("text", ["2 generation-1", "", "generation-1", "1 ../../elsewhere"])
def test_a_store_of_another_format_is_refused(
    aikg: Any, text: str, source: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    load([source], store)
    (store / "CURRENT").write_text(text)
    for words in (["query", ASK], ["load", str(source)]):
        run = aikg(*words, "--store", str(store))
        assert run.exit_code == 3
        assert "This version reads stores of format 1" in run.stderr
    assert (store / "CURRENT").read_text() == text


def test_a_store_that_lost_its_database_is_told(aikg: Any, source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    load([source], store)
    (store / "CURRENT").write_text("1 generation-77")
    run = aikg("query", ASK, "--store", str(store))
    assert run.exit_code == 3
    assert f"{store}: The store cannot be opened" in run.stderr


@pytest.mark.parametrize("words", [["query", ASK], ["path", "a", "b"], ["show", "a"], ["stats"]])
def test_no_store_is_told_and_none_is_made(aikg: Any, words: list[str], tmp_path: Path) -> None:
    run = aikg(*words, "--store", str(tmp_path / "none"))
    assert run.exit_code == 3
    assert "There is no store in this folder" in run.stderr
    assert not (tmp_path / "none").exists()


def test_a_failed_first_load_makes_no_folder(aikg: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ttl"
    bad.write_text("<urn:a> <urn:p> .")
    run = aikg("load", str(bad), "--store", str(tmp_path / "new" / "store"))
    assert run.exit_code == 3
    assert not (tmp_path / "new").exists()


def test_a_store_opens_after_its_first_load_was_killed(
    aikg: Any, source: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    code = f"""
import os
from pathlib import Path
from aikg.store import Folder
with Folder(Path({str(store)!r})).writing():
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert "There is no store" in aikg("query", ASK, "--store", str(store)).stderr
    load([source], store)
    assert _objects(package.open(store)) == ["urn:one"]


@pytest.mark.parametrize("blocked", ["file", "full"])
def test_where_no_cache_can_be_written_the_graph_is_built_in_memory(
    aikg: Any, blocked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "cache"
    if blocked == "file":
        place.write_text("in the way")
    else:
        place = Path("/proc/none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    run = aikg("query", "ASK { ai:amazon aikg:hasAcquired ai:annapurna-labs }", "--format", "csv")
    assert (run.exit_code, run.stderr) == (0, "")
    assert "true" in run.stdout


def test_a_damaged_cache_does_not_stop_an_answer(
    aikg: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ask = ("query", "ASK { ai:amazon aikg:hasAcquired ai:annapurna-labs }", "--format", "csv")
    assert "true" in aikg(*ask).stdout
    [graph] = (tmp_path / "aikg").glob("graph-*")
    (graph / "CURRENT").write_bytes(b"damaged")
    run = aikg(*ask)
    assert (run.exit_code, run.stderr) == (0, "")
    assert "true" in run.stdout
    assert b"damaged" not in _listing(graph).values()


def test_a_damaged_store_is_told(aikg: Any, source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    load([source], store)
    (store / "generation-1" / "CURRENT").write_bytes(b"damaged")
    run = aikg("query", ASK, "--store", str(store))
    assert run.exit_code == 3
    assert f"{store}: The store cannot be opened" in run.stderr
