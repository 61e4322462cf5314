"""Every saved question answers what its header says, alike by two engines, as found by hand."""

import csv
import json
import time
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery

import aikg
from aikg.errors import AikgError
from aikg.files import read
from aikg.graph import Graph
from aikg.load import add, derive
from aikg.model import Column, Name, Question, Source
from aikg.names import AIKG, PREFIXES, RDFS, SKOS, shorten
from aikg.questions import GROUPS, ask, find_question, questions
from aikg.store import Store

ANSWERS = Path(__file__).parent / "questions"
FIXTURE = Path(__file__).parent / "fixtures" / "questions.trig"
QUESTIONS = questions()
BY_NAME = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)

WORDS = {SKOS + "definition", SKOS + "scopeNote", SKOS + "prefLabel", RDFS + "isDefinedBy"}
"""What the ontology says of its terms in words: no question reads it, and it slows rdflib."""


@cache
def _small() -> Graph:
    """Return the small world of the fixture, loaded."""
    inner = pyoxigraph.Store()
    add(inner, [(read(FIXTURE), "urn:x:questions")])
    derive(inner)
    return Graph(Store(inner))


@cache
def _rdflib() -> rdflib.Dataset:
    dataset = rdflib.Dataset()
    for quad in _small().to_rdflib().quads():
        wordy = str(quad[1]) in WORDS or str(quad[1]) == RDFS + "label"
        if not (wordy and str(quad[0]).startswith(AIKG)):
            dataset.add(quad)  # type: ignore[arg-type]
    return dataset


@cache
def _bundled() -> Graph:
    return aikg.open()


def _shown(column: Column, value: object) -> str:
    """Return a value of an answer as the expected answers write it."""
    text = "" if value is None else str(getattr(value, "value", value))
    if column.kind in ("sources", "terms"):
        return " ".join(sorted({shorten(iri) for iri in text.split()}))
    if column.kind in ("number", "money"):
        try:
            return f"{Decimal(text).normalize():f}"
        except InvalidOperation:
            return text
    return shorten(text)


def _rows(question: Question, rows: Iterable[Iterable[object]]) -> list[list[str]]:
    return [
        [_shown(column, value) for column, value in zip(question.columns, row, strict=True)]
        for row in rows
    ]


def _asked(question: Question, graph: Graph) -> pyoxigraph.QuerySolutions:
    answer = graph.query(question.text)
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    return answer


@BY_NAME
def test_answer_over_the_small_world_is_the_one_worked_out_by_hand(question: Question) -> None:
    with (ANSWERS / f"{question.name}.csv").open(encoding="utf-8", newline="") as file:
        header, *expected = csv.reader(file)
    assert header == [column.name for column in question.columns]
    assert _rows(question, _asked(question, _small())) == expected


@BY_NAME
def test_rdflib_gives_the_same_answer(question: Question) -> None:
    rows = _rdflib().query(prepareQuery(question.text, initNs=PREFIXES))
    by_rdflib = [[None if cell is None else str(cell) for cell in row] for row in rows]  # type: ignore[union-attr]
    assert _rows(question, by_rdflib) == _rows(question, _asked(question, _small()))


@BY_NAME
def test_bundled_graph_answers_within_a_second(question: Question) -> None:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        rows = list(_asked(question, _bundled()))
        times.append(time.perf_counter() - start)
    assert rows
    assert min(times) < 1


@BY_NAME
def test_header_says_what_the_query_takes_and_gives(question: Question) -> None:
    assert question.group in GROUPS
    assert question.title.endswith("?")
    assert question.about.endswith(".")
    taken = [line for line in question.text.splitlines() if line.startswith("# Takes:")]
    assert len(question.parameters) == (0 if taken == ["# Takes: nothing"] else len(taken))
    assert {parameter.kind for parameter in question.parameters} <= {"entity", "term", "date"}
    variables = [variable.value for variable in _asked(question, _bundled()).variables]
    assert [column.name for column in question.columns] == variables
    assert question.order


@BY_NAME
def test_every_row_names_its_sources(question: Question) -> None:
    last = question.columns[-1]
    assert (last.name, last.kind) == ("sources", "sources")
    for row in _asked(question, _bundled()):
        assert str(row["sources"].value).strip()


@BY_NAME
def test_default_of_a_parameter_is_what_the_query_asks_without_it(question: Question) -> None:
    graph = _bundled()
    defaults = {parameter.name: parameter.default for parameter in question.parameters}
    relations = graph.relations()
    assert ask(relations, question, defaults) == ask(relations, question, {})


def test_each_question_has_its_answer() -> None:
    assert {question.name for question in QUESTIONS} == {file.stem for file in ANSWERS.iterdir()}
    assert len(QUESTIONS) >= 40


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("commitments", {"provider": "neo"}, 4),
        ("commitments", {"provider": "Neo", "customer": "Echo"}, 2),
        ("commitments", {"provider": ["Neo", "Beta Web"]}, 6),
        ("commitments", {"provider": "any"}, 10),
        ("committed-to-provider", {"provider": "Beta"}, 2),
        ("funding-rounds", {"investor": "Fund"}, 1),
        ("funding-rounds", {"investor": "Volt"}, 0),
        ("partners", {"partner": "Gamma"}, 1),
        ("designers", {"class": "accelerator"}, 2),
        ("designers", {"class": "aikg:Model"}, 1),
        ("training", {"lab": "Alpha"}, 1),
        ("training", {"lab": "Beta"}, 0),
        ("lineage", {"chip": "G1"}, 1),
        ("lineage", {"chip": "C1"}, 0),
        ("spec-sheet", {"product": "G2"}, 3),
        ("stale-plans", {"day": "2025-07"}, 0),
        ("stale-plans", {"day": "2025-11"}, 1),
        ("rumours", {"party": "Kilo"}, 1),
        ("tied-deals", {"party": "Echo"}, 1),
        ("single-source", {"party": "Memo"}, 1),
    ],
)
def test_parameters_narrow_the_answer(name: str, values: dict[str, Any], expected: int) -> None:
    assert len(_small().ask(name, values).rows) == expected


