"""The visible part of a round: as it is written here, and drawn by `twentyone.environments.drawing`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cards import Card, Decision, Hand, Outcome, Payoff, Round

QUESTIONS: Final = {
    frozenset({Decision.INSURE, Decision.DECLINE}): "Insurance?",
    frozenset({Decision.SURRENDER, Decision.DECLINE}): "Surrender, before the dealer looks?",
}
"""The questions before play."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand of the player.

    Attributes:
        hand: its cards.
        stake: what is staked on it, in initial bets.
        outcome: how it ended; None while it is open, or where it is not told.
        payoff: what it paid, in initial bets, or None.
    """

    hand: Hand
    stake: int = 1
    outcome: Outcome | None = None
    payoff: Payoff | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A round as the player sees it.

    Attributes:
        hands: the player's hands, from the first to the last.
        dealer: the dealer's cards that can be seen; the first is the upcard.
        turn: the index of the hand that is asked about; None where nothing is asked.
        options: all that is allowed now; none where nothing is asked.
        insured: whether insurance was taken.
        outcome: how the round ended; None while it is open.
        payoff: what it paid in initial bets; None while it is open.
    """

    hands: Sequence[ShownHand]
    dealer: Hand
    turn: int | None = None
    options: tuple[Decision, ...] = ()
    insured: bool = False
    outcome: Outcome | None = None
    payoff: Payoff | None = None

    @property
    def is_natural(self) -> bool:
        """Whether the player has a natural: 21 in the first two cards, which no split has made."""
        return len(self.hands) == 1 and self.hands[0].hand.is_natural

    @property
    def question(self) -> str:
        """The question in words; empty where nothing is asked."""
        if not self.options:
            return ""
        return QUESTIONS.get(frozenset(self.options)) or _listed(self.options)


def shown_round(game: Round, is_over: bool) -> Shown:
    """A round of seat 0; the hole card and what the dealer drew can be seen once it is over."""
    assert game.dealer is not None
    dealer: list[Card] = game.dealer.cards if is_over else game.dealer.cards[:1]
    return Shown(
        hands=[
            ShownHand(one.hand, one.stake, one.outcome if is_over else None, one.payoff if is_over else None)
            for one in game.hands_of(0)
        ],
        dealer=Hand(game.rules.ace, dealer),
        turn=None if game.turn is None else game.turn_hand,
        options=game.options,
        insured=game.insured[0],
        outcome=game.outcomes[0] if is_over else None,
        payoff=game.payoffs[0] if is_over else None,
    )


def as_text(shown: Shown) -> str:
    """A round as text: the dealer's cards, the player's own, and how the round ended, if it has."""
    lines = [f"dealer: {_cards(shown.dealer)}"]
    for number, one in enumerate(shown.hands, 1):
        which = f", hand {number} of {len(shown.hands)}" if len(shown.hands) > 1 else ""
        worth = f"{'soft' if one.hand.is_soft else 'hard'} {one.hand.total}"
        lines.append(f"player{which}: {_cards(one.hand)} ({worth})")
    if shown.outcome is not None and shown.payoff is not None:
        lines.append(f"{shown.outcome.value}: {float(shown.payoff):+g}")
    return "\n".join(lines) + "\n"


def _cards(hand: Hand) -> str:
    return ", ".join(map(str, hand.cards))


def _listed(options: Sequence[Decision]) -> str:
    """`Hit, stand or double?`."""
    *most, last = (option.value.lower() for option in options)
    text = f"{', '.join(most)} or {last}?" if most else f"{last}?"
    return text[0].upper() + text[1:]
