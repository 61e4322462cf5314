"""What `show` tells of an entity, each line with the source that says it."""

from __future__ import annotations

from tiny import AI, AIKG, SRC, graph_of

from aikg.graph import open as open_graph
from aikg.model import Description, Name, Statement

TRIG = """
GRAPH src:registry {
    ai:chip a aikg:Accelerator ; rdfs:label "Chip"@en ; skos:altLabel "C1"@en , "El chip"@es .
    ai:maker a aikg:Organization ; rdfs:label "Maker"@en , "Fabricante"@es .
    ai:rival rdfs:label "Rival"@en }
GRAPH src:a {
    ai:chip aikg:isDesignedBy ai:maker ; aikg:memoryBandwidth 4900000000000 ;
        aikg:processNode "3 nm" ; aikg:intendedWorkload aikg:training ;
        dcterms:description "A chip."@en , "Un chip."@es , "Ein Chip."@de .
    ai:claim a aikg:Claim ; aikg:about ai:chip ; aikg:metric aikg:computePerformance ;
        aikg:quantity [ schema:maxValue 4.4 ; schema:unitText "1" ] ;
        aikg:comparesBy aikg:ratio ; aikg:comparedTo ai:rival ; aikg:extent "Whole systems"@en ;
        aikg:certainty aikg:asserted ; aikg:status aikg:planned ; aikg:statedBy ai:maker ;
        aikg:asOf "2026-04"^^xsd:gYearMonth ; aikg:locator "table 1" .
    ai:deal a aikg:SupplyAgreement ; aikg:buyer ai:rival ; aikg:supplier ai:maker ;
        aikg:product ai:chip ; aikg:certainty aikg:asserted ; aikg:statedBy ai:maker ;
        aikg:site ai:campus ; aikg:duration "P2Y"^^xsd:duration ;
        aikg:amount [ schema:minValue 1000000000 ; schema:currency "USD" ] ,
            [ schema:value 900000000 ; schema:currency "EUR" ] ;
        aikg:power [ schema:value 2000000000 ; schema:unitText "W" ] ;
        dcterms:relation [ rdfs:label "an annex" ; aikg:locator "page 9" ; dcterms:relation [] ] ,
            [] .
    ai:other a aikg:SupplyAgreement ; aikg:buyer ai:rival ; aikg:certainty aikg:rumoured ;
        aikg:power [ schema:value 7000000000 ; schema:unitText "W" ] }
GRAPH src:b {
    ai:chip aikg:memoryBandwidth 5000000000000 .
    ai:claim a aikg:Claim ; aikg:about ai:chip ; aikg:metric aikg:computePerformance ;
        aikg:quantity [ schema:value 3 ; schema:unitText "1" ] ; aikg:certainty aikg:estimated .
    ai:deal a aikg:SupplyAgreement ; aikg:certainty aikg:rumoured ;
        aikg:power [ schema:value 3000000000 ; schema:unitText "W" ] .
    src:b dcterms:replaces src:old }
GRAPH src:old {
    ai:chip a aikg:Cpu ; aikg:memoryBandwidth 1 ; aikg:isPartOf ai:rival ; skos:altLabel "Old" .
    ai:oldclaim aikg:about ai:chip ; aikg:metric aikg:price ; aikg:certainty aikg:asserted .
    ai:chiplet dcterms:relation ai:chip }
"""


def _shown(name: str, *, lang: str = "en") -> Description:
    return graph_of(TRIG, lang=lang).show(name)


def _lines(statements: tuple[Statement, ...]) -> list[tuple[str, str, str]]:
    return [
        (s.property.label, s.value, s.source.iri.removeprefix(SRC))
        for s in statements
        if s.source.iri != SRC + "registry"
    ]


def test_entity_has_its_names_classes_and_statements_each_with_its_source() -> None:
    shown = _shown("chip")
    assert shown.entity == Name(AI + "chip", "Chip")
    assert [name.iri for name in shown.classes] == [AIKG + "Accelerator"]
    assert shown.aliases == ("C1", "El chip")
    assert _lines(shown.statements) == [
        ("description", "A chip.", "a"),
        ("intended workload", "training", "a"),
        ("memory bandwidth", "4900000000000", "a"),
        ("memory bandwidth", "5000000000000", "b"),
        ("process node", "3 nm", "a"),
    ]
    assert {s.unit for s in shown.statements if s.property.label == "memory bandwidth"} == {"B/s"}
    assert {s.unit for s in shown.statements if s.property.label == "process node"} == {""}


def test_facts_join_in_either_direction() -> None:
    facts = [(f.subject.label, f.relation.label, f.object.label) for f in _shown("chip").facts]
    assert facts == [("Chip", "is designed by", "Maker"), ("Rival", "relies on", "Chip")]


