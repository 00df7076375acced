"""The order of names in which a person expects them: `training (2)` before `training (10)`."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"([0-9]+)")


def natural(text: str) -> tuple[list[tuple[str, int]], str]:
    """A key by which texts are sorted with the numbers in them as numbers, capitals beside small letters.

    Args:
        text: a name, or any other text.
    """
    words = _NUMBER.split(text.casefold())  # texts and numbers in turn
    numbers = [*map(int, words[1::2]), -1]
    return list(zip(words[::2], numbers, strict=True)), text
