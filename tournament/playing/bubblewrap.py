"""The sandbox of a tournament's programs, by bubblewrap (`bwrap`), where that works.

A program sees the system's folders and the Python that runs the tournament, the files that its command names
and what its entry names in `see`, all read-only; its own folder; and an empty /tmp. It does not see the
folder of the tournament's file, the results, a home, other programs' files or other processes. The network
stays as it is.

Paths keep their names. Where one lies within another, the deeper one decides: so a file is seen in a folder
that is hidden, and a folder is hidden in one that is seen.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from tournament.entrants import file_of, files_named
from tournament.playing import confine
from tournament.settings import Entrant, Settings
from twentyone.support.command import USAGE, CommandError, os_reason

SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
    *("/nix/store", "/gnu/store"),
)
"""Folders in which systems keep programs, libraries and settings; not every system has all of them."""

EMPTY: Final = ("/tmp", "/dev/shm")
"""Folders that are a program's own, and empty when it starts."""

NAMES: Final = "/etc/resolv.conf"
"""The file about name servers: often a link to a place outside the system's folders."""

PARTS: Final = (
    *("bin", "lib", "lib32", "lib64", "libexec", "include", "share", "etc", "ssl", "pyvenv.cfg"),
    "conda-meta",
)
"""The parts of a Python in the folder where it is installed, which may hold other things too."""

PYTHON: Final = re.compile(r"(?:python|pypy)[0-9.]*")
"""The names of a Python."""

ASK: Final = """
import importlib.util, json, sys
found = importlib.util.find_spec("cards")
print(json.dumps([sys.executable, [sys.prefix, sys.base_prefix], sys.path, found.origin if found else None]))
"""
"""A program that prints a Python's executable, its prefixes, and the folders of its packages."""

TRIAL: Final = 20.0
"""Seconds that anything takes that is started once to see whether it works."""