def test_claims_of_two_sources_stay_apart_with_all_their_hedges() -> None:
    first, second = _shown("chip").claims
    assert (first.iri, first.source.iri) == (AI + "claim", SRC + "a")
    assert first.metric.label == "compute performance"
    assert [(q.maximum, q.value, q.unit) for q in first.quantities] == [("4.4", "", "1")]
    assert first.compares_by == Name(AIKG + "ratio", "ratio")
    assert [name.label for name in first.compared_to] == ["Rival"]
    assert first.certainty == Name(AIKG + "asserted", "asserted")
    assert first.status == Name(AIKG + "planned", "planned")
    assert [(name.label, date) for name, date in first.dates] == [("as of", "2026-04")]
    assert [text for _, text in first.details] == ["Whole systems"]
    assert [name.label for name in first.stated_by] == ["Maker"]
    assert first.locator == "table 1"
    assert second.source.iri == SRC + "b"
    assert [(q.maximum, q.value) for q in second.quantities] == [("", "3")]
    assert (second.compared_to, second.details, second.status) == ((), (), None)
    assert second.certainty == Name(AIKG + "estimated", "estimated")


def test_mentions_are_what_names_an_entity_without_joining_it() -> None:
    assert _lines(_shown("Maker").mentions) == [
        ("stated by", "claim", "a"),
        ("stated by", "deal", "a"),
    ]
    assert _lines(_shown("ai:campus").mentions) == [("site", "deal", "a")]
    assert _lines(_shown("Chip").mentions) == []


def test_event_that_makes_no_fact_of_its_party_is_mentioned() -> None:
    assert _lines(_shown("Rival").mentions) == [
        ("buyer", "other", "a"),
        ("compared to", "claim", "a"),
    ]


def test_each_figure_of_an_event_stands_by_its_own_property() -> None:
    shown = _shown("ai:deal")
    assert [line for line in _lines(shown.statements) if line[0] in ("amount", "power")] == [
        ("amount", "more than $1 bn", "a"),
        ("amount", "€900 m", "a"),
        ("power", "2 GW", "a"),
        ("power", "3 GW", "b"),
    ]
    others = [line for line in _lines(_shown("ai:other").statements) if line[0] == "power"]
    assert others == [("power", "7 GW", "a")]


def test_node_without_a_name_is_told_by_what_it_holds() -> None:
    told = [value for name, value, _ in _lines(_shown("ai:deal").statements) if name == "relation"]
    assert told == ["label: an annex; locator: page 9"]


def test_figure_of_a_comparing_claim_says_times() -> None:
    shown = [line for line in _lines(_shown("ai:claim").statements) if line[0] == "quantity"]
    assert shown == [("quantity", "3", "b"), ("quantity", "up to 4.4×", "a")]


def test_replaced_source_is_told_nowhere() -> None:
    shown = _shown("chip")
    statements = (*shown.statements, *shown.mentions)
    sources = [part.source for parts in (statements, shown.facts, shown.claims) for part in parts]
    assert SRC + "old" not in {source.iri for source in sources}
    assert "Old" not in shown.aliases


def test_texts_come_in_the_language_asked_for_else_in_english() -> None:
    spanish = _shown("chip", lang="es")
    assert ("description", "Un chip.", "a") in _lines(spanish.statements)
    assert ("ancho de banda de memoria", "4900000000000", "a") in _lines(spanish.statements)
    assert spanish.facts[0].object.label == "Fabricante"
    assert [text for _, text in spanish.claims[0].details] == ["Whole systems"]
    assert [line[1] for line in _lines(spanish.statements) if line[0] == "description"] == [
        "Un chip."
    ]


def test_texts_in_no_language_asked_for_are_all_told() -> None:
    graph = graph_of('GRAPH src:a { ai:x dcterms:description "Une puce"@fr , "Ein Chip"@de , "x" }')
    assert [s.value for s in graph.show("ai:x").statements] == ["Ein Chip", "Une puce", "x"]


def test_relation_that_joins_no_two_entities_is_a_statement() -> None:
    graph = graph_of(
        'GRAPH src:a { ai:x aikg:isDesignedBy "a small firm" , ai:x , [ rdfs:label "B" ] }'
    )
    shown = graph.show("ai:x")
    assert [s.value for s in shown.statements] == ["a small firm", "label: B", "x"]
    assert shown.facts == ()
    assert [(s.property.label, s.value) for s in shown.mentions] == [("is designed by", "x")]


def test_source_and_term_can_be_shown() -> None:
    graph = open_graph()
    titles = [s.value for s in graph.show("src:trainium-vs-nvidia").statements]
    assert any("Trainium vs Nvidia" in title for title in titles)
    assert [name.iri for name in graph.show("aikg:Accelerator").classes] == [
        "http://www.w3.org/2002/07/owl#Class"
    ]


def test_every_bundled_entity_can_be_shown() -> None:
    graph = open_graph(lang="es")
    nodes, facts = graph.nodes_and_facts()
    told = {fact for node in nodes for fact in graph.show(node.iri).facts}
    assert told == set(facts)
