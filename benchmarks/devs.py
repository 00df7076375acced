"""How fast discrete-event models run, beside the same models in the package `xdevs`.

python -m benchmarks.devs --help
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import count, pairwise
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TextIO

import typer

from benchmarks.command import MarkdownOption, RunsOption, print_result, start
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
from benchmarks.processes import say
from devs.blackjack import Setup
from devs.formalism import INFINITY, Atomic, Bag, Coupled, Output, Port
from devs.frame import Source, frame
from devs.games import Games, Result, shuffled_by
from devs.kernel import Change, Simulator
from devs.log import EventLog
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds


class Kind(NamedTuple):
    """A kind of work: what is counted, how much to do while xdevs does one, and how long it is measured."""

    unit: str
    goal: float
    share: float = 1.0


KINDS: Final = {
    "game": Kind("games", 5.0),
    "game with its log": Kind("games", 2.0),
    "ping-pong": Kind("messages", 3.0),
    "DEVStone HI": Kind("events", 3.0, 5.0),  # a slice is most of a second, and a run's best wants several
}

SLICE: Final = 0.02
"""Seconds that a measurement runs at least at a time, so that a pair meets the same weather."""

GAMES, MESSAGES = 5, 1_000
"""Games, and messages, that are played at a time."""

ALIKE: Final = 100
"""Games whose outcomes, times, scores and logs are compared before anything is measured."""

WIDTH, DEPTH = 50, 50
"""Of DEVStone: components for each level, the next level one of them, and levels."""

EVENTS: Final = (DEPTH - 1) * WIDTH * (WIDTH - 1) // 2 + 1
"""Internal transitions of DEVStone HI, 60,026: on a level the n-th atomic model has n, the innermost one."""

SHUFFLED: Final = shuffled_by(1)

Play = Callable[[], tuple[int, float]]
"""Does some work, and says how much and how many seconds of processor time it took."""


class Pair(NamedTuple):
    """The same work twice: what does it here, and what does it by xdevs."""

    ours: Play
    theirs: Play


@dataclass(slots=True)
class Rates:
    """Rates of one kind of work a second of processor time, a value for each run."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def per_xdevs(self) -> Spread:
        """How much is done here while xdevs does one."""
        return ratios(self.ours, self.theirs)

    def as_json(self) -> dict[str, Any]:
        """The keys: `per_second`, `xdevs_per_second` and `per_xdevs`."""
        return {
            "per_second": spread_of(self.ours).as_json(),
            "xdevs_per_second": spread_of(self.theirs).as_json(),
            "per_xdevs": self.per_xdevs.as_json(),
        }


def measure(runs: int, duration: float) -> dict[str, Rates]:
    """Measure each kind of work `runs` times, each kind once and then each again."""
    if find_spec("xdevs") is None:
        raise CommandError("xdevs is not installed to compare with: expected pip install xdevs==3.0.0")
    peer = import_module("benchmarks.xdevs_peer")
    verify_games(peer)
    verify_devstone(peer)
    found = {name: Rates() for name in KINDS}
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        pairs = pairs_of_work(peer, nowhere)
        for number in range(runs):
            for name, pair in pairs.items():
                say(f"devs: run {number + 1} of {runs}, {name}")
                _measure_pair(found[name], pair, duration * KINDS[name].share)
    return found


def _measure_pair(rates: Rates, pair: Pair, duration: float) -> None:
    """Measure both in turns of a slice each, `duration` seconds in all; a run's rate is its best slice."""
    spent, theirs, ours = 0.0, 0.0, 0.0
    while spent < duration:
        (one, its), (other, our) = _rate(pair.theirs), _rate(pair.ours)
        spent, theirs, ours = spent + its + our, max(theirs, one), max(ours, other)
    rates.theirs.append(theirs)
    rates.ours.append(ours)


def _rate(play: Play) -> tuple[float, float]:
    """How much is done a second in a slice, and how long it took."""
    done, spent = 0, 0.0
    while spent < SLICE:
        more, took = play()
        done, spent = done + more, spent + took
    return done / spent, spent


