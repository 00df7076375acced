"""How fast programs play a tournament over sockets, beside the dealer alone with the same programs.

python -m benchmarks.tournament_sockets --help

python -m benchmarks.tournament_sockets play SECONDS PORT... plays at these ports, a connection at each, and
prints how many decisions were made, when it begins to count and when it is over. `alone CONNECTIONS` is a
dealer, and `serve CONNECTIONS` a tournament of programs that connect by themselves: each prints its ports,
and then the seconds that its processor has worked, for each line that comes.
"""

from __future__ import annotations

import asyncio
import json as jsonlib
import pickle
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.figures import (
    Goal,
    Report,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
    ratios,
    spread_of,
)
from benchmarks.processes import START_LIMIT, Child, say
from cards import PRESETS
from cards.rules import EveryRound
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from support.command import OK, describe
from support.loop import run
from support.options import JsonOption, seconds
from tournament.playing.tables import play
from tournament.settings import Block, Clocks, Entrant, Settings, first_state

HALF: Final = 0.5
"""Decisions in a tournament for each at the dealer alone, to reach."""

MANY_ROUNDS: Final = 1_000_000
"""Rounds that no measurement comes to the end of."""

HOST: Final = "127.0.0.1"
FIRST_PORT: Final = 20_000

app = typer.Typer(add_completion=False)


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
            *(play(told, match, first_state(told, match), emit, Path(folder), notice) for match in matches)
        )


@dataclass(frozen=True, slots=True)
class Rates:
    """What was measured of one kind of process, a value for each run.

    Attributes:
        decisions: decisions a second.
        work: the processor time of the process for each decision, in microseconds.
    """

    decisions: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)

    def measure(self, kind: str, connections: int, duration: float) -> None:
        """Measure it once more, with programs that play all the time.

        Args:
            kind: `alone` or `serve`.
            connections: how many programs.
            duration: seconds.
        """
        module = ("-m", "benchmarks.tournament_sockets")
        with Child((*module, kind, connections)) as server:
            ports = server.read(10 * START_LIMIT)
            with Child((*module, "play", duration, *map(str, ports))) as programs:
                before = programs.read(START_LIMIT)
                began = _worked(server)
                after = programs.read(duration + START_LIMIT)
                worked = _worked(server) - began
        made = after["decisions"] - before["decisions"]
        self.decisions.append(made / (after["seconds"] - before["seconds"]))
        self.work.append(1e6 * worked / made)


def _worked(server: Child) -> float:
    """The seconds that the processor has worked for a process, for the user and for the system."""
    server.tell("")
    return float(server.read(START_LIMIT))


@describe(app)
def tournament_sockets(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="How long one measurement takes.")
    ] = 2.0,
    connections: Annotated[
        list[int] | None,
        typer.Option(min=1, max=500, help="Programs at once; give it several times, or have 1, 16 and 64."),
    ] = None,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure what decisions of programs cost in a tournament, beside those at the dealer alone.

    The programs are the same, as many connections of one process, which hit and stand in turn. In the
    tournament each has a match, a dealer and a port of its own in one process, which keeps a script, payoff,
    EV lost and times of each round. The two are measured in turn.

    The goal is about processor time, of the user and of the system: that of the dealer's process for each
    decision over that of the tournament's process. So it does not matter what else the machine does, nor how
    much of a core the programs leave. Decisions a second are told beside it.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `connections`, which has
    for each number of them `dealer_microseconds` and `tournament_microseconds` of processor time a decision
    and `dealer_per_tournament`, their ratio; `dealer_decisions_per_second`,
    `tournament_decisions_per_second` and `tournament_per_dealer`, their ratio; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    busy, numbers = load_before(), connections or [1, 16, 64]
    dealer = {number: Rates() for number in numbers}
    tournament = {number: Rates() for number in numbers}
    for run_number in range(runs):
        for number in numbers:
            say(f"tournament_sockets: run {run_number + 1} of {runs}, {number} connections")
            dealer[number].measure("alone", number, duration)
            tournament[number].measure("serve", number, duration)
    work = {number: ratios(dealer[number].work, tournament[number].work) for number in numbers}
    rates = {number: ratios(tournament[number].decisions, dealer[number].decisions) for number in numbers}
    goals = [
        Goal(f"processor time, dealer per tournament, {number}", work[number], HALF, True)
        for number in numbers
    ]
    command = command_line("tournament_sockets")
    told = {
        number: {
            "dealer_microseconds": spread_of(dealer[number].work),
            "tournament_microseconds": spread_of(tournament[number].work),
            "dealer_per_tournament": work[number],
            "dealer_decisions_per_second": spread_of(dealer[number].decisions),
            "tournament_decisions_per_second": spread_of(tournament[number].decisions),
            "tournament_per_dealer": rates[number],
        }
        for number in numbers
    }
    headings = (
        "connections",
        "dealer us",
        "tournament us",
        "ratio",
        "dealer decisions/s",
        "tournament decisions/s",
        "ratio",
    )
    formats = (".0f", ".0f", ".2f", ",.0f", ",.0f", ".2f")
    rows: list[tuple[str, ...]] = [headings]
    rows += [
        (str(number), *(spread.text(form) for spread, form in zip(each.values(), formats, strict=True)))
        for number, each in told.items()
    ]
    notes = (
        f"{median_of(runs)} A ratio is taken within each run.",
        "us: microseconds of processor time of the dealer's, or the tournament's, process for a decision.",
        load_note(busy),
    )
    report = Report("A tournament of programs", command, notes, (rows, goal_rows(goals)))
    document: dict[str, Any] = {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "connections": {
            str(number): {name: spread.as_json() for name, spread in each.items()}
            for number, each in told.items()
        },
        "goals": [goal.as_json() for goal in goals],
    }
    print_result(report, document, json, markdown)
    return OK


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", duration_text, *ports_text]:
            run(_play(float(duration_text), list(map(int, ports_text))))
        case ["alone", connections_text]:
            run(_alone(int(connections_text)))
        case ["serve", connections_text]:
            run(_serve(int(connections_text)))
        case _:
            start(app, "tournament_sockets")
