"""What a query answers, written row by row: tables, the W3C result formats, RDF."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO

import pyoxigraph
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QueryTriples,
    RdfFormat,
    Triple,
)

from aikg.errors import BadOption
from aikg.files import FORMATS, SUFFIXES, Term, named_format, text_of, to_text
from aikg.names import PREFIXES, shorten
from aikg.queries import Answer

Row = Sequence[str]

RESULTS = {
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
}
"""The W3C result formats of SELECT and ASK by the name that `--format` takes."""

ANSWER_FORMATS = ("table", *RESULTS, *FORMATS)

_ENDLESS = 1_000_000
"""The width of a table in characters where no terminal limits it."""

_SORTED = 10_000
"""Triples up to which an answer in Turtle or TriG is held back to be sorted."""

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequence, as for colours
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # title, link
    r"|\x1b[ -/]*[0-~]"  # any other escape
)
"""What a terminal takes for a command (ECMA-48, 5th edition, sections 5.3 to 5.6)."""

_SPACE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def answer_format(answer: Answer, form: str | None, suffix: str, terminal: bool) -> str:
    """Return the format of an answer: as told, else by suffix, else as fits the place.

    Raises:
        BadOption: the answer cannot be written in that format.
    """
    triples = isinstance(answer, QueryTriples)
    if form is None and suffix:
        form = _of_suffix(suffix, triples)
    if form is None:
        form = "ttl" if triples else "table" if terminal else "csv"
    if triples and form not in FORMATS:
        raise BadOption(
            f'Triples cannot be written as "{form}".',
            where="--format",
            fix=f"For CONSTRUCT and DESCRIBE: {', '.join(FORMATS)}.",
        )
    if not triples and form not in ("table", *RESULTS):
        raise BadOption(
            f'Rows cannot be written as "{form}".',
            where="--format",
            fix=f"For SELECT and ASK: table, {', '.join(RESULTS)}.",
        )
    return form


def write_answer(answer: Answer, form: str, output: IO[bytes]) -> None:
    """Write what a query answers, row by row as it comes, in a format of `ANSWER_FORMATS`.

    Source:
        SPARQL 1.1 Query Results: CSV and TSV (https://www.w3.org/TR/sparql11-results-csv-tsv/),
        JSON (https://www.w3.org/TR/sparql11-results-json/), XML
        (https://www.w3.org/TR/rdf-sparql-XMLres/).
    """
    if isinstance(answer, QueryTriples):
        _write_triples(answer, named_format(form), output)
    elif isinstance(answer, QueryBoolean):
        if form in ("json", "xml"):
            answer.serialize(output, RESULTS[form])
        else:
            output.write(b"true\n" if answer else b"false\n")
    elif form == "table":
        names = [variable.value for variable in answer.variables]
        rows = [[_cell(term) for term in row] for row in answer]
        output.write(table(names, rows).encode())
    else:
        answer.serialize(output, RESULTS[form])


def printable(text: str) -> str:
    r"""Return a text on one line, without what a terminal would obey or what reorders letters.

    >>> printable("one\x1b[31m red\x07\r\ntwo \u202eeerht")
    'one red two eerht'
    """
    return _UNSEEN.sub("", _SPACE.sub(" ", _SEQUENCE.sub("", text)))


def table(headers: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as a table that fits the terminal; elsewhere lines are as long as they need."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for header in headers:
        drawn.add_column(Text(printable(header)), overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    buffer = io.StringIO()
    width = None if Console().is_terminal else _ENDLESS
    console = Console(file=buffer, width=width, color_system=None, force_jupyter=False)
    console.print(drawn)
    lines = buffer.getvalue().split("\n")[1:-2]  # without the box's empty top and bottom
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cell(term: Term | None) -> str:
    """Return a term for a table: CURIEs for IRIs, lexical forms for literals."""
    if term is None:
        return ""
    if isinstance(term, NamedNode):
        return shorten(term.value)
    return text_of(term) if isinstance(term, Literal) else str(term)


def _of_suffix(suffix: str, triples: bool) -> str | None:
    suffix = suffix.lower()
    if triples and suffix in SUFFIXES:
        form = SUFFIXES[suffix]
        return next(name for name, known in FORMATS.items() if known == form)
    return {".srj": "json", ".srx": "xml"}.get(suffix, suffix.removeprefix("."))


def _write_triples(triples: QueryTriples, form: RdfFormat, output: IO[bytes]) -> None:
    """Write triples as they come; a small answer is written sorted and nested instead."""
    head = list(islice(triples, _SORTED))
    if form in (RdfFormat.TURTLE, RdfFormat.TRIG) and len(head) < _SORTED:
        quads = [Quad(t.subject, t.predicate, t.object) for t in head]
        output.write(to_text(quads, canonical=False).encode())
        return
    everything: Iterator[Triple] = chain(head, triples)
    if form.supports_datasets:
        quads_of_all = (Quad(t.subject, t.predicate, t.object) for t in everything)
        pyoxigraph.serialize(quads_of_all, output, form, prefixes=PREFIXES)
    else:
        pyoxigraph.serialize(everything, output, form, prefixes=PREFIXES)