def pairs_of_work(peer: Any, log: TextIO) -> dict[str, Pair]:
    """Each kind of work by its name; logs are written to `log`."""
    theirs, logged, paddles = peer.Games(SHUFFLED), peer.Games(SHUFFLED, log), peer.PingPong()
    stones = peer.DevStone(WIDTH, DEPTH)
    return {
        "game": Pair(_games(game_player()), _games(theirs.play)),
        "game with its log": Pair(_games(game_player(log)), _games(logged.play)),
        "ping-pong": Pair(_ping_pong(), lambda: paddles.play(MESSAGES)),
        "DEVStone HI": Pair(_devstone(), lambda: (EVENTS, stones.play())),
    }


# The games


def game_player(log: TextIO | None = None) -> Callable[[int], Result]:
    """Plays the game of a number, with everything that `devs game` does for it but counting and printing."""
    games = Games(Setup(shuffled=SHUFFLED))
    event_log = None if log is None else EventLog(games.simulator, log)

    def play(number: int) -> Result:
        games.reset(number)
        if event_log is None:
            return games.play()
        event_log.write_states()
        result = games.play()
        event_log.write_states()
        return result

    return play


def _games(play_one: Callable[[int], Result]) -> Play:
    numbers = count()

    def play() -> tuple[int, float]:
        started = time.process_time()
        for _ in range(GAMES):
            play_one(next(numbers))
        return GAMES, time.process_time() - started

    return play


def verify_games(peer: Any) -> None:
    """Both play the same games and write the same log, to the byte.

    Raises:
        CommandError: if they do not.
    """
    texts = io.StringIO(), io.StringIO()
    ours, theirs = game_player(texts[0]), peer.Games(SHUFFLED, texts[1]).play
    for number in range(ALIKE):
        if (one := ours(number)) != (other := theirs(number)):
            raise CommandError(f"game {number} gave {one} here and {other} by xdevs")
    if texts[0].getvalue() != texts[1].getvalue():
        raise CommandError(f"the logs of {ALIKE} games differ from those by xdevs")


# Two models


class Paddle(Atomic[bool]):
    """Sends the ball back a tick after it came; its state is whether it has the ball."""

    BALL_IN: Final = Port("in", int)
    BALL_OUT: Final = Port("out", int)
    inputs = (BALL_IN,)
    outputs = (BALL_OUT,)

    def __init__(self, name: str, initial: bool) -> None:
        super().__init__(name)
        self.initial = initial

    def time_advance(self, state: bool) -> int | None:
        """A tick with the ball."""
        return 1 if state else INFINITY

    def output(self, state: bool) -> Output:
        """The ball."""
        return ((self.BALL_OUT, 1),)

    def internal_transition(self, state: bool) -> bool:
        """It has left."""
        return False

    def external_transition(self, state: bool, elapsed: int, bag: Bag) -> bool:
        """It is here."""
        return True


def _ping_pong() -> Play:
    couplings = (("ping.out", "pong.in"), ("pong.out", "ping.in"))
    simulator = Simulator(Coupled("table", (Paddle("ping", True), Paddle("pong", False)), couplings))

    def play() -> tuple[int, float]:
        simulator.reset()
        started = time.process_time()
        simulator.run(until=MESSAGES)
        return simulator.time, time.process_time() - started

    return play


# DEVStone


class Stone(Atomic[bool]):
    """Sends 0 at once when something has come; its state is whether that is so."""

    STONE_IN: Final = Port("in", int)
    STONE_OUT: Final = Port("out", int)
    inputs = (STONE_IN,)
    outputs = (STONE_OUT,)
    initial = False

    def time_advance(self, state: bool) -> int | None:
        """No time at all, or rest."""
        return 0 if state else INFINITY

    def output(self, state: bool) -> Output:
        """A value."""
        return ((self.STONE_OUT, 0),)

    def internal_transition(self, state: bool) -> bool:
        """At rest, without a Dhrystone loop."""
        return False

    def external_transition(self, state: bool, elapsed: int, bag: Bag) -> bool:
        """Due, without a Dhrystone loop."""
        return True


