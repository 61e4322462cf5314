"""Figures as people write them: "up to $50 bn", "about 2 GW", "3-5%", read with their hedges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from aikg.errors import BadCell
from aikg.model import Figure
from aikg.units import SCALED_UNITS, SI_PREFIXES

CURRENCIES = {
    **dict.fromkeys(("$", "us$", "usd", "dollar", "dollars"), "USD"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "EUR"),
    **dict.fromkeys(("£", "gbp"), "GBP"),
    **{
        code.lower(): code
        for code in (
            *("AED", "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "HKD", "IDR", "ILS", "INR", "JPY"),
            *("KRW", "MXN", "MYR", "NOK", "NZD", "PLN", "QAR", "SAR", "SEK", "SGD", "THB", "TRY"),
            *("TWD", "VND", "ZAR"),
        )
    },
}
"""Currencies by what people write in lower case. Source: ISO 4217 (codes)."""

SCALES = {
    **dict.fromkeys(("k", "thousand", "thousands"), 3),
    **dict.fromkeys(("m", "mn", "million", "millions"), 6),
    **dict.fromkeys(("b", "bn", "billion", "billions"), 9),
    **dict.fromkeys(("t", "tn", "trillion", "trillions"), 12),
}
"""Powers of ten by what people write before a currency or a plain count (short scale)."""

PREFIXES = {"": 0, **{symbol: power for power, symbol in SI_PREFIXES}}
PREFIX_NAMES = {"": 0, "kilo": 3, "mega": 6, "giga": 9, "tera": 12, "peta": 15, "exa": 18}

NAMED = {"watt": "W", "watts": "W", "byte": "B", "bytes": "B"}
PLAIN = {"%": "%", "percent": "%", "kg": "kg", "m2": "m2", "m3": "m3", "1": "1"}
"""Units that take no prefix."""

BOUNDS = {
    **dict.fromkeys((">", ">=", "≥", "over", "above", "more than", "at least"), "minimum"),
    **dict.fromkeys(("exceeding", "no less than", "minimum of"), "minimum"),
    **dict.fromkeys(("<", "<=", "≤", "under", "below", "less than", "at most"), "maximum"),
    **dict.fromkeys(("up to", "as much as", "no more than", "maximum of"), "maximum"),
}
"""Words that make a figure a bound."""

HEDGES = {
    **dict.fromkeys(("~", "≈", "about", "around", "approximately", "approx."), "approximately"),
    **dict.fromkeys(("circa", "roughly", "some", "an estimated"), "approximately"),
    **dict.fromkeys(("almost", "nearly", "close to", "just under"), "almost"),
}
"""Words that qualify a figure, and the local name of the hedge that they mean."""

UNDISCLOSED = ("undisclosed", "not disclosed")
MULTIPLES = {"multi": 0, "tens of": 1, "hundreds of": 2}
"""Powers of ten of what names no number but an order of magnitude."""


def _any(words: Iterable[str]) -> str:
    """Return a pattern of words, of which the longest counts."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_OPENING = re.compile(rf"({_any({**BOUNDS, **HEDGES})})(?=[\s\d$€£]|US)\s*", re.IGNORECASE)
_CLOSING = re.compile(r"\s*(?:\+|\bor more\b)(?=\D*$)", re.IGNORECASE)
_VAGUE = re.compile(rf"(?:({_any(MULTIPLES)})[\s-]*)?({_any(SCALES)})\b(?: of)?(.*)", re.IGNORECASE)
_RANGE = re.compile(
    r"(?:between\s+)?(.*\d.*?)\s*(?:-|–|—|\bto\b|\band\b)\s*(.*\d.*)", re.IGNORECASE
)
_NUMBER = re.compile(r"([^\d.,+-]*)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d.,])(.*)")
_TOKEN = re.compile(r"US\$|[$€£%]|[^\s$€£%]+")
_SCALED = re.compile(rf"({_any(PREFIXES)})({_any(SCALED_UNITS)})")
_SCALED_NAME = re.compile(rf"({_any(PREFIX_NAMES)})({_any(NAMED)})")


_FIX = 'Write number and unit, such as "about $50 bn", "up to 2 GW", ">10%" or "3-5 MW".'


def figure(text: str, unit: str = "") -> Figure:
    """Return a figure in its base unit, with its bounds and hedge.

    A unit is always read, never assumed: it stands in the text, or `unit` says what the text leaves
    out. "more than" and "at least" make a minimum, "up to" and "less than" a maximum.

    Args:
        text: the figure as it is printed.
        unit: scale and unit of numbers that are printed without, such as `USD bn` or `MW`.

    Raises:
        BadCell: the text is no figure, has no unit, or one that is unlike `unit`.

    >>> figure("more than $50 bn")
    Figure(unit='USD', value='', minimum='50000000000', maximum='', hedge='')
    >>> figure("about 3", "GW").value, figure("about 3", "GW").hedge
    ('3000000000', 'approximately')
    """
    rest = " ".join(text.split())
    assumed = _Unit.of(unit) if unit else _Unit()
    if rest.casefold() in UNDISCLOSED:
        return Figure(unit=assumed.name, hedge="undisclosed")
    bounds, hedge, rest = _opened(rest)
    if len(bounds) > 1:
        raise _unread(text)
    bound = "".join(bounds)
    if not bound and (vague := _VAGUE.fullmatch(rest)):
        return _order_of_magnitude(vague, assumed, text)
    ends = _RANGE.fullmatch(rest)
    if ends is None:
        number = _Amount.of(rest, assumed, text).under(assumed, text)
        return _figure(number.unit.name, {bound or "value": number}, hedge)
    low, high = (_Amount.of(end, assumed, text) for end in ends.groups())
    least = low.under(high.unit, text).under(assumed, text)
    most = high.under(low.unit, text).under(assumed, text)
    if bound or least.unit.name != most.unit.name or least.whole > most.whole:
        raise _unread(text)
    return _figure(most.unit.name, {"minimum": least, "maximum": most}, hedge)


