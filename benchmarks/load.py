"""Thousands of players at one dealer at once, alone and with misbehaving clients among them.

python -m benchmarks.load --help
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.crowd import NAME
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
from benchmarks.processes import START_LIMIT, Child, Dealer, say
from dealer.tables.ledger import OTHERS
from support.command import FAILED, OK, CommandError, describe
from support.options import JsonOption, seconds

MEMORY_GOAL: Final = 12.0
"""KiB that a connection may cost the dealer over its idle size."""

ROGUES_GOAL: Final = 2.0
"""How much longer an honest player may wait, in the worst of a hundred, with misbehaving clients about."""

PACED_GOAL: Final = 5.0
"""Milliseconds that a player waits under the paced load, in the worst of a hundred, with the most players."""

SNAPSHOT_GOAL: Final = 10.0
"""Milliseconds from an action at a table of nine until the slowest of a hundred watchers sees it."""

SEATS: Final = 9

SETTLING: Final = 0.5
"""Seconds before the size of an idle dealer is taken, and for the misbehaving clients to get going."""

LIMIT: Final = 300.0
"""Seconds after which a run has gone wrong."""

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the honest players do under one load.

    Attributes:
        connections: how many there are.
        rounds: how many rounds each of them plays.
        think: the mean time that a player takes for a decision, in seconds.
    """

    connections: int
    rounds: int
    think: float

    @property
    def name(self) -> str:
        """What the load is called."""
        return f"{'paced' if self.think else 'flat out'}, {self.connections:,} players"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured.

    Attributes:
        runs: how often each load is measured, with and without the misbehaving clients.
        connections: how many honest players there are, a paced load and one flat out for each number.
        rounds: how many rounds each of them plays.
        flat_out: how many rounds all of them together play flat out at least.
        rogues: how many misbehaving clients there are.
        think: the mean time that a player takes for a decision under the paced load, in seconds.
        are_rogues_first: whether the misbehaving clients are there before the honest players connect.
    """

    runs: int
    connections: Sequence[int]
    rounds: int
    rogues: int
    think: float
    flat_out: int
    are_rogues_first: bool = False

    @property
    def loads(self) -> dict[str, Kind]:
        """The loads by their names."""
        kinds = []
        for connections in self.connections:
            more = max(self.rounds, self.flat_out // connections)
            kinds += [Kind(connections, self.rounds, self.think), Kind(connections, more, 0.0)]
        return {kind.name: kind for kind in kinds}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run.

    Attributes:
        opened: how many honest connections were open at once.
        opening: seconds until all of them had been asked for a decision.
        crowd: what became of them, as the crowd reports it.
        dealt: how many of their rounds the dealer counted, perhaps with some of misbehaving clients.
        idle: the dealer's size before anybody came, in KiB.
        open: its size with everybody seated and asked.
        peak: the largest size it ever had.
        rogues: how many connections each kind of misbehaving client made.
    """

    opened: int
    opening: float
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

Shows = list[dict[str, Any]]
"""What each audience reported, one for each run."""


def show(watchers: int, rounds: int) -> dict[str, Any]:
    """Play rounds at one table of nine before a number of watchers; what the audience reports."""
    options = ("--rules", "casino", "--seats", str(SEATS), "--tables", "1")
    places = ("--max-watchers-per-address", str(watchers))
    with (
        tempfile.TemporaryDirectory() as folder,
        Dealer(Path(folder), rounds, *options, *places) as dealer,
    ):
        port = dealer.wait_for_port()
        with Child(("-m", "benchmarks.audience", port, watchers, SEATS, LIMIT)) as audience:
            return audience.result(LIMIT)


