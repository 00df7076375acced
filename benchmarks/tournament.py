"""The speed of a tournament's rounds, by policies and by programs over sockets.

python -m benchmarks.tournament --help

Policies are measured beside the same rounds simulated and only counted, programs beside the dealer alone.

python -m benchmarks.tournament play SECONDS PORT... plays at these ports, a connection at each, and prints
how many decisions were made, when it begins to count and when it is over. `alone CONNECTIONS` is a dealer,
and `serve CONNECTIONS` a tournament of programs that connect by themselves: each prints its ports, and then
the seconds that its processor has worked, for each line that comes.
"""

from __future__ import annotations

import asyncio
import json as jsonlib
import pickle
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of
from benchmarks.processes import START_LIMIT, Child
from cards import PRESETS, EveryRound, Rules
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from tournament.playing import policies as by_policies
from tournament.playing.tables import play as play_programs
from tournament.settings import Block, Clocks, Entrant, Settings, first_state
from twentyone.analysis.studies.montecarlo import SHARD_ROUNDS, play_shard, shards_of
from twentyone.analysis.studies.policies import policy_named
from twentyone.support.command import describe
from twentyone.support.loop import run
from twentyone.support.options import JsonOption

WORKERS: Final = 2
"""Processes at once, one for each core that the goal is for."""

RULES: Final = ("course", "vegas")
COMPILED: Final = "basic and mimic"
POLICIES: Final = {COMPILED: ("basic", "mimic"), "random": ("random", "random")}
"""The policies of the workers: tables of decisions, and one that the engine plays."""

BLOCKS: Final = {COMPILED: 20_000, "random": 1_000}
"""Rounds that are asked for at once."""

GOAL: Final = 200_000
"""Rounds a second to reach by policies that are tables, in all."""

HALF: Final = 0.5
"""Decisions of programs in a tournament for each at the dealer alone, to reach."""

SEED: Final = 1
MANY_ROUNDS: Final = 1_000_000
"""Rounds that no measurement comes to the end of."""

HOST: Final = "127.0.0.1"
FIRST_PORT: Final = 20_000

POLICY_COLUMNS: Final = (
    "rules, policies",
    *("first, rounds/s", "later, rounds/s", "simulated, rounds/s", "later per simulated"),
)
PROGRAM_COLUMNS: Final = (
    *("connections", "dealer us", "tournament us", "ratio"),
    *("dealer decisions/s", "tournament decisions/s", "ratio"),
)

Rates = dict[str, list[float]]
"""By what was measured, a value for each run."""


# By policies


def measure_policies(preset: str, policy: str, duration: float, rates: Rates) -> None:
    """Add a run of all workers together, in fresh processes.

    The first block after the policy and the costs are ready knows no round yet; those that follow are
    measured apart. The bare simulation only counts how rounds end.
    """
    arguments = [preset] * WORKERS, POLICIES[policy], [duration] * WORKERS
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        played = pool.map(_played, *arguments, [BLOCKS[policy]] * WORKERS, range(WORKERS))
        first, later = map(sum, zip(*played, strict=True))
        simulated = sum(pool.map(_simulated, *arguments))
    for name, rate in (("first", first), ("later", later), ("simulated", simulated)):
        rates.setdefault(name, []).append(rate)


def _rules(preset: str) -> Rules:
    return replace(PRESETS[preset], reshuffle=EveryRound())


def _played(preset: str, policy: str, duration: float, size: int, worker: int) -> tuple[float, float]:
    """Play blocks of a match in a worker; return the rate of the first, and that of the others."""
    settings = Settings(_rules(preset), size, SEED, (Entrant("one", policy), Entrant("two", policy)))
    match = settings.matches[worker]
    by_policies.prepare(settings, match)
    state, blocks = first_state(settings, match), count()

    def block() -> int:
        by_policies.play(settings, match, replace(state, round=next(blocks) * size), size)
        return size

    return _rate(block, 0), _rate(block, duration)


def _simulated(preset: str, policy: str, duration: float) -> float:
    """Simulate rounds in a worker as `analysis simulate` does; return the rate."""
    rules = _rules(preset)
    (first,) = shards_of(rules, [policy_named(policy, rules)], SHARD_ROUNDS, seed=SEED)
    numbers = count()

    def shard() -> int:
        play_shard(first._replace(number=next(numbers)))
        return first.rounds

    shard()  # compiled
    return _rate(shard, duration)


def _rate(work: Callable[[], int], duration: float) -> float:
    """Rounds a second of work that is done again for `duration` seconds, at least once."""
    rounds, started = 0, time.perf_counter()
    while True:
        rounds += work()
        took = time.perf_counter() - started
        if took >= duration:
            return rounds / took


