"""Numbers of things, and choices between them, in words."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int | str, what: str) -> str:
    """A number of things, with the singular for one: `1 round`, `2,000 rounds`, `2 matches`, `3 entries`.

    Args:
        number: the number, or its text, such as `+1` or `0.5`.
        what: the thing.
    """
    text = number if isinstance(number, str) else f"{number:,}"
    return f"{text} {what if text.lstrip('+-') == '1' else _several(what)}"


def one_of(words: Iterable[str]) -> str:
    """A choice, one word at least: `a`, `a or b`, `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _several(what: str) -> str:
    if what.endswith(("s", "x", "ch", "sh")):
        return f"{what}es"
    if what.endswith("y") and what[-2] not in "aeiou":
        return f"{what[:-1]}ies"
    return f"{what}s"
