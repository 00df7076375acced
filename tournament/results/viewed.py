"""The entrants that are shown where they may come later: those that have played, and earlier versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tournament.results.entering import earlier
from tournament.results.settings_json import entrant_from_json
from tournament.settings import Entrant, Match, Settings, is_own

FEWEST: Final = 2
"""Rounds without which an entrant is not shown: nothing can be said of it."""

Key = tuple[tuple[str, int], ...]
"""A match as the database knows it: the names and versions of its entrants."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The matches whose rounds count.

    Attributes:
        settings: the tournament, with the entrants that are shown.
        rounds: how many rounds of each of its matches count.
        days: of each entrant the first and the last day on which it played; empty where that is not shown.
        waiting: the names of those that have not played yet.
    """

    settings: Settings
    rounds: Sequence[int]
    days: Sequence[tuple[str, str]] = ()
    waiting: Sequence[str] = ()

    @property
    def most(self) -> int:
        """The most rounds that count, of any match but those of earlier versions."""
        groups = len(self.settings.matches) - len(self.settings.groups)
        return max(self.rounds[:groups])

    def counts_for(self, match: Match, entrant: int) -> bool:
        """Whether a match is one of an entrant's own: those with earlier versions of others are not."""
        return is_own(self.settings, match, entrant)


def with_earlier(told: Settings, versions: Sequence[Mapping[str, Any]]) -> Settings:
    """The tournament with the earlier versions of its entrants after them, by name and number."""
    now = {each.name: each.edition for each in told.entrants}
    former = [
        replace(each, name=earlier(each.name, each.edition), former_of=each.name)
        for each in map(entrant_from_json, versions)
        if each.edition < now.get(each.name, 0)
    ]
    places = {each.name: place for place, each in enumerate(told.entrants)}
    former.sort(key=lambda each: (places[each.played_as], each.edition))
    return replace(told, entrants=(*told.entrants, *former))


def counted_in(
    told: Settings, whole: Settings, played: Mapping[Key, tuple[int, str, str]], limit: int
) -> Counted:
    """Find the matches and the rounds that count, of all that were played.

    Args:
        told: the tournament as it is now.
        whole: the same with earlier versions.
        played: of each match its rounds, and the days of the first and the last.
        limit: the most rounds of a match.
    """
    now, keys = {each.key for each in told.entrants}, {each.key for each in whole.entrants}
    own = [key for key in played if now.issuperset(key)]
    older = [key for key in played if not now.issuperset(key) and keys.issuperset(key)]
    shown = _with_rounds(whole.entrants, own, older, played)
    current = [each for each in shown if each.former_of is None]
    if not current:
        return Counted(told, [0] * len(told.matches))
    number = {each.key: place for place, each in enumerate(shown)}
    groups = [tuple(number[each] for each in key) for key in older if all(each in number for each in key)]
    groups.sort(key=lambda group: sorted(group, reverse=True))  # against a dealer: as the entrants
    settings = replace(whole, entrants=tuple(shown), groups=tuple(groups))
    nothing = (0, "", "")
    found = [
        played.get(tuple(shown[place].key for place in match.entrants), nothing) for match in settings.matches
    ]
    waiting = [each.name for each in told.entrants if each.key not in number]
    days = [_days(settings, place, found) for place in range(len(shown))]
    return Counted(settings, [min(rounds, limit) for rounds, _, _ in found], days, waiting)


def _with_rounds(
    entrants: Sequence[Entrant],
    own: Sequence[Key],
    older: Sequence[Key],
    played: Mapping[Key, tuple[int, str, str]],
) -> list[Entrant]:
    """The entrants that have enough rounds."""

    def rounds(each: Entrant) -> int:
        keys = own if each.former_of is None else older
        return sum(played[key][0] for key in keys if each.key in key)

    return [each for each in entrants if rounds(each) >= FEWEST]


def _days(settings: Settings, entrant: int, found: Sequence[tuple[int, str, str]]) -> tuple[str, str]:
    """The first and the last day of the rounds of an entrant."""
    own = [
        found[match.number][1:]
        for match in settings.matches
        if entrant in match.entrants and found[match.number][0] and is_own(settings, match, entrant)
    ]
    return min(first for first, _ in own), max(last for _, last in own)
