"""The processor time of a first use, when kernels are compiled first, and of the next one.

python -m benchmarks.first_use --before FOLDER      FOLDER: a checkout of the other version
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of
from benchmarks.variants import PLAIN, Variant
from benchmarks.variants import before as version_before
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

ANALYSIS: Final = (
    "import sys\nsys.argv[0] = 'analysis'\nfrom twentyone.start import analysis\nsys.exit(analysis())"
)
ENVIRONMENTS: Final = (
    "import gymnasium, twentyone.environments\n"
    "gymnasium.make_vec('twentyone/Blackjack-v0', num_envs=64).reset(seed=1)"
)

USES: Final[dict[str, tuple[str, ...]]] = {
    "make_vec": (ENVIRONMENTS,),
    "compare": (ANALYSIS, "compare", "--seed", "1"),
    "simulate": (ANALYSIS, "simulate", "--seed", "1"),
    "learn": (ANALYSIS, "learn", "100k", "--seed", "1", "--table", "learned.txt"),
    "betting": (ANALYSIS, "betting", "--seed", "1"),
}
"""A program and its arguments, run in a folder of its own."""

MOST_SECONDS: Final = 6.0
MOST_PER_BEFORE: Final = 0.5

SUBREAPER: Final = 36
"""The number of PR_SET_CHILD_SUBREAPER in Linux: a worker whose parent has ended becomes a child of ours."""


class Use(NamedTuple):
    """The processor time of a use with empty caches, and of the next one, in seconds."""

    first: float
    again: float


app = typer.Typer(add_completion=False)


@describe(app, example="python -m benchmarks.first_use --before ../earlier")
def first_use(
    before: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A checkout of the version to compare with.")
    ] = None,
    use: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help=f"One of {', '.join(USES)}; all by default.")
    ] = None,
    runs: RunsOption = 3,
    json: JsonOption = False,
) -> int:
    """Measure the processor time of the first use of commands on a machine, and of the next use.

    A first use has empty caches, so its kernels are compiled. The time is that of all processes, user and
    system, with Python's own start and the work itself.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `first` and `again`,
    seconds, by name and by variant (`before`, `plain`); `per_before`, the ratios of `first`; and `goals`.
    """
    names = use or list(USES)
    if unknown := [name for name in names if name not in USES]:
        raise CommandError(f"there is no use {unknown[0]!r}: expected some of {', '.join(USES)}")
    variants = [*([] if before is None else [version_before(before)]), PLAIN]
    benchmark = Benchmark("first_use", runs)
    found: dict[str, dict[str, list[Use]]] = {name: {each.name: [] for each in variants} for name in names}
    for number in range(runs):
        for name in names:
            benchmark.say(number, name)
            for each in variants:
                found[name][each.name].append(measure(each, USES[name]))
    first, again = (
        {
            name: {by: spread_of([use[place] for use in uses]) for by, uses in sides.items()}
            for name, sides in found.items()
        }
        for place in range(2)
    )
    per_before = {name: _per_before(sides) for name, sides in found.items() if "before" in sides}
    return benchmark.finish(
        "First use",
        (_rows(first, again, per_before),),
        (
            "Seconds are processor time of all processes, user and system. A first use has empty caches, the"
            " next one those that it has left.",
        ),
        _goals(first, per_before),
        {"first": first, "again": again, "per_before": per_before},
        as_json=json,
    )


def measure(variant: Variant, words: tuple[str, ...]) -> Use:
    """Run a program twice, at first with empty caches.

    Raises:
        CommandError: if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        caches = {"NUMBA_CACHE_DIR": f"{folder}/kernels", "XDG_CACHE_HOME": f"{folder}/cache"}
        for path in caches.values():
            Path(path).mkdir()
        return Use(*(_processor_time(variant, words, caches, folder) for _ in range(2)))


def _processor_time(variant: Variant, words: tuple[str, ...], caches: dict[str, str], folder: str) -> float:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    start = _children()
    done = subprocess.run(
        variant.words(["-c", *words]),
        cwd=folder,
        env=variant.variables | caches,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise CommandError(f"{variant.name} cannot be measured: {said[-1]}")
    with suppress(ChildProcessError):  # its workers
        while True:
            os.wait()
    return _children() - start


def _children() -> float:
    """The processor time of all children that were waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _per_before(sides: dict[str, list[Use]]) -> Spread:
    now, earlier = ([use.first for use in sides[name]] for name in ("plain", "before"))
    return ratios(now, earlier)


def _goals(first: dict[str, dict[str, Spread]], per_before: dict[str, Spread]) -> list[Goal]:
    goals = [
        Goal(f"seconds of a first use, {name}", sides["plain"], MOST_SECONDS, False)
        for name, sides in first.items()
    ]
    goals += [
        Goal(f"first use per before, {name}", ratio, MOST_PER_BEFORE, False)
        for name, ratio in per_before.items()
    ]
    return goals


def _rows(
    first: dict[str, dict[str, Spread]], again: dict[str, dict[str, Spread]], per_before: dict[str, Spread]
) -> Rows:
    rows: list[tuple[str, ...]] = [("use", "version", "first, s", "again, s", "first per before")]
    for name, sides in first.items():
        for by, figure in sides.items():
            ratio = per_before.get(name) if by == "plain" else None
            told = "" if ratio is None else ratio.text(".2f")
            rows.append((name, by, figure.text(".1f"), again[name][by].text(".1f"), told))
    return rows


if __name__ == "__main__":
    start(app, "first_use")
