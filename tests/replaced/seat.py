"""The rounds of a seat, as its player knows them: how they ended, and what bankroll they make."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, Final, NamedTuple


class Ended(NamedTuple):
    """How a round of a seat ended.

    Attributes:
        outcome: as HISTORY spells it.
        payoff: as RESULT tells it.
        cards: those of its hands, sorted, by which it is known again.
    """

    outcome: str
    payoff: Fraction
    cards: tuple[str, ...] = ()


EARLY: Final = Ended("BUST", Fraction())
"""A round of which its player does not hear: it was bust before the others, and nobody else had a result."""


BEFORE_KEEP: Final = Ended("?", Fraction())
"""A first round that was over before KEEP was carried out, as a classic player's may be who has a natural."""


class Seat:
    """A seat from its JOIN on, however often its player comes back to it.

    Args:
        chips: those that its player sits down with; None where no bets are asked.

    Attributes:
        rounds: all that are known, in order; none is missing before the last.
    """

    def __init__(self, chips: int | None) -> None:
        self.rounds: list[Ended] = []
        self._chips = chips

    def bankroll(self, rounds: int) -> Fraction:
        """The bankroll after this many rounds: that of the start and all payoffs since."""
        assert self._chips is not None
        return self._chips + sum((ended.payoff for ended in self.rounds[:rounds]), Fraction())

    def verify(self, bankroll: Fraction, rounds: int, told_by: str) -> None:
        """Chips add up."""
        chips = self.bankroll(rounds)
        assert bankroll == chips, f"{told_by}: expected {chips} chips after {rounds} rounds"

    @property
    def is_known(self) -> bool:
        """Whether it is known how each round ended."""
        return not {BEFORE_KEEP, EARLY} & set(self.rounds)

    def tally(self) -> dict[str, int]:
        """Its rounds as the summary of a dealer counts them."""
        found = Counter(ended.outcome for ended in self.rounds)
        losses = found["LOSE"] + found["BUST"] + found["SURRENDER"]
        counts = {"wins": found["WIN"], "pushes": found["PUSH"], "losses": losses, "busts": found["BUST"]}
        return {"rounds": len(self.rounds), **counts}


def ended_by(round_: dict[str, Any]) -> Ended:
    """How a round ended for the player to whom HISTORY tells it; without bets the payoff is left out."""
    you = round_["you"]
    bet = round_["seats"][you]["bet"]
    units = Fraction(round_["payoffs"][you])
    cards = sorted(card for hand in round_["seats"][you]["hands"] for card in hand["cards"])
    return Ended(round_["outcomes"][you], Fraction() if bet is None else units * int(bet), tuple(cards))
