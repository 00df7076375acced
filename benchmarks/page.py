"""How long the page's script takes in each frame: nine seats of the whole game, drawn by a real browser.

python -m benchmarks.page --help
"""

from __future__ import annotations

import json as jsonlib
import shutil
import statistics
import tempfile
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.crowd import percentile
from benchmarks.figures import (
    Goal,
    Report,
    Spread,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
    spread_of,
)
from benchmarks.processes import Dealer, say
from support.command import OK, CommandError, describe
from support.options import JsonOption

GOAL: Final = 8.0
"""Milliseconds of script in one frame: half of what a frame has at 60 a second."""

SIZE: Final = (1920, 1080)
SEATS: Final = 9
ROUND_LIMIT: Final = 60.0
"""Seconds for one round: nine seats need about ten."""

TABLE: Final = (
    *("--rules", "vegas", "--seats", str(SEATS), "--bots", str(SEATS - 1), "--bot-policy", "threshold:17"),
    *("--bot-delay", "0.2", "--pause", "0.5"),
)

PLAYER: Final = """
localStorage.setItem("twentyone.settings", '{"speed":"fast"}');
setInterval(() => {
  const press = (id) => {
    const button = document.getElementById(id);
    if (button && !button.disabled && button.checkVisibility()) button.click();
  };
  for (const id of ["split", "double", "stand", "decline"]) press(id);
}, 50);
"""
"""Plays in the page: as many splits and doubles as there can be, so that much is drawn."""

IS_OPEN: Final = (
    "document.querySelector('#menu').open && document.querySelector('#take-seat').checkVisibility()"
)
MARK: Final = "the game begins"
SIT: Final = f"performance.mark('{MARK}'); document.querySelector('#take-seat').click()"
ROUND: Final = "Number(/round (\\d+)/.exec(document.querySelector('#where').textContent)?.[1])"

_FLAGS: Final = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server"),
    *("--disable-background-networking", "--disable-extensions", f"--window-size={SIZE[0]},{SIZE[1]}"),
)

app = typer.Typer(add_completion=False)


@contextmanager
def traced_browser(folder: Path) -> Iterator[Any]:
    """A browser that writes down what its main thread does.

    Raises:
        CommandError: if none is installed, or it does not start.
    """
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        raise CommandError("chromium or chromedriver is missing: expected both (Debian: chromium-driver)")
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    categories = "devtools.timeline,blink.user_timing"
    options.add_experimental_option(
        "perfLoggingPrefs", {"enableNetwork": False, "enablePage": False, "traceCategories": categories}
    )
    try:
        driver = Chrome(options, Service(chromedriver))
    except WebDriverException as error:
        raise CommandError(f"chromium does not start: {error.msg}") from error
    try:
        yield driver
    finally:
        driver.quit()


def trace_of(driver: Any) -> list[dict[str, Any]]:
    """The events of the trace; to be asked once, since asking ends it."""
    entries = driver.execute("getLog", {"type": "performance"})["value"]
    messages = (jsonlib.loads(entry["message"])["message"] for entry in entries)
    return [each["params"] for each in messages if each["method"] == "Tracing.dataCollected"]


def script_per_frame(events: list[dict[str, Any]], address: str) -> list[float]:
    """Milliseconds of the page's own script in each frame that has some, with the layout that it asks for.

    A frame ends where the browser begins to render what the script has changed.

    Args:
        events: of the trace, in any order; times in microseconds.
        address: how the addresses of the page's scripts begin.
    """
    calls = sorted(
        (event["ts"], event["ts"] + event.get("dur", 0), event["pid"])
        for event in events
        if event.get("name") in ("FunctionCall", "EvaluateScript")
        and event.get("args", {}).get("data", {}).get("url", "").startswith(address)
    )
    processes = {call[2] for call in calls}
    ends = sorted(
        event["ts"]
        for event in events
        if event.get("name") == "AnimationFrame::Render" and event["pid"] in processes
    )
    frames: dict[int, float] = defaultdict(float)
    until = 0.0
    for first, last, *_ in calls:
        if first < until:  # inside of another
            continue
        until = last
        frames[bisect_right(ends, first)] += (last - first) / 1000
    return sorted(frames.values())


