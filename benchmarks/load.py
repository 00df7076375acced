"""Thousands of players at one dealer at once, alone and with misbehaving clients among them.

python -m benchmarks.load --help
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.crowd import NAME
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of
from benchmarks.processes import START_LIMIT, Child, Dealer
from dealer.tables.ledger import OTHERS
from twentyone.support.command import FAILED, OK, CommandError, describe
from twentyone.support.options import JsonOption, seconds

MEMORY_GOAL: Final = 12.0
"""KiB that a connection may cost the dealer over its idle size."""

ROGUES_GOAL: Final = 2.0
"""The limit on the 99th percentile of waits with misbehaving clients about, for each without.

Their process gives way to all others (nice 19): on a few cores it would take these from the players, which
says nothing about the dealer.
"""

OWN_GOAL: Final = 1.5
"""The same for the dealer's own time, from reading a decision to writing its answer."""

PACED_GOAL: Final = 5.0
"""Milliseconds that a player waits under the paced load, in the worst of a hundred, with the most players."""

SNAPSHOT_GOAL: Final = 10.0
"""Milliseconds from an action at a table of nine until the slowest of a hundred watchers sees it."""

SEATS: Final = 9

SETTLING: Final = 0.5
"""Seconds before the size of an idle dealer is taken, and for the misbehaving clients to get going."""

LIMIT: Final = 300.0
"""Seconds after which a run has gone wrong."""

FORMS: Final = {
    **{"opening_seconds": ".1f", "rounds_per_second": ",.0f"},
    **{"p50_ms": ",.2f", "p99_ms": ",.1f", "max_ms": ",.0f"},  # of the time that players wait
    "own_p99_us": ",.0f",
}
"""The figures that have a spread, and how they are written."""

Run = dict[str, Any]
"""A run of a load, as `play` has it, or of the watched table."""

app = typer.Typer(add_completion=False)


class Load(NamedTuple):
    """A load of honest players, and its runs, those without and those with misbehaving clients in pairs.

    Attributes:
        connections: how many players.
        rounds: the rounds of each.
        think: its mean time to think.
        alone: the runs without misbehaving clients.
        among_rogues: the runs with them.
    """

    connections: int
    rounds: int
    think: float
    alone: list[Run]
    among_rogues: list[Run]

    @property
    def name(self) -> str:
        """The name of the load."""
        return f"{'paced' if self.think else 'flat out'}, {self.connections:,} players"

    @property
    def p99_ratio(self) -> Spread:
        """The 99th percentile of waits with misbehaving clients about, for each without."""
        return ratios(values(self.among_rogues, "p99_ms"), values(self.alone, "p99_ms"))

    @property
    def own_ratio(self) -> Spread:
        """The same of the dealer's own time for a decision."""
        return ratios(values(self.among_rogues, "own_p99_us"), values(self.alone, "own_p99_us"))

    def figures(self) -> dict[str, Any]:
        """The figures of a document."""
        told = {"connections": self.connections, "rounds_each": self.rounds, "think": self.think}
        runs = {"alone": figures_of(self.alone), "among_rogues": figures_of(self.among_rogues)}
        return told | runs | {"p99_ratio": self.p99_ratio, "own_p99_ratio": self.own_ratio}

    def problems(self) -> list[str]:
        """The problems of honest players, a sentence each; nothing should be wrong."""
        rounds, found = self.connections * self.rounds, []
        for run in (*self.alone, *self.among_rogues):
            checks = {
                f"{run['open_at_once']:,} connections were open at once": run["open_at_once"]
                == self.connections,
                f"{run['lost']:,} players did not finish": run["lost"] == 0,
                f"{run['rounds']:,} of {rounds:,} rounds were played": run["rounds"] == rounds,
                f"{run['dealt']:,} of {rounds:,} rounds were counted by the dealer": run["dealt"] >= rounds,
                f"{run['refusals']:,} lines were refused": run["refusals"] == 0,
            }
            found += [f"{self.name}: {sentence}" for sentence, is_well in checks.items() if not is_well]
        return found


def values(runs: Sequence[Run], key: str) -> list[float]:
    """A figure of each run."""
    return [run[key] for run in runs]


def figures_of(runs: Sequence[Run]) -> dict[str, Any]:
    """The worst run of each count, and spreads."""
    worst = {key: min(values(runs, key)) for key in ("open_at_once", "finished", "rounds")}
    return worst | {"lost": max(values(runs, "lost"))} | {key: spread_of(values(runs, key)) for key in FORMS}


