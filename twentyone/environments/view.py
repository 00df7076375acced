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

GYMNASIUM: Final = "gymnasium"
CODES: Final = ("twentyone", GYMNASIUM)
"""The values of the keyword `actions`: HIT is 0 and STAND 1, or the other way round, as in Blackjack-v1."""

ILLEGAL: Final = ("raise", "stand")
"""The values of the keyword `illegal`: what an action does that is not allowed."""

_STICK_FIRST: Final = {0: Decision.STAND, 1: Decision.HIT}
_ALL_STICK_FIRST: Final = ALL_DECISIONS | _STICK_FIRST

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


def decisions_under(rules: Rules, actions: str = CODES[0]) -> Mapping[int, Decision]:
    """The decisions by the numbers of their actions, one of `CODES`."""
    if actions == GYMNASIUM:
        return _ALL_STICK_FIRST if asking.asks_more(rules) else _STICK_FIRST
    return ALL_DECISIONS if asking.asks_more(rules) else DECISIONS


def verify_keywords(actions: str, illegal: str) -> None:
    """See that the keywords `actions` and `illegal` have known values.

    Raises:
        ValueError: if not.
    """
    for name, value, known in (("actions", actions, CODES), ("illegal", illegal, ILLEGAL)):
        if value not in known:
            raise ValueError(f"{name} is {value!r}: expected {known[0]!r} or {known[1]!r}")


def mask_as(mask: NDArray[np.int8], actions: str) -> NDArray[np.int8]:
    """A mask, or rows of them, of HIT, STAND and so on in the order of `CODES`."""
    if actions != GYMNASIUM:
        return mask
    order = [1, 0, *range(2, mask.shape[-1])]
    return mask[..., order]


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
        raise ValueError(f"the action is {action!r}: expected {listed(decisions, decisions)}") from None


def allowed_decision(
    decision: Decision, options: Collection[Decision], decisions: Mapping[int, Decision], illegal: str
) -> Decision:
    """A decision that is allowed now, as `action_mask` has it; STAND in the place of another, if it may be.

    Args:
        decision: what was decided.
        options: what is allowed.
        decisions: the decisions by the numbers of their actions.
        illegal: one of `ILLEGAL`.

    Raises:
        ValueError: if it is not allowed.
    """
    if is_allowed(decision, options):
        return decision
    if illegal == "stand":
        return Decision.STAND
    (number,) = (number for number, each in decisions.items() if each is decision)
    allowed = [number for number, each in decisions.items() if is_allowed(each, options)]
    raise ValueError(f"the action is {forbidden(number, allowed, decisions)}")


def forbidden(action: int, allowed: Iterable[int], decisions: Mapping[int, Decision] = ALL_DECISIONS) -> str:
    """`4 (surrender), which is not allowed now: expected 0 (hit) or 1 (stand)`."""
    return f"{_named(action, decisions)}, which is not allowed now: expected {listed(allowed, decisions)}"


def listed(actions: Iterable[int], decisions: Mapping[int, Decision] = ALL_DECISIONS) -> str:
    """`0 (hit), 1 (stand) or 2 (double)`."""
    *most, last = (_named(action, decisions) for action in actions)
    return f"{', '.join(most)} or {last}" if most else last


def _named(action: int, decisions: Mapping[int, Decision]) -> str:
    return f"{action} ({decisions[action].value.lower()})"
