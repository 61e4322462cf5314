"""What a graph holds, in counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import NamedNode

from aikg.entities import label
from aikg.files import text_of
from aikg.names import (
    CERTAINTY,
    DCTERMS,
    DERIVED,
    FRAME,
    MERGED,
    ONTOLOGY_GRAPH,
    SETTLED_EVENT,
    TYPE,
)
from aikg.ontology import Ontology
from aikg.store import Store

_ISSUED = NamedNode(DCTERMS + "issued")
_VERSION = NamedNode("http://www.w3.org/2002/07/owl#versionInfo")


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of a graph.

    Args:
        versions: versions by what they are of: package, ontology, data.
        triples: triples of the merged view, the derived ones included.
        derived: triples that follow from others.
        sources: source graphs.
        newest_source: the latest date of issue of a source; empty if none has one.
        entities: entities that have a class, by the label of the class that a source gives.
        events: events and claims that a source states, by the label of their certainty.
        settled: events from which plain relations follow.
    """

    versions: dict[str, str]
    triples: int
    derived: int
    sources: int
    newest_source: str
    entities: dict[str, int]
    events: dict[str, int]
    settled: int

    def rows(self) -> list[tuple[str, str]]:
        """Return the counts as (what, count) rows."""
        return [
            *((f"version of {what}", version) for what, version in self.versions.items()),
            ("triples", str(self.triples)),
            ("derived triples", str(self.derived)),
            ("sources", str(self.sources)),
            ("newest source", self.newest_source),
            *((f"class: {name}", str(count)) for name, count in self.entities.items()),
            *((f"certainty: {name}", str(count)) for name, count in self.events.items()),
            ("settled events", str(self.settled)),
        ]


def statistics(store: Store, ontology: Ontology, lang: str = "en") -> Statistics:
    """Return the counts of a store.

    >>> from aikg.graph import open
    >>> open().stats().entities["accelerator"] > 100
    True
    """
    graphs = [g for g in store.inner.named_graphs() if g not in FRAME]
    issued = [text_of(quad.object) for quad in store.match(None, _ISSUED, None, MERGED)]
    return Statistics(
        versions=versions(store),
        triples=_count(store.match(None, None, None, MERGED)),
        derived=_count(store.match(None, None, None, DERIVED)),
        sources=len(graphs),
        newest_source=max(issued, default=""),
        entities=_by_class(store, graphs, lang),
        events=_by_certainty(store, ontology, lang),
        settled=_count(store.match(None, TYPE, SETTLED_EVENT, MERGED)),
    )


def versions(store: Store) -> dict[str, str]:
    """Return the versions of the package, the ontology and the data that a store holds."""
    from aikg import __version__

    found = {"aikg": __version__}
    for quad in store.match(None, _VERSION, None, MERGED):
        kind = "ontology" if quad.subject == ONTOLOGY_GRAPH else "data"
        found[kind] = text_of(quad.object)
    return found


def _by_class(store: Store, graphs: Iterable[object], lang: str) -> dict[str, int]:
    members: dict[str, set[object]] = {}
    for graph in graphs:
        if isinstance(graph, NamedNode):
            for quad in store.match(None, TYPE, None, graph):
                if isinstance(quad.subject, NamedNode):
                    members.setdefault(text_of(quad.object), set()).add(quad.subject)
    counts = {label(store, name, lang): len(found) for name, found in members.items()}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _by_certainty(store: Store, ontology: Ontology, lang: str) -> dict[str, int]:
    counts = Counter(text_of(quad.object) for quad in store.match(None, CERTAINTY, None, MERGED))
    order = sorted(counts, key=lambda iri: (-ontology.ranks.get(iri, 0), iri))
    return {label(store, iri, lang): counts[iri] for iri in order}


def _count(quads: Iterable[object]) -> int:
    return sum(1 for _ in quads)
