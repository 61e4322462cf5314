"""How a table is read: its document, the class of its rows, and what each column tells."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from aikg.errors import BadFile
from aikg.files import text_of
from aikg.names import (
    AIKG,
    CERTAINTY,
    EVENT_DATE,
    HAS_QUANTITY,
    LOCATOR,
    MERGED,
    PREFIXES,
    RDFS,
    TYPE,
    XSD,
    local_name,
)
from aikg.ontology import Ontology
from aikg.store import Store
from aikg.times import interval

ENTITY, CONCEPT, DATE, QUANTITY = "entity", "concept", "date", "quantity"
"""Kinds of columns; a column of any other kind holds literals of the datatype that it names."""

_SLUG = "[a-z0-9]+(-[a-z0-9]+)*"
_RANGE = NamedNode(RDFS + "range")
_OBJECT_PROPERTY = NamedNode(PREFIXES["owl"] + "ObjectProperty")
_DATATYPE_PROPERTY = NamedNode(PREFIXES["owl"] + "DatatypeProperty")
_NEEDED = (CERTAINTY, LOCATOR)
_DOCUMENT = ("name", "title", "publisher", "issued", "read", "url", "language")
_TABLES = ("class", "verb", "event", "source", "columns", "values", "names")


@dataclass(frozen=True, slots=True)
class Document:
    """The document that the facts are cited from; `name` is the last part of its IRI."""

    name: str
    title: str
    publisher: str
    issued: str
    read: str
    url: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Column:
    """What a property is read from: columns, or one value for every row.

    Args:
        property: IRI of the property.
        kind: `entity`, `concept`, `date`, `quantity`, or the IRI of a datatype; empty is text.
        headers: the columns.
        value: the value, where no column holds it.
        unit: scale and unit of figures that are printed without, such as `USD bn`.
        unit_header: the column that holds the unit.
    """

    property: str
    kind: str
    headers: tuple[str, ...] = ()
    value: str = ""
    unit: str = ""
    unit_header: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """What a mapping file says, its terms resolved.

    Args:
        document: where the facts come from.
        event_class: IRI of the class of every row.
        verb: the middle of a new event's name; empty means that of its relation.
        event_header: the column in which people name events; empty if there is none.
        columns: the properties, in the order of the file.
        names: what people decided: the entity that a name in the table stands for.
    """

    document: Document
    event_class: str
    verb: str
    event_header: str
    columns: tuple[Column, ...]
    names: dict[str, str]

    def headers(self) -> list[str]:
        """Return the columns that the table must have."""
        found = [self.event_header] if self.event_header else []
        for column in self.columns:
            found += [*column.headers, *([column.unit_header] if column.unit_header else [])]
        return found


def read_mapping(path: Path, store: Store, ontology: Ontology) -> Mapping:
    """Return what a mapping file says.

    Args:
        path: a TOML file; docs/import.md describes it.
        store: the graph that holds the ontology's terms.
        ontology: its classes.

    Raises:
        BadFile: the file is missing or broken, or says what makes no sense; all faults are told.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadFile(
            f"The file cannot be read: {error.strerror or error}.",
            where=str(path),
            fix="Check the path and its permissions.",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(
            f"This is no TOML: {error}.", where=str(path), fix="See https://toml.io."
        ) from None
    reader = _Reader(store, ontology)
    mapping = reader.mapping(content)
    if reader.faults:
        raise BadFile(
            "\n".join(reader.faults), where=str(path), fix="docs/import.md describes the mapping."
        )
    return mapping


class _Reader:
    """Resolves the terms of a mapping and collects its faults."""

    def __init__(self, store: Store, ontology: Ontology) -> None:
        self.store = store
        self.ontology = ontology
        self.faults: list[str] = []

    def mapping(self, content: dict[str, Any]) -> Mapping:
        self._known(content, _TABLES, "The mapping")
        columns = [self._column(*item) for item in self._table(content, "columns").items()]
        columns += [self._value(*item) for item in self._table(content, "values").items()]
        told = {column.property for column in columns}
        for need in _NEEDED:
            if need.value not in told:
                name = local_name(need.value)
                self.faults.append(f"No {name} is told: name its column or its value.")
        names = self._table(content, "names")
        return Mapping(
            document=self._document(self._table(content, "source")),
            event_class=self._class(self._text(content, "class", "The mapping")),
            verb=self._slug(content, "verb") if "verb" in content else "",
            event_header=self._text(content, "event", "") if "event" in content else "",
            columns=tuple(columns),
            names={name: self._text(names, name, "[names]") for name in names},
        )

    def _document(self, table: dict[str, Any]) -> Document:
        self._known(table, _DOCUMENT, "[source]")
        for key in ("issued", "read"):
            if interval(self._text(table, key, "[source]")) is None:
                self.faults.append(f"[source] {key} is no day, month or year.")
        texts = {key: self._text(table, key, "[source]") for key in ("title", "publisher")}
        dates = {key: _as_text(table.get(key)) for key in ("issued", "read")}
        more = {key: _as_text(table[key]) for key in ("url", "language") if key in table}
        return Document(name=self._slug(table, "name"), **texts, **dates, **more)

    def _class(self, name: str) -> str:
        iri = AIKG + name
        if name and not self.ontology.is_event(iri):
            self.faults.append(f'class: "{name}" is no class of events.')
        return iri

    def _column(self, name: str, told: Any) -> Column:
        table = told if isinstance(told, dict) else {"column": told}
        self._known(table, ("column", "unit", "unit_column"), f"[columns] {name}")
        column = table.get("column")
        headers = tuple(map(_as_text, column if isinstance(column, list) else [column]))
        if not headers or "" in headers:
            self.faults.append(f"[columns] {name} names no column.")
        unit, unit_header = (str(table.get(key, "")) for key in ("unit", "unit_column"))
        kind = self._kind(name)
        return Column(AIKG + name, kind, headers, unit=unit, unit_header=unit_header)

    def _value(self, name: str, told: Any) -> Column:
        return Column(AIKG + name, self._kind(name), value=_as_text(told))

    def _kind(self, name: str) -> str:
        """Return what the columns of a property hold, as the ontology tells."""
        node = NamedNode(AIKG + name) if re.fullmatch(r"\w+", name) else None
        types = {quad.object for quad in self.store.match(node, TYPE, None, MERGED)} if node else ()
        if node is None or not {_OBJECT_PROPERTY, _DATATYPE_PROPERTY} & set(types):
            self.faults.append(f'"{name}" is no property.')
            return ""
        above = self.ontology.above(node.value)
        if HAS_QUANTITY.value in above:
            return QUANTITY
        if EVENT_DATE.value in above:
            return DATE
        if _OBJECT_PROPERTY in types:
            scheme = NamedNode(f"{node.value}Scheme")
            is_concept = any(True for _ in self.store.match(scheme, TYPE, None, MERGED))
            return CONCEPT if is_concept else ENTITY
        ranges = sorted(text_of(q.object) for q in self.store.match(node, _RANGE, None, MERGED))
        return next((iri for iri in ranges if iri.startswith(XSD)), "")

    def _table(self, content: dict[str, Any], key: str) -> dict[str, Any]:
        table = content.get(key, {})
        if isinstance(table, dict):
            return table
        self.faults.append(f"{key} is no table: write [{key}].")
        return {}

    def _text(self, table: dict[str, Any], key: str, where: str) -> str:
        text = _as_text(table.get(key))
        if not text:
            self.faults.append(f"{where} has no {key}.".strip())
        return text

    def _slug(self, table: dict[str, Any], key: str) -> str:
        text = _as_text(table.get(key))
        if re.fullmatch(_SLUG, text) is None:
            self.faults.append(f'{key}: "{text}" is no name such as deals-2026 or invests-in.')
        return text

    def _known(self, table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
        for key in table.keys() - set(known):
            self.faults.append(f'{where} has "{key}", which is none of {", ".join(known)}.')


def _as_text(value: Any) -> str:
    """Return a value of TOML as text: a date as ISO 8601, a year as its digits."""
    if isinstance(value, date):
        return value.isoformat()
    return str(value).strip() if isinstance(value, (str, int)) else ""
