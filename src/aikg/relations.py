"""The store seen as typed, dated, cited edges between entities, read where they are needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode

from aikg.entities import label
from aikg.evidence import Evidence
from aikg.files import Resource, Term, text_of
from aikg.model import Fact, Name, Quantity, Source
from aikg.names import (
    ASSERTED,
    CERTAINTY,
    DCTERMS,
    DURATION,
    EVENT_DATE,
    HEDGE,
    LOCATOR,
    QUALIFIER,
    SCHEMA,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which edges are walked; by default all.

    Args:
        via: families or relations that are walked, by name; none means all.
        not_via: families or relations that are not.
        avoid: IRIs of entities that are not passed.
        min_certainty: IRI of the least certainty; a relation without one counts as asserted.
        sources: IRIs of the only documents that are read; none means all.
        as_of: a day, month or year: only what was in force then.
        known_by: a day, month or year: only documents that were issued by its end.
        dated_only: leave out what `as_of` and `known_by` cannot decide, instead of marking it.
    """

    via: tuple[str, ...] = ()
    not_via: tuple[str, ...] = ()
    avoid: frozenset[str] = frozenset()
    min_certainty: str | None = None
    sources: frozenset[str] = frozenset()
    as_of: str | None = None
    known_by: str | None = None
    dated_only: bool = False


WHOLE = Filters()
"""Nothing is left out."""


class Relations:
    """Edges of a store.

    Args:
        store: the dataset.
        ontology: its relations, families and rules.
        filters: which of them are walked.
        lang: the language of labels.

    Raises:
        UnknownTerm: a filter names no relation or family.
    """

    def __init__(
        self, store: Store, ontology: Ontology, filters: Filters = WHOLE, *, lang: str = "en"
    ) -> None:
        self.store = store
        self.ontology = ontology
        self.filters = filters
        self.lang = lang
        self.evidence = Evidence(
            store, ontology, sources=filters.sources, known_by=filters.known_by
        )
        unwanted = ontology.walked(filters.not_via) if filters.not_via else frozenset()
        self.walked = ontology.walked(filters.via) - unwanted
        self._sources: dict[str, Source] = {}

    def with_filters(self, **changes: Any) -> Relations:
        """Return the same edges under filters of which some are changed."""
        filters = replace(self.filters, **changes)
        return Relations(self.store, self.ontology, filters, lang=self.lang)

    def certainties(self) -> list[str | None]:
        """Return the certainties that the filters let pass, the highest first; None is any."""
        ranks, wanted = self.ontology.ranks, self.filters.min_certainty
        least = ranks[wanted] if wanted else 0
        found = sorted((c for c in ranks if ranks[c] >= least), key=lambda c: -ranks[c])
        return [*found, *([] if wanted else [None])]

    def neighbours(self, frontier: Iterable[str]) -> dict[str, list[Edge]]:
        """Return, for each entity of a frontier, its edges in both directions."""
        return {entity: self._kept(self._edges(entity)) for entity in frontier}

    def all(self) -> Iterator[Edge]:
        """Yield every edge of the store once, in a fixed order."""
        for graph in self.evidence.graphs():
            yield from self._kept(self._in_graph(graph))

    def fact(self, edge: Edge) -> Fact:
        """Return an edge with all that its source says of it."""
        plain = Fact(
            subject=self.name(edge.subject),
            relation=self.name(edge.relation),
            object=self.name(edge.object),
            source=self.source(edge.graph),
            undated=self._is_undated(edge),
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

    def _kept(self, edges: Iterable[Edge]) -> list[Edge]:
        return sorted({edge for edge in edges if self._keeps(edge)}, key=_order)

    def _keeps(self, edge: Edge) -> bool:
        """Tell whether the filters on entities, certainty and time let an edge pass."""
        filters = self.filters
        if not filters.avoid.isdisjoint((edge.subject, edge.object)):
            return False
        if filters.min_certainty and self._rank(edge) < self.ontology.ranks[filters.min_certainty]:
            return False
        if filters.as_of and self._in_force(edge, filters.as_of) is False:
            return False
        return not (filters.dated_only and self._is_undated(edge))

    def _rank(self, edge: Edge) -> int:
        """Return how sure an edge is; a plain relation counts as asserted."""
        if edge.event is None:
            return self.ontology.ranks.get(ASSERTED.value, 0)
        told = self.store.match(NamedNode(edge.event), CERTAINTY, None, NamedNode(edge.graph))
        return max(self.ontology.ranks.get(text_of(quad.object), 0) for quad in told)

    def _in_force(self, edge: Edge, day: str) -> bool | None:
        if edge.event is None:
            return None
        return self.evidence.in_force(NamedNode(edge.event), NamedNode(edge.graph), day)

    def _is_undated(self, edge: Edge) -> bool:
        """Tell whether the dates asked for cannot decide on an edge."""
        as_of = self.filters.as_of
        if as_of is not None and self._in_force(edge, as_of) is None:
            return True
        return self.evidence.undated(NamedNode(edge.graph))

    def _edges(self, entity: str) -> Iterator[Edge]:
        node = NamedNode(entity)
        for quad in self.store.match(node, None, None):
            if self.evidence.reads(quad.graph_name):
                yield from self._plain(quad.subject, quad.predicate, quad.object, quad.graph_name)
        for quad in self.store.match(None, None, node):
            if self.evidence.reads(quad.graph_name):
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
        return any(
            self.evidence.settles(rule, event, graph)
            for rule in self.ontology.rules
            if rule.relation == relation and self._is_a(event, rule.event_class, graph)
        )

    def _of_source(self, iri: str, property: str) -> str:
        graph = NamedNode(iri)
        names = self.names(graph, NamedNode(property), graph)
        found = self.texts(graph, property, graph) or [name.label for name in names]
        return "; ".join(dict.fromkeys(found))


def _order(edge: Edge) -> tuple[str, ...]:
    return (edge.subject, edge.relation, edge.object, edge.event or "", edge.graph)
