"""Notes of what happens at a table besides the cards, for the log that watchers see."""

from __future__ import annotations

from typing import Final

from cards import Round

MAX_NOTES: Final = 64
"""Notes that are kept of one round: more than twice what a snapshot shows, so none is missed there."""


class Notes:
    """The notes of the round that is open, or was last.

    Attributes:
        kept: what happened since the round began, as far as it is kept, each with how many of the round's
            records came before it.
        logged: at least as many as there were lines to tell of all earlier rounds, and of notes that are not
            kept any more.
    """

    __slots__ = ("kept", "logged")

    def __init__(self) -> None:
        self.kept: list[tuple[int, str]] = []
        self.logged = 0

    def add(self, after: int, text: str) -> None:
        """Keep a note; the oldest gives way, and is counted as a line that was told."""
        self.kept.append((after, text))
        if len(self.kept) > MAX_NOTES:
            del self.kept[0]
            self.logged += 1

    def begin_round(self, last: Round | None) -> None:
        """Count the lines of the round that was: at most one a record, one a note, and its beginning."""
        if last is not None:
            self.logged += len(last.records) + 1
        if self.kept:
            self.logged += len(self.kept)
            self.kept.clear()
