"""Exported graphs as the programs that read them see them."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aikg.errors import BadOption
from aikg.exports import FORMATS, format_of, write_graph
from aikg.model import Entity, Fact, Name, Quantity, Source

AI, AIKG = "https://w3id.org/aikg/id/", "https://w3id.org/aikg/ontology#"
GEXF = "{http://gexf.net/1.3}"
NASTY = 'A "B" <script>alert(1)</script> & &lt; \\N\r\n\x00\x0b\x1b\x85\ud800\u202egnp.🙂 {x|y}'
SEEN = 'A "B" <script>alert(1)</script> & &lt; \\N\ngnp.🙂 {x|y}'


def term(local: str, label: str = "") -> Name:
    return Name(AIKG + local, label or local)


AMAZON, ANTHROPIC = Name(AI + "amazon", "Amazon"), Name(AI + "anthropic", "Anthropic")
NASTY_CHIP, UNLISTED = Name(AI + "nasty", ""), Name("https://example.org/x?a=1&lt=2", "Unlisted")
FIRM, CHIP = term("Organization", "organization"), term("Accelerator", "accelerator & co")
INVESTS, DESIGNS = term("investsIn", "invests in"), term("designs")
DEAL, PLAN = Name(AI + "amazon-invests-in-anthropic-2023", ""), Name(AI + "plan-2026", "plan")
PRESS = Source("https://w3id.org/aikg/source/press", "Press & release", url="https://a.be/?p=1&q=2")
BLOG = Source("https://w3id.org/aikg/source/blog", 'Blog "post"', url="javascript:alert(1)")

ENTITIES = [
    Entity(ANTHROPIC.iri, "Anthropic", {"es": "Anthropic PBC", "en": "Anthropic"}, (FIRM,)),
    Entity(AMAZON.iri, "Amazon", {"en": "Amazon"}, (FIRM, term("Buyer", "buyer"))),
    Entity(NASTY_CHIP.iri, NASTY, {}, (CHIP,)),
    Entity(AI + "nameless", "", {}, ()),
]
STATED = Fact(
    AMAZON,
    INVESTS,
    ANTHROPIC,
    PRESS,
    event=DEAL,
    certainty=term("confirmed"),
    status=term("closed"),
    dates=(
        (term("announcedOn"), "2023-09-25"),
        (term("startsOn"), "2015"),
        (term("endsOn"), "2025-03"),
    ),
    quantities=(
        Quantity(term("amount"), "USD", value="4000000000"),
        Quantity(term("power"), "W", minimum="1e9", maximum="2.2e9"),
    ),
    stated_by=(AMAZON, ANTHROPIC),
    locator="section 2",
)
HEDGED = Fact(
    AMAZON,
    INVESTS,
    ANTHROPIC,
    BLOG,
    event=DEAL,
    certainty=term("asserted"),
    quantities=(Quantity(term("amount"), "USD", minimum="100000000000", hedge=term("about")),),
    qualifiers=(
        (term("label"), "a label of its own"),
        (term("Source"), "hearsay"),
        (term("condition"), NASTY),
    ),
)
PLANNED = Fact(
    AMAZON,
    INVESTS,
    ANTHROPIC,
    BLOG,
    event=PLAN,
    certainty=term("rumoured"),
    status=term("planned"),
    settled=False,
    dates=((term("closedOn"), "2025-03"), (term("endsOn"), "2024")),
    quantities=(
        Quantity(term("amount"), "USD", value="1"),
        Quantity(term("amount"), "EUR", value="2"),
    ),
)
FACTS = [
    PLANNED,
    Fact(NASTY_CHIP, DESIGNS, UNLISTED, PRESS),
    HEDGED,
    Fact(ANTHROPIC, DESIGNS, NASTY_CHIP, BLOG),
    STATED,
]

INVESTMENT = {"relation": "aikg:investsIn", "label": "invests in"}
IN_BLOG = {
    "source_iri": BLOG.iri,
    "source_title": 'Blog "post"',
    "source_url": "javascript:alert(1)",
}
SAID_STATED = INVESTMENT | {
    "event": "ai:amazon-invests-in-anthropic-2023",
    "certainty": "confirmed",
    "status": "closed",
    "settled": True,
    "start": "2015-01-01",
    "end": "2025-03-31",
    "source_iri": PRESS.iri,
    "source_title": "Press & release",
    "source_url": "https://a.be/?p=1&q=2",
    "stated_by": "Amazon; Anthropic",
    "locator": "section 2",
    "announcedOn": "2023-09-25",
    "startsOn": "2015",
    "endsOn": "2025-03",
    "amount": "$4 bn",
    "amount_low": 4e9,
    "amount_high": 4e9,
    "amount_unit": "USD",
    "power": "1 GW \u2013 2.2 GW",
    "power_low": 1e9,
    "power_high": 2.2e9,
    "power_unit": "W",
}
SAID_HEDGED = INVESTMENT | {
    **IN_BLOG,
    "event": "ai:amazon-invests-in-anthropic-2023",
    "certainty": "asserted",
    "settled": True,
    "amount": "about more than $100 bn",
    "amount_low": 1e11,
    "amount_unit": "USD",
    "aikg:label": "a label of its own",
    "aikg:Source": "hearsay",
    "condition": SEEN,
}
SAID_PLANNED = INVESTMENT | {
    **IN_BLOG,
    "event": "ai:plan-2026",
    "certainty": "rumoured",
    "status": "planned",
    "settled": False,
    "start": "2025-03-01",
    "closedOn": "2025-03",
    "endsOn": "2024",
    "amount": "$1; €2",
}

DOUBLES = ("id", "iri", "fact", "name", "interaction")
"""Columns that say again what another one says, for readers that look for it there."""

Cells = dict[str, Any]
Seen = tuple[dict[str, Cells], dict[str, tuple[str, str, Cells]]]


def exported(form: str, facts: list[Fact] = FACTS, lang: str = "en") -> str:
    output = io.StringIO()
    write_graph(ENTITIES, facts, form, output, lang=lang)
    return output.getvalue()


def need(found: object, install: str) -> None:
    """Skip a test for want of a program, save in CI, where every program must be there."""
    if not found:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"Not found: {install}")


def without(cells: Cells, *names: str) -> Cells:
    return {name: cell for name, cell in cells.items() if name not in names}


def from_networkx(graph: Any) -> Seen:
    edges = nx.MultiDiGraph(graph).edges(keys=True, data=True)
    return {iri: without(cells, *DOUBLES) for iri, cells in graph.nodes(data=True)}, {
        key: (start, end, without(cells, *DOUBLES)) for start, end, key, cells in edges
    }


def graphml_in_networkx(text: str) -> Seen:
    return from_networkx(nx.read_graphml(io.BytesIO(text.encode())))


def gexf_in_networkx(text: str) -> Seen:
    return from_networkx(nx.read_gexf(io.BytesIO(text.encode())))


def json_in_networkx(text: str) -> Seen:
    return from_networkx(nx.node_link_graph(json.loads(text), edges="edges"))


def graphml_in_igraph(text: str) -> Seen:
    need(importlib.util.find_spec("igraph"), "pip install igraph")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.graphml")
        path.write_text(text, encoding="utf-8")
        graph = importlib.import_module("igraph").Graph.Read_GraphML(str(path))

    def present(part: Any) -> Cells:
        cells = without(part.attributes(), *DOUBLES)
        return {name: cell for name, cell in cells.items() if cell == cell and cell != ""}

    iris = graph.vs["iri"]
    return dict(zip(iris, map(present, graph.vs), strict=True)), {
        edge["fact"]: (iris[edge.source], iris[edge.target], present(edge)) for edge in graph.es
    }


def drawn(text: str, form: str) -> str:
    need(shutil.which("dot"), "apt-get install graphviz")
    run = subprocess.run(["dot", f"-T{form}"], input=text.encode(), capture_output=True, check=True)
    assert b"Error:" not in run.stderr and b"Warning:" not in run.stderr
    return run.stdout.decode()


def unescaped(text: str) -> str:
    """Return what Graphviz shows for a text."""
    plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
    return plain.replace("&amp;", "&")


def dot_cell(column: str, text: str) -> object:
    if column == "settled":
        return {"true": True, "false": False}[text]
    return float(text) if column.endswith(("_low", "_high")) else unescaped(text)


def dot_cells(part: Cells) -> Cells:
    prefix = "aikg_"
    found = {key.removeprefix(prefix): part[key] for key in part if key.startswith(prefix)}
    return {key: dot_cell(key, text) for key, text in found.items() if text} | {
        "label": unescaped(part["label"])
    }


def dot_in_graphviz(text: str) -> Seen:
    graph = json.loads(drawn(text, "json"))
    names = {part["_gvid"]: part["name"] for part in graph["objects"]}
    nodes = [part for part in graph["objects"] if "nodes" not in part]
    return {part["name"]: dot_cells(part) for part in nodes}, {
        edge["id"]: (names[edge["tail"]], names[edge["head"]], dot_cells(edge))
        for edge in graph.get("edges", [])
    }


READERS = [
    pytest.param("graphml", graphml_in_networkx, id="graphml-networkx"),
    pytest.param("graphml", graphml_in_igraph, id="graphml-igraph"),
    pytest.param("gexf", gexf_in_networkx, id="gexf-networkx"),
    pytest.param("json", json_in_networkx, id="json-networkx"),
    pytest.param("dot", dot_in_graphviz, id="dot-graphviz"),
]
each_reader = pytest.mark.parametrize(("form", "read"), READERS)
each_format = pytest.mark.parametrize("form", FORMATS)
Reader = Callable[[str], Seen]


@each_reader
def test_every_entity_and_every_end_of_a_fact_is_a_node(form: str, read: Reader) -> None:
    nodes, _ = read(exported(form))
    assert {iri: node["label"] for iri, node in nodes.items()} == {
        AMAZON.iri: "Amazon",
        ANTHROPIC.iri: "Anthropic",
        NASTY_CHIP.iri: SEEN,
        AI + "nameless": "ai:nameless",
        UNLISTED.iri: "Unlisted",
    }


@each_reader
def test_nodes_keep_their_labels_and_classes(form: str, read: Reader) -> None:
    nodes, _ = read(exported(form))
    assert without(nodes[AMAZON.iri], "viz") == {
        "label": "Amazon",
        "label_en": "Amazon",
        "class": "aikg:Buyer",
        "classes": "aikg:Buyer; aikg:Organization",
    }
    assert nodes[ANTHROPIC.iri]["label_es"] == "Anthropic PBC"
    assert without(nodes[UNLISTED.iri], "viz") == {"label": "Unlisted"}


@each_reader
def test_every_fact_is_one_edge_with_all_that_its_source_says(form: str, read: Reader) -> None:
    _, edges = read(exported(form))
    assert len(edges) == len(FACTS)
    investments = [cells for *ends, cells in edges.values() if ends == [AMAZON.iri, ANTHROPIC.iri]]
    assert len(investments) == 3
    for said in (SAID_STATED, SAID_HEDGED, SAID_PLANNED):
        assert said in investments


@each_reader
def test_ids_are_unique_over_nodes_and_edges(form: str, read: Reader) -> None:
    nodes, edges = read(exported(form, [*FACTS, STATED, STATED]))
    assert len(edges) == len(FACTS) + 2
    assert len(nodes | edges) == len(nodes) + len(edges)


@each_format
def test_an_edge_keeps_its_id_when_other_facts_go(form: str) -> None:
    (alone,) = set(re.findall(r"fact-\w+", exported(form, [HEDGED])))
    assert alone in exported(form)


@each_format
def test_the_order_of_facts_leaves_no_trace(form: str) -> None:
    assert exported(form, [*FACTS, STATED]) == exported(form, [STATED, *FACTS[::-1]])


@each_format
def test_what_is_not_known_is_left_out(form: str) -> None:
    assert not re.search(r'None|null|nan\b|inf\b|(?<!\\)""|></data>', exported(form), re.I)


@each_format
def test_labels_and_figures_follow_the_language(form: str) -> None:
    text = exported(form, lang="es")
    assert "Anthropic PBC" in text and "millones" in text


@each_reader
def test_a_graph_without_facts_is_still_a_graph(form: str, read: Reader) -> None:
    nodes, edges = read(exported(form, []))
    assert (len(nodes), len(edges)) == (len(ENTITIES), 0)


@pytest.mark.parametrize("days", [("2025-13", "soon"), ("2025-02-31", "0000")])
def test_days_of_no_calendar_stay_text(days: tuple[str, str]) -> None:
    dates = ((term("startsOn"), days[0]), (term("endsOn"), days[1]))
    _, edges = gexf_in_networkx(
        exported("gexf", [*FACTS, Fact(AMAZON, DESIGNS, UNLISTED, BLOG, dates=dates)])
    )
    (cells,) = (cells for *ends, cells in edges.values() if ends == [AMAZON.iri, UNLISTED.iri])
    assert "start" not in cells and "end" not in cells
    assert (cells["startsOn"], cells["endsOn"]) == days


def test_one_column_has_one_type_even_where_properties_share_a_name() -> None:
    figure = Fact(
        AMAZON,
        DESIGNS,
        UNLISTED,
        BLOG,
        quantities=(
            Quantity(term("size"), "1", value="7"),
            Quantity(Name("urn:size", ""), "1", value="NaN"),
        ),
        qualifiers=((term("size_low"), "small"),),
    )
    text = exported("graphml", [figure])
    keys = re.findall(r'for="edge" attr.name="([^"]*)" attr.type="(\w+)"', text)
    assert len(keys) == len(dict(keys))
    (_, _, cells), *_ = graphml_in_networkx(text)[1].values()
    assert (cells["size_low"], cells["aikg:size_low"], cells["urn:size"]) == (7.0, "small", "NaN")


def test_graphml_repeats_labels_and_ids_where_readers_look() -> None:
    graph = nx.read_graphml(io.BytesIO(exported("graphml").encode()))
    for iri, cells in graph.nodes(data=True):
        assert (cells["name"], cells["iri"]) == (cells["label"], iri)
    for *_, key, cells in graph.edges(keys=True, data=True):
        assert (cells["interaction"], cells["fact"]) == (cells["relation"], key)


def test_gexf_is_what_gephi_expects() -> None:
    graph = ET.fromstring(exported("gexf")).find(f"{GEXF}graph")
    assert graph is not None
    assert dict(graph.attrib) == {
        "defaultedgetype": "directed",
        "idtype": "string",
        "mode": "dynamic",
        "timeformat": "date",
        "timerepresentation": "interval",
    }
    declared = {part.get("id") for part in graph.iter(f"{GEXF}attribute")}
    assert declared == {value.get("for") for value in graph.iter(f"{GEXF}attvalue")}
    edges = list(graph.iter(f"{GEXF}edge"))
    assert {edge.get("kind") for edge in edges} == {"aikg:investsIn", "aikg:designs"}
    assert not [edge for edge in edges if {"type", "weight"} & set(edge.attrib)]
    colours = {
        node.get("id"): node.find("{http://gexf.net/1.3/viz}color")
        for node in graph.iter(f"{GEXF}node")
    }
    assert None not in colours.values()


def test_gexf_without_dates_is_static() -> None:
    graph = ET.fromstring(exported("gexf", [HEDGED])).find(f"{GEXF}graph")
    assert graph is not None
    assert graph.get("mode") == "static" and graph.get("timeformat") is None


def test_dot_draws_labels_as_they_stand_and_links_only_to_pages() -> None:
    svg = ET.fromstring(drawn(exported("dot"), "svg"))
    shown = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert set(SEEN.split("\n")) <= set(shown)
    assert {"solid line: settled", "dashed line: not settled", "accelerator & co"} <= set(shown)
    links = {
        link.get("{http://www.w3.org/1999/xlink}href")
        for link in svg.iter("{http://www.w3.org/2000/svg}a")
    }
    assert links - {None} == {*(e.iri for e in ENTITIES), UNLISTED.iri, PRESS.url}
    assert not list(svg.iter("{http://www.w3.org/2000/svg}script"))


def test_dot_dashes_what_is_not_settled_and_boxes_classes() -> None:
    graph = json.loads(drawn(exported("dot"), "json"))
    styles = {edge["aikg_settled"]: edge["style"] for edge in graph["edges"]}
    assert styles == {"true": "solid", "false": "dashed"}
    boxes = {part["name"]: part["label"] for part in graph["objects"] if "nodes" in part}
    assert boxes == {
        "cluster_aikg:Accelerator": "accelerator & co",
        "cluster_aikg:Buyer": "buyer",
        "cluster_aikg:Organization": "organization",
    }


def test_dot_lays_out_large_graphs_by_springs() -> None:
    ends = [Name(f"{AI}n{number}", "") for number in range(502)]
    facts = [Fact(start, DESIGNS, end, BLOG) for start, end in pairwise(ends)]
    assert 'layout="sfdp"' in exported("dot", facts) and "sfdp" not in exported("dot")


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_text_makes_well_formed_xml(label: str, other: str) -> None:
    entities = [Entity(AMAZON.iri, label, {"en": other}, (Name(AIKG + "Chip", other),))]
    fact = Fact(AMAZON, Name(DESIGNS.iri, other), UNLISTED, BLOG, locator=label)
    for form, read in (("graphml", nx.read_graphml), ("gexf", nx.read_gexf)):
        output = io.StringIO()
        write_graph(entities, [fact, fact], form, output)
        graph = read(io.BytesIO(output.getvalue().encode()))
        assert (len(graph), graph.number_of_edges()) == (2, 2)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.graphml", "graphml"),
        ("a.gexf", "gexf"),
        ("a.dot", "dot"),
        ("a.GV", "dot"),
        ("a.json", "json"),
    ],
)
def test_the_suffix_names_the_format(name: str, form: str) -> None:
    assert format_of(Path(name)) == form


def test_an_unknown_suffix_or_format_lists_the_known_ones() -> None:
    with pytest.raises(BadOption, match=r"graphml.*gexf.*dot.*json"):
        format_of(Path("deals.png"))
    with pytest.raises(BadOption, match=r"graphml.*gexf.*dot.*json"):
        exported("cypher")
