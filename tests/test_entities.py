"""Entities are found as people name them."""

from __future__ import annotations

import pytest
from tiny import AI, AIKG, SRC, graph_of

from aikg.entities import classes, label, labels
from aikg.errors import AmbiguousEntity, UnknownEntity, UnknownTerm
from aikg.graph import Graph

NAMED = """
GRAPH src:registry {
    ai:annapurna-labs a aikg:Organization ; rdfs:label "Annapurna Labs"@en ;
        skos:altLabel "Annapurna (Israel)"@en , "APL:NASDAQ" .
    ai:nvidia-gpus a aikg:ChipFamily ; rdfs:label "Nvidia GPUs"@en , "GPU de Nvidia"@es .
    ai:nvidia a aikg:Organization ; rdfs:label "Nvidia"@en ; skos:altLabel "NVDA" .
    ai:apple a aikg:Organization ; rdfs:label "Apple"@en .
    ai:softbank a aikg:Organization ; rdfs:label "SoftBank"@en ; aikg:ticker "TYO:9984" ;
        owl:sameAs wd:Q201653 .
    ai:apple-records a aikg:Organization ; rdfs:label "Apple Records"@en ; skos:altLabel "apple" .
    ai:mercury-chip a aikg:Chip ; rdfs:label "Mercury"@en .
    ai:mercury-firm a aikg:Organization ; rdfs:label "Mercury"@en .
    ai:societe a aikg:Organization ; rdfs:label "Société Générale"@fr .
    ai:percent a aikg:Organization ; rdfs:label "100% Compute (US)"@en .
    ai:label-in-none a aikg:Chip ; skos:prefLabel "塔" .
    ai:deal-2025 a aikg:Investment .
    <https://example.org/a%20b(c)> rdfs:label "Strange address"@en .
    <https://example.org/größe> rdfs:label "Unicode address"@en .
    src:report rdfs:label "Chip report"@en .
    ai:untidy rdfs:label "beta"@en , "alpha"@en , " "@es .
}
"""


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_of(NAMED)


@pytest.mark.parametrize(
    ("name", "iri"),
    [
        ("TYO:9984", AI + "softbank"),
        ("Q201653", AI + "softbank"),
        ("Annapurna Labs", AI + "annapurna-labs"),
        ("ANNAPURNA labs", AI + "annapurna-labs"),
        ("  annapurna \u00a0 labs ", AI + "annapurna-labs"),
        ("Annapurna (Israel)", AI + "annapurna-labs"),
        ("APL:NASDAQ", AI + "annapurna-labs"),
        ("apl:nasdaq", AI + "annapurna-labs"),
        ("NVDA", AI + "nvidia"),
        ("nvda", AI + "nvidia"),
        ("GPU de Nvidia", AI + "nvidia-gpus"),
        ("gpu DE nvidia", AI + "nvidia-gpus"),
        ("annapurna-labs", AI + "annapurna-labs"),
        ("Annapurna-Labs", AI + "annapurna-labs"),
        ("deal-2025", AI + "deal-2025"),
        ("ai:annapurna-labs", AI + "annapurna-labs"),
        (AI + "annapurna-labs", AI + "annapurna-labs"),
        (f"<{AI}annapurna-labs>", AI + "annapurna-labs"),
        ("Société Générale", AI + "societe"),
        ("SOCIE\u0301TE\u0301 ge\u0301ne\u0301rale", AI + "societe"),
        ("100% compute (us)", AI + "percent"),
        ("塔", AI + "label-in-none"),
        ("https://example.org/a%20b(c)", "https://example.org/a%20b(c)"),
        ("https://example.org/größe", "https://example.org/größe"),
        ("chip report", SRC + "report"),
        ("Apple", AI + "apple"),
        ("apple", AI + "apple-records"),
        ("aikg:Accelerator", AIKG + "Accelerator"),
        (AIKG + "investsIn", AIKG + "investsIn"),
        ("aikg:hyperscaler", AIKG + "hyperscaler"),
    ],
)
def test_entity_is_found_by_any_of_its_names(graph: Graph, name: str, iri: str) -> None:
    assert graph.find(name).iri == iri


