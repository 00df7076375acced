"""The price of being watched: decisions a second with --admin, scraped each second, and without.

python -m benchmarks.watched --help
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.encrypted import processor_time
from benchmarks.figures import Goal, ratios, spreads
from benchmarks.load import LIMIT
from benchmarks.processes import START_LIMIT, Child, Cores, Dealer
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

KINDS: Final = ("without", "watched")

GOAL: Final = 0.98
"""Decisions a second that a watched dealer has at least, per those of one that is not."""

SCRAPED_EVERY: Final = 1.0
"""Seconds between two scrapes; Prometheus leaves a minute between them, if it is not told otherwise."""

FORMS: Final = {"decisions_per_second": ",.0f", "us_per_decision": ",.1f", "scrape_ms": ".1f"}

app = typer.Typer(add_completion=False)


@contextmanager
def scraped(port: int) -> Iterator[list[float]]:
    """Scrape a dealer as long as the block lasts; gives the seconds of each scrape."""
    seconds: list[float] = []
    is_over = threading.Event()

    def scrape() -> None:
        while not is_over.wait(SCRAPED_EVERY):
            began = time.perf_counter()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                answer.read()
            seconds.append(time.perf_counter() - began)

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        yield seconds
    finally:
        is_over.set()
        thread.join()


def free_port() -> int:
    """A port that was free a moment ago: a dealer that is quiet does not say which it has taken."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def measure(kind: str, connections: int, rounds: int, cores: Cores) -> dict[str, float]:
    """One run with a dealer of its own: everybody comes, and then plays."""
    admin, (dealer_core, crowd_core) = free_port(), cores.pair()
    options = ("--admin", f"{admin}") if kind == "watched" else ()
    with tempfile.TemporaryDirectory() as folder:
        most = ("--max-connections", f"{connections + 16}")
        with Dealer(Path(folder), 0, *most, *options, core=dealer_core) as dealer:
            crowd_of = ("-m", "benchmarks.crowd", dealer.wait_for_port(), connections, rounds, 0, LIMIT)
            with Child(crowd_of, crowd_core) as crowd:
                crowd.tell("come")
                crowd.read(LIMIT)
                opened = processor_time(dealer.pid)
                crowd.tell("play")
                if options:
                    with scraped(admin) as seconds:
                        played = crowd.result(LIMIT)
                else:
                    seconds, played = [], crowd.result(LIMIT)
            if played["lost"]:
                raise CommandError(f"{played['lost']} players did not finish")
            worked = processor_time(dealer.pid) - opened
            dealer.interrupt()
            dealer.result(START_LIMIT)
    return {
        "decisions_per_second": played["answers"] / played["seconds"],
        "us_per_decision": 1e6 * worked / played["answers"],
        "scrape_ms": 1e3 * sum(seconds) / len(seconds) if seconds else 0.0,
    }


@describe(app)
def watched(
    connections: Annotated[int, typer.Option(min=1, max=9000, help="Players at once.")] = 64,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that each of them plays.")] = 1000,
    runs: RunsOption = 10,
    cores: Annotated[
        Cores, typer.Option(help="Keep dealer and players to one core, to two, or leave that to the system.")
    ] = Cores.ANY,
    json: JsonOption = False,
) -> int:
    """Compare a dealer that is watched, and scraped each second, with one that is not.

    The keys of --json: `machine`, `command`, `load_before`, `runs`, `connections`, `rounds`, `goals`, and for
    `without` and `watched` `decisions_per_second`, the dealer's `us_per_decision` (processor time) and
    `scrape_ms` (the mean of a run, from the request to the end of the answer), each with `median`, `min` and
    `max`.
    """
    benchmark = Benchmark("watched", runs)
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    for number in range(runs):
        for kind in KINDS if number % 2 else reversed(KINDS):  # neither is always the second
            benchmark.say(number, kind)
            found[kind].append(measure(kind, connections, rounds, cores))
    columns = {kind: {key: [run[key] for run in found[kind]] for key in FORMS} for kind in KINDS}
    without, watching = columns["without"], columns["watched"]
    rate = ratios(watching["decisions_per_second"], without["decisions_per_second"])
    work = ratios(without["us_per_decision"], watching["us_per_decision"])
    goals = (
        Goal("decisions a second, watched per not", rate, GOAL, is_least=True, form=".3f"),
        Goal("decisions for a second of its processor time, watched per not", work, GOAL, True, ".3f"),
    )
    figures = {kind: spreads(columns[kind]) for kind in KINDS}
    names = ("decisions a second", "the dealer's µs for a decision", "ms for a scrape")
    table: list[tuple[str, ...]] = [("", *KINDS)]
    for name, (key, form) in zip(names, FORMS.items(), strict=True):
        table.append((name, *(figures[kind][key].text(form) for kind in KINDS)))
    return benchmark.finish(
        "A dealer that is watched",
        (table,),
        (
            f"{connections:,} players are all there before anybody plays, and then answer at once.",
            "Processor time is the dealer's own, scrapes included, of which the system counts hundredths.",
        ),
        goals,
        {"connections": connections, "rounds": rounds, **figures},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "watched")
