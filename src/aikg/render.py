"""Answers as text for people and programs: sentences, tables, CSV, JSON and RDF."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from aikg.answers import Row, printable, table
from aikg.descriptions import is_ratio
from aikg.model import (
    Change,
    Claim,
    Description,
    Fact,
    Hop,
    Name,
    Path,
    Quantity,
    Source,
    Statement,
)
from aikg.names import DURATION, shorten
from aikg.units import duration_text, quantity_text, value_text

ROW_FORMATS = ("table", "csv", "json")
TEXT_FORMATS = ("text", "json")


WORDS = {
    "en": {"hop": "hop", "hops": "hops", "aliases": "also called"},
    "es": {"hop": "salto", "hops": "saltos", "aliases": "también llamado"},
}
COMPARED = {"en": "compared to", "es": "comparado con"}
STATED = {"en": "as {} says", "es": "según {}"}
SIGNS = {"added": "+", "removed": "-", "changed": "~"}
UNSETTLED = {"en": "not settled", "es": "no firme"}
UNDATED = {"en": "undated", "es": "sin fecha"}


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
    references = References()
    blocks = []
    for path in paths:
        ends = f"{path.entities[0].label} → {path.entities[-1].label}"
        hops = f"{len(path.hops)} {WORDS[lang]['hop' if len(path.hops) == 1 else 'hops']}"
        facts = [
            f"  {line}"
            for hop in path.hops
            for line in references.cited((fact_text(f, hop, lang), f.source) for f in hop.facts)
        ]
        blocks.append([f"{ends}: {hops}, {path.certainty.label}", *facts])
    return joined([*blocks, references.lines()])


def fact_text(fact: Fact, hop: Hop | None = None, lang: str = "en") -> str:
    """Return a fact as a sentence; seen from the far end of a hop, with its arrow turned."""
    details = _fact_details(fact, lang)
    relation = f"{fact.relation.label} ({'; '.join(details)})" if details else fact.relation.label
    if hop is not None and hop.start.iri == fact.object.iri:
        return f"{fact.object.label} ← {relation} — {fact.subject.label}"
    return f"{fact.subject.label} — {relation} → {fact.object.label}"


def description_text(description: Description, lang: str = "en") -> str:
    """Return all that is held on an entity as text, every line with its source."""
    references = References()
    classes = ", ".join(name.label for name in description.classes)
    label = description.entity.label
    head = f"{label} ({classes})" if classes else label
    lines = [head, shorten(description.entity.iri)]
    if description.aliases:
        lines.append(f"{WORDS[lang]['aliases']}: {', '.join(description.aliases)}")
    parts = (
        [(f"{s.property.label}: {_statement_text(s, lang)}", s) for s in description.statements],
        [(fact_text(f, None, lang), f) for f in description.facts],
        [(claim_text(c, lang), c) for c in description.claims],
        [(f"{s.value} — {s.property.label} → {label}", s) for s in description.mentions],
    )
    cited = [references.cited((text, told.source) for text, told in part) for part in parts]
    return joined([lines, *cited, references.lines()])


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


def changes_text(changes: Sequence[Change]) -> str:
    """Return changes as text by entity: + for what came, - for what went, ~ for other values."""
    blocks: dict[Name, list[str]] = {}
    for change in changes:
        entity = change.entity
        short = shorten(entity.iri)
        head = f"{entity.label} ({short})" if short not in ("", entity.label) else entity.label
        old, new = (", ".join(value.text for value in side) for side in (change.old, change.new))
        values = f"{old} → {new}" if old and new else old or new
        source = f" [{shorten(change.graph)}]" if change.graph else ""
        line = f"  {SIGNS[change.change]} {change.property.label}: {values}{source}"
        blocks.setdefault(entity, [head]).append(line)
    return joined(blocks.values()) if blocks else ""


class References:
    """The sources of an answer, numbered in the order in which they are first cited."""

    def __init__(self) -> None:
        self.numbers: dict[Source, int] = {}

    def number(self, source: Source) -> int:
        """Return the number of a source, which is the next if it is new."""
        return self.numbers.setdefault(source, len(self.numbers) + 1)

    def mark(self, source: Source) -> str:
        """Return the mark of a source, which is numbered if it is new."""
        return f"[{self.number(source)}]"

    def cited(self, statements: Iterable[tuple[str, Source]]) -> list[str]:
        """Return statements with their marks; what several sources state alike comes once."""
        cited: dict[str, set[int]] = {}
        for text, source in statements:
            cited.setdefault(text, set()).add(self.number(source))
        return [
            f"{text} {''.join(f'[{number}]' for number in sorted(numbers))}"
            for text, numbers in cited.items()
        ]

    def lines(self) -> list[str]:
        """Return the references, one a line."""
        return [f"[{number}] {_reference(s)}" for s, number in self.numbers.items()]


def _reference(source: Source) -> str:
    parts = [source.title, source.publisher, source.issued, source.url or shorten(source.iri)]
    return ". ".join(part.rstrip(".") for part in parts if part)


def _fact_details(fact: Fact, lang: str) -> list[str]:
    undated = UNDATED[lang] if fact.undated else ""
    if fact.event is None:
        return [undated] if undated else []
    figures = [f"{q.role.label} {quantity_text(q, lang=lang)}".rstrip() for q in fact.quantities]
    dates = [f"{name.label} {value}" for name, value in fact.dates]
    words = [_qualifier_text(name, text, lang) for name, text in fact.qualifiers]
    certainty = fact.certainty.label if fact.certainty else ""
    status = fact.status.label if fact.status else ""
    unsettled = "" if fact.settled else UNSETTLED[lang]
    hedges = ", ".join(filter(None, [certainty, status, unsettled, undated]))
    return [*filter(None, [*figures, *dates, *words]), *_speakers(fact.stated_by, lang), hedges]


def _qualifier_text(name: Name, text: str, lang: str) -> str:
    return duration_text(text, lang) if name.iri == DURATION.value else text


def _statement_text(statement: Statement, lang: str) -> str:
    if statement.unit:
        return value_text(statement.value, statement.unit, lang=lang)
    return _qualifier_text(statement.property, statement.value, lang)


def joined(blocks: Iterable[Sequence[str]]) -> str:
    """Return blocks of lines as one text, an empty line between them, fit for a terminal."""
    texts = ("\n".join(map(printable, block)) for block in blocks if block)
    return "\n\n".join(texts) + "\n"


def _speakers(names: Iterable[Any], lang: str) -> list[str]:
    return [STATED[lang].format(name.label) for name in names]


def _plain(value: Any) -> Any:
    """Return a record as JSON holds it; a pair of a property and its value is a record too."""
    if is_dataclass(value) and not isinstance(value, type):
        record = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return record | {key: as_number(record[key]) for key in _numbers(value)}
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


def as_number(text: str) -> int | float | str | None:
    """Return a lexical form as a number where JSON can hold it, None where there is none."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text or None
    if not number.is_finite() or number.adjusted() > sys.float_info.max_10_exp:
        return text
    return int(number) if number == number.to_integral_value() else float(number)
