"""Settings as JSON: to be kept with the results, and to be compared with those of the next run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cards import rules_stated
from tournament.entrants import file_of
from tournament.settings import Clocks, Entrant, Limits, Settings
from twentyone.support.command import CommandError, os_reason


def as_json(settings: Settings) -> dict[str, Any]:
    """The settings except the rounds, with a digest of every file that a policy plays by.

    Tokens are left out: they are secrets, and change no result. So are `see` and `is_confined`, which change
    no result either.

    Raises:
        CommandError: if such a file cannot be read.
    """
    return {
        "rules": settings.rules.fields(),
        "seed": settings.seed,
        "kept_shoe": settings.kept_shoe,
        "restarts": settings.restarts,
        "start": settings.start,
        "wait": settings.wait,
        "clocks": asdict(settings.clocks),
        "limits": asdict(settings.limits),
        "entrants": [_entrant(each) for each in settings.entrants],
    }


def from_json(told: Mapping[str, Any], rounds: int) -> Settings:
    """The settings of such an object."""
    entrants = [
        Entrant(
            name=each["name"],
            policy=each["policy"],
            command=tuple(each["command"]),
            folder=None if each["folder"] is None else Path(each["folder"]),
            listen=None if each["listen"] is None else (each["listen"][0], each["listen"][1]),
        )
        for each in told["entrants"]
    ]
    return Settings(
        rules=rules_stated(told["rules"]),
        rounds=rounds,
        seed=told["seed"],
        entrants=tuple(entrants),
        clocks=Clocks(**told["clocks"]),
        limits=Limits(**told["limits"]),
        restarts=told["restarts"],
        start=told["start"],
        wait=told["wait"],
        kept_shoe=told["kept_shoe"],
    )


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The difference between the settings of two runs, for a sentence; None if there is none."""
    names_before, names_now = ([each["name"] for each in told["entrants"]] for told in (before, now))
    if names_before != names_now:
        return f"its entrants were {', '.join(names_before)}, and are {', '.join(names_now)}"
    for old, new in zip(before["entrants"], now["entrants"], strict=True):
        if old["digest"] != new["digest"] and old["digest"] and new["digest"]:
            return f"what entrant {new['name']} plays by, {new['policy']}, has another content"
    flat_before, flat_now = dict(_flat(before)), dict(_flat(now))
    for name in [*flat_now, *flat_before]:
        old, new = (each.get(name, "not given") for each in (flat_before, flat_now))
        if old != new:
            return f"{name} was {old}, and is {new}"
    return None


def _flat(told: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in told.items():
        if name == "entrants":
            for each in value:
                for key in ("policy", "command", "folder", "listen"):
                    # The same file may have another path today.
                    if key != "policy" or each["digest"] is None:
                        yield f"{key} of entrant {each['name']}", each[key]
        elif isinstance(value, Mapping):
            for key, member in value.items():
                yield f"{name}: {key}", member
        else:
            yield name, value


def _entrant(entrant: Entrant) -> dict[str, Any]:
    return {
        "name": entrant.name,
        "policy": entrant.policy,
        "digest": _digest(entrant),
        "command": list(entrant.command),
        "folder": None if entrant.folder is None else str(entrant.folder),
        "listen": None if entrant.listen is None else list(entrant.listen),
    }


def _digest(entrant: Entrant) -> str | None:
    """The SHA-256 of the file that an entrant plays by; None if there is none."""
    file = None if entrant.policy is None else file_of(entrant)
    if file is None:
        return None
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise CommandError(f"entrant {entrant.name}: {file} cannot be read: {os_reason(error)}") from None
