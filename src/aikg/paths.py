"""The shortest connections between two entities, every hop with all facts that make it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from typing import Literal

from aikg.errors import BadOption
from aikg.model import Hop, Name, Path
from aikg.names import ASSERTED
from aikg.relations import Edge, Relations

MAX_HOPS = 6
"""The hops that a search goes at most, unless told otherwise."""

Weight = Literal["hops", "certainty"]
"""What makes one path better than another."""

Steps = dict[str, dict[str, list[Edge]]]
"""For each entity, the entities one hop on, with the edges that join them."""

Edges = Callable[[str, str], list[Edge]]
"""Gives the edges by which one may walk from one entity to another."""


def paths(
    relations: Relations,
    start: str,
    end: str,
    *,
    k: int | None = 1,
    max_hops: int = MAX_HOPS,
    directed: bool = False,
    weight: Weight = "hops",
) -> list[Path]:
    """Return the k best paths without repeated entities.

    Parallel facts between two entities are one hop. The search runs breadth first from both ends;
    all edges on paths of n hops are then known, as each starts less than i hops from the start or
    ends less than n - i hops from the end, where i is how far the search went from the start. For
    the surest paths it runs once for each certainty, the highest first, over what is as sure.

    Args:
        relations: the edges that may be walked.
        start: IRI of the entity to start from.
        end: IRI of the entity to reach, another one.
        k: how many paths to give at most; None gives all.
        max_hops: how long a path may be.
        directed: walk only from the subject of a relation to its object.
        weight: what makes a path better. `hops`: fewer hops. `certainty`: a surer weakest hop, then
            fewer hops. Then the IRIs decide.

    Returns:
        At most k paths, the best first; none if the ends are not joined within `max_hops`.

    Raises:
        BadOption: the ends are the same or avoided, or `k` or `max_hops` is less than 1.
    """
    if start == end:
        raise BadOption("Both ends are the same entity.", fix="Name two different entities.")
    if (k is not None and k < 1) or max_hops < 1:
        raise BadOption("The number of paths and of hops must be at least 1.")
    if not relations.filters.avoid.isdisjoint((start, end)):
        raise BadOption("An end of the path is to be avoided.", fix="Avoid other entities.")
    walk = _surest if weight == "certainty" else _shortest
    return list(islice(walk(relations, start, end, max_hops, directed), k))


def _shortest(
    relations: Relations, start: str, end: str, max_hops: int, directed: bool
) -> Iterator[Path]:
    search = _Search(relations, start, end, directed)
    for chain in search.chains(max_hops):
        yield path_of(relations, chain, search.edges)


def _surest(
    relations: Relations, start: str, end: str, max_hops: int, directed: bool
) -> Iterator[Path]:
    """Yield paths by the certainty of their weakest hop; what gives it is found once before."""

    def edges(here: str, there: str) -> list[Edge]:
        return between(relations, here, there, directed)

    seen = set[tuple[str, ...]]()
    for certainty in relations.certainties():
        surer = relations.with_filters(min_certainty=certainty)
        for chain in _Search(surer, start, end, directed).chains(max_hops):
            if chain not in seen:
                seen.add(chain)
                yield path_of(relations, chain, edges)


def between(relations: Relations, here: str, there: str, directed: bool) -> list[Edge]:
    """Return the edges by which one may walk from one entity to another."""
    edges = relations.neighbours([here])[here]
    return [edge for edge in edges if (here, there) in ways(relations, edge, directed)]


def ways(relations: Relations, edge: Edge, directed: bool) -> Iterator[tuple[str, str]]:
    """Yield the ways in which an edge may be walked, as (from, to)."""
    yield edge.subject, edge.object
    if not directed or edge.relation in relations.ontology.symmetric:
        yield edge.object, edge.subject


def path_of(relations: Relations, chain: Iterable[str], edges: Edges) -> Path:
    """Return the path along a chain of entities; `edges` gives those from one to the next."""
    hops = tuple(_hop(relations, *pair, edges(*pair)) for pair in pairwise(chain))
    return Path(hops, min((hop.certainty for hop in hops), key=_rank(relations)))


class _Search:
    """A breadth-first search from both ends that remembers every edge it saw."""

    def __init__(self, relations: Relations, start: str, end: str, directed: bool) -> None:
        self.relations = relations
        self.directed = directed
        self.start, self.end = start, end
        self.steps: Steps = defaultdict(lambda: defaultdict(list))
        self.seen = {start: {start}, end: {end}}
        self.frontier = {start: {start}, end: {end}}

    def chains(self, max_hops: int) -> Iterator[tuple[str, ...]]:
        """Yield the paths up to a length, each as its entities, in order."""
        for length in range(1, max_hops + 1):
            self._grow()
            if not self.seen[self.start].isdisjoint(self.seen[self.end]):
                yield from self._chains_of(length)
            elif not all(self.frontier.values()):
                return
            if not any(self.frontier.values()) and length >= len(set().union(*self.seen.values())):
                return

    def _grow(self) -> None:
        """Go one hop on from the end whose frontier is smaller and not exhausted."""
        root = min((self.start, self.end), key=self._cost)
        reached: set[str] = set()
        for entity, edges in self.relations.neighbours(sorted(self.frontier[root])).items():
            for edge in edges:
                for here, there in ways(self.relations, edge, self.directed):
                    if root == self.start and here == entity:
                        self._remember(here, there, edge)
                        reached.add(there)
                    elif root == self.end and there == entity:
                        self._remember(here, there, edge)
                        reached.add(here)
        self.frontier[root] = reached - self.seen[root]
        self.seen[root] |= reached

    def _cost(self, root: str) -> tuple[bool, int]:
        return not self.frontier[root], len(self.frontier[root])

    def _remember(self, here: str, there: str, edge: Edge) -> None:
        if edge not in self.steps[here][there]:
            self.steps[here][there].append(edge)

    def _chains_of(self, length: int) -> Iterator[tuple[str, ...]]:
        """Yield the paths of exactly one length in the order of their IRIs.

        `chain` is the walk so far, `branches` the choices still open at each of its entities; a
        walk may be longer than Python lets functions nest.
        """
        left = self._hops_to_end(length)

        def onward(entity: str, remaining: int) -> Iterator[str]:
            for there in sorted(self.steps[entity]):
                if left.get(there, remaining) < remaining:
                    yield there

        chain = {self.start: None}
        branches = [onward(self.start, length)]
        while branches:
            there = next(branches[-1], None)
            if there is None:
                branches.pop()
                chain.popitem()
            elif there == self.end:
                if len(chain) == length:
                    yield (*chain, there)
            elif there not in chain:
                branches.append(onward(there, length - len(chain)))
                chain[there] = None

    def edges(self, here: str, there: str) -> list[Edge]:
        """Return the edges by which one may walk from one entity to another."""
        return sorted(self.steps[here][there], key=str)

    def _hops_to_end(self, bound: int) -> dict[str, int]:
        """Return, for the entities within a number of hops of the end, how many they need."""
        before: dict[str, list[str]] = defaultdict(list)
        for here, onward in self.steps.items():
            for there in onward:
                before[there].append(here)
        hops = {self.end: 0}
        frontier = [self.end]
        for distance in range(1, bound + 1):
            frontier = [e for there in frontier for e in before[there]]
            frontier = [e for e in dict.fromkeys(frontier) if e not in hops]
            hops |= dict.fromkeys(frontier, distance)
        return hops


def _hop(relations: Relations, here: str, there: str, edges: list[Edge]) -> Hop:
    facts = tuple(relations.fact(edge) for edge in edges)
    plain = relations.name(ASSERTED.value)
    certainties = [fact.certainty or plain for fact in facts]
    return Hop(
        relations.name(here),
        relations.name(there),
        facts,
        max(certainties, key=_rank(relations)),
    )


def _rank(relations: Relations) -> Callable[[Name], int]:
    def rank(certainty: Name) -> int:
        return relations.ontology.ranks.get(certainty.iri, 0)

    return rank
