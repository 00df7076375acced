"""The `training` command around a training run: the table's file, progress, and the report."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cards import Rules
from player.address import Address, parse_address, unreachable
from player.trainer import Plan, Trainer, TrainingError
from player.watching import Watching
from twentyone.learning import resuming
from twentyone.learning.curve import Curve, NoGapError, Point
from twentyone.learning.grading import grade_table
from twentyone.learning.learners import Learner, learner_for
from twentyone.learning.methods import End, MethodError
from twentyone.learning.options import Showing
from twentyone.learning.report import FLAGS, STATUS, Run, interrupted
from twentyone.learning.resuming import (
    HOW_TO_GO_ON,
    NO_GAP,
    curve_for,
    knobs_to_use,
    save_learned,
    table_to_resume,
)
from twentyone.learning.showing import show_learned
from twentyone.learning.textbook import Knobs
from twentyone.policies.action_values import ActionValues
from twentyone.support.command import INTERRUPTED, USAGE, CommandError
from twentyone.support.counts import counted
from twentyone.support.interrupts import ending_signals
from twentyone.support.loop import run
from twentyone.support.options import seed_or_new
from twentyone.support.pictures import check_installed, check_picture
from twentyone.support.progress import Progress
from twentyone.support.terminal import notice, tell
from twentyone.support.typed import completed

SHOW_EVERY: Final = 0.1

_HOST: Final = "0.0.0.0"
_PORT: Final = 8088
_ROUNDS: Final = "1M"
"""The values in the suggested command for arguments that are missing."""


@dataclass(frozen=True, slots=True)
class Config:
    """The options of the command, as typed."""

    host: str | None
    port: int | None
    rounds: int | None
    method: str
    changes: Mapping[str, float]
    table: Path
    fresh: bool
    connections: int
    tls: bool
    tls_ca: Path | None
    rules: Rules | None
    seed: int | None
    until_change: float | None
    until_gap: float | None
    show: bool
    plot: Path | None
    in_browser: bool
    as_json: bool


def train(config: Config) -> int:
    """Train, save, and report; return the status of the command.

    Raises:
        CommandError: if there is no dealer, or the table cannot be resumed or saved.
    """
    address, rounds = _where_and_how_long(config)
    if config.plot is not None:
        check_picture(config.plot)
    if config.in_browser:
        check_installed()
    # Without a seed the play is still from a seed, so that it can be repeated by what the table says.
    seed = seed_or_new(config.seed)
    plan = Plan(address, rounds, config.connections, seed, config.until_change)
    table, points = table_to_resume(config.table, config.method, config.fresh)
    session = _Session(config, knobs_to_use(config.method, config.changes, table), table, points)
    before = table.rounds if table else 0
    trainer = Trainer(plan, session.make_learner, _notice, before, session.add_point)
    with ExitStack() as stack:
        if config.in_browser:
            session.watching = stack.enter_context(Watching(config.table))
            _notice(f"the page is {session.watching.address}")
        return _train_and_report(config, trainer, session, seed)


def _train_and_report(config: Config, trainer: Trainer, session: _Session, seed: int) -> int:
    run(_train(trainer, session, config.table))
    if trainer.learner is None or (trainer.end is End.INTERRUPTED and not trainer.played):
        raise CommandError("interrupted before a round was learned from", INTERRUPTED)
    learned = trainer.learner.table(seed)
    score = grade_table(learned, str(config.table))
    if session.watching is not None:
        session.watching.end(trainer, session.points)
    report = Run("training", trainer.end, trainer.tally, trainer.seconds, learned, config.table, score)
    if config.as_json:
        print(json.dumps(report.as_json() | {"connections": len(trainer.plan.shares)}))
    else:
        tell(report.text())
    showing = Showing(config.show, config.plot)
    show_learned(learned, config.table, session.points, showing, _notice, as_json=config.as_json)
    if trainer.end is End.DEALER:
        reason = f": {trainer.fault}" if trainer.fault else ""
        saved = "the table is saved" if trainer.played else "there is nothing to save"
        rounds = f"{trainer.played:,} of {counted(trainer.plan.rounds, 'round')}"
        _notice(f"the dealer ended after {rounds}; {saved}{reason}")
    if trainer.end is End.INTERRUPTED:
        _notice(interrupted("training", 0, trainer.played, trainer.plan.rounds, seed, config.table))
    return STATUS[trainer.end]


class _Session:
    """Makes the learner, once the rules are known, and looks now and then how good it is.

    Attributes:
        curve: the learning curve, once the rules are known.
        watching: the page that shows how it goes, if there is one.
    """

    def __init__(self, config: Config, knobs: Knobs, table: ActionValues | None, points: list[Point]) -> None:
        self.curve: Curve | None = None
        self.watching: Watching | None = None
        self._config = config
        self._knobs = knobs
        self._table = table
        self._points = points

    @property
    def points(self) -> list[Point]:
        """The points of the learning curve so far."""
        return [] if self.curve is None else self.curve.points

    def make_learner(self, told: Rules | None) -> tuple[Learner, Rules]:
        """The learner for the dealer's rules, or for those of the command line.

        Raises:
            TrainingError: if the table was made by another method or under other rules, or the gap at which
                to stop is not known under these.
        """
        given = self._config.rules
        rules = told or given or Rules()
        if told is not None and given is not None and not given.plays_like(told):
            _notice(
                f"the dealer plays by {told}, and not by the rules that were given: learning the dealer's"
            )
        try:
            learner = learner_for(self._config.method, self._knobs, rules, self._table)
            self.curve = curve_for(rules, self._points, self._config.until_gap)
        except MethodError as error:
            raise TrainingError(f"{self._config.table} cannot be resumed: {error}; {HOW_TO_GO_ON}") from None
        except NoGapError as error:
            raise TrainingError(f"{NO_GAP}: {error}") from None
        return learner, rules

    def add_point(self, learner: Learner, seconds: float) -> bool:
        """Add a point to the curve where one falls due; return whether the gap is small enough to stop."""
        curve = self.curve
        if curve is None or learner.rounds < curve.next:
            return False
        return curve.add(learner.rounds, lambda: learner.table(None), seconds)


async def _train(trainer: Trainer, session: _Session, path: Path) -> None:
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, trainer.stop, End.INTERRUPTED)
    running = asyncio.create_task(trainer.run())
    try:
        with Progress("training", trainer.plan.rounds, "rounds") as progress:
            await _watch(running, trainer, session, path, progress)
        await running
    except TrainingError as fault:
        raise CommandError(str(fault)) from None
    except OSError as error:
        raise unreachable(trainer.plan.address, error) from None
    if session.curve is not None and (learner := trainer.learner) is not None and trainer.played:
        session.curve.add(learner.rounds, lambda: learner.table(None), trainer.seconds)
    await _save(trainer, session, path)


async def _watch(
    running: asyncio.Task[None], trainer: Trainer, session: _Session, path: Path, progress: Progress
) -> None:
    """Show how far training is, and save the table now and then, until it is over."""
    loop = asyncio.get_running_loop()
    saved = loop.time()
    while not running.done():
        await asyncio.wait((running,), timeout=SHOW_EVERY)
        progress.show(trainer.played)
        if session.watching is not None:
            session.watching.look(trainer, session.points)
        if loop.time() >= saved + resuming.SAVE_EVERY:
            await _save(trainer, session, path)
            saved = loop.time()


async def _save(trainer: Trainer, session: _Session, path: Path) -> None:
    """Save what has been learned so far; the disk is waited for in a thread, and the game goes on."""
    if trainer.learner is None or not trainer.played:
        return
    table = trainer.learner.table(trainer.plan.seed)
    try:
        await asyncio.to_thread(save_learned, table, list(session.points), path)
    except CommandError:
        trainer.stop()
        raise


def _where_and_how_long(config: Config) -> tuple[Address, int]:
    """The dealer and the number of rounds; after ws:// or wss:// no PORT comes, so ROUNDS moves up."""
    host, port, rounds = config.host, config.port, config.rounds
    if host is not None and "://" in host and rounds is None:
        port, rounds = None, config.port
    if host is None or rounds is None:
        raise _incomplete(config)
    return parse_address(host, port, tls=config.tls, tls_ca=config.tls_ca), rounds