def measure(sizes: Sizes) -> Result:
    """Run everything: without the misbehaving clients, with them, and again."""
    result: Result = {name: Load() for name in sizes.loads}
    for number in range(sizes.runs):
        for name, kind in sizes.loads.items():
            say(f"load: run {number + 1} of {sizes.runs}, {name}")
            result[name].alone.append(play(sizes, kind, rogues=0))
            say(f"load: run {number + 1} of {sizes.runs}, {name}, and {sizes.rogues} misbehaving clients")
            result[name].among_rogues.append(play(sizes, kind, sizes.rogues))
    return result


def play(sizes: Sizes, kind: Kind, rogues: int) -> Outcome:
    """One run, with a dealer, a crowd and perhaps rogues of its own."""
    room = kind.connections + 2 * rogues + 16  # those that were thrown out linger for a second
    with (
        tempfile.TemporaryDirectory() as folder,
        Dealer(Path(folder), 0, "--max-connections", str(room)) as dealer,
    ):
        port = dealer.wait_for_port()
        time.sleep(SETTLING)
        idle = memory(dealer.pid, "VmRSS")
        crowd_size = (port, kind.connections, kind.rounds, kind.think, LIMIT)
        with (
            Child(("-m", "benchmarks.rogues", port, rogues)) as villains,
            Child(("-m", "benchmarks.crowd", *crowd_size)) as crowd,
        ):
            if sizes.are_rogues_first:
                _let_in(villains)
            crowd.tell("come")
            opened = crowd.read(LIMIT)
            if not sizes.are_rogues_first:
                _let_in(villains)
            size = memory(dealer.pid, "VmRSS")
            crowd.tell("play")
            played = crowd.result(LIMIT)
            misdeeds = villains.result(START_LIMIT)
        peak = memory(dealer.pid, "VmHWM")
        dealer.interrupt()
        dealt = dealer.result(START_LIMIT)
    counted = sum(row["rounds"] for row in dealt["players"] if _is_counted(row["name"]))
    return Outcome(opened["open"], opened["seconds"], played, counted, idle, size, peak, misdeeds)


def _is_counted(name: str) -> bool:
    """Whether a row of the dealer's result is of a player: the dealer numbers seats of one name apart."""
    return name == OTHERS or name.partition(" (")[0] == NAME


def _let_in(villains: Child) -> None:
    """Let the misbehaving clients come, and give them time to show what they are."""
    villains.tell("come")
    villains.read(LIMIT)
    time.sleep(SETTLING)


def memory(pid: int, kind: str) -> int:
    """The size of a process in KiB: `VmRSS` as it is now, `VmHWM` the largest it ever was.

    Raises:
        CommandError: if the system does not tell.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        raise CommandError("the size of a process cannot be read here: expected Linux's /proc") from None
    found = re.search(rf"^{kind}:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise CommandError(f"the dealer has ended: its size {kind} cannot be read")
    return int(found[1])


def problems_of_shows(shows: Shows, rounds: int) -> list[str]:
    """What went wrong at the tables that were watched, a sentence for each."""
    return [
        f"run {number} of the watched table: {shown['final_snapshots']} different last snapshots after"
        f" {shown['rounds']} rounds"
        for number, shown in enumerate(shows, 1)
        if (shown["final_snapshots"], shown["rounds"], shown["is_closed"]) != (1, rounds, True)
    ]


def snapshot_goal(shows: Shows) -> Goal:
    """The goal for what watchers wait."""
    waits = spread_of([shown["p99_ms"] for shown in shows])
    return Goal("p99 ms from an action to a watcher's snapshot of it", waits, SNAPSHOT_GOAL, False, ".2f")


def table_document(shows: Shows, watchers: int, rounds: int) -> dict[str, Any]:
    """The watched table as JSON, with the keys that the command's help lists."""
    figures = {key: _of_shows(shows, key).as_json() for key in ("bytes_per_round", "p50_ms", "p99_ms")}
    return {"watchers": watchers, "rounds": rounds, **figures}


