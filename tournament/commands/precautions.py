"""Precautions before the first round: the hash of the seed is told, and programs are confined."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tournament.commands.options import notice
from tournament.entrants import REQUIRED, policy_name
from tournament.settings import Match, Settings
from tournament.trust import BITS
from twentyone.policies import names
from twentyone.support.command import CommandError

if TYPE_CHECKING:
    from tournament.playing.bubblewrap import Box
    from tournament.results.store import Store

FEW_SEEDS: Final = 2**48
"""A seed below can be found by trying all of them: a day's work for a computer that knows the first cards."""


def take(store: Store, file: Path, folder: Path, *, has_seed: bool, is_typed: bool) -> Box | None:
    """Tell the hash of the seed, and find out whether programs can be confined; how they are, if so.

    Nothing is done where nothing is left to be played.

    Args:
        store: the results.
        file: the file of the tournament.
        folder: the folder of its results.
        has_seed: whether the seed is from the file.
        is_typed: whether the seed is from the command line.

    Raises:
        CommandError: if all have to be confined and cannot be, or an entrant is to see what it must not.
    """
    settings = store.settings
    left = [match for match in settings.matches if store.played(match) < settings.rounds]
    if not left:
        return None
    box, reasons = _confined(store, file, folder, left, is_typed=is_typed)
    notice(f"the SHA-256 of the seed and of {BITS} random bits is {store.seed_hash}")
    if any(settings.entrants[number].policy is None for match in left for number in match.entrants):
        _warn_of_seed(settings, file, has_seed=has_seed)
        _warn_of_modes([store.path])
    for reason in reasons:
        notice(reason)
    return box


def _warn_of_seed(settings: Settings, file: Path, *, has_seed: bool) -> None:
    if settings.seed < FEW_SEEDS:
        notice(
            "the seed is below 2^48, so a program can find it by trying, from the first cards: without a seed"
            " one of 63 bits is drawn"
        )
    if has_seed:
        _warn_of_modes([file])


def _warn_of_modes(paths: Sequence[Path]) -> None:
    """Say which files with the seed others can read."""
    for path in paths:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & (stat.S_IRGRP | stat.S_IROTH):
            notice(
                f"{path} has the seed, and its mode {mode:o} lets others read it: chmod 600"
                f" {shlex.quote(str(path))}"
            )


def _confined(
    store: Store, file: Path, folder: Path, left: Sequence[Match], *, is_typed: bool
) -> tuple[Box | None, list[str]]:
    """Find out how programs can be confined, and note who is; the warnings about who is not."""
    from tournament.playing.bubblewrap import box_for

    settings = store.settings
    inside, programs = _inside(settings, left), _programs(settings, left)
    found = box_for(settings, file, folder) if programs else None
    reasons = [f"{name} is Python that plays within the tournament itself" for name in inside]
    if isinstance(found, str):
        reasons.append(f"programs cannot be confined, since {found}")
    if reasons and settings.is_confined:
        raise CommandError(f'{file} has confine = "{REQUIRED}", but {"; ".join(reasons)}')
    is_confined = not isinstance(found, str)
    store.note_confined(dict.fromkeys(programs, is_confined) | dict.fromkeys(inside, False))
    secrets = f"{file}, the database and the list of processes" if is_typed else f"{file} and the database"
    warnings = [f"{reason}: programs of the same user can read {secrets}" for reason in reasons]
    return None if isinstance(found, str) else found, warnings


def _programs(settings: Settings, left: Sequence[Match]) -> list[str]:
    """The names of the entrants whose programs are started here."""
    found = [settings.entrants[number] for match in left for number in match.entrants]
    is_started = not settings.rules.has_dealer  # then policies play by the project's own player
    return list(dict.fromkeys(each.name for each in found if each.command or (is_started and each.policy)))


def _inside(settings: Settings, left: Sequence[Match]) -> list[str]:
    """The names of the entrants that are the user's own Python, and are played by the tournament itself."""
    if not settings.rules.has_dealer:
        return []
    found = [settings.entrants[number] for match in left for number in match.entrants]
    return [each.name for each in found if each.policy and policy_name(each).kind == names.FUNCTION]
