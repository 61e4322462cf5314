"""Paths against plain networkx over edges that rdflib reads and pySHACL derives."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import oracle
import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad
from tiny import AI, AIKG, PREFIXES, SRC, bundled, datasets, graph_of

from aikg.errors import BadOption
from aikg.graph import open as open_graph
from aikg.model import Fact, Path
from aikg.ontology import Ontology
from aikg.paths import MAX_HOPS, paths
from aikg.relations import Edge, Filters, Relations
from aikg.store import Store

SHIPPED = Ontology.shipped()
STEADY = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
VIA: tuple[tuple[str, ...], ...] = (
    *((), (), ("funding",), ("ownership",), ("technology",), ("moneyFlow", "alliance")),
    *(("isPartOf", "compute", "hasAcquired"),),
)


def edge_of(fact: Fact) -> oracle.Edge:
    return oracle.Edge(
        fact.subject.iri,
        fact.relation.iri,
        fact.object.iri,
        fact.event.iri if fact.event else None,
        fact.source.iri,
        fact.settled,
        fact.certainty.iri if fact.certainty else None,
        fact.status.iri if fact.status else None,
    )


def _nodes(path: Path) -> tuple[str, ...]:
    return tuple(name.iri for name in path.entities)


def assert_paths_equal(
    relations: Relations, edges: set[oracle.Edge], start: str, end: str, **options: Any
) -> None:
    """Our paths are those of networkx, in order, and each hop has all edges of its pair."""
    found = paths(relations, start, end, **options)
    assert [_nodes(path) for path in found] == oracle.node_paths(edges, start, end, **options)
    directed = options["directed"]
    for path in found:
        ranks = []
        for hop in path.hops:
            parallel = oracle.between(edges, hop.start.iri, hop.end.iri, directed=directed)
            facts = [edge_of(fact) for fact in hop.facts]
            assert len(facts) == len(parallel)
            assert set(facts) == parallel
            ranks.append(max(oracle.rank(edge.certainty) for edge in parallel))
            assert oracle.rank(hop.certainty.iri) == ranks[-1]
        assert oracle.rank(path.certainty.iri) == min(ranks)


def assert_all_pairs_equal(trig: str, shacl: bool, data: st.DataObject) -> None:
    graph = graph_of(trig)
    edges = oracle.Reading(PREFIXES + trig).edges(shacl=shacl)
    via = data.draw(st.sampled_from(VIA))
    options = {
        "k": data.draw(st.integers(1, 6)),
        "max_hops": data.draw(st.integers(1, 5)),
        "directed": data.draw(st.booleans()),
    }
    relations = Relations(graph.store, graph.ontology, Filters(via=via))
    walked = oracle.walkable(*via)
    kept = {edge for edge in edges if edge.relation in walked}
    ends = {end for edge in edges for end in (edge.subject, edge.object)} | {AI + "e0"}
    for start, end in permutations(sorted(ends), 2):
        assert_paths_equal(relations, kept, start, end, **options)


@settings(STEADY, max_examples=25)
@given(datasets(entities=6), st.data())
def test_paths_are_those_of_networkx_over_what_rdflib_reads_and_pyshacl_derives(
    trig: str, data: st.DataObject
) -> None:
    assert_all_pairs_equal(trig, True, data)


@settings(STEADY, max_examples=40)
@given(datasets(), st.data())
def test_paths_are_those_of_networkx_over_rules_read_by_hand(
    trig: str, data: st.DataObject
) -> None:
    assert_all_pairs_equal(trig, False, data)


PAIRS = st.tuples(
    st.integers(0, 8),
    st.sampled_from(["isPartOf", "runsOn", "succeeds", "isPartnerOf"]),
    st.integers(0, 8),
    st.sampled_from(["s0", "s1"]),
)


@settings(STEADY, max_examples=300)
@given(
    st.lists(PAIRS, min_size=4, max_size=26),
    st.integers(1, 40),
    st.integers(1, 9),
    st.booleans(),
)
def test_paths_of_any_multigraph_are_those_of_networkx(
    statements: list[tuple[int, str, int, str]], k: int, max_hops: int, directed: bool
) -> None:
    inner = pyoxigraph.Store()
    edges = set()
    for subject, relation, object, source in statements:
        ends = [f"{AI}e{subject}", f"{AI}e{object}"]
        inner.add(
            Quad(
                NamedNode(ends[0]),
                NamedNode(AIKG + relation),
                NamedNode(ends[1]),
                NamedNode(SRC + source),
            )
        )
        if subject != object:
            ends = sorted(ends) if relation == "isPartnerOf" else ends
            edges.add(
                oracle.Edge(ends[0], AIKG + relation, ends[1], None, SRC + source, True, None, None)
            )
    relations = Relations(Store(inner), SHIPPED)
    for end in ("e0", "e1", "e2"):
        assert_paths_equal(
            relations, edges, AI + "e8", AI + end, k=k, max_hops=max_hops, directed=directed
        )


def test_path_may_be_longer_than_functions_nest() -> None:
    hops = 1500
    inner = pyoxigraph.Store()
    for number in range(hops):
        nodes = (NamedNode(f"{AI}e{number}"), NamedNode(f"{AI}e{number + 1}"))
        inner.add(Quad(nodes[0], NamedNode(AIKG + "isPartOf"), nodes[1], NamedNode(SRC + "s0")))
    relations = Relations(Store(inner), SHIPPED)
    [path] = paths(relations, f"{AI}e0", f"{AI}e{hops}", max_hops=hops)
    assert len(path.hops) == hops
    assert paths(relations, f"{AI}e0", f"{AI}e{hops}", max_hops=hops - 1) == []


TRIANGLE = (
    "GRAPH src:s0 { ai:a aikg:isPartOf ai:b . ai:b aikg:runsOn ai:c . ai:c aikg:succeeds ai:a }"
)


def test_search_ends_when_there_is_nothing_more_to_walk() -> None:
    found = graph_of(TRIANGLE).paths("ai:a", "ai:b", k=10**6, max_hops=10**9)
    assert [len(path.hops) for path in found] == [1, 2]


def test_search_reads_no_more_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = " . ".join(f"ai:e{number} aikg:isPartOf ai:e{number + 1}" for number in range(50))
    graph = graph_of(f"GRAPH src:s0 {{ ai:x aikg:isPartOf ai:y . {chain} }}")
    relations = Relations(graph.store, graph.ontology)
    read: list[str] = []
    neighbours = relations.neighbours

    def noting(frontier: Iterable[str]) -> dict[str, list[Edge]]:
        wanted = list(frontier)
        read.extend(wanted)
        return neighbours(wanted)

    monkeypatch.setattr(relations, "neighbours", noting)
    assert paths(relations, f"{AI}x", f"{AI}e0", max_hops=60) == []
    assert len(read) <= 5
    read.clear()
    assert len(paths(relations, f"{AI}e20", f"{AI}e22")) == 1
    assert len(read) <= 4


def test_direction_is_from_subject_to_object_and_each_way_where_symmetric() -> None:
    graph = graph_of(TRIANGLE + " GRAPH src:s1 { ai:d aikg:isPartnerOf ai:a }")

    def directed(start: str, end: str) -> list[list[str]]:
        found = graph.paths(start, end, directed=True, k=9)
        return [[name.iri.removeprefix(AI) for name in path.entities] for path in found]

    assert directed("ai:b", "ai:a") == [["b", "c", "a"]]
    assert directed("ai:a", "ai:d") == [["a", "d"]]
    assert directed("ai:d", "ai:b") == [["d", "a", "b"]]


@pytest.mark.parametrize(("k", "max_hops"), [(0, 6), (1, 0), (-1, 6), (1, -1)])
def test_less_than_one_path_or_hop_is_refused(k: int, max_hops: int) -> None:
    with pytest.raises(BadOption, match="at least 1"):
        graph_of(TRIANGLE).paths("ai:a", "ai:b", k=k, max_hops=max_hops)


def test_ends_that_are_one_entity_are_refused() -> None:
    graph = graph_of(TRIANGLE + ' GRAPH src:registry { ai:a rdfs:label "Alpha"@en }')
    with pytest.raises(BadOption, match="same entity"):
        graph.paths("ai:a", "alpha")


def test_entities_that_nothing_joins_have_no_path() -> None:
    graph = graph_of(TRIANGLE + ' GRAPH src:registry { ai:z rdfs:label "Zeta"@en }')
    assert graph.paths("ai:a", "zeta", max_hops=MAX_HOPS) == []


def test_path_is_as_sure_as_its_weakest_hop_and_a_hop_as_its_surest_fact() -> None:
    def deal(name: str, start: str, end: str, certainty: str) -> str:
        return (
            f"ai:{name} a aikg:Usage ; aikg:user ai:{start} ; aikg:used ai:{end} ;"
            f" aikg:certainty aikg:{certainty} ."
        )

    graph = graph_of(
        "GRAPH src:s0 {"
        + deal("d1", "a", "b", "rumoured")
        + deal("d2", "a", "b", "confirmed")
        + deal("d3", "b", "c", "estimated")
        + deal("d4", "b", "c", "presumed")
        + "ai:c aikg:isPartOf ai:d . }"
        + "GRAPH src:s1 {"
        + deal("d1", "a", "b", "presumed")
        + deal("d5", "c", "d", "rumoured")
        + "}"
    )
    [path] = graph.paths("ai:a", "ai:d")
    assert [hop.certainty.label for hop in path.hops] == ["confirmed", "estimated", "asserted"]
    assert [len(hop.facts) for hop in path.hops] == [3, 2, 2]
    assert path.certainty.label == "estimated"
    [path] = graph.paths("ai:a", "ai:b")
    assert path.certainty.label == "confirmed"


def test_paths_of_the_bundled_graph_are_those_of_networkx() -> None:
    graph = open_graph()
    edges = oracle.Reading(bundled()).edges(shacl=False)
    relations = Relations(graph.store, graph.ontology)
    options = {"k": 3, "max_hops": 3, "directed": False}
    ends = sorted({edge.object for edge in edges} - {AI + "openai"})
    for end in ends[::100]:
        assert_paths_equal(relations, edges, AI + "openai", end, **options)
