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
SINGULAR = {"billones": "billón", "millones": "millón"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
BOUNDS = {"en": ("more than", "up to"), "es": ("más de", "hasta")}

SCALED_UNITS = ("W", "B", "B/s", "FLOP", "FLOP/s", "OP/s")
"""Base units that people write with an SI prefix."""

DURATION_UNITS = {
    "en": (
        *(("year", "years"), ("month", "months"), ("day", "days")),
        *(("hour", "hours"), ("minute", "minutes"), ("second", "seconds")),
    ),
    "es": (
        *(("año", "años"), ("mes", "meses"), ("día", "días")),
        *(("hora", "horas"), ("minuto", "minutos"), ("segundo", "segundos")),
    ),
}
"""One and several of each part of an `xsd:duration`, in the order in which it writes them."""

_DURATION = re.compile(
    r"(-)?P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?"
    r"(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?",
    re.ASCII,
)
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
        minus, amount = ("-", amount[1:]) if amount.startswith("-") else ("", amount)
        sign = SIGNS.get(unit, f"{unit} ")
        return f"{minus}{sign}{amount}"
    if unit in SCALED_UNITS:
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
    if quantity.minimum and quantity.maximum:
        words = f"{text(quantity.minimum)} – {text(quantity.maximum)}"
    elif quantity.minimum:
        words = f"{over} {text(quantity.minimum)}"
    elif quantity.maximum:
        words = f"{up_to} {text(quantity.maximum)}"
    else:
        words = ""
    if quantity.value:
        words = f"{text(quantity.value)} ({words})" if words else text(quantity.value)
    if quantity.hedge is not None:
        words = f"{quantity.hedge.label} {words}".strip()
    if quantity.certainty is not None:
        words = f"{words} ({quantity.certainty.label})".strip()
    return words


def duration_text(value: str, lang: str = "en") -> str:
    """Return a duration in words; a text that is none stays as it is.

    Args:
        value: lexical form of an `xsd:duration`.
        lang: `en` or `es`.

    Source:
        XML Schema 1.1 part 2, section 3.3.6 (https://www.w3.org/TR/xmlschema11-2/#duration).

    >>> duration_text("P10Y"), duration_text("P1Y6M", "es"), duration_text("soon")
    ('10 years', '1 año y 6 meses', 'soon')
    """
    found = _DURATION.fullmatch(value)
    if found is None:
        return value
    minus, *numbers = found.groups()
    words = [
        f"{number_text(number, lang)} {one if Decimal(number) == 1 else several}"
        for number, (one, several) in zip(numbers, DURATION_UNITS[lang], strict=True)
        if number is not None
    ]
    link = {"en": " and ", "es": " y "}[lang]
    text = link.join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return f"-{text}" if minus else text


def first_day(date: str) -> str | None:
    """Return the first day that a partial date admits, or None if it is no date.

    >>> first_day("2025"), first_day("2025-03"), first_day("2025-03-14"), first_day("soon")
    ('2025-01-01', '2025-03-01', '2025-03-14', None)
    """
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day = found.groups()
    return _day(year, month or "01", day or "01")


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
    return _day(year, month, day or f"{_days(year, month):02}")


def _day(year: str, month: str, day: str) -> str | None:
    """Return a day as text, or None if no calendar has it."""
    return f"{year}-{month}-{day}" if 1 <= int(day) <= _days(year, month) else None


def _days(year: str, month: str) -> int:
    """Return the number of days of a month; none if there is no such month."""
    return calendar.monthrange(int(year), int(month))[1] if 1 <= int(month) <= 12 else 0


def _scaled(
    value: str, scales: tuple[tuple[int, str], ...], lang: str, gap: str, unit: str = ""
) -> str:
    """Return a value in the largest scale that leaves at least one whole unit of it."""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return f"{value}{gap}{unit}".rstrip()
    if number.is_finite():
        sign, digits, exponent = number.as_tuple()
        for power, symbol in scales:
            scaled = Decimal((sign, digits, int(exponent) - power))
            if scaled.copy_abs() >= 1:
                words = SINGULAR.get(symbol, symbol) if scaled.copy_abs() == 1 else symbol
                return f"{number_text(str(scaled), lang)}{gap}{words}{unit}"
    return f"{number_text(value, lang)}{gap}{unit}".rstrip()
