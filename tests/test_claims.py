"""Every claim of the founding articles is answered, by both engines, as the articles state it."""

import csv
from functools import cache
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery

import aikg
from aikg.names import PREFIXES

QUERIES = sorted((Path(__file__).parent / "claims").glob("*.rq"))

Rows = list[tuple[str, ...]]


@cache
def _rdflib() -> rdflib.Dataset:
    return aikg.open().to_rdflib()


def _expected(query: Path) -> Rows:
    with query.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def _by_rdflib(text: str) -> Rows:
    prepared = prepareQuery(text, initNs=PREFIXES)
    rows = _rdflib().query(prepared)
    return [tuple("" if cell is None else str(cell) for cell in row) for row in rows]  # type: ignore[union-attr]


def _by_aikg(text: str) -> Rows:
    answer = aikg.open().query(text)
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    cells = answer.serialize(format=pyoxigraph.QueryResultsFormat.CSV)
    assert cells is not None
    return [tuple(row) for row in csv.reader(cells.decode().splitlines())][1:]


@pytest.mark.parametrize("query", QUERIES, ids=lambda path: path.stem)
def test_claim_is_answered_as_the_article_states_it(query: Path) -> None:
    found = _by_aikg(query.read_text(encoding="utf-8"))
    expected = _expected(query)
    sources = {row[-1] for row in expected}
    assert [row for row in found if row[-1] in sources] == expected


@pytest.mark.parametrize("query", QUERIES, ids=lambda path: path.stem)
def test_rdflib_gives_the_same_answer(query: Path) -> None:
    text = query.read_text(encoding="utf-8")
    assert sorted(_by_rdflib(text)) == sorted(_by_aikg(text))


def test_each_question_has_its_answer() -> None:
    folder = Path(__file__).parent / "claims"
    assert {q.stem for q in QUERIES} == {a.stem for a in folder.glob("*.csv")}
    assert len(QUERIES) >= 36