def row_of(name: str, runs: Sequence[Run]) -> tuple[str, ...]:
    """The figures as cells of a table."""
    told = figures_of(runs)
    counts = f"{told['finished']:,}", f"{told['lost']:,}"
    return name, *counts, *(told[key].text(form) for key, form in FORMS.items())


def per_connection(runs: Sequence[Run], size: str, connections: int) -> Spread:
    """KiB of the dealer over its idle size for each connection."""
    return spread_of([(run[size] - run["idle"]) / connections for run in runs])


def play(load: Load, rogues: int, are_rogues_first: bool) -> Run:
    """One run, with a dealer, a crowd and perhaps rogues of its own.

    Returns:
        The report of the crowd, and `open_at_once`, `opening_seconds`, `rounds_per_second`; `dealt`, the
        rounds that the dealer counted, perhaps with some of misbehaving clients; its size in KiB before
        anybody came (`idle`), with everybody seated and asked (`open`) and at its `peak`; and `misdeeds`, the
        connections that each kind of misbehaving client made.
    """
    room = load.connections + 2 * rogues + 16  # those that were thrown out linger for a second
    with (
        tempfile.TemporaryDirectory() as folder,
        Dealer(Path(folder), 0, "--max-connections", str(room), times=Path(folder) / "times") as dealer,
    ):
        port = dealer.wait_for_port()
        time.sleep(SETTLING)
        idle = memory(dealer.pid, "VmRSS")
        honest = (port, load.connections, load.rounds, load.think, LIMIT)
        with (
            Child(("-m", "benchmarks.rogues", port, rogues), is_least=True) as villains,
            Child(("-m", "benchmarks.crowd", *honest)) as crowd,
        ):
            if are_rogues_first:
                _let_in(villains)
            crowd.tell("come")
            opened = crowd.read(LIMIT)
            if not are_rogues_first:
                _let_in(villains)
            size = memory(dealer.pid, "VmRSS")
            crowd.tell("play")
            played = crowd.result(LIMIT)
            misdeeds = villains.result(START_LIMIT)
        peak = memory(dealer.pid, "VmHWM")
        dealer.interrupt()
        dealt = dealer.result(START_LIMIT)
        own: Run = json.loads((Path(folder) / "times").read_text(encoding="utf-8"))
    return (
        played
        | own
        | {
            "open_at_once": opened["open"],
            "opening_seconds": opened["seconds"],
            "rounds_per_second": played["rounds"] / played["seconds"],
            "dealt": sum(row["rounds"] for row in dealt["players"] if _is_counted(row["name"])),
            **{"idle": idle, "open": size, "peak": peak, "misdeeds": misdeeds},
        }
    )


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


