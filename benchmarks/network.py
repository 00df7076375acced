"""The speed of decisions over the wire, beside the fastest echo that Python has on this machine.

python -m benchmarks.network --help
"""

from __future__ import annotations

import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.echo import exchanges_per_second
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of, spreads
from benchmarks.processes import START_LIMIT, Child, Cores, Dealer, say
from benchmarks.variants import Variant, builds
from cards import Decision, Round, Rules, from_system, seeded, shoe_for
from twentyone.policies import table_files
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

LINES_GOALS: Final = {"plain": {1: 0.6, 16: 0.4, 64: 0.4}, "compiled": {1: 0.7, 16: 0.55, 64: 0.5}}
"""Decisions over lines per echo to reach, by build and connections: a decision is one exchange, whatever a
round has of them."""

WEBSOCKET_GOALS: Final = {
    "plain": {1: 0.36, 16: 0.17, 64: 0.20},
    "compiled": {1: 0.40, 16: 0.20, 64: 0.23},
}
"""The same over WebSocket."""

TRAINING_ROUNDS: Final = 50_000
TRAINING_GOALS: Final = {"plain": 2.0, "compiled": 1.5}
"""Seconds that the training rounds may take, from the start of the first process to the end of both."""

ROUND_GOAL: Final = 100_000
"""Rounds a second of the engine alone to reach."""

PILOT: Final = 1_000
"""Rounds of a trial that is not counted: it says how many rounds fill the time of a measurement."""

LIMIT: Final = 600.0
"""Seconds after which a measurement has gone wrong."""

CORES_NOTE: Final = {
    Cores.ANY: "The system chose the cores, which over 1 connection may be one or two for either pair.",
    Cores.ONE: "Both processes of a pair ran on the same core, except for the training run as a whole.",
    Cores.TWO: "The processes of a pair ran on a core each, except for the training run as a whole.",
}

KINDS: Final = ("lines", "websocket")

Rates = dict[str, list[float]]
"""Exchanges a second of the bare pair (`echo`), and decisions a second by kind, a value for each run."""

Found = dict[tuple[int, str], Rates]
"""The rates by connections and build."""

app = typer.Typer(add_completion=False)


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


def train(
    connections: int, rounds: int, kind: str, cores: Cores, build: Variant
) -> tuple[float, float, float]:
    """Run `dealer` and `training` of a build as two processes.

    Returns:
        Rounds and decisions a second, without the start of the processes, and the seconds of both in all.
    """
    dealer_core, training_core = cores.pair()
    with tempfile.TemporaryDirectory() as name:
        folder, started = Path(name), time.perf_counter()
        with Dealer(folder, rounds, core=dealer_core, variant=build) as dealer:
            port = dealer.wait_for_port()
            target = (f"ws://127.0.0.1:{port}/ws",) if kind == "websocket" else ("127.0.0.1", port)
            table = folder / "qtable.txt"
            options = ("--connections", connections, "--fresh", "--table", table, "--json")
            words = (build.command("training"), *target, rounds, *options)
            with Child(words, training_core, build) as training:
                trained, dealt = training.result(LIMIT), dealer.result(START_LIMIT)
        passed = time.perf_counter() - started
        decisions = int(table_files.load(table).counts.sum())  # each visit of a cell is one
    if not trained["rounds"] == dealt["rounds"] == rounds:
        raise CommandError(
            f"of {rounds} rounds {dealt['rounds']} were dealt and {trained['rounds']} learned from"
        )
    rate = float(trained["rounds_per_second"])
    return rate, rate * decisions / rounds, passed