def _opened(text: str) -> tuple[set[str], str, str]:
    """Return the bounds and the hedge that a text opens or closes with, and the rest."""
    bounds, hedge = set(), ""
    while opening := _OPENING.match(text):
        word = opening[1].casefold()
        if word in BOUNDS:
            bounds.add(BOUNDS[word])
        hedge = HEDGES.get(word, hedge)
        text = text[opening.end() :]
    if _CLOSING.search(text):
        bounds.add("minimum")
    return bounds, hedge, _CLOSING.sub("", text)


@dataclass(frozen=True)
class _Unit:
    """A base unit, and the power of ten that is written with it; None where none is."""

    name: str = ""
    power: int | None = None

    @classmethod
    def of(cls, text: str, *, counts: bool = False) -> _Unit:
        """Return what a text says of the unit.

        Args:
            text: the words beside a number.
            counts: whether a single letter is a scale, as beside money or plain counts.

        Raises:
            BadCell: a word is no scale or unit.
        """
        found = cls()
        tokens = _TOKEN.findall(text)
        counts = counts or any(token.casefold() in {**CURRENCIES, "1": ""} for token in tokens)
        for token in tokens:
            name, power = _word(token, counts=counts)
            if (name and found.name) or (name == "" and found.power is not None):
                raise _unread(text)
            powers = [x for x in (found.power, power) if x is not None]
            found = cls(name or found.name, sum(powers) if powers else None)
        return found

    @property
    def counts(self) -> bool:
        """Whether scales are words here, not prefixes."""
        return self.name == "1" or Figure(self.name).is_money


@dataclass(frozen=True)
class _Amount:
    """A number as printed, with what is printed of its unit."""

    number: Decimal
    unit: _Unit

    @classmethod
    def of(cls, text: str, assumed: _Unit, whole: str) -> _Amount:
        """Return number and unit of a text without hedges."""
        found = _NUMBER.fullmatch(text)
        if found is None:
            raise _unread(whole)
        money = any(sign in whole for sign in "$€£")
        unit = _Unit.of(f"{found[1]} {found[3]}", counts=assumed.counts or money)
        return cls(Decimal(found[2].replace(",", "")), unit)

    @property
    def whole(self) -> Decimal:
        """The number in the base unit."""
        return self.number.scaleb(self.unit.power or 0)

    def under(self, assumed: _Unit, whole: str) -> _Amount:
        """Return the amount with what it leaves out of its unit.

        Raises:
            BadCell: it is in another unit, or what it leaves out is in doubt.
        """
        own = self.unit
        if own.name and assumed.name and own.name != assumed.name:
            if not (own.counts and assumed.counts):
                raise _unread(whole, f"It is no figure in {assumed.name}.")
        elif own.power is not None and assumed.power and not own.name and not assumed.counts:
            raise _unread(whole, "It has two scales.")
        elif own.name and assumed.name and own.power is None and assumed.power:
            raise _unread(whole, "It has a currency and no scale.")
        power = assumed.power if own.power is None else own.power
        return _Amount(self.number, _Unit(own.name or assumed.name, power))


def _word(token: str, *, counts: bool) -> tuple[str, int | None]:
    """Return the unit and the power of ten that a word stands for."""
    word = token.casefold()
    if word in CURRENCIES:
        return CURRENCIES[word], None
    if token in PLAIN:
        return PLAIN[token], 0
    scaled = _SCALED.fullmatch(token)
    if word in SCALES and (counts or not scaled):
        return "", SCALES[word]
    if scaled:
        return scaled[2], PREFIXES[scaled[1]]
    if named := _SCALED_NAME.fullmatch(word):
        return NAMED[named[2]], PREFIX_NAMES[named[1]]
    raise BadCell(f'"{token}" is no scale or unit.', fix=_FIX)


def _order_of_magnitude(vague: re.Match[str], assumed: _Unit, whole: str) -> Figure:
    """Return the figure that "tens of billions" gives: its least power of ten."""
    multiple, scale, rest = vague.groups()
    if multiple is None and not scale.endswith("s"):
        raise _unread(whole)
    power = MULTIPLES[(multiple or "multi").casefold()] + SCALES[scale.casefold()]
    amount = _Amount(Decimal(1), replace(_Unit.of(rest), power=power)).under(assumed, whole)
    return _figure(amount.unit.name, {"minimum": amount}, "orderOfMagnitude")


def _figure(unit: str, amounts: dict[str, _Amount], hedge: str) -> Figure:
    """Return a figure of amounts in the base unit."""
    if not unit:
        raise BadCell("The figure has no unit.", fix=_FIX)
    numbers = {end: _plain(amount.whole) for end, amount in amounts.items()}
    return Figure(unit, hedge=hedge, **numbers)


def _plain(number: Decimal) -> str:
    """Return a number without exponent or trailing zeros.

    >>> _plain(Decimal("1.50E+3")), _plain(Decimal("0.250"))
    ('1500', '0.25')
    """
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _unread(text: str, why: str = "") -> BadCell:
    return BadCell(f'"{text}" is no figure that can be read. {why}'.rstrip(), fix=_FIX)
