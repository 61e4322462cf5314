"""Answers as text, tables, CSV and JSON, as a terminal and a program read them."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import parse_query_results
from tiny import AI, AIKG, SRC, graph_of

from aikg.answers import RESULTS, answer_format, printable, table, write_answer
from aikg.errors import BadOption
from aikg.graph import open as open_graph
from aikg.model import Claim, Description, Fact, Hop, Name, Path, Quantity, Source, Statement
from aikg.render import (
    claim_text,
    description_text,
    fact_text,
    paths_text,
    to_json,
    write_rows,
)

EVIL = (
    "\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\ \x9b2Jc1"
    " \x07\x08\x00\x7f\u202egnp\u2066.\r\n[9] Forged line\u2028\x85end \x1bPq\x1b\\\x1bc\x1b(B"
)
SEEN = "red link c1 gnp. [9] Forged line end "

X, Y, Z = Name(AI + "x", "Xenon"), Name(AI + "y", "Yttrium"), Name(AI + "z", "Zinc")
USES = Name(AIKG + "uses", "uses")
ASSERTED, RUMOURED = Name(AIKG + "asserted", "asserted"), Name(AIKG + "rumoured", "rumoured")
AMOUNT = Name(AIKG + "amount", "amount")
REPORT = Source(SRC + "report", "Report.", "Press", "2026-01-02", "https://example.org/1")
BLOG = Source(SRC + "blog", "Blog")
DEAL = Fact(
    X,
    USES,
    Y,
    REPORT,
    event=Name(AI + "deal", "deal"),
    certainty=RUMOURED,
    status=Name(AIKG + "planned", "planned"),
    settled=False,
    dates=((Name(AIKG + "startsOn", "starts on"), "2026"),),
    quantities=(
        Quantity(AMOUNT, "USD", minimum="5000000000"),
        Quantity(Name(AIKG + "valuation", "valuation"), "USD", value="5.5e11", certainty=RUMOURED),
    ),
    qualifiers=(
        (Name(AIKG + "extent", "extent"), "All of it"),
        (Name(AIKG + "duration", "duration"), "P10Y"),
    ),
    stated_by=(Z,),
    locator="page 3",
)
PLAIN = Fact(Z, Name(AIKG + "isPartOf", "is part of"), Y, BLOG)
PATH = Path((Hop(X, Y, (DEAL,), RUMOURED), Hop(Y, Z, (PLAIN, PLAIN), ASSERTED)), RUMOURED)


def _told(name: str) -> Name:
    return Name(AI + "evil", name)


# Text


def test_path_is_told_hop_by_hop_with_hedges_and_numbered_sources() -> None:
    assert paths_text([PATH]).splitlines() == [
        "Xenon → Zinc: 2 hops, rumoured",
        "  Xenon — uses (amount more than $5 bn; valuation $550 bn (rumoured); starts on 2026;"
        " All of it; 10 years; as Zinc says; rumoured, planned, not settled) → Yttrium [1]",
        "  Yttrium ← is part of — Zinc [2]",
        "",
        "[1] Report. Press. 2026-01-02. https://example.org/1",
        "[2] Blog. src:blog",
    ]


def test_path_is_told_in_spanish() -> None:
    one = Path(PATH.hops[:1], RUMOURED)
    text = paths_text([one, PATH], "es")
    assert text.startswith("Xenon → Yttrium: 1 salto, rumoured\n")
    assert "\n\nXenon → Zinc: 2 saltos, " in text
    assert "más de $5.000 millones" in text
    assert "10 años; según Zinc; rumoured, planned, no firme" in text


def test_no_paths_are_no_text() -> None:
    assert paths_text([]).strip() == ""


def test_fact_seen_from_its_far_end_turns_its_arrow() -> None:
    hop = Hop(Y, X, (DEAL,), RUMOURED)
    assert fact_text(DEAL, hop).startswith("Yttrium ← uses (")
    assert fact_text(PLAIN) == "Zinc — is part of → Yttrium"


CLAIM = Claim(
    AI + "claim",
    Name(AIKG + "memoryBandwidth", "memory bandwidth"),
    REPORT,
    certainty=RUMOURED,
    quantities=(Quantity(Name(AIKG + "quantity", "quantity"), "1", maximum="4.4"),),
    compared_to=(Y, Z),
    compares_by=Name(AIKG + "ratio", "times"),
    details=((Name(AIKG + "duration", "duration"), "P1Y"),),
    stated_by=(Z,),
    status=Name(AIKG + "planned", "planned"),
    dates=((Name(AIKG + "asOf", "as of"), "2026-04"),),
)


def test_claim_tells_figure_comparison_date_words_and_hedges() -> None:
    assert claim_text(CLAIM) == (
        "memory bandwidth: up to 4.4×; compared to Yttrium, Zinc; as of 2026-04; 1 year"
        " (rumoured, planned; as Zinc says)"
    )
    assert claim_text(CLAIM, "es") == (
        "memory bandwidth: hasta 4,4×; comparado con Yttrium, Zinc; as of 2026-04; 1 año"
        " (rumoured, planned; según Zinc)"
    )


def test_claim_says_by_how_much_more_only_where_it_has_a_figure() -> None:
    more = Name(AIKG + "increase", "more")
    percent = Quantity(Name(AIKG + "quantity", "quantity"), "%", value="30")
    claim = Claim(AI + "c", Name(AIKG + "price", "price"), REPORT, compares_by=more)
    assert claim_text(claim) == "price:"
    figured = Claim(
        AI + "c", Name(AIKG + "price", "price"), REPORT, compares_by=more, quantities=(percent,)
    )
    assert claim_text(figured) == "price: 30 % more"


DESCRIPTION = Description(
    X,
    classes=(Name(AIKG + "Cpu", "CPU"),),
    aliases=("Xe", "X1"),
    statements=(
        Statement(Name(AIKG + "memoryBandwidth", "memory bandwidth"), "4.9e12", BLOG, "B/s"),
        Statement(Name(AIKG + "duration", "duration"), "P2Y", REPORT),
    ),
    facts=(DEAL,),
    claims=(CLAIM,),
    mentions=(Statement(Name(AIKG + "site", "site"), "a deal", BLOG),),
)


def test_description_has_every_line_with_its_source() -> None:
    lines = description_text(DESCRIPTION).splitlines()
    assert lines[:6] == ["Xenon (CPU)", "ai:x", "also called: Xe, X1", "", *lines[4:6]]
    assert lines[4:6] == ["memory bandwidth: 4.9 TB/s [1]", "duration: 2 years [2]"]
    assert lines[-4:] == [
        "a deal — site → Xenon [1]",
        "",
        "[1] Blog. src:blog",
        "[2] Report. Press. 2026-01-02. https://example.org/1",
    ]
    spanish = description_text(DESCRIPTION, "es")
    assert "también llamado: Xe, X1" in spanish
    assert "4,9 TB/s" in spanish
    assert "2 años" in spanish


def test_entity_of_which_nothing_is_said_is_its_name() -> None:
    assert description_text(Description(X)) == "Xenon\nai:x\n"


# What a terminal would obey


def _unseen(text: str) -> set[str]:
    """Return the characters of a text that a terminal obeys or that reorder what it shows."""
    control = {chr(code) for code in (*range(32), *range(0x7F, 0xA0)) if chr(code) != "\n"}
    return set(text) & (control | set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2069"))


def test_escape_sequences_and_control_characters_never_reach_text_or_table() -> None:
    evil = Name(AI + "evil", EVIL)
    source = Source(SRC + "evil", EVIL, EVIL, EVIL, EVIL)
    quantity = Quantity(evil, EVIL, value=EVIL, hedge=evil, certainty=evil)
    fact = Fact(
        evil, evil, X, source, evil, evil, evil, False,
        ((evil, EVIL),), (quantity,), ((evil, EVIL),), (evil,), EVIL,
    )  # fmt: skip
    claim = Claim(AI + "c", evil, source, evil, (quantity,), (evil,), evil, ((evil, EVIL),))
    statement = Statement(evil, EVIL, source)
    description = Description(evil, (evil,), (EVIL,), (statement,), (fact,), (claim,), (statement,))
    texts = [
        paths_text([Path((Hop(evil, X, (fact,), evil),), evil)]),
        description_text(description),
        table([EVIL], [[EVIL]]),
        write_rows([EVIL], [[EVIL]], "table", []),
    ]
    for text in texts:
        assert _unseen(text) == set()
        assert not any(line.startswith("[9]") for line in text.splitlines())
        for word in ("31m", "title", "http://evil", "2J", "(B"):
            assert word not in text
        assert SEEN.strip() in text
    assert len(texts[0].splitlines()) == 4


def test_query_in_a_table_shows_no_control_characters() -> None:
    graph = graph_of('GRAPH src:a { ai:x rdfs:label "\\u001B[31mred\\r\\nFORGED\\u0007\\u202E" }')
    answer = graph.query("SELECT ?label { ai:x rdfs:label ?label }")
    output = io.BytesIO()
    write_answer(answer, "table", output)
    assert output.getvalue().decode() == " label\n ──────────\n red FORGED\n"


@given(st.text())
def test_printable_text_is_one_line_that_nothing_obeys(text: str) -> None:
    shown = printable(text)
    assert _unseen(shown) == set()
    assert "\n" not in shown
    assert printable(shown) == shown
    shown.encode()


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_printable_keeps_all_that_people_see(text: str) -> None:
    assert printable(text) == text


# Tables and CSV


def test_table_keeps_rows_without_any_value() -> None:
    assert table(["a", "bc"], [["", ""], ["1", "2"], ["", ""]]) == " a   bc\n ──────\n\n 1   2\n\n"
    assert table(["a"], []) == " a\n ───\n".replace("───", "─")
    assert table(["a"], [[""], [""]]).count("\n") == 4


def test_table_away_from_a_terminal_has_a_line_a_row_however_long() -> None:
    lines = table(["a", "b"], [["x" * 30_000, "y"], ["塔" * 50, "[bold]z[/bold] :smile:"]])
    assert lines.count("\n") == 4
    assert "x" * 30_000 in lines
    assert "[bold]z[/bold] :smile:" in lines


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), max_size=5))
def test_csv_is_read_back_as_it_was(rows: list[list[str]]) -> None:
    rows = [[cell.encode("utf-8", "ignore").decode() for cell in row] for row in rows]
    text = write_rows(("what it is", "n"), rows, "csv", [])
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["what_it_is", "n"], *rows]
    assert text.endswith("\r\n")


def test_csv_quotes_what_needs_it_and_nothing_else() -> None:
    text = write_rows(("a", "b"), [['say "hi"', "x,y"], ["two\nlines", "plain"]], "csv", [])
    assert text == 'a,b\r\n"say ""hi""","x,y"\r\n"two\nlines",plain\r\n'


