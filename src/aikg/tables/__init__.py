"""A table of facts to cited TriG: what is sure is written, what is not is listed for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.errors import BadCell, BadFile
from aikg.files import text_of, to_text
from aikg.model import Figure
from aikg.names import (
    AIKG,
    CERTAINTY,
    DCTERMS,
    LOCATOR,
    PARTICIPANT,
    SCHEMA,
    SOURCE,
    SOURCE_CLASS,
    TYPE,
    XSD,
    local_name,
)
from aikg.ontology import Ontology
from aikg.store import Store
from aikg.tables.cells import Cells, Content, date_literal, figure_quads
from aikg.tables.events import Events, entities_of
from aikg.tables.mapping import DATE, Column, Document, Mapping, read_mapping

__all__ = ["REVIEWED", "Doubt", "Imported", "import_table", "message", "review"]

REVIEWED = ("line", "column", "value", "problem", "fix")
"""The columns of a review list."""

TABBED = (".tsv", ".tab")
"""Suffixes of tables whose columns stand between tabs; all others have commas."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A cell that is not sure, and why its row was left out."""

    line: int
    column: str
    value: str
    problem: str
    fix: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What a table gave: TriG in canonical form, how many rows it holds, and what is in doubt."""

    text: str
    rows: int
    left_out: int
    doubts: tuple[Doubt, ...]


@dataclass
class _Row:
    """What the cells of a line hold, and what is wrong with them."""

    line: int
    event: NamedNode | None = None
    contents: dict[str, list[Content]] = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)

    def doubt(self, column: str, value: str, error: BadCell) -> None:
        self.doubts.append(Doubt(self.line, column, value, error.what, error.fix))


def import_table(table: Path, mapping: Path, store: Store, ontology: Ontology) -> Imported:
    """Return a table of facts as cited TriG, without the rows that are in doubt.

    Names stand for the entities that are called exactly so, by label, alias, ticker, Wikidata item
    or IRI; nearer names are suggested, never taken. A row that has any cell in doubt is left out.

    Args:
        table: a file of comma-separated values, or tab-separated ones (.tsv); UTF-8.
        mapping: what its columns mean; docs/import.md describes it.
        store: the graph that names and deals are looked up in.
        ontology: its classes and rules.

    Raises:
        BadFile: a file is missing or broken, or the table lacks a column.
    """
    reader = _Reader(read_mapping(mapping, store, ontology), store, ontology)
    rows, left_out = 0, 0
    quads: list[Quad] = []
    doubts: list[Doubt] = []
    for line, cells in _lines(table, reader.mapping.headers()):
        row = reader.row(line, cells)
        if row.doubts:
            left_out += 1
            doubts += row.doubts
        else:
            rows += 1
            quads += reader.quads(row)
    if rows:
        quads += _described(reader.mapping.document)
    return Imported(to_text(quads), rows, left_out, tuple(doubts))


def message(table: Path, doubt: Doubt) -> str:
    """Return a doubt as a message: file, line and column, what is wrong, what to do."""
    where = f"{table}:{doubt.line}: {doubt.column}" if doubt.column else f"{table}:{doubt.line}"
    return str(BadCell(doubt.problem, where=where, fix=doubt.fix))


def review(doubts: Iterable[Doubt]) -> str:
    """Return what is in doubt as CSV, for people to decide on."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(REVIEWED)
    writer.writerows((d.line, d.column, d.value, d.problem, d.fix) for d in doubts)
    return text.getvalue()