def devstone(width: int, depth: int) -> Coupled:
    """DEVStone's HI (Wainer, Glinsky, Gutierrez-Alcaraz 2011), with a source that sends one value at 0.

    The innermost level is one atomic model. Each other has the level below and `width` - 1 atomic models; the
    level's input goes to all of them, each atomic model's output to the next one, and the output of the level
    below out of this one.
    """
    ports = (Port("in", int),), (Port("out", int),)
    model = Coupled("level-1", (Stone("stone"),), (("in", "stone.in"), ("stone.out", "out")), *ports)
    for level in range(2, depth + 1):
        names = [f"stone-{place}" for place in range(1, width)]
        couplings = [
            ("in", f"{model.name}.in"),
            (f"{model.name}.out", "out"),
            *(("in", f"{name}.in") for name in names),
            *((f"{one}.out", f"{other}.in") for one, other in pairwise(names)),
        ]
        model = Coupled(f"level-{level}", (model, *map(Stone, names)), couplings, *ports)
    return frame(model, {"in": Source("seeder", int, [(0, 0)])})


def _devstone() -> Play:
    simulator = Simulator(devstone(WIDTH, DEPTH))

    def play() -> tuple[int, float]:
        simulator.reset()
        started = time.process_time()
        simulator.run()
        return EVENTS, time.process_time() - started

    return play


def verify_devstone(peer: Any) -> None:
    """Both have the known number of internal transitions.

    Raises:
        CommandError: if one has not.
    """
    simulator, internal = Simulator(devstone(WIDTH, DEPTH)), 0

    def count_internal(_: int, changes: Sequence[Change]) -> None:
        nonlocal internal
        internal += sum(isinstance(change.node.model, Stone) for change in changes if change.sent)

    simulator.observers.append(count_internal)
    simulator.run()
    stones = peer.DevStone(WIDTH, DEPTH, True)
    stones.play()
    if internal != EVENTS or stones.counted[0] != EVENTS:
        raise CommandError(
            f"DEVStone HI has {EVENTS} internal transitions: {internal} here, {stones.counted[0]} by xdevs"
        )


# What is reported


def goals(found: dict[str, Rates]) -> list[Goal]:
    """What the figures should reach."""
    return [
        Goal(f"{name}, per xdevs", found[name].per_xdevs, kind.goal, True) for name, kind in KINDS.items()
    ]


def document(found: dict[str, Rates], command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "work": {name: {"unit": KINDS[name].unit, **rates.as_json()} for name, rates in found.items()},
        "goals": [goal.as_json() for goal in goals(found)],
    }


def report(found: dict[str, Rates], command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    return Report(
        "Discrete-event simulation",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            "All in processor time, without building the models. A rate of a run is the best of its slices,"
            " of a fiftieth of a second or one whole DEVStone, xdevs and devs in turns.",
            f"xdevs 3.0.0 has the same models: {ALIKE} games had the same outcomes, times and scores in both,"
            " and the same log to the byte.",
            "game: with the shuffle of 52 cards and its random numbers; the log goes to /dev/null.",
            "ping-pong: two models that send each other one value, a tick after it came.",
            f"DEVStone HI (Wainer, Glinsky, Gutierrez-Alcaraz 2011): {DEPTH} levels of {WIDTH} components,"
            " no delays, no Dhrystone loops, one value sent in; an event is one of its"
            f" {EVENTS:,} internal transitions, which were counted in both. For xdevs it is its own example.",
            load_note(busy),
        ),
        (_rate_rows(found), goal_rows(goals(found))),
    )


def _rate_rows(found: dict[str, Rates]) -> Rows:
    return [
        ("work, a second", "xdevs", "devs", "devs per xdevs"),
        *(
            (
                f"{name}, {KINDS[name].unit}",
                spread_of(rates.theirs).text(),
                spread_of(rates.ours).text(),
                rates.per_xdevs.text(".2f"),
            )
            for name, rates in found.items()
        ),
    ]


app = typer.Typer(add_completion=False)


@describe(app)
def devs(
    runs: RunsOption = 5,
    duration: Annotated[
        float,
        typer.Option(
            "--seconds", callback=seconds, help="About how long a pair is measured; DEVStone five times that."
        ),
    ] = 3.0,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure games, messages and events a second, beside the same models in xdevs.

    xdevs 3.0.0 (`pip install xdevs`) is needed here and nowhere else. Before anything is measured, both play
    the same games and have to give the same outcomes and logs, and the known number of events in DEVStone.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `work`, by its name, each
    with `unit`, `per_second`, `xdevs_per_second` and `per_xdevs`; and `goals`. Every figure has `median`,
    `min` and `max`.
    """
    busy = load_before()
    found = measure(runs, duration)
    command = command_line("devs")
    print_result(report(found, command, busy, runs), document(found, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "devs")