# By programs


class Player(asyncio.Protocol):
    """A program that hits and stands in turn, and counts its decisions."""

    def __init__(self) -> None:
        self.decisions = 0
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(b"JOIN player\n")

    def data_received(self, data: bytes) -> None:
        """Answer a question, which is always the last that a dealer says for now."""
        self._rest = data if not self._rest else self._rest + data
        if self._rest.endswith(b"DECISION\n"):
            self.decisions += 1
            self._transport.write(b"HIT\n" if self.decisions & 1 else b"STAND\n")
        if self._rest.endswith(b"\n"):
            self._rest = b""


async def _play(duration: float, ports: Sequence[int]) -> None:
    """Play at each port, and print how many decisions were made, and in how many seconds."""
    loop = asyncio.get_running_loop()
    players = [(await loop.create_connection(Player, HOST, port))[1] for port in ports]
    while not all(player.decisions for player in players):  # noqa: ASYNC110 (a count has no event)
        await asyncio.sleep(0.01)
    began = time.perf_counter()
    for _ in range(2):
        made, passed = sum(player.decisions for player in players), time.perf_counter() - began
        print(jsonlib.dumps({"decisions": made, "seconds": passed}), flush=True)
        await asyncio.sleep(duration)


def _tell_ports(ports: Sequence[int]) -> None:
    """Print where to connect, and from now on for each line that comes how long the processor has worked."""

    def tell() -> None:
        if sys.stdin.readline():
            print(time.process_time(), flush=True)

    print(jsonlib.dumps(list(ports)), flush=True)
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), tell)


async def _alone(connections: int) -> None:
    """Be a dealer with a table for each connection, as the command `dealer 0 0` is."""
    server = DealerServer(Config(0, 0, host=HOST))
    await server.start()
    _tell_ports([server.port] * connections)
    await server.run()


def _free_ports(count: int) -> list[int]:
    """Ports that can be listened at, below those that the system gives away by itself meanwhile."""
    ports: list[int] = []
    for port in range(FIRST_PORT, FIRST_PORT + 10_000):
        with suppress(OSError), socket.create_server((HOST, port)):
            ports.append(port)
        if len(ports) == count:
            break
    return ports


async def _serve(connections: int) -> None:
    """Be a tournament of programs that connect by themselves, in one process."""
    ports = _free_ports(connections)
    entrants = tuple(Entrant(f"p{port}", listen=(HOST, port)) for port in ports)
    rules = PRESETS["course"]
    assert rules.reshuffle == EveryRound()
    spare = Entrant("spare", policy="basic")  # a tournament has two at least
    told = Settings(rules, MANY_ROUNDS, 1, (*entrants, spare), Clocks(decision=60.0))
    waiting = connections

    def notice(_: str) -> None:
        nonlocal waiting
        waiting -= 1
        if waiting == 0:
            _tell_ports(ports)

    def emit(block: Block) -> None:
        pickle.dumps(block)  # as it is handed to the process that keeps the results

    with tempfile.TemporaryDirectory() as folder:
        matches = told.matches[:connections]
        await asyncio.gather(
            *(
                play_programs(told, match, first_state(told, match), emit, Path(folder), notice)
                for match in matches
            )
        )


def measure_programs(kind: str, connections: int, duration: float, rates: Rates) -> None:
    """Add a run of programs that play all the time.

    Args:
        kind: `alone` or `serve`.
        connections: how many programs.
        duration: seconds.
        rates: has, by kind, decisions a second and the processor time of the process for each decision, in
            microseconds.
    """
    module = ("-m", "benchmarks.tournament")
    with Child((*module, kind, connections)) as server:
        ports = server.read(10 * START_LIMIT)
        with Child((*module, "play", duration, *map(str, ports))) as programs:
            before = programs.read(START_LIMIT)
            began = _worked(server)
            after = programs.read(duration + START_LIMIT)
            worked = _worked(server) - began
    made = after["decisions"] - before["decisions"]
    rates.setdefault(f"{kind} rate", []).append(made / (after["seconds"] - before["seconds"]))
    rates.setdefault(f"{kind} work", []).append(1e6 * worked / made)


def _worked(server: Child) -> float:
    """The seconds that the processor has worked for a process, for the user and for the system."""
    server.tell("")
    return float(server.read(START_LIMIT))


app = typer.Typer(add_completion=False)


