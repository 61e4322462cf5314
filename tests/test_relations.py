"""Every edge, and all that its source says of it, as the source's own graph states it."""

from __future__ import annotations

import oracle
import pytest
from hypothesis import given, settings
from pyoxigraph import DefaultGraph, NamedNode
from test_paths import STEADY, edge_of
from tiny import AI, AIKG, PREFIXES, SRC, bundled, datasets, graph_of

from aikg.errors import UnknownTerm
from aikg.graph import Graph
from aikg.model import Fact, Name, Quantity
from aikg.relations import Filters, Relations

USAGE = "a aikg:Usage ; aikg:user ai:x ; aikg:used ai:y"
USES = AIKG + "uses"


def _relations(graph: Graph, *via: str) -> Relations:
    return Relations(graph.store, graph.ontology, Filters(via=tuple(via)), lang=graph.lang)


def _only_fact(trig: str, *, lang: str = "en") -> Fact:
    [fact] = graph_of(trig, lang=lang).facts()
    return fact


def _triples(graph: Graph) -> set[tuple[str, str, str]]:
    return {(f.subject.iri, f.relation.iri, f.object.iri) for f in graph.facts()}


# What is an edge


@settings(STEADY, max_examples=60)
@given(datasets())
def test_edges_are_those_that_rdflib_reads_and_pyshacl_derives(trig: str) -> None:
    graph = graph_of(trig)
    relations = _relations(graph)
    expected = oracle.Reading(PREFIXES + trig).edges(shacl=True)
    found = [edge_of(relations.fact(edge)) for edge in relations.all()]
    assert len(found) == len(set(found))
    assert set(found) == expected
    ends = {end for edge in expected for end in (edge.subject, edge.object)}
    for end, edges in relations.neighbours(sorted(ends)).items():
        near = {edge for edge in expected if end in (edge.subject, edge.object)}
        assert {edge_of(relations.fact(edge)) for edge in edges} == near
        assert len(edges) == len(near)


@settings(STEADY, max_examples=60)
@given(datasets())
def test_plain_relations_of_the_merged_view_are_those_of_the_settled_facts(trig: str) -> None:
    graph = graph_of(trig)
    settled = set()
    for fact in graph.facts():
        if fact.settled:
            settled.add((fact.subject.iri, fact.relation.iri, fact.object.iri))
            if fact.relation.iri in graph.ontology.symmetric:
                settled.add((fact.object.iri, fact.relation.iri, fact.subject.iri))
    leaves = {r for r in graph.ontology.relations if not graph.ontology.subproperties.get(r)}
    merged = {
        (quad.subject.value, relation, quad.object.value)
        for relation in leaves
        for quad in graph.store.match(None, NamedNode(relation), None, DefaultGraph())
        if isinstance(quad.subject, NamedNode)
        and isinstance(quad.object, NamedNode)
        and quad.subject != quad.object
    }
    assert merged == settled


def test_edges_of_the_bundled_graph_are_those_that_rdflib_reads_and_pyshacl_derives() -> None:
    text = bundled(every=12)
    expected = oracle.Reading(text).edges(shacl=True)
    assert len(expected) > 200
    assert {edge_of(fact) for fact in graph_of(text).facts()} == expected


def test_country_role_type_source_and_speaker_are_no_edges() -> None:
    graph = graph_of(
        """GRAPH src:a {
            ai:x a aikg:Organization ; aikg:isLocatedIn ai:usa ; aikg:hasRole aikg:aiLab ;
                dcterms:source src:a ; rdfs:seeAlso ai:y ; skos:related ai:y .
            ai:d a aikg:Lease ; aikg:lessee ai:x ; aikg:lessor ai:y ; aikg:certainty aikg:asserted ;
                aikg:site ai:campus ; aikg:statedBy ai:speaker ; aikg:isTiedTo ai:e .
            ai:e a aikg:Lease ; aikg:lessee ai:x ; aikg:certainty aikg:asserted ;
                aikg:isTrancheOf ai:d ; aikg:serves ai:d ; aikg:supersedes ai:d .
            ai:c a aikg:Claim ; aikg:about ai:x ; aikg:comparedTo ai:y ; aikg:market ai:m ;
                aikg:certainty aikg:asserted .
            src:a a aikg:Source ; dcterms:publisher ai:y }"""
    )
    assert _triples(graph) == {(AI + "x", AIKG + "rentsFrom", AI + "y")}


