"""The kinds of policies that can be named, and how each is written; it loads nothing heavy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

MAX_THRESHOLD: Final = 22
"""The highest total to draw below: every hand is then drawn until it is bust."""

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "basic": "basic (the best for the rules)",
    "total-only": "total-only (the best that cannot see softness)",
    "random-play-limit": "random-play-limit (what the learning method random-play converges to)",
    "mimic": "mimic (as the dealer)",
    "never-bust": "never-bust",
    "random": "random",
    "threshold": "threshold:N (draws below N)",
    "qtable": "qtable:FILE (a Q table; just the file will do)",
}
"""What a help text says of each kind that is a table of decisions."""

TABLES: Final = tuple(DESCRIPTIONS)
"""The kinds that are tables of decisions. `human` is the only one that is not."""

_FORMS: Final = {
    "threshold": f"threshold:N (N from 0 to {MAX_THRESHOLD})",
    "qtable": "qtable:FILE (or just the file)",
}


def expected(kinds: Collection[str] = TABLES, *, files: bool = True) -> str:
    """The names that may be typed, for the end of a sentence.

    Args:
        kinds: the kinds that may be named.
        files: whether a table may be named by its file.
    """
    return _joined([kind if kind == "qtable" and not files else _FORMS.get(kind, kind) for kind in kinds])


def described() -> str:
    """All kinds that are tables of decisions, each with its description, for a help text."""
    return _joined([*DESCRIPTIONS.values()])


def _joined(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