def show_rows(shows: Shows, watchers: int) -> Rows:
    """The figures of the watched table."""
    return [
        (f"a table of {SEATS} with {watchers} watchers", "median (min..max)"),
        ("KiB of snapshots for a watcher in a round", _of_shows(shows, "bytes_per_round", 1024).text(".1f")),
        ("p50 ms from an action to a watcher's snapshot", _of_shows(shows, "p50_ms").text(".2f")),
        ("p99 ms", _of_shows(shows, "p99_ms").text(".2f")),
    ]


def _of_shows(shows: Shows, key: str, unit: float = 1.0) -> Spread:
    return spread_of([shown[key] / unit for shown in shows])


def problems(sizes: Sizes, result: Result) -> list[str]:
    """What went wrong with any honest player, one sentence for each run; nothing should."""
    return [
        sentence
        for name, load in result.items()
        for outcome in load.alone + load.among_rogues
        for sentence in _problems_of(sizes.loads[name], outcome)
    ]


def _problems_of(kind: Kind, outcome: Outcome) -> list[str]:
    rounds = kind.connections * kind.rounds
    crowd = outcome.crowd
    checks = {
        f"{outcome.opened:,} connections were open at once": outcome.opened == kind.connections,
        f"{crowd['lost']:,} players did not finish": crowd["lost"] == 0,
        f"{crowd['rounds']:,} of {rounds:,} rounds were played": crowd["rounds"] == rounds,
        f"{outcome.dealt:,} of {rounds:,} rounds were counted by the dealer": outcome.dealt >= rounds,
        f"{crowd['refusals']:,} lines were refused": crowd["refusals"] == 0,
    }
    return [f"{kind.name}: {sentence}" for sentence, is_well in checks.items() if not is_well]


def goals(sizes: Sizes, result: Result) -> list[Goal]:
    """What the figures should reach."""
    kib = _per_connection(_of_most(sizes, result), "peak")
    paced = Kind(max(sizes.connections), sizes.rounds, sizes.think).name
    found = [Goal("dealer's KiB per connection, at its peak", kib, MEMORY_GOAL, False, ".1f")]
    found += [
        Goal(f"p99 with rogues per p99 without, {name}", _p99_ratio(load), ROGUES_GOAL, False)
        for name, load in result.items()
    ]
    p99 = spread_of(_values(result[paced].alone, "p99_ms"))
    return [*found, Goal(f"p99 ms, {paced}", p99, PACED_GOAL, False)]


def _of_most(sizes: Sizes, result: Result) -> list[Outcome]:
    """The runs with the most players and without misbehaving clients."""
    most = max(sizes.connections)
    return [
        run for name, load in result.items() if sizes.loads[name].connections == most for run in load.alone
    ]


def _p99_ratio(load: Load) -> Spread:
    """How much longer the honest wait with misbehaving clients about, the worst of a hundred."""
    return ratios(_values(load.among_rogues, "p99_ms"), _values(load.alone, "p99_ms"))


def _values(outcomes: Sequence[Outcome], key: str) -> list[float]:
    return [outcome.crowd[key] for outcome in outcomes]


def document(sizes: Sizes, result: Result, command: str, busy: float) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": sizes.runs,
        "connections": list(sizes.connections),
        "rounds": sizes.rounds,
        "rogues": sizes.rogues,
        "loads": {
            name: {
                "connections": sizes.loads[name].connections,
                "rounds_each": sizes.loads[name].rounds,
                "think": sizes.loads[name].think,
                "alone": _arm(load.alone),
                "among_rogues": _arm(load.among_rogues),
                "p99_ratio": _p99_ratio(load).as_json(),
            }
            for name, load in result.items()
        },
        "memory": _memory(_of_most(sizes, result)),
        "rogue_connections": _rogue_connections(result),
        "goals": [goal.as_json() for goal in goals(sizes, result)],
    }


