"""The store seen as typed, dated, cited edges between entities, read where they are needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode

from aikg.entities import label
from aikg.files import Resource, Term, text_of
from aikg.model import Fact, Name, Quantity, Source
from aikg.names import (
    CERTAINTY,
    DCTERMS,
    DERIVED,
    DURATION,
    EVENT_DATE,
    HEDGE,
    LOCATOR,
    MERGED,
    QUALIFIER,
    REPLACES,
    SCHEMA,
    SETTLED_BY,
    STATED_BY,
    STATUS,
    TYPE,
    WORKLOAD,
)
from aikg.ontology import Ontology, Rule
from aikg.store import Store

_URL = NamedNode(SCHEMA + "url")


class Edge(NamedTuple):
    """One statement of one source that joins two entities; `event` is None for a plain relation."""

    subject: str
    relation: str
    object: str
    event: str | None
    graph: str


class Relations:
    """Edges of a store.

    Args:
        store: the dataset.
        ontology: its relations, families and rules.
        via: families or relations to walk; none means all.
        lang: the language of labels.

    Raises:
        UnknownTerm: `via` names no relation or family.
    """

    def __init__(
        self, store: Store, ontology: Ontology, *, via: Iterable[str] = (), lang: str = "en"
    ) -> None:
        self.store = store
        self.ontology = ontology
        self.lang = lang
        self.walked = ontology.walked(via)
        self._sources: dict[str, Source] = {}

    def neighbours(self, frontier: Iterable[str]) -> dict[str, list[Edge]]:
        """Return, for each entity of a frontier, its edges in both directions."""
        return {entity: sorted(set(self._edges(entity)), key=_order) for entity in frontier}

    def all(self) -> Iterator[Edge]:
        """Yield every edge of the store once, in a fixed order."""
        for graph in sorted(self._evidence(), key=text_of):
            yield from sorted(set(self._in_graph(graph)), key=_order)

    def fact(self, edge: Edge) -> Fact:
        """Return an edge with all that its source says of it."""
        plain = Fact(
            subject=self.name(edge.subject),
            relation=self.name(edge.relation),
            object=self.name(edge.object),
            source=self.source(edge.graph),
        )
        if edge.event is None:
            return plain
        event, graph = NamedNode(edge.event), NamedNode(edge.graph)
        return replace(
            plain,
            event=self.name(edge.event),
            certainty=self.one(event, CERTAINTY, graph),
            status=self.one(event, STATUS, graph),
            settled=self._settles(edge.relation, event, graph),
            dates=self.dates(event, graph),
            quantities=self.quantities(event, graph),
            qualifiers=self.qualifiers(event, graph),
            stated_by=tuple(self.names(event, STATED_BY, graph)),
            locator="; ".join(self.values(event, LOCATOR, graph)),
        )

    def name(self, iri: str) -> Name:
        """Return an entity or term with its label."""
        return Name(iri, label(self.store, iri, self.lang))

    def source(self, iri: str) -> Source:
        """Return what a source's own graph says of it."""
        if iri not in self._sources:
            self._sources[iri] = Source(
                iri=iri,
                title=self._of_source(iri, DCTERMS + "title") or label(self.store, iri, self.lang),
                publisher=self._of_source(iri, DCTERMS + "publisher"),
                issued=self._of_source(iri, DCTERMS + "issued"),
                url="; ".join(self.values(NamedNode(iri), _URL, NamedNode(iri))),
            )
        return self._sources[iri]

    def is_evidence(self, graph: object) -> bool:
        """Tell whether a graph is what a source states, and no correction replaces it."""
        return isinstance(graph, NamedNode) and graph not in self._unread

    @property
    def roles(self) -> frozenset[str]:
        """The role properties that make edges."""
        return frozenset(self._roles)

    def quantities(self, subject: Resource, graph: NamedNode) -> tuple[Quantity, ...]:
        """Return the figures that a graph gives of an event or claim."""
        found = [
            self.quantity(quad.predicate.value, quad.object, graph)
            for quad in self.store.match(subject, None, None, graph)
            if self.ontology.is_quantity(quad.predicate.value)
            and isinstance(quad.object, (BlankNode, NamedNode))
        ]
        return tuple(sorted(found, key=str))

    def quantity(self, role: str, node: Resource, graph: NamedNode) -> Quantity:
        """Return one figure as a graph gives it: the node that a quantity property leads to."""

        def one(local: str) -> str:
            return next(iter(self.values(node, NamedNode(SCHEMA + local), graph)), "")

        return Quantity(
            role=self.name(role),
            unit=one("currency") or one("unitText"),
            value=one("value"),
            minimum=one("minValue"),
            maximum=one("maxValue"),
            hedge=self.one(node, HEDGE, graph),
            certainty=self.one(node, CERTAINTY, graph),
        )

    def dates(self, event: Resource, graph: NamedNode) -> tuple[tuple[Name, str], ...]:
        """Return the dates that a graph gives of an event or claim, as precise as it gives them."""
        return tuple(
            (self.name(property), value)
            for property in sorted(self.ontology.below(EVENT_DATE.value))
            for value in self.values(event, NamedNode(property), graph)
        )

    def qualifiers(self, event: Resource, graph: NamedNode) -> tuple[tuple[Name, str], ...]:
        """Return what a graph says of an event or claim in words, workloads included."""
        words = [
            (self.name(property), text)
            for property in sorted(self.ontology.below(QUALIFIER.value))
            for text in self.texts(event, property, graph)
        ]
        words += [
            (self.name(WORKLOAD.value), name.label) for name in self.names(event, WORKLOAD, graph)
        ]
        words += [(self.name(DURATION.value), text) for text in self.values(event, DURATION, graph)]
        return tuple(words)

    def one(self, subject: Resource, property: NamedNode, graph: NamedNode) -> Name | None:
        """Return the one value of a concept-valued property, labelled, or None."""
        return next(iter(self.names(subject, property, graph)), None)

    def names(self, subject: Resource, property: NamedNode, graph: NamedNode) -> list[Name]:
        """Return the values of a property, labelled, in a fixed order; a text labels itself."""
        found = {quad.object for quad in self.store.match(subject, property, None, graph)}
        return [
            self.name(term.value) if isinstance(term, NamedNode) else Name("", text_of(term))
            for term in sorted(found, key=text_of)
        ]

    def values(self, subject: Resource, property: NamedNode, graph: NamedNode) -> list[str]:
        """Return the values of a property in a graph as text, in a fixed order."""
        found = (quad.object for quad in self.store.match(subject, property, None, graph))
        return sorted(text_of(term) for term in found)

    def texts(self, subject: Resource, property: str, graph: NamedNode) -> list[str]:
        """Return the texts of a property in the language, else in English, else all of them.

        Texts that are marked as no language's are always among them.
        """
        literals = [
            quad.object
            for quad in self.store.match(subject, NamedNode(property), None, graph)
            if isinstance(quad.object, Literal)
        ]
        languages = {x.language for x in literals}
        for wanted in (self.lang, "en"):
            if wanted in languages:
                return sorted(x.value for x in literals if x.language in (wanted, None))
        return sorted(x.value for x in literals)

    @cached_property
    def _roles(self) -> dict[str, list[tuple[Rule, bool]]]:
        """The rules that a role property takes part in, and whether as the subject's."""
        roles: dict[str, list[tuple[Rule, bool]]] = defaultdict(list)
        for rule in self.ontology.rules:
            if rule.relation in self.walked:
                for role in self.ontology.below(rule.subject_role):
                    roles[role].append((rule, True))
                for role in self.ontology.below(rule.object_role):
                    roles[role].append((rule, False))
        return roles

    @cached_property
    def _unread(self) -> frozenset[object]:
        """The graphs that are no evidence: derived, and replaced by a correction."""
        replaced = (quad.object for quad in self.store.match(None, REPLACES, None))
        return frozenset([MERGED, DERIVED, *replaced])

    def _evidence(self) -> list[NamedNode]:
        graphs = self.store.inner.named_graphs()
        return [g for g in graphs if isinstance(g, NamedNode) and self.is_evidence(g)]

    def _edges(self, entity: str) -> Iterator[Edge]:
        node = NamedNode(entity)
        for quad in self.store.match(node, None, None):
            if self.is_evidence(quad.graph_name):
                yield from self._plain(quad.subject, quad.predicate, quad.object, quad.graph_name)
        for quad in self.store.match(None, None, node):
            if self.is_evidence(quad.graph_name):
                yield from self._plain(quad.subject, quad.predicate, quad.object, quad.graph_name)
                for rule, is_subject in self._roles.get(quad.predicate.value, ()):
                    yield from self._joined(rule, is_subject, quad.subject, entity, quad.graph_name)

    def _in_graph(self, graph: NamedNode) -> Iterator[Edge]:
        for quad in self.store.match(None, None, None, graph):
            yield from self._plain(quad.subject, quad.predicate, quad.object, graph)
            for rule, is_subject in self._roles.get(quad.predicate.value, ()):
                if is_subject and isinstance(quad.object, NamedNode):
                    yield from self._joined(rule, True, quad.subject, quad.object.value, graph)

    def _plain(
        self, subject: Term, predicate: NamedNode, object: Term, graph: object
    ) -> Iterator[Edge]:
        if (
            predicate.value in self.walked
            and isinstance(subject, NamedNode)
            and isinstance(object, NamedNode)
            and isinstance(graph, NamedNode)
            and subject != object
        ):
            yield self._edge(subject.value, predicate.value, object.value, None, graph.value)

    def _joined(
        self, rule: Rule, is_subject: bool, event: Term, entity: str, graph: object
    ) -> Iterator[Edge]:
        """Yield the edges that an event makes of an entity in one of its roles.

        A graph that does not say how sure it is of the event makes none (docs/modelling.md §4).
        """
        if not isinstance(event, NamedNode) or not isinstance(graph, NamedNode):
            return
        if not self._is_a(event, rule.event_class, graph):
            return
        if not any(self.store.match(event, CERTAINTY, None, graph)):
            return
        far_role = rule.object_role if is_subject else rule.subject_role
        for role in self.ontology.below(far_role):
            for quad in self.store.match(event, NamedNode(role), None, graph):
                if isinstance(quad.object, NamedNode) and quad.object.value != entity:
                    far = quad.object.value
                    start, end = (entity, far) if is_subject else (far, entity)
                    yield self._edge(start, rule.relation, end, event.value, graph.value)

    def _edge(self, start: str, relation: str, end: str, event: str | None, graph: str) -> Edge:
        """Return an edge; a symmetric one starts from the lesser IRI, so that it comes once."""
        if relation in self.ontology.symmetric:
            start, end = sorted((start, end))
        return Edge(start, relation, end, event, graph)

    def _is_a(self, event: NamedNode, wanted: str, graph: NamedNode) -> bool:
        return any(
            wanted in self.ontology.classes_above(text_of(quad.object))
            for quad in self.store.match(event, TYPE, None, graph)
        )

    def _settles(self, relation: str, event: NamedNode, graph: NamedNode) -> bool:
        """Tell whether a source settles an event, so that the relation holds plainly."""
        if not any(self.store.match(event, SETTLED_BY, graph, MERGED)):
            return False
        return any(
            all(self._has(event, *pair) for pair in rule.required)
            for rule in self.ontology.rules
            if rule.relation == relation and self._is_a(event, rule.event_class, graph)
        )

    def _has(self, event: NamedNode, property: str, value: str) -> bool:
        """Tell whether a source that settles an event gives a property this value."""
        return any(
            any(self.store.match(event, NamedNode(property), NamedNode(value), quad.object))
            for quad in self.store.match(event, SETTLED_BY, None, MERGED)
            if isinstance(quad.object, NamedNode)
        )

    def _of_source(self, iri: str, property: str) -> str:
        graph = NamedNode(iri)
        names = self.names(graph, NamedNode(property), graph)
        found = self.texts(graph, property, graph) or [name.label for name in names]
        return "; ".join(dict.fromkeys(found))


def _order(edge: Edge) -> tuple[str, ...]:
    return (edge.subject, edge.relation, edge.object, edge.event or "", edge.graph)
