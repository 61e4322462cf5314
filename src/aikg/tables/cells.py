"""What a cell says, as terms of RDF: read whole or refused with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.entities import classes, find, labels
from aikg.errors import AikgError, BadCell, UnknownEntity
from aikg.figures import figure
from aikg.files import Term
from aikg.model import Figure
from aikg.names import AIKG, HEDGE, MERGED, SCHEMA, TYPE, XSD, local_name
from aikg.ontology import Ontology
from aikg.store import Store
from aikg.tables.mapping import CONCEPT, DATE, ENTITY, QUANTITY, Column
from aikg.times import interval

Content = Term | Figure
"""What a cell holds: a term, or a figure that becomes a node of its own."""

SEPARATOR = ";"
"""What stands between several names in one cell."""

_DATES = {4: "gYear", 7: "gYearMonth", 10: "date"}
"""Datatypes of partial dates by the length of their text."""

_DURATION = re.compile(r"(\d+)[ -](year|month|day)s?", re.IGNORECASE)
_LITERALS = {
    XSD + "integer": (r"[+-]?\d+", "Write a whole number in digits alone."),
    XSD + "decimal": (r"[+-]?\d+(\.\d+)?", "Write a number such as 12.5."),
    XSD + "duration": (r"P(?=.)(\d+Y)?(\d+M)?(\d+D)?", "Write a duration such as 10 years."),
}
"""What literals of a datatype look like, and what to write."""

_IN_SCHEME = NamedNode("http://www.w3.org/2004/02/skos/core#inScheme")
_MONEY, _QUANTITY = NamedNode(SCHEMA + "MonetaryAmount"), NamedNode(SCHEMA + "QuantitativeValue")


class Cells:
    """Reads cells against a graph.

    Args:
        store: the graph that names are looked up in.
        ontology: its classes.
        names: the entity that a name stands for, where people decided it.
        language: the language of texts.
    """

    def __init__(
        self, store: Store, ontology: Ontology, names: dict[str, str], language: str
    ) -> None:
        self.store = store
        self.ontology = ontology
        self.names = names
        self.language = language
        self._found: dict[str, NamedNode | BadCell] = {}

    def contents(self, column: Column, text: str, unit: str = "") -> list[Content]:
        """Return what a cell holds.

        Raises:
            BadCell: the text is not what the property takes, or a name stands for no entity, or for
                several.
        """
        if column.kind == ENTITY:
            parts = (part.strip() for part in text.split(SEPARATOR))
            return [self._entity(part) for part in parts if part]
        if column.kind == CONCEPT:
            return [self._concept(column.property, part.strip()) for part in text.split(SEPARATOR)]
        if column.kind == QUANTITY:
            return [_checked(figure(text, unit or column.unit))]
        if column.kind == DATE:
            return [date_literal(text)]
        return [self._literal(column.kind, text)]

    def _entity(self, name: str) -> NamedNode:
        """Return the entity that a name stands for, looked up once."""
        if name not in self._found:
            try:
                self._found[name] = self._looked_up(self.names.get(name, name))
            except AikgError as error:
                fix = f"{error.fix} Decide it under [names] in the mapping."
                self._found[name] = BadCell(error.what, fix=fix)
        found = self._found[name]
        if isinstance(found, BadCell):
            raise found
        return found

    def _looked_up(self, name: str) -> NamedNode:
        iri = find(self.store, name).iri
        is_event = any(map(self.ontology.is_event, classes(self.store, iri)))
        if is_event or not labels(self.store, iri):
            raise UnknownEntity(f'"{name}" is no thing with a label.', fix="Name a thing.")
        return NamedNode(iri)

    def _concept(self, property: str, text: str) -> NamedNode:
        """Return the concept of a property's scheme that a text names, by label or slug."""
        scheme = NamedNode(f"{property}Scheme")
        found = {q.subject for q in self.store.match(None, _IN_SCHEME, scheme, MERGED)}
        names = {node: self._called(node) for node in found if isinstance(node, NamedNode)}
        for node, called in names.items():
            if text.casefold() in called:
                return node
        known = ", ".join(sorted(local_name(node.value) for node in names))
        raise BadCell(f'"{text}" is no {local_name(property)}.', fix=f"Write one of: {known}.")

    def _called(self, node: NamedNode) -> set[str]:
        told = labels(self.store, node.value).values()
        return {name.casefold() for name in (local_name(node.value), *told)}

    def _literal(self, datatype: str, text: str) -> Literal:
        if datatype == "":
            return Literal(text, language=self.language)
        if datatype == XSD + "duration" and (words := _DURATION.fullmatch(text)):
            text = f"P{words[1]}{words[2][0].upper()}"
        pattern, fix = _LITERALS.get(datatype, (".+", ""))
        if re.fullmatch(pattern, text, re.DOTALL) is None:
            raise BadCell(f'"{text}" is no {local_name(datatype)}.', fix=fix)
        return Literal(text, datatype=NamedNode(datatype))


def date_literal(text: str) -> Literal:
    """Return a partial date as a literal, as precise as it is.

    Raises:
        BadCell: the text is no day, month or year.

    >>> date_literal("2025-03").datatype.value
    'http://www.w3.org/2001/XMLSchema#gYearMonth'
    """
    if len(text) not in _DATES or interval(text) is None or text.startswith("0000"):
        raise BadCell(
            f'"{text}" is no date that can be read.',
            fix="Write a day, month or year as 2025-03-14, 2025-03 or 2025.",
        )
    return Literal(text, datatype=NamedNode(XSD + _DATES[len(text)]))


def figure_quads(node: BlankNode, told: Figure, graph: NamedNode) -> Iterator[Quad]:
    """Yield what a graph says of a figure's node."""
    ends = (("value", told.value), ("minValue", told.minimum), ("maxValue", told.maximum))
    yield Quad(node, TYPE, _MONEY if told.is_money else _QUANTITY, graph)
    for name, number in ends:
        if number:
            datatype = NamedNode(XSD + ("decimal" if "." in number else "integer"))
            yield Quad(node, NamedNode(SCHEMA + name), Literal(number, datatype=datatype), graph)
    if any(number for _, number in ends):
        unit = "currency" if told.is_money else "unitText"
        yield Quad(node, NamedNode(SCHEMA + unit), Literal(told.unit), graph)
    if told.hedge:
        yield Quad(node, HEDGE, NamedNode(AIKG + told.hedge), graph)


def _checked(told: Figure) -> Figure:
    """Return a figure whose kind is known."""
    if not told.unit:
        raise BadCell(
            "It is not known what is undisclosed, money or watts.",
            fix='Give the column a unit in the mapping, such as unit = "USD".',
        )
    return told
