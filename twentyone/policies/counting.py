"""Counting cards: systems of tags, the true count, and bets that grow with it.

A player who counts adds a number, the card's *tag*, for each card that it sees. The sum since the shoe was
made fresh is the running count. The true count is the running count by decks (of 52 cards) that were not
seen, rounded down. It says how much better than usual the cards are that are left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cards import Card
from cards.rules import DECK
from twentyone.support.command import USAGE, CommandError

PER_DECK: Final = (4, 4, 4, 4, 4, 4, 4, 4, 16, 4)
"""The number of a deck's cards with each tag."""

MOST_TAG: Final = 9
"""The greatest tag: no known system has a greater one, and running counts stay within a few thousand."""

MOST_UNITS: Final = 1000
"""The largest bet by the count, in units of the least bet: beyond what any table takes."""

FIRST_COUNT: Final = 1
"""Up to this true count the least units are bet: below it the house has the edge."""

FULL_COUNT: Final = 5
"""From this true count on the most units are bet; between the two in a straight line."""


@dataclass(frozen=True, slots=True)
class System:
    """A system of counting.

    Attributes:
        name: what it is called.
        tags: what a card adds to the running count, for 2 to 10 and, last, the ace.
    """

    name: str
    tags: tuple[int, ...]

    @property
    def of_a_deck(self) -> int:
        """The running count after all cards of a deck: 0 if the system is balanced."""
        return sum(tag * cards for tag, cards in zip(self.tags, PER_DECK, strict=True))

    def tag(self, card: Card) -> int:
        """The tag of a card, which is added to the running count."""
        return self.tags[-1] if card.is_ace else self.tags[card.points - 2]

    def true_count(self, running: int, seen: int, left: int) -> int:
        """The true count, rounded down; 0 if no card is left.

        If the system is not balanced, what `seen` cards add on the average is taken away from the running
        count first.

        Args:
            running: the running count, which began at 0.
            seen: how many cards were seen.
            left: how many cards of the shoe were not.
        """
        return (running * DECK - self.of_a_deck * seen) // left if left > 0 else 0


HI_LO: Final = System("hi-lo", (1, 1, 1, 1, 1, 0, 0, 0, -1, -1))
"""The count of Dubner and Braun (Thorp, E. O., "Beat the Dealer", 1966), also called High-Low."""

SYSTEMS: Final[Mapping[str, System]] = {
    system.name: system
    for system in (
        HI_LO,
        System("ko", (1, 1, 1, 1, 1, 1, 0, 0, -1, -1)),
        System("hi-opt-1", (0, 1, 1, 1, 1, 0, 0, 0, -1, 0)),
        System("hi-opt-2", (1, 1, 2, 2, 1, 1, 0, 0, -2, 0)),
        System("omega-2", (1, 1, 2, 2, 2, 1, 0, -1, -2, 0)),
        System("zen", (1, 1, 2, 2, 2, 1, 0, 0, -2, -1)),
    )
}
"""Systems by name.

KO is by Vancura and Fuchs, "Knock-Out Blackjack" (1998); Hi-Opt I and II by Humble and Cooper, "The World's
Greatest Blackjack Book" (1980); Omega II by Carlson, "Blackjack for Blood" (1992); Zen by Snyder, "Blackbelt
in Blackjack" (1983).
"""

_TAG: Final = f"[+-]?[0-{MOST_TAG}]"
_TAGS: Final = re.compile(f"tags:({_TAG}(?:,{_TAG}){{9}})")

SYSTEM_EXPECTED: Final = (
    f"{', '.join(SYSTEMS)}, or tags:A,2,3,4,5,6,7,8,9,10 with a whole number from -{MOST_TAG} to {MOST_TAG}"
    " for each, such as tags:-1,1,1,1,1,1,0,0,0,-1"
)


def system_named(text: str) -> System:
    """The system that was typed: its name, in letters of either case, or its tags from the ace to the ten.

    Raises:
        CommandError: if it is none, or all its tags are equal, so that it tells nothing.
    """
    name = text.lower()
    if name in SYSTEMS:
        return SYSTEMS[name]
    if found := _TAGS.fullmatch(name):
        ace, *others = map(int, found[1].split(","))
        if {ace} == set(others):
            raise CommandError(
                f"all tags of {text} are equal, so it counts nothing: expected tags that differ, such as"
                " tags:-1,1,1,1,1,1,0,0,0,-1",
                USAGE,
            )
        return System(name, (*others, ace))
    raise CommandError(f"there is no system {text!r}: expected {SYSTEM_EXPECTED}", USAGE)


@dataclass(frozen=True, slots=True)
class Spread:
    """Bets by the true count, in units of the least bet.

    Attributes:
        low: the bet up to a true count of `FIRST_COUNT`.
        high: the bet from `FULL_COUNT` on.
    """

    low: int
    high: int

    def units(self, true_count: int) -> int:
        """The bet at a true count."""
        steps = min(max(true_count, FIRST_COUNT), FULL_COUNT) - FIRST_COUNT
        return self.low + (self.high - self.low) * steps // (FULL_COUNT - FIRST_COUNT)

    def __str__(self) -> str:
        return f"count:{self.low}-{self.high}"


def spread_in(text: str) -> Spread | None:
    """The spread that was typed, such as `count:1-8`; None if it is none."""
    found = re.fullmatch("count:([1-9][0-9]{0,3})-([1-9][0-9]{0,3})", text)
    if found and int(found[1]) <= int(found[2]) <= MOST_UNITS:
        return Spread(int(found[1]), int(found[2]))
    return None
