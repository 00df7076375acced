"""How fast decisions are made over the wire, beside the fastest echo that Python has on this machine.

python -m benchmarks.network --help
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.echo import exchanges_per_second
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
from benchmarks.processes import START_LIMIT, TRAINING, Child, Cores, Dealer, say
from cards import Decision, Round, Rules, from_system, seeded, shoe_for
from policies import qtable
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds

GOALS_PER_ECHO: Final = {1: 0.7, 16: 0.4, 64: 0.35}
"""Decisions per echo to reach, by connections: a decision is one exchange, whatever a round has of them."""

WEBSOCKET_GOALS: Final = {1: 0.6, 16: 0.6, 64: 0.5}
"""Decisions over WebSocket per decision over lines to reach, by connections."""

TRAINING_ROUNDS: Final = 50_000
TRAINING_GOAL: Final = 2.5
"""Seconds that the training rounds may take, from the start of the first process to the end of both."""

ROUND_GOAL: Final = 100_000
"""Rounds a second of the engine alone to reach."""

PILOT: Final = 1_000
"""Rounds of a trial that is not counted: it says how many rounds fill the time of a measurement."""

LIMIT: Final = 600.0
"""Seconds after which a measurement has gone wrong."""

_CORES_NOTE: Final = {
    Cores.ANY: "The system chose the cores, which over 1 connection may be one or two for either pair.",
    Cores.ONE: "Both processes of a pair ran on the same core, but for the training run as a whole.",
    Cores.TWO: "The processes of a pair ran on a core each, but for the training run as a whole.",
}

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured.

    Attributes:
        runs: how often everything is measured.
        seconds: about how long one measurement takes.
        connections: over how many connections at once, one measurement for each.
        training_rounds: how many rounds the training run has that is timed as a whole.
        cores: where the processes run whose rates are measured.
    """

    runs: int
    seconds: float
    connections: Sequence[int]
    training_rounds: int
    cores: Cores = Cores.ANY


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a training run went, as it measures it itself: without the start of the processes.

    Attributes:
        rounds: rounds a second.
        decisions: decisions a second, each of which is one exchange.
    """

    rounds: float
    decisions: float


@dataclass(frozen=True, slots=True)
class Crossing:
    """The rates over one number of connections, a value for each run.

    Attributes:
        echo: exchanges a second of the bare pair.
        lines: what is played over lines.
        websocket: what is played over WebSocket.
    """

    echo: list[float]
    lines: list[Rate]
    websocket: list[Rate]

    @property
    def per_echo(self) -> Spread:
        """Decisions over lines for each exchange of the bare pair."""
        return ratios(_decisions(self.lines), self.echo)

    @property
    def rounds_per_echo(self) -> Spread:
        """Rounds over lines for each exchange of the bare pair: the figure of version 0.1."""
        return ratios(_rounds(self.lines), self.echo)

    @property
    def websocket_per_lines(self) -> Spread:
        """Decisions over WebSocket for each over lines."""
        return ratios(_decisions(self.websocket), _decisions(self.lines))

    def as_json(self) -> dict[str, Any]:
        """Each rate and ratio with its spread."""
        return {
            "echoes_per_second": spread_of(self.echo).as_json(),
            "lines_decisions_per_second": spread_of(_decisions(self.lines)).as_json(),
            "websocket_decisions_per_second": spread_of(_decisions(self.websocket)).as_json(),
            "decisions_per_echo": self.per_echo.as_json(),
            "websocket_per_lines": self.websocket_per_lines.as_json(),
            "lines_rounds_per_second": spread_of(_rounds(self.lines)).as_json(),
            "websocket_rounds_per_second": spread_of(_rounds(self.websocket)).as_json(),
            "rounds_per_echo": self.rounds_per_echo.as_json(),
        }


def _decisions(rates: Sequence[Rate]) -> list[float]:
    return [rate.decisions for rate in rates]


def _rounds(rates: Sequence[Rate]) -> list[float]:
    return [rate.rounds for rate in rates]


@dataclass(frozen=True, slots=True)
class Result:
    """All measurements.

    Attributes:
        sizes: how much was measured.
        crossings: the rates by number of connections.
        training: seconds of the whole training run, for each run.
        engine: rounds a second of the engine alone, for each run.
    """

    sizes: Sizes
    crossings: dict[int, Crossing]
    training: list[float]
    engine: list[float]


def measure(sizes: Sizes) -> Result:
    """Measure everything `runs` times: each kind once, then each again, so that all meet the same weather."""
    result = Result(sizes, defaultdict(lambda: Crossing([], [], [])), [], [])
    rounds = _rounds_to_fill(sizes)
    for number in range(sizes.runs):
        for connections in sizes.connections:
            say(f"network: run {number + 1} of {sizes.runs}, {_at(connections)}")
            crossing = result.crossings[connections]
            crossing.echo.append(exchanges_per_second(connections, sizes.seconds, sizes.cores))
            crossing.lines.append(rate_of(connections, rounds[connections, False], False, sizes.cores))
            crossing.websocket.append(rate_of(connections, rounds[connections, True], True, sizes.cores))
        say(f"network: run {number + 1} of {sizes.runs}, a training run as a whole, the engine alone")
        result.training.append(_train(16, sizes.training_rounds, False, Cores.ANY).seconds)
        result.engine.append(engine_rounds_per_second(sizes.seconds))
    return result


def rate_of(connections: int, rounds: int, is_websocket: bool, cores: Cores) -> Rate:
    """The rate of a training run."""
    return _train(connections, rounds, is_websocket, cores).rate


def engine_rounds_per_second(limit: float) -> float:
    """The rate of `cards.Round` alone with its records, under random play and the dealer's own shoe."""
    rules = Rules()
    shoe, rand_below = shoe_for(rules, from_system()), seeded("engine")
    decisions = (Decision.HIT, Decision.STAND)
    rounds, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < limit:
        for _ in range(1000):
            round_ = Round(rules, shoe)
            round_.deal()
            while (seat := round_.turn) is not None:
                round_.decide(seat, decisions[rand_below(2)])
        rounds += 1000
    return rounds / passed


