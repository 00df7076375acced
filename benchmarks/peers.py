"""Peers: programs in plain C, other libraries' environments, and measurements in turns with them."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any, Final

import numpy as np

from benchmarks.figures import Spread, ratios, spread_of
from twentyone.support.command import CommandError

COMPILE: Final = ("-O3", "-march=native")

SLICE: Final = 0.1
"""Seconds that a measurement runs at a time, so that both of a pair meet the same load of the machine."""

BATCH: Final = 4096
"""Environments side by side: thousands, as learners on arrays use them."""

STEPS: Final = 2_000
"""Steps of one environment between looks at the clock."""

Work = Callable[[], tuple[int, float]]
"""Does some work; returns how much, and the seconds of processor time that it took."""


@contextmanager
def compiled_peer(source: Path, *options: str) -> Iterator[Path]:
    """A C program, compiled for this machine.

    Args:
        source: its file.
        options: further options of the compiler, such as `-DDRAWS=1` or `-lm`.
    """
    compiler = which("gcc") or which("cc")
    if compiler is None:
        raise CommandError("there is no C compiler to make the peer with: expected gcc or cc")
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / source.stem
        subprocess.run([compiler, *COMPILE, "-o", program, source, *options], check=True)
        yield program


@dataclass(slots=True)
class Rates:
    """The work done in a second of processor time by a peer and by this project, a value for each run."""

    peer: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)

    def measure(self, peer: Work, ours: Work, duration: float, length: float = SLICE) -> None:
        """Add a run: slices of both in turns, for `duration` seconds in all; the best of each counts."""
        ours(), peer()  # compiled, and known to work
        pairs: list[tuple[float, float]] = []
        end = time.monotonic() + duration
        while not pairs or time.monotonic() < end:
            pairs.append((rate_of(peer, length), rate_of(ours, length)))
        self.peer.append(max(one for one, _ in pairs))
        self.ours.append(max(other for _, other in pairs))

    @property
    def per_peer(self) -> Spread:
        """The work of this project for each of the peer."""
        return ratios(self.ours, self.peer)

    def figures(self) -> dict[str, Spread]:
        """The figures of a document: `peer_per_second`, `per_second` and `per_peer`."""
        return {
            "peer_per_second": spread_of(self.peer),
            "per_second": spread_of(self.ours),
            "per_peer": self.per_peer,
        }

    def cells(self, unit: float = 1e6, form: str = ".3g") -> tuple[str, str, str]:
        """The same as cells of a table, rates in millions or another unit."""
        return in_units(self.peer, unit, form), in_units(self.ours, unit, form), self.per_peer.text(".2f")


PAIR: Final = ("C, million rounds/s", "kernel, million rounds/s", "kernel per C")
"""The headings of `Rates.cells` in millions."""


def rate_of(work: Work, duration: float) -> float:
    """Work in a second of processor time, measured for `duration` seconds or a little more."""
    done, spent = repeated(work, duration)
    return done / spent


def repeated(work: Work, duration: float) -> tuple[int, float]:
    """Do work for `duration` seconds of processor time or a little more; return how much, and the seconds."""
    done, spent = 0, 0.0
    while spent < duration:
        more, took = work()
        done, spent = done + more, spent + took
    return done, spent


def timed(work: Callable[[], int]) -> Work:
    """Work that says how much it does, with the processor time that it takes."""

    def measured() -> tuple[int, float]:
        started = time.process_time()
        done = work()
        return done, time.process_time() - started

    return measured


def in_units(rates: Sequence[float], unit: float = 1e6, form: str = ".3g") -> str:
    """Rates in millions or another unit, as text."""
    return spread_of([rate / unit for rate in rates]).text(form)


Stepping = Callable[[], tuple[int, int]]
"""Takes steps in an environment by actions at random; returns how many, and how many rounds they ended."""


def steps_alone(env: Any) -> Stepping:
    """Steps of one environment of Gymnasium, reset after each round."""
    env.reset(seed=1)
    random = np.random.default_rng(1)

    def step() -> tuple[int, int]:
        ended = 0
        for action in random.integers(0, 2, STEPS).tolist():
            if env.step(action)[2]:
                ended += 1
                env.reset()
        return STEPS, ended

    return step


def steps_of_many(env: Any, count: int, dtype: type[np.integer[Any]] = np.int64) -> Stepping:
    """Steps of many environments side by side; one that deals the next round is a step."""
    env.reset()
    random = np.random.default_rng(1)
    calls = max(1, STEPS // count) if count < BATCH else 20

    def step() -> tuple[int, int]:
        ended = 0
        for _ in range(calls):
            _, _, is_over, is_cut, _ = env.step(random.integers(0, 2, count, dtype))
            ended += int((is_over | is_cut).sum())
        return calls * count, ended

    return step


def steps_of_envpool() -> Stepping:
    """Steps of envpool's blackjack, many on one thread."""
    pool = import_module("envpool")
    env = pool.make_gymnasium("Blackjack-v1", num_envs=BATCH, num_threads=1, seed=1)
    return steps_of_many(env, BATCH, np.int32)
