"""Work for shards, of functions that every worker can import; as a program, a run that is interrupted.

`python -m tests.twentyone.analysis.labour WORKERS DASK FOLDER` runs a few short shards and then long ones.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.shards import run_shards

SHORT = 4
"""Shards of `endless` that end."""


class OddError(Exception):
    """An exception that can be pickled but not read again, also where Dask has installed its own pickling."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")

    def __reduce__(self) -> tuple[type[OddError], tuple[str]]:
        return OddError, (str(self),)


def figures(seed: int) -> dict[str, Any]:
    """Numbers of every size, and JSON forms of tuples and names."""
    draw = random.Random(seed)
    floats = [draw.gauss() * 10.0 ** draw.randint(-300, 300) for _ in range(20)]
    return {"♠": seed, "floats": floats, "pair": (-0.0, float("inf")), "none": [None, True, 2**70]}


def recorded(task: tuple[int, str]) -> int:
    """The square of a number; the process that computed it is recorded in a folder."""
    number, folder = task
    with Path(folder, str(number)).open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    return number * number


def slow_at_first(task: tuple[int, str]) -> int:
    """The same; the first shard takes until three others are done."""
    number, folder = task
    while number == 0 and len(records(Path(folder))) < 3:
        time.sleep(0.01)
    return recorded(task)


def killed_once(task: tuple[int, str]) -> int:
    """The same; the first worker that runs the fifth shard is killed."""
    number, folder = task
    if number == 4:
        try:
            Path(folder, "killed").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return recorded(task)


def killed_always(task: tuple[int, str]) -> int:
    """The same, but no worker survives the second shard."""
    if task[0] == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return recorded(task)


def failing(task: tuple[int, str]) -> int:
    """The same, but the third shard raises an exception that looks like that of a lost worker."""
    recorded(task)
    if task[0] == 2:
        raise BrokenExecutor("no luck")
    return task[0]


def odd(_: int) -> int:
    """Raise an exception that cannot be read again."""
    raise OddError(1, 2)


def no_data(number: int) -> object:
    """Return a value that JSON cannot represent."""
    return {number}


def endless(task: tuple[int, str]) -> int:
    """The square of a number: at once for the first few, never for the others."""
    if task[0] >= SHORT:
        time.sleep(600)
    return recorded(task)


def records(folder: Path) -> dict[int, list[int]]:
    """The processes that computed each shard, as `recorded` recorded them."""
    return {
        int(path.name): [int(line) for line in path.read_text().split()]
        for path in folder.iterdir()
        if path.name.isdecimal()
    }


class Watched(list[int]):
    """Tasks that know how many of them have been asked for."""

    asked = 0

    def __getitem__(self, index: Any) -> Any:
        self.asked = max(self.asked, index + 1)
        return super().__getitem__(index)


def main() -> None:
    """Run until interrupted; print a line when the run has begun."""
    workers, dask, folder = sys.argv[1:]
    tasks = [(number, folder) for number in range(20)]
    backend = Backend(int(workers), dask or None)
    print("started", flush=True)
    try:
        print(json.dumps(run_shards(endless, tasks, backend, work={}, checkpoint=Path(folder, "checkpoint"))))
    except KeyboardInterrupt:
        print("interrupted")


if __name__ == "__main__":
    main()