@describe(app)
def network(
    runs: RunsOption = 5,
    duration: SecondsOption = 2.0,
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
    json: JsonOption = False,
) -> int:
    """Measure decisions a second of `dealer` and `training` over lines and WebSocket, beside a bare echo.

    An echo is what one request and one response cost on this machine with nothing around them. A decision is
    one exchange too, so decisions per echo compare across machines, where decisions a second do not, and
    across ways of play, where rounds do not. The plain and the compiled build take turns, each with an echo
    of its own, where `make fast` has made the second. It takes about four minutes for each with the defaults:
    leave the machine alone meanwhile.

    Over a single connection the two processes wait for each other, and where they run decides the rate:
    --cores two makes each wake the other on another core, --cores one lets them take turns. Left to the
    system it may be either, and the figures spread.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `connections`, which has
    for each number of them and each build (`plain`, `compiled`) `echoes_per_second`,
    `lines_decisions_per_second`, `websocket_decisions_per_second`, `lines_per_echo` and `websocket_per_echo`;
    `training` (`rounds`, and `seconds` with both processes' start, by build); `engine_rounds_per_second` (of
    the build that runs this); and `goals`. Every figure has `median`, `min` and `max`.
    """
    variants, numbers = builds(), connections or [1, 16, 64]
    benchmark = Benchmark("network", runs, [each.name for each in variants])
    found: Found = {
        (number, each.name): {"echo": [], "lines": [], "websocket": []}
        for number in numbers
        for each in variants
    }
    trained: dict[str, list[float]] = {each.name: [] for each in variants}
    engine: list[float] = []
    say("network: trials, to see how many rounds a measurement needs")
    rounds = {
        (number, each.name, kind): max(PILOT, round(duration * train(number, PILOT, kind, cores, each)[0]))
        for number in numbers
        for each in variants
        for kind in KINDS
    }
    for run_number in range(runs):
        for number, each in product(numbers, variants):
            benchmark.say(run_number, f"{_at(number)}, {each.name}")
            rates = found[number, each.name]
            rates["echo"].append(exchanges_per_second(number, duration, cores))
            for kind in KINDS:
                some = rounds[number, each.name, kind]
                rates[kind].append(train(number, some, kind, cores, each)[1])
        benchmark.say(run_number, "a training run as a whole, the engine alone")
        for each in variants:
            trained[each.name].append(train(16, training_rounds, "lines", Cores.ANY, each)[2])
        engine.append(engine_rounds_per_second(duration))
    took = spreads(trained)
    figures = {key: _figures(rates) for key, rates in found.items()}
    goals = _goals(figures)
    if training_rounds == TRAINING_ROUNDS:
        name = f"{TRAINING_ROUNDS:,} training rounds in all, seconds"
        goals += [
            Goal(f"{name}, {build}", each, TRAINING_GOALS[build], False) for build, each in took.items()
        ]
    goals.append(Goal("cards.Round alone, rounds/s", spread_of(engine), ROUND_GOAL, True, ",.0f"))
    whole = ", ".join(f"{build} {each.text('.2f')} s" for build, each in took.items())
    return benchmark.finish(
        "Decisions over the wire",
        (_rows(figures),),
        (
            "echo: two bare protocols, as two processes, between which one short line goes to and fro.",
            "lines, WebSocket: `dealer` and `training` as two processes over as many connections.",
            f"{training_rounds:,} training rounds in all, with both processes' start: {whole}.",
            CORES_NOTE[cores],
        ),
        goals,
        {
            "connections": {
                str(number): {each.name: figures[number, each.name] for each in variants}
                for number in numbers
            },
            "training": {"rounds": training_rounds, "seconds": took},
            "engine_rounds_per_second": spread_of(engine),
        },
        as_json=json,
    )


def _at(connections: int) -> str:
    return "1 connection" if connections == 1 else f"{connections} connections"


def _figures(rates: Rates) -> dict[str, Spread]:
    return {
        "echoes_per_second": spread_of(rates["echo"]),
        "lines_decisions_per_second": spread_of(rates["lines"]),
        "websocket_decisions_per_second": spread_of(rates["websocket"]),
        "lines_per_echo": ratios(rates["lines"], rates["echo"]),
        "websocket_per_echo": ratios(rates["websocket"], rates["echo"]),
    }


def _goals(figures: dict[tuple[int, str], dict[str, Spread]]) -> list[Goal]:
    return [
        Goal(f"{name} per echo, {_at(number)}, {build}", told[key], bounds[build][number], True)
        for name, key, bounds in (
            ("lines", "lines_per_echo", LINES_GOALS),
            ("WebSocket", "websocket_per_echo", WEBSOCKET_GOALS),
        )
        for (number, build), told in figures.items()
        if number in bounds[build]
    ]


def _rows(figures: dict[tuple[int, str], dict[str, Spread]]) -> Rows:
    rates = ("echo exchanges/s", "lines decisions/s", "WebSocket decisions/s")
    rows: list[tuple[str, ...]] = [
        ("connections, build", *rates, "lines per echo", "WebSocket per echo"),
    ]
    for (number, build), told in figures.items():
        cells = (each.text(".2f" if key.endswith("per_echo") else ",.0f") for key, each in told.items())
        rows.append((f"{number}, {build}", *cells))
    return rows


if __name__ == "__main__":
    start(app, "network")
