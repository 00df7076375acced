"""The time that the first page takes until one can play, at a dealer that is far away."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.far_away import far_away
from benchmarks.figures import Goal, Rows, Spread
from benchmarks.headless import headless_browser
from benchmarks.processes import Dealer
from twentyone.support.command import CommandError

GOALS: Final = {150: (2.0, 0.8), 300: (3.5, 1.3)}
"""Seconds for the first visit and the second, by the round trip in milliseconds."""

CAN_PLAY: Final = "document.body.dataset.connection === 'open' && isReady('#play-now')"
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

SIZE: Final = (1366, 768)

LONGEST: Final = 60.0
"""Seconds that a visit may take."""


def measure() -> dict[str, float]:
    """Seconds of a first and of a second visit for each round trip, and the number of files.

    The second visit has the files of the first in its cache.
    """
    figures: dict[str, float] = {}
    for round_trip in GOALS:
        with (
            tempfile.TemporaryDirectory() as name,
            Dealer(Path(name), 0, "--lobby") as dealer,
            far_away(dealer.wait_for_port(), round_trip / 1000) as port,
            headless_browser(Path(name) / "chromium", SIZE) as driver,
        ):
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            for visit in ("first", "second"):
                figures[f"{visit}_{round_trip}"] = visited(driver, f"http://127.0.0.1:{port}/")
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


def rows(figures: Mapping[str, Spread]) -> Rows:
    """The table of what was measured."""
    return [
        ("round trip", "first visit, s", "second visit, s"),
        *(
            (f"{each} ms", *(figures[f"{visit}_{each}"].text(".2f") for visit in ("first", "second")))
            for each in GOALS
        ),
    ]


def goals(figures: Mapping[str, Spread]) -> list[Goal]:
    """The seconds to be reached."""
    return [
        Goal(f"{visit} visit at {each} ms, s", figures[f"{visit}_{each}"], bound, False)
        for each, bounds in GOALS.items()
        for visit, bound in zip(("first", "second"), bounds, strict=True)
    ]