@describe(app)
def tournament(
    runs: RunsOption = 5,
    duration: SecondsOption = 4.0,
    connections: Annotated[
        list[int] | None,
        typer.Option(min=1, max=500, help="Programs at once; give it several times, or have 1, 16 and 64."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Measure how many rounds a second a tournament plays by policies, and what decisions of programs cost.

    Beside policies, in two processes together, stands the bare simulation of the same rules and policy. The
    programs are as many connections of one process, which hit and stand in turn, at the dealer alone and in
    a tournament, where each has a match, a dealer and a port of its own in one process. The goal about them
    is the processor time of the dealer's process for each decision over that of the tournament's process.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `policies`, by rules and
    policies, each with `first_block_rounds_per_second`, `rounds_per_second`, `simulated_rounds_per_second`
    and `per_simulated`; `connections`, which has for each number of them `dealer_microseconds` and
    `tournament_microseconds` of processor time a decision and `dealer_per_tournament`, their ratio;
    `dealer_decisions_per_second`, `tournament_decisions_per_second` and `tournament_per_dealer`; and `goals`.
    Every figure has `median`, `min` and `max`.
    """
    benchmark = Benchmark("tournament", runs)
    names = {f"{preset}, {policy}": (preset, policy) for preset in RULES for policy in POLICIES}
    policies: dict[str, Rates] = {name: {} for name in names}
    programs: dict[int, Rates] = {number: {} for number in connections or [1, 16, 64]}
    for run_number in range(runs):
        for name, rates in policies.items():
            benchmark.say(run_number, name)
            measure_policies(*names[name], duration, rates)
        for number, rates in programs.items():
            benchmark.say(run_number, f"{number} connections")
            for kind in ("alone", "serve"):
                measure_programs(kind, number, duration / 2, rates)
    by_policy = {name: _policy_figures(rates) for name, rates in policies.items()}
    by_program = {str(number): _program_figures(rates) for number, rates in programs.items()}
    goals = [
        Goal(f"rounds/s in all, {name}", told["rounds_per_second"], GOAL, True, ",.0f")
        for name, told in by_policy.items()
        if names[name][1] == COMPILED
    ]
    goals += [
        Goal(f"processor time, dealer per tournament, {name}", told["dealer_per_tournament"], HALF, True)
        for name, told in by_program.items()
    ]
    return benchmark.finish(
        "A tournament",
        (_rows(POLICY_COLUMNS, by_policy), _rows(PROGRAM_COLUMNS, by_program)),
        (
            f"Rounds a second of {WORKERS} processes together, each with a match of its own: every round"
            " with its script, its payoff and its EV lost, from a fresh shoe. `random` is played by the"
            " engine; `basic` in one process and `mimic` in the other are compiled.",
            f"First: the first {BLOCKS[COMPILED]:,} rounds of a process that has prepared the policy"
            f" ({BLOCKS['random']:,} of `random`). Each script and cost is found once for all rounds that are"
            " alike, so later rounds are faster.",
            "Simulated: what `analysis simulate` plays in the same processes, which only counts how rounds"
            " end.",
            "us: microseconds of processor time of the dealer's, or the tournament's, process for a"
            " decision.",
        ),
        goals,
        {
            "policies": by_policy,
            "connections": by_program,
        },
        as_json=json,
    )


def _policy_figures(rates: Rates) -> dict[str, Spread]:
    return {
        "first_block_rounds_per_second": spread_of(rates["first"]),
        "rounds_per_second": spread_of(rates["later"]),
        "simulated_rounds_per_second": spread_of(rates["simulated"]),
        "per_simulated": ratios(rates["later"], rates["simulated"]),
    }


def _program_figures(rates: Rates) -> dict[str, Spread]:
    return {
        "dealer_microseconds": spread_of(rates["alone work"]),
        "tournament_microseconds": spread_of(rates["serve work"]),
        "dealer_per_tournament": ratios(rates["alone work"], rates["serve work"]),
        "dealer_decisions_per_second": spread_of(rates["alone rate"]),
        "tournament_decisions_per_second": spread_of(rates["serve rate"]),
        "tournament_per_dealer": ratios(rates["serve rate"], rates["alone rate"]),
    }


def _form(key: str) -> str:
    return ",.0f" if key.endswith(("_per_second", "_microseconds")) else ".3f"


def _rows(headings: Sequence[str], figures: Mapping[str, Mapping[str, Spread]]) -> Rows:
    """A table of figures: ratios with three digits, all others as whole numbers."""
    return [
        headings,
        *((name, *(each.text(_form(key)) for key, each in told.items())) for name, told in figures.items()),
    ]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", duration_text, *ports_text]:
            run(_play(float(duration_text), list(map(int, ports_text))))
        case ["alone", connections_text]:
            run(_alone(int(connections_text)))
        case ["serve", connections_text]:
            run(_serve(int(connections_text)))
        case _:
            start(app, "tournament")
