"""How long the questions about Mancala take on one core, compared with their limits and with a peer.

python -m benchmarks.mancala --help
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Annotated, Any, Final, NamedTuple

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.figures import (
    Goal,
    Report,
    Rows,
    Spread,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
    ratios,
    spread_of,
)
from benchmarks.processes import ROOT, say
from support.command import OK, describe
from support.options import JsonOption

PRELUDE: Final = """
import resource
from random import Random
from time import process_time

from mancala.core.board import Board, Player, initial
from mancala.core.rules import KALAH, TEXT, Capture, Rules, move, moves
from mancala.solving.space import explore

started = process_time()

def took():
    seconds = process_time() - started
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
"""The beginning of each program. Each runs in its own process, so that nothing is cached from the one
before."""

EXPLORE: Final = """
assert explore(initial({holes}, {marbles}), TEXT).boards == {boards}
took()
"""

PLAIN: Final = """
def after(state):
    board = Board(state[:-1], Player(state[-1]))
    found = (move(board, hole, TEXT) for hole in moves(board, TEXT))
    return [(*each.cells, each.turn.value) for each in found]

first = initial(3, 2)
seen = front = {{(*first.cells, first.turn.value)}}
while front:
    front = {{each for state in front for each in after(state)}} - seen
    seen = seen | front
assert len(seen) == {boards}
took()
"""

PROVE: Final = """
from mancala.proofs.claims import THEOREMS
from mancala.proofs.theorems import prove
assert {prove(name).verdict.value for name in THEOREMS} == {"holds"}
took()
"""

SOLVE: Final = """
from mancala.solving.solver import Solver
Solver(2, 4, KALAH).margin(initial(2, 1))
started = process_time()
assert Solver({holes}, 2 * {holes} * {marbles}, KALAH).margin(initial({holes}, {marbles})) == {value}
took()
"""

SOLVE_MOVES: Final = """
from mancala.solving.solver import Solver
Solver(2, 4, KALAH).margin(initial(2, 1))
started = process_time()
margins = Solver({holes}, 2 * {holes} * {marbles}, KALAH).margins(initial({holes}, {marbles}))
assert max(margins.values()) == {value}
took()
"""

MOVES: Final = """
rules, random, done = Rules(capture=Capture.NONEMPTY), Random(1), 0
board = initial(6, 4)
while done < {moves}:
    holes = moves(board, rules)
    board = move(board, random.choice(holes), rules) if holes else initial(6, 4)
    done += 1
took()
"""

OPEN_SPIEL: Final = """
import pyspiel
game, random, done = pyspiel.load_game("mancala"), Random(1), 0
state = game.new_initial_state()
started = process_time()
while done < {moves}:
    if state.is_terminal():
        state = game.new_initial_state()
    else:
        state.apply_action(random.choice(state.legal_actions()))
    done += 1
took()
"""

MANY: Final = 20_000
"""The number of moves of random games that are timed."""


class Kind(NamedTuple):
    """A question: the program that answers it, and its limit in seconds of processor time."""

    program: str
    goal: float | None = None


SMALL: Final = {
    "all boards of 3 holes and 2 marbles": Kind(EXPLORE.format(holes=3, marbles=2, boards=5_749), 0.1),
    "the same by a plain set of boards": Kind(PLAIN.format(boards=5_749)),
    "all theorems, by z3": Kind(PROVE, 5.0),
    "Kalah of 4 holes and 3 marbles": Kind(SOLVE.format(holes=4, marbles=3, value=8), 5.0),
    "Kalah of 5 holes and 4 marbles": Kind(SOLVE.format(holes=5, marbles=4, value=12)),
    "Kalah of 5 holes and 4 marbles, first moves too": Kind(SOLVE_MOVES.format(holes=5, marbles=4, value=12)),
}
LARGE: Final = {
    "all boards of 3 holes and 4 marbles": Kind(EXPLORE.format(holes=3, marbles=4, boards=272_142), 5.0),
    "Kalah of 6 holes and 4 marbles": Kind(SOLVE.format(holes=6, marbles=4, value=10), 60.0),
    "Kalah of 6 holes and 4 marbles, first moves too": Kind(SOLVE_MOVES.format(holes=6, marbles=4, value=10)),
}
PEERS: Final = {"mancala": MOVES.format(moves=MANY), "open_spiel": OPEN_SPIEL.format(moves=MANY)}

FIRST_MOVES: Final = 3.0
"""The limit on the seconds for a value and those of its first moves, for each second of the value alone; both
are measured in the same run."""

MEMORY: Final = 2048.0
"""The limit on memory for every process, in MiB."""


class Figure(NamedTuple):
    """The cost of a process: seconds of processor time, and the peak of its memory in MiB."""

    seconds: float
    mebibytes: float


Found = dict[str, list[Figure]]


