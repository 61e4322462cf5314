"""Partial dates as intervals of days: 2025 is the whole year, 2025-03 the whole month."""

from __future__ import annotations

import re
from calendar import monthrange

Interval = tuple[str, str]
"""The first and the last day, in ISO 8601, which sort as text."""

_DATE = re.compile(
    r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?:T.*|Z|[+-]\d\d:\d\d)?"
)


def interval(text: str) -> Interval | None:
    """Return the days that a date may mean, or None where the text is no date.

    Args:
        text: xsd:gYear, xsd:gYearMonth, xsd:date or xsd:dateTime; a time zone is passed over.

    >>> interval("2024-02")
    ('2024-02-01', '2024-02-29')
    >>> interval("2025-07-04")
    ('2025-07-04', '2025-07-04')
    >>> interval("last spring") is None
    True
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = found.groups()
    if month is None:
        return f"{year}-01-01", f"{year}-12-31"
    last = monthrange(int(year), int(month))[1] if year != "0000" else 31
    if day is None:
        return f"{year}-{month}-01", f"{year}-{month}-{last:02}"
    return (f"{year}-{month}-{day}",) * 2 if int(day) <= last else None


def begun(date: str, when: str) -> bool | None:
    """Tell whether what begins on a date has begun when another ends; None if undecidable.

    >>> begun("2025-06-15", "2025-06"), begun("2025", "2025-06"), begun("2026", "2025-06")
    (True, None, False)
    """
    start, asked = interval(date), interval(when)
    if start is None or asked is None or start[0] <= asked[1] < start[1]:
        return None
    return start[1] <= asked[1]


def over(date: str, when: str) -> bool | None:
    """Tell whether what ends on a date is over when another begins; None if undecidable.

    >>> over("2024-12", "2025-06"), over("2025", "2025-06"), over("2025-06-15", "2025-06")
    (True, None, False)
    """
    end, asked = interval(date), interval(when)
    if end is None or asked is None or end[0] < asked[0] <= end[1]:
        return None
    return end[1] < asked[0]
