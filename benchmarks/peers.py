"""Peers in plain C: how they are compiled, and how a kernel is measured in turns with one."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import Final

from benchmarks.figures import Spread, ratios, spread_of
from support.command import CommandError

COMPILE: Final = ("-O3", "-march=native")

SLICE: Final = 0.1
"""Seconds that a measurement runs at a time, so that both of a pair meet the same load of the machine."""

Player = Callable[[], tuple[int, float]]
"""Plays some rounds; returns how many, and the seconds of processor time that they took."""


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
    """Rounds a second of processor time, a value for each run.

    Attributes:
        peer: of the C program.
        kernel: of the kernel.
    """

    peer: list[float] = field(default_factory=list)
    kernel: list[float] = field(default_factory=list)

    def measure(self, peer: Player, kernel: Player, duration: float) -> None:
        """Add a run: both in turns of a slice each, for `duration` seconds in all; the best slice counts."""
        kernel(), peer()  # compiled, and known to work
        slices = max(1, round(duration / SLICE / 2))
        pairs = [(rate_of(peer, SLICE), rate_of(kernel, SLICE)) for _ in range(slices)]
        self.peer.append(max(one for one, _ in pairs))
        self.kernel.append(max(other for _, other in pairs))

    @property
    def per_peer(self) -> Spread:
        """Rounds of the kernel for each of the peer."""
        return ratios(self.kernel, self.peer)

    def figures(self) -> dict[str, Spread]:
        """The figures of a document: `c_rounds_per_second`, `kernel_rounds_per_second` and `per_c`."""
        return {
            "c_rounds_per_second": spread_of(self.peer),
            "kernel_rounds_per_second": spread_of(self.kernel),
            "per_c": self.per_peer,
        }

    def cells(self) -> tuple[str, str, str]:
        """The same as cells of a table, in millions."""
        return millions(self.peer), millions(self.kernel), self.per_peer.text(".2f")


PAIR: Final = ("C, million rounds/s", "kernel, million rounds/s", "kernel per C")
"""The headings of `Rates.cells`."""


def rate_of(play: Player, duration: float) -> float:
    """Rounds a second of processor time, measured for `duration` seconds or a little more."""
    rounds, spent = 0, 0.0
    while spent < duration:
        more, took = play()
        rounds, spent = rounds + more, spent + took
    return rounds / spent


def millions(rates: Sequence[float]) -> str:
    """Rates in millions, as text."""
    return spread_of([rate / 1e6 for rate in rates]).text(".3g")
