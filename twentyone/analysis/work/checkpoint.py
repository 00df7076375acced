"""The finished shards of a long run, in a file, so that it can be interrupted and resumed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from twentyone.support.command import FAILED, CommandError, complain, os_reason
from twentyone.support.files import check_writable, read_whole, write_atomically

FORMAT: Final = "twentyone checkpoint 1"

SAVE_EVERY: Final = 1.0
"""Seconds between saves, at least: a crash loses little more work than this."""

PAUSE: Final = 20
"""There is no save for this many times as long as the last one took, so saves take little of the time."""


class KeptError(KeyboardInterrupt):
    """Ctrl-C, after which all that was finished is in the file of the checkpoint."""


class NothingKeptError(KeyboardInterrupt):
    """Ctrl-C before a shard was finished: there is nothing to keep in the file of the checkpoint."""


class Checkpoint:
    """The results of the finished shards, each as JSON text, by index; a context manager that saves them.

    The file is complete at every instant. It is written from time to time, and when the context ends, even by
    an exception; it is never removed. It holds one JSON document: a description of the work, and the results.

    Args:
        path: the file, which need not exist yet; None to keep the results in memory only.
        work: everything that the results depend on, by name.
        shards: how many shards the work has.

    Attributes:
        texts: the results.

    Raises:
        CommandError: if the file is not a checkpoint of this work, or cannot be read or written.
    """

    def __init__(self, path: Path | None, work: Mapping[str, str], shards: int) -> None:
        self.texts: dict[int, str] = {}
        self._path = path
        self._work = {**work, "shards": str(shards)}
        self._saved = 0
        self._next_save = time.monotonic()
        if path is not None:
            self.texts = _read(path, self._work, shards)
            self._saved = len(self.texts)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._save()

    @property
    def is_kept(self) -> bool:
        """Whether some results are in the file, and none is missing there."""
        return self._path is not None and 0 < len(self.texts) == self._saved

    def save_if_due(self) -> None:
        """Save what has not been saved, if the last save was long enough ago."""
        if time.monotonic() >= self._next_save:
            self._save()

    def _save(self) -> None:
        if self._path is None or self._saved == len(self.texts):
            return
        started = time.monotonic()
        try:
            write_atomically(self._path, self._document())
            self._saved = len(self.texts)
        except OSError as error:
            # The work matters more than its checkpoint: it goes on, and the next save may succeed.
            complain("analysis", f"the checkpoint {self._path} cannot be written: {os_reason(error)}", FAILED)
        now = time.monotonic()
        self._next_save = now + max(SAVE_EVERY, PAUSE * (now - started))

    def _document(self) -> str:
        """The text of the file: JSON, with a line for each result, none of which is encoded again."""
        results = ",\n".join(f'"{index}": {text}' for index, text in sorted(self.texts.items()))
        return (
            f'{{"format": {json.dumps(FORMAT)},\n"work": {json.dumps(self._work)},\n'
            f'"finished": {{\n{results}\n}}}}\n'
        )


def seed_kept_in(path: Path) -> int | None:
    """The seed of the work in a file; None if there is no such file, or it does not say."""
    try:
        document = json.loads(read_whole(path))
    except (OSError, ValueError, RecursionError):
        return None  # whoever opens the checkpoint is told what is wrong with it
    match document:
        case {"work": {"seed": str(seed)}} if re.fullmatch("[0-9]{1,19}", seed, re.ASCII):
            return int(seed)
    return None


def _read(path: Path, work: Mapping[str, str], shards: int) -> dict[int, str]:
    """The results in a file, if it exists and is of this work; it is also checked that it can be written."""
    try:
        check_writable(path)
    except OSError as error:
        raise CommandError(f"the checkpoint {path} cannot be written: {os_reason(error)}") from None
    try:
        document = json.loads(read_whole(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CommandError(f"the checkpoint {path} cannot be read: {os_reason(error)}") from None
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or nested too deeply
        document = None
    match document:
        case {"format": str(name), "work": dict(found), "finished": dict(results)} if name == FORMAT:
            _check_same(path, found, work)
            texts = {_index(name, shards): json.dumps(result) for name, result in results.items()}
            if None not in texts:
                return {index: text for index, text in texts.items() if index is not None}
    raise CommandError(
        f"{path} is not a checkpoint: expected one of this command, or a file that does not exist"
    )


def _check_same(path: Path, found: Mapping[str, Any], work: Mapping[str, str]) -> None:
    for name in [*work, *found]:
        if found.get(name) != work.get(name):
            theirs, ours = (str(each.get(name, "not given")) for each in (found, work))
            raise CommandError(
                f"{path} is the checkpoint of other work: its {name} is {theirs}, and here it is {ours};"
                " give another --checkpoint FILE, or the options of that work"
            )


def _index(name: str, shards: int) -> int | None:
    """The index of a shard from its text; None if it is not one."""
    is_index = re.fullmatch("0|[1-9][0-9]{0,18}", name) is not None and int(name) < shards
    return int(name) if is_index else None