def test_name_of_several_entities_lists_them(graph: Graph) -> None:
    for name in ("Mercury", "mercury", "APPLE"):
        with pytest.raises(AmbiguousEntity, match="name of several entities") as caught:
            graph.find(name)
        assert caught.value.exit_code == 2
    assert "ai:apple (Apple), ai:apple-records (Apple Records)" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Anapurna Labs", "Annapurna Labs"),
        ("ANAPURNA LABS", "Annapurna Labs"),
        ("Nvidea", "Nvidia"),
        ("ai:nvidea", "Nvidia"),
        ("societe generale", "Société Générale"),
    ],
)
def test_unknown_name_lists_the_nearest(graph: Graph, name: str, near: str) -> None:
    with pytest.raises(UnknownEntity) as caught:
        graph.find(name)
    message = str(caught.value)
    assert f'No entity is called "{name}".' in message
    assert near in message
    assert message.count(",") <= 2


@pytest.mark.parametrize(
    "name", ["", "   ", "qqqqxzwv", "ai:", "ai:x y", "<>", "100%", "()", "%zz"]
)
def test_name_of_nothing_is_unknown(graph: Graph, name: str) -> None:
    with pytest.raises(UnknownEntity):
        graph.find(name)


@pytest.mark.parametrize("name", ["ai:%zz", "<https://example.org/a b>", "https://ex.org/%"])
def test_broken_iri_is_unknown_and_says_why(graph: Graph, name: str) -> None:
    with pytest.raises(UnknownEntity, match="no valid IRI"):
        graph.find(name)


@pytest.mark.parametrize("name", ["nope:x", "APPL:NASDAQ"])
def test_unknown_prefix_names_the_known_ones(graph: Graph, name: str) -> None:
    with pytest.raises(UnknownTerm, match="No prefix") as caught:
        graph.find(name)
    assert "ai, aikg, dcterms" in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "name", ["accelerator", "Hyperscaler", "invests in", "aikg ontology", "AIKG ONTOLOGY", "firme"]
)
def test_ontology_is_not_found_by_its_labels(graph: Graph, name: str) -> None:
    with pytest.raises(UnknownEntity) as caught:
        graph.find(name)
    assert f"Did you mean: {name}" not in str(caught.value)
    assert graph.search(name) == []


def test_label_is_that_of_the_language_else_english_else_any(graph: Graph) -> None:
    store = graph.store
    assert label(store, AI + "nvidia-gpus", "es") == "GPU de Nvidia"
    assert label(store, AI + "nvidia", "es") == "Nvidia"
    assert label(store, AI + "societe", "es") == "Société Générale"
    assert label(store, AI + "label-in-none") == "塔"
    assert label(store, AI + "deal-2025") == "deal-2025"
    assert labels(store, AI + "nvidia-gpus") == {"en": "Nvidia GPUs", "es": "GPU de Nvidia"}


def test_first_of_several_labels_stands_and_an_empty_one_is_none(graph: Graph) -> None:
    assert labels(graph.store, AI + "untidy") == {"en": "alpha"}
    assert graph.find("beta").label == "alpha"


def test_search_gives_the_closest_first_and_each_entity_once(graph: Graph) -> None:
    hits = graph.search("nvid")
    assert [(hit.entity.label, hit.matched) for hit in hits] == [
        ("Nvidia", "Nvidia"),
        ("Nvidia GPUs", "Nvidia GPUs"),
    ]
    assert graph.search("nvid", limit=1) == hits[:1]
    assert [hit.entity.label for hit in graph.search("apple")] == ["Apple", "Apple Records"]
    assert [hit.matched for hit in graph.search("GE\u0301NE\u0301")] == ["Société Générale"]
    assert graph.search("(us)")[0].entity.iri == AI + "percent"
    assert graph.search("%")[0].entity.iri == AI + "percent"
    assert hits[0].classes == (AIKG + "Organization",)


def test_replaced_source_names_and_classes_nothing() -> None:
    graph = graph_of(
        """GRAPH src:old { ai:x a aikg:Cpu ; rdfs:label "Old name"@en }
        GRAPH src:new { ai:x a aikg:Accelerator ; rdfs:label "New name"@en .
            src:new dcterms:replaces src:old }"""
    )
    assert graph.find("ai:x").label == "New name"
    assert classes(graph.store, AI + "x") == (AIKG + "Accelerator",)
    assert graph.search("name")[0].matched == "New name"
    with pytest.raises(UnknownEntity):
        graph.find("Old name")
