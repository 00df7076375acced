"""Thousands of players at one dealer at once, alone and with misbehaving clients among them.

python -m benchmarks.load --help
"""

from __future__ import annotations

import json as jsonlib
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from benchmarks.crowd import NAME
from benchmarks.figures import Goal, Report, Rows, command_line, goal_rows, machine, ratios, spread_of
from benchmarks.processes import START_LIMIT, Child, Dealer, end_well_on_sigterm, say
from support.command import FAILED, OK, Failure, describe, run
from support.options import JsonOption, seconds

MEMORY_GOAL: Final = 12.0
"""KiB that a connection may cost the dealer over its idle size."""

ROGUES_GOAL: Final = 2.0
"""How much longer an honest player may wait, in the worst of a hundred, with misbehaving clients about."""

SETTLING: Final = 0.3
"""Seconds for what a process does once, after it has begun: before the size of an idle dealer is taken, and
for the misbehaving clients to be there."""

LIMIT: Final = 300.0
"""Seconds after which a run has gone wrong."""

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured.

    Attributes:
        runs: how often each load is measured, with and without the misbehaving clients.
        connections: how many honest players there are.
        rounds: how many rounds each of them plays.
        rogues: how many misbehaving clients there are.
        think: the mean time that a player takes for a decision under the paced load, in seconds.
    """

    runs: int
    connections: int
    rounds: int
    rogues: int
    think: float

    @property
    def loads(self) -> dict[str, float]:
        """The two loads: how long a player thinks."""
        return {"paced": self.think, "flat out": 0.0}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run.

    Attributes:
        opened: how many honest connections were open at once.
        crowd: what became of them, as the crowd reports it.
        dealt: how many of their rounds the dealer counted.
        idle: the dealer's size before anybody came, in KiB.
        open: its size with everybody seated and asked.
        peak: the largest size it ever had.
        rogues: how many connections each kind of misbehaving client made.
    """

    opened: int
    crowd: dict[str, Any]
    dealt: int
    idle: int
    open: int
    peak: int
    rogues: dict[str, int]


@dataclass(frozen=True, slots=True)
class Load:
    """The runs of one load, those without and those with misbehaving clients in pairs."""

    alone: list[Outcome] = field(default_factory=list)
    among_rogues: list[Outcome] = field(default_factory=list)


Result = dict[str, Load]
"""The runs of each load, by its name."""


def measure(sizes: Sizes) -> Result:
    """Run everything: without the misbehaving clients, with them, and again."""
    result: Result = {name: Load() for name in sizes.loads}
    for number in range(sizes.runs):
        for name, think in sizes.loads.items():
            say(f"load: run {number + 1} of {sizes.runs}, {name}, {sizes.connections:,} players")
            result[name].alone.append(play(sizes, think, rogues=0))
            say(f"load: run {number + 1} of {sizes.runs}, {name}, and {sizes.rogues} misbehaving clients")
            result[name].among_rogues.append(play(sizes, think, sizes.rogues))
    return result


def play(sizes: Sizes, think: float, rogues: int) -> Outcome:
    """One run, with a dealer, a crowd and perhaps rogues of its own."""
    room = sizes.connections + 2 * rogues + 16  # those that were thrown out linger for a second
    with (
        tempfile.TemporaryDirectory() as folder,
        Dealer(Path(folder), 0, "--max-connections", str(room)) as dealer,
    ):
        port = dealer.wait_for_port()
        time.sleep(SETTLING)
        idle = memory(dealer.pid, "VmRSS")
        crowd_size = (port, sizes.connections, sizes.rounds, think, LIMIT)
        with (
            Child(("-m", "benchmarks.crowd", *crowd_size)) as crowd,
            Child(("-m", "benchmarks.rogues", port, rogues)) as villains,
        ):
            opened = crowd.read(LIMIT)["open"]
            time.sleep(SETTLING)
            size = memory(dealer.pid, "VmRSS")
            crowd.tell("play")
            played = crowd.result(LIMIT)
            misdeeds = villains.result(START_LIMIT)
        peak = memory(dealer.pid, "VmHWM")
        dealer.interrupt()
        dealt = dealer.result(START_LIMIT)
    counted = sum(player["rounds"] for player in dealt["players"] if player["name"] == NAME)
    return Outcome(opened, played, counted, idle, size, peak, misdeeds)


def memory(pid: int, kind: str) -> int:
    """The size of a process in KiB: `VmRSS` as it is now, `VmHWM` the largest it ever was.

    Raises:
        Failure: if the system does not tell.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        raise Failure("the size of a process cannot be read here: expected Linux's /proc") from None
    found = re.search(rf"^{kind}:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise Failure(f"the dealer has ended: its size {kind} cannot be read")
    return int(found[1])


def problems(sizes: Sizes, result: Result) -> list[str]:
    """What went wrong with any honest player, one sentence for each run; nothing should."""
    return [
        sentence
        for name, load in result.items()
        for outcome in load.alone + load.among_rogues
        for sentence in _problems_of(sizes, name, outcome)
    ]


def _problems_of(sizes: Sizes, name: str, outcome: Outcome) -> list[str]:
    rounds = sizes.connections * sizes.rounds
    crowd = outcome.crowd
    checks = {
        f"{outcome.opened:,} connections were open at once": outcome.opened == sizes.connections,
        f"{crowd['lost']:,} players did not finish": crowd["lost"] == 0,
        f"{crowd['rounds']:,} of {rounds:,} rounds were played": crowd["rounds"] == rounds,
        f"{outcome.dealt:,} of {rounds:,} rounds were counted by the dealer": outcome.dealt == rounds,
        f"{crowd['refusals']:,} lines were refused": crowd["refusals"] == 0,
    }
    return [f"{name}: {sentence}" for sentence, is_well in checks.items() if not is_well]


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    kib = [
        (outcome.peak - outcome.idle) / outcome.opened
        for load in result.values()
        for outcome in load.alone
        if outcome.opened
    ]
    found = [Goal("dealer's KiB per connection, at its peak", spread_of(kib), MEMORY_GOAL, False, ".1f")]
    found += [
        Goal(f"p99 with rogues per p99 without, {name}", _p99_ratio(load), ROGUES_GOAL, False)
        for name, load in result.items()
    ]
    return found
