"""How well a graph is covered: what counts as told well enough, and how much of it is confirmed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pyoxigraph import NamedNode, Quad

from aikg.entities import label
from aikg.files import text_of
from aikg.names import (
    ABOUT,
    ALT_LABEL,
    CERTAINTY,
    DCTERMS,
    EVENT,
    EVENT_DATE,
    FRAME,
    HAS_QUANTITY,
    LABEL,
    MERGED,
    METRIC,
    PARTICIPANT,
    PREF_LABEL,
    PROV,
    SOURCE_CLASS,
    TYPE,
)
from aikg.ontology import Ontology
from aikg.store import Store

_ISSUED = NamedNode(DCTERMS + "issued")
_PUBLISHER = NamedNode(DCTERMS + "publisher")
_DERIVED_FROM = NamedNode(PROV + "wasDerivedFrom")
_CLASS = NamedNode("http://www.w3.org/2002/07/owl#Class")
_NAMING = (TYPE, LABEL, ALT_LABEL, PREF_LABEL)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How well the members of one class, or the statements of one certainty, are covered.

    Args:
        what: label of the class, or of the certainty.
        members: how many there are.
        counted: those that are told well enough to count: an event with two parties, a date and a
            figure (told as undisclosed, where it is); a claim with what it is about and a metric;
            any other entity with two cited facts beyond its names and class.
        two_sources: those that two sources speak of.
        two_publishers: those that two publishers speak of, independently: what is derived from
            another document counts as that document's.
        newest: the latest date of issue of a source that speaks of one.
    """

    what: str
    members: int
    counted: int
    two_sources: int
    two_publishers: int
    newest: str

    @property
    def share(self) -> str:
        """The share that two publishers tell, in whole percent.

        >>> Coverage("loan", 3, 3, 2, 1, "2026").share
        '33 %'
        """
        return f"{100 * self.two_publishers / self.members:.0f} %"

    def row(self) -> tuple[str, ...]:
        """Return the figures as texts, in the order of `HEADERS`."""
        counts = (self.members, self.counted, self.two_sources, self.two_publishers)
        return (self.what, *map(str, counts), self.share, self.newest)


HEADERS = ("what", "members", "counted", "two sources", "two publishers", "share", "newest source")


def coverage(store: Store, ontology: Ontology, lang: str = "en") -> list[Coverage]:
    """Return the coverage of each class, then of each certainty.

    A superclass counts the members of its subclasses, if the store declares it.

    >>> from aikg.graph import open
    >>> rows = {row.what: row for row in open().coverage()}
    >>> rows["class: compute commitment"].two_sources > 0
    True
    """
    told = _Told(store, ontology)
    classes: dict[str, list[_Member]] = defaultdict(list)
    certainties: dict[str, list[_Member]] = defaultdict(list)
    for member in told.members.values():
        above = {name for own in member.classes for name in ontology.classes_above(own)}
        for name in member.classes | (above & told.declared):
            classes[name].append(member)
        for name in member.certainties:
            certainties[name].append(member)
    by_rank = sorted(certainties, key=lambda iri: (-ontology.ranks.get(iri, 0), iri))
    groups = [(f"class: {label(store, name, lang)}", classes[name]) for name in classes]
    groups.sort(key=lambda group: (-len(group[1]), group[0]))
    groups += [(f"certainty: {label(store, name, lang)}", certainties[name]) for name in by_rank]
    return [told.coverage(what, members) for what, members in groups]


@dataclass(slots=True)
class _Member:
    """What sources tell of one event, claim or other entity."""

    classes: set[str] = field(default_factory=set)
    certainties: set[str] = field(default_factory=set)
    facts: set[object] = field(default_factory=set)
    parties: set[object] = field(default_factory=set)
    graphs: set[object] = field(default_factory=set)
    dated: bool = False
    measured: bool = False
    about: bool = False
    metric: bool = False


class _Told:
    """What the sources of a store tell, read once."""

    def __init__(self, store: Store, ontology: Ontology) -> None:
        self.ontology = ontology
        self.parties = ontology.below(PARTICIPANT.value)
        self.dates = ontology.below(EVENT_DATE.value)
        self.quantities = ontology.below(HAS_QUANTITY.value)
        self.members: dict[object, _Member] = defaultdict(_Member)
        self.declared = {text_of(q.subject) for q in store.match(None, TYPE, _CLASS, MERGED)}
        self.described: dict[tuple[object, NamedNode], str] = {}
        for quad in _stated(store):
            self._read(quad)
        self.members = {k: v for k, v in self.members.items() if v.classes}

    def coverage(self, what: str, members: Iterable[_Member]) -> Coverage:
        """Return the coverage of some members."""
        members = list(members)
        graphs = {graph for member in members for graph in member.graphs}
        return Coverage(
            what=what,
            members=len(members),
            counted=sum(map(self._counts, members)),
            two_sources=sum(len(member.graphs) > 1 for member in members),
            two_publishers=sum(len(set(map(self._origin, m.graphs))) > 1 for m in members),
            newest=max((self.described.get((graph, _ISSUED), "") for graph in graphs), default=""),
        )

    def _read(self, quad: Quad) -> None:
        subject, predicate, object, graph = quad
        if subject == graph and predicate in (_ISSUED, _PUBLISHER, _DERIVED_FROM):
            self.described[graph, predicate] = text_of(object)
        if not isinstance(subject, NamedNode):
            return
        member = self.members[subject]
        if predicate == TYPE:
            member.classes.add(text_of(object))
        if predicate in _NAMING:
            return
        member.graphs.add(graph)
        member.facts.add((predicate, object))
        member.parties |= {object} if predicate.value in self.parties else set()
        member.certainties |= {text_of(object)} if predicate == CERTAINTY else set()
        member.dated |= predicate.value in self.dates
        member.measured |= predicate.value in self.quantities
        member.about |= predicate == ABOUT
        member.metric |= predicate == METRIC
        if isinstance(object, NamedNode):
            far = self.members[object]
            far.graphs.add(graph)
            far.facts.add((subject, predicate))

    def _counts(self, member: _Member) -> bool:
        classes = {above for own in member.classes for above in self.ontology.classes_above(own)}
        if EVENT.value in classes:
            return len(member.parties) > 1 and member.measured and self._is_dated(member)
        if SOURCE_CLASS.value in classes or not member.certainties:
            return len(member.facts) > 1
        return member.about and member.metric

    def _is_dated(self, member: _Member) -> bool:
        """Tell whether an event has a date; else the day of its source's issue stands for it."""
        return member.dated or any((graph, _ISSUED) in self.described for graph in member.graphs)

    def _origin(self, graph: object) -> str:
        """Return whose word a source gives: its publisher's, or that of what it is derived from."""
        seen = set[object]()
        while graph not in seen and (graph, _DERIVED_FROM) in self.described:
            seen.add(graph)
            graph = NamedNode(self.described[graph, _DERIVED_FROM])
        return self.described.get((graph, _PUBLISHER), str(graph)).casefold()


def _stated(store: Store) -> Iterator[Quad]:
    """Yield what source graphs state."""
    for graph in store.inner.named_graphs():
        if isinstance(graph, NamedNode) and graph not in FRAME:
            yield from store.match(None, None, None, graph)
