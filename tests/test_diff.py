"""What changed between two datasets, as a reader sees it: by entity, in words, figures by value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, serialize
from tiny import PREFIXES, datasets

from aikg.diff import differences
from aikg.files import canonicalized, read, to_text
from aikg.render import changes_text

DEAL = """
ai:amazon-invests-in-openai-2026 a aikg:Investment ; aikg:investor ai:amazon ; aikg:certainty
    aikg:asserted ; aikg:amount [ a schema:MonetaryAmount ; schema:value 50000000000 ;
    schema:currency "USD" ] ; aikg:duration "P2Y"^^xsd:duration .
"""
CIRCLES = {
    "one of six": "_:a1 <urn:p> _:a2 . _:a2 <urn:p> _:a3 . _:a3 <urn:p> _:a4 . "
    "_:a4 <urn:p> _:a5 . _:a5 <urn:p> _:a6 . _:a6 <urn:p> _:a1 .",
    "two of three": "_:a1 <urn:p> _:a2 . _:a2 <urn:p> _:a3 . _:a3 <urn:p> _:a1 . "
    "_:a4 <urn:p> _:a5 . _:a5 <urn:p> _:a6 . _:a6 <urn:p> _:a4 .",
}


def told(tmp_path: Path, old: str, new: str, *, lang: str = "en") -> list[str]:
    """Return what is told of two TriG texts, line by line."""
    paths = tmp_path / "old.trig", tmp_path / "new.trig"
    for path, text in zip(paths, (old, new), strict=True):
        path.write_text(PREFIXES + text, encoding="utf-8")
    return changes_text(differences(*paths, lang=lang)).splitlines()


def test_a_figure_that_changes_is_told_in_words(tmp_path: Path) -> None:
    new = DEAL.replace("schema:value 50", "aikg:hedge aikg:approximately ; schema:value 60")
    assert told(tmp_path, DEAL, new) == [
        "ai:amazon-invests-in-openai-2026",
        "  ~ amount: $50 bn → about $60 bn",
    ]
    assert told(tmp_path, DEAL, new, lang="es")[1:] == [
        "  ~ importe: $50.000 millones → aproximadamente $60.000 millones"
    ]


def test_facts_that_come_and_go_are_told_by_entity_and_source(tmp_path: Path) -> None:
    old = "GRAPH src:a { ai:x rdfs:label 'Xenon'@en ; aikg:succeeds ai:amazon-trainium2 }"
    new = "GRAPH src:a { ai:x rdfs:label 'Xenon'@en ; aikg:isDesignedBy ai:x , ai:amazon }"
    assert told(tmp_path, old, new) == [
        "Xenon (ai:x)",
        "  + is designed by: Amazon, Xenon [src:a]",
        "  - succeeds: Trainium2 [src:a]",
    ]


def test_a_label_that_changes_is_told_by_its_language(tmp_path: Path) -> None:
    old = "ai:x rdfs:label 'Old'@en , 'Mismo'@es , 'Viejo'@es ."
    new = "ai:x rdfs:label 'New'@en , 'Mismo'@es , 'Nuevo'@es ."
    assert told(tmp_path, old, new) == [
        "New (ai:x)",
        "  ~ rdfs:label: Old → New",
        "  ~ rdfs:label: Viejo → Nuevo",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("ai:x aikg:count 1 .", "ai:x aikg:count 2 .", "  ~ count: 1 → 2"),
        ("ai:x aikg:count 1 .", "ai:x aikg:count '1' .", None),
        ("ai:x aikg:memoryCapacity 80000000000 .", "", "  - memory capacity: 80 GB"),
        (DEAL, DEAL.replace("P2Y", "P3Y"), "  ~ duration: 2 years → 3 years"),
        ("GRAPH src:a { ai:x ai:p 1 }", "GRAPH src:b { ai:x ai:p 1 }", "  - ai:p: 1 [src:a]"),
        ("ai:x ai:p [ ai:q 1 ; ai:r [ ai:s 2 ] ] .", "", "  - ai:p: ai:q: 1; ai:r: ai:s: 2"),
        ("ai:x ai:p [ ai:q 1 ] , [ ai:q 1 ] .", "ai:x ai:p [ ai:q 1 ] .", "  - ai:p: ai:q: 1"),
        ("ai:x ai:p [] .", "ai:x ai:p 1 .", "  ~ ai:p: [] → 1"),
    ],
)
def test_each_kind_of_value_is_told(tmp_path: Path, old: str, new: str, line: str | None) -> None:
    lines = told(tmp_path, old, new)
    assert line in lines if line is not None else "integer" in lines[1]


def test_a_change_that_words_do_not_show_is_told_exactly(tmp_path: Path) -> None:
    lines = told(tmp_path, DEAL, DEAL.replace("50000000000", "50000000000.0"))
    assert lines[1].startswith("  ~ amount: ")
    assert "50000000000.0" in lines[1]


@pytest.mark.parametrize(("old", "new"), [("one of six", "two of three")])
def test_nodes_that_are_linked_otherwise_differ(tmp_path: Path, old: str, new: str) -> None:
    assert told(tmp_path, CIRCLES[old], CIRCLES[old]) == []
    assert told(tmp_path, CIRCLES[old], CIRCLES[new]) == [
        "blank nodes",
        "  ~ links: one way → another",
    ]


def test_a_shared_node_is_not_two_alike(tmp_path: Path) -> None:
    shared = "ai:x ai:p _:b . ai:y ai:p _:b . _:b ai:q 1 ."
    assert told(tmp_path, shared, "ai:x ai:p [ ai:q 1 ] . ai:y ai:p [ ai:q 1 ] .")


def test_labels_layout_and_format_do_not_matter(aikg: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "one.ttl", tmp_path / "other.nt"
    one.write_text(PREFIXES + DEAL, encoding="utf-8")
    serialize(read(one), str(other), format=RdfFormat.N_TRIPLES)
    run = aikg("diff", str(one), str(other))
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "")


def test_json_holds_iris_and_numbers(aikg: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old.trig", tmp_path / "new.trig"
    old.write_text(PREFIXES + f"GRAPH src:a {{ {DEAL} }}", encoding="utf-8")
    new.write_text(old.read_text().replace("value 50000000000", "minValue 1"), encoding="utf-8")
    run = aikg("diff", str(old), str(new), "--format", "json")
    assert run.exit_code == 1
    [change] = json.loads(run.stdout)
    assert change["change"] == "changed"
    assert change["entity"]["iri"] == "https://w3id.org/aikg/id/amazon-invests-in-openai-2026"
    assert change["property"]["label"] == "amount"
    assert change["graph"] == "https://w3id.org/aikg/source/a"
    assert change["old"][0]["quantity"]["value"] == 50_000_000_000
    assert change["new"][0]["quantity"]["minimum"] == 1


def test_folders_are_compared_whole(aikg: Any, tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name / "more").mkdir(parents=True)
        (tmp_path / name / "readme.md").write_text("no RDF")
        (tmp_path / name / "a.ttl").write_text("<urn:a> <urn:p> 1 .")
    (tmp_path / "new" / "more" / "b.nt").write_text('<urn:b> <urn:p> "2" .')
    run = aikg("diff", str(tmp_path / "old"), str(tmp_path / "new"))
    assert (run.exit_code, run.stdout) == (1, "urn:b\n  + urn:p: 2\n")


def test_an_empty_folder_and_no_file_are_told(aikg: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text("")
    (tmp_path / "empty").mkdir()
    for path, words in (("empty", "holds no RDF file"), ("none.ttl", "cannot be read")):
        run = aikg("diff", str(tmp_path / path), str(file))
        assert (run.exit_code, run.stdout) == (3, "")
        assert words in run.stderr


@settings(deadline=None, max_examples=25)
@given(datasets(), datasets(), st.booleans())
def test_nothing_is_told_only_where_the_datasets_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, one: str, other: str, twice: bool
) -> None:
    folder = tmp_path_factory.mktemp("diff")
    old, new, tidy = folder / "old.trig", folder / "new.trig", folder / "tidy.trig"
    old.write_text(PREFIXES + one)
    new.write_text(PREFIXES + (one if twice else other))
    tidy.write_text(to_text(read(new)))
    same = canonicalized(read(old)) == canonicalized(read(new))
    assert (differences(old, new) == []) is same
    assert (differences(old, tidy) == []) is same
    assert differences(new, tidy) == []
