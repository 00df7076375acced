"""Rounds of `cards.Round` in one process: the older presets beside an earlier version, and the whole game.

python -m benchmarks.rounds --before FOLDER      FOLDER: a checkout of the earlier version
"""

from __future__ import annotations

import json as jsonlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from inspect import getsource
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.figures import (
    Goal,
    Report,
    command_line,
    goal_rows,
    load_before,
    load_note,
    median_of,
    ratios,
    spread_of,
)
from cards import PRESETS, Decision, Round, Rules, seeded, shoe_for
from support.command import CommandError, describe
from support.options import JsonOption

OLDER: Final = ("course", "casino")
"""Presets of HIT and STAND: a fresh deck every round, and four decks with a cut card."""

WHOLE_GOAL: Final = 60_000
SAME_GOAL: Final = 0.95
"""As fast as before, within what one run differs from the next."""

ROUNDS: Final = 20_000
"""Rounds of one measurement, a third of a second."""

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Result:
    """Rounds a second of processor time, each measured once a run.

    Attributes:
        now: by preset.
        before: the same for the earlier version; empty if there is none.
    """

    now: dict[str, list[float]]
    before: dict[str, list[float]]


def by_total(round_: Round) -> Decision:
    """Draw below 16, the least that a player can do."""
    return Decision.HIT if round_.hands[0].total < 16 else Decision.STAND


def by_chart() -> Callable[[Round], Decision]:
    """Basic strategy for `vegas`, every cell of which is looked up once."""
    from exact.best.basic import basic_chart
    from policies.policy import observation

    rules = PRESETS["vegas"]
    chart = basic_chart(rules)
    kept: dict[tuple[int, bool, int, int, tuple[Decision, ...]], Decision] = {}

    def decide(round_: Round) -> Decision:
        assert round_.dealer is not None
        hand = round_.hands_of(0)[round_.turn_hand].hand
        options = round_.options
        upcard = round_.dealer.cards[0].points
        key = (hand.total, hand.is_soft, hand.cards[0].points, upcard, options)
        decision = kept.get(key)
        if decision is None:
            decision = kept[key] = chart.decide(observation(round_, 0), rules)
        return decision

    return decide


def rounds_per_second(rules: Rules, decide: Callable[[Round], Decision]) -> float:
    """Play one seat's rounds, records included, and time them."""
    shoe = shoe_for(rules, seeded(1))
    began = time.process_time()
    for _ in range(ROUNDS):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, decide(round_))
    return ROUNDS / (time.process_time() - began)


def older_rounds() -> dict[str, float]:
    """The older presets, by whatever version of `cards` is imported."""
    return {name: rounds_per_second(PRESETS[name], by_total) for name in OLDER}


def in_turns(before: Path | None, runs: int) -> Result:
    """Measure everything in turns: a process for each version and run."""
    now: dict[str, list[float]] = {name: [] for name in (*OLDER, "vegas")}
    earlier: dict[str, list[float]] = {name: [] for name in OLDER} if before is not None else {}
    here = Path(__file__).resolve().parent.parent
    for _ in range(runs):
        for folder, found in ((before, earlier), (here, now)):
            if folder is not None:
                for name, rate in _measured_in(folder).items():
                    found[name].append(rate)
        now["vegas"].append(rounds_per_second(PRESETS["vegas"], by_chart()))
    return Result(now, earlier)


PROBE: Final = """
import json, sys, time
from cards import PRESETS, Decision, Round, seeded, shoe_for

{sources}

print(json.dumps(older_rounds()))
"""
"""What measures any version: the two functions above, with nothing but its `cards`."""


def _measured_in(folder: Path) -> dict[str, float]:
    parts = (getsource(by_total), getsource(rounds_per_second), getsource(older_rounds))
    header = f"from __future__ import annotations\nROUNDS, OLDER = {ROUNDS!r}, {OLDER!r}\n"
    try:
        done = subprocess.run(
            [sys.executable, "-c", header + PROBE.format(sources="\n\n".join(parts))],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(f"{folder} is no checkout whose cards.Round can be measured: {error}") from None
    measured: dict[str, float] = jsonlib.loads(done.stdout)
    return measured


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    found = [
        Goal(f"{name}, now per before", ratios(result.now[name], rates), SAME_GOAL, True)
        for name, rates in result.before.items()
    ]
    rate = spread_of(result.now["vegas"])
    return [*found, Goal("vegas by basic strategy, rounds/s", rate, WHOLE_GOAL, True, ",.0f")]


def report(result: Result, runs: int, command: str, busy: float) -> Report:
    """The result as tables."""
    rows = [("preset", "rounds/s", "rounds/s before")]
    for name, rates in result.now.items():
        before = result.before.get(name)
        rows.append((name, spread_of(rates).text(), "" if before is None else spread_of(before).text()))
    notes = (
        f"{median_of(runs)} Seconds are processor time of one core; records are included.",
        "course and casino draw below 16; vegas is played by the chart for 6 decks.",
        load_note(busy),
    )
    return Report("Rounds of cards.Round", command, notes, (rows, goal_rows(goals(result))))


@describe(app, example="python -m benchmarks.rounds --before ../earlier")
def main(
    before: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A checkout of the version to compare with.")
    ] = None,
    runs: RunsOption = 5,
    json: JsonOption = False,
    markdown: MarkdownOption = False,
) -> int:
    """Measure the engine of a round, in one process, records included.

    The keys of --json: `rounds_per_second` and `before` (by preset), and `goals`.
    """
    busy, command = load_before(), command_line("rounds")
    result = in_turns(before, runs)
    document = {
        "rounds_per_second": {name: spread_of(rates).as_json() for name, rates in result.now.items()},
        "before": {name: spread_of(rates).as_json() for name, rates in result.before.items()},
        "goals": [goal.as_json() for goal in goals(result)],
    }
    print_result(report(result, runs, command, busy), document, json, markdown)
    return 0


if __name__ == "__main__":
    start(app, "rounds")
