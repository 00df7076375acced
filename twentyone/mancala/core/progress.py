"""Progress of long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

OnProgress: TypeAlias = Callable[[int], object]
"""Called now and then with how much has been done so far."""


def ignore_progress(_: int) -> None:
    """Report progress to nobody."""
