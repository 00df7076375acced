"""Exact values by enumeration: what policies are worth, the best of them, grades, advice and charts.

`solve`, `evaluate` and `hand` are the way in, for any rules; `twentyone.exact.face` has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twentyone.exact.face import Evaluation, Solution, evaluate, hand, solve

__all__ = ["Evaluation", "Solution", "evaluate", "hand", "solve"]


def __getattr__(name: str) -> Any:
    """The names of the face, which is loaded when one is first asked for: most imports need a part only."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from twentyone.exact import face

    return getattr(face, name)