def _rounds_to_fill(sizes: Sizes) -> dict[tuple[int, bool], int]:
    """How many rounds take about as long as a measurement should, by connections and voice."""
    say("network: trials, to see how many rounds a measurement needs")
    return {
        (connections, is_websocket): max(
            PILOT, round(sizes.seconds * rate_of(connections, PILOT, is_websocket, sizes.cores).rounds)
        )
        for connections in sizes.connections
        for is_websocket in (False, True)
    }


class _Trained(NamedTuple):
    """A training run: its rate, and the wall time of both processes in all, in seconds."""

    rate: Rate
    seconds: float


def _train(connections: int, rounds: int, is_websocket: bool, cores: Cores) -> _Trained:
    """Run `dealer` and `training` as two processes."""
    dealer_core, training_core = cores.pair()
    with tempfile.TemporaryDirectory() as name:
        folder, started = Path(name), time.perf_counter()
        with Dealer(folder, rounds, core=dealer_core) as dealer:
            port = dealer.wait_for_port()
            target = (f"ws://127.0.0.1:{port}/ws",) if is_websocket else ("127.0.0.1", port)
            table = folder / "qtable.txt"
            options = ("--connections", connections, "--fresh", "--table", table, "--json")
            with Child((*TRAINING, *target, rounds, *options), training_core) as training:
                trained, dealt = training.result(LIMIT), dealer.result(START_LIMIT)
        passed = time.perf_counter() - started
        decisions = int(qtable.load(table).counts.sum())  # each visit of a cell is one
    if not trained["rounds"] == dealt["rounds"] == rounds:
        raise CommandError(
            f"of {rounds} rounds {dealt['rounds']} were dealt and {trained['rounds']} learned from"
        )
    rate = float(trained["rounds_per_second"])
    return _Trained(Rate(rate, rate * decisions / rounds), passed)


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    found = [
        Goal(f"decisions per echo, {_at(connections)}", result.crossings[connections].per_echo, bound, True)
        for connections, bound in GOALS_PER_ECHO.items()
        if connections in result.crossings
    ]
    found += [
        Goal(
            f"WebSocket per lines, {_at(connections)}",
            result.crossings[connections].websocket_per_lines,
            bound,
            True,
        )
        for connections, bound in WEBSOCKET_GOALS.items()
        if connections in result.crossings
    ]
    if result.sizes.training_rounds == TRAINING_ROUNDS:
        name = f"{TRAINING_ROUNDS:,} training rounds in all, seconds"
        found.append(Goal(name, spread_of(result.training), TRAINING_GOAL, False))
    found.append(Goal("cards.Round alone, rounds/s", spread_of(result.engine), ROUND_GOAL, True, ",.0f"))
    return found


