"""Entrants that come later, change, or go: which version of each plays, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from tournament.results.settings_json import difference
from tournament.results.versions import is_same
from tournament.settings import Entrant, Settings
from twentyone.support.command import USAGE, CommandError

Told = Mapping[str, Any]
"""An entrant, or all settings, as `settings_json` keeps them."""


class Phase(Enum):
    """Whether entrants may come, change and go; the value is what the database keeps."""

    FIXED = "fixed"
    OPEN = "open"
    CLOSED = "closed"


OPENED: Final = "began without open = true, so its rounds could be seen: expected no such key now"
LEFT_OPEN: Final = "is open: expected open = true in the file until tournament close ends that"


@dataclass(frozen=True, slots=True)
class Entry:
    """The entrants as they are now, with their versions.

    Attributes:
        entrants: each as JSON, with its `edition`.
        came: the names of those that were not there in the run before.
        changed: the names of those that were another version then.
        gone: the names of those that are not there any more.
    """

    entrants: Sequence[dict[str, Any]]
    came: Sequence[str]
    changed: Sequence[str]
    gone: Sequence[str]

    @property
    def new(self) -> frozenset[str]:
        """The names of those whose rounds are still to be played, since they came or changed."""
        return frozenset((*self.came, *self.changed))

    def numbered(self, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
        """The same entrants, each with the number of its version."""
        pairs = zip(entrants, self.entrants, strict=True)
        return tuple(replace(each, edition=told["edition"]) for each, told in pairs)

    def notices(self) -> list[str]:
        """A sentence about each kind of change."""
        said = [f"{name} has come" for name in self.came]
        for each in self.entrants:
            name, edition = each["name"], each["edition"]
            if name in self.changed:
                said.append(f"{name} has changed: its rounds so far are kept as {earlier(name, edition - 1)}")
        return said + [f"{name} is not in the file any more, and is left out" for name in self.gone]


def earlier(name: str, edition: int) -> str:
    """The name under which the rounds of an earlier version are shown."""
    return f"{name}, version {edition}"


def check_same(path: object, before: Told, now: Told, kept: Phase, settings: Settings) -> None:
    """Refuse what may not change between two runs.

    Args:
        path: the database, for sentences.
        before: the settings of the run before.
        now: those of this one.
        kept: the phase of the tournament.
        settings: those of this run.

    Raises:
        CommandError: if something else is not as before.
    """
    is_open = kept is Phase.OPEN
    if (kept is Phase.FIXED and settings.is_open) or (is_open and not settings.is_open):
        raise CommandError(f"{path} {LEFT_OPEN if is_open else OPENED}", USAGE)
    differs = difference(before, now, entrants=not is_open, hides_seed=is_open)
    if kept is Phase.CLOSED and differs is None:
        differs = _changed_since(before["entrants"], now["entrants"])
    if differs is None:
        return
    if kept is Phase.CLOSED:
        raise CommandError(f"{path} is closed, and nothing may change: {differs}", USAGE)
    raise CommandError(
        f"{path} has the results of another tournament: {differs}; give another --folder, or what it was"
        " before",
        USAGE,
    )


def _changed_since(before: Sequence[Told], now: Sequence[Told]) -> str | None:
    of_name = {each["name"]: each for each in before}
    changed = [each["name"] for each in now if not is_same(of_name[each["name"]], each)]
    return f"{changed[0]} is another version than before" if changed else None


def enter(
    before: Sequence[Told],
    now: Sequence[Told],
    latest: Callable[[str], Told | None],
    *,
    may_change: bool = True,
) -> Entry:
    """Find out which version of each entrant plays.

    Args:
        before: the entrants of the run before.
        now: those of this one, with any `edition`.
        latest: the last version of an entrant that ever took part, by its name.
        may_change: whether an entrant that is not the same is another version; if not, it is the last one.
    """
    entrants = []
    for each in now:
        last = latest(each["name"])
        is_changed = last is not None and may_change and not is_same(last, each)
        edition = 1 if last is None else last["edition"] + is_changed
        entrants.append({**each, "edition": edition})
    were = {each["name"]: each["edition"] for each in before}
    are = {each["name"]: each["edition"] for each in entrants}
    return Entry(
        entrants,
        came=[name for name in are if name not in were and before],
        changed=[name for name in are if name in were and were[name] != are[name]],
        gone=[name for name in were if name not in are],
    )