def test_symmetric_relation_is_listed_once_however_it_is_stated() -> None:
    graph = graph_of(
        """GRAPH src:a { ai:y aikg:isPartnerOf ai:x . ai:x aikg:isPartnerOf ai:y .
            ai:d a aikg:Partnership ; aikg:partner ai:x , ai:y ; aikg:certainty aikg:asserted }"""
    )
    edges = list(_relations(graph).all())
    assert [(edge.subject, edge.object) for edge in edges] == [(AI + "x", AI + "y")] * 2
    assert {edge.event for edge in edges} == {None, AI + "d"}


def test_replaced_source_makes_no_edge() -> None:
    graph = graph_of(
        f"""GRAPH src:old {{ ai:x aikg:isPartOf ai:y .
            ai:d {USAGE} ; aikg:certainty aikg:asserted }}
        GRAPH src:new {{ src:new dcterms:replaces src:old . ai:x aikg:runsOn ai:z }}"""
    )
    assert _triples(graph) == {(AI + "x", AIKG + "runsOn", AI + "z")}
    relations = _relations(graph)
    assert relations.neighbours([AI + "y"]) == {AI + "y": []}
    assert not relations.evidence.reads(NamedNode(SRC + "old"))
    assert relations.evidence.reads(NamedNode(SRC + "new"))


@pytest.mark.parametrize(
    "body",
    [
        f"ai:d {USAGE}",
        "ai:d aikg:user ai:x ; aikg:used ai:y ; aikg:certainty aikg:asserted",
        "ai:d a aikg:Usage ; aikg:user ai:x ; aikg:certainty aikg:asserted",
        "ai:d a aikg:Usage ; aikg:user ai:x ; aikg:used ai:x ; aikg:certainty aikg:asserted",
        "ai:d a aikg:Usage ; aikg:user ai:x ; aikg:used 'y' ; aikg:certainty aikg:asserted",
        "[] a aikg:Usage ; aikg:user ai:x ; aikg:used ai:y ; aikg:certainty aikg:asserted",
        "ai:x aikg:isPartOf ai:x",
        "ai:x aikg:isPartOf 'y'",
        "ai:x aikg:isPartOf [ rdfs:label 'y' ]",
    ],
    ids=[
        *("no certainty", "no class", "one role", "one party", "literal party", "unnamed event"),
        *("loop", "literal end", "unnamed end"),
    ],
)
def test_what_names_no_two_entities_or_no_certainty_is_no_edge(body: str) -> None:
    assert graph_of(f"GRAPH src:a {{ {body} }}").facts() == []


def test_roles_of_two_sources_never_join() -> None:
    graph = graph_of(
        """GRAPH src:a { ai:d a aikg:Usage ; aikg:user ai:x ; aikg:certainty aikg:asserted }
        GRAPH src:b { ai:d a aikg:Usage ; aikg:used ai:y ; aikg:certainty aikg:asserted }"""
    )
    assert graph.facts() == []


def test_subclass_and_subproperty_of_a_rule_make_its_edges() -> None:
    graph = graph_of(
        """GRAPH src:own { aikg:MegaRound rdfs:subClassOf aikg:FundingRound .
            ai:d a aikg:MegaRound ; aikg:leadInvestor ai:x ; aikg:investee ai:y ;
                aikg:certainty aikg:confirmed }"""
    )
    [fact] = graph.facts()
    assert (fact.relation.iri, fact.settled) == (AIKG + "investsIn", True)


