"""How fast programs play a tournament over sockets, beside the dealer alone with the same programs.

python -m benchmarks.tournament_sockets --help

python -m benchmarks.tournament_sockets play SECONDS PORT... plays at these ports, a connection at each, and
prints one JSON object; `serve ROUNDS CONNECTIONS` is a tournament of programs that connect by themselves.
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
from contextlib import ExitStack
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
from benchmarks.processes import START_LIMIT, Child, Dealer, say
from cards import PRESETS
from cards.rules import EveryRound
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
    before, began = sum(player.decisions for player in players), time.perf_counter()
    await asyncio.sleep(duration)
    made, passed = sum(player.decisions for player in players) - before, time.perf_counter() - began
    print(jsonlib.dumps({"decisions": made, "seconds": passed}), flush=True)


async def _serve(rounds: int, connections: int) -> None:
    """Be a tournament of programs that connect by themselves, in one process; its ports are printed."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(connections)]
        addresses = [each.getsockname()[:2] for each in held]
    entrants = tuple(Entrant(f"p{port}", listen=(host, port)) for host, port in addresses)
    rules = PRESETS["course"]
    assert rules.reshuffle == EveryRound()
    spare = Entrant("spare", policy="basic")  # a tournament has two at least
    told = Settings(rules, rounds, 1, (*entrants, spare), Clocks(decision=60.0))
    waiting = connections

    def notice(_: str) -> None:
        nonlocal waiting
        waiting -= 1
        if waiting == 0:
            print(jsonlib.dumps([port for _, port in addresses]), flush=True)

    def emit(block: Block) -> None:
        pickle.dumps(block)  # as it is handed to the process that keeps the results

    with tempfile.TemporaryDirectory() as folder:
        matches = told.matches[:connections]
        await asyncio.gather(
            *(play(told, match, first_state(told, match), emit, Path(folder), notice) for match in matches)
        )


def rate_at(ports: Sequence[int], duration: float) -> float:
    """Decisions a second of programs that play at these ports."""
    words: tuple[str | float, ...] = (
        "-m",
        "benchmarks.tournament_sockets",
        "play",
        duration,
        *map(str, ports),
    )
    with Child(words) as child:
        made = child.read(duration + 10 * START_LIMIT)
    return float(made["decisions"] / made["seconds"])


def dealer_rate(connections: int, duration: float) -> float:
    """That of the dealer alone."""
    with tempfile.TemporaryDirectory() as folder, Dealer(Path(folder), 0) as dealer:
        return rate_at([dealer.wait_for_port()] * connections, duration)


def tournament_rate(connections: int, duration: float) -> float:
    """That of a tournament."""
    with Child(("-m", "benchmarks.tournament_sockets", "serve", MANY_ROUNDS, connections)) as server:
        return rate_at(server.read(10 * START_LIMIT), duration)


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
    """Measure decisions a second of programs in a tournament, beside those at the dealer alone.

    The programs are the same, as many connections of one process, which hit and stand in turn. In the
    tournament each has a match, a dealer and a port of its own in one process, which keeps a script, payoff,
    EV lost and times of each round.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `connections`, which has
    for each number of them `dealer_decisions_per_second`, `tournament_decisions_per_second` and
    `tournament_per_dealer`; and `goals`. Every figure has `median`, `min` and `max`.
    """
    busy, numbers = load_before(), connections or [1, 16, 64]
    dealer: dict[int, list[float]] = {number: [] for number in numbers}
    tournament: dict[int, list[float]] = {number: [] for number in numbers}
    for run_number in range(runs):
        for number in numbers:
            say(f"tournament_sockets: run {run_number + 1} of {runs}, {number} connections")
            dealer[number].append(dealer_rate(number, duration))
            tournament[number].append(tournament_rate(number, duration))
    shares = {number: ratios(tournament[number], dealer[number]) for number in numbers}
    goals = [Goal(f"tournament per dealer, {number}", shares[number], HALF, True) for number in numbers]
    command = command_line("tournament_sockets")
    rows = [("connections", "dealer decisions/s", "tournament decisions/s", "tournament per dealer")]
    rows += [
        (
            str(number),
            spread_of(dealer[number]).text(),
            spread_of(tournament[number]).text(),
            shares[number].text(".2f"),
        )
        for number in numbers
    ]
    notes = (f"{median_of(runs)} A ratio is taken within each run.", load_note(busy))
    report = Report("A tournament of programs", command, notes, (rows, goal_rows(goals)))
    document: dict[str, Any] = {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "connections": {
            str(number): {
                "dealer_decisions_per_second": spread_of(dealer[number]).as_json(),
                "tournament_decisions_per_second": spread_of(tournament[number]).as_json(),
                "tournament_per_dealer": shares[number].as_json(),
            }
            for number in numbers
        },
        "goals": [goal.as_json() for goal in goals],
    }
    print_result(report, document, json, markdown)
    return OK


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", duration_text, *ports_text]:
            run(_play(float(duration_text), list(map(int, ports_text))))
        case ["serve", rounds_text, connections_text]:
            run(_serve(int(rounds_text), int(connections_text)))
        case _:
            start(app, "tournament_sockets")
