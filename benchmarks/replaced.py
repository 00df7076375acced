"""The price of a state file at the dealer: decisions a second, processor time, and bytes for a round.

python -m benchmarks.replaced --help
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.encrypted import processor_time
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of
from benchmarks.load import LIMIT
from benchmarks.processes import START_LIMIT, Child, Dealer
from benchmarks.variants import Words
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

RULES: Final = {
    "course": (),
    "vegas": ("--rules", "vegas", "--bets", "10-500", "--bankroll", "1000000"),
}
"""The games that are played: the course's game, and the one with most questions, where bets are asked."""

GOALS: Final = {"course": 0.8, "vegas": 0.7}
"""Decisions a second with a state file, of those without one, to reach."""

ARMS: Final = {
    "plain": ((), ("--keep",)),
    "state": (("--state",), ("--keep",)),
    "state, not kept": (("--state",), ()),
}
"""The dealer's options and the players': without the second seats are not kept, and rounds counted only."""

app = typer.Typer(add_completion=False)


def written_by(pid: int) -> int:
    """The bytes that a process has written so far, to files and by plain writes to sockets.

    Raises:
        CommandError: if the system does not tell.
    """
    try:
        told = Path(f"/proc/{pid}/io").read_text(encoding="utf-8").split()
    except OSError:
        raise CommandError("what a process writes cannot be read here: expected Linux's /proc") from None
    return int(told[told.index("wchar:") + 1])


def measure(arm: str, rules: str, connections: int, rounds: int) -> dict[str, float]:
    """One run with a dealer of its own: everybody comes, and then plays."""
    option, keep = ARMS[arm]
    with tempfile.TemporaryDirectory() as folder:
        state = (*option, str(Path(folder) / "state")) if option else ()
        with Dealer(Path(folder), 0, *RULES[rules], *state) as dealer:
            port = dealer.wait_for_port()
            words: Words = ("-m", "benchmarks.crowd", port, connections, rounds, 0, LIMIT, *keep)
            with Child(words) as crowd:
                crowd.tell("come")
                crowd.read(LIMIT)
                used, written = processor_time(dealer.pid), written_by(dealer.pid)
                crowd.tell("play")
                played: dict[str, Any] = crowd.result(LIMIT)
            if played["lost"]:
                raise CommandError(f"{played['lost']} players did not finish")
            used, written = processor_time(dealer.pid) - used, written_by(dealer.pid) - written
            dealer.interrupt()
            dealer.result(START_LIMIT)
    return {
        "decisions_per_second": played["answers"] / played["seconds"],
        "us_per_decision": 1e6 * used / played["answers"],
        "bytes_per_round": written / played["rounds"],
    }


@describe(app)
def replaced(
    connections: Annotated[int, typer.Option(min=1, max=400, help="Players at once.")] = 64,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that each of them plays.")] = 200,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Compare a dealer that keeps its state in a file with one that does not, by players who answer at once.

    Players keep their seats, as `player` does. The answer to a question for a bet counts as a decision.

    The keys of --json: `machine`, `command`, `load_before`, `runs`, `connections`, `rounds`, `goals`, and for
    `course` and `vegas` (with bets) in `plain`, `state` and `state, not kept` the `decisions_per_second`, the
    dealer's `us_per_decision` of processor time and `bytes_per_round` that it writes, those to sockets among
    them; `per_plain` and `not_kept_per_plain`, the decisions a second with a state for each without;
    `work_per_plain`, decisions for the same processor time with a state for each without; and
    `state_bytes_per_round`, what is written more with a state. Each has `median`, `min` and `max`.
    """
    benchmark = Benchmark("replaced", runs)
    found: dict[str, dict[str, list[dict[str, float]]]] = {name: {arm: [] for arm in ARMS} for name in RULES}
    for number in range(runs):
        for name in RULES:
            for arm in ARMS:
                benchmark.say(number, f"{name}, {arm}")
                found[name][arm].append(measure(arm, name, connections, rounds))
    figures = {name: _figures(arms) for name, arms in found.items()}
    goals = [
        Goal(f"decisions a second with a state per without, {name}", figures[name]["per_plain"], goal, True)
        for name, goal in GOALS.items()
    ]
    return benchmark.finish(
        "A dealer with a state file",
        (_rows(figures),),
        (
            f"{connections:,} players are all there before anybody plays, keep their seats unless it is"
            " said that they do not, and answer at once.",
            "Processor time is the dealer's own; bytes for a round are those written more with a state.",
        ),
        goals,
        {"connections": connections, "rounds": rounds, **figures},
        as_json=json,
    )


def _figures(arms: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    """The spreads of one game."""
    values = {arm: {key: [run[key] for run in runs] for key in runs[0]} for arm, runs in arms.items()}
    plain, state, not_kept = values.values()
    more = [a - b for a, b in zip(state["bytes_per_round"], plain["bytes_per_round"], strict=True)]
    return {
        **{arm: {key: spread_of(each) for key, each in keys.items()} for arm, keys in values.items()},
        "per_plain": ratios(state["decisions_per_second"], plain["decisions_per_second"]),
        "not_kept_per_plain": ratios(not_kept["decisions_per_second"], plain["decisions_per_second"]),
        "work_per_plain": ratios(plain["us_per_decision"], state["us_per_decision"]),
        "state_bytes_per_round": spread_of(more),
    }


def _rows(figures: dict[str, dict[str, Any]]) -> Rows:
    table: list[tuple[str, ...]] = [("", *figures)]

    def add(name: str, form: str, *keys: str) -> None:
        cells = []
        for each in figures.values():
            spread: Any = each
            for key in keys:
                spread = spread[key]
            assert isinstance(spread, Spread)
            cells.append(spread.text(form))
        table.append((name, *cells))

    add("decisions/s", ",.0f", "plain", "decisions_per_second")
    add("with a state", ",.0f", "state", "decisions_per_second")
    add("for each without", ".2f", "per_plain")
    add("the same, seats not kept", ".2f", "not_kept_per_plain")
    add("dealer's processor time for a decision, µs", ",.1f", "plain", "us_per_decision")
    add("with a state, µs", ",.1f", "state", "us_per_decision")
    add("decisions for the same processor time, for each without", ".2f", "work_per_plain")
    add("bytes written for a round", ",.0f", "state_bytes_per_round")
    return table


if __name__ == "__main__":
    start(app, "replaced")
