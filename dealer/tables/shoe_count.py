"""The state of a table's shoe, as everybody who counts the cards could know."""

from __future__ import annotations

from typing import Final, NamedTuple

from cards import CARDS, CardDealt, DealerDrew, EveryRound, HoleCardDealt, Round, Rules, Shoe, UpcardDealt

_DEALT: Final = frozenset({CardDealt, UpcardDealt, HoleCardDealt, DealerDrew})
"""The records of cards that leave the shoe."""


class ShoeState(NamedTuple):
    """The state of a shoe.

    Attributes:
        left: how many cards are left in it; None in an infinite deck.
        size: how many it has when it is fresh; None for an infinite deck.
        fresh: the number of the round before which, or within which, it was last shuffled; at least 1.
    """

    left: int | None
    size: int | None
    fresh: int


class ShoeCount:
    """Counts the cards that a table's shoe has dealt, round after round.

    Args:
        rules: the rules of the table.
        shoe: the shoe.

    Attributes:
        is_kept: whether the shoe is kept between rounds, so that there is anything to count.
    """

    __slots__ = ("_dealt", "_fresh", "_shoe", "_size", "is_kept")

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        self._shoe = shoe
        self._size = None if rules.decks is None else len(CARDS) * rules.decks
        self.is_kept = rules.reshuffle != EveryRound()
        self._dealt = 0  # in the rounds that are over, where it is kept
        self._fresh = 1  # the first round that was dealt from it, where it is kept

    def begin_round(self, number: int) -> bool:
        """Make a shoe that is kept ready for the round of this number; whether it is fresh."""
        if not (self.is_kept and self._shoe.begin_round()):
            return False
        self._dealt, self._fresh = 0, number
        return True

    def end_round(self, number: int, round_: Round) -> None:
        """Count what a round has dealt that is over; the shoe may have been refilled for it."""
        if self.is_kept:
            dealt = _cards_dealt(round_)
            self._dealt += dealt
            if self._size is not None and self._dealt > self._size:
                self._dealt, self._fresh = dealt, number

    @property
    def counted(self) -> tuple[int, int]:
        """The cards dealt in the rounds that are over, and the first round that was dealt from this shoe."""
        return self._dealt, self._fresh

    def go_on(self, dealt: int, fresh: int) -> None:
        """Go on with what `counted` has told."""
        self._dealt, self._fresh = dealt, fresh

    def state(self, number: int, round_: Round | None, *, is_open: bool) -> ShoeState:
        """The state of the shoe.

        Args:
            number: the number of the round that is open, was last or comes next.
            round_: that round, as far as it has been dealt.
            is_open: whether it is open.
        """
        if self._size is None:
            return ShoeState(None, None, number)
        shown = 0 if round_ is None else _cards_dealt(round_)
        dealt = self._dealt + (shown if is_open else 0)
        if not self.is_kept or dealt > self._size:  # refilled with all cards but those of this round
            return ShoeState(self._size - shown, self._size, number)
        return ShoeState(self._size - dealt, self._size, self._fresh)


def _cards_dealt(round_: Round) -> int:
    """The number of cards that a round has taken from the shoe so far."""
    return sum(type(record) in _DEALT for record in round_.records)
