"""What the graph answers with: plain frozen records, IRIs and lexical forms as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Name:
    """An IRI with the label that people call it by."""

    iri: str
    label: str


@dataclass(frozen=True, slots=True)
class Source:
    """A document that states facts; its IRI also names the graph that holds them."""

    iri: str
    title: str
    publisher: str = ""
    issued: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with its hedge, as one source gives it.

    Lexical forms of numbers are kept as text, so that nothing is rounded. `value` is exact,
    `minimum` means "more than", `maximum` "up to"; both together are a range.
    """

    role: Name
    unit: str = ""
    value: str = ""
    minimum: str = ""
    maximum: str = ""
    hedge: Name | None = None
    certainty: Name | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as a text prints it, in the base unit, its bounds and hedge kept.

    Numbers are plain decimals without exponent. `hedge` is the local name of the hedge's term.
    """

    unit: str = ""
    value: str = ""
    minimum: str = ""
    maximum: str = ""
    hedge: str = ""

    @property
    def is_money(self) -> bool:
        """Whether the unit is a currency."""
        return re.fullmatch("[A-Z]{3}", self.unit) is not None


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of one source that joins two entities.

    Args:
        subject: the entity that the relation starts from.
        relation: the relation, in words; its IRI is the property.
        object: the entity that the relation points to.
        source: the document that states it.
        event: the deal that it rests on; None for a plain relation.
        certainty: how sure the source is; None for a plain relation.
        status: how far the event has got, where the source says.
        settled: whether the source settles the event, so that the relation holds plainly.
        dates, quantities, qualifiers: what else the source says of the event, by property.
        stated_by: whom the source quotes.
        locator: where in the document it stands.
        undated: whether its dates cannot decide if it falls under the dates asked for.
    """

    subject: Name
    relation: Name
    object: Name
    source: Source
    event: Name | None = None
    certainty: Name | None = None
    status: Name | None = None
    settled: bool = True
    dates: tuple[tuple[Name, str], ...] = ()
    quantities: tuple[Quantity, ...] = ()
    qualifiers: tuple[tuple[Name, str], ...] = ()
    stated_by: tuple[Name, ...] = ()
    locator: str = ""
    undated: bool = False


@dataclass(frozen=True, slots=True)
class Hop:
    """All facts that join one entity of a path to the next, in either direction.

    `certainty` is that of its surest fact; a plain relation counts as asserted.
    """

    start: Name
    end: Name
    facts: tuple[Fact, ...]
    certainty: Name


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of hops; `certainty` is that of its weakest hop."""

    hops: tuple[Hop, ...]
    certainty: Name

    @property
    def entities(self) -> tuple[Name, ...]:
        """The entities along the path, both ends included."""
        return (self.hops[0].start, *(hop.end for hop in self.hops))


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of what a source says of an entity, event or claim, other than a relation.

    `unit` is that of the property; the value is then a number in it.
    """

    property: Name
    value: str
    source: Source
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A hedged, compared or qualitative statement about an entity."""

    iri: str
    metric: Name
    source: Source
    certainty: Name | None = None
    quantities: tuple[Quantity, ...] = ()
    compared_to: tuple[Name, ...] = ()
    compares_by: Name | None = None
    details: tuple[tuple[Name, str], ...] = ()
    stated_by: tuple[Name, ...] = ()
    locator: str = ""
    status: Name | None = None
    dates: tuple[tuple[Name, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """All that the graph holds on one entity; `mentions` are what names it without joining it."""

    entity: Name
    classes: tuple[Name, ...] = ()
    aliases: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    facts: tuple[Fact, ...] = ()
    claims: tuple[Claim, ...] = ()
    mentions: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of an exported graph."""

    iri: str
    label: str
    labels: dict[str, str] = field(default_factory=dict, hash=False)
    classes: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """What a property leads to, in words; `iri` is that of an entity, `quantity` a figure."""

    text: str
    iri: str = ""
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A fact about an entity that one side holds and the other does not.

    Args:
        change: `added`, `removed`, or `changed` where both sides give the property other values.
        entity: what the fact is about; a blank node that stands alone has no stable name.
        property: the property, labelled.
        old, new: the values that went and those that came.
        graph: IRI of the source that states it; empty for facts in no graph.
    """

    change: str
    entity: Name
    property: Name
    old: tuple[Value, ...]
    new: tuple[Value, ...]
    graph: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a saved question takes: an `entity`, a `term` of the ontology, or a `date`."""

    name: str
    kind: str
    default: str
    about: str


@dataclass(frozen=True, slots=True)
class Column:
    """What a saved question gives in one place of a row.

    Args:
        name: the variable of the query.
        kind: `entity`, `term`, `terms`, `sources`, `text`, `date`, `currency`, `money` (in the
            currency of the row) or `number`.
        unit: the unit of a number, if it has one.
    """

    name: str
    kind: str
    unit: str = ""

    @property
    def key(self) -> str:
        """The name with the unit, as programs read it.

        >>> Column("memory", "number", "B").key
        'memory_bytes'
        """
        unit = _UNIT_WORDS.get(self.unit, "")
        return f"{self.name}_{unit}" if unit else self.name


_UNIT_WORDS = {
    "%": "percent",
    "B": "bytes",
    "B/s": "bytes_per_second",
    "FLOP": "flop",
    "FLOP/s": "flop_per_second",
    "OP/s": "op_per_second",
    "W": "watts",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A saved query: what it asks, takes and gives.

    `about` says what counts and what does not, `order` in which order rows come; `text` is SPARQL.
    """

    name: str
    group: str
    title: str
    about: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    order: str
    text: str


Cell = Name | str | tuple[Name, ...] | tuple[Source, ...]
"""What stands in one column of a row: an IRI, a literal, or all IRIs of a kind."""


@dataclass(frozen=True, slots=True)
class Result:
    """The rows that answer a saved question, one cell a column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
