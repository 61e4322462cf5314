import re
from functools import cache
from pathlib import Path

import owlrl  # type: ignore[import-untyped]
import pytest
import rdflib
from rdflib import OWL, PROV, RDF, RDFS, SH, SKOS, XSD, Graph, Literal, Node, URIRef
from rdflib.namespace import DCTERMS, VANN

import aikg
from aikg.files import read, to_text
from aikg.names import AIKG, ONTOLOGY_GRAPH
from aikg.ontology import Ontology

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "ontology").iterdir())
DATA = sorted((ROOT / "data" / "triples").glob("*.trig"))
TERMS = rdflib.Namespace(AIKG)
SCHEMA = "https://schema.org/"
ORG = "http://www.w3.org/ns/org#"
ERROR = URIRef("http://www.daml.org/2002/03/agents/agent-ont#ErrorMessage")


@cache
def graph(name: str) -> Graph:
    return Graph().parse(ROOT / "ontology" / f"{name}.ttl")


def terms() -> list[URIRef]:
    """Return the terms that aikg.ttl defines."""
    found = {s for s in graph("aikg").subjects() if isinstance(s, URIRef) and s.startswith(AIKG)}
    return sorted(found)


def below(top: Node, property: Node) -> set[Node]:
    """Return a term and all below it."""
    return {term for term in graph("aikg").transitive_subjects(property, top) if term is not None}


RELATIONS = sorted(map(str, below(TERMS.relatedTo, RDFS.subPropertyOf)))
LOCAL = {term.removeprefix(AIKG): term for term in terms()}
each_term = pytest.mark.parametrize("term", LOCAL.values(), ids=LOCAL)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_in_canonical_order(file: Path) -> None:
    assert to_text(read(file)) == file.read_text(encoding="utf-8")


@each_term
def test_a_term_has_one_label_in_each_language(term: URIRef) -> None:
    labels = sorted(graph("aikg").objects(term, RDFS.label), key=str)
    found = {label.language: str(label) for label in labels if isinstance(label, Literal)}
    assert sorted(map(str, found)) == ["en", "es"] and len(labels) == 2
    for label in found.values():
        first = label.split()[0]
        assert first[0].islower() or re.search(r"[A-Z0-9].*[A-Z0-9]", first), label


@each_term
def test_a_term_has_one_definition(term: URIRef) -> None:
    [definition] = graph("aikg").objects(term, SKOS.definition)
    assert isinstance(definition, Literal) and definition.language == "en"
    assert re.fullmatch(r"\S.*\S\.", definition) and "  " not in definition
    for note in graph("aikg").objects(term, SKOS.scopeNote):
        assert note.endswith(".")  # type: ignore[attr-defined]


@each_term
def test_a_name_tells_what_kind_of_term_it_is(term: URIRef) -> None:
    name = term.removeprefix(AIKG)
    is_class = (term, RDF.type, OWL.Class) in graph("aikg")
    assert re.fullmatch(r"[A-Z][A-Za-z0-9]*" if is_class else r"[a-z][A-Za-z0-9]*", name)
    assert not re.search(r"[A-Z]{2}", name)
    assert (term, RDFS.isDefinedBy, URIRef(ONTOLOGY_GRAPH.value)) in graph("aikg")


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda iri: iri.removeprefix(AIKG))
def test_a_relation_is_defined_of_x_and_y(relation: str) -> None:
    [definition] = graph("aikg").objects(URIRef(relation), SKOS.definition)
    assert re.match(r"x .*\by\b.* when .", str(definition))


def used_terms(nodes: set[Node]) -> set[Node]:
    return {node for node in nodes if isinstance(node, URIRef) and node.startswith(AIKG)}


def test_no_term_is_used_without_being_defined() -> None:
    parts = {node for name in ("aikg", "rules", "shapes") for t in graph(name) for node in t}
    own = {s for name in ("rules", "shapes") for s in graph(name).subjects(RDF.type, SH.NodeShape)}
    assert used_terms(parts) - own <= set(terms())


