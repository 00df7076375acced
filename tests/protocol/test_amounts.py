"""Payoffs and chips as text: exact, and never rounded."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import Payoff
from cards.rules import exact
from protocol import chips_text, parse_payoff, payoff_text


@pytest.mark.parametrize(
    ("payoff", "text"),
    [
        *((0, "0"), (1, "+1"), (Fraction(3, 2), "+1.5"), (Fraction(-1, 2), "-0.5")),
        *((Fraction(1, 8), "+0.125"), (Fraction(-1001, 1000), "-1.001"), (10**25, "+1" + "0" * 25)),
    ],
)
def test_a_payoff_has_a_sign_and_as_few_decimals_as_are_exact(payoff: Payoff, text: str) -> None:
    assert payoff_text(payoff) == text
    assert chips_text(payoff) == text.removeprefix("+")
    assert parse_payoff(text) == payoff


def test_what_nine_decimals_do_not_tell_exactly_is_not_rounded() -> None:
    assert chips_text(Fraction(1, 10**9)) == "0.000000001"
    for write in (payoff_text, chips_text):
        for payoff in (Fraction(1, 3), Fraction(1, 10**10)):
            with pytest.raises(ValueError, match=rf"^{payoff} has no exact decimals$"):
                write(payoff)


@pytest.mark.parametrize(
    "text",
    ["", "+", "1e3", "1.", ".5", "--1", "1,5", "nan", "inf", "٣", "1_0", "1/2", "9" * 31, "0." + "1" * 10],
)
def test_nothing_else_is_a_payoff(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a payoff: expected digits"):
        parse_payoff(text)


@given(st.integers(-(10**20), 10**20), st.integers(0, 9))
def test_there_and_back(number: int, decimals: int) -> None:
    payoff = exact(Fraction(number, 10**decimals))
    assert parse_payoff(payoff_text(payoff)) == parse_payoff(chips_text(payoff)) == payoff
    assert type(parse_payoff(payoff_text(payoff))) is type(payoff)
