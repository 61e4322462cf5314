"""Saved questions and their answers as text: tables with references, CSV and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from aikg.answers import table
from aikg.model import Cell, Column, Name, Quantity, Question, Result, Source
from aikg.names import shorten
from aikg.render import References, as_number, joined, to_json, write_rows
from aikg.units import quantity_text, value_text

_FIGURE = ("low", "high")
"""The columns that hold the two ends of one figure; a table shows them as one."""


def questions_text(questions: Iterable[Question]) -> str:
    """Return saved questions with their titles, a block a group."""
    found = list(questions)
    width = max(len(question.name) for question in found)
    return joined(
        [group, *(f"  {q.name:{width}}  {q.title}" for q in found if q.group == group)]
        for group in dict.fromkeys(question.group for question in found)
    )


def question_text(question: Question) -> str:
    """Return what a saved question asks, takes and gives."""
    takes = [
        f"  {parameter.name}: {parameter.about} ({parameter.kind}; default {parameter.default})"
        for parameter in question.parameters
    ]
    columns = [f"{c.name} ({c.unit})" if c.unit else c.name for c in question.columns]
    return joined(
        [
            [question.title],
            [question.about],
            ["Takes:", *takes] if takes else ["Takes nothing."],
            [f"Gives: {', '.join(columns)}; {question.order}."],
        ]
    )


def write_result(result: Result, form: str, *, lang: str = "en") -> str:
    """Return the answer to a saved question as a table, as CSV or as JSON.

    A table shows labels, scales figures for people, joins the two ends of a figure and numbers its
    sources; CSV has labels, figures as they are, and sources as CURIEs; JSON has full IRIs, and
    numbers as numbers.
    """
    keys = [column.key for column in result.columns]
    if form == "json":
        return to_json([dict(zip(keys, _record(result, row), strict=True)) for row in result.rows])
    if form == "csv":
        return write_rows(keys, [list(map(_plain, row)) for row in result.rows], form, None)
    references = References()
    drawn = [_Row(result.columns, row, references, lang) for row in result.rows]
    text = table(_headers(result.columns), [row.cells() for row in drawn])
    return text + ("\n" + joined([references.lines()]) if references.numbers else "")


class _Row:
    """A row as a table shows it."""

    def __init__(
        self, columns: Sequence[Column], row: Sequence[Cell], references: References, lang: str
    ) -> None:
        self.columns = columns
        self.row = row
        self.references = references
        self.lang = lang
        self.by_name = {column.name: cell for column, cell in zip(columns, row, strict=True)}

    def cells(self) -> list[str]:
        """Return the cells below `_headers`."""
        return [
            self._figure(column) if column.name in _FIGURE else self._cell(column, cell)
            for column, cell in zip(self.columns, self.row, strict=True)
            if _is_shown(column, self.columns)
        ]

    def _cell(self, column: Column, cell: Cell) -> str:
        if isinstance(cell, Name):
            return cell.label
        if isinstance(cell, tuple):
            marks = [self.references.mark(part) for part in cell if isinstance(part, Source)]
            return "".join(marks) or ", ".join(p.label for p in cell if isinstance(p, Name))
        if cell and column.kind in ("money", "number"):
            return value_text(cell, self._unit(column), lang=self.lang)
        return cell

    def _figure(self, column: Column) -> str:
        """Return a figure from its two ends, with its hedges in words."""
        low, high = (str(self.by_name[name]) for name in _FIGURE)
        exact = low if low == high else ""
        figure = Quantity(
            Name("", ""),
            self._unit(column),
            value=exact,
            minimum="" if exact else low,
            maximum="" if exact else high,
        )
        hedges = self.by_name.get("hedges")
        told = hedges if isinstance(hedges, tuple) else ()
        words = ", ".join(part.label for part in told if isinstance(part, Name))
        return f"{words} {quantity_text(figure, lang=self.lang)}".strip()

    def _unit(self, column: Column) -> str:
        if column.kind != "money":
            return column.unit
        pairs = zip(self.columns, self.row, strict=True)
        return next((str(cell) for other, cell in pairs if other.kind == "currency"), "")


def _headers(columns: Sequence[Column]) -> list[str]:
    """Return the names of columns in words; the two ends of a figure have one.

    >>> _headers((Column("topChip", "entity"), Column("low", "money"), Column("high", "money")))
    ['top chip', 'amount']
    """
    names = {"low": "amount" if any(c.kind == "money" for c in columns) else "figure"}
    return [
        re.sub("([A-Z])", lambda found: f" {found[1].lower()}", names.get(c.name, c.name))
        for c in columns
        if _is_shown(c, columns)
    ]


def _is_shown(column: Column, columns: Sequence[Column]) -> bool:
    """Tell whether a table has a column of its own for what another one shows."""
    joined_ends = column.name in ("high", "hedges") and any(c.name == "low" for c in columns)
    return column.kind != "currency" and not joined_ends


def _record(result: Result, row: Sequence[Cell]) -> list[Any]:
    """Return a row as JSON holds it."""
    return [
        as_number(cell) if isinstance(cell, str) and column.kind in ("number", "money") else cell
        for column, cell in zip(result.columns, row, strict=True)
    ]


def _plain(cell: Cell) -> str:
    """Return a cell for CSV."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Name):
        return cell.label
    return " ".join(shorten(p.iri) if isinstance(p, Source) else p.label for p in cell)
