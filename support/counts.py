"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things, with the singular for one: `1 round`, `2,000 rounds`, `1 match`, `2 matches`."""
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what}{'es' if what.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
