"""The finished shards of a long run, in a file, so that it can be interrupted and goes on from them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from support.command import FAILED, CommandError, complain, os_reason
from support.files import check_writable, write_atomically

FORMAT: Final = "twentyone checkpoint 1"

SAVE_EVERY: Final = 1.0
"""Seconds between two savings, at least: so much work, and little more, is lost with the power."""

WORTH: Final = 20
"""So many times as long as a saving took, there is none: a large file costs a small part of the time."""


class Checkpoint:
    """The results of the finished shards, each as JSON text, by index; a context manager that saves them.

    The file is whole at every instant. It is written now and then, and at the end of the context whatever
    ended it, and never removed. It holds one JSON document: what the work is, and the results.

    Args:
        path: the file, which need not be there yet; None to keep the results in memory only.
        work: everything that the results depend on, by name.
        shards: how many shards the work has.

    Attributes:
        texts: the results.

    Raises:
        CommandError: if the file is no checkpoint of this work, or cannot be read or written.
    """

    def __init__(self, path: Path | None, work: Mapping[str, str], shards: int) -> None:
        self.texts: dict[int, str] = {}
        self._path = path
        self._work = {**work, "shards": str(shards)}
        self._saved = 0
        self._next_saving = time.monotonic()
        if path is not None:
            self.texts = _read(path, self._work, shards)
            self._saved = len(self.texts)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._save()

    def save_now_and_then(self) -> None:
        """Save what is not saved yet, if the last saving is a while ago."""
        if time.monotonic() >= self._next_saving:
            self._save()

    def _save(self) -> None:
        if self._path is None or self._saved == len(self.texts):
            return
        started = time.monotonic()
        try:
            write_atomically(self._path, self._document())
            self._saved = len(self.texts)
        except OSError as error:
            # The work is worth more than its checkpoint: it goes on, and there may be room again next time.
            complain("analysis", f"the checkpoint {self._path} cannot be written: {os_reason(error)}", FAILED)
        now = time.monotonic()
        self._next_saving = now + max(SAVE_EVERY, WORTH * (now - started))

    def _document(self) -> str:
        """The text of the file: JSON, with a line for each result, and none of them encoded anew."""
        results = ",\n".join(f'"{index}": {text}' for index, text in sorted(self.texts.items()))
        return (
            f'{{"format": {json.dumps(FORMAT)},\n"work": {json.dumps(self._work)},\n'
            f'"finished": {{\n{results}\n}}}}\n'
        )


def _read(path: Path, work: Mapping[str, str], shards: int) -> dict[int, str]:
    """The results in a file, if it is there and of this work; what can be known to fail later fails now."""
    try:
        check_writable(path)
    except OSError as error:
        raise CommandError(f"the checkpoint {path} cannot be written: {os_reason(error)}") from None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CommandError(f"the checkpoint {path} cannot be read: {os_reason(error)}") from None
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or so deep that nobody has written it
        document = None
    match document:
        case {"format": str(name), "work": dict(found), "finished": dict(results)} if name == FORMAT:
            _check_same(path, found, work)
            texts = {_index(name, shards): json.dumps(result) for name, result in results.items()}
            if None not in texts:
                return {index: text for index, text in texts.items() if index is not None}
    raise CommandError(f"{path} is no checkpoint: expected one of this command, or a name that is free")


def _check_same(path: Path, found: Mapping[str, Any], work: Mapping[str, str]) -> None:
    for name in [*work, *found]:
        if found.get(name) != work.get(name):
            theirs, ours = (str(each.get(name, "not given")) for each in (found, work))
            raise CommandError(
                f"{path} is the checkpoint of other work: its {name} is {theirs}, and here it is {ours};"
                " give another --checkpoint FILE, or the options of that work"
            )


def _index(name: str, shards: int) -> int | None:
    """The index of a shard from its text; None if it is none."""
    is_index = re.fullmatch("0|[1-9][0-9]{0,18}", name) is not None and int(name) < shards
    return int(name) if is_index else None
