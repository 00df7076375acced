"""Spaces, actions and rules: the same in every environment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from operator import index
from typing import Any, Final, SupportsIndex, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cards import HIT_OR_STAND, Decision, Rules, RulesError, asking, rules_from
from cards.rules import FIRST_VALUES, MAX_HANDS
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.observation_tuples import QUESTIONS, is_allowed

MAX_TOTAL: Final = 32
"""The greatest possible total: 21 and an ace that counts 11."""

MAX_UPCARD: Final = 11
"""The value of an ace as the upcard."""

MAX_PAIR: Final = 10
"""The most points of a card of a pair."""

DECISIONS: Final = dict(enumerate(HIT_OR_STAND))
"""The decisions by the numbers of their actions: 0 is HIT and 1 is STAND."""

ALL_DECISIONS: Final = dict(enumerate(ACTIONS))
"""The same where more is asked: 2 is DOUBLE, 3 SPLIT, 4 SURRENDER and 5 INSURE. To decline is to stand."""

_BOTH: Final = np.ones(len(DECISIONS), np.int8)

_YES_OR_NO: Final = frozenset({"double_after_split", "insurance"})
_OF_BETS: Final = frozenset({"bets", "bankroll"})
"""Fields that are known, and refused in a sentence that says why."""


class Fields(TypedDict, total=False):
    """The fields of the rules as keywords, in the spelling of the command-line options.

    Attributes:
        decks: 1 to 8, or "inf".
        reshuffle: "round", "cutoff:N" or "penetration:F".
        ace: what an ace counts: 1, 11 or "either".
        dealer_stands: "all17" or "hard17".
        naturals: "equal", "beat" or "player", and the ratios "1:1", "6:5", "3:2" and "2:1".
        double: "none", "any", "9-11", "10-11" or "always".
        double_after_split: "no" or "yes", or a bool.
        split: how many hands may be made of one, 1 to 4.
        split_aces: "once", "again" or "play".
        surrender: "none", "late" or "early".
        insurance: "no" or "yes", or a bool.
        hole_card: "last", "peek" or "obo".
    """

    decks: int | str
    reshuffle: str
    ace: int | str
    dealer_stands: str
    naturals: str
    double: str
    double_after_split: bool | str
    split: int
    split_aces: str
    surrender: str
    insurance: bool | str
    hole_card: str


def rules_for(rules: str | Rules, fields: Mapping[str, Any]) -> Rules:
    """The rules of an environment that deals: the name of a preset, or rules, with some fields changed.

    Raises:
        RulesError: for invalid rules, and for rules that one seat cannot play against a dealer.
    """
    chosen = rules_of(rules, fields)
    if chosen.bets is not None:
        raise RulesError(f"bets is {chosen.bets}: expected 1, since an environment stakes one unit")
    if chosen.seats != 1:
        raise RulesError(f"seats is {chosen.seats}: expected 1, since an environment plays a single seat")
    return chosen


def rules_of(rules: str | Rules, fields: Mapping[str, Any]) -> Rules:
    """The same for any table at which one can sit, with its bets and all its seats.

    Raises:
        RulesError: for invalid rules, and for rules without a dealer.
    """
    unknown = sorted(set(fields) - set(Fields.__annotations__) - _OF_BETS)
    if unknown:
        expected = ", ".join(Fields.__annotations__)
        raise RulesError(f"there is no field {unknown[0]!r} of the rules: expected one of {expected}")
    texts = {**FIRST_VALUES, **rules.fields()} if isinstance(rules, Rules) else {"preset": str(rules)}
    texts |= {name.replace("_", "-"): _text(name, value) for name, value in fields.items()}
    chosen = rules_from(texts)
    if not chosen.has_dealer:
        raise RulesError(f"{chosen.preset} has no dealer to play against: expected rules with a dealer")
    return chosen


def _text(name: str, value: object) -> str:
    if name in _YES_OR_NO and isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def observation_space(rules: Rules) -> spaces.Tuple[Any]:
    """The space of `ObservationTuple`: total 2 to 32, upcard 2 to 11 (an ace), softness 0 or 1.

    A total over 21 occurs when the round is over. With aces that always count 11, two aces are also seen as
    22 before the first action, and stand.

    Where more than HIT and STAND is asked, also a pair's points 0 to 10, hands 1 to 4, and the question 0 to
    2.
    """
    sizes = [MAX_TOTAL + 1, MAX_UPCARD + 1, 2]
    if asking.asks_more(rules):
        sizes += [MAX_PAIR + 1, MAX_HANDS + 1, len(QUESTIONS)]
    return spaces.Tuple([spaces.Discrete(size) for size in sizes])


def decisions_under(rules: Rules) -> Mapping[int, Decision]:
    """The decisions by the numbers of their actions."""
    return ALL_DECISIONS if asking.asks_more(rules) else DECISIONS


def action_space(rules: Rules) -> spaces.Discrete[Any]:
    """0 is HIT and 1 is STAND. Gymnasium's own Blackjack-v1 numbers them the other way round.

    Where more is asked 2 is DOUBLE, 3 SPLIT, 4 SURRENDER and 5 INSURE.
    """
    return spaces.Discrete(len(decisions_under(rules)))


def action_mask(options: tuple[Decision, ...]) -> NDArray[np.int8]:
    """Which actions are allowed, as 1 or 0 for each: an array of the caller's own.

    STAND always is: it declines insurance and surrender before the peek, and goes on where nothing is asked,
    such as with a natural that is paid at a ratio. HIT declines nothing here, so that one action does.
    """
    return _mask(options).copy()


def both_allowed() -> NDArray[np.int8]:
    """The mask where only HIT and STAND are asked, which always are: an array of the caller's own."""
    return _BOTH.copy()  # faster than to make one


@cache
def _mask(options: tuple[Decision, ...]) -> NDArray[np.int8]:
    return np.array([is_allowed(decision, options) for decision in ACTIONS], np.int8)


def decision_of(action: SupportsIndex, decisions: Mapping[int, Decision] = DECISIONS) -> Decision:
    """The decision of an action, which is a whole number of Python or of numpy.

    Raises:
        ValueError: for another number.
    """
    try:
        return decisions[index(action)]
    except (TypeError, KeyError):
        raise ValueError(f"the action is {action!r}: expected {listed(decisions)}") from None


def verify_allowed(decision: Decision, options: Collection[Decision]) -> None:
    """See that a decision is allowed now, as `action_mask` has it.

    Raises:
        ValueError: if it is not.
    """
    if not is_allowed(decision, options):
        (number,) = (number for number, each in ALL_DECISIONS.items() if each is decision)
        raise ValueError(f"the action is {forbidden(number, action_numbers(options))}")


def action_numbers(options: Collection[Decision]) -> list[int]:
    """The numbers of the actions that are allowed."""
    return [number for number, each in ALL_DECISIONS.items() if is_allowed(each, options)]


def forbidden(action: int, allowed: Iterable[int]) -> str:
    """`4 (surrender), which is not allowed now: expected 0 (hit) or 1 (stand)`."""
    return f"{_named(action)}, which is not allowed now: expected {listed(allowed)}"


def listed(actions: Iterable[int]) -> str:
    """`0 (hit), 1 (stand) or 2 (double)`."""
    *most, last = map(_named, actions)
    return f"{', '.join(most)} or {last}" if most else last


def _named(action: int) -> str:
    return f"{action} ({ALL_DECISIONS[action].value.lower()})"
