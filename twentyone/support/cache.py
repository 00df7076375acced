"""The cache of a user: what takes seconds to compute and is kept between commands, within a bound.

Each entry is a file or a folder of its own. Nothing in it is needed: whatever is missing is made again.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 100 * 2**20
"""The size of the cache. The machine code of a version takes a few MiB, and every version adds its own; so
this holds what a user of many versions needs, and cannot fill a disk. What is being compiled comes on top."""

KINDS: Final = {
    "machine code": re.compile(r"kernels-[0-9a-f]{16}"),
    "values": re.compile(r".+\.v\d+\.npz"),
    "left over": re.compile(r"\..+\.npz\.\w+"),
}
"""The kinds of entries, and the form of their names. The last ones are of writers that were killed. What has
another name is not ours, and is never removed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that is kept.

    Attributes:
        path: its file or folder.
        kind: one of `KINDS`.
        size: its bytes.
        used: when it was last used, in seconds since the epoch.
    """

    path: Path
    kind: str
    size: int
    used: float


def user_folder() -> Path | None:
    """The cache folder of this user, where the system has such folders; None without a home folder."""
    from platformdirs import user_cache_path

    try:
        return user_cache_path("twentyone", appauthor=False)
    except RuntimeError:
        return None


def entries(folder: Path) -> list[Entry]:
    """The entries of a folder, least recently used first."""
    try:
        paths = list(folder.iterdir())
    except OSError:  # there is no cache yet, or none that can be read
        return []
    found = (entry for path in paths if (entry := _entry(path)) is not None)
    return sorted(found, key=lambda entry: entry.used)


def mark_used(path: Path) -> None:
    """Note that an entry is used now, so that it is not the next to be removed."""
    with suppress(OSError):  # a cache that can only be read is not trimmed either
        os.utime(path)


def trim(folder: Path, most: int = MAX_BYTES) -> None:
    """Remove the entries that were not used for the longest time, until the others are within the bound.

    Args:
        folder: the cache.
        most: the bytes that it may have.
    """
    kept = entries(folder)
    size = sum(entry.size for entry in kept)
    for entry in kept[:-1]:  # the last one was made just now
        if size <= most:
            return
        remove(entry)
        size -= entry.size


def remove(entry: Entry) -> bool:
    """Remove an entry; whether it is gone."""
    if entry.path.is_dir() and not entry.path.is_symlink():
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with suppress(OSError):
            entry.path.unlink(missing_ok=True)
    return not os.path.lexists(entry.path)


def _entry(path: Path) -> Entry | None:
    kind = next((kind for kind, form in KINDS.items() if form.fullmatch(path.name)), None)
    if kind is None:
        return None
    try:
        size = sum(file.lstat().st_size for file in (path, *path.rglob("*")))
        return Entry(path, kind, size, path.lstat().st_mtime)
    except FileNotFoundError:  # another process is at work on it
        return None
