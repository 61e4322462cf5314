"""Answers as text for people and programs: sentences, tables, CSV, JSON and RDF."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal, InvalidOperation
from itertools import chain, islice
from typing import IO, Any

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

from aikg.descriptions import is_ratio
from aikg.errors import BadOption
from aikg.files import FORMATS, SUFFIXES, Term, named_format, to_text
from aikg.model import Claim, Description, Fact, Hop, Name, Path, Quantity, Source, Statement
from aikg.names import DURATION, PREFIXES, shorten
from aikg.queries import Answer
from aikg.store import text_of
from aikg.units import duration_text, quantity_text, value_text

RESULTS = {
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
}
"""The W3C result formats of SELECT and ASK by the name that `--format` takes."""

ANSWER_FORMATS = ("table", *RESULTS, *FORMATS)
ROW_FORMATS = ("table", "csv", "json")
TEXT_FORMATS = ("text", "json")

_ENDLESS = 1_000_000
"""The width of a table in characters where no terminal limits it."""

_SORTED = 10_000
"""Triples up to which an answer in Turtle or TriG is held back to be sorted."""

Row = Sequence[str]

WORDS = {
    "en": {"hop": "hop", "hops": "hops", "aliases": "also called"},
    "es": {"hop": "salto", "hops": "saltos", "aliases": "también llamado"},
}
COMPARED = {"en": "compared to", "es": "comparado con"}
STATED = {"en": "as {} says", "es": "según {}"}
UNSETTLED = {"en": "not settled", "es": "no firme"}

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


def write_rows(headers: Sequence[str], rows: Sequence[Row], form: str, records: Any) -> str:
    """Return rows as a table or CSV, or the records behind them as JSON."""
    if form == "json":
        return to_json(records)
    if form == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\r\n")
        writer.writerow([header.replace(" ", "_") for header in headers])
        writer.writerows(rows)
        return buffer.getvalue()
    return table(headers, rows)


def to_json(records: Any) -> str:
    """Return records as JSON: fixed keys, full IRIs, numbers as numbers."""
    return json.dumps(_plain(records), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def paths_text(paths: Sequence[Path], lang: str = "en") -> str:
    """Return paths as sentences, each fact with its hedges, and numbered references."""
    references = _References()
    blocks = []
    for path in paths:
        ends = f"{path.entities[0].label} → {path.entities[-1].label}"
        hops = f"{len(path.hops)} {WORDS[lang]['hop' if len(path.hops) == 1 else 'hops']}"
        facts = [
            f"  {fact_text(fact, hop, lang)} {references.mark(fact.source)}"
            for hop in path.hops
            for fact in hop.facts
        ]
        blocks.append([f"{ends}: {hops}, {path.certainty.label}", *facts])
    return _joined([*blocks, references.lines()])


def fact_text(fact: Fact, hop: Hop | None = None, lang: str = "en") -> str:
    """Return a fact as a sentence; seen from the far end of a hop, with its arrow turned."""
    details = _fact_details(fact, lang)
    relation = f"{fact.relation.label} ({'; '.join(details)})" if details else fact.relation.label
    if hop is not None and hop.start.iri == fact.object.iri:
        return f"{fact.object.label} ← {relation} — {fact.subject.label}"
    return f"{fact.subject.label} — {relation} → {fact.object.label}"


def description_text(description: Description, lang: str = "en") -> str:
    """Return all that is held on an entity as text, every line with its source."""
    references = _References()
    classes = ", ".join(name.label for name in description.classes)
    label = description.entity.label
    head = f"{label} ({classes})" if classes else label
    lines = [head, shorten(description.entity.iri)]
    if description.aliases:
        lines.append(f"{WORDS[lang]['aliases']}: {', '.join(description.aliases)}")
    parts = (
        [
            f"{s.property.label}: {_statement_text(s, lang)} {references.mark(s.source)}"
            for s in description.statements
        ],
        [f"{fact_text(f, None, lang)} {references.mark(f.source)}" for f in description.facts],
        [f"{claim_text(c, lang)} {references.mark(c.source)}" for c in description.claims],
        [
            f"{s.value} — {s.property.label} → {label} {references.mark(s.source)}"
            for s in description.mentions
        ],
    )
    return _joined([lines, *parts, references.lines()])


def claim_text(claim: Claim, lang: str = "en") -> str:
    """Return a claim as a line: metric, figure, comparison, words, certainty, speaker."""
    ratio = is_ratio(claim)
    figures = [quantity_text(q, ratio=ratio, lang=lang) for q in claim.quantities]
    mode = claim.compares_by.label if claim.compares_by and not ratio else ""
    compared = ", ".join(name.label for name in claim.compared_to)
    words = [
        " ".join(filter(None, [*figures, mode if any(figures) else ""])),
        f"{COMPARED[lang]} {compared}" if compared else "",
        *(f"{name.label} {value}" for name, value in claim.dates),
        *(_qualifier_text(name, text, lang) for name, text in claim.details),
    ]
    sure = [name.label for name in (claim.certainty, claim.status) if name is not None]
    hedges = "; ".join(filter(None, [", ".join(sure), *_speakers(claim.stated_by, lang)]))
    body = "; ".join(filter(None, words))
    return " ".join(filter(None, [f"{claim.metric.label}:", body, f"({hedges})" if hedges else ""]))


class _References:
    """The sources of an answer, numbered in the order in which they are first cited."""

    def __init__(self) -> None:
        self.numbers: dict[Source, int] = {}

    def mark(self, source: Source) -> str:
        return f"[{self.numbers.setdefault(source, len(self.numbers) + 1)}]"

    def lines(self) -> list[str]:
        return [f"[{number}] {_reference(s)}" for s, number in self.numbers.items()]


def _reference(source: Source) -> str:
    parts = [source.title, source.publisher, source.issued, source.url or shorten(source.iri)]
    return ". ".join(part.rstrip(".") for part in parts if part)


def _fact_details(fact: Fact, lang: str) -> list[str]:
    if fact.event is None:
        return []
    figures = [f"{q.role.label} {quantity_text(q, lang=lang)}".rstrip() for q in fact.quantities]
    dates = [f"{name.label} {value}" for name, value in fact.dates]
    words = [_qualifier_text(name, text, lang) for name, text in fact.qualifiers]
    certainty = fact.certainty.label if fact.certainty else ""
    status = fact.status.label if fact.status else ""
    unsettled = "" if fact.settled else UNSETTLED[lang]
    hedges = ", ".join(filter(None, [certainty, status, unsettled]))
    return [*filter(None, [*figures, *dates, *words]), *_speakers(fact.stated_by, lang), hedges]


def _qualifier_text(name: Name, text: str, lang: str) -> str:
    return duration_text(text, lang) if name.iri == DURATION.value else text


def _statement_text(statement: Statement, lang: str) -> str:
    if statement.unit:
        return value_text(statement.value, statement.unit, lang=lang)
    return _qualifier_text(statement.property, statement.value, lang)


def _joined(blocks: Iterable[Sequence[str]]) -> str:
    """Return blocks of lines as one text, an empty line between them, fit for a terminal."""
    texts = ("\n".join(map(printable, block)) for block in blocks if block)
    return "\n\n".join(texts) + "\n"


def _speakers(names: Iterable[Any], lang: str) -> list[str]:
    return [STATED[lang].format(name.label) for name in names]


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


def _plain(value: Any) -> Any:
    """Return a record as JSON holds it; a pair of a property and its value is a record too."""
    if is_dataclass(value) and not isinstance(value, type):
        record = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return record | {key: _number(record[key]) for key in _numbers(value)}
    if isinstance(value, tuple) and list(map(type, value)) == [Name, str]:
        return {"property": _plain(value[0]), "value": _plain(value[1])}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _numbers(record: Any) -> tuple[str, ...]:
    """Return the fields of a record that hold numbers as text."""
    if isinstance(record, Quantity):
        return "value", "minimum", "maximum"
    return ("value",) if isinstance(record, Statement) and record.unit else ()


def _number(text: str) -> int | float | str | None:
    """Return a lexical form as a number where JSON can hold it, None where there is none."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text or None
    if not number.is_finite() or number.adjusted() > sys.float_info.max_10_exp:
        return text
    return int(number) if number == number.to_integral_value() else float(number)