# Queries


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("form", ["table", *RESULTS])
def test_ask_is_answered_in_every_format(form: str, truth: bool) -> None:
    answer = open_graph().query(f"ASK {{ FILTER({str(truth).lower()}) }}")
    output = io.BytesIO()
    write_answer(answer, form, output)
    text = output.getvalue().decode()
    if form == "json":
        assert json.loads(text)["boolean"] is truth
    elif form == "xml":
        assert f"<boolean>{str(truth).lower()}</boolean>" in text
    else:
        assert text == f"{str(truth).lower()}\n"


SPARSE = "SELECT ?a ?b { VALUES (?a ?b) { (UNDEF UNDEF) (1 UNDEF) (UNDEF 'x,y') } }"


@pytest.mark.parametrize("form", ["table", *RESULTS])
def test_unbound_cells_are_kept_as_such_in_every_format(form: str) -> None:
    output = io.BytesIO()
    write_answer(open_graph().query(SPARSE), form, output)
    text = output.getvalue()
    if form == "csv":
        assert text == b'a,b\r\n,\r\n1,\r\n,"x,y"\r\n'
    elif form == "tsv":
        assert text == b'?a\t?b\n\t\n1\t\n\t"x,y"\n'
    elif form == "table":
        assert [line.split() for line in text.decode().splitlines()[2:]] == [[], ["1"], ["x,y"]]
    else:
        rows: Any = parse_query_results(text, RESULTS[form])
        assert [[row["a"] is None, row["b"] is None] for row in rows] == [
            *([True, True], [False, True], [True, False]),
        ]


