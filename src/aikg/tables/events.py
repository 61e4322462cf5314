"""Which event a row tells of: one that the graph holds, or a new one and its name.

One deal has one name, whoever tells of it: the same parties, the same thing, within a month, is the
same deal (docs/modelling.md, section 5). What this does not decide is left to people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from pyoxigraph import NamedNode

from aikg.errors import BadCell
from aikg.files import text_of
from aikg.names import (
    ANNOUNCED_ON,
    CLOSED_ON,
    ENTITY,
    EVENT_DATE,
    MERGED,
    PARTICIPANT,
    TYPE,
    local_name,
    shorten,
)
from aikg.ontology import Ontology, Rule
from aikg.store import Store
from aikg.times import interval

MONTH = 31
"""Days within which a deal of the same parties is the same."""

NEW = "new"
"""What people write where a row tells of no event that the graph holds."""

Roles = Mapping[str, list[str]]
"""The IRIs of a row's entities by property, in the order of the mapping."""

Dates = Mapping[str, str]
"""The dates of a row by property, in the order of the mapping."""


@dataclass(frozen=True, slots=True)
class _Deal:
    """What tells a deal from others: parties, and when."""

    start: str
    end: str
    dates: dict[str, list[str]]


class Events:
    """The events of one class, in the graph and in the table.

    Args:
        store: the graph.
        ontology: its rules.
        event_class: IRI of the class.
        verb: the middle of a new event's name; empty means that of its relation.
    """

    def __init__(self, store: Store, ontology: Ontology, event_class: str, verb: str) -> None:
        self.store = store
        self.ontology = ontology
        self.event_class = event_class
        self.verb = verb
        self.told: dict[str, _Deal] = {}

    def iri(self, roles: Roles, dates: Dates, stated: str = "") -> NamedNode:
        """Return the event that a row tells of.

        Args:
            roles: the row's entities.
            dates: the row's dates; the first names a new event.
            stated: what people wrote: an IRI of an event, or `new`; empty if nothing.

        Raises:
            BadCell: parties or date are missing, or the row may tell of another deal.
        """
        start, verb, end = self._ends(roles)
        deal = _Deal(start, end, {property: [text] for property, text in dates.items()})
        if stated and stated != NEW:
            iri = self._stated(stated)
        else:
            iri = (None if stated else self._same(deal)) or self._fresh(deal, verb)
        if iri in self.told:
            raise BadCell(
                f"An earlier row tells of {shorten(iri)} too.",
                fix="Make one row of them, or name an event for each in a column.",
            )
        self.told[iri] = deal
        return NamedNode(iri)

    def _ends(self, roles: Roles) -> tuple[str, str, str]:
        """Return the subject, the verb and the object by which the event is named."""
        order = list(roles)
        found = []
        for rule in self.ontology.rules:
            if rule.event_class not in self.ontology.classes_above(self.event_class):
                continue
            starts, ends = (
                self._parties(roles, rule.subject_role),
                self._parties(roles, rule.object_role),
            )
            if rule.subject_role == rule.object_role:
                ends = ends[1:]
            if starts and ends:
                place = order.index(starts[0][0]), order.index(ends[0][0])
                found.append((place, rule, starts[0][1], ends[0][1]))
        if not found:
            raise BadCell("The parties are missing.", fix=f"Name {self._wanted()}.")
        _, rule, start, end = min(found, key=lambda item: item[0])
        return start, self.verb or _kebab(local_name(rule.relation)), end

    def _parties(self, roles: Roles, role: str) -> list[tuple[str, str]]:
        """Return the property and the entity of all that play a role."""
        below = self.ontology.below(role)
        return [
            (property, iri) for property in roles if property in below for iri in roles[property]
        ]

    def _wanted(self) -> str:
        above = self.ontology.classes_above(self.event_class)
        rules: list[Rule] = [rule for rule in self.ontology.rules if rule.event_class in above]
        pairs = [f"{local_name(r.subject_role)} and {local_name(r.object_role)}" for r in rules]
        return ", or ".join(pairs)

    def _stated(self, text: str) -> str:
        iri = ENTITY + text.removeprefix(ENTITY).removeprefix("ai:")
        if re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", iri.removeprefix(ENTITY)) is None:
            raise BadCell(f'"{text}" names no event.', fix="Write its name after ai:, or new.")
        held = {text_of(q.object) for q in self.store.match(NamedNode(iri), TYPE, None, MERGED)}
        if held and self.event_class not in held:
            raise BadCell(
                f"{shorten(iri)} is no {local_name(self.event_class)}.",
                fix="Write the name of another event, or new.",
            )
        return iri

    def _same(self, deal: _Deal) -> str | None:
        """Return the one event that a row surely tells of; None if it is surely another deal."""
        sure: list[str] = []
        unsure: list[str] = []
        for iri, other in sorted(self._alike(deal).items()):
            same = _is_same(deal, other)
            if same is not False:
                (sure if same else unsure).append(iri)
        if len(sure) == 1 and not unsure:
            return sure[0]
        if sure or unsure:
            listed = ", ".join(map(shorten, sure + unsure))
            raise BadCell(
                f"This may be a deal that is known: {listed}.",
                fix='Name the event in a column (event = "…" in the mapping), or write new there.',
            )
        return None

    def _alike(self, deal: _Deal) -> dict[str, _Deal]:
        """Return the events of the same class and parties, in the graph and in earlier rows."""
        found = {
            iri: other
            for iri, other in self.told.items()
            if (other.start, other.end) == (deal.start, deal.end)
        }
        events = self._with(deal.start) & self._with(deal.end)
        for event in events:
            if any(self.store.match(event, TYPE, NamedNode(self.event_class), MERGED)):
                found.setdefault(event.value, _Deal(deal.start, deal.end, self._dates(event)))
        return found

    def _with(self, party: str) -> set[NamedNode]:
        """Return the events that an entity takes part in."""
        return {
            quad.subject
            for role in self.ontology.below(PARTICIPANT.value)
            for quad in self.store.match(None, NamedNode(role), NamedNode(party), MERGED)
            if isinstance(quad.subject, NamedNode)
        }

    def _dates(self, event: NamedNode) -> dict[str, list[str]]:
        return {
            property: [text_of(quad.object) for quad in found]
            for property in self.ontology.below(EVENT_DATE.value)
            if (found := list(self.store.match(event, NamedNode(property), None, MERGED)))
        }

    def _fresh(self, deal: _Deal, verb: str) -> str:
        """Return a new name: subject, verb, object and year; the month added on a clash."""
        days = [day for days in deal.dates.values() for day in days]
        if not days:
            raise BadCell("The event has no date to name it by.", fix="Give one of its dates.")
        stem = f"{ENTITY}{local_name(deal.start)}-{verb}-{local_name(deal.end)}"
        for length in (4, 7):
            iri = f"{stem}-{days[0][:length]}"
            taken = iri in self.told or any(self.store.match(NamedNode(iri), None, None, MERGED))
            if not taken and len(days[0]) >= length:
                return iri
        raise BadCell(
            f"The name {shorten(iri)} is taken by another deal.",
            fix='Name the event in a column (event = "…" in the mapping).',
        )