def loads_of(numbers: Sequence[int], rounds: int, think: float, flat_out: int) -> dict[str, Load]:
    """A paced load and one flat out for each number of players, by name."""
    kinds = [
        kind
        for number in numbers
        for kind in ((number, rounds, think), (number, max(rounds, flat_out // number), 0.0))
    ]
    return {load.name: load for load in (Load(*kind, [], []) for kind in kinds)}


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
    `think`, `p99_ratio` and `own_p99_ratio` (with misbehaving clients to without) and under `alone` and
    `among_rogues` the counts `open_at_once`, `finished`, `lost` and `rounds` of the worst run,
    `opening_seconds`, `rounds_per_second`,
    `p50_ms`, `p99_ms`, `max_ms` and `own_p99_us`; `memory` (`idle_kib`, `asked_kib_per_connection` and
    `peak_kib_per_connection`, with the most players); `rogue_connections` by kind; `table` with its
    `watchers`, `rounds`, `bytes_per_round` (of snapshots, for one watcher), `p50_ms` and `p99_ms`;
    `problems`, a sentence for each; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    benchmark, numbers = Benchmark("load", runs), connections or [50, 5000]
    loads, shows = loads_of(numbers, rounds, think, flat_out), list[dict[str, Any]]()
    for number in range(runs):
        for name, each in loads.items():
            benchmark.say(number, name)
            each.alone.append(play(each, 0, rogues_first))
            benchmark.say(number, f"{name}, and {rogues} misbehaving clients")
            each.among_rogues.append(play(each, rogues, rogues_first))
        benchmark.say(number, f"a table of {SEATS} with {watchers} watchers")
        shows.append(show(watchers, table_rounds))
    wrong = [sentence for each in loads.values() for sentence in each.problems()]
    wrong += [
        f"run {number} of the watched table: {shown['final_snapshots']} different last snapshots after"
        f" {shown['rounds']} rounds"
        for number, shown in enumerate(shows, 1)
        if (shown["final_snapshots"], shown["rounds"], shown["is_closed"]) != (1, table_rounds, True)
    ]
    paced, flat = (each for each in loads.values() if each.connections == max(numbers))
    most = paced.alone + flat.alone
    memories = {
        "idle_kib": spread_of(values(most, "idle")),
        "asked_kib_per_connection": per_connection(most, "open", paced.connections),
        "peak_kib_per_connection": per_connection(most, "peak", paced.connections),
    }
    watched = {key: spread_of(values(shows, key)) for key in ("bytes_per_round", "p50_ms", "p99_ms")}
    runs_of_all = [run for each in loads.values() for run in (*each.alone, *each.among_rogues)]
    misdeeds = sum((Counter(run["misdeeds"]) for run in runs_of_all), Counter[str]())
    goals = [
        Goal(
            "dealer's KiB per connection, at its peak",
            memories["peak_kib_per_connection"],
            MEMORY_GOAL,
            False,
            ".1f",
        ),
        *(
            Goal(f"p99 with rogues per p99 without, {name}", each.p99_ratio, ROGUES_GOAL, False)
            for name, each in loads.items()
        ),
        *(
            Goal(f"dealer's own p99 with rogues per without, {name}", each.own_ratio, OWN_GOAL, False)
            for name, each in loads.items()
        ),
        Goal(f"p99 ms, {paced.name}", spread_of(values(paced.alone, "p99_ms")), PACED_GOAL, False),
        Goal("p99 ms from an action to a watcher's snapshot of it", watched["p99_ms"], SNAPSHOT_GOAL, False),
    ]
    benchmark.finish(
        "Many players at once",
        (_wait_rows(loads), _memory_rows(memories), _show_rows(watched, watchers)),
        (
            f"Runs with and without {rogues} misbehaving clients, the rogues, take turns, and a ratio is"
            " that of two neighbours.",
            f"paced: a player thinks for {think:g} s on average; flat out: not at all, so the wait is"
            " mostly the queue of all the others, at the dealer and in the process that plays them.",
            "The wait is from HIT or STAND to the dealer's reply, as the player's process sees it.",
            "The dealer's own time is from reading a decision to writing its answer (`benchmarks/timed.py`).",
            "The process of the rogues runs at nice 19, so that it takes no core from the players.",
            "Connections that the misbehaving clients made, in all runs together: "
            + ", ".join(f"{made:,} {kind.replace('_', ' ')}" for kind, made in misdeeds.items())
            + ".",
            *(wrong or ["Every player finished its rounds in every run; none was lost."]),
        ),
        goals,
        {
            "connections": list(numbers),
            "rounds": rounds,
            "rogues": rogues,
            "loads": {name: each.figures() for name, each in loads.items()},
            "memory": memories,
            "rogue_connections": misdeeds,
            "table": {"watchers": watchers, "rounds": table_rounds, **watched},
            "problems": wrong,
        },
        as_json=json,
    )
    return FAILED if wrong else OK


def _wait_rows(loads: dict[str, Load]) -> Rows:
    rows: list[tuple[str, ...]] = [
        (
            "load",
            "finished",
            "lost",
            "seconds to open",
            "rounds/s",
            "p50 ms",
            "p99 ms",
            "longest ms",
            "dealer's own p99 µs",
        )
    ]
    for name, each in loads.items():
        rows += [row_of(name, each.alone), row_of(f"{name}, with rogues", each.among_rogues)]
    return rows


def _memory_rows(memories: dict[str, Spread]) -> Rows:
    return [
        ("dealer's memory in KiB, without rogues", "median (min..max)"),
        ("idle", memories["idle_kib"].text()),
        ("for a connection, everybody asked", memories["asked_kib_per_connection"].text(".1f")),
        ("for a connection, at its peak", memories["peak_kib_per_connection"].text(".1f")),
    ]


def _show_rows(watched: dict[str, Spread], watchers: int) -> Rows:
    return [
        (f"a table of {SEATS} with {watchers} watchers", "median (min..max)"),
        ("bytes of snapshots for a watcher in a round", watched["bytes_per_round"].text()),
        ("p50 ms from an action to a watcher's snapshot", watched["p50_ms"].text(".2f")),
        ("p99 ms", watched["p99_ms"].text(".2f")),
    ]


if __name__ == "__main__":
    start(app, "load")
