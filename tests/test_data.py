"""The data files that come with aikg, read plainly: no shape and no check query is used."""

from collections import defaultdict
from functools import cache
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.files import read, to_text
from aikg.graph import open as open_graph
from aikg.names import (
    AIKG,
    CERTAINTY,
    DCTERMS,
    ENTITY,
    EVENT,
    LABEL,
    LOCATOR,
    SOURCE,
    SOURCE_CLASS,
    TYPE,
)
from aikg.ontology import Ontology

FOLDER = Path(__file__).parent.parent / "data" / "triples"
FILES = sorted(FOLDER.iterdir())
CLAIM = NamedNode(AIKG + "Claim")
READ_ON = NamedNode(AIKG + "readOn")
DESCRIBED = [NamedNode(DCTERMS + name) for name in ("title", "publisher", "issued")]


@cache
def quads(file: Path) -> list[Quad]:
    return list(read(file))


@cache
def cited_classes() -> frozenset[str]:
    """Return the classes whose members a source states: events and claims."""
    above = Ontology.shipped().superclasses
    events = {name for name, classes in above.items() if EVENT.value in classes}
    return frozenset(events | {EVENT.value, CLAIM.value})


def cited(file: Path) -> set[NamedNode | BlankNode]:
    """Return the events and claims of a file."""
    return {
        q.subject
        for q in quads(file)
        if q.predicate == TYPE
        and isinstance(q.object, NamedNode)
        and q.object.value in cited_classes()
        and isinstance(q.subject, NamedNode | BlankNode)
    }


def test_files_are_trig_in_canonical_order() -> None:
    assert {file.name for file in FILES if file.suffix != ".trig"} == set()
    assert [
        file.stem for file in FILES if to_text(quads(file)) != file.read_text(encoding="utf-8")
    ] == []


def test_a_file_holds_the_graph_of_its_name() -> None:
    graphs = {file.stem: {q.graph_name for q in quads(file)} for file in FILES}
    assert [name for name, held in graphs.items() if held != {NamedNode(SOURCE + name)}] == []


def test_a_source_is_described_in_its_graph() -> None:
    faults = []
    for file in FILES:
        source = NamedNode(SOURCE + file.stem)
        told = {q.predicate: q.object for q in quads(file) if q.subject == source}
        if told.get(TYPE) != SOURCE_CLASS or not {*DESCRIBED, READ_ON} <= told.keys():
            faults.append(file.stem)
    assert faults == []


def test_every_event_and_claim_has_certainty_and_locator() -> None:
    faults = []
    for file in FILES:
        told = defaultdict(list)
        for quad in quads(file):
            told[quad.subject, quad.predicate].append(quad.object)
        faults += [
            (file.stem, str(subject))
            for subject in cited(file)
            if not isinstance(subject, NamedNode)
            or len(told[subject, CERTAINTY]) != 1
            or not told[subject, LOCATOR]
        ]
    assert faults == []


def test_labels_stand_in_the_registry_alone() -> None:
    labelled = {file.stem for file in FILES if any(q.predicate == LABEL for q in quads(file))}
    assert labelled == {"registry"}


def test_every_entity_is_in_the_registry() -> None:
    registry = quads(FOLDER / "registry.trig")
    labelled = {
        q.subject
        for q in registry
        if q.predicate == LABEL and isinstance(q.object, Literal) and q.object.language == "en"
    }
    classed = {q.subject for q in registry if q.predicate == TYPE}
    stated = {subject for file in FILES for subject in cited(file)}
    used = {
        term
        for file in FILES
        for q in quads(file)
        for term in (q.subject, q.object)
        if isinstance(term, NamedNode) and term.value.startswith(ENTITY)
    }
    assert used - stated <= labelled & classed


def test_a_claim_has_one_source() -> None:
    homes = defaultdict(set)
    for file in FILES:
        for quad in quads(file):
            if quad.predicate == TYPE and quad.object == CLAIM:
                homes[quad.subject].add(file.stem)
    assert {claim: files for claim, files in homes.items() if len(files) > 1} == {}


LEAST = {
    "source": 150,
    "organization": 250,
    "chip": 150,
    "system": 60,
    "instance type": 100,
    "acquisition": 60,
    "investment": 120,
    "commitment": 120,
    "campus": 60,
    "software": 40,
    "model": 60,
    "claim": 150,
}
TOGETHER = {
    "investment": ("investment", "funding round"),
    "commitment": ("compute commitment", "supply agreement", "energy agreement", "lease"),
}


def test_the_field_is_covered() -> None:
    rows = {row.what.removeprefix("class: "): row for row in open_graph().coverage()}
    counted = {
        what: sum(rows[name].counted for name in TOGETHER.get(what, (what,))) for what in LEAST
    }
    assert {what: n for what, n in counted.items() if n < LEAST[what]} == {}
    assert rows["event"].two_publishers >= 0.3 * rows["event"].members


def test_the_worked_example_of_the_guide_is_a_file_of_the_data() -> None:
    guide = (FOLDER.parent.parent / "docs" / "modelling.md").read_text(encoding="utf-8")
    example = guide.rsplit("```trig\n", 1)[1].removesuffix("```\n")
    assert example in {file.read_text(encoding="utf-8") for file in FILES}
