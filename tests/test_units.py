"""Figures, dates and durations as people read them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.model import Name, Quantity
from aikg.units import (
    duration_text,
    first_day,
    last_day,
    number_text,
    quantity_text,
    value_text,
)

AMOUNT = Name("urn:x:amount", "amount")
ABOUT = Name("urn:x:about", "about")
GUESSED = Name("urn:x:estimated", "estimated")
SCALES = {
    "": 0, "m": 6, "bn": 9, "tn": 12, "millón": 6, "millones": 6, "billón": 12, "billones": 12,
    "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18,
}  # fmt: skip


def _read(text: str, lang: str) -> Decimal:
    """Return the number that a text of `value_text` stands for, read the other way round."""
    number, _, scale = text.removesuffix("FLOP/s").replace("$", "").strip().partition(" ")
    swapped = number.translate(str.maketrans(".,", ",."))
    digits = (swapped if lang == "es" else number).replace(",", "")
    return Decimal(digits).scaleb(SCALES[scale])


@given(
    st.decimals(min_value=-(10**21), max_value=10**21, allow_nan=False, places=3),
    st.sampled_from(["USD", "FLOP/s", "1"]),
    st.sampled_from(["en", "es"]),
)
def test_no_digit_of_a_value_is_lost(value: Decimal, unit: str, lang: str) -> None:
    assert _read(value_text(str(value), unit, lang=lang), lang) == value


@pytest.mark.parametrize(
    ("value", "unit", "english", "spanish"),
    [
        ("1000000000000", "USD", "$1 tn", "$1 billón"),
        ("1500000000000", "EUR", "€1.5 tn", "€1,5 billones"),
        ("1000000", "GBP", "£1 m", "£1 millón"),
        ("999999.99", "CNY", "CNY 999,999.99", "CNY 999.999,99"),
        ("-5000000000", "USD", "-$5 bn", "-$5.000 millones"),
        ("0", "USD", "$0", "$0"),
        ("144000000000", "B", "144 GB", "144 GB"),
        ("4900000000000", "B/s", "4.9 TB/s", "4,9 TB/s"),
        ("2517000000000000", "OP/s", "2.517 POP/s", "2,517 POP/s"),
        ("2e9", "W", "2 GW", "2 GW"),
        ("999", "W", "999 W", "999 W"),
        ("0.0000012", "s", "0.0000012 s", "0,0000012 s"),
        ("50", "%", "50 %", "50 %"),
        ("1200", "1", "1,200", "1.200"),
        ("-0.50", "", "-0.5", "-0,5"),
        ("NaN", "USD", "$NaN", "$NaN"),
        ("INF", "W", "INF W", "INF W"),
        ("many", "W", "many W", "many W"),
        ("many", "1", "many", "many"),
    ],
)
def test_value_is_scaled_by_its_unit(value: str, unit: str, english: str, spanish: str) -> None:
    assert value_text(value, unit) == english
    assert value_text(value, unit, lang="es") == spanish


def test_number_just_below_a_scale_is_not_rounded_into_it() -> None:
    nines = "999999." + "9" * 40
    assert value_text(nines, "USD") == f"$999,999.{'9' * 40}"
    assert number_text("12345678901234567890123456789012345") == (
        "12,345,678,901,234,567,890,123,456,789,012,345"
    )


@pytest.mark.parametrize(
    ("quantity", "english", "spanish"),
    [
        (Quantity(AMOUNT, "USD", value="5e9"), "$5 bn", "$5.000 millones"),
        (Quantity(AMOUNT, "USD", minimum="5e9"), "more than $5 bn", "más de $5.000 millones"),
        (Quantity(AMOUNT, "%", maximum="50"), "up to 50 %", "hasta 50 %"),
        (Quantity(AMOUNT, "%", minimum="30", maximum="40"), "30 % – 40 %", "30 % – 40 %"),
        (
            Quantity(AMOUNT, "W", value="35", minimum="30", maximum="40"),
            *("35 W (30 W – 40 W)", "35 W (30 W – 40 W)"),
        ),
        (
            Quantity(AMOUNT, "W", value="35", minimum="30"),
            "35 W (more than 30 W)",
            "35 W (más de 30 W)",
        ),
        (Quantity(AMOUNT, "W", value="2e9", hedge=ABOUT), "about 2 GW", "about 2 GW"),
        (
            Quantity(AMOUNT, "USD", maximum="5", hedge=ABOUT, certainty=GUESSED),
            *("about up to $5 (estimated)", "about hasta $5 (estimated)"),
        ),
        (Quantity(AMOUNT, hedge=ABOUT), "about", "about"),
        (Quantity(AMOUNT, certainty=GUESSED), "(estimated)", "(estimated)"),
        (Quantity(AMOUNT), "", ""),
        (Quantity(AMOUNT, value="0"), "0", "0"),
    ],
)
def test_bounds_hedge_and_certainty_are_all_told(
    quantity: Quantity, english: str, spanish: str
) -> None:
    assert quantity_text(quantity) == english
    assert quantity_text(quantity, lang="es") == spanish


def test_ratio_says_times_only_where_there_is_no_unit() -> None:
    times = Quantity(AMOUNT, "1", minimum="2", maximum="4.4")
    assert quantity_text(times, ratio=True) == "2× – 4.4×"
    assert quantity_text(Quantity(AMOUNT, "%", value="30"), ratio=True) == "30 %"


@pytest.mark.parametrize(
    ("value", "english", "spanish"),
    [
        ("P10Y", "10 years", "10 años"),
        ("P1Y", "1 year", "1 año"),
        ("P1M", "1 month", "1 mes"),
        ("PT1M", "1 minute", "1 minuto"),
        ("P5Y6M", "5 years and 6 months", "5 años y 6 meses"),
        ("P1Y2M3D", "1 year, 2 months and 3 days", "1 año, 2 meses y 3 días"),
        ("PT36H", "36 hours", "36 horas"),
        ("P1DT1.5S", "1 day and 1.5 seconds", "1 día y 1,5 segundos"),
        ("-P1D", "-1 day", "-1 día"),
        ("P0D", "0 days", "0 días"),
        ("P1200M", "1,200 months", "1.200 meses"),
        *((text, text, text) for text in ("P", "PT", "P1YT", "P2W", "1Y", "P1M2Y", "P1.5Y", "")),
    ],
)
def test_duration_is_told_in_words(value: str, english: str, spanish: str) -> None:
    assert duration_text(value) == english
    assert duration_text(value, "es") == spanish


@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%Y", "%Y-%m", "%Y-%m-%d"]))
def test_partial_date_holds_the_day_it_was_cut_from(day: date, form: str) -> None:
    first, last = first_day(day.strftime(form)), last_day(day.strftime(form))
    assert first is not None
    assert last is not None
    assert date.fromisoformat(first) <= day <= date.fromisoformat(last)
    assert first.startswith(day.strftime(form))
    assert last.startswith(day.strftime(form))


@pytest.mark.parametrize(
    "text", ["2025-13", "2025-00", "2025-02-30", "2023-02-29", "2025-01-00", "25", ""]
)
def test_date_of_no_calendar_has_no_days(text: str) -> None:
    assert (first_day(text), last_day(text)) == (None, None)


def test_time_and_zone_do_not_change_the_day() -> None:
    assert first_day("2025Z") == first_day("2025-05:00") == "2025-01-01"
    assert last_day("2024-02+01:00") == "2024-02-29"
    assert first_day("2025-03-14T23:59:59Z") == last_day("2025-03-14-08:00") == "2025-03-14"