def test_table_shows_curies_and_lexical_forms() -> None:
    output = io.BytesIO()
    values = 'ai:x "2025"^^xsd:gYear <https://example.org/a(b)>'
    answer = open_graph().query(f"SELECT * {{ VALUES (?a ?b ?c) {{ ({values}) }} }}")
    write_answer(answer, "table", output)
    assert output.getvalue().decode().splitlines()[-1].split() == [
        *("ai:x", "2025", "https://example.org/a(b)"),
    ]


def test_rows_and_triples_take_only_formats_that_hold_them() -> None:
    graph = open_graph()
    rows, triples = graph.query("SELECT * { ?s a aikg:Cpu }"), graph.query("DESCRIBE ai:openai")
    assert answer_format(rows, None, "", True) == "table"
    assert answer_format(rows, None, "", False) == "csv"
    assert answer_format(rows, None, ".JSON", False) == "json"
    assert answer_format(rows, "xml", ".json", False) == "xml"
    assert answer_format(triples, None, "", True) == "ttl"
    assert answer_format(triples, None, ".json", False) == "jsonld"
    for answer, form, suffix in ((rows, "ttl", ""), (rows, None, ".nt"), (triples, "csv", "")):
        with pytest.raises(BadOption, match="cannot be written"):
            answer_format(answer, form, suffix, False)


