"""The rounds that are left, of one table, or of all tables that share them."""

from __future__ import annotations


class Budget:
    """The number of rounds that may be dealt.

    Args:
        rounds: the number of rounds, 0 for no end.
        within: a budget that these rounds are charged to as well.
        ends_with: a budget by which this one is halted and ends too, and to which nothing is charged.
        dealt: how many rounds another dealer has charged.

    Attributes:
        dealt: how many rounds have been charged.
        is_closed: whether it was closed before its end.
    """

    __slots__ = ("_ends_with", "_is_halted", "_rounds", "_within", "dealt", "is_closed")

    def __init__(
        self, rounds: int, within: Budget | None = None, *, ends_with: Budget | None = None, dealt: int = 0
    ) -> None:
        self._rounds = rounds
        self._within = within
        self._ends_with = within or ends_with
        self._is_halted = False
        self.is_closed = False
        self.dealt = dealt

    @property
    def is_used_up(self) -> bool:
        """Whether no further round may begin."""
        if self.is_closed or 0 < self._rounds <= self.dealt:
            return True
        return self._ends_with is not None and self._ends_with.is_used_up

    @property
    def is_halted(self) -> bool:
        """Whether no round may begin for now, although there may be further ones."""
        return self._is_halted or (self._ends_with is not None and self._ends_with.is_halted)

    def charge(self) -> None:
        """Charge one round, which begins; `is_used_up` says before whether it may."""
        self.dealt += 1
        if self._within is not None:
            self._within.charge()

    def close(self) -> None:
        """Let no further round begin."""
        self.is_closed = True

    def halt(self) -> None:
        """Let no round begin until `resume`; nobody is sent away for it."""
        self._is_halted = True

    def resume(self) -> None:
        """Let rounds begin again; a table does so by its `go_on`."""
        self._is_halted = False
