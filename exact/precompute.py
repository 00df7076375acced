"""Makes the values of standing that come with the package: `python -m exact.precompute`."""

from __future__ import annotations

from typing import Final

from cards import Ace, DealerStands, Naturals
from exact import cache
from exact.game import Kind, computed_stand, name_of

PACKAGED: Final = (Kind(1, Ace.EITHER, DealerStands.ALL17, Naturals.EQUAL),)
"""The rules whose values come with the package: those of `course`."""


def main() -> None:
    """Write the files into the package."""
    for kind in PACKAGED:
        cache.write(cache.PACKAGED, name_of(kind), computed_stand(kind))


if __name__ == "__main__":
    main()