def measure(rounds: int) -> dict[str, Any]:
    """Play so many rounds in a browser."""
    with tempfile.TemporaryDirectory() as name, Dealer(Path(name), 0, *TABLE) as dealer:
        port = dealer.wait_for_port()
        address = f"http://127.0.0.1:{port}/"
        with traced_browser(Path(name) / "chromium") as driver:
            driver.get(address)
            wait(driver, f"return {IS_OPEN}")
            driver.execute_script(PLAYER)
            driver.refresh()  # now with the speed of the settings
            wait(driver, f"return {IS_OPEN}")
            driver.execute_script(PLAYER)
            driver.execute_script(SIT)
            for number in range(1, rounds + 1):
                wait(driver, f"return {ROUND} > {number}")
            events = trace_of(driver)
    began = max((event["ts"] for event in events if event.get("name") == MARK), default=0)
    # Loading the page is not a frame of the game.
    frames = script_per_frame([event for event in events if event["ts"] > began > 0], address)
    if not frames:
        raise CommandError("the browser told of no frame: expected a chromium that traces devtools.timeline")
    return {
        "frames": len(frames),
        "median_ms": statistics.median(frames),
        "p99_ms": percentile(frames, 99),
        "max_ms": frames[-1],
        "over_goal": sum(frame > GOAL for frame in frames),
    }


def wait(driver: Any, condition: str) -> None:
    """Wait until a script in the page returns true.

    Raises:
        CommandError: if that takes longer than a round may.
    """
    end = time.monotonic() + ROUND_LIMIT
    while not driver.execute_script(condition):
        if time.monotonic() > end:
            raise CommandError(f"the page did not go on for {ROUND_LIMIT:g} s: {condition}")
        time.sleep(0.2)


@describe(app, "python -m benchmarks.page --rounds 20 --runs 3")
def page(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that are played.")] = 20,
    runs: RunsOption = 3,
    json: JsonOption = False,
    markdown: MarkdownOption = False,
) -> int:
    """Measure the script in each frame of the page, with nine seats of the whole game at 1920 x 1080.

    Eight bots and a player that splits and doubles. Script is what the page's own functions take between two
    frames, with the layout that they ask for; the browser's own drawing is not in it.

    The keys of --json: `machine`, `command`, `load_before`, `runs`; `rounds`; `figures` (`frames`,
    `median_ms`, `p99_ms`, `max_ms` and `over_goal`, the frames that took longer than the goal); and `goals`.
    Every figure has `median`, `min` and `max`.
    """
    busy = load_before()
    measured = []
    for number in range(1, runs + 1):
        say(f"run {number} of {runs}: {rounds} rounds, about {10 * rounds} s")
        measured.append(measure(rounds))
    figures = {key: spread_of([each[key] for each in measured]) for key in measured[0]}
    goals = [Goal("script in the longest frame, ms", figures["max_ms"], GOAL, is_least=False)]
    document = {
        **{"machine": machine(), "command": command_line("page"), "load_before": busy, "runs": runs},
        "rounds": rounds,
        "figures": {key: spread.as_json() for key, spread in figures.items()},
        "goals": [goal.as_json() for goal in goals],
    }
    print_result(report_of(figures, goals, rounds, runs, busy), document, json, markdown)
    return OK


def report_of(figures: dict[str, Spread], goals: list[Goal], rounds: int, runs: int, load: float) -> Report:
    """The result for people."""
    notes = [
        median_of(runs),
        f"{rounds} rounds with nine seats of `vegas`, eight of them bots, in headless chromium without a "
        "graphics card, at 1920 x 1080. The beats are those of *Fast*: the same frames in less time.",
        "Script: what the page's own functions take between two frames, with the layout that they ask for.",
        load_note(load),
    ]
    names = {"frames": "frames with script", "median_ms": "median, ms", "p99_ms": "99th percentile, ms"}
    names |= {"max_ms": "longest, ms", "over_goal": f"frames over {GOAL:g} ms"}
    rows = [("script per frame", "median (min..max)")]
    rows += [(names[key], figures[key].text(".2f" if key.endswith("ms") else ",.0f")) for key in names]
    return Report("Script of the page", command_line("page"), notes, [rows, goal_rows(goals)])


if __name__ == "__main__":
    start(app, "page")
