"""Figures as people write them, read with bounds and hedges, or refused; never guessed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.errors import BadCell
from aikg.figures import figure
from aikg.model import Figure, Name, Quantity
from aikg.units import quantity_text

ABOUT = "approximately"


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("$50 bn", "", Figure("USD", "50000000000")),
        ("US$1.5bn", "", Figure("USD", "1500000000")),
        ("USD 300 million", "", Figure("USD", "300000000")),
        ("300 million euros", "", Figure("EUR", "300000000")),
        ("£500m", "", Figure("GBP", "500000000")),
        ("$10B", "", Figure("USD", "10000000000")),
        ("1,234,567 USD", "", Figure("USD", "1234567")),
        ("50", "USD bn", Figure("USD", "50000000000")),
        ("50 million", "USD bn", Figure("USD", "50000000")),
        ("€2.5 bn", "USD bn", Figure("EUR", "2500000000")),
        ("about 3", "USD bn", Figure("USD", "3000000000", hedge=ABOUT)),
        ("~$3bn", "", Figure("USD", "3000000000", hedge=ABOUT)),
        ("almost 2 GW", "", Figure("W", "2000000000", hedge="almost")),
        ("up to 2 GW", "", Figure("W", maximum="2000000000")),
        ("up to about 2 GW", "", Figure("W", maximum="2000000000", hedge=ABOUT)),
        ("2.1 gigawatts", "MW", Figure("W", "2100000000")),
        ("300", "MW", Figure("W", "300000000")),
        (">10", "%", Figure("%", minimum="10")),
        ("≥ 10%", "", Figure("%", minimum="10")),
        ("10%+", "", Figure("%", minimum="10")),
        ("more than $100 billion", "", Figure("USD", minimum="100000000000")),
        ("100 MW or more", "", Figure("W", minimum="100000000")),
        ("Less than 5%", "", Figure("%", maximum="5")),
        ("3-5%", "", Figure("%", minimum="3", maximum="5")),
        ("$1.5–2 billion", "", Figure("USD", minimum="1500000000", maximum="2000000000")),
        ("$5 m to $1 billion", "", Figure("USD", minimum="5000000", maximum="1000000000")),
        ("$500 million - 600 million", "", Figure("USD", minimum="500000000", maximum="600000000")),
        ("between 3 and 5 MW", "", Figure("W", minimum="3000000", maximum="5000000")),
        ("about 3-5", "MW", Figure("W", minimum="3000000", maximum="5000000", hedge=ABOUT)),
        ("tens of billions of dollars", "", Figure("USD", minimum="10000000000", hedge="oom")),
        ("multi-billion", "USD", Figure("USD", minimum="1000000000", hedge="oom")),
        ("undisclosed", "USD", Figure("USD", hedge="undisclosed")),
        ("160 million", "1", Figure("1", "160000000")),
        ("141 GB", "", Figure("B", "141000000000")),
        ("4.8 TB/s", "", Figure("B/s", "4800000000000")),
        ("0.5", "%", Figure("%", "0.5")),
    ],
)  # fmt: skip
def test_a_figure_is_read_with_its_hedges(text: str, unit: str, expected: Figure) -> None:
    found = figure(text, unit)
    hedge = {"orderOfMagnitude": "oom"}.get(found.hedge, found.hedge)
    assert Figure(found.unit, found.value, found.minimum, found.maximum, hedge) == expected


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("50", ""),
        ("50 bn", ""),
        ("$50", "USD bn"),
        ("5 million", "MW"),
        ("2 GW", "USD"),
        ("$5", "W"),
        ("3,5", "%"),
        ("1.000.000", "1"),
        ("-5", "%"),
        ("5-3", "%"),
        ("$5-€6", ""),
        ("up to 3-5", "%"),
        ("up to tens of billions", "USD"),
        ("more than up to 5", "%"),
        ("a lot", "%"),
        ("", "%"),
        ("12 GPUs", "1"),
        ("$5 bn bn", ""),
        ("900 Gbit/s", ""),
        ("1e9", "1"),
        ("billion", "USD"),
    ],
)
def test_what_is_in_doubt_is_refused(text: str, unit: str) -> None:
    with pytest.raises(BadCell) as caught:
        figure(text, unit)
    assert caught.value.fix


@given(st.decimals("0.01", "999", places=2), st.sampled_from(["", "about ", "up to ", ">"]))
def test_what_is_written_is_read_again(number: Decimal, opening: str) -> None:
    found = figure(f"{opening}${number} bn")
    hedge = Name("urn:x:about", "about") if found.hedge else None
    quantity = Quantity(
        Name("urn:x:a", "a"), found.unit, found.value, found.minimum, found.maximum, hedge
    )
    assert figure(quantity_text(quantity).replace("more than", ">")) == found
