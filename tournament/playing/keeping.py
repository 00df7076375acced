"""The programs of a match: started, waited for, and restarted as often as that is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from tournament.playing import error_log
from tournament.playing.bubblewrap import Box
from tournament.playing.leaving import missed
from tournament.playing.open_match import OpenMatch
from tournament.playing.places import Place
from tournament.playing.programs import GRACE, Program, against, command_of, folder_of, player_seed
from tournament.playing.waiting import wait_for_any
from tournament.settings import DID_NOT_COME

HOST: Final = "127.0.0.1"

MISSED_IN_A_ROW: Final = 3
"""Starts without a JOIN, one after the other, after which a program is not started any more."""

TELL_EVERY: Final = 10.0
"""Seconds between two sentences about an entrant that is waited for."""


class Keeper:
    """Keeps the programs of a match at their seats.

    Args:
        match: the match.
        box: how programs are confined; None if they are not.
        go_on: begins the next round, if that has waited for a program that is now out.
    """

    def __init__(self, match: OpenMatch, box: Box | None, go_on: Callable[[], None]) -> None:
        self._match = match
        self._settings = match.settings
        self._box = box
        self._go_on = go_on
        self._stopping: set[asyncio.Task[None]] = set()
        self._grace = 0.0  # seconds that programs get to end by themselves

    def give_time(self) -> None:
        """Let programs end by themselves from now on, since the rounds are played."""
        self._grace = GRACE

    async def keep(self, place: Place) -> None:
        """Keep a program at its seat, as long as it may be started."""
        missed_in_a_row, seconds = 0, self._first_wait(place)
        while not place.is_out:
            place.expect()  # first, since its program may be there before all is done that starts it
            begin = error_log.size_of(self._match.log_of(place)) if place.told.listen is None else 0
            program = place.program = await self._start(place)
            try:
                why = await self._wait_for_join(place, program, seconds)
                if why is None:
                    await place.lost.wait()
            finally:
                place.program = None
                if program is not None:
                    await asyncio.shield(self._stop(program))
            missed_in_a_row = 0 if why is None else missed_in_a_row + 1
            if why is not None:
                self._miss(place, why, missed_in_a_row, begin)
            seconds = self._settings.start
            self._go_on()

    async def end(self) -> None:
        """Wait until all programs are ended that are being ended."""
        await asyncio.gather(*self._stopping)

    def _first_wait(self, place: Place) -> float:
        """The seconds that an entrant has to take its seat when the match begins, or goes on."""
        return self._settings.start if place.told.listen is None else self._settings.wait

    def _miss(self, place: Place, why: str, in_a_row: int, begin: int) -> None:
        """Let a program that took no seat be started once more, or its entrant forfeit what is left.

        Args:
            place: the entrant's.
            why: the reason.
            in_a_row: how often that was so, one after the other.
            begin: the bytes of its errors before the last start.
        """
        match = self._match
        if place.told.listen is not None:
            match.put_out(place, "left" if place.has_come else DID_NOT_COME, why)
            return
        match.note_in_log(place, why)
        if in_a_row < MISSED_IN_A_ROW and match.may_restart(place):
            match.restart(place, why)
            return
        times = f", {in_a_row} times in a row" if in_a_row > 1 else ""
        errors = error_log.last_lines(match.log_of(place), begin)
        match.put_out(place, "does not start", why + times, errors)

    async def _start(self, place: Place) -> Program | None:
        """Start the program of an entrant; None if it comes by itself."""
        entrant, match = place.told, self._match
        if entrant.listen is not None:
            return None
        others = [each.told for each in match.places if each is not place]
        folder = folder_of(entrant, match.folder, *against(others)).resolve()
        names = [each.told.name for each in match.places]
        words = command_of(entrant, HOST, place.port, player_seed(self._settings.seed, names, entrant.name))
        box = () if self._box is None else self._box.words(entrant.name, folder)
        match.note_in_log(place, "started")
        return await Program.start(words, folder, match.log_of(place), self._settings.limits, box)

    def _stop(self, program: Program) -> asyncio.Task[None]:
        """End a program, even if whoever waits for that is cancelled."""
        stopping = asyncio.create_task(program.stop(self._grace))
        self._stopping.add(stopping)
        stopping.add_done_callback(self._stopping.discard)
        return stopping

    async def _wait_for_join(self, place: Place, program: Program | None, seconds: float) -> str | None:
        """Wait until a program has its seat; why it has not, or None."""
        joined = asyncio.create_task(place.joined.wait())
        waited: set[asyncio.Task[bool] | asyncio.Task[int]] = {joined}
        if program is not None:
            waited.add(asyncio.create_task(program.wait()))
        try:
            if place.told.listen is None:
                await wait_for_any(waited, seconds)
            else:
                if not place.why_lost:  # one that may be back at once is mentioned only if it is not
                    self._tell_wait(place, seconds)
                await wait_for_any(waited, seconds, TELL_EVERY, partial(self._tell_wait, place))
        finally:
            for task in waited:
                task.cancel()
        if place.joined.is_set() or place.lost.is_set():  # lost: it joined, and left at once
            return None
        has_ended = program is not None and program.has_ended
        why = missed(place, seconds, has_ended=has_ended)
        self._match.record.note(place, "crashed" if has_ended else "absent", why)
        place.stand_up()
        return why

    def _tell_wait(self, place: Place, seconds: float) -> None:
        assert place.told.listen is not None
        host, port = place.told.listen
        self._match.notice(f"waiting for {place.told.name} at {host} port {port}: {seconds:g} s left")
