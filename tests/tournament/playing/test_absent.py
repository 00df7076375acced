"""Entrants that do not come, that leave, and whose programs do not start: the others play on."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS
from tests.helpers.patience import PATIENCE
from tests.tournament.playing.entrants import Played, player, settings
from tournament.playing import error_log, keeping
from tournament.playing.tables import play
from tournament.settings import Entrant, Settings, State, first_state
from twentyone.support.command import CommandError
from twentyone.support.loop import run as run_as_the_command_does

FAILS = "import sys; print('it begins', flush=True); sys.exit('no module\\nnamed \\x1b[2Jstrategy')"


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    async def patiently() -> None:
        await asyncio.wait_for(coroutine, PATIENCE)

    run_as_the_command_does(patiently())


@pytest.fixture
def far() -> Entrant:
    """An entrant that connects by itself, to a port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    return Entrant("far", listen=address, token="secret")


class Match:
    """A match that is played: its rounds, and what is said meanwhile."""

    def __init__(self, told: Settings, folder: Path, number: int = 0, state: State | None = None) -> None:
        self.found, self.heard = Played(), list[str]()
        match = told.matches[number]
        state = state or first_state(told, match)
        self._playing = play(told, match, state, self.found.add, folder, self.heard.append)

    async def play(self) -> None:
        await self._playing

    def ends(self, *kinds: str) -> list[tuple[str, int, str]]:
        """The faults of some kinds: kind, round and text."""
        return [(each.kind, each.round, each.text) for each in self.found.faults if each.kind in kinds]


