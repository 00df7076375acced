"""Payoffs and chips as text: exact, with as few decimals as they need."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from cards import Payoff
from cards.rules import exact

MAX_WHOLE: Final = 30
"""Digits before the point: the largest bet, lost in every round that a JOIN can ask for, needs 26."""

MAX_DECIMALS: Final = 9
"""Digits after the point. Halves and tenths need one; nothing that the rules pay needs more."""

_PAYOFF: Final = re.compile(rf"[+-]?[0-9]{{1,{MAX_WHOLE}}}(\.[0-9]{{1,{MAX_DECIMALS}}})?")


def payoff_text(payoff: Payoff) -> str:
    """A payoff with its sign: `+1.5`, `-0.5`, `+36`, `0`.

    Raises:
        ValueError: if it has no exact decimals.
    """
    return f"+{chips_text(payoff)}" if payoff > 0 else chips_text(payoff)


def chips_text(chips: Payoff) -> str:
    """Chips alike, without a `+`.

    Raises:
        ValueError: if they have no exact decimals.
    """
    if isinstance(chips, int):
        return str(chips)
    for decimals in range(MAX_DECIMALS + 1):
        scaled = abs(chips) * 10**decimals
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(decimals + 1, "0")
            whole = len(digits) - decimals
            point = "." if decimals else ""
            return f"{'-' if chips < 0 else ''}{digits[:whole]}{point}{digits[whole:]}"
    raise ValueError(f"{chips} has no exact decimals")


def parse_payoff(text: str) -> Payoff:
    """The number that `payoff_text` or `chips_text` has written.

    Raises:
        ValueError: for any other text.
    """
    if not _PAYOFF.fullmatch(text):
        raise ValueError(f"{text[:MAX_WHOLE]!a} is not a payoff: expected digits, as in +1.5, -1 or 0")
    return exact(Fraction(text))