def test_via_keeps_families_and_relations_by_any_of_their_names() -> None:
    graph = graph_of(
        """GRAPH src:a { ai:x aikg:isPartOf ai:y ; aikg:isFabricatedBy ai:z .
            ai:d a aikg:Loan ; aikg:lender ai:x ; aikg:borrower ai:y ;
                aikg:certainty aikg:asserted }"""
    )

    def walked(*via: str) -> list[str]:
        return sorted({edge.relation.removeprefix(AIKG) for edge in _relations(graph, *via).all()})

    assert walked() == ["isFabricatedBy", "isPartOf", "lendsTo"]
    assert walked("funding") == walked("moneyFlow") == walked("aikg:lendsTo") == ["lendsTo"]
    assert walked("supply", "is part of") == ["isFabricatedBy", "isPartOf"]
    assert walked("regulation") == []
    with pytest.raises(UnknownTerm, match="hasRole"):
        _relations(graph, "hasRole")


# Settled or not


@pytest.mark.parametrize(
    ("here", "elsewhere", "settled"),
    [
        ("confirmed", "", True),
        ("asserted", "", True),
        ("estimated", "", False),
        ("presumed", "", False),
        ("rumoured", "", False),
        ("confirmed planned", "", False),
        ("asserted letterOfIntent", "", False),
        ("asserted lapsed", "", False),
        ("asserted announced", "", True),
        ("asserted", "rumoured lapsed", False),
        ("asserted announced", "rumoured planned", False),
        ("asserted agreed", "confirmed planned", True),
        ("asserted agreed", "asserted cancelled", False),
        ("presumed active", "confirmed active", False),
    ],
)
def test_each_source_settles_for_itself(here: str, elsewhere: str, settled: bool) -> None:
    def telling(words: str) -> str:
        certainty, _, status = words.partition(" ")
        stage = f" ; aikg:status aikg:{status}" if status else ""
        return f"ai:d {USAGE} ; aikg:certainty aikg:{certainty}{stage}"

    other = f"GRAPH src:b {{ {telling(elsewhere)} }}" if elsewhere else ""
    facts = graph_of(f"GRAPH src:a {{ {telling(here)} }} {other}").facts()
    assert [fact.settled for fact in facts if fact.source.iri == SRC + "a"] == [settled]


def test_acquisition_settles_only_once_closed() -> None:
    bought = (
        "a aikg:Acquisition ; aikg:acquirer ai:x ; aikg:acquired ai:y ;"
        " aikg:certainty aikg:confirmed ; aikg:status aikg:"
    )
    assert not _only_fact(f"GRAPH src:a {{ ai:d {bought}agreed }}").settled
    assert _only_fact(f"GRAPH src:a {{ ai:d {bought}closed }}").settled


@pytest.mark.parametrize("certainty", ["rumoured", "presumed", "asserted"])
def test_acquisition_is_closed_only_by_the_word_of_a_source_that_settles_it(certainty: str) -> None:
    parties = "a aikg:Acquisition ; aikg:acquirer ai:x ; aikg:acquired ai:y"
    graph = graph_of(
        f"""GRAPH src:a {{ ai:d {parties} ;
            aikg:certainty aikg:asserted ; aikg:status aikg:agreed }}
        GRAPH src:b {{ ai:d {parties} ;
            aikg:certainty aikg:{certainty} ; aikg:status aikg:closed }}"""
    )
    closed = certainty == "asserted"
    assert [fact.settled for fact in graph.facts() if fact.source.iri == SRC + "a"] == [closed]
    assert bool(graph.query("ASK { ai:x aikg:hasAcquired ai:y }")) == closed


def test_a_rule_of_another_class_does_not_settle() -> None:
    graph = graph_of(
        """GRAPH src:own { ai:shape sh:targetClass aikg:Holding ; sh:rule [
            sh:subject [ sh:path aikg:owner ] ; sh:predicate aikg:hasAcquired ;
            sh:object [ sh:path aikg:owned ] ] }
        GRAPH src:a { ai:d a aikg:Acquisition ; aikg:acquirer ai:x ; aikg:acquired ai:y ;
            aikg:certainty aikg:confirmed ; aikg:status aikg:agreed }"""
    )
    assert [fact.settled for fact in graph.facts()] == [False]


