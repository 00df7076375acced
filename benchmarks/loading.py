"""How long the first page takes until one can play, at a dealer that is far away.

python -m benchmarks.loading --help
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.far_away import far_away
from benchmarks.figures import Goal, Rows, spread_of
from benchmarks.page import headless_browser
from benchmarks.processes import Dealer
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

GOALS: Final = {150: (2.0, 0.8), 300: (3.5, 1.3)}
"""Seconds for the first visit and the second, by the round trip in milliseconds."""

CAN_PLAY: Final = (
    "document.body.dataset.connection === 'open' && (isReady('#play-now') || isReady('#take-seat'))"
)
"""When a seat can be taken: the dealer has answered, and the button is there."""

WATCH: Final = f"""
const isReady = (css) => {{
  const button = document.querySelector(css);
  return button !== null && !button.disabled && button.checkVisibility();
}};
const watching = setInterval(() => {{
  if (!document.body || !({CAN_PLAY})) return;
  window.playedAfter = performance.now();
  clearInterval(watching);
}}, 5);
"""

LONGEST: Final = 60.0
"""Seconds that a visit may take."""

app = typer.Typer(add_completion=False)


def measure(round_trips: list[int]) -> dict[str, float]:
    """The seconds of a first and of a second visit for each round trip, and the number of files."""
    figures: dict[str, float] = {}
    for round_trip in round_trips:
        with (
            tempfile.TemporaryDirectory() as name,
            Dealer(Path(name), 0, "--lobby") as dealer,
            far_away(dealer.wait_for_port(), round_trip / 1000) as port,
            headless_browser(Path(name) / "chromium") as driver,
        ):
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            for visit in ("first", "second"):
                figures[f"{visit}_{round_trip}_ms"] = visited(driver, f"http://127.0.0.1:{port}/")
                if visit == "first":
                    figures["files"] = 1 + driver.execute_script(
                        "return performance.getEntriesByType('resource')"
                        ".filter(({ responseEnd }) => responseEnd < window.playedAfter).length"
                    )
                driver.get("about:blank")
    return figures


def visited(driver: Any, address: str) -> float:
    """Seconds from asking for a page until one can play.

    Raises:
        CommandError: if that takes too long.
    """
    driver.get(address)
    end = time.monotonic() + LONGEST
    while (found := driver.execute_script("return window.playedAfter ?? null")) is None:
        if time.monotonic() > end:
            raise CommandError(f"nobody could play for {LONGEST:g} s: {CAN_PLAY}")
        time.sleep(0.1)
    return float(found) / 1000


@describe(app, "python -m benchmarks.loading --runs 5")
def loading(runs: RunsOption = 5, json: JsonOption = False) -> int:
    """Measure how long the first page loads until a seat can be taken, at 150 and 300 ms round trip.

    A real browser, a real dealer, and between them a line that holds every byte for half a round trip, and
    every new connection for a whole one. The second visit has the files of the first in its cache.

    The keys of --json: `machine`, `command`, `load_before`, `runs`; `figures` (`files`, and `first_` and
    `second_` with the round trip and `_ms`, in seconds); and `goals`. Every figure has `median`, `min` and
    `max`.
    """
    benchmark, measured = Benchmark("loading", runs), []
    for number in range(runs):
        benchmark.say(number)
        measured.append(measure(list(GOALS)))
    figures = {key: spread_of([each[key] for each in measured]) for key in measured[0]}
    rows: Rows = [
        ("round trip", "first visit, s", "second visit, s"),
        *(
            (f"{each} ms", *(figures[f"{visit}_{each}_ms"].text(".2f") for visit in ("first", "second")))
            for each in GOALS
        ),
    ]
    goals = [
        Goal(f"{visit} visit at {each} ms, s", figures[f"{visit}_{each}_ms"], bound, False)
        for each, bounds in GOALS.items()
        for visit, bound in zip(("first", "second"), bounds, strict=True)
    ]
    return benchmark.finish(
        "Loading of the first page",
        (rows,),
        (f"Until one can play, in headless chromium; {figures['files'].text()} files on the first visit.",),
        goals,
        {"figures": figures},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "loading")