def _at(connections: int) -> str:
    return "1 connection" if connections == 1 else f"{connections} connections"


def document(result: Result, command: str, busy: float) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": result.sizes.runs,
        "connections": {str(number): crossing.as_json() for number, crossing in result.crossings.items()},
        "training": {
            "rounds": result.sizes.training_rounds,
            "seconds": spread_of(result.training).as_json(),
        },
        "engine_rounds_per_second": spread_of(result.engine).as_json(),
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float) -> Report:
    """The result as tables."""
    runs, took = result.sizes.runs, spread_of(result.training).text(".2f")
    return Report(
        "Decisions over the wire",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            "echo: two bare protocols, as two processes, between which one short line goes to and fro.",
            "lines, WebSocket: `dealer` and `training` as two processes over as many connections.",
            f"{result.sizes.training_rounds:,} training rounds in all: {took} s, with both processes' start.",
            _CORES_NOTE[result.sizes.cores],
            load_note(busy),
        ),
        (_rate_rows(result), _round_rows(result), goal_rows(goals(result))),
    )


def _rate_rows(result: Result) -> Rows:
    headings = (
        "connections",
        "echo exchanges/s",
        "lines decisions/s",
        "WebSocket decisions/s",
        "lines per echo",
    )
    return [
        headings,
        *(
            (
                str(connections),
                spread_of(crossing.echo).text(),
                spread_of(_decisions(crossing.lines)).text(),
                spread_of(_decisions(crossing.websocket)).text(),
                crossing.per_echo.text(".2f"),
            )
            for connections, crossing in result.crossings.items()
        ),
    ]


def _round_rows(result: Result) -> Rows:
    """The figures of version 0.1, to compare with."""
    return [
        ("as in version 0.1", "lines rounds/s", "WebSocket rounds/s", "rounds per echo"),
        *(
            (
                _at(connections),
                spread_of(_rounds(crossing.lines)).text(),
                spread_of(_rounds(crossing.websocket)).text(),
                crossing.rounds_per_echo.text(".2f"),
            )
            for connections, crossing in result.crossings.items()
        ),
    ]


@describe(app)
def network(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 2.0,
    connections: Annotated[
        list[int] | None,
        typer.Option(
            min=1, max=1000, help="Connections at once; give it several times, or have 1, 16 and 64."
        ),
    ] = None,
    training_rounds: Annotated[
        int, typer.Option(min=1, help="Rounds of the training run that is timed as a whole.")
    ] = TRAINING_ROUNDS,
    cores: Annotated[
        Cores,
        typer.Option(help="Keep each pair of processes to one core, to two, or leave that to the system."),
    ] = Cores.ANY,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure decisions a second of `dealer` and `training` over lines and WebSocket, beside a bare echo.

    An echo is what one request and one response cost on this machine with nothing around them. A decision is
    one exchange too, so decisions per echo compare across machines, where decisions a second do not, and
    across ways of play, where rounds do not. It takes about four minutes with the defaults: leave the machine
    alone meanwhile.

    Over a single connection the two processes wait for each other, and where they run decides the rate:
    --cores two makes each wake the other on another core, --cores one lets them take turns. Left to the
    system it may be either, and the figures spread.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `connections`, which has
    for each number of them `echoes_per_second`, `lines_decisions_per_second`,
    `websocket_decisions_per_second`, `decisions_per_echo` and `websocket_per_lines`, and as in version 0.1
    `lines_rounds_per_second`, `websocket_rounds_per_second` and `rounds_per_echo`; `training` (`rounds` and
    `seconds`, with both processes' start); `engine_rounds_per_second`; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    busy = load_before()
    result = measure(Sizes(runs, duration, connections or (1, 16, 64), training_rounds, cores))
    command = command_line("network")
    print_result(report(result, command, busy), document(result, command, busy), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "network")