# JSON


def _keys(value: Any, path: str = "") -> set[str]:
    """Return the keys of a JSON value with where they stand."""
    if isinstance(value, list):
        return {key for item in value for key in _keys(item, path)}
    if isinstance(value, dict):
        return {f"{path}/{key}" for key in value}.union(
            *(_keys(item, f"{path}/{key}") for key, item in value.items())
        )
    return set()


def test_json_of_a_fact_has_the_same_keys_whatever_is_known_of_it() -> None:
    full, bare = json.loads(to_json([DEAL, PLAIN]))
    assert list(full) == list(bare)
    assert bare["event"] is None
    assert bare["quantities"] == []
    assert full["settled"] is False
    assert full["relation"] == {"iri": AIKG + "uses", "label": "uses"}
    assert full["dates"] == [
        {"property": {"iri": AIKG + "startsOn", "label": "starts on"}, "value": "2026"}
    ]
    assert full["stated_by"] == [{"iri": AI + "z", "label": "Zinc"}]
    assert [q.keys() for q in full["quantities"]] == [full["quantities"][0].keys()] * 2
    assert full["quantities"][0]["minimum"] == 5_000_000_000
    assert full["quantities"][0]["value"] is None
    assert full["quantities"][1]["value"] == 550_000_000_000
    assert full["qualifiers"][1]["value"] == "P10Y"


def test_json_of_two_names_is_two_names() -> None:
    fact = Fact(X, USES, Y, BLOG, stated_by=(X, Z))
    assert json.loads(to_json(fact))["stated_by"] == [
        {"iri": X.iri, "label": X.label},
        {"iri": Z.iri, "label": Z.label},
    ]


def test_json_of_the_bundled_graph_has_fixed_keys_and_full_iris() -> None:
    graph = open_graph()
    paths = graph.paths("OpenAI", "Annapurna Labs", k=3)
    record = json.loads(to_json(paths))
    assert _keys(record[:1]) >= {"/hops", "/certainty", "/hops/facts/source/url"}
    shown = json.loads(to_json(graph.show("Trainium3")))
    assert list(shown) == [
        *("entity", "classes", "aliases", "statements", "facts", "claims", "mentions"),
    ]

    def iris(value: Any) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(iris, value))
        if isinstance(value, dict):
            own = {value["iri"]} if "iri" in value else set()
            return own.union(*map(iris, value.values()))
        return set()

    assert all(iri.startswith("https://") for iri in iris(record) | iris(shown))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("50000000000", 50_000_000_000),
        ("4.4", 4.4),
        ("5E10", 50_000_000_000),
        ("-0.5", -0.5),
        ("1.00", 1),
        ("", None),
        ("NaN", "NaN"),
        ("INF", "INF"),
        ("1e5000", "1e5000"),
        ("many", "many"),
    ],
)
def test_json_numbers_are_numbers_and_never_nan(text: str, number: Any) -> None:
    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    written = to_json([Quantity(AMOUNT, "USD", value=text), Statement(AMOUNT, text, BLOG, "W")])
    quantity, statement = json.loads(written, parse_constant=refuse)
    assert quantity["value"] == statement["value"] == number
    assert type(quantity["value"]) is type(number)


@given(st.decimals(allow_nan=True, allow_infinity=True))
def test_json_of_any_number_is_json(number: Any) -> None:
    [record] = json.loads(to_json([Quantity(AMOUNT, value=str(number))]))
    value = record["value"]
    if isinstance(value, float):
        assert math.isclose(value, float(number))


def test_statement_without_unit_stays_text_in_json() -> None:
    [record] = json.loads(to_json([Statement(AMOUNT, "2026", BLOG)]))
    assert (record["value"], record["unit"]) == ("2026", "")
