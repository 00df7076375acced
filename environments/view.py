"""Observations, actions and rules: the same in every environment, as spaces of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Final, SupportsIndex, TypedDict

from gymnasium import spaces

from cards import Card, Decision, Hand, Outcome, Rules, RulesError, rules_from
from policies.policy import upcard_value

Seen = tuple[int, int, int]
"""An observation: the total of the hand, the value of the upcard, and 1 for a soft hand, else 0."""

MAX_TOTAL: Final = 32
"""The greatest possible total: 21 and an ace that counts 11."""

MAX_UPCARD: Final = 11
"""The value of an ace as the upcard."""

DECISIONS: Final = {0: Decision.HIT, 1: Decision.STAND}
"""The decisions by the numbers of their actions."""


class Fields(TypedDict, total=False):
    """The fields of the rules as keywords, in the spelling of the command-line options.

    Attributes:
        decks: 1 to 8, or "inf".
        reshuffle: "round", "cutoff:N" or "penetration:F".
        ace: what an ace counts: 1, 11 or "either".
        dealer_stands: "all17" or "hard17".
        naturals: "equal" or "beat". No natural pays more than +1.
        natural: another name for `naturals`.
    """

    decks: int | str
    reshuffle: str
    ace: int | str
    dealer_stands: str
    naturals: str
    natural: str


def rules_for(rules: str | Rules, fields: Mapping[str, Any]) -> Rules:
    """The rules of an environment: the name of a preset, or rules, with some fields changed.

    Raises:
        RulesError: for invalid rules, and for rules that one seat cannot play against a dealer.
    """
    unknown = sorted(set(fields) - set(Fields.__annotations__))
    if unknown:
        expected = ", ".join(Fields.__annotations__)
        raise RulesError(f"there is no field {unknown[0]!r} of the rules: expected one of {expected}")
    if "natural" in fields and "naturals" in fields:
        raise RulesError("natural and naturals are the same field: expected one of them")
    texts = rules.fields() if isinstance(rules, Rules) else {"rules": str(rules)}
    for name, value in fields.items():
        texts["naturals" if name == "natural" else name.replace("_", "-")] = str(value)
    chosen = rules_from(texts)
    if not chosen.has_dealer:
        raise RulesError(f"{chosen.preset} has no dealer to play against: expected rules with a dealer")
    if chosen.is_whole:
        raise RulesError(
            f"the rules {chosen.preset} have more than HIT and STAND: expected rules of HIT and STAND"
        )
    if chosen.seats != 1:
        raise RulesError(f"seats is {chosen.seats}: expected 1, since an environment plays a single seat")
    return chosen


def observation_space() -> spaces.Tuple[Any]:
    """The space of `Seen`: total 2 to 32, upcard 2 to 11 (an ace is 11), softness 0 or 1.

    A total over 21 occurs when the round is over. With aces that always count 11, two aces are also seen as
    22 before the first action, and any action ends that round.
    """
    sizes = (MAX_TOTAL + 1, MAX_UPCARD + 1, 2)
    return spaces.Tuple([spaces.Discrete(size) for size in sizes])


def action_space() -> spaces.Discrete[Any]:
    """0 is HIT and 1 is STAND. Gymnasium's own Blackjack-v1 numbers them the other way round."""
    return spaces.Discrete(len(DECISIONS))


def seen(hand: Hand, upcard: Card) -> Seen:
    """The observation of a hand against an upcard."""
    return hand.total, upcard_value(upcard), int(hand.is_soft)


def decision_of(action: SupportsIndex) -> Decision:
    """The decision of an action, which is a whole number of Python or of numpy.

    Raises:
        ValueError: for another number.
    """
    try:
        return DECISIONS[index(action)]
    except (TypeError, KeyError):
        raise ValueError(f"the action is {action!r}: expected 0 (hit) or 1 (stand)") from None


def drawn(hand: Hand, dealer: Sequence[Card], outcome: Outcome | None) -> str:
    """The cards that a player can see, as text: the dealer's, its own, and the outcome of the round."""
    lines = [f"dealer: {_listed(dealer)}", f"player: {_listed(hand.cards)} ({_worth(hand)})"]
    if outcome is not None:
        lines.append(f"{outcome.value}: {outcome.payoff:+d}")
    return "\n".join(lines) + "\n"


def _listed(cards: Sequence[Card]) -> str:
    return ", ".join(map(str, cards))


def _worth(hand: Hand) -> str:
    return f"{'soft' if hand.is_soft else 'hard'} {hand.total}"
