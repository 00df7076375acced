"""`analysis cache`: what is kept between commands, and how to get rid of it."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from twentyone.analysis.commands.app import app
from twentyone.support.command import OK, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.support.cache import Entry

DAY: Final = 24 * 60 * 60.0


@describe(app, example="analysis cache --clear")
def cache(
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything that is kept.")] = False,
    json: JsonOption = False,
) -> int:
    """Show what is kept between commands in the cache of this user, or remove it.

    Machine code and values that take seconds to compute are kept in `~/.cache/twentyone`, or in the folder
    `twentyone` of `$XDG_CACHE_HOME`. Nothing there is needed: what is missing is made again. When something
    is added and the bound is passed, what was not used for the longest time is removed.

    The keys of --json: `folder` (null without a home folder), `bytes`, `bound` (in bytes), `removed` (the
    bytes that --clear has removed) and `kinds`, each with `entries`, `bytes` and `unused_days` (of the entry
    that was not used for the longest time; null if there is none).
    """
    from twentyone.support.cache import MAX_BYTES, entries, user_folder

    folder = user_folder()
    found = [] if folder is None else entries(folder)
    kept = _left(found) if clear else found
    size, removed = _bytes(kept), _bytes(found) - _bytes(kept)
    if json:
        document = {"folder": None if folder is None else str(folder), "bytes": size, "bound": MAX_BYTES}
        print(text_of.dumps(document | {"removed": removed, "kinds": _by_kind(kept)}))
    elif folder is None:
        print("there is no cache, since there is no home folder")
    elif clear:
        tell(f"removed from {folder}: {_megabytes(removed)}, entries: {len(found) - len(kept):,}")
    else:
        tell(f"{_table(_by_kind(kept))}{_megabytes(size)} of at most {_megabytes(MAX_BYTES)} in {folder}")
    if clear and kept:
        raise CommandError(f"{kept[0].path} could not be removed: expected a folder that you may change")
    return OK


def _left(found: Iterable[Entry]) -> list[Entry]:
    """Remove entries; those that could not be removed."""
    from twentyone.support.cache import remove

    return [entry for entry in found if not remove(entry)]


def _bytes(kept: Iterable[Entry]) -> int:
    return sum(entry.size for entry in kept)


def _by_kind(kept: list[Entry]) -> dict[str, dict[str, Any]]:
    """The members of `kinds` of the document; `kept` is sorted by the last use."""
    from twentyone.support.cache import KINDS

    now = time.time()
    of_kind = {kind: [entry for entry in kept if entry.kind == kind] for kind in KINDS}
    return {
        kind: {
            "entries": len(each),
            "bytes": _bytes(each),
            "unused_days": max(0.0, now - each[0].used) / DAY if each else None,
        }
        for kind, each in of_kind.items()
    }


def _table(kinds: dict[str, dict[str, Any]]) -> str:
    """A line for each kind of which something is kept."""
    from twentyone.support.summary import columns

    rows = [
        (kind, f"{each['entries']:,}", _megabytes(each["bytes"]), f"{each['unused_days']:z.1f} days")
        for kind, each in kinds.items()
        if each["entries"]
    ]
    return columns([("what", "entries", "size", "longest unused"), *rows]) + "\n" if rows else ""


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
