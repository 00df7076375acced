"""Where Q tables are kept, and the learning methods that their headers name; it loads nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DEFAULT_TABLE: Final = Path("qtables/qtable.txt")
"""Where `training` and `analysis learn` write their table, and where `player` looks for one."""

PACKAGED_TABLE: Final = "course.txt"
"""The trained table that comes with the package, in `qtables`."""

QLEARNING: Final = "qlearning"
RANDOM_PLAY: Final = "random-play"
METHODS: Final = (QLEARNING, RANDOM_PLAY)
"""The learning methods."""

_OLD_METHODS: Final = {"course": RANDOM_PLAY}
"""What methods were called before version 0.2; still read, never written."""


def current_name(method: str) -> str:
    """The name of a learning method today, for one that may be spelt as before version 0.2."""
    return _OLD_METHODS.get(method, method)
