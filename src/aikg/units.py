"""Quantities in words and partial dates as intervals."""

from __future__ import annotations

import calendar
import re
from decimal import Decimal, InvalidOperation

from aikg.model import Quantity

SI_PREFIXES = ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M"), (3, "k"))
"""Powers of ten and their symbols (SI Brochure, 9th edition, section 3)."""

MONEY_SCALES = {
    "en": ((12, "tn"), (9, "bn"), (6, "m")),
    "es": ((12, "billones"), (6, "millones")),
}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
BOUNDS = {"en": ("more than", "up to"), "es": ("más de", "hasta")}

_DATE = re.compile(r"(-?\d{4,})(?:-(\d\d)(?:-(\d\d))?)?(?:Z|[+-]\d\d:\d\d|T.*)?")


def number_text(value: str, lang: str = "en") -> str:
    """Return a number as people write it, without exponent or trailing zeros.

    >>> number_text("4.40")
    '4.4'
    >>> number_text("1234567", "es")
    '1.234.567'
    """
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    if not number.is_finite():
        return value
    text = f"{number:,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.translate(str.maketrans(",.", ".,")) if lang == "es" else text


def value_text(value: str, unit: str, *, ratio: bool = False, lang: str = "en") -> str:
    """Return one value with its unit, scaled for people.

    Args:
        value: lexical form of a number in the base unit.
        unit: a base unit (`W`, `B`, `B/s`, `FLOP/s`, `s`), `%`, `1`, or a currency code.
        ratio: whether a value without unit says how many times as much.
        lang: `en` or `es`.

    >>> value_text("50000000000", "USD")
    '$50 bn'
    >>> value_text("362000000000000000", "FLOP/s")
    '362 PFLOP/s'
    >>> value_text("4.4", "1", ratio=True)
    '4.4×'
    """
    if re.fullmatch(r"[A-Z]{3}", unit):
        amount = _scaled(value, MONEY_SCALES[lang], lang, " ")
        sign = SIGNS.get(unit)
        return f"{sign}{amount}" if sign else f"{unit} {amount}"
    if unit in ("W", "B", "B/s", "FLOP/s"):
        return _scaled(value, SI_PREFIXES, lang, " ", unit)
    if unit in ("", "1"):
        return number_text(value, lang) + ("×" if ratio else "")
    return f"{number_text(value, lang)} {unit}"


def quantity_text(quantity: Quantity, *, ratio: bool = False, lang: str = "en") -> str:
    """Return a quantity with its bounds and hedge in words; nothing is left out.

    >>> from aikg.model import Name
    >>> quantity_text(Quantity(Name("urn:amount", "amount"), "USD", minimum="100000000000"))
    'more than $100 bn'
    """

    def text(value: str) -> str:
        return value_text(value, quantity.unit, ratio=ratio, lang=lang)

    over, up_to = BOUNDS[lang]
    if quantity.value:
        words = text(quantity.value)
    elif quantity.minimum and quantity.maximum:
        words = f"{text(quantity.minimum)} – {text(quantity.maximum)}"
    elif quantity.minimum:
        words = f"{over} {text(quantity.minimum)}"
    elif quantity.maximum:
        words = f"{up_to} {text(quantity.maximum)}"
    else:
        words = ""
    if quantity.hedge is not None:
        words = f"{quantity.hedge.label} {words}".strip()
    if quantity.certainty is not None:
        words = f"{words} ({quantity.certainty.label})"
    return words


def first_day(date: str) -> str | None:
    """Return the first day that a partial date admits, or None if it is no date.

    >>> first_day("2025"), first_day("2025-03"), first_day("2025-03-14"), first_day("soon")
    ('2025-01-01', '2025-03-01', '2025-03-14', None)
    """
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day = found.groups()
    return f"{year}-{month or '01'}-{day or '01'}"


def last_day(date: str) -> str | None:
    """Return the last day that a partial date admits, or None if it is no date.

    >>> last_day("2025"), last_day("2024-02"), last_day("2025-03-14"), last_day("soon")
    ('2025-12-31', '2024-02-29', '2025-03-14', None)
    """
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day = found.groups()
    month = month or "12"
    if not 1 <= int(month) <= 12:
        return None
    return f"{year}-{month}-{day or calendar.monthrange(int(year), int(month))[1]}"


def _scaled(
    value: str, scales: tuple[tuple[int, str], ...], lang: str, gap: str, unit: str = ""
) -> str:
    """Return a value in the largest scale that leaves at least one whole unit of it."""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return f"{value}{gap}{unit}".rstrip()
    for power, symbol in scales:
        if abs(number) >= Decimal(10) ** power:
            scaled = number_text(str(number.scaleb(-power)), lang)
            return f"{scaled}{gap}{symbol}{unit}"
    return f"{number_text(value, lang)}{gap}{unit}".rstrip()
