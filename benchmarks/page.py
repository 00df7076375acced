"""The time of the page in each frame: nine seats of `vegas` with chips, drawn by a real browser.

python -m benchmarks.page --help
"""

from __future__ import annotations

import json as jsonlib
import statistics
import tempfile
import time
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple
from urllib.request import urlopen

import typer
from websockets.sync.client import ClientConnection, connect

from benchmarks import loading
from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.crowd import percentile
from benchmarks.figures import Goal, Rows, Spread, spread_of
from benchmarks.headless import headless_browser
from benchmarks.processes import Dealer
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

SLOT: Final = 16.7
"""Milliseconds that a screen with 60 pictures a second leaves for each of them."""

GOAL: Final = 8.0
"""Milliseconds of the CPU for script in one frame or slot: half of what there is."""

GOAL_SLOTS: Final = 2
"""Slots of one run that may take longer."""

CATEGORIES: Final = ("devtools.timeline",)
BUFFER_KIB: Final = 400_000
"""Twenty rounds are some million events."""

SIZE: Final = (1366, 768)
PHONE: Final = (390, 844)
SEATS: Final = 9
ROUND_LIMIT: Final = 60.0
"""Seconds for one round: nine seats need about ten."""

TABLE: Final = (
    *("--rules", "vegas", "--seats", str(SEATS), "--bots", str(SEATS - 1), "--bot-policy", "threshold:17"),
    *("--bot-delay", "0.2", "--pause", "0.5", "--bets", "1-100"),
)

PLAYER: Final = """
localStorage.setItem("twentyone.settings", '{"speed":"fast"}');
setInterval(() => {
  const press = (id) => {
    const button = document.getElementById(id);
    if (button && !button.disabled && button.checkVisibility()) button.click();
  };
  for (const id of ["split", "double", "stand", "decline"]) press(id);
  const form = document.getElementById("bet-form");
  if (form && !form.hidden) form.requestSubmit();
}, 50);
"""
"""Plays in the page: as many splits and doubles as there can be, so that much is drawn."""

SCRIPT: Final = "/table/main.js"
"""The end of the address of the page's script: all its modules are in one file."""

DRAWS: Final = ("next", "redraw")
"""The functions of `table/stage.js` that a timer calls, and that draw."""

RENDERING: Final = ("UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer")
"""The work of the browser's main thread for a frame beside the page's script."""

IS_OPEN: Final = (
    "document.body.dataset.connection === 'open' && document.querySelector('#play-now').checkVisibility()"
)
SIT: Final = "document.querySelector('#play-now').click()"
ROUND: Final = "Number(/round (\\d+)/.exec(document.querySelector('#where').textContent)?.[1])"

app = typer.Typer(add_completion=False)


class Frame(NamedTuple):
    """Milliseconds of one frame on the browser's main thread."""

    script: float
    """Of the CPU, for the page's own script with the layout that it asks for."""
    whole: float
    """Of the CPU, for that and for style, layout and painting."""
    wall: float
    """The script by the clock, in which other work of the machine has its part."""


class Trace:
    """A trace of the browser's threads, all of which fits: the buffer of the driver's log is too small."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._say(
            "Tracing.start",
            transferMode="ReportEvents",
            traceConfig={
                **{"includedCategories": list(CATEGORIES), "excludedCategories": ["*"]},
                **{"recordMode": "recordUntilFull", "traceBufferSizeInKb": BUFFER_KIB},
            },
        )
        while "id" not in (answered := self._hear()):
            pass
        if "error" in answered:
            raise CommandError(f"the browser does not trace: {answered['error']['message']}")

    def end(self) -> list[dict[str, Any]]:
        """End the trace, and take its events.

        Raises:
            CommandError: if the buffer was too small for them.
        """
        self._say("Tracing.end")
        events: list[dict[str, Any]] = []
        while True:
            message = self._hear()
            if message.get("method") == "Tracing.dataCollected":
                events += message["params"]["value"]
            if message.get("method") == "Tracing.tracingComplete":
                if message["params"].get("dataLossOccurred"):
                    raise CommandError("the browser lost events of its trace: expected fewer --rounds")
                return events

    def _say(self, method: str, **params: Any) -> None:
        self._socket.send(jsonlib.dumps({"id": 1, "method": method, "params": params}))

    def _hear(self) -> dict[str, Any]:
        message: dict[str, Any] = jsonlib.loads(self._socket.recv(ROUND_LIMIT))
        return message


def tools_of(driver: Any) -> str:
    """The address of the browser's own tools, which trace it."""
    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urlopen(f"http://{address}/json/version") as answer:
        return str(jsonlib.load(answer)["webSocketDebuggerUrl"])