def test_several_values_of_a_parameter_are_all_asked_for() -> None:
    rows = _small().ask("commitments", {"provider": ["Neo", "Beta Web"]}).rows
    named = {row[1].label for row in rows if isinstance(row[1], Name)}
    assert named == {"Neo", "Beta Web"}


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("commitment", {}, "Did you mean: commitments"),
        ("../README", {}, "No saved question"),
        ("xyzxyz", {}, "aikg ask"),
        ("commitments", {"provder": "Neo"}, "Did you mean: provider"),
        ("labs", {"x": "Neo"}, "It takes: nothing"),
        ("commitments", {"provider": "Nobody At All"}, "No entity is called"),
        ("commitments", {"provider": '} SELECT "'}, "No entity is called"),
        ("stale-plans", {"day": "soon"}, "Write a year"),
        ("stale-plans", {"day": '2025" } DROP'}, "Write a year"),
        ("designers", {"class": "Acelerator"}, "Did you mean: Accelerator"),
    ],
)
def test_bad_call_names_what_is_nearest(name: str, values: dict[str, str], told: str) -> None:
    with pytest.raises(AikgError) as caught:
        _small().ask(name, values)
    assert caught.value.exit_code == 2
    assert told in str(caught.value)


def test_rows_hold_names_and_sources_in_order_of_issue() -> None:
    [row] = _small().ask("committed-to-provider", {"provider": "Neo"}).rows
    assert row[0] == Name("https://w3id.org/aikg/id/neo", "Neo")
    sources = row[-1]
    assert isinstance(sources, tuple)
    assert [part.title for part in sources if isinstance(part, Source)] == ["A", "B"]


def test_list_groups_the_questions(aikg: Any) -> None:
    shown = aikg("ask").stdout
    heads = [line for line in shown.splitlines() if line and not line.startswith(" ")]
    assert tuple(heads) == GROUPS
    assert all(f"  {question.name} " in shown for question in QUESTIONS)
    assert all(question.title in shown for question in QUESTIONS)
    listed = json.loads(aikg("ask", "--format", "json").stdout)
    assert [question["name"] for question in listed] == [question.name for question in QUESTIONS]


def test_help_of_a_question_tells_what_it_takes_and_gives(aikg: Any) -> None:
    shown = aikg("ask", "stale-plans", "--help").stdout
    question = find_question("stale-plans")
    assert question.title in shown
    assert question.about in shown
    assert "day: the day on which this is asked (date; default 2026-12-01)" in shown
    assert "ask [OPTIONS] [NAME] [KEY=VALUE]..." in aikg("ask", "--help").stdout


def test_table_scales_figures_and_ends_with_references(aikg: Any) -> None:
    shown = aikg("ask", "investments", "investor=Amazon", "investee=OpenAI").stdout
    assert "$50 bn" in shown
    assert "certainties" in shown
    table, _, references = shown.partition("\n\n")
    assert "[1]" in table
    assert references.startswith("[1] ")


def test_csv_keeps_figures_and_json_has_iris(aikg: Any) -> None:
    words = ("ask", "specs", "chip=H100 SXM")
    [line] = csv.DictReader(aikg(*words, "--format", "csv").stdout.splitlines())
    assert line["memory_bytes"].isdigit()
    assert line["sources"].startswith("src:")
    [record] = json.loads(aikg(*words, "--format", "json").stdout)
    assert record["chip"]["iri"] == "https://w3id.org/aikg/id/nvidia-h100-sxm"
    assert record["memory_bytes"] == int(line["memory_bytes"])
    assert {"iri", "title", "publisher", "issued", "url"} == set(record["sources"][0])


def test_long_table_says_how_many_rows_it_leaves_out(aikg: Any) -> None:
    run = aikg("ask", "designers", "--limit", "2")
    assert "2 of " in run.stderr
    total = len(aikg("ask", "designers", "--format", "csv").stdout.splitlines()) - 1
    assert f"--limit {total} prints them all" in run.stderr
    assert len(run.stdout.split("\n\n")[0].splitlines()) == 4


def test_answer_goes_to_a_file_in_the_format_of_its_suffix(aikg: Any, tmp_path: Path) -> None:
    target = tmp_path / "labs.csv"
    assert aikg("ask", "labs", "-o", str(target)).stdout == ""
    assert target.read_text().splitlines()[0] == "organization,sources"


@pytest.mark.parametrize(
    "words",
    [("ask", "nothing-of-the-kind"), ("ask", "labs", "provider"), ("ask", "labs", "x=OpenAI")],
)
def test_bad_ask_exits_2(aikg: Any, words: tuple[str, ...]) -> None:
    run = aikg(*words)
    assert run.exit_code == 2
    assert run.stdout == ""
    assert run.stderr


def test_query_command_runs_a_question_as_it_is(aikg: Any) -> None:
    run = aikg("query", "-f", str(FIXTURE.parents[2] / "queries" / "labs.rq"), "--format", "csv")
    assert "https://w3id.org/aikg/id/openai," in run.stdout