class _Reader:
    """Reads the rows of a table by a mapping."""

    def __init__(self, mapping: Mapping, store: Store, ontology: Ontology) -> None:
        self.mapping = mapping
        self.roles = ontology.below(PARTICIPANT.value)
        self.cells = Cells(store, ontology, mapping.names, mapping.document.language)
        self.events = Events(store, ontology, mapping.event_class, mapping.verb)
        self.graph = NamedNode(SOURCE + mapping.document.name)

    def row(self, line: int, cells: dict[str, str]) -> _Row:
        """Return what a line holds; its event is named if nothing else is in doubt."""
        row = _Row(line)
        for column in self.mapping.columns:
            self._read(row, column, cells)
        for need in (CERTAINTY, LOCATOR):
            if need.value not in row.contents and not row.doubts:
                name = local_name(need.value)
                row.doubt(name, "", BadCell(f"The row has no {name}.", fix="Fill in the cell."))
        if not row.doubts:
            stated = cells.get(self.mapping.event_header, "")
            try:
                row.event = self._event(row, stated)
            except BadCell as error:
                row.doubt(self.mapping.event_header, stated, error)
        return row

    def quads(self, row: _Row) -> Iterator[Quad]:
        """Yield what a row tells of its event."""
        assert row.event is not None
        yield Quad(row.event, TYPE, NamedNode(self.mapping.event_class), self.graph)
        for property, contents in row.contents.items():
            for content in contents:
                if isinstance(content, Figure):
                    node = BlankNode()
                    yield from figure_quads(node, content, self.graph)
                    content = node
                yield Quad(row.event, NamedNode(property), content, self.graph)

    def _read(self, row: _Row, column: Column, cells: dict[str, str]) -> None:
        """Read the cells of a property into a row."""
        places = [(header, cells[header]) for header in column.headers]
        if not column.headers:
            places = [("", column.value.replace("{line}", str(row.line)))]
        for header, text in places:
            if text:
                try:
                    found = self.cells.contents(column, text, cells.get(column.unit_header, ""))
                    row.contents.setdefault(column.property, []).extend(found)
                except BadCell as error:
                    row.doubt(header or f"[values] {local_name(column.property)}", text, error)

    def _event(self, row: _Row, stated: str) -> NamedNode:
        roles = {p: entities_of(x) for p, x in row.contents.items() if p in self.roles}
        dated = [column.property for column in self.mapping.columns if column.kind == DATE]
        dates = {p: text_of(x) for p in dated for x in row.contents.get(p, [])[:1]}
        return self.events.iri(roles, dates, stated)


def _lines(path: Path, headers: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row of a table with the line on which it starts; empty rows are passed over.

    Raises:
        BadFile: the file is missing, no UTF-8, or lacks a column.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(
            f"The file cannot be read: {error.strerror or error}.",
            where=str(path),
            fix="Check the path and its permissions.",
        ) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadFile(
            "This is no UTF-8.", where=f"{path}:{line}", fix="Save the table as UTF-8."
        ) from None
    delimiter = "\t" if path.suffix.lower() in TABBED else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        head = [name.strip() for name in next(reader, [])]
        _check_head(path, head, headers)
        end = reader.line_num
        for cells in reader:
            start, end = end + 1, reader.line_num
            if any(cell.strip() for cell in cells):
                if len(cells) != len(head):
                    raise csv.Error(f"{len(cells)} cells under {len(head)} columns")
                yield start, dict(zip(head, (cell.strip() for cell in cells), strict=True))
    except csv.Error as error:
        raise BadFile(
            f"The row cannot be read: {error}.",
            where=f"{path}:{reader.line_num}",
            fix='Quote a cell that holds commas, line breaks or quotes: "a, ""b""".',
        ) from None


def _check_head(path: Path, head: list[str], wanted: list[str]) -> None:
    """Refuse a table that lacks a column or has two of one name."""
    missing = [name for name in dict.fromkeys(wanted) if head.count(name) != 1]
    if missing:
        listed = ", ".join(f'"{name}"' for name in missing)
        raise BadFile(
            f"The table does not have exactly one column {listed}.",
            where=f"{path}:1",
            fix=f"Its columns are: {', '.join(head)}. Mend the mapping or the head of the table.",
        )


def _described(document: Document) -> Iterator[Quad]:
    """Yield what is said of the document, inside its own graph."""
    node = NamedNode(SOURCE + document.name)
    yield Quad(node, TYPE, SOURCE_CLASS, node)
    told = {
        DCTERMS + "title": Literal(document.title, language=document.language),
        DCTERMS + "publisher": Literal(document.publisher),
        DCTERMS + "language": Literal(document.language),
        DCTERMS + "issued": date_literal(document.issued),
        AIKG + "readOn": date_literal(document.read),
    }
    if document.url:
        told[SCHEMA + "url"] = Literal(document.url, datatype=NamedNode(XSD + "anyURI"))
    for property, value in told.items():
        yield Quad(node, NamedNode(property), value, node)