def frames_of(events: list[dict[str, Any]], address: str) -> list[Frame]:
    """The frames in which the page's own script ran.

    A frame ends where the browser begins to render what the script has changed; the rendering is of the
    frame that it ends.

    Args:
        events: of the trace, in any order; times in microseconds.
        address: how the addresses of the page's scripts begin.
    """
    calls = outermost([event for event in events if is_script(event, address)])
    threads = {(call["pid"], call["tid"]) for call in calls}
    ours = [event for event in events if (event["pid"], event.get("tid")) in threads]
    ends = sorted(event["ts"] for event in ours if event.get("name") == "AnimationFrame::Render")
    drawing = [event for event in ours if event.get("ph") == "X" and event.get("name") in RENDERING]
    frames: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for call in calls:
        frames[bisect_right(ends, call["ts"])].append(call)
    renders: dict[int, float] = defaultdict(float)
    for event in outermost([*calls, *drawing]):
        if event.get("name") in RENDERING:
            renders[bisect_right(ends, event["ts"]) - 1] += event.get("tdur", 0) / 1000
    found = []
    for number, frame in frames.items():
        script, wall = (sum(call.get(key, 0) for call in frame) / 1000 for key in ("tdur", "dur"))
        found.append(Frame(script, script + renders[number], wall))
    return found


def slots_of(events: list[dict[str, Any]], address: str) -> list[float]:
    """Milliseconds of the CPU for the page's own script in each slot, which begins with a call of it.

    A frame may be longer than a slot: it ends when there is something to render.
    """
    slots: list[float] = []
    end = -1.0
    for call in outermost([event for event in events if is_script(event, address)]):
        if call["ts"] >= end:
            slots.append(0)
            end = call["ts"] + 1000 * SLOT
        slots[-1] += call.get("tdur", 0) / 1000
    return slots


def outermost(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events that do not lie within another one of them, in order."""
    found: list[dict[str, Any]] = []
    until: dict[tuple[int, int], float] = defaultdict(float)
    for event in sorted(events, key=lambda event: (event["ts"], -event.get("dur", 0))):
        thread = event["pid"], event["tid"]
        if event["ts"] >= until[thread]:
            until[thread] = event["ts"] + event.get("dur", 0)
            found.append(event)
    return found


def forced_layouts(events: list[dict[str, Any]]) -> int:
    """Count how often a draw made the browser lay out the page, which it does by itself after it."""
    draws = outermost([event for event in events if is_draw(event)])
    starts = [draw["ts"] for draw in draws]
    count = 0
    for event in events:
        if event.get("name") == "Layout" and event.get("ph") == "X":
            at = bisect_right(starts, event["ts"]) - 1
            count += at >= 0 and event["ts"] < starts[at] + draws[at].get("dur", 0)
    return count


def is_draw(event: dict[str, Any]) -> bool:
    """Whether an event is a call by which the stage draws a state of the page."""
    data = event.get("args", {}).get("data", {})
    is_call = event.get("ph") == "X" and event.get("name") == "FunctionCall"
    return is_call and data.get("functionName") in DRAWS and str(data.get("url")).endswith(SCRIPT)


def is_script(event: dict[str, Any], address: str) -> bool:
    """Whether an event is a call of the page's own script."""
    if event.get("ph") != "X" or event.get("name") not in ("FunctionCall", "EvaluateScript"):
        return False
    return str(event.get("args", {}).get("data", {}).get("url", "")).startswith(address)


def measure(rounds: int, slower: float, size: tuple[int, int]) -> dict[str, Any]:
    """Play rounds in a browser, on a processor that is so much slower, and take the times of its frames."""
    with tempfile.TemporaryDirectory() as name, Dealer(Path(name), 0, *TABLE) as dealer:
        port = dealer.wait_for_port()
        address = f"http://127.0.0.1:{port}/"
        with headless_browser(Path(name) / "chromium", SIZE) as driver:
            driver.get(address)
            wait(driver, f"return {IS_OPEN}")
            driver.execute_script(PLAYER)
            driver.refresh()  # now with the speed of the settings
            wait(driver, f"return {IS_OPEN}")
            driver.execute_script(PLAYER)
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slower})
            with connect(tools_of(driver), proxy=None, max_size=None) as socket:
                trace = Trace(socket)  # loading the page is not a frame of the game
                driver.execute_script(SIT)
                for number in range(1, rounds + 1):
                    wait(driver, f"return {ROUND} > {number}")
                events = trace.end()
    frames = frames_of(events, address)
    if not frames:
        raise CommandError("the browser told of no frame: expected a chromium that traces devtools.timeline")
    over = sum(time > GOAL for time in slots_of(events, address))
    counts = {"frames": len(frames), "slots_over_goal": over, "forced_layouts": forced_layouts(events)}
    return counts | figures_of(frames)