@pytest.mark.parametrize("status", ["lapsed", "planned"])
def test_status_in_a_replaced_source_does_not_count(status: str) -> None:
    asserted = f"ai:d {USAGE} ; aikg:certainty aikg:asserted"
    fact = _only_fact(
        f"""GRAPH src:old {{ {asserted} ; aikg:status aikg:{status} }}
        GRAPH src:new {{ {asserted} . src:new dcterms:replaces src:old }}"""
    )
    assert fact.settled


# What a fact says


HEDGED = """
GRAPH src:registry { ai:x rdfs:label "Xenon"@en , "Xenón"@es . ai:y rdfs:label "Yttrium"@en .
    src:a rdfs:label "a label" }
GRAPH src:a {
    ai:d a aikg:ComputeCommitment ; aikg:customer ai:x ; aikg:provider ai:y ;
        aikg:certainty aikg:confirmed ; aikg:status aikg:letterOfIntent ;
        aikg:announcedOn "2025-11"^^xsd:gYearMonth ; aikg:startsOn "2026"^^xsd:gYear ;
        aikg:amount [ a schema:MonetaryAmount ; schema:minValue 100000000000 ;
            schema:currency "USD" ; aikg:hedge aikg:approximately ;
            aikg:certainty aikg:estimated ] ;
        aikg:power [ a schema:QuantitativeValue ; schema:minValue 1e9 ; schema:maxValue 2e9 ;
            schema:unitText "W" ] ;
        aikg:extent "Several gigawatts"@en , "Varios gigavatios"@es , "3×" ;
        aikg:period "2025/2026" ; aikg:condition "On approval."@en ; aikg:speakerRole "CFO" ;
        aikg:duration "P10Y"^^xsd:duration ; aikg:workload aikg:training , aikg:inference ;
        aikg:statedBy ai:y , ai:x ; aikg:locator "page 3" .
    src:a dcterms:title "A report"@en , "Un informe"@es ; dcterms:publisher ai:y ;
        dcterms:issued "2025-11-03"^^xsd:date ; schema:url <https://example.org/report> }
GRAPH src:b {
    ai:d a aikg:ComputeCommitment ; aikg:customer ai:x ; aikg:provider ai:y ;
        aikg:certainty aikg:rumoured ; aikg:announcedOn "2025-12-01"^^xsd:date ;
        aikg:amount [ schema:value 90000000000 ; schema:currency "EUR" ] ;
        aikg:locator "second paragraph" }
"""


def _labels(pairs: tuple[tuple[Name, str], ...]) -> list[tuple[str, str]]:
    return [(name.iri.removeprefix(AIKG), value) for name, value in pairs]


def test_hedges_of_a_fact_are_those_of_its_source_and_two_sources_never_mix() -> None:
    first, second = graph_of(HEDGED).facts()
    assert (first.subject.label, first.relation.label, first.object.label) == (
        *("Xenon", "buys compute from", "Yttrium"),
    )
    assert (first.certainty, first.status, first.settled) == (
        Name(AIKG + "confirmed", "confirmed"),
        Name(AIKG + "letterOfIntent", "letter of intent"),
        False,
    )
    assert _labels(first.dates) == [("announcedOn", "2025-11"), ("startsOn", "2026")]
    assert first.quantities == (
        Quantity(
            Name(AIKG + "amount", "amount"),
            "USD",
            minimum="100000000000",
            hedge=Name(AIKG + "approximately", "about"),
            certainty=Name(AIKG + "estimated", "estimated"),
        ),
        Quantity(Name(AIKG + "power", "power"), "W", minimum="1000000000", maximum="2000000000"),
    )
    assert _labels(first.qualifiers) == [
        ("condition", "On approval."),
        ("extent", "3×"),
        ("extent", "Several gigawatts"),
        ("period", "2025/2026"),
        ("speakerRole", "CFO"),
        ("workload", "inference"),
        ("workload", "training"),
        ("duration", "P10Y"),
    ]
    assert [name.label for name in first.stated_by] == ["Xenon", "Yttrium"]
    assert first.locator == "page 3"
    assert (second.certainty, second.status) == (Name(AIKG + "rumoured", "rumoured"), None)
    assert _labels(second.dates) == [("announcedOn", "2025-12-01")]
    [amount] = second.quantities
    assert (amount.value, amount.unit, amount.minimum, amount.hedge) == (
        *("90000000000", "EUR", "", None),
    )
    assert (second.qualifiers, second.stated_by, second.locator) == ((), (), "second paragraph")