def measure(runs: int, is_small: bool) -> Found:
    """Answer every question `runs` times, in turns."""
    programs = {name: kind.program for name, kind in kinds_of(is_small).items()}
    programs |= {name: PEERS[name] for name in PEERS if name == "mancala" or find_spec("pyspiel")}
    found: Found = {name: [] for name in programs}
    for number in range(runs):
        for name, program in programs.items():
            say(f"mancala: run {number + 1} of {runs}, {name}")
            found[name].append(_run(program))
    return found


def kinds_of(is_small: bool) -> Mapping[str, Kind]:
    """The questions, without those that take long if only the small ones are wanted."""
    return SMALL if is_small else SMALL | LARGE


def _run(program: str) -> Figure:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, mebibytes = map(float, done.stdout.split())
    return Figure(seconds, mebibytes)


def seconds_of(figures: list[Figure]) -> Spread:
    """The seconds of some figures."""
    return spread_of([figure.seconds for figure in figures])


def memory_of(figures: list[Figure]) -> Spread:
    """The memory of some figures, in MiB."""
    return spread_of([figure.mebibytes for figure in figures])


def goals(found: Found) -> list[Goal]:
    """The limits on the figures."""
    kinds = SMALL | LARGE
    bounds = {name: kind.goal for name, kind in kinds.items() if name in found and kind.goal is not None}
    times = [
        Goal(f"{name}, seconds", seconds_of(found[name]), bound, False) for name, bound in bounds.items()
    ]
    largest = max((figures for figures in found.values()), key=lambda figures: memory_of(figures).median)
    return [
        *times,
        *_first_moves(found),
        Goal("memory of the largest process, MiB", memory_of(largest), MEMORY, False, ",.0f"),
    ]


def _first_moves(found: Found) -> list[Goal]:
    """The time that first moves take, compared with the value alone."""
    names = [name for name in found if f"{name}, first moves too" in found]
    seconds = {name: [figure.seconds for figure in figures] for name, figures in found.items()}
    return [
        Goal(
            f"{name}, first moves too, for each second of the value alone",
            ratios(seconds[f"{name}, first moves too"], seconds[name]),
            FIRST_MOVES,
            False,
        )
        for name in names
    ]


def per_open_spiel(found: Found) -> Spread | None:
    """The number of moves made here for each of open_spiel's; None if it is not installed."""
    if "open_spiel" not in found:
        return None
    theirs, ours = ([figure.seconds for figure in found[name]] for name in ("open_spiel", "mancala"))
    return ratios(theirs, ours)


def document(found: Found, command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    ratio = per_open_spiel(found)
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "seconds": {name: seconds_of(figures).as_json() for name, figures in found.items()},
        "per_open_spiel": None if ratio is None else ratio.as_json(),
        "goals": [goal.as_json() for goal in goals(found)],
    }


def report(found: Found, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    ratio = per_open_spiel(found)
    peer = (
        "open_spiel is not installed, so there is no comparison."
        if ratio is None
        else (
            f"Random moves with six holes and four marbles: {ratio.text('.3f')} for each of open_spiel 2.0.2."
        )
    )
    return Report(
        "Mancala",
        command,
        (
            f"{median_of(runs)} Each figure is the processor time of a separate process, without imports and"
            " without the compilation of kernels.",
            "The theorems hold for every number of holes and marbles. The plain set searches the same boards"
            " with `rules.move`.",
            "Kalah has captures also if the opposite hole is empty, and a sweep. A C solver of the same game"
            " took 19 s for six holes and four marbles.",
            peer,
            load_note(busy),
        ),
        (_rows(found), goal_rows(goals(found))),
    )


def _rows(found: Found) -> Rows:
    names = {name: f"{MANY:,} random moves, {name}" for name in PEERS}
    return [
        ("question", "seconds", "MiB"),
        *(
            (names.get(name, name), seconds_of(figures).text(".3f"), memory_of(figures).text())
            for name, figures in found.items()
        ),
    ]


app = typer.Typer(add_completion=False)


@describe(app)
def mancala(
    runs: RunsOption = 5,
    is_small: Annotated[
        bool,
        typer.Option(
            "--small",
            help="Leave out the long ones: 3 x 4, and Kalah of 6 x 4, which takes some minutes a run.",
        ),
    ] = False,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure state spaces, theorems, perfect play, and random moves compared with open_spiel.

    open_spiel 2.0.2 (`pip install open_spiel`) is optional. Without it, that comparison is left out.

    The keys of --json: `machine`, `command`, `load_before` (the load of the machine), `runs`, `seconds` by
    question, `per_open_spiel` (moves here for each of open_spiel's; null without it) and `goals`. Every
    figure has `median`, `min` and `max`.
    """
    busy = load_before()
    found = measure(runs, is_small)
    command = command_line("mancala")
    print_result(report(found, command, busy, runs), document(found, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "mancala")
