"""The project's dealer passes every situation at every kind of table; dealers with one fault are told it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from cards import PRESETS, Bets, Rules
from protocol import framing
from tests.helpers.house import deal, open_house
from tests.helpers.patience import PATIENCE, eventually
from tests.tournament.check.hastening import Hastening, needs_linux
from tournament.check.dealer_running import DealerOrder, check_all, known_rules
from tournament.check.dealer_situations import SITUATIONS
from tournament.check.running import Found
from tournament.check.trial_player import Place

FAULTY: Final = Path(__file__).parent / "bots" / "faulty_dealer.py"

FAULTS: Final = {
    "card-twice": ("rules rounds", "rounds", "twice in a round"),
    "early-decision": ("help rounds", "rounds", "DECISION after 1 card: expected two cards and the upcard"),
    "asks-on": ("help rounds", "rounds", "expected RESULT BUST"),
    "no-bust": ("help rounds", "rounds", "expected RESULT BUST"),
    "no-push": ("round help shown", "shown", "expected RESULT PUSH"),
    "lose": ("help rounds", "rounds", "expected LOOSE, as a dealer spells it"),
    "draws-on": ("round help shown", "shown", "the dealer has more cards than the rules have it draw"),
    "error-ends": ("round help not-text", "not-text", "closed the connection without QUIT"),
    "any-word": ("round help unknown-verb", "unknown-verb", "after the unknown message HITT: expected ERROR"),
    "patient": ("round violations unseated", "violations unseated", "expected RESULT LOOSE"),
    "upper-case": ("round help typed", "typed", "expected DECISION"),
    "whole-packets": ("round help pieces", "pieces", "expected RESULT"),
    "long-lines": ("round help too-long", "too-long", "expected ERROR, for a line of more than 256 bytes"),
    "too-many": ("rules round", "round", "BEGIN after the one round that the JOIN asked for: expected QUIT"),
    "split-classic": ("round help classic", "classic", "b'BEG' in a segment of its own"),
}
"""For each fault the situations that are tried, those of them that fail, and the sentence about the first."""


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer pauses so long between classic messages that no busy machine reads two at once."""
    monkeypatch.setattr(framing, "CLASSIC_PACE", 0.3)


async def visited(
    port: int, only: str = "", *, rules: Rules | None = None, all_voices: bool = False
) -> list[Found]:
    """What comes of a check of the dealer on this port."""
    order = DealerOrder(Place("127.0.0.1", port), rules, PATIENCE, all_voices)
    situations = [each for each in SITUATIONS if not only or each.name in only.split()]
    return [found async for found in check_all(order, await known_rules(order), situations)]


def failures(found: list[Found]) -> list[tuple[object, ...]]:
    return [(each.name, each.fault, *each.transcript) for each in found if not each.passed]


@contextmanager
def faulty_dealer(fault: str, folder: Path) -> Iterator[int]:
    """The port of a dealer with a fault."""
    file = folder / f"{fault}.port"
    process = subprocess.Popen([sys.executable, "-I", "-S", FAULTY, fault, file])
    try:
        assert eventually(lambda: file.exists() and file.read_text() != "")
        yield int(file.read_text())
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    "preset",
    ["course", *(pytest.param(each, marks=pytest.mark.check) for each in ("vegas", "showdown", "europe"))],
)
async def test_the_projects_dealer_passes_in_every_voice(preset: str) -> None:
    with open_house(rules=PRESETS[preset]) as house:
        found = await visited(house.port, all_voices=True)
        house.forget_peers()
    assert failures(found) == []
    assert [each.name for each in found if not each.is_tried] == ["bad-bets"]
    assert len(found) == len(SITUATIONS) - (3 if preset == "showdown" else 0)


async def test_a_dealer_that_offers_insurance_is_not_waited_for_to_ask_for_bets() -> None:
    with open_house(rules=PRESETS["vegas"]) as house:
        deal(house, "Ten of Spades, Six of Clubs, Ace of Hearts, Nine of Clubs")
        (found,) = await visited(house.port, "bad-bets")
        house.forget_peers()
    assert (found.passed, found.is_tried) == (True, False), found.fault


async def test_many_rounds_pass_where_there_is_no_dealer_to_play_against() -> None:
    with open_house(rules=PRESETS["showdown"]) as house:
        (found,) = await visited(house.port, "rounds")
        house.forget_peers()
    assert (found.passed, found.is_tried) == (True, True), found.fault


async def test_it_passes_where_bets_are_asked() -> None:
    with open_house(rules=replace(PRESETS["vegas"], bets=Bets(10, 80))) as house:
        found = await visited(house.port)
    assert failures(found) == []
    assert all(each.is_tried for each in found)


async def test_another_dealer_passes_which_need_not_speak_websocket(tmp_path: Path) -> None:
    with faulty_dealer("none", tmp_path) as port:
        found = await visited(port)
        strict = await visited(port, "websocket", all_voices=True)
    assert failures(found) == []
    assert [each.name for each in found if not each.is_tried] == ["bad-bets", "websocket"]
    assert strict[0].fault == "it does not speak WebSocket: --all-voices expects it"


@needs_linux
def test_a_dealer_with_one_fault_is_told_it(tmp_path: Path) -> None:
    async def visit_them(ports: Sequence[int]) -> list[list[Found]]:
        faults = zip(ports, FAULTS.values(), strict=True)
        return await asyncio.gather(*(visited(port, only) for port, (only, _, _) in faults))

    with ExitStack() as dealers, asyncio.Runner(loop_factory=Hastening) as runner:
        ports = [dealers.enter_context(faulty_dealer(fault, tmp_path)) for fault in FAULTS]
        all_found = runner.run(visit_them(ports))
    for (fault, (_, failing, words)), found in zip(FAULTS.items(), all_found, strict=True):
        failed = [each for each in found if not each.passed]
        assert [each.name for each in failed] == failing.split(), (fault, failures(found))
        assert words in str(failed[0].fault), (fault, failed[0].fault)
        assert failed[0].transcript, fault


async def test_rules_that_it_does_not_play_by_are_found_out() -> None:
    """A dealer of HIT and STAND does not offer what `vegas` has."""
    with open_house(rules=Rules(), seed=5) as house:
        found = await visited(house.port, "rounds", rules=PRESETS["vegas"])
    assert not found[0].passed
