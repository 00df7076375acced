"""Whether a dealer does what it is answered, as far as its messages show it."""

from __future__ import annotations

from typing import Final

from cards import Decision, Outcome

_HIT: Final = Decision.HIT
_BUST: Final = Outcome.BUST


class DelayedAnswers:
    """Follows one connection, and tells of each round whether its decisions were the player's own.

    A dealer that does not wait decides alone, and does not say so. But a HIT that it took brings a CARD, or
    at least a BUST, and a STAND brings another RESULT. The answer that came too late is taken for one to the
    next question, and so is each one after it. So after such a round the next ones are in doubt, until the
    dealer has carried out a HIT whose answer before was STAND: nothing but that HIT explains it.
    """

    def __init__(self) -> None:
        self._is_open = False  # a question that has not been answered
        self.awaited: Decision | None = None
        self._last: Decision | None = None
        self._before: Decision | None = None  # the answer before the last one
        self._is_own = True
        self._is_in_doubt = False

    def left_open(self) -> None:
        """The dealer asks, and the player does not answer now."""
        if self.awaited is not None:
            self._note_too_late()
        self._is_open = True

    def answered(self, decision: Decision) -> None:
        """The player answers what the dealer asks, or has asked."""
        if self.awaited is not None:
            self._note_too_late()
        self._is_open = False
        self._before, self._last = self._last, decision
        self.awaited = decision

    def dealt(self, was_sent: bool) -> None:
        """The dealer deals a card after an answer: not one of the first two.

        Args:
            was_sent: whether all answers had been sent when it came.
        """
        if self.awaited is Decision.STAND or not was_sent:
            self._note_too_late()
        elif self._before is Decision.STAND:
            self._is_in_doubt = False
        self.awaited = None

    def settled(self, outcome: Outcome, was_sent: bool) -> bool:
        """The round is over; return whether all its decisions were the player's own.

        Args:
            outcome: its result.
            was_sent: as in `dealt`.
        """
        awaited = self.awaited
        if awaited is not None:
            explains = (awaited is _HIT) == (outcome is _BUST)  # it can have ended the round like this
            if not (was_sent and explains):
                self._note_too_late()
        elif self._is_open:
            self._is_own = False  # no answer is under way that could be taken for another
        is_own, self._is_own = self._is_own, not self._is_in_doubt
        self._is_open, self.awaited = False, None
        return is_own

    def _note_too_late(self) -> None:
        self._is_own = False
        self._is_in_doubt = True
