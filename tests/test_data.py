"""The data files that come with aikg, read plainly: no shape and no check query is used."""

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.files import read, to_text
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

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


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


@each_file
def test_a_file_is_trig_in_canonical_order(file: Path) -> None:
    assert file.suffix == ".trig"
    assert to_text(read(file)) == file.read_text(encoding="utf-8")


@each_file
def test_a_file_holds_the_graph_of_its_name(file: Path) -> None:
    assert {q.graph_name for q in quads(file)} == {NamedNode(SOURCE + file.stem)}


@each_file
def test_a_source_is_described_in_its_graph(file: Path) -> None:
    source = NamedNode(SOURCE + file.stem)
    told = {q.predicate: q.object for q in quads(file) if q.subject == source}
    assert told[TYPE] == SOURCE_CLASS
    assert {*DESCRIBED, READ_ON} <= told.keys()


@each_file
def test_every_event_and_claim_has_certainty_and_locator(file: Path) -> None:
    told = defaultdict(list)
    for quad in quads(file):
        told[quad.subject, quad.predicate].append(quad.object)
    for subject in cited(file):
        assert isinstance(subject, NamedNode)
        assert len(told[subject, CERTAINTY]) == 1, subject
        assert told[subject, LOCATOR], subject


@each_file
def test_labels_stand_in_the_registry_alone(file: Path) -> None:
    labelled = {q.subject for q in quads(file) if q.predicate == LABEL}
    assert not labelled or file.stem == "registry"


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
