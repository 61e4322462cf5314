"""A second reading of a dataset, by rdflib, pySHACL and networkx: nothing of aikg is used."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import pyshacl
import rdflib
from rdflib import RDF, RDFS, SH, Graph, Literal, Node, URIRef
from rdflib.namespace import DCTERMS

AIKG = rdflib.Namespace("https://w3id.org/aikg/ontology#")
ONTOLOGY = Path(__file__).parent.parent / "ontology"


class Edge(NamedTuple):
    """One statement of one source that joins two entities, with its hedges."""

    subject: str
    relation: str
    object: str
    event: str | None
    source: str
    settled: bool
    certainty: str | None
    status: str | None


class Rule(NamedTuple):
    """A triple rule of ontology/rules.ttl; `required` are values that the event must have."""

    target: Node
    subject: Node
    predicate: Node
    object: Node
    required: tuple[tuple[Node, Node], ...]


@cache
def ontology() -> Graph:
    return Graph().parse(ONTOLOGY / "aikg.ttl")


@cache
def rules_graph() -> Graph:
    return Graph().parse(ONTOLOGY / "rules.ttl")


def below(term: Node, predicate: URIRef = RDFS.subPropertyOf) -> set[Node]:
    return {part for part in ontology().transitive_subjects(predicate, term) if part is not None}


@cache
def rules() -> tuple[Rule, ...]:
    graph = rules_graph()

    def one(subject: Node, predicate: URIRef) -> Node:
        [value] = graph.objects(subject, predicate)
        return value

    return tuple(
        Rule(
            one(shape, SH.targetClass),
            one(one(rule, SH.subject), SH.path),
            one(rule, SH.predicate),
            one(one(rule, SH.object), SH.path),
            tuple(
                (one(need, SH.path), value)
                for condition in graph.objects(rule, SH.condition)
                for need in graph.objects(condition, SH.property)
                for value in graph.objects(need, SH.hasValue)
            ),
        )
        for shape, rule in graph.subject_objects(SH.rule)
    )


def walkable(*families: str) -> set[str]:
    """Return the relations of families or all, given by local name."""
    roots = [AIKG[family] for family in families] or [AIKG.relatedTo]
    found = {str(term) for root in roots for term in below(root)}
    return found - {str(AIKG.relatedTo)}


class Reading:
    """A dataset as rdflib reads it, without the sources that another replaces."""

    def __init__(self, trig: str) -> None:
        dataset = rdflib.Dataset()
        with warnings.catch_warnings():  # rdflib's TriG parser uses what rdflib deprecates
            warnings.simplefilter("ignore", DeprecationWarning)
            dataset.parse(data=trig, format="trig")
        self.graphs: dict[Node, Graph] = defaultdict(Graph)
        for subject, predicate, object, graph in dataset.quads():
            assert graph is not None
            self.graphs[graph].add((subject, predicate, object))
        for newer in list(self.graphs.values()):
            for replaced in list(newer.objects(None, DCTERMS.replaces)):
                self.graphs.pop(replaced, None)

    def edges(self, *, shacl: bool) -> set[Edge]:
        """Return all edges; which of them a source settles is left to pySHACL or read by hand."""
        found = set()
        for name, graph in self.graphs.items():
            found |= set(self._plain(name, graph))
            for event in set(graph.subjects(AIKG.certainty, None)):
                told = set(self._told(event, name, graph))
                settled = self._settled(event, graph)
                plain = self._shacl(event, graph, settled) if shacl else set()
                for triple, by_hand in told:
                    holds = triple in plain if shacl else by_hand and settled
                    found.add(self._edge(triple, event, name, holds))
                for triple in plain:
                    found.add(self._edge(triple, event, name, True))
        kept: dict[tuple[str | None, ...], Edge] = {}
        for edge in sorted(found, key=str):
            earlier = kept.get(edge[:5])
            kept[edge[:5]] = edge if earlier is None or edge.settled else earlier
        return set(kept.values())

    def _plain(self, name: Node, graph: Graph) -> Iterator[Edge]:
        known = walkable()
        for subject, predicate, object in graph:
            if str(predicate) in known and isinstance(object, URIRef) and subject != object:
                ends = _ordered(str(subject), str(predicate), str(object))
                yield Edge(*ends, None, str(name), True, None, None)

    def _told(
        self, event: Node, name: Node, graph: Graph
    ) -> Iterator[tuple[tuple[str, str, str], bool]]:
        """Yield the relations that an event means by any rule, and whether its needs are met."""
        classes = set(graph.objects(event, RDF.type))
        for rule in rules():
            if classes & below(rule.target, RDFS.subClassOf):
                holds = all(
                    any((event, *need) in other for other in self._settling(event))
                    for need in rule.required
                )
                for subject in _values(graph, event, rule.subject):
                    for object in _values(graph, event, rule.object):
                        if subject != object:
                            yield _ordered(subject, str(rule.predicate), object), holds

    def _settled(self, event: Node, graph: Graph) -> bool:
        """Tell whether a source settles an event, in the words of docs/modelling.md §2."""
        if not {AIKG.confirmed, AIKG.asserted} & set(graph.objects(event, AIKG.certainty)):
            return False
        by_all = {status for g in self.graphs.values() for status in g.objects(event, AIKG.status)}
        if any(_is(status, AIKG.FailedStatus) for status in by_all):
            return False
        tentative = any(_is(status, AIKG.TentativeStatus) for status in by_all)
        by_this = graph.objects(event, AIKG.status)
        return not tentative or any(_is(status, AIKG.EffectiveStatus) for status in by_this)

    def _settling(self, event: Node) -> list[Graph]:
        return [graph for graph in self.graphs.values() if self._settled(event, graph)]

    def _shacl(self, event: Node, graph: Graph, settled: bool) -> set[tuple[str, str, str]]:
        """Return what pySHACL derives from one event as one source tells it."""
        data = Graph()
        for _, predicate, object in graph.triples((event, None, None)):
            for above in ontology().transitive_objects(predicate, RDFS.subPropertyOf):
                assert above is not None
                data.add((event, above, object))
        for other in self._settling(event):
            for status in other.objects(event, AIKG.status):
                data.add((event, AIKG.status, status))
        if settled:
            data.add((event, RDF.type, AIKG.SettledEvent))
        expanded: Any = pyshacl.shacl_rules(data, shacl_graph=rules_graph(), advanced=True)
        derived = [quad[:3] for quad in expanded]
        predicates = {rule.predicate for rule in rules()}
        return {
            _ordered(str(subject), str(predicate), str(object))
            for subject, predicate, object in derived
            if predicate in predicates and subject not in (event, object)
        }

    def _edge(self, triple: tuple[str, str, str], event: Node, name: Node, settled: bool) -> Edge:
        graph = self.graphs[name]
        status = graph.value(event, AIKG.status)
        return Edge(
            *triple,
            str(event),
            str(name),
            settled,
            str(graph.value(event, AIKG.certainty)),
            None if status is None else str(status),
        )


def node_paths(
    edges: Iterable[Edge], start: str, end: str, *, k: int, max_hops: int, directed: bool
) -> list[tuple[str, ...]]:
    """Return the k shortest simple paths as networkx finds them, by length, then by IRIs."""
    graph = nx.DiGraph() if directed else nx.Graph()
    for edge in edges:
        graph.add_edge(edge.subject, edge.object)
        if edge.relation in symmetric():
            graph.add_edge(edge.object, edge.subject)
    if start not in graph or end not in graph:
        return []
    found = {tuple(path) for path in nx.all_simple_paths(graph, start, end, cutoff=max_hops)}
    ordered = sorted(found, key=lambda path: (len(path), path))
    if ordered:
        assert nx.shortest_path_length(graph, start, end) == len(ordered[0]) - 1
    return list(islice(ordered, k))


def between(edges: Iterable[Edge], here: str, there: str, *, directed: bool) -> set[Edge]:
    """Return the edges that join two neighbours on a path."""
    return {
        edge
        for edge in edges
        if (edge.subject, edge.object) == (here, there)
        or (
            (edge.object, edge.subject) == (here, there)
            and (not directed or edge.relation in symmetric())
        )
    }


def rank(certainty: str | None) -> int:
    """Return how sure a certainty is; a plain relation counts as asserted."""
    value = ontology().value(URIRef(certainty or AIKG.asserted), AIKG.rank)
    assert isinstance(value, Literal)
    return int(value)


@cache
def symmetric() -> frozenset[str]:
    owl = "http://www.w3.org/2002/07/owl#SymmetricProperty"
    return frozenset(map(str, ontology().subjects(RDF.type, URIRef(owl))))


def _ordered(subject: str, relation: str, object: str) -> tuple[str, str, str]:
    """Return a relation; a symmetric one from the lesser IRI."""
    if relation in symmetric():
        subject, object = sorted((subject, object))
    return subject, relation, object


def _values(graph: Graph, event: Node, role: Node) -> set[str]:
    return {str(value) for part in below(role) for value in graph.objects(event, part)}


def _is(concept: Node, name: URIRef) -> bool:
    return (concept, RDF.type, name) in ontology()
