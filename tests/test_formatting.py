"""Files in canonical order: the same facts, the same text, and no comment lost unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.compare import to_canonical_graph
from tiny import PREFIXES, datasets

from aikg.errors import BadOption
from aikg.formatting import format_files, unformatted

UNTIDY = "@prefix ex: <urn:x:> .\nex:b ex:p 1 , [ ex:q 'here' ] .\nex:a a ex:C .\n"
TIDY = (
    "<urn:x:a>\n    a <urn:x:C> .\n\n"
    '<urn:x:b>\n    <urn:x:p> 1 ;\n    <urn:x:p> [\n        <urn:x:q> "here"\n    ] .\n'
)

iris = st.sampled_from(["<urn:x:a>", "<urn:x:b#c>", "ai:openai", "aikg:amount", "src:s1"])
blanks = st.sampled_from(["_:a", "_:b", "_:c", "[]"])
texts = st.text(st.characters(codec="utf-8"), max_size=8).map(
    lambda text: str(rdflib.Literal(text).n3()).replace("\r", "\\r")
)
literals = st.one_of(
    texts,
    texts.map(lambda text: f"{text}@es"),
    st.sampled_from(["1", "-1.50", "true", '"2025"^^xsd:gYear', '"x # y"', "'''a\n# b'''", '"01"']),
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Return TriG with named graphs, blank nodes of every shape, and odd literals."""
    values = st.one_of(iris, blanks, literals, st.just("[ aikg:p _:a ; aikg:q 1 , 2 ]"))
    lines = draw(st.lists(st.tuples(st.one_of(iris, blanks), iris, values), max_size=8))
    graphs = {name: "" for name in ("", "src:s1", "src:s2")}
    for subject, predicate, value in lines:
        graphs[draw(st.sampled_from(sorted(graphs)))] += f"{subject} {predicate} {value} .\n"
    named = [f"GRAPH {name} {{\n{body}}}\n" for name, body in graphs.items() if name]
    return PREFIXES + graphs[""] + "".join(named)


def as_triples(path: Path) -> rdflib.Graph:
    """Return a dataset, as rdflib reads it, as one graph that isomorphism can be told of."""
    dataset = rdflib.Dataset()
    dataset.parse(path, format="trig")
    found = rdflib.Graph()
    for number, (s, p, o, g) in enumerate(dataset.quads()):
        node = rdflib.BNode(f"statement{number}")
        home = rdflib.URIRef(str(g)) if g is not None else rdflib.Literal("default")
        for name, term in zip("spog", (s, p, o, home), strict=True):
            found.add((node, rdflib.URIRef(f"urn:{name}"), term))
    return found


@settings(deadline=None, max_examples=60)
@given(st.one_of(documents(), datasets().map(lambda text: PREFIXES + text)))
def test_a_formatted_file_says_the_same_and_stays_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("fmt") / "deals.trig"
    path.write_text(text, encoding="utf-8", newline="")
    before = as_triples(path)
    format_files([path], drop_comments=True)
    once = path.read_bytes()
    assert set(to_canonical_graph(before)) == set(to_canonical_graph(as_triples(path)))
    assert unformatted([path]) == []
    assert format_files([path]) == []
    assert path.read_bytes() == once


def test_fmt_writes_the_house_order_and_lists_what_it_changed(aikg: Any, tmp_path: Path) -> None:
    untidy, tidy = tmp_path / "untidy.ttl", tmp_path / "tidy.ttl"
    untidy.write_text(UNTIDY)
    tidy.write_text(TIDY)
    run = aikg("fmt", str(untidy), str(tidy))
    assert (run.exit_code, run.stdout, run.stderr) == (0, f"{untidy}\n", "")
    assert untidy.read_text() == tidy.read_text() == TIDY


def test_check_lists_files_and_writes_nothing(aikg: Any, tmp_path: Path) -> None:
    untidy, tidy = tmp_path / "untidy.ttl", tmp_path / "tidy.ttl"
    untidy.write_text(UNTIDY + "# kept\n")
    tidy.write_text(TIDY)
    run = aikg("fmt", "--check", str(untidy), str(tidy))
    assert (run.exit_code, run.stdout) == (1, f"{untidy}\n")
    assert untidy.read_text() == UNTIDY + "# kept\n"
    assert aikg("fmt", "--check", str(tidy)).exit_code == 0


def test_a_comment_is_refused_at_its_line_and_no_file_is_written(aikg: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "first.ttl", tmp_path / "second.ttl"
    first.write_text(UNTIDY)
    second.write_text("<urn:a#b> <urn:p> 'no # comment' .\n<urn:a> <urn:p> 1 . # why\n# more\n")
    run = aikg("fmt", str(first), str(second))
    assert (run.exit_code, run.stdout) == (2, "")
    assert f"{second}:2: This comment would be lost: # why" in run.stderr
    assert "--drop-comments" in run.stderr
    assert first.read_text() == UNTIDY


def test_comments_are_dropped_when_told(aikg: Any, tmp_path: Path) -> None:
    path = tmp_path / "deals.ttl"
    path.write_text("# one\n" + UNTIDY)
    assert aikg("fmt", "--drop-comments", str(path)).exit_code == 0
    assert path.read_text() == TIDY


@pytest.mark.parametrize(
    "text",
    [
        "<urn:a#b> <urn:p#q> <urn:c#d> .",
        '<urn:a> <urn:p> \'#\', "#", \'\'\'it\'s "" # \'\'\'  , """say "#" \\"""" .',
        "<urn:a> <urn:p> \"quote \\\" # \", 'it\\'s #' .",
        "PREFIX ex: <urn:x:> ex:a\\#b ex:p ex:c .",
        "<< <urn:a#b> <urn:p> <urn:c#d> >> <urn:q> 1 .",
    ],
)
def test_a_number_sign_in_a_term_is_no_comment(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.ttl"
    path.write_text(text)
    assert format_files([path]) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "<urn:a> <urn:p> 1 .#",
        "<urn:a> <urn:p> 'x'# y\n .",
        "<urn:a> # <urn:b>\n <urn:p> 1 .",
        "<urn:a> <urn:p> '''a\n# b''' , # c\n 2 .",
    ],
)
def test_a_comment_is_found_wherever_it_stands(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.ttl"
    path.write_text(text)
    with pytest.raises(BadOption, match="would be lost"):
        format_files([path])


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("deals.nt", "", "Only Turtle and TriG"),
        ("deals.ttl", "<urn:a> <urn:p> ;", "deals.ttl:1:"),
        ("missing.ttl", None, "cannot be read"),
    ],
)
def test_what_cannot_be_formatted_is_told(
    aikg: Any, name: str, text: str | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    for words in (["fmt"], ["fmt", "--check"]):
        run = aikg(*words, str(path))
        assert (run.exit_code, run.stdout) == (3, "")
        assert told in run.stderr
