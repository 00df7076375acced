"""Exceptions in callbacks of the dealer stop the match: the dealer itself knows no match."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from protocol import RefusalError


class Guard:
    """A context in which an error is handed on and ends there; a refusal is an answer, and passes.

    It may be entered while it is entered.

    Args:
        failed: is given the error.
    """

    __slots__ = ("_failed",)

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self._failed = failed

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Hand on the error, if there is one."""
        if not isinstance(error, Exception) or isinstance(error, RefusalError):
            return False
        self._failed(error)
        return True
