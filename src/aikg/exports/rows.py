"""Entities and facts as rows of plain cells, alike for every graph format."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from aikg.model import Entity, Fact, Name, Quantity
from aikg.names import AIKG, local_name, shorten
from aikg.units import first_day, last_day, quantity_text

Cell = str | bool | float
TYPES: dict[type[Cell], str] = {str: "string", bool: "boolean", float: "double"}
"""The names of cell types, which GraphML and GEXF share."""

STARTS = (AIKG + "startsOn", AIKG + "closedOn", AIKG + "announcedOn")
"""The dates from which a fact holds, the nearest to the truth first."""
END = AIKG + "endsOn"

NODE_COLUMNS = ("label", "class", "classes")
EDGE_COLUMNS = (
    *("relation", "label", "event", "certainty", "status", "settled", "start", "end"),
    *("source_iri", "source_title", "source_url", "stated_by", "locator"),
)
FOREIGN_COLUMNS = (
    *("id", "key", "iri", "fact", "name", "interaction", "source", "target"),
    *("kind", "type", "weight", "interval", "timeset"),
)
"""Names that one format or another keeps for itself."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its IRI, its first class in words, and its cells by column."""

    id: str
    group: str
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two nodes, with an id that no other edge and no node has."""

    id: str
    source: str
    target: str
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Rows:
    """A graph as rows, in the order in which they are written, and the language of their words."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    lang: str


def graph_rows(entities: Iterable[Entity], facts: Iterable[Fact], lang: str = "en") -> Rows:
    """Return the rows of a graph, both ends of every fact included.

    >>> amd, tsmc = Name("https://w3id.org/aikg/id/amd", "AMD"), Name("urn:x:tsmc", "TSMC")
    >>> from aikg.model import Source
    >>> buys = Name("urn:x:buys", "buys from")
    >>> rows = graph_rows([], [Fact(amd, buys, tsmc, Source("urn:x:report", "Report"))])
    >>> [node.cells["label"] for node in rows.nodes], rows.edges[0].cells["settled"]
    (['AMD', 'TSMC'], True)
    """
    ordered = sorted(facts, key=_order)
    known = {entity.iri: entity for entity in entities}
    for fact in ordered:
        for end in (fact.subject, fact.object):
            known.setdefault(end.iri, Entity(end.iri, end.label))
    names = _column_names(ordered)
    nodes = (_node(known[iri], lang) for iri in sorted(known))
    edges = (_edge(key, fact, names, lang) for key, fact in _with_ids(ordered))
    return Rows(tuple(nodes), tuple(edges), lang)


def columns(rows: Sequence[Node] | Sequence[Edge]) -> dict[str, str]:
    """Return the columns that occur in the rows, each with its one type, fixed ones first."""
    found = {name: TYPES[type(cell)] for row in rows for name, cell in row.cells.items()}
    return {name: found[name] for name in sorted(found, key=_rank)}


def clean(text: str) -> str:
    r"""Return a text without the characters that XML refuses or that reorder what people see.

    >>> clean("one\x00 \u202etwo\r\nthree ")
    'one two\nthree'
    """
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def cell_text(cell: Cell) -> str:
    """Return a cell in the lexical form of its XML Schema type.

    >>> cell_text(True), cell_text(0.5), cell_text("AT&T")
    ('true', '0.5', 'AT&T')
    """
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _rank(column: str) -> tuple[bool, int, str]:
    """Return the place of a column: fixed ones in their order, then the others by name."""
    fixed = NODE_COLUMNS + EDGE_COLUMNS
    return (column not in fixed, fixed.index(column) if column in fixed else 0, column)


def _identity(fact: Fact) -> tuple[str, ...]:
    """Return what tells one fact from another."""
    event = fact.event.iri if fact.event is not None else ""
    return (fact.subject.iri, fact.object.iri, fact.relation.iri, event, fact.source.iri)


def _order(fact: Fact) -> tuple[str, ...]:
    """Return the sort key of a fact; its whole content comes last, lest a tie be left to chance."""
    return (*_identity(fact), repr(fact))


def _with_ids(facts: Sequence[Fact]) -> Iterator[tuple[str, Fact]]:
    """Yield each of the sorted facts with an id that stays the same when other facts come or go."""
    for identity, alike in groupby(facts, key=_identity):
        key = "fact-" + hashlib.sha256("\n".join(identity).encode()).hexdigest()[:20]
        for number, fact in enumerate(alike, start=1):
            yield (key if number == 1 else f"{key}-{number}"), fact


def _node(entity: Entity, lang: str) -> Node:
    """Return the row of an entity; one without any label is called by its CURIE."""
    classes = sorted(entity.classes, key=lambda name: (name.label, name.iri))
    curies = [shorten(name.iri) for name in classes]
    texts = {"label": _words(Name(entity.iri, entity.labels.get(lang) or entity.label))}
    texts |= {f"label_{tag}": entity.labels[tag] for tag in sorted(entity.labels)}
    texts |= {"class": curies[0] if curies else "", "classes": "; ".join(curies)}
    return Node(clean(entity.iri), _words(classes[0]) if classes else "", _present(texts))


