"""The price of being watched: a decision at a dealer with --admin and without, and a scrape of a full one.

python -m benchmarks.watched --help
"""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Final

import typer
import uvloop

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.fed import DEALER, SEED, DealerSide, Record, fed, recorded
from benchmarks.figures import Goal, ratios, spread_of
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from dealer.watch.metrics import Metrics
from dealer.watch.turns import Turns
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

ADMIN: Final = ("127.0.0.1", 0)

GOAL: Final = 0.98
"""Decisions in a second of its processor time that a watched dealer has at least, per those of another."""

CONNECTIONS: Final = 16
"""Connections that play."""

SCRAPES: Final = 5


async def passed(record: Record, *, is_watched: bool) -> float:
    """The microseconds of a decision in one pass of a record."""
    config = Config(port=0, rounds=record.rounds, seed=SEED, admin=ADMIN if is_watched else None)
    server = DealerServer(config)
    await server.start()
    if server.meter is None:
        return await fed(DEALER, record, side=DealerSide(server)) / record.decisions * 1e6
    turns = Turns(asyncio.get_running_loop(), server.meter)
    try:
        return await fed(DEALER, record, side=DealerSide(server)) / record.decisions * 1e6
    finally:
        turns.close()


async def scraped(connections: int) -> tuple[float, float]:
    """The milliseconds of a scrape with so many players, and the longest for which it holds them up."""
    many = connections + 1
    server = DealerServer(Config(port=0, rounds=0, max_connections=many, max_per_address=many, admin=ADMIN))
    await server.start()
    assert server.meter is not None
    side, turns = DealerSide(server), Turns(asyncio.get_running_loop(), server.meter)
    for number in range(connections):
        side.connect()
        side.feed(number, b"JOIN a\n")
    metrics, held = Metrics(server, server.meter, turns), list[float]()

    async def note_turns() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0)
            held.append(time.perf_counter() - began)

    took = []
    for _ in range(SCRAPES):
        noting = asyncio.create_task(note_turns())
        began = time.perf_counter()
        await metrics.text()
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0)
        noting.cancel()
    turns.close()
    return 1e3 * min(took), 1e3 * max(held)


app = typer.Typer(add_completion=False)


@describe(app)
def watched(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of a pass.")] = 4000,
    passes: Annotated[int, typer.Option(min=1, help="Passes of each kind in a run; the least counts.")] = 20,
    connections: Annotated[int, typer.Option(min=1, help="Players of the dealer that is scraped.")] = 10_000,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Compare a dealer that is watched with one that is not, fed in turns with what players have said.

    There are no sockets, so that a decision costs less, and being watched a larger part of it, than over the
    wire; but the rest of the machine has less to do with the figures. The dealer samples its loop, as with
    --admin. How long a scrape takes is measured at a dealer with many players.

    The keys of --json: `machine`, `command`, `load_before`, `runs`, `rounds`, `connections`, `goals`,
    `without` and `watched` (microseconds of processor time for a decision), `scrape_ms` (the least of five)
    and `held_ms` (the longest for which it holds up the loop), each with `median`, `min` and `max`.
    """
    benchmark = Benchmark("watched", runs)
    record = uvloop.run(recorded(rounds, CONNECTIONS))
    found: dict[bool, list[float]] = {False: [], True: []}
    scrapes = []
    for number in range(runs):
        benchmark.say(number)
        least = dict.fromkeys(found, float("inf"))
        for count in range(2 * passes):
            is_watched = count % 4 in (1, 2)  # neither is always the second
            least[is_watched] = min(least[is_watched], uvloop.run(passed(record, is_watched=is_watched)))
        for is_watched, figure in least.items():
            found[is_watched].append(figure)
        scrapes.append(uvloop.run(scraped(connections)))
    ratio = ratios(found[False], found[True])
    goal = Goal("decisions in a second of processor time, watched per not", ratio, GOAL, True, ".3f")
    without, watching = spread_of(found[False]), spread_of(found[True])
    scrape, held = (spread_of([each[place] for each in scrapes]) for place in (0, 1))
    table: list[tuple[str, ...]] = [
        ("", "figure"),
        ("µs for a decision, not watched", without.text(".1f")),
        ("µs for a decision, watched", watching.text(".1f")),
        (f"ms for a scrape, {connections:,} players", scrape.text(".1f")),
        ("ms for which it holds up the loop at most", held.text(".1f")),
    ]
    return benchmark.finish(
        "A dealer that is watched",
        (table,),
        (f"Both are fed in turns, {passes} times in each run; a run's figure is the least of its passes.",),
        (goal,),
        {
            **{"rounds": rounds, "connections": connections},
            **{"without": without, "watched": watching, "scrape_ms": scrape, "held_ms": held},
        },
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "watched")