def test_source_is_described_by_its_own_graph_alone() -> None:
    first, second = graph_of(HEDGED).facts()
    source = first.source
    assert (source.iri, source.title, source.publisher, source.issued, source.url) == (
        *(SRC + "a", "A report", "Yttrium", "2025-11-03", "https://example.org/report"),
    )
    assert (second.source.title, second.source.publisher, second.source.url) == ("b", "", "")


def test_words_come_in_the_language_asked_for_else_in_english() -> None:
    fact = graph_of(HEDGED, lang="es").facts()[0]
    assert (fact.subject.label, fact.object.label) == ("Xenón", "Yttrium")
    assert fact.relation.label == "compra cómputo a"
    assert fact.status is not None
    assert fact.status.label == "carta de intención"
    assert ("extent", "Varios gigavatios") in _labels(fact.qualifiers)
    assert ("condition", "On approval.") in _labels(fact.qualifiers)
    assert fact.source.title == "Un informe"


def test_plain_relation_has_no_hedges_of_its_own() -> None:
    fact = _only_fact("GRAPH src:a { ai:x aikg:isPartOf ai:y ; aikg:certainty aikg:rumoured }")
    assert (fact.event, fact.certainty, fact.status, fact.settled) == (None, None, None, True)
    assert (fact.dates, fact.quantities, fact.qualifiers, fact.locator) == ((), (), (), "")


def test_figures_of_one_event_stay_with_it() -> None:
    graph = graph_of(
        f"""GRAPH src:a {{
            ai:d {USAGE} ; aikg:certainty aikg:asserted ; aikg:power _:one .
            ai:e {USAGE} ; aikg:certainty aikg:asserted ; aikg:amount _:two .
            _:one schema:value 1 ; schema:unitText "W" . _:two schema:value 2 . }}"""
    )
    assert [[q.value for q in fact.quantities] for fact in graph.facts()] == [["1"], ["2"]]


def test_concepts_that_are_texts_stand_for_themselves() -> None:
    fact = _only_fact(
        f"""GRAPH src:a {{ ai:d {USAGE} ; aikg:certainty "quite sure" ; aikg:status "on hold" ;
            aikg:statedBy "a person" ; aikg:workload "rendering" ;
            aikg:amount [ schema:value 1 ; aikg:hedge "roughly" ] }}"""
    )
    assert fact.certainty == Name("", "quite sure")
    assert fact.status == Name("", "on hold")
    assert fact.stated_by == (Name("", "a person"),)
    assert _labels(fact.qualifiers) == [("workload", "rendering")]
    assert fact.quantities[0].hedge == Name("", "roughly")
    assert not fact.settled


def test_corroborated_deal_is_a_fact_of_each_source() -> None:
    asserted = f"ai:d {USAGE} ; aikg:certainty aikg:asserted"
    facts = graph_of(f"GRAPH src:a {{ {asserted} }} GRAPH src:b {{ {asserted} }}").facts()
    assert [fact.source.iri for fact in facts] == [SRC + "a", SRC + "b"]
    assert {fact.relation.iri for fact in facts} == {USES}