@pytest.mark.parametrize("file", DATA, ids=lambda file: file.stem)
def test_no_data_use_an_undefined_term(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    outside_strings = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    assert {*re.findall(r"\baikg:(\w+)", outside_strings)} <= LOCAL.keys()


@pytest.mark.parametrize(
    "property", [RDFS.subClassOf, RDFS.subPropertyOf], ids=["class", "property"]
)
def test_no_term_is_below_itself(property: URIRef) -> None:
    for start, _, first in graph("aikg").triples((None, property, None)):
        assert start not in set(graph("aikg").transitive_objects(first, property))


def test_numbers_have_a_unit_and_words_have_none() -> None:
    numbers = {XSD.decimal, XSD.integer}
    for property in below(TERMS.specification, RDFS.subPropertyOf) - {TERMS.specification}:
        units = list(graph("aikg").objects(property, TERMS.unit))
        ranges = set(graph("aikg").objects(property, RDFS.range))
        assert len(units) == bool(ranges & numbers), property


def test_units_of_specifications_are_units_of_quantities() -> None:
    shapes = graph("shapes").subjects(SH.path, URIRef(SCHEMA + "unitText"))
    [pattern] = [p for shape in shapes for p in graph("shapes").objects(shape, SH.pattern)]
    for unit in graph("aikg").objects(None, TERMS.unit):
        assert re.search(str(pattern), str(unit)), unit


def test_the_header_names_version_and_licence() -> None:
    iri = URIRef(ONTOLOGY_GRAPH.value)
    header = graph("aikg")
    assert (iri, RDF.type, OWL.Ontology) in header
    assert header.value(iri, OWL.versionInfo) == Literal(aikg.__version__)
    assert header.value(iri, OWL.versionIRI) == URIRef(f"{iri}/{aikg.__version__}")
    assert str(header.value(iri, DCTERMS.license)).startswith("https://creativecommons.org/")
    for property in (DCTERMS.title, DCTERMS.description, DCTERMS.issued, RDFS.label):
        assert header.value(iri, property) is not None
    assert str(header.value(iri, VANN.preferredNamespaceUri)) == AIKG


def test_every_class_falls_under_one_that_others_know() -> None:
    for name in graph("aikg").subjects(RDF.type, OWL.Class):
        above = set(graph("aikg").transitive_objects(name, RDFS.subClassOf))
        assert [term for term in above if not str(term).startswith(AIKG)], name


@pytest.mark.parametrize("vocabulary", [SCHEMA, ORG, str(PROV), str(DCTERMS), str(SKOS)])
def test_terms_are_aligned_with_known_vocabularies(vocabulary: str) -> None:
    aligned = {
        other
        for property in (RDFS.subClassOf, RDFS.subPropertyOf)
        for other in graph("aikg").objects(None, property)
    }
    assert [term for term in aligned if str(term).startswith(vocabulary)]


def inconsistencies(*more: tuple[URIRef, URIRef, URIRef]) -> list[Node]:
    """Return what the OWL 2 RL rules find at odds in the ontology and some more statements."""
    closed = Graph()
    for name in ("aikg", "rules"):
        closed += graph(name)
    for triple in more:
        closed.add(triple)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(closed)
    return [*closed.subjects(RDF.type, ERROR), *closed.subjects(RDF.type, OWL.Nothing)]


def test_owl_rl_finds_no_inconsistency() -> None:
    assert inconsistencies() == []


def test_owl_rl_would_find_one() -> None:
    apart = (TERMS.Chip, OWL.disjointWith, TERMS.Status)
    assert inconsistencies(apart, (TERMS.agreed, RDF.type, TERMS.Cpu))


def test_rules_lead_from_roles_to_relations() -> None:
    shipped = Ontology.shipped()
    roles = below(TERMS.participant, RDFS.subPropertyOf)
    events = below(TERMS.Event, RDFS.subClassOf)
    assert shipped.rules
    for rule in shipped.rules:
        assert rule.relation in RELATIONS
        assert {URIRef(rule.subject_role), URIRef(rule.object_role)} <= roles
        assert URIRef(rule.event_class) in events
        for property, value in rule.required:
            assert {URIRef(property), URIRef(value)} <= set(terms())


def test_every_class_of_events_has_a_rule_and_a_shape_of_its_roles() -> None:
    classes = below(TERMS.Event, RDFS.subClassOf) - {TERMS.Event, TERMS.SettledEvent}
    assert {URIRef(rule.event_class) for rule in Ontology.shipped().rules} == classes
    for name in classes:
        shape = URIRef(f"{name}RolesShape")
        assert (shape, SH.targetClass, name) in graph("shapes")


def test_every_role_belongs_to_a_rule() -> None:
    in_rules = {
        r for rule in Ontology.shipped().rules for r in (rule.subject_role, rule.object_role)
    }
    for role in below(TERMS.participant, RDFS.subPropertyOf) - {TERMS.participant}:
        above = set(graph("aikg").transitive_objects(role, RDFS.subPropertyOf))
        assert {str(term) for term in above} & in_rules, role


def test_every_concept_is_in_one_scheme() -> None:
    schemes = set(graph("aikg").subjects(RDF.type, SKOS.ConceptScheme))
    for concept, scheme in graph("aikg").subject_objects(SKOS.inScheme):
        assert scheme in schemes
        assert len(list(graph("aikg").objects(concept, SKOS.inScheme))) == 1


def test_certainties_are_ranked_from_1_to_5() -> None:
    ranks = {
        str(level).removeprefix(AIKG): int(str(rank))
        for level, rank in graph("aikg").subject_objects(TERMS.rank)
    }
    assert ranks == {"rumoured": 1, "presumed": 2, "estimated": 3, "asserted": 4, "confirmed": 5}
