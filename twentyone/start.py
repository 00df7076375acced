"""The beginning of every command: it says which file of the user's hides a package of this project, if any.

The packages have short names. A program of the user's may have one of them too, as a `cards.py` beside a
script or in a folder of PYTHONPATH; Python then imports it in the place of ours. That fails somewhere inside,
or does something else altogether. So this package, whose name nobody else uses, looks first, and imports none
of the others before.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent.parent
"""The folder that holds the packages: a checkout, or the one where they are installed with many others."""

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "dealer": ("cards", "dealer", "protocol"),
    "player": ("cards", "player", "protocol"),
    "tournament": ("cards", "dealer", "player", "protocol", "tournament"),
    "twentyone.analysis": ("cards",),
    "twentyone.devs": ("cards",),
    "twentyone.environments": ("cards", "protocol"),
    "twentyone.mancala": ("cards",),
}
"""The packages at the top that each part of the project imports, directly or through others, except this
one. Only these must be ours."""

FAILED: Final = 1
"""The exit status, as `twentyone.support.command` has it."""


def hidden_packages(part: str) -> str | None:
    """A sentence about the files that hide packages which a part of the project needs; None if all are ours.

    Args:
        part: a key of `NEEDS`.
    """
    hiding = {name: place for name in NEEDS[part] if (place := _place(name)) not in (None, HERE / name)}
    if not hiding:
        return None
    verb, noun, them = ("hides", "package", "it") if len(hiding) == 1 else ("hide", "packages", "them")
    places = _joined(dict.fromkeys(map(str, hiding.values())))
    return (
        f"{places} {verb} the {noun} {_joined(hiding)} of twentyone: rename {them}, or move {them} out of the"
        " folders from which Python imports"
    )


def _place(name: str) -> Path | None:
    """The file or folder that would be imported by a name, or has been; None if there is none."""
    try:
        spec = find_spec(name)
    except ValueError:  # a module without a spec: somebody has put it there by hand
        return Path(getattr(sys.modules[name], "__file__", None) or name)
    if spec is None:
        return None
    places = spec.submodule_search_locations
    place = Path(next(iter(places)) if places else spec.origin or name)
    return HERE / name if _is_ours(place, name) else place


def _is_ours(place: Path, name: str) -> bool:
    ours = HERE / name
    return place == ours or (place.exists() and ours.exists() and place.samefile(ours))


def _joined(words: Iterable[str]) -> str:
    *others, last = (word if word.isprintable() else ascii(word) for word in words)
    return f"{', '.join(others)} and {last}" if others else last


def _start(command: str, part: str, main: str = "main") -> int:
    """Run a command, unless a package that it needs is hidden; return its status."""
    sentence = hidden_packages(part)
    if sentence is not None:
        print(f"{command}: {sentence}", file=sys.stderr)
        return FAILED
    gc.disable()  # what is imported stays: to look for garbage in it takes as long as a tenth of the imports
    run = getattr(import_module(f"{part}.cli"), main)
    gc.freeze()
    gc.enable()
    run()
    return 0


def analysis() -> int:
    """Run `analysis`."""
    return _start("analysis", "twentyone.analysis")


def dealer() -> int:
    """Run `dealer`."""
    return _start("dealer", "dealer")


def devs() -> int:
    """Run `devs`."""
    return _start("devs", "twentyone.devs")


def mancala() -> int:
    """Run `mancala`."""
    return _start("mancala", "twentyone.mancala")


def player() -> int:
    """Run `player`."""
    return _start("player", "player", "player_main")


def replay() -> int:
    """Run `replay`."""
    return _start("replay", "tournament", "replay_main")


def tournament() -> int:
    """Run `tournament`."""
    return _start("tournament", "tournament")


def training() -> int:
    """Run `training`."""
    return _start("training", "player", "training_main")
