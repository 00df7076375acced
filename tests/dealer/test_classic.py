"""Players that take one read() for one message, as those of the blackjack course do.

The time is the test's: that of the dealer's pauses, and that for which the program sleeps after it has
written. So nothing depends on when the machine lets either of them run.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from types import SimpleNamespace
from typing import Final

import pytest

from cards import PRESETS, Bets, Double, Rules, SplitAces, Surrender
from dealer.network.pacer import Pacer
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from protocol import CLASSIC_PACE
from tests.helpers.hand_turned import HandTurned
from tests.helpers.house import CLOCKS, serving
from tests.helpers.patience import PATIENCE

VEGAS: Final = PRESETS["vegas"]

TABLES: Final = {
    **{preset: PRESETS[preset] for preset in ("vegas", "reno", "europe")},
    "with bets": replace(VEGAS, bets=Bets(10, 80), bankroll=500),
    "early surrender": replace(VEGAS, surrender=Surrender.EARLY),
    "split aces are asked": replace(VEGAS, split_aces=SplitAces.PLAY, double=Double.ALWAYS),
}
ROUNDS: Final = 10


class Paced(Pacer):
    """The pacer of the last connection, which counts the bytes that it was told to write."""

    last: Paced | None = None
    is_told: asyncio.Event
    told = 0

    def write(self, segments: list[bytes]) -> None:
        Paced.last = self
        self.told += sum(map(len, segments))
        super().write(segments)
        self.is_told.set()

    @property
    def written(self) -> int:
        return self.told - self.waiting


@pytest.fixture
def paced(loop: HandTurned, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between messages are over when the test says so."""
    monkeypatch.setattr("dealer.network.pacer.time", SimpleNamespace(monotonic=loop.time))
    monkeypatch.setattr(
        "dealer.network.writer.Pacer", lambda transport, pace, _: Paced(transport, pace, loop.call_later)
    )


async def complaint(program: Path, server: DealerServer, clock: HandTurned, sleep: float) -> str:
    """What a player says that has heard something else than one message at a time, and sleeps for so long."""
    Paced.last, Paced.is_told, heard = None, asyncio.Event(), 0
    run = await asyncio.create_subprocess_exec(
        *(program, str(server.port), "watched"), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert run.stdin and run.stdout and run.stderr
    try:
        async for line in run.stdout:
            match line.split():
                case [b"sleeps"]:
                    while Paced.last is None or not Paced.last.waiting:  # it has not been answered yet
                        Paced.is_told.clear()
                        await Paced.is_told.wait()
                    clock.pass_time(sleep)
                    run.stdin.write(b"\n")
                case [b"listens"]:
                    assert Paced.last is not None
                    while Paced.last.written == heard:
                        clock.pass_time(min(timer.when() for timer in clock.timers) - clock.now)
                case [b"heard", length]:
                    heard += int(length)
        await run.wait()
        while server._connections:  # each is closed behind its last message
            clock.pass_time(CLASSIC_PACE)
            await asyncio.sleep(0)
        complained = (await run.stderr.read()).decode()
        assert run.returncode == bool(complained)
        return complained
    finally:
        if run.returncode is None:
            run.kill()
            await run.wait()


async def play(program: Path, clock: HandTurned, rules: Rules, sleep: float) -> list[str]:
    """The complaints of so many players, one after the other."""
    async with asyncio.timeout(PATIENCE), serving(Config(0, 0, rules=rules, seed=3, **CLOCKS)) as server:
        found = [await complaint(program, server, clock, sleep) for _ in range(ROUNDS)]
    assert server.ledger.everybody.rounds >= ROUNDS
    assert server.refusals == 0
    return [text for text in found if text]


SHORT: Final = 0.025
"""Seconds for which such a program sleeps after it has written."""


@pytest.mark.usefixtures("paced")
@pytest.mark.parametrize("sleep", [SHORT, 1.9 * CLASSIC_PACE])
async def test_a_program_that_sleeps_after_it_has_written_reads_one_message_at_a_time(
    classic_player: Path, loop: HandTurned, sleep: float
) -> None:
    """Also one that sleeps for longer: the first answer comes a pause after the question, as others do."""
    assert await play(classic_player, loop, Rules(), sleep) == []


@pytest.mark.usefixtures("paced")
async def test_who_sleeps_for_longer_than_two_pauses_reads_two_messages_at_once(
    classic_player: Path, loop: HandTurned
) -> None:
    """So that the tests here would notice it."""
    found = await play(classic_player, loop, Rules(), 2.1 * CLASSIC_PACE)
    assert all("bytes are not one message" in text for text in found)
    assert len(found) == ROUNDS


@pytest.mark.usefixtures("paced")
@pytest.mark.parametrize("rules", TABLES.values(), ids=list(TABLES))
async def test_a_classic_program_plays_every_table_in_the_old_words(
    classic_player: Path, loop: HandTurned, rules: Rules
) -> None:
    """It compares whole messages, and takes what one read returns for one."""
    assert await play(classic_player, loop, rules, SHORT) == []
