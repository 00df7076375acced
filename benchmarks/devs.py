"""How fast discrete-event models run, compared with the same models in the package `xdevs`.

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
    """A kind of work: its unit, the goal for our rate over that of xdevs, and its share of the time."""

    unit: str
    goal: float
    share: float = 1.0


KINDS: Final = {
    "game": Kind("games", 5.0),
    "game with its log": Kind("games", 2.0),
    "ping-pong": Kind("messages", 3.0),
    "DEVStone HI": Kind("events", 3.0, 5.0),  # a slice is most of a second, and the best needs several
}

SLICE: Final = 0.02
"""The least seconds of a slice. Slices are short, so that both of a pair see the same load on the machine."""

GAMES, MESSAGES = 5, 1_000
"""The number of games, and of messages, that are played at a time."""

ALIKE: Final = 100
"""The number of games whose outcomes, times, scores and logs are compared before the measurements."""

WIDTH, DEPTH = 50, 50
"""The size of DEVStone: the components of each level, which include the next level, and the levels."""

EVENTS: Final = (DEPTH - 1) * WIDTH * (WIDTH - 1) // 2 + 1
"""The number of internal transitions of DEVStone HI, 60,026: n for the n-th atomic model of each level, and 1
for the innermost."""

SHUFFLED: Final = shuffled_by(1)

Play = Callable[[], tuple[int, float]]
"""Does some work, and returns the amount of work and the seconds of processor time that it took."""


class Pair(NamedTuple):
    """The same work, done here and by xdevs."""

    ours: Play
    theirs: Play


@dataclass(slots=True)
class Rates:
    """The rates of one kind of work per second of processor time, a value for each run."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def per_xdevs(self) -> Spread:
        """Our rate divided by the rate of xdevs."""
        return ratios(self.ours, self.theirs)

    def as_json(self) -> dict[str, Any]:
        """The keys: `per_second`, `xdevs_per_second` and `per_xdevs`."""
        return {
            "per_second": spread_of(self.ours).as_json(),
            "xdevs_per_second": spread_of(self.theirs).as_json(),
            "per_xdevs": self.per_xdevs.as_json(),
        }


def measure(runs: int, duration: float) -> dict[str, Rates]:
    """Measure each kind of work `runs` times, in turns."""
    if find_spec("xdevs") is None:
        raise CommandError("the comparison needs xdevs, which is not installed: pip install xdevs==3.0.0")
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
    """Measure both by slices, in turns, for `duration` seconds in all; a run counts its best slice."""
    spent, theirs, ours = 0.0, 0.0, 0.0
    while spent < duration:
        (one, its), (other, our) = _rate(pair.theirs), _rate(pair.ours)
        spent, theirs, ours = spent + its + our, max(theirs, one), max(ours, other)
    rates.theirs.append(theirs)
    rates.ours.append(ours)


def _rate(play: Play) -> tuple[float, float]:
    """The rate of a slice, and how long it took."""
    done, spent = 0, 0.0
    while spent < SLICE:
        more, took = play()
        done, spent = done + more, spent + took
    return done / spent, spent


def pairs_of_work(peer: Any, log: TextIO) -> dict[str, Pair]:
    """Each kind of work by name. Logs are written to `log`."""
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
    """A function that plays the game with a number, as `devs game` does, except for counting and printing."""
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
    """Check that both play the same games and write the same log, byte for byte.

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
    """Sends the ball back one tick after it arrived. Its state is whether it has the ball."""

    BALL_IN: Final = Port("in", int)
    BALL_OUT: Final = Port("out", int)
    inputs = (BALL_IN,)
    outputs = (BALL_OUT,)

    def __init__(self, name: str, initial: bool) -> None:
        super().__init__(name)
        self.initial = initial

    def time_advance(self, state: bool) -> int | None:
        """One tick with the ball."""
        return 1 if state else INFINITY

    def output(self, state: bool) -> Output:
        """The ball."""
        return ((self.BALL_OUT, 1),)

    def internal_transition(self, state: bool) -> bool:
        """The ball has left."""
        return False

    def external_transition(self, state: bool, elapsed: int, bag: Bag) -> bool:
        """The ball has arrived."""
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
    """Sends 0 at once after any input. Its state is whether this is due."""

    STONE_IN: Final = Port("in", int)
    STONE_OUT: Final = Port("out", int)
    inputs = (STONE_IN,)
    outputs = (STONE_OUT,)
    initial = False

    def time_advance(self, state: bool) -> int | None:
        """0 if an output is due."""
        return 0 if state else INFINITY

    def output(self, state: bool) -> Output:
        """The value 0."""
        return ((self.STONE_OUT, 0),)

    def internal_transition(self, state: bool) -> bool:
        """Become passive, without a Dhrystone loop."""
        return False

    def external_transition(self, state: bool, elapsed: int, bag: Bag) -> bool:
        """Become due, without a Dhrystone loop."""
        return True


def devstone(width: int, depth: int) -> Coupled:
    """DEVStone's HI (Wainer, Glinsky, Gutierrez-Alcaraz 2011), with a source that sends one value at time 0.

    The innermost level is one atomic model. Every other level consists of the level below and `width` - 1
    atomic models. The input of a level goes to all of them, the output of each atomic model to the next one,
    and the output of the level below leaves the level.
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
    """Check that both have the known number of internal transitions.

    Raises:
        CommandError: if one of them does not.
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
            f"DEVStone HI made {internal} internal transitions here and {stones.counted[0]} by xdevs:"
            f" expected {EVENTS}"
        )


# The report


def goals(found: dict[str, Rates]) -> list[Goal]:
    """The goals for the figures."""
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
            "All rates are per second of processor time, without building the models. The rate of a run is"
            " that of its best slice, a fiftieth of a second or one whole DEVStone, with xdevs and devs in"
            " turns.",
            f"xdevs 3.0.0 has the same models: {ALIKE} games had the same outcomes, times and scores in both,"
            " and the same log, byte for byte.",
            "game: includes the shuffle of 52 cards and its random numbers; the log goes to /dev/null.",
            "ping-pong: two models that send each other one value, one tick after it arrived.",
            f"DEVStone HI (Wainer, Glinsky, Gutierrez-Alcaraz 2011): {DEPTH} levels of {WIDTH} components,"
            " without delays or Dhrystone loops, and one value sent in. An event is one of its"
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
            "--seconds",
            callback=seconds,
            help="About how long each pair is measured; DEVStone takes five times as long.",
        ),
    ] = 3.0,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure games, messages and events per second, compared with the same models in xdevs.

    xdevs 3.0.0 (`pip install xdevs`) is needed only here. Before the measurements, both play the same games,
    and must give the same outcomes and logs, and the known number of events in DEVStone.

    The keys of --json: `machine`, `command`, `load_before` (the load of the machine), `runs`; `work`, by
    name, each with `unit`, `per_second`, `xdevs_per_second` and `per_xdevs`; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    busy = load_before()
    found = measure(runs, duration)
    command = command_line("devs")
    print_result(report(found, command, busy, runs), document(found, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "devs")