def figures_of(frames: list[Frame]) -> dict[str, Any]:
    """Of all frames: the median, two percentiles and the longest, of script and of all work."""
    figures: dict[str, Any] = {}
    for name, one_by_one in zip(Frame._fields, zip(*frames, strict=True), strict=True):
        times = sorted(one_by_one)
        figures |= {
            f"{name}_median_ms": statistics.median(times),
            f"{name}_p95_ms": percentile(times, 95),
            f"{name}_p99_ms": percentile(times, 99),
            f"{name}_max_ms": times[-1],
            f"{name}_over_goal": sum(time > GOAL for time in times),
        }
    return figures


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


@describe(app, "python -m benchmarks.page --rounds 12 --runs 3 --slower 4 --phone")
def page(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that are played.")] = 12,
    runs: RunsOption = 3,
    slower: Annotated[float, typer.Option(min=1, help="How many times slower the processor is.")] = 1,
    phone: Annotated[bool, typer.Option("--phone", help="In a window of 390 x 844.")] = False,
    json: JsonOption = False,
) -> int:
    """Measure the frames of the page with nine seats of `vegas` and chips at 1366 x 768, and its loading.

    Eight bots and a player that splits and doubles. Script is what the page's own functions take between two
    frames, with the layout that they ask for; the whole frame has style, layout and painting as well. Both
    are measured by the time of the CPU, which the goal is for, and the script by the clock, too. Loading is
    from asking for the first page until a seat can be taken, at a dealer that is far away: every byte is half
    a round trip on its way, and every new connection a whole one.

    The keys of --json: `machine`, `command`, `load_before`, `runs`; `rounds`, `slower`, `size`; `figures`
    (`files`, and `first_` and `second_` with the round trip in milliseconds, the seconds of a first and of a
    second visit; `frames`; `slots_over_goal`, the slots of 16.7 ms with more script than the goal;
    `forced_layouts`, those within a draw; `script_`, `whole_` and `wall_` with `median_ms`, `p95_ms`,
    `p99_ms`, `max_ms` and `over_goal`, the frames that took longer than the goal); and `goals`. Every figure
    has `median`, `min` and `max`.
    """
    benchmark, measured = Benchmark("page", runs), []
    size = PHONE if phone else SIZE
    for number in range(runs):
        benchmark.say(number, f"{rounds} rounds, about {10 * rounds} s")
        measured.append(measure(rounds, slower, size) | loading.measure())
    figures = {key: spread_of([each[key] for each in measured]) for key in measured[0]}
    return benchmark.finish(
        "Frames and loading of the page",
        (_rows(figures), loading.rows(figures)),
        (
            f"{rounds} rounds with nine seats of `vegas` and chips, eight of them bots, in headless chromium"
            f" without a graphics card, at {size[0]} x {size[1]}. The beats are those of *Fast*: the same"
            " frames in less time.",
            *([f"The processor is made {slower:g} times slower by the browser."] if slower > 1 else []),
            "Script: what the page's own functions take between two frames, with the layout that they"
            " ask for. Whole: that, with style, layout and painting on the same thread.",
            f"{figures['files'].text()} files are asked for on the first visit.",
        ),
        [
            Goal(
                f"slots of {SLOT:g} ms with more than {GOAL:g} ms of script",
                *(figures["slots_over_goal"], GOAL_SLOTS, False, ".0f"),
            ),
            *loading.goals(figures),
        ],
        {"rounds": rounds, "slower": slower, "size": list(size), "figures": figures},
        as_json=json,
    )


def _rows(figures: dict[str, Spread]) -> Rows:
    rows: list[tuple[str, ...]] = [("of one frame", "script, CPU", "whole, CPU", "script, by the clock")]
    rows.append(("frames with script", figures["frames"].text(",.0f"), "", ""))
    rows.append((f"slots over {GOAL:g} ms", figures["slots_over_goal"].text(",.0f"), "", ""))
    rows.append(("layouts within a draw", figures["forced_layouts"].text(",.0f"), "", ""))
    names = {"median_ms": "median, ms", "p95_ms": "95th percentile, ms", "p99_ms": "99th percentile, ms"}
    names |= {"max_ms": "longest, ms", "over_goal": f"frames over {GOAL:g} ms"}
    for key, name in names.items():
        form = ".2f" if key.endswith("ms") else ",.0f"
        rows.append((name, *(figures[f"{kind}_{key}"].text(form) for kind in Frame._fields)))
    return rows


if __name__ == "__main__":
    start(app, "page")