async def say(address: tuple[str, int], line: str, until: str) -> None:
    """Connect once somebody listens there, and say a line; the connection is lost when an answer has come."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(*address)
        except OSError:
            await asyncio.sleep(0.01)
        else:
            break
    writer.write(f"{line}\n".encode())
    while (answer := await reader.readline()) and until not in answer.decode():
        continue
    writer.close()


def test_who_never_comes_is_waited_for_and_told_of_with_what_is_left(
    far: Entrant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "TELL_EVERY", 0.125)
    told = settings([far, player(tmp_path, "near")], rounds=5, wait=0.5, start=60.0)
    match = Match(told, tmp_path)
    run(match.play())
    where = f"waiting for far at 127.0.0.1 port {far.listen[1]}: " if far.listen else ""
    left = [f"{where}{seconds} s left" for seconds in (0.5, 0.375, 0.25, 0.125)]
    assert match.heard == [*left, "far did not come: it did not join within 0.5 s"]
    assert match.ends("did not come", "left", "out") == [("did not come", 0, "it did not join within 0.5 s")]
    assert match.found.scripts == ["F0"] * 5
    assert not (tmp_path / "errors").exists()  # nothing was started


def test_who_is_refused_while_it_is_waited_for_is_told_with_the_reason(
    far: Entrant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = settings([far, player(tmp_path, "near")], rounds=5, wait=3600.0)
    match, refused = Match(told, tmp_path), asyncio.Event()

    async def until_refused(*_: Any) -> None:
        await refused.wait()

    async def meet() -> None:
        playing = asyncio.create_task(match.play())
        await say(far.listen or ("", 0), "JOIN far token=wrong", "ERROR")
        refused.set()
        await playing

    monkeypatch.setattr(keeping, "wait_for_any", until_refused)
    run(meet())
    ((_, _, why),) = match.ends("did not come")
    assert why.startswith("it did not join within 3600 s; its last line was refused: ")
    assert "kept for its owner" in why


def test_who_leaves_has_the_time_of_a_start_to_come_back(far: Entrant, tmp_path: Path) -> None:
    assert far.listen is not None
    told = settings([far, player(tmp_path, "near")], rounds=5, wait=3600.0, start=0.2)
    match = Match(told, tmp_path)

    async def meet() -> None:
        await asyncio.gather(match.play(), say(far.listen or ("", 0), "JOIN far token=secret", "BEGIN"))

    run(meet())
    ((_, _, why),) = match.ends("left", "did not come", "out")
    assert re.fullmatch("its connection ended, and it did not come back within 0.2 s", why)
    assert match.heard[1:] == [f"far left: {why}"]
    assert len(match.found.scripts) == 5 and set(match.found.scripts[1:]) == {"F0"}


def test_who_does_not_come_back_to_a_match_that_goes_on_has_left(far: Entrant, tmp_path: Path) -> None:
    told = settings([far, player(tmp_path, "near")], rounds=5, wait=0.1)
    state = replace(first_state(told, told.matches[0]), round=3, starts=(1,))
    match = Match(told, tmp_path, state=state)
    run(match.play())
    assert match.ends("left", "did not come") == [("left", 3, "it did not come back within 0.1 s")]


def test_who_comes_back_too_often_has_left_and_takes_no_seat_again(far: Entrant, tmp_path: Path) -> None:
    told = settings([far, player(tmp_path, "near")], rounds=20, start=60.0, restarts=1)
    match, join = Match(told, tmp_path), "JOIN far token=secret"

    async def leave(times: int) -> None:
        for _ in range(times):
            await say(far.listen or ("", 0), join, "BEGIN")

    async def meet() -> None:
        await asyncio.gather(match.play(), leave(2))

    run(meet())
    ((_, _, why),) = match.ends("left", "did not come", "out")
    assert why == "its connection ended; it came back 1 time, and may not again"


def test_the_last_lines_of_a_program_that_does_not_start_are_told(tmp_path: Path) -> None:
    """Its file has the round and the time of day of each start, and of its end."""
    broken = Entrant("broken", command=(sys.executable, "-S", "-c", FAILS, "{port}"))
    told = settings([broken, player(tmp_path, "near")], rounds=5)
    match = Match(told, tmp_path)
    run(match.play())
    why = "its program ended before it took its seat, 3 times in a row"
    lines = ["it begins", "no module", "named \x1b[2Jstrategy"]
    assert match.ends("does not start", "out") == [("does not start", 0, "\n".join([why, *lines]))]
    assert match.heard == [f"broken does not start: {why}: {lines[-1]}"]
    log = (tmp_path / "errors" / "broken.log").read_text()
    day = "--- [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC: "
    assert len(re.findall(f"(?m)^{day}round 1: started$", log)) == 3
    assert len(re.findall(f"(?m)^{day}ended after .* s with status 1$", log)) == 3
    assert len(re.findall(f"(?m)^{day}round 1: its program ended before it took its seat$", log)) == 3


def test_lines_of_an_earlier_start_are_not_told_of_a_later_one(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"old\n")
    begin = error_log.size_of(log)
    assert error_log.last_lines(log, begin) == ()
    error_log.note(log, "round 1: started")
    with log.open("ab") as file:
        file.write(b"\xff one\n\n" + b"x" * 9000 + b"\nlast")
    assert error_log.last_lines(log, begin) == ("x" * error_log.LONGEST, "last")
    assert error_log.last_lines(tmp_path / "none.log", 0) == ()


def test_at_a_table_of_several_the_others_play_on(far: Entrant, tmp_path: Path) -> None:
    rules = replace(PRESETS["showdown"], seats=3)
    told = settings([player(tmp_path, "a"), far, player(tmp_path, "c")], rules, rounds=12, wait=0.1)
    match = Match(told, tmp_path)
    run(match.play())
    assert [(kind, number) for kind, number, _ in match.ends("did not come", "out")] == [("did not come", 0)]
    assert all(payoffs[2] == -10 for payoffs in match.found.payoffs)
    assert {script.count("F") for script in match.found.scripts} == {1}
    assert any(payoffs[0] != payoffs[1] for payoffs in match.found.payoffs)


def test_who_did_not_come_to_one_match_is_not_waited_for_in_the_next(far: Entrant, tmp_path: Path) -> None:
    told = settings([player(tmp_path, "a"), far], PRESETS["showdown"], rounds=4, wait=3600.0)
    state = replace(first_state(told, told.matches[0]), out=(False, True))
    match = Match(told, tmp_path, state=state)
    run(match.play())
    assert match.heard == []
    assert match.ends("did not come") == [("did not come", 0, "it did not come to a match before this one")]
    assert match.found.payoffs == [[10, -10]] * 4


def test_an_address_that_stays_in_use_is_given_up(far: Entrant, tmp_path: Path) -> None:
    """Against a dealer no other match of the tournament has it."""
    assert far.listen is not None
    told = settings([far, player(tmp_path, "near")], rounds=5, wait=0.1)
    match = Match(told, tmp_path)
    with socket.socket() as other:
        other.bind(far.listen)
        other.listen()
        with pytest.raises(
            CommandError, match=r"no program can be waited for at 127\.0\.0\.1 port .* in use"
        ):
            run(match.play())
    assert match.heard == [f"waiting for 127.0.0.1 port {far.listen[1]}, which is in use"]
