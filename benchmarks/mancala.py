"""The time that questions about Mancala take on one core, compared with their limits and with a peer.

python -m benchmarks.mancala --help
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import Annotated, Final, NamedTuple

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, ratios, spreads
from benchmarks.variants import ROOT
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

PRELUDE: Final = """
import resource
from random import Random
from time import process_time

from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import KALAH, TEXT, Capture, Rules, move, moves
from twentyone.mancala.solving.space import explore

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
from twentyone.mancala.proofs.claims import THEOREMS
from twentyone.mancala.proofs.theorems import prove
assert {prove(name).verdict.value for name in THEOREMS} == {"holds"}
took()
"""

SOLVER: Final = """
from twentyone.mancala.solving.solver import Solver
Solver(2, 4, KALAH).margin(initial(2, 1))
started = process_time()
solver = Solver({holes}, 2 * {holes} * {marbles}, KALAH)
first = initial({holes}, {marbles})
"""
SOLVE: Final = SOLVER + "assert solver.margin(first) == {value}\ntook()\n"
SOLVE_MOVES: Final = SOLVER + "assert max(solver.margins(first).values()) == {value}\ntook()\n"

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


def run(program: str) -> tuple[float, float]:
    """The seconds of processor time of a program, and the peak of its memory in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, mebibytes = map(float, done.stdout.split())
    return seconds, mebibytes


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
    json: JsonOption = False,
) -> int:
    """Measure state spaces, theorems, perfect play, and random moves compared with open_spiel.

    open_spiel 2.0.2 (`pip install open_spiel`) is optional. Without it, that comparison is left out.

    The keys of --json: `machine`, `command`, `load_before` (the load of the machine), `runs`, `seconds` by
    question, `per_open_spiel` (moves here for each of open_spiel's; null without it) and `goals`. Every
    figure has `median`, `min` and `max`.
    """
    benchmark, kinds = Benchmark("mancala", runs), SMALL if is_small else SMALL | LARGE
    programs = {name: kind.program for name, kind in kinds.items()}
    programs |= {name: PEERS[name] for name in PEERS if name == "mancala" or find_spec("pyspiel")}
    times: dict[str, list[float]] = {name: [] for name in programs}
    sizes: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(runs):
        for name, program in programs.items():
            benchmark.say(number, name)
            took, size = run(program)
            times[name].append(took)
            sizes[name].append(size)
    seconds, memory = spreads(times), spreads(sizes)
    limits = {name: kind.goal for name, kind in kinds.items() if kind.goal is not None}
    goals = [Goal(f"{name}, seconds", seconds[name], limit, False) for name, limit in limits.items()]
    for name in times:
        if (both := f"{name}, first moves too") in times:
            per_value = ratios(times[both], times[name])
            goals.append(Goal(f"{both}, for each second of the value alone", per_value, FIRST_MOVES, False))
    largest = max(memory.values(), key=lambda spread: spread.median)
    goals.append(Goal("memory of the largest process, MiB", largest, MEMORY, False, ",.0f"))
    per_peer = ratios(times["open_spiel"], times["mancala"]) if "open_spiel" in times else None
    names = {name: f"{MANY:,} random moves, {name}" for name in PEERS}
    rows = [("question", "seconds", "MiB")]
    rows += [(names.get(name, name), seconds[name].text(".3f"), memory[name].text()) for name in times]
    return benchmark.finish(
        "Mancala",
        (rows,),
        (
            "Each figure is the processor time of a separate process, without imports and without the"
            " compilation of kernels.",
            "The theorems hold for every number of holes and marbles. The plain set searches the same boards"
            " with `rules.move`.",
            "Kalah has captures also if the opposite hole is empty, and a sweep. A C solver of the same game"
            " took 19 s for six holes and four marbles.",
            "open_spiel is not installed, so there is no comparison."
            if per_peer is None
            else f"Random moves with six holes and four marbles: {per_peer.text('.3f')} for each of"
            " open_spiel 2.0.2.",
        ),
        goals,
        {"seconds": seconds, "per_open_spiel": per_peer},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "mancala")
