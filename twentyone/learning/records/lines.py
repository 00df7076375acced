"""Lines of a dealer's history, played again: `docs/reference/history.schema.json` describes them.

A line is believed if its cards and decisions, played by its rules, come to the payoffs that it gives, with as
many records and without a card left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from cards import (
    Decision,
    Round,
    RoundError,
    Rules,
    RulesError,
    ShoeError,
    StackedShoe,
    parse_card,
    rules_stated,
)

VERSION: Final = 2
"""The version of the lines that are known: that of `dealer.tables.history`."""

DAMAGED: Final = "cut or damaged"
OTHER_VERSION: Final = f"not of version {VERSION}"
NO_DEALER: Final = "without a dealer, where there is no upcard to see"
CONTRADICTORY: Final = "in contradiction with themselves"

_FROM_SHOE: Final = frozenset({"card", "upcard", "hole card", "drew"})
"""The records of cards that came from the shoe."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,6})?")


class LineError(Exception):
    """A line from which no round can be read: why, as the end of "lines that are ..."."""


def played_again(line: bytes) -> Round:
    """The round of a line, played once more.

    Raises:
        LineError: if that is impossible.
    """
    told = _told(line)
    try:
        round_, shoe = _dealt(told)
        for record in told["records"]:
            if record["record"] == "decided":
                round_.decide(record["seat"], Decision(record["decision"]))
            elif record["record"] == "forfeited":
                round_.forfeit(_seat(record["seat"], round_.rules))
        is_same = round_.payoffs == [_fraction(payoff) for payoff in told["payoffs"]]
        is_same = is_same and len(round_.records) == len(told["records"])
    except (RoundError, ShoeError):
        raise LineError(CONTRADICTORY) from None
    except (RulesError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        raise LineError(DAMAGED) from None
    if not is_same or len(shoe):
        raise LineError(CONTRADICTORY)
    return round_


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise LineError(DAMAGED) from None
    if not isinstance(told, dict):
        raise LineError(DAMAGED)
    if type(told.get("version")) is not int or told["version"] != VERSION:
        raise LineError(OTHER_VERSION)
    return told


def _dealt(told: Mapping[str, Any]) -> tuple[Round, StackedShoe]:
    """The round as it was dealt, and what is left of its cards."""
    rules = _rules(tuple(told["rules"].items()))
    if not rules.has_dealer:
        raise LineError(NO_DEALER)
    seats = told["seats"]
    plain = [number for number, seat in enumerate(seats) if seat["plain"]]
    shoe = StackedShoe([parse_card(text) for text in _cards(told["records"])])
    means = None if rules.bets is None else [_means(seat) for seat in seats]
    round_ = Round(rules, shoe, means=means, plain=plain)
    round_.deal()
    return round_, shoe


@lru_cache(256)
def _rules(fields: tuple[tuple[str, str], ...]) -> Rules:
    """The rules of a line."""
    if not all(isinstance(text, str) for pair in fields for text in pair):
        raise TypeError("rules are text")
    return rules_stated(dict(fields))


def _cards(records: list[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        if record["record"] in _FROM_SHOE:
            yield record["card"]


def _means(seat: Mapping[str, Any]) -> Fraction | None:
    """The initial bets that a seat could stake in all; None for no limit."""
    bankroll = seat["bankroll"]
    return None if bankroll is None else _fraction(bankroll) / _fraction(seat["bet"])


def _fraction(text: object) -> Fraction:
    """A number of few digits: that of a long exponent would take for ever."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    return Fraction(text)


def _seat(number: object, rules: Rules) -> int:
    if not isinstance(number, int) or not 0 <= number < rules.seats:
        raise ValueError(f"{number!r} is not a seat")
    return number
