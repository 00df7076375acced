"""Playing a tournament to its end: policies first, then programs, and every block kept as it comes."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import ceil
from multiprocessing.connection import wait
from pathlib import Path
from types import FrameType
from typing import Final

from tournament.playing.worker import (
    WAIT,
    Notice,
    Over,
    Piece,
    PlayPolicy,
    PlayTable,
    Reply,
    Table,
    Worker,
    play_pieces,
    play_tables,
)
from tournament.results.store import Store
from tournament.settings import DID_NOT_COME, Block, Match, Settings, State
from twentyone.support.command import CommandError
from twentyone.support.interrupts import ending_signals
from twentyone.support.limits import cores

FIRST_PIECE: Final = 1_000
LARGEST_PIECE: Final = 200_000

WORTH_A_PROCESS: Final = 20_000
"""Rounds of policies for which it is worth to start a further process, which takes a second to be ready."""

PIECE_SECONDS: Final = 1.0
"""The seconds that a piece of a policy's match should take: no more is lost when it is killed."""

PULSE: Final = 0.2
"""The longest time, in seconds, between two looks at signals and at the clock."""


class Stopped(KeyboardInterrupt):
    """Somebody asked for the end; all that was finished is kept."""


class Run:
    """A tournament that is played.

    Args:
        store: where its results are kept, and what it was told.
        folder: where its programs run.
        at_once: how many matches of programs are played at once; None for as many as there are cores.
        rounds: how many rounds of each match are played; None for all.
        is_sure: says of a number of rounds that all matches have whether no more need be played; None to
            play all.
        shown: called with each block that is kept, and with None from time to time.
        notice: called with sentences.
        play_policy: plays some rounds of a policy.
        play_table: plays a match of programs.

    Attributes:
        played: how many rounds of each match have been played.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        at_once: int | None = None,
        rounds: int | None = None,
        is_sure: Callable[[int], bool] | None = None,
        shown: Callable[[Block | None], None] = lambda _: None,
        notice: Callable[[str], None] = lambda _: None,
        *,
        play_policy: PlayPolicy,
        play_table: PlayTable,
    ) -> None:
        self.settings = store.settings if rounds is None else replace(store.settings, rounds=rounds)
        self._store = store
        self._folder = folder
        self._at_once = at_once
        self._is_sure = is_sure
        self._shown = shown
        self._notice = notice
        self._play_policy = play_policy
        self._play_table = play_table
        self._absent: set[int] = set()  # the entrants from elsewhere that did not come
        self._states = {match.number: store.state_of(match) for match in self.settings.matches}
        self._is_stopped = self._is_over = False
        self._problems: dict[int, str] = {}

    @property
    def played(self) -> dict[int, int]:
        """The rounds of each match that have been played, by its number."""
        return {number: state.round for number, state in self._states.items()}

    def play(self) -> None:
        """Play what is left.

        Raises:
            Stopped: on Ctrl-C, or another signal that asks for the end.
            CommandError: if the results cannot be kept, a match cannot be played, or a process was killed.
        """
        with self._stopping():
            self._look()
            left = [match for match in self.settings.matches if self._is_left(match)]
            of_programs = [match for match in left if not is_of_policy(self.settings, match)]
            most = self._at_once or (cores() if self._is_sure is None else len(of_programs))
            workers = self._start_tables(min(cores(), most, len(of_programs)))
            try:
                self._play_policies([match for match in left if is_of_policy(self.settings, match)])
                self._tables(of_programs, workers, most)
            except BaseException:
                _end(workers)
                raise
            self._drain(workers)
        if self._is_stopped:
            raise Stopped
        if self._problems and not self._is_over:
            raise CommandError("; ".join(dict.fromkeys(self._problems.values())))

    @property
    def _is_ended(self) -> bool:
        return self._is_stopped or self._is_over

    def _is_left(self, match: Match) -> bool:
        is_left = self._states[match.number].round < self.settings.rounds
        return is_left and match.number not in self._problems

    def _play_policies(self, matches: list[Match]) -> None:
        if not matches or self._is_ended:
            return
        rounds = sum(self.settings.rounds - self._states[match.number].round for match in matches)
        count = min(cores(), len(matches), ceil(rounds / WORTH_A_PROCESS))
        workers = [Worker(play_pieces, self.settings, self._play_policy) for _ in range(count)]
        try:
            self._pieces(matches, workers)
        finally:
            for worker in workers:
                worker.kill()

    def _pieces(self, matches: list[Match], workers: list[Worker]) -> None:
        """Hand out pieces, always of the match that has the fewest rounds."""
        sizes = dict.fromkeys((match.number for match in matches), FIRST_PIECE)
        playing: dict[Worker, tuple[Match, float]] = {}
        while not self._is_ended:
            busy = {match.number for match, _ in playing.values()}
            free = [each for each in matches if self._is_left(each) and each.number not in busy]
            free.sort(key=lambda match: self._states[match.number].round)
            for worker, match in zip([each for each in workers if each not in playing], free, strict=False):
                state = self._states[match.number]
                rounds = min(sizes[match.number], self.settings.rounds - state.round)
                self._send(worker, Piece(match, state, rounds))
                playing[worker] = match, time.monotonic()
            if not playing:
                return
            for worker, reply in self._replies(workers):
                match, started = playing.pop(worker)
                self._take(reply)
                seconds = max(time.monotonic() - started, 1e-3)
                size = int(sizes[match.number] * min(4.0, PIECE_SECONDS / seconds))
                sizes[match.number] = max(FIRST_PIECE // 10, min(size, LARGEST_PIECE))

    def _start_tables(self, count: int) -> list[Worker]:
        """Start the processes that play programs: they get ready while policies play."""
        if self._is_ended:
            return []
        return [Worker(play_tables, self.settings, self._folder, self._play_table) for _ in range(count)]

    def _tables(self, matches: list[Match], workers: list[Worker], most: int) -> None:
        """Keep as many matches going as may be at once."""
        waiting = list(reversed(matches))
        playing: dict[int, Worker] = {}
        while not self._is_ended and (waiting or playing):
            while waiting and len(playing) < most:
                match = waiting.pop()
                worker = min(workers, key=list(playing.values()).count)
                self._send(worker, Table(match, self._state_of(match)))
                playing[match.number] = worker
            for _, reply in self._replies(workers):
                self._take(reply)
                if isinstance(reply, Over):
                    del playing[reply.match]

    def _state_of(self, match: Match) -> State:
        """The state of a match; one that begins does not wait for entrants that missed one before."""
        state = self._states[match.number]
        if state.round > 0:
            return state
        return replace(state, out=tuple([entrant in self._absent for entrant in match.entrants]))

    def _drain(self, workers: list[Worker]) -> None:
        """Ask processes for the end, and keep what they hand back until then."""
        try:
            for worker in workers:
                self._send(worker, None)
            left, until = {worker.pipe: worker for worker in workers}, time.monotonic() + WAIT
            while left and time.monotonic() < until:
                for pipe in wait(list(left), PULSE):
                    try:
                        reply = left[pipe].pipe.recv()  # type: ignore[index]
                    except (EOFError, OSError):
                        del left[pipe]  # type: ignore[arg-type]
                        continue
                    self._take(reply)
        finally:
            _end(workers)

    def _replies(self, workers: list[Worker]) -> Iterator[tuple[Worker, Reply]]:
        """The replies that have come; none after some time without any."""
        ready = wait([worker.pipe for worker in workers], PULSE)
        if not ready:
            self._shown(None)
        for worker in workers:
            if worker.pipe in ready:
                try:
                    reply = worker.pipe.recv()
                except (EOFError, OSError):
                    raise _lost(worker) from None
                yield worker, reply

    def _send(self, worker: Worker, told: Piece | Table | None) -> None:
        try:
            worker.pipe.send(told)
        except OSError:
            raise _lost(worker) from None

    def _take(self, reply: Reply) -> None:
        match reply:
            case Notice(text):
                self._notice(text)
            case Over(match, str(problem)):
                self._problems[match] = problem
            case Block():
                self._absent |= {each.entrant for each in reply.faults if each.kind == DID_NOT_COME}
                if reply.scripts:
                    self._store.add(reply)
                    self._states[reply.match] = reply.after
                    self._shown(reply)
                    self._look()

    def _look(self) -> None:
        if self._is_sure is not None and not self._is_over:
            self._is_over = self._is_sure(min(self.played.values()))

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Note the first signal that asks for the end, and finish what is at hand; the second is heeded."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [each for each in ending_signals() if signal.getsignal(each) is not signal.SIG_IGN]
        before = {number: signal.getsignal(number) for number in numbers}

        def stop(number: int, _: FrameType | None) -> None:
            self._is_stopped = True
            signal.signal(number, before[signal.Signals(number)])

        for number in numbers:
            signal.signal(number, stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def is_of_policy(settings: Settings, match: Match) -> bool:
    """Whether a match is played without programs: a policy against the dealer."""
    return settings.rules.has_dealer and settings.entrants[match.entrants[0]].policy is not None


def _lost(worker: Worker) -> CommandError:
    return CommandError(f"a process that played {worker.ended_by}; what it had handed on is kept")


def _end(workers: list[Worker]) -> None:
    """End processes, all at the same time, and the programs that they have started."""
    for worker in workers:
        worker.pipe.close()
    for worker in workers:
        worker.end()
