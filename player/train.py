"""What the `training` command does around a training run: the table's file, progress, and the report."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards import Rules
from player import qtable
from player.address import Address, parse_address
from player.learning import METHODS, Learner, MethodError, check_method, learner_for, table_of
from player.qtable import QTable, QTableError
from player.trainer import End, Plan, Trainer, TrainingFault
from support.command import FAILED, INTERRUPTED, OK, USAGE, Failure, os_reason
from support.files import check_writable
from support.loop import run
from support.progress import Progress
from support.summary import tally_table

SAVE_EVERY: Final = 5.0
"""Seconds between two saves: so much learning, at most, is lost with the power."""

SHOW_EVERY: Final = 0.1

_HOW_TO_GO_ON: Final = "give another --table FILE, or --fresh to replace it"

_STATUS: Final = {
    End.DONE: OK,
    End.CONVERGED: OK,
    End.DEALER: FAILED,
    End.INTERRUPTED: INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class Config:
    """The options of the command, as typed."""

    host: str
    port: int
    rounds: int | None
    method: str
    table: Path
    fresh: bool
    tables: int
    rules: Rules | None
    seed: int | None
    until_change: float | None
    as_json: bool


def train(config: Config) -> int:
    """Train, save, and report; return the status of the command.

    Raises:
        Failure: if there is no dealer, or the table cannot be resumed or saved.
    """
    if config.method not in METHODS:
        raise Failure(f"there is no method {config.method!r}: expected {' or '.join(METHODS)}", USAGE)
    address, rounds = _where_and_how_long(config)
    # Without a seed the play is still from a seed, so that it can be repeated by what the table says.
    seed = secrets.randbits(63) if config.seed is None else config.seed
    plan = Plan(address, rounds, config.tables, seed, config.until_change)
    table = _table_to_resume(config)
    trainer = Trainer(plan, _School(config, table).learner, _notice, table.rounds if table else 0)
    run(_train(trainer, config.table))
    if trainer.learner is None:
        raise Failure("interrupted before a round was dealt", INTERRUPTED)
    print(json.dumps(report(trainer, config.table)) if config.as_json else report_text(trainer, config.table))
    if trainer.end is End.DEALER:
        reason = f": {trainer.fault}" if trainer.fault else ""
        saved = "the table is saved" if trainer.played else "there is nothing to save"
        _notice(f"the dealer ended after {trainer.played:,} of {rounds:,} rounds; {saved}{reason}")
    return _STATUS[trainer.end]


class _School:
    """Makes the learner, once the rules are known."""

    def __init__(self, config: Config, table: QTable | None) -> None:
        self._config = config
        self._table = table

    def learner(self, told: Rules | None) -> tuple[Learner, Rules]:
        """The learner for the dealer's rules, or for those of the command line.

        Raises:
            TrainingFault: if the table was made by another method or under other rules.
        """
        given = self._config.rules
        rules = told or given or Rules()
        if told is not None and given is not None and not given.plays_like(told):
            _notice(
                f"the dealer plays by {told}, and not by the rules that were given: learning the dealer's"
            )
        try:
            return learner_for(self._config.method, rules, self._table), rules
        except MethodError as error:
            raise TrainingFault(f"{self._config.table} cannot be resumed: {error}; {_HOW_TO_GO_ON}") from None


async def _train(trainer: Trainer, path: Path) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, trainer.stop, End.INTERRUPTED)
    running = asyncio.create_task(trainer.run())
    try:
        with Progress("training", trainer.plan.rounds, "rounds") as progress:
            await _watch(running, trainer, path, progress)
        await running
    except TrainingFault as fault:
        raise Failure(str(fault)) from None
    except OSError as error:
        raise Failure(
            f"cannot connect to {trainer.plan.address}: {os_reason(error)}; is a dealer running there?"
        ) from None
    await _save(trainer, path)


async def _watch(running: asyncio.Task[None], trainer: Trainer, path: Path, progress: Progress) -> None:
    """Show how far training is, and save the table now and then, until it is over."""
    loop = asyncio.get_running_loop()
    saved = loop.time()
    while not running.done():
        await asyncio.wait((running,), timeout=SHOW_EVERY)
        progress.show(trainer.played)
        if loop.time() >= saved + SAVE_EVERY:
            await _save(trainer, path)
            saved = loop.time()


async def _save(trainer: Trainer, path: Path) -> None:
    """Save what has been learned so far; the disk is waited for in a thread, and the game goes on."""
    if trainer.learner is None or not trainer.played:
        return
    table = table_of(trainer.learner, trainer.rules, trainer.plan.seed)
    try:
        await asyncio.to_thread(qtable.save, table, path)
    except OSError as error:
        trainer.stop()
        raise Failure(f"the table {path} cannot be written: {os_reason(error)}") from None


def report(trainer: Trainer, path: Path) -> dict[str, Any]:
    """The result as JSON.

    The keys: `end` (done, converged, dealer or interrupted), `rounds` (of this run) with the tally's other
    keys, `seconds`, `rounds_per_second`, `tables` (connections), `table` (its file), `table_rounds` (all that
    it was learned from), `method`, `rules` (every field) and `seed`.
    """
    learner = trainer.learner
    assert learner is not None
    return {
        "end": trainer.end.value,
        **trainer.tally.as_json(),
        "seconds": trainer.seconds,
        "rounds_per_second": trainer.played / trainer.seconds,
        "tables": len(trainer.plan.shares),
        "table": str(path),
        "table_rounds": learner.rounds,
        "method": learner.method,
        "rules": trainer.rules.fields(),
        "seed": trainer.plan.seed,
    }


def report_text(trainer: Trainer, path: Path) -> str:
    """The result as a person reads it."""
    learner = trainer.learner
    assert learner is not None
    rate = trainer.played / trainer.seconds
    lines = [
        tally_table([("training", trainer.tally)]),
        f"{trainer.played:,} rounds in {trainer.seconds:.1f} s ({rate:,.0f} rounds/s)",
        f"{path}: {learner.method}, {learner.rounds:,} rounds in all",
    ]
    if trainer.end is End.CONVERGED:
        lines.append(f"learning has come to rest after {learner.rounds:,} rounds")
    return "\n".join(lines)


def _where_and_how_long(config: Config) -> tuple[Address, int]:
    """The dealer and the number of rounds; a ws:// address has no PORT after it, so ROUNDS moves up."""
    port: int | None = config.port
    rounds = config.rounds
    if "://" in config.host and rounds is None:
        port, rounds = None, config.port
    if rounds is None:
        raise Failure(
            "there is no number of rounds: expected HOST PORT ROUNDS, such as 0.0.0.0 8088 50000", USAGE
        )
    return parse_address(config.host, port), rounds


def _table_to_resume(config: Config) -> QTable | None:
    """The table that learning goes on from; what is wrong with its file is said before a round is played."""
    table = None if config.fresh else _load(config)
    try:
        check_writable(config.table)
    except OSError as error:
        raise Failure(f"the table {config.table} cannot be written: {os_reason(error)}") from None
    return table


def _load(config: Config) -> QTable | None:
    try:
        table = qtable.load(config.table)
        check_method(config.method, table)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"the table {config.table} cannot be read: {os_reason(error)}") from None
    except QTableError as error:
        raise Failure(f"{error}; {_HOW_TO_GO_ON}") from None
    except MethodError as error:
        raise Failure(f"{config.table} cannot be resumed: {error}; {_HOW_TO_GO_ON}") from None
    return table


def _notice(sentence: str) -> None:
    print(f"training: {sentence}", file=sys.stderr, flush=True)
