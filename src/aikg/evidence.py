"""Which sources are read, what they settle, and whether a deal was in force on a day."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from pyoxigraph import NamedNode

from aikg.files import Resource, text_of
from aikg.names import (
    ANNOUNCED_ON,
    AS_OF,
    ASSERTED,
    CERTAINTY,
    CLOSED_ON,
    CONFIRMED,
    DCTERMS,
    EFFECTIVE_STATUS,
    ENDED,
    ENDS_ON,
    FAILED_STATUS,
    FRAME,
    MERGED,
    REPLACES,
    SETTLED_BY,
    STARTS_ON,
    STATUS,
    SUPERSEDES,
    TENTATIVE_STATUS,
    TYPE,
)
from aikg.ontology import Ontology, Rule
from aikg.store import Store
from aikg.times import begun, over

_ISSUED = NamedNode(DCTERMS + "issued")
_BEGINNINGS = (STARTS_ON, CLOSED_ON, ANNOUNCED_ON, AS_OF)
"""The dates that tell when a deal began, the closest first."""

_SURE = (CONFIRMED, ASSERTED)


class Evidence:
    """The source graphs that are read: all, or those of some documents or before some day.

    Args:
        store: the dataset.
        ontology: its classes and rules.
        sources: IRIs of the only documents to read; none means all.
        known_by: the day, month or year by the end of which a document must have been issued; one
            of which this cannot be decided is read. None means any day.
    """

    def __init__(
        self,
        store: Store,
        ontology: Ontology,
        *,
        sources: Collection[str] = (),
        known_by: str | None = None,
    ) -> None:
        self.store = store
        self.ontology = ontology
        self.sources = frozenset(sources)
        self.known_by = known_by

    def reads(self, graph: object) -> bool:
        """Tell whether a graph is what a source states that is read and that none replaces."""
        return isinstance(graph, NamedNode) and self._chosen(graph) and graph not in self._replaced

    def graphs(self) -> list[NamedNode]:
        """Return the graphs that are read, in a fixed order."""
        named = self.store.inner.named_graphs()
        found = (g for g in named if isinstance(g, NamedNode) and self.reads(g))
        return sorted(found, key=text_of)

    def telling(self, event: Resource) -> list[NamedNode]:
        """Return the graphs that say how sure they are of an event, in a fixed order."""
        found = {quad.graph_name for quad in self.store.match(event, CERTAINTY, None)}
        read = (graph for graph in found if isinstance(graph, NamedNode) and self.reads(graph))
        return sorted(read, key=text_of)

    def settles(self, rule: Rule, event: NamedNode, graph: NamedNode) -> bool:
        """Tell whether a graph settles an event, so that the rule's relation holds plainly.

        Source:
            docs/modelling.md, section 2.
        """
        settling = self._settling(event)
        return graph in settling and all(
            any(self._has(event, *need, home) for home in settling) for need in rule.required
        )

    def undated(self, graph: NamedNode) -> bool:
        """Tell whether it cannot be decided that a document was known by the day asked for."""
        return self.known_by is not None and self._known(graph) is None

    def in_force(self, event: NamedNode, graph: NamedNode, day: str) -> bool | None:
        """Tell whether a deal, as a graph tells it, was in force; None where it is undecidable.

        It begins when the graph says, else when another does, else when the document was issued. It
        ends when one says, else when the deal begins that supersedes it, else when the first
        document was issued that tells of its end.

        Args:
            event: the deal.
            graph: the source.
            day: a day, month or year.

        Source:
            docs/modelling.md, section 5.
        """
        starts = [begun(date, day) for date in self._beginning(event, graph)[:1]]
        ends = [over(date, day) for date in self._end(event, graph)[:1]]
        if False in starts or True in ends:
            return False
        return None if not starts or None in starts or None in ends else True

    def _beginning(self, event: NamedNode, graph: NamedNode) -> list[str]:
        for property in _BEGINNINGS:
            dates = self._dates(event, property, graph)
            if dates:
                return dates
        return self._issued([graph])

    def _end(self, event: NamedNode, graph: NamedNode) -> list[str]:
        told = self._dates(event, ENDS_ON, graph)
        if told:
            return told[-1:]
        newer = {
            quad.subject: quad.graph_name
            for quad in self.store.match(None, SUPERSEDES, event)
            if isinstance(quad.subject, NamedNode) and self.reads(quad.graph_name)
        }
        begins = [
            date
            for successor, home in newer.items()
            if isinstance(home, NamedNode)
            for date in self._beginning(successor, home)[:1]
        ]
        final = self.ontology.statuses[FAILED_STATUS.value] | {ENDED.value}
        homes = [g for g in self.telling(event) if final & set(self._statuses(event, [g]))]
        return sorted(begins) or self._issued(homes)

    def _dates(self, event: NamedNode, property: NamedNode, graph: NamedNode) -> list[str]:
        """Return the dates of a property that a graph gives, else those that others give."""
        for homes in ([graph], self.telling(event)):
            found = sorted(
                text_of(quad.object)
                for below in self.ontology.below(property.value)
                for home in homes
                for quad in self.store.match(event, NamedNode(below), None, home)
            )
            if found:
                return found
        return []

    def _issued(self, graphs: Iterable[NamedNode]) -> list[str]:
        return sorted(
            text_of(quad.object)
            for graph in graphs
            for quad in self.store.match(graph, _ISSUED, None, graph)
        )

    def _chosen(self, graph: NamedNode) -> bool:
        if graph in FRAME or (self.sources and graph.value not in self.sources):
            return False
        return self.known_by is None or self._known(graph) is not False

    def _known(self, graph: NamedNode) -> bool | None:
        assert self.known_by is not None
        found = [begun(date, self.known_by) for date in self._issued([graph])]
        return found[0] if found else None

    @cached_property
    def _replaced(self) -> frozenset[object]:
        """The graphs that a document that is read corrects."""
        return frozenset(
            quad.object
            for quad in self.store.match(None, REPLACES, None)
            if isinstance(quad.graph_name, NamedNode) and self._chosen(quad.graph_name)
        )

    @property
    def _is_whole(self) -> bool:
        return not self.sources and self.known_by is None

    def _settling(self, event: NamedNode) -> set[NamedNode]:
        """Return the graphs that settle an event, as loading found, or among those read alone."""
        if self._is_whole:
            found = self.store.match(event, SETTLED_BY, None, MERGED)
            return {quad.object for quad in found if isinstance(quad.object, NamedNode)}
        stages = set(self._statuses(event, self._read_with_status(event)))
        if stages & self.ontology.statuses[FAILED_STATUS.value]:
            return set()
        tentative = bool(stages & self.ontology.statuses[TENTATIVE_STATUS.value])
        effective = self.ontology.statuses[EFFECTIVE_STATUS.value]
        return {
            home
            for home in self.telling(event)
            if any(self._has(event, CERTAINTY.value, sure.value, home) for sure in _SURE)
            and (not tentative or effective & set(self._statuses(event, [home])))
            and self._is_event(event, home)
        }

    def _read_with_status(self, event: NamedNode) -> set[NamedNode]:
        found = (quad.graph_name for quad in self.store.match(event, STATUS, None))
        return {graph for graph in found if isinstance(graph, NamedNode) and self.reads(graph)}

    def _statuses(self, event: NamedNode, graphs: Iterable[NamedNode]) -> Iterator[str]:
        for graph in graphs:
            for quad in self.store.match(event, STATUS, None, graph):
                yield text_of(quad.object)

    def _is_event(self, event: NamedNode, graph: NamedNode) -> bool:
        return any(
            self.ontology.is_event(text_of(quad.object))
            for quad in self.store.match(event, TYPE, None, graph)
        )

    def _has(self, event: NamedNode, property: str, value: str, graph: NamedNode) -> bool:
        return any(self.store.match(event, NamedNode(property), NamedNode(value), graph))
