"""Why a dealer refuses a line, in words that a page can act on: the first argument of REFUSED."""

from __future__ import annotations

from enum import StrEnum


class Word(StrEnum):
    """The words of REFUSED, and what they mean for a program that shows a table."""

    MALFORMED = "malformed"  # not a message: an unknown verb, or arguments that it does not take
    NOT_ALLOWED = "not-allowed"  # a message that is not allowed now
    TOO_LATE = "too-late"  # the answer to a decision that the clock has taken
    BAD_TOKEN = "bad-token"  # JOIN: the name is kept for its owner or the dealer, and this is not its token
    TIME_OVER = "time-over"  # the clock has taken the decision; nothing was sent
    NO_SEAT = "no-seat"  # JOIN: every seat is taken, or every one of the watched table
    NO_TABLE = "no-table"  # WATCH: there is no such table
    NO_PLACE = "no-place"  # WATCH: there are as many onlookers as there may be
    NOT_KEPT = "not-kept"  # RESUME: no seat is kept under this token
    TOKEN_IN_USE = "token-in-use"  # KEEP: another seat is kept under this token
    NO_HINT = "no-hint"  # HINT: not a practice table, or no decision is due
    NO_REVIEW = "no-review"  # REVIEW: no round of this player is over yet
    NO_ROUND = "no-round"  # HISTORY: no such round of the table is kept, or there is no table
    BUSY = "busy"  # CHART: as many as may be wait for theirs
    NO_CHART = "no-chart"  # CHART: no table, no dealer, or rules that are not for this dealer to work out
    NO_REVEAL = "no-reveal"  # REVEAL: not a practice table, or nothing is watched
    CANNOT_OPEN = "cannot-open"  # OPEN: this dealer opens no further tables for players
    BAD_TABLE = "bad-table"  # OPEN: an option is unknown or invalid
    TAKEN_OVER = "taken-over"  # the seat has gone to another connection; this one is closed
    ENDED = "ended"  # the connection is closed, for the reason that the sentence gives


class RefusalError(Exception):
    """A message that is understood and allowed, but not granted: nothing has changed.

    Args:
        word: for programs.
        sentence: for people: what was wrong; what is expected is added where it is a violation.
        is_violation: whether it counts towards the violations that end a connection.
        is_final: whether the connection is closed after it.
    """

    def __init__(
        self, word: Word, sentence: str, *, is_violation: bool = True, is_final: bool = False
    ) -> None:
        super().__init__(sentence)
        self.word = word
        self.is_violation = is_violation
        self.is_final = is_final
