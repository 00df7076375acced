"""The speed of verifying and reading a history, beside the plain reading of the same lines as JSON.

python -m benchmarks.replay --help
"""

from __future__ import annotations

import json as jsonlib
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Final

import numpy as np
import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, ratios, spreads
from cards import PRESETS, EveryRound
from tournament.playing.policies import play
from tournament.replay.frames import rounds as read_rounds
from tournament.replay.history import lines
from tournament.replay.verify import verify_file
from tournament.settings import Block, Entrant, Results, Settings, first_state
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

KINDS: Final = ("course", "vegas")
"""The rules: the shortest lines, and those with every option."""

ALL: Final = 10_000_000
PROCESSES: Final = 2
MINUTES: Final = 10.0
"""The goal: `ALL` rounds are verified by `PROCESSES` processes in `MINUTES` minutes."""

LEAST: Final = ALL / PROCESSES / MINUTES / 60


def write_history(kind: str, rounds: int, path: Path) -> None:
    """Write the history of a tournament of two entrants, each with half of the rounds."""
    rules = replace(PRESETS[kind], reshuffle=EveryRound(), seats=1)
    entrants = tuple(Entrant(name, policy="basic") for name in ("one", "other"))
    settings = Settings(rules, max(1, rounds // 2), 1, entrants)
    matches = settings.matches
    blocks = [play(settings, match, first_state(settings, match), settings.rounds) for match in matches]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines(_results(settings, blocks), costs=False))


def _results(settings: Settings, blocks: list[Block]) -> Results:
    none = np.empty(0, np.float32)
    return Results(
        settings=settings,
        rounds=settings.rounds,
        payoffs=[block.payoffs for block in blocks],
        lost=None,
        thinking=[none, none],
        faults=(),
        is_over=True,
        sure_after=None,
        blocks=lambda match: [blocks[match]],
    )


def _rate(work: Callable[[Path], int], path: Path, rounds: int) -> float:
    started = process_time()
    done = work(path)
    took = process_time() - started
    assert done == rounds, f"{done} of {rounds} rounds"
    return rounds / took


def _verified(path: Path) -> int:
    return verify_file(path, processes=1).rounds


def _read(path: Path) -> int:
    return len(read_rounds(path))


def _loaded(path: Path) -> int:
    with path.open("rb") as file:
        return sum(bool(jsonlib.loads(line)) for line in file)


_WORK: Final[Mapping[str, Callable[[Path], int]]] = {"verified": _verified, "read": _read, "json": _loaded}


app = typer.Typer(add_completion=False)


@describe(app)
def replay(
    rounds: Annotated[int, typer.Option(min=2, help="The rounds of each history.")] = 40_000,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Measure how fast a history is verified, and read into an array, beside `json.loads` of its lines.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `lines_per_second` (in
    one process, by rules and work: `course_verified`, `course_read`, `course_json`, ...), `minutes` (in which
    two processes verify ten million rounds) and `goals`. Every figure has `median`, `min` and `max`.
    """
    benchmark = Benchmark("replay", runs)
    with tempfile.TemporaryDirectory() as folder:
        paths = {kind: Path(folder) / f"{kind}.jsonl" for kind in KINDS}
        for kind, path in paths.items():
            write_history(kind, rounds, path)
        found = benchmark.measure(
            {
                f"{kind}_{name}": partial(_rate, work, path, rounds // 2 * 2)
                for kind, path in paths.items()
                for name, work in _WORK.items()
            }
        )
    rates = spreads(found)
    minutes = {kind: ALL / PROCESSES / rates[f"{kind}_verified"].median / 60 for kind in KINDS}
    rows = [("lines a second", "verified", "read into an array", "`json.loads`", "verified / `json.loads`")]
    for kind in KINDS:
        verified, read, loaded = (rates[f"{kind}_{name}"].text() for name in _WORK)
        per_json = ratios(found[f"{kind}_verified"], found[f"{kind}_json"]).text(".2f")
        rows.append((kind, verified, read, loaded, per_json))
    took = " and ".join(f"{minutes[kind]:.1f} ({kind})" for kind in KINDS)
    return benchmark.finish(
        "Histories",
        (rows,),
        (
            "Lines of a tournament, in one process, in processor time.",
            f"Minutes in which two processes verify ten million rounds: {took}.",
        ),
        [Goal(f"{kind}: lines verified a second", rates[f"{kind}_verified"], LEAST, True) for kind in KINDS],
        {"lines_per_second": rates, "minutes": minutes},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "replay")
