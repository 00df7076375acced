"""The speed of discrete-event models, compared with the same models in the package `xdevs`.

python -m benchmarks.devs --help
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import count, pairwise
from typing import Annotated, Any, Final, NamedTuple

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal
from benchmarks.peers import Rates, Work, timed
from twentyone.devs.blackjack import Setup
from twentyone.devs.formalism import INFINITY, Atomic, Bag, Coupled, Output, Port
from twentyone.devs.frame import Source, frame
from twentyone.devs.games import Games, shuffled_by
from twentyone.devs.kernel import Change, Simulator
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption, seconds


class Kind(NamedTuple):
    """A kind of work: its unit, the goal for our rate over that of xdevs, and its share of the time."""

    unit: str
    goal: float
    share: float = 1.0


KINDS: Final = {
    "game": Kind("games", 5.0),
    "ping-pong": Kind("messages", 3.0),
    "DEVStone HI": Kind("events", 3.0, 5.0),  # a slice is most of a second, and the best needs several
}

SLICE: Final = 0.02
"""The least seconds of a slice: a run of DEVStone takes more, so the best one counts alone."""

GAMES, MESSAGES = 5, 1_000
"""The number of games, and of messages, that are played at a time."""

ALIKE: Final = 100
"""The number of games whose outcomes, times and scores are compared before the measurements."""

WIDTH, DEPTH = 50, 50
"""The size of DEVStone: the components of each level, which include the next level, and the levels."""

EVENTS: Final = (DEPTH - 1) * WIDTH * (WIDTH - 1) // 2 + 1
"""The number of internal transitions of DEVStone HI, 60,026: n for the n-th atomic model of each level, and 1
for the innermost."""

SHUFFLED: Final = shuffled_by(1)


class Pair(NamedTuple):
    """The same work, done here and by xdevs."""

    ours: Work
    theirs: Work


def pairs_of_work(peer: Any) -> dict[str, Pair]:
    """Each kind of work by name."""
    paddles, stones = peer.PingPong(), peer.DevStone(WIDTH, DEPTH)
    return {
        "game": Pair(games_here(), _games(peer.Games(SHUFFLED).play)),
        "ping-pong": Pair(ping_pong(), lambda: paddles.play(MESSAGES)),
        "DEVStone HI": Pair(_devstone(), lambda: (EVENTS, stones.play())),
    }


# The games

GAMES_HERE: Final = Games(Setup(shuffled=SHUFFLED))


def play_game(number: int) -> Any:
    """Play the game with a number, as `devs game` does, except for counting and printing."""
    GAMES_HERE.reset(number)
    return GAMES_HERE.play()


def games_here() -> Work:
    """Games, one number after the other."""
    return _games(play_game)


def _games(play_one: Callable[[int], object]) -> Work:
    numbers = count()

    def play() -> int:
        for _ in range(GAMES):
            play_one(next(numbers))
        return GAMES

    return timed(play)


def verify_games(peer: Any) -> None:
    """Check that both play the same games.

    Raises:
        CommandError: if they do not.
    """
    theirs = peer.Games(SHUFFLED).play
    for number in range(ALIKE):
        if (one := play_game(number)) != (other := theirs(number)):
            raise CommandError(f"game {number} gave {one} here and {other} by xdevs")


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


def ping_pong() -> Work:
    """The ball goes to and fro between two paddles."""
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


def _devstone() -> Work:
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
    if (both := (internal, stones.internal_transitions)) != (EVENTS, EVENTS):
        raise CommandError(f"DEVStone HI made {both} internal transitions, here and by xdevs: not {EVENTS}")


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
    json: JsonOption = False,
) -> int:
    """Measure games, messages and events per second, compared with the same models in xdevs.

    xdevs 3.0.0 (`pip install xdevs`) is needed only here. Before the measurements, both play the same games,
    and must give the same outcomes, times and scores, and the known number of events in DEVStone.

    The keys of --json: `machine`, `command`, `load_before` (the load of the machine), `runs`; `work`, by
    name, each with `unit`, `peer_per_second`, `per_second` and `per_peer`; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    if find_spec("xdevs") is None:
        raise CommandError("the comparison needs xdevs, which is not installed: pip install xdevs==3.0.0")
    benchmark, peer = Benchmark("devs", runs), import_module("benchmarks.xdevs_peer")
    verify_games(peer)
    verify_devstone(peer)
    found, pairs = {name: Rates() for name in KINDS}, pairs_of_work(peer)
    for number in range(runs):
        for name, pair in pairs.items():
            benchmark.say(number, name)
            found[name].measure(pair.theirs, pair.ours, duration * KINDS[name].share, SLICE)
    rows = [("work, a second", "xdevs", "devs", "devs per xdevs")]
    rows += [(f"{name}, {KINDS[name].unit}", *rates.cells(1, ",.0f")) for name, rates in found.items()]
    return benchmark.finish(
        "Discrete-event simulation",
        (rows,),
        (
            "All rates are per second of processor time, without building the models. The rate of a run is"
            " that of its best slice, a fiftieth of a second or one whole DEVStone, with xdevs and devs in"
            " turns.",
            f"xdevs 3.0.0 has the same models: {ALIKE} games had the same outcomes, times and"
            " scores in both.",
            "game: includes the shuffle of 52 cards and its random numbers.",
            "ping-pong: two models that send each other one value, one tick after it arrived.",
            f"DEVStone HI (Wainer, Glinsky, Gutierrez-Alcaraz 2011): {DEPTH} levels of {WIDTH} components,"
            " without delays or Dhrystone loops, and one value sent in. An event is one of its"
            f" {EVENTS:,} internal transitions, which were counted in both. For xdevs it is its own example.",
        ),
        [Goal(f"{name}, per xdevs", found[name].per_peer, kind.goal, True) for name, kind in KINDS.items()],
        {"work": {name: {"unit": KINDS[name].unit, **rates.figures()} for name, rates in found.items()}},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "devs")
