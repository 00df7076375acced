"""Settings as JSON: to be kept with the results, and to be compared with those of the next run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cards import rules_stated
from tournament.results.versions import sources_of
from tournament.settings import Clocks, Entrant, Limits, Settings


def as_json(settings: Settings) -> dict[str, Any]:
    """The settings except the rounds, with digests of what the entrants are made of.

    Tokens are left out: they are secrets, and change no result. So are `see` and `is_confined`, which change
    no result either, and `is_open`, which the database keeps beside them.

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
        "entrants": [entrant_as_json(each) for each in settings.entrants],
    }


def from_json(told: Mapping[str, Any], rounds: int, *, is_open: bool = False) -> Settings:
    """The settings of such an object."""
    return Settings(
        rules=rules_stated(told["rules"]),
        rounds=rounds,
        seed=told["seed"],
        entrants=tuple(map(entrant_from_json, told["entrants"])),
        clocks=Clocks(**told["clocks"]),
        limits=Limits(**told["limits"]),
        restarts=told["restarts"],
        start=told["start"],
        wait=told["wait"],
        kept_shoe=told["kept_shoe"],
        is_open=is_open,
    )


def difference(
    before: Mapping[str, Any], now: Mapping[str, Any], *, entrants: bool = True, hides_seed: bool = False
) -> str | None:
    """The difference between the settings of two runs, for a sentence; None if there is none.

    The order of the entrants is none.

    Args:
        before: the settings of the first run, as JSON.
        now: those of the second.
        entrants: whether the entrants are compared too.
        hides_seed: whether the seed of the first run is left out of the sentence.
    """
    if entrants and (differs := _difference_of_entrants(before["entrants"], now["entrants"])):
        return differs
    flat_before, flat_now = dict(_flat(before)), dict(_flat(now))
    for name in [*flat_now, *flat_before]:
        old, new = (each.get(name, "not given") for each in (flat_before, flat_now))
        if old != new:
            return "seed is another one" if hides_seed and name == "seed" else _differs(name, old, new)
    return None


def _difference_of_entrants(
    before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> str | None:
    names_before, names_now = ([each["name"] for each in told] for told in (before, now))
    if sorted(names_before) != sorted(names_now):
        return f"its entrants were {', '.join(names_before)}, and are {', '.join(names_now)}"
    of_name = {each["name"]: each for each in before}
    for new in now:
        name, old = new["name"], of_name[new["name"]]
        digests = old["sources"]["digest"], new["sources"]["digest"]
        if all(digests) and digests[0] != digests[1]:
            return f"what entrant {name} plays by, {new['policy']}, has another content"
        for key in ("policy", "command", "folder", "listen", "version"):
            # The same file may have another path today.
            if old[key] != new[key] and (key != "policy" or digests[1] is None):
                return _differs(f"{key} of entrant {name}", old[key], new[key])
    return None


def _differs(name: str, old: Any, new: Any) -> str:
    return f"{name} was {old}, and is {new}"


def _flat(told: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in told.items():
        if name == "entrants":
            continue
        if isinstance(value, Mapping):
            for key, member in value.items():
                yield f"{name}: {key}", member
        else:
            yield name, value


def entrant_as_json(entrant: Entrant) -> dict[str, Any]:
    """An entrant as an object of JSON, without its token.

    Raises:
        CommandError: if a file that it plays by cannot be read.
    """
    return {
        "name": entrant.name,
        "edition": entrant.edition,
        "policy": entrant.policy,
        "command": list(entrant.command),
        "folder": None if entrant.folder is None else str(entrant.folder),
        "listen": None if entrant.listen is None else list(entrant.listen),
        "tls": None if entrant.tls is None else [str(path) for path in entrant.tls],
        "version": entrant.version,
        "sources": sources_of(entrant),
    }


def entrant_from_json(told: Mapping[str, Any]) -> Entrant:
    """The entrant of such an object."""
    return Entrant(
        name=told["name"],
        policy=told["policy"],
        command=tuple(told["command"]),
        folder=None if told["folder"] is None else Path(told["folder"]),
        listen=None if told["listen"] is None else (told["listen"][0], told["listen"][1]),
        tls=None if told.get("tls") is None else (Path(told["tls"][0]), Path(told["tls"][1])),
        version=told["version"],
        edition=told["edition"],
    )