def _edge(key: str, fact: Fact, names: dict[str, str], lang: str) -> Edge:
    """Return the row of a fact."""
    start, end = _interval(fact)
    cells: dict[str, Cell] = {
        "relation": shorten(fact.relation.iri),
        "label": _words(fact.relation),
        "event": shorten(fact.event.iri) if fact.event is not None else "",
        "certainty": _words(fact.certainty),
        "status": _words(fact.status),
        "settled": fact.settled,
        "start": start,
        "end": end,
        "source_iri": fact.source.iri,
        "source_title": fact.source.title,
        "source_url": fact.source.url,
        "stated_by": "; ".join(_words(name) for name in fact.stated_by),
        "locator": fact.locator,
    }
    said = _texts(fact, names) | _figures(fact, names, lang)
    cells |= {name: said[name] for name in sorted(said)}
    return Edge(key, clean(fact.subject.iri), clean(fact.object.iri), _present(cells))


def _texts(fact: Fact, names: dict[str, str]) -> dict[str, Cell]:
    """Return the dates and qualifiers of a fact as the source gives them."""
    found: dict[str, list[str]] = {}
    for name, text in (*fact.dates, *fact.qualifiers):
        found.setdefault(names[name.iri], []).append(text)
    return {column: "; ".join(texts) for column, texts in found.items()}


def _figures(fact: Fact, names: dict[str, str], lang: str) -> dict[str, Cell]:
    """Return the quantities of a fact in words and as numbers.

    Several figures of one role stay words alone: no one of them is *the* number.
    """
    found: dict[str, list[Quantity]] = {}
    for quantity in fact.quantities:
        found.setdefault(names[quantity.role.iri], []).append(quantity)
    cells: dict[str, Cell] = {}
    for column, quantities in found.items():
        words = (quantity_text(quantity, lang=lang) for quantity in quantities)
        cells[column] = "; ".join(text for text in words if text)
        if len(quantities) == 1:
            cells |= _numbers(column, quantities[0])
    return cells


def _numbers(column: str, quantity: Quantity) -> dict[str, Cell]:
    """Return the bounds of a quantity and its unit."""
    cells: dict[str, Cell] = {f"{column}_unit": quantity.unit}
    for suffix, bound in (("low", quantity.minimum), ("high", quantity.maximum)):
        number = _number(quantity.value or bound)
        if number is not None:
            cells[f"{column}_{suffix}"] = number
    return cells


def _number(text: str) -> float | None:
    """Return the number that a lexical form stands for, or None where it is none or not finite."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _interval(fact: Fact) -> tuple[str, str]:
    """Return the first and the last day on which a fact holds, as far as they are known."""
    found = (_days(fact, iri, first_day) for iri in STARTS)
    start = next((min(days) for days in found if days), "")
    end = max(_days(fact, END, last_day), default="")
    return start, end if end >= start else ""


def _days(fact: Fact, iri: str, day: Callable[[str], str | None]) -> list[str]:
    """Return the days that the dates of one property stand for, without those of no calendar."""
    days = [day(text) for name, text in fact.dates if name.iri == iri]
    return [text for text in days if text is not None and _is_day(text)]


def _is_day(text: str) -> bool:
    """Return whether a text is a day that every reader of dates takes."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _column_names(facts: Iterable[Fact]) -> dict[str, str]:
    """Return the column of each property of dates, quantities and qualifiers: its local name.

    A property whose local name is taken goes by its CURIE, and if that is taken by its IRI, so
    that two properties never share a column. Readers that ignore case must be able to tell the
    columns apart as well.
    """
    texts = {name.iri for fact in facts for name, _ in (*fact.dates, *fact.qualifiers)}
    roles = {quantity.role.iri for fact in facts for quantity in fact.quantities}
    taken = {*EDGE_COLUMNS, *FOREIGN_COLUMNS}
    names = {}
    for iri in sorted(texts | roles, key=lambda iri: (not iri.startswith(AIKG), iri)):
        suffixes = ("", "_low", "_high", "_unit") if iri in roles else ("",)
        for name in (local_name(iri), shorten(iri), iri):
            claimed = {f"{clean(name)}{suffix}".lower() for suffix in suffixes}
            names[iri] = clean(name)
            if not claimed & taken:
                break
        taken |= claimed
    return names


def _words(name: Name | None) -> str:
    """Return the label of a name, its CURIE where it has none, and nothing for no name."""
    return "" if name is None else clean(name.label) or shorten(name.iri)


def _present(cells: dict[str, str] | dict[str, Cell]) -> dict[str, Cell]:
    """Return the cells that hold something, their text cleaned."""
    cleaned = {name: clean(cell) if isinstance(cell, str) else cell for name, cell in cells.items()}
    return {name: cell for name, cell in cleaned.items() if cell != ""}