def _arm(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The runs of one load, with or without misbehaving clients: the fewest of each count, and spreads."""
    return {
        "open_at_once": min(outcome.opened for outcome in outcomes),
        "finished": min(outcome.crowd["finished"] for outcome in outcomes),
        "lost": max(outcome.crowd["lost"] for outcome in outcomes),
        "rounds": min(outcome.crowd["rounds"] for outcome in outcomes),
        "opening_seconds": _opening(outcomes).as_json(),
        "rounds_per_second": _rate(outcomes).as_json(),
        **{key: spread_of(_values(outcomes, key)).as_json() for key in ("p50_ms", "p99_ms", "max_ms")},
    }


def _rate(outcomes: Sequence[Outcome]) -> Spread:
    return spread_of([outcome.crowd["rounds"] / outcome.crowd["seconds"] for outcome in outcomes])


def _opening(outcomes: Sequence[Outcome]) -> Spread:
    return spread_of([outcome.opening for outcome in outcomes])


def _memory(alone: Sequence[Outcome]) -> dict[str, Any]:
    """The dealer's size in the runs without misbehaving clients, in KiB."""
    return {
        "idle_kib": spread_of([outcome.idle for outcome in alone]).as_json(),
        "asked_kib_per_connection": _per_connection(alone, "open").as_json(),
        "peak_kib_per_connection": _per_connection(alone, "peak").as_json(),
    }


def _per_connection(outcomes: Sequence[Outcome], moment: str) -> Spread:
    """KiB over the idle size for each connection."""
    return spread_of(
        [(getattr(outcome, moment) - outcome.idle) / max(outcome.opened, 1) for outcome in outcomes]
    )


def _rogue_connections(result: Result) -> dict[str, int]:
    """How many connections each kind of misbehaving client made, in all runs together."""
    kinds: Counter[str] = Counter()
    for load in result.values():
        for outcome in load.among_rogues:
            kinds.update(outcome.rogues)
    return dict(kinds)


def report(
    sizes: Sizes, result: Result, command: str, busy: float, wrong: list[str], more: list[Rows], goal: Goal
) -> Report:
    """The result as tables, with those of the watched table and its goal."""
    kinds = ", ".join(
        f"{kind.replace('_', ' ')} {count:,}" for kind, count in _rogue_connections(result).items()
    )
    return Report(
        f"{max(sizes.connections):,} players at once",
        command,
        (
            f"{median_of(sizes.runs)} Runs with and without {sizes.rogues} misbehaving clients, the rogues,"
            " take turns, and a ratio is that of two neighbours.",
            f"paced: a player thinks for {sizes.think:g} s on average; flat out: not at all, so the wait is"
            " mostly the queue of all the others, at the dealer and in the process that plays them.",
            "The wait is from HIT or STAND to the dealer's reply, as the player's process sees it.",
            f"Connections that the misbehaving clients made, in all runs together: {kinds}.",
            load_note(busy),
            *(wrong or ["Every player finished its rounds in every run; none was lost."]),
        ),
        (
            _wait_rows(result),
            _memory_rows(_of_most(sizes, result)),
            *more,
            goal_rows([*goals(sizes, result), goal]),
        ),
    )


def _wait_rows(result: Result) -> Rows:
    return [
        ("load", "finished", "lost", "seconds to open", "rounds/s", "p50 ms", "p99 ms", "longest ms"),
        *(
            _wait_row(f"{name}{among}", outcomes)
            for name, load in result.items()
            for among, outcomes in (("", load.alone), (", with rogues", load.among_rogues))
        ),
    ]


def _wait_row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    arm = _arm(outcomes)
    waits = (
        spread_of(_values(outcomes, key)).text(form)
        for key, form in (("p50_ms", ",.2f"), ("p99_ms", ",.1f"), ("max_ms", ",.0f"))
    )
    counts = (f"{arm['finished']:,}", f"{arm['lost']:,}")
    return (name, *counts, _opening(outcomes).text(".1f"), _rate(outcomes).text(), *waits)


def _memory_rows(alone: Sequence[Outcome]) -> Rows:
    idle = spread_of([outcome.idle / 1024 for outcome in alone])
    return [
        ("dealer's memory, without rogues", "median (min..max)"),
        ("idle, MiB", idle.text(".1f")),
        ("KiB per connection, everybody asked", _per_connection(alone, "open").text(".1f")),
        ("KiB per connection, at its peak", _per_connection(alone, "peak").text(".1f")),
    ]


@describe(app)
def load(
    connections: Annotated[
        list[int] | None,
        typer.Option(
            min=1, max=9000, help="Honest players at once; give it several times, or have 50 and 5,000."
        ),
    ] = None,
    rounds: Annotated[
        int,
        typer.Option(min=2, help="Rounds that each of them plays."),
    ] = 10,
    flat_out: Annotated[
        int,
        typer.Option(min=1, help="Rounds that all of them play flat out at least, so that it takes a while."),
    ] = 50_000,
    rogues: Annotated[int, typer.Option(min=0, max=5000, help="Misbehaving clients among them.")] = 200,
    runs: RunsOption = 5,
    think: Annotated[
        float, typer.Option(callback=seconds, help="Mean seconds for a decision under the paced load.")
    ] = 1.0,
    rogues_first: Annotated[
        bool,
        typer.Option("--rogues-first", help="Let the misbehaving clients be there before the players come."),
    ] = False,
    watchers: Annotated[int, typer.Option(min=1, max=1000, help="Watchers at a table of nine.")] = 100,
    table_rounds: Annotated[int, typer.Option(min=1, help="Rounds that this table plays.")] = 100,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Seat thousands of players at one dealer, and see how long they wait and what they cost.

    All connections are open before anybody plays. For each number of players there are two loads: paced,
    where each player thinks before it answers, as people and most programs do, and flat out. Each is measured
    with and without clients that are silent, slow, flooding, talking garbage, never reading or vanishing, and
    that come back when they are thrown out; they come when everybody has been seated, or before with
    --rogues-first. It takes about ten minutes with the defaults: leave the machine alone meanwhile. Then a
    table of nine is watched.

    The status is 1 if any honest player did not finish its rounds, or a watcher did not see how it ended.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `connections`, `rounds`,
    `rogues`; `loads`, which has for each load by its name its `connections`, `rounds_each`, the mean time to
    `think`, `p99_ratio` (with misbehaving clients to without) and under `alone` and `among_rogues` the counts
    `open_at_once`, `finished`, `lost` and `rounds` of the worst run, `opening_seconds`, `rounds_per_second`,
    `p50_ms`, `p99_ms` and `max_ms`; `memory` (`idle_kib`, `asked_kib_per_connection` and
    `peak_kib_per_connection`, with the most players); `rogue_connections` by kind; `table` with its
    `watchers`, `rounds`, `bytes_per_round` (of snapshots, for one watcher), `p50_ms` and `p99_ms`;
    `problems`, a sentence for each; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    sizes = Sizes(runs, connections or (50, 5000), rounds, rogues, think, flat_out, rogues_first)
    busy = load_before()
    result = measure(sizes)
    shows = []
    for number in range(runs):
        say(f"load: run {number + 1} of {runs}, a table of {SEATS} with {watchers} watchers")
        shows.append(show(watchers, table_rounds))
    wrong = problems(sizes, result) + problems_of_shows(shows, table_rounds)
    command = command_line("load")
    goal = snapshot_goal(shows)
    found = document(sizes, result, command, busy)
    found["goals"].append(goal.as_json())
    found |= {"table": table_document(shows, watchers, table_rounds), "problems": wrong}
    tables = report(sizes, result, command, busy, wrong, [show_rows(shows, watchers)], goal)
    print_result(tables, found, json, markdown)
    return FAILED if wrong else OK


if __name__ == "__main__":
    start(app, "load")