def _is_same(deal: _Deal, other: _Deal) -> bool | None:
    """Tell whether two deals of the same parties are one; None where their dates do not tell.

    Different deals may start or end on one day, so only the days of news are compared.
    """
    told = [
        _is_near(day, known)
        for property in (ANNOUNCED_ON.value, CLOSED_ON.value)
        for day in deal.dates.get(property, ())
        for known in other.dates.get(property, ())
    ]
    if True in told:
        return True
    return False if told and None not in told else None


def _is_near(one: str, other: str) -> bool | None:
    """Tell whether two partial dates lie within a month; None where they may or may not."""
    days, others = interval(one), interval(other)
    if days is None or others is None:
        return None
    (first, last), (start, end) = (tuple(map(date.fromisoformat, x)) for x in (days, others))
    if max((last - start).days, (end - first).days) <= MONTH:
        return True
    return False if max((first - end).days, (start - last).days) > MONTH else None


def _kebab(name: str) -> str:
    """Return the name of a relation as part of a slug.

    >>> _kebab("buysComputeFrom")
    'buys-compute-from'
    """
    return re.sub("([A-Z])", r"-\1", name).lower()


def entities_of(contents: Iterable[object]) -> list[str]:
    """Return the IRIs among what a row's cells hold."""
    return [term.value for term in contents if isinstance(term, NamedNode)]