class _Kind(Enum):
    """The options of bwrap that need nothing but a path, by what a program finds there."""

    SEEN = "--ro-bind-try"
    OWN = "--bind"
    EMPTY = "--tmpfs"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class View:
    """The files that a program sees.

    Attributes:
        seen: files and folders.
        links: paths that are links, and what they lead to.
    """

    seen: tuple[Path, ...]
    links: Mapping[Path, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """The confinement of programs.

    Attributes:
        bwrap: the path of bubblewrap.
        common: what every program sees.
        hidden: folders that no program sees, except what is its own.
        named: by the names of entrants, what each sees besides.
        size: the bytes of /tmp; None where this bubblewrap cannot limit it.
    """

    bwrap: str
    common: View
    hidden: tuple[Path, ...]
    named: Mapping[str, View]
    size: int | None

    def words(self, name: str = "", folder: Path | None = None) -> tuple[str, ...]:
        """The words that go before the command of an entrant's program.

        Args:
            name: the entrant's name.
            folder: the folder that is its own, without links in its path.
        """
        mounted, covered = self._mounts(name, folder)
        return (
            *(self.bwrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"),
            *("--proc", "/proc", "--dev", "/dev"),
            *mounted,
            *(word for path in ("/dev", *covered, "/") for word in ("--remount-ro", str(path))),
            *("--chdir", str(folder or "/"), "--"),
        )

    def _mounts(self, name: str, folder: Path | None) -> tuple[list[str], list[Path]]:
        """The words for all paths, and the folders that hide what is below them."""
        places = self._places(name, folder)
        words: list[str] = []
        covered: list[Path] = []
        made: dict[Path, _Kind | Path] = {}
        for path in sorted(places, key=lambda each: len(each.parts)):
            what = places[path]
            above = next((made[each] for each in path.parents if each in made), _Kind.HIDDEN)
            is_there = isinstance(above, Path) or above in (_Kind.SEEN, _Kind.OWN)
            if what is _Kind.HIDDEN:
                if not is_there:
                    continue
                covered.append(path)
                words += ["--tmpfs", str(path)]
            elif isinstance(what, Path):
                if is_there:
                    continue
                words += ["--symlink", str(what), str(path)]
            elif what is _Kind.EMPTY:
                words += [*(() if self.size is None else ("--size", str(self.size))), "--tmpfs", str(path)]
            elif what is above or (what is _Kind.SEEN and is_there):
                continue
            else:
                words += [what.value, str(path), str(path)]
            made[path] = what
        return words, covered

    def _places(self, name: str, folder: Path | None) -> dict[Path, _Kind | Path]:
        """The paths that the program of an entrant finds, with what is there; of a link, its target."""
        places: dict[Path, _Kind | Path] = {}
        views = [self.common, *([self.named[name]] if name in self.named else [])]
        for path in (path for view in views for path in view.seen):
            real = path.resolve()
            places[real] = _Kind.SEEN
            if real != path:
                places[path] = real if path.is_symlink() else _Kind.SEEN
        for view in views:
            places |= view.links
        places |= dict.fromkeys(self.hidden, _Kind.HIDDEN)
        places |= dict.fromkeys(map(Path, EMPTY), _Kind.EMPTY)
        if folder is not None:
            places[folder] = _Kind.OWN
        return places


def box_for(settings: Settings, file: Path, results: Path) -> Box | str:
    """The confinement of a tournament's programs; or why there is none, as the beginning of a sentence.

    Args:
        settings: the tournament.
        file: its file.
        results: the folder of its results.

    Raises:
        CommandError: if an entrant is to see the file or the results.
    """
    named = {each.name: _named(each) for each in settings.entrants}
    for name, paths in named.items():
        _check_seen(name, paths, file, results)
    file, results = file.resolve(), results.resolve()
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "bwrap is not installed"
    system = [path for text in SYSTEM if (path := Path(text)).exists()]
    if file.parent in [each.resolve() for each in system]:
        return f"{file.parent}, where {file.name} is, is seen by every program"
    python, beside = Path(sys.executable), file.parent
    common = _with_pythons([*system, Path(NAMES)], [python, *_pythons(_in_path("python3"))], beside)
    views = {
        each.name: _with_pythons(named[each.name], _pythons(_program(each)), beside)
        for each in settings.entrants
    }
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - Path.home() fails for users without one
    hidden = [file.parent, results, *(() if home.is_relative_to("/usr") else (home,))]
    hidden = [path for path in hidden if path.is_dir() and path != Path("/")]
    box = Box(bwrap, common, tuple(hidden), views, settings.limits.file_size)
    return _tried(box)


def _tried(box: Box) -> Box | str:
    """The box as it works here; or why it does not."""
    reason = _failure_of(box)
    if reason is None:
        return box
    older = replace(box, size=None)  # before version 0.7 it cannot limit the size of /tmp
    return older if _failure_of(older) is None else reason


def _failure_of(box: Box) -> str | None:
    """Why nothing can be started in a box; None if it can."""
    try:
        done = _run([*box.words(), sys.executable, "-I", "-S", "-c", ""])
    except subprocess.TimeoutExpired:
        return f"bwrap does not end within {TRIAL:g} s"
    except OSError as error:
        return f"bwrap cannot be started: {os_reason(error)}"
    if done.returncode == 0:
        return None
    said = done.stderr.strip().splitlines()
    return said[-1] if said else f"bwrap ended with status {done.returncode}"


def _run(words: Sequence[str], folder: Path = Path("/")) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=confine.environment(str(folder)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TRIAL,
        check=False,
    )


def _named(entrant: Entrant) -> tuple[Path, ...]:
    """The files that the command of an entrant names, and what it is to see."""
    if entrant.policy is not None:
        file = file_of(entrant)
        return () if file is None else (file.absolute(),)
    named = [path for word in entrant.command for path in files_named(word)]
    return (*_program(entrant), *named, *entrant.see)


def _program(entrant: Entrant) -> list[Path]:
    """The program that a command starts; none that lies in the entrant's own folder."""
    for word in entrant.command[:1]:
        if "/" in word:
            return files_named(word)
        return _in_path(word)
    return []


def _in_path(name: str) -> list[Path]:
    """The program that a name starts, or none."""
    found = shutil.which(name)
    return [] if found is None else [Path(found).absolute()]


def _pythons(programs: Iterable[Path]) -> list[Path]:
    """Those of some programs that are a Python, and not the system's, which is seen with all its packages."""
    return [each for each in programs if PYTHON.fullmatch(each.name) and not _is_systems(each)]


def _is_systems(path: Path) -> bool:
    """Whether a program is one of the system's, with all that belongs to it."""
    return all(any(each.is_relative_to(place) for place in SYSTEM) for each in (path, path.resolve()))


def _check_seen(name: str, paths: Iterable[Path], file: Path, results: Path) -> None:
    """See that an entrant sees neither the seed nor what was played."""
    for path in paths:
        real = path.resolve()
        if real in map(Path, (*EMPTY, "/proc")):
            raise CommandError(
                f"{file}: entrant {name}: it cannot see {path}, since every program has its own: expected"
                " other files or folders",
                USAGE,
            )
        if real in (file.resolve(), file.resolve().parent, Path("/")) or real.is_relative_to(
            results.resolve()
        ):
            raise CommandError(
                f"{file}: entrant {name}: it would see {path}, and the seed in it: expected only what its"
                " program needs",
                USAGE,
            )


def _with_pythons(seen: Sequence[Path], pythons: Sequence[Path], beside: Path) -> View:
    """A view with Pythons, and what belongs to them.

    One that starts another, as those of pyenv do, is a link to that.

    Args:
        seen: what is seen besides.
        pythons: their paths.
        beside: the folder of the tournament's file.
    """
    found, links = list(seen), dict[Path, Path]()
    for path in pythons:
        itself, places = _python(path, beside)
        found += places
        if itself != path:
            links[path] = itself
    return View(tuple(dict.fromkeys(found)), links)


@cache
def _python(path: Path, beside: Path) -> tuple[Path, list[Path]]:
    """The path of a Python as it knows it, and all that it consists of; nothing if it does not say."""
    try:
        executable, prefixes, packages, cards = json.loads(_run([str(path), "-I", "-c", ASK], beside).stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return path, []
    homes = [each for text in prefixes for each in (Path(text), Path(text).resolve())]
    seen = [Path(executable), *(each / part for each in homes for part in PARTS if (each / part).exists())]
    for place in map(Path, packages):
        if place.is_dir() and not any(place.is_relative_to(each) for each in seen):
            seen += _packages(place) if place.resolve() == beside else [place]
    if cards is not None and not any(Path(cards).is_relative_to(each) for each in seen):
        seen += _packages(Path(cards).parent.parent)
    return Path(executable), seen


def _packages(folder: Path) -> list[Path]:
    """The packages in a folder that holds other things too."""
    return sorted(each.parent for each in folder.glob("*/__init__.py"))
