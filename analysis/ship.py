"""Makes the values of standing that come with the package: `python -m analysis.ship`."""

from __future__ import annotations

from typing import Final

from analysis import cache
from analysis.game import Kind, computed_stand, name_of
from cards import Ace, DealerStands, Naturals

SHIPPED: Final = (Kind(1, Ace.EITHER, DealerStands.ALL17, Naturals.EQUAL),)
"""The rules whose values ship: those of `course`."""


def main() -> None:
    """Write the files into the package."""
    for kind in SHIPPED:
        cache.write(cache.SHIPPED, name_of(kind), computed_stand(kind))


if __name__ == "__main__":
    main()
