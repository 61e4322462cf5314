"""Saved questions: SPARQL queries with names, parameters and typed answers, in `queries/`.

A question is a query that runs as it is in any SPARQL tool. Its parameters are those variables that
a VALUES block gives their defaults, where UNDEF means any value; to ask with other values is to put
other terms into that block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pyoxigraph import Literal, NamedNode, QuerySolutions

from aikg.entities import find
from aikg.errors import BadOption, UnknownQuestion, UnknownTerm
from aikg.files import Term, shipped, text_of
from aikg.model import Cell, Column, Parameter, Question, Result, Source
from aikg.names import AIKG, LABEL, MERGED, expand, local_name
from aikg.queries import query
from aikg.relations import Relations
from aikg.store import Store
from aikg.units import first_day

ANY = "any"
"""The value of a parameter that leaves it open."""

GROUPS = ("who", "money", "compute", "chips", "trust")

_HEADER = re.compile(r"^# ([A-Z]\w+): (.+(?:\n#   .+)*)$", re.M)
_PARAMETER = re.compile(r"\?(\w+) \((\w+), default ([^)]+)\): (.+)")
_COLUMN = re.compile(r"\?(\w+) \((\w+)(?:, ([^)]+))?\)")
_VALUES = re.compile(r"VALUES \?(\w+) \{[^}]*\}")


def questions() -> list[Question]:
    """Return the saved questions by group, then by name.

    >>> {question.group for question in questions()} == set(GROUPS)
    True
    """
    found = map(_question, shipped("queries").glob("*.rq"))
    return sorted(found, key=lambda question: (GROUPS.index(question.group), question.name))


def find_question(name: str) -> Question:
    """Return the saved question of a name.

    Raises:
        UnknownQuestion: there is none; the nearest names are listed.

    >>> find_question("labs").group
    'who'
    """
    path = shipped("queries") / f"{name}.rq"
    if re.fullmatch("[a-z0-9-]+", name) and path.is_file():
        return _question(path)
    raise UnknownQuestion(
        f'No saved question is called "{name}".',
        fix=_nearest(name, [question.name for question in questions()])
        or "List them all: aikg ask.",
    )


def ask(
    relations: Relations, question: Question, values: Mapping[str, str | Iterable[str]]
) -> Result:
    """Return the answer to a saved question.

    Args:
        relations: the edges of the store, which know its names and sources.
        question: what is asked.
        values: parameters by name, each one value or several: entities as people name them, terms
            by local name or label, dates; `any` leaves a parameter open.

    Raises:
        UnknownQuestion: the question has no such parameter.
        UnknownEntity, AmbiguousEntity, UnknownTerm, BadOption: a value is not what it should be.

    >>> from aikg.graph import open
    >>> result = open().ask("designers", {"company": "Annapurna Labs"})
    >>> result.rows[0][0].label
    'Annapurna Labs'
    """
    text = _bound(question, _terms(relations, question, values))
    answer = query(relations.store, text, where=question.name)
    assert isinstance(answer, QuerySolutions)
    rows = [
        tuple(
            _cell(relations, column, term)
            for column, term in zip(question.columns, row, strict=True)
        )
        for row in answer
    ]
    return Result(question.columns, tuple(rows))


def _question(path: Path) -> Question:
    """Return the question that a file holds, as its header describes it."""
    text = path.read_text(encoding="utf-8")
    head = {name: re.sub(r"\n#   ", " ", value) for name, value in _HEADER.findall(text)}
    takes = [value for name, value in _HEADER.findall(text) if name == "Takes"]
    parts = [_PARAMETER.fullmatch(re.sub(r"\n#   ", " ", value)) for value in takes]
    columns, _, order = head["Gives"].partition("; ")
    return Question(
        name=path.stem,
        group=head["Group"],
        title=head["Question"],
        about=head["About"],
        parameters=tuple(Parameter(*part.groups()) for part in parts if part is not None),
        columns=tuple(Column(*found) for found in _COLUMN.findall(columns)),
        order=order.rstrip("."),
        text=text,
    )


def _terms(
    relations: Relations, question: Question, values: Mapping[str, str | Iterable[str]]
) -> dict[str, list[Term]]:
    """Return the values of a call as terms; a parameter that is left open has none."""
    known = {parameter.name: parameter for parameter in question.parameters}
    found: dict[str, list[Term]] = {}
    for name, given in values.items():
        if name not in known:
            raise UnknownQuestion(
                f'The question "{question.name}" has no parameter "{name}".',
                fix=_nearest(name, list(known)) or f"It takes: {', '.join(known) or 'nothing'}.",
            )
        texts = [given] if isinstance(given, str) else list(given)
        open_ended = ANY in texts
        found[name] = [] if open_ended else [_term(relations, known[name], t) for t in texts]
    return found


def _term(relations: Relations, parameter: Parameter, text: str) -> Term:
    """Return a value as the term that it stands for."""
    if parameter.kind == "entity":
        return NamedNode(find(relations.store, text, relations.lang).iri)
    if parameter.kind == "term":
        return _ontology_term(relations.store, text)
    if first_day(text) is None:
        raise BadOption(
            f'"{text}" is no date.',
            where=parameter.name,
            fix="Write a year, a month or a day: 2025, 2025-06 or 2025-06-30.",
        )
    return Literal(text)


def _ontology_term(store: Store, text: str) -> NamedNode:
    """Return the term of the ontology that has a local name or label, in any letter case."""
    names: dict[str, str] = {}
    for quad in store.match(None, LABEL, None, MERGED):
        iri = text_of(quad.subject)
        if iri.startswith(AIKG):
            names.setdefault(text_of(quad.object).casefold(), iri)
            names[local_name(iri).casefold()] = iri
    iri = expand(text) or names.get(text.casefold(), "")
    if iri in names.values():
        return NamedNode(iri)
    raise UnknownTerm(
        f'The ontology has no term "{text}".',
        fix=_nearest(text, sorted({local_name(name) for name in names.values()})),
    )


def _bound(question: Question, values: Mapping[str, list[Term]]) -> str:
    """Return the query with other terms in the VALUES blocks of its parameters."""

    def block(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        terms = " ".join(map(str, values[found[1]])) or "UNDEF"
        return f"VALUES ?{found[1]} {{ {terms} }}"

    return _VALUES.sub(block, question.text)


def _cell(relations: Relations, column: Column, term: Term | None) -> Cell:
    """Return what a row holds in a column: names for IRIs, lexical forms for literals."""
    text = "" if term is None else text_of(term)
    if column.kind == "sources":
        return _sources(relations, text)
    if column.kind == "terms":
        return tuple(relations.name(iri) for iri in sorted(set(text.split())))
    return relations.name(text) if isinstance(term, NamedNode) else text


def _sources(relations: Relations, text: str) -> tuple[Source, ...]:
    """Return the documents whose IRIs a text lists, the earliest first."""
    found = map(relations.source, set(text.split()))
    return tuple(sorted(found, key=lambda source: (source.issued, source.iri)))


def _nearest(name: str, names: list[str]) -> str:
    """Return a sentence with the names that come closest to one, or nothing if none does."""
    from rapidfuzz import process

    near = process.extract(name, names, limit=3, score_cutoff=60)
    return f"Did you mean: {', '.join(found[0] for found in near)}?" if near else ""