def _incomplete(config: Config) -> CommandError:
    """The error for a command line that lacks arguments: which, and the line with them, as it may be typed.

    Raises:
        CommandError: instead, if those that are there name no dealer.
    """
    missing, before, after = _lacking(config.host, config.port)
    needing = f", and {_ending(config)} needs the most to play" if _ending(config) and after else ""
    expected = "a ws:// or wss:// address and ROUNDS" if "://" in (config.host or "") else "HOST PORT ROUNDS"
    line = completed("training", before, after, FLAGS)
    return CommandError(f"{missing} missing{needing}: expected {expected}; type {line}", USAGE)


def _lacking(host: str | None, port: int | None) -> tuple[str, Sequence[str], Sequence[str]]:
    """The arguments that are missing, with their verb; and what to put before and after those that are there.

    ROUNDS is missing, unless the first number is the port of a host that is not there.
    """
    if host is None:
        return "HOST, PORT and ROUNDS are", (), (_HOST, str(_PORT), _ROUNDS)
    if host.isdecimal():
        return ("HOST is", (_HOST,), ()) if port else ("HOST and ROUNDS are", (_HOST,), (_ROUNDS,))
    if "://" in host or port:
        parse_address(host, port)
        return "ROUNDS is", (), (_ROUNDS,)
    parse_address(host, _PORT)
    return "PORT and ROUNDS are", (), (str(_PORT), _ROUNDS)


def _ending(config: Config) -> str:
    """The option that may end training before its last round; an empty text if none was given."""
    if config.until_gap is not None:
        return "--until-gap"
    return "" if config.until_change is None else "--until-change"


def _notice(sentence: str) -> None:
    notice("training", sentence)
