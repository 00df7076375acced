"""Programs that follow the protocol pass every situation; those with one fault are told it.

The check knows nothing of them but what they say. Many of them run at the same time.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from cards import PRESETS, Bets, Rules
from tests.helpers.patience import PATIENCE
from tests.tournament.check.hastening import Hastening, needs_linux
from tournament.check.running import Found, Order, check
from tournament.check.situations import SITUATIONS

BOTS: Final = Path(__file__).parent / "bots"
EXAMPLES: Final = Path(__file__).parents[3] / "examples" / "tournament"
ADDRESS: Final = ("{host}", "{port}", "{name}")
AT_ONCE: Final = 10

COURSE: Final = Rules()
VEGAS: Final = PRESETS["vegas"]
CHIPS: Final = replace(VEGAS, bets=Bets(10, 85))


class Case(NamedTuple):
    """A program that is checked, and what is said of the first situation in which it fails."""

    command: str | Sequence[str]  # a single word is a fault of `faulty.py`
    rules: Rules = COURSE
    only: str = ""  # all situations
    failing: str = ""
    words: str = ""


def python(name: str, *words: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", str(BOTS / f"{name}.py"), *words, *ADDRESS)


PLAYER: Final = (
    str(Path(sys.executable).with_name("player")),
    *ADDRESS[:2],
    "--name={name}",
    "--policy=basic",
)

# 200 rounds of a classic program take 26 ms for each message, half a minute in all.
NOT_ROUNDS: Final = " ".join(each.name for each in SITUATIONS if each.name != "rounds")

WHOLE: Final = "round natural doubles splits surrender early-surrender insurance bets few-chips shuffle"

RIGHT: Final = (
    Case(python("plain")),
    Case(python("plain"), VEGAS, WHOLE),
    Case(python("classic"), only="round results bust natural cut"),
    Case(python("web"), only="round together pieces words verbs long-line error early-quit cut"),
    Case(python("web"), CHIPS, "round splits insurance bets"),
)

ALL_RIGHT: Final = (
    Case(python("plain"), PRESETS["showdown"], "round results together rounds bust"),
    Case(("bash", str(EXAMPLES / "hard14.sh"), *ADDRESS)),
    Case(python("classic"), only=NOT_ROUNDS),
    Case(python("web"), only=NOT_ROUNDS),
    Case(python("web"), CHIPS, WHOLE),
    Case(python("classic"), CHIPS, "round bust natural bets splits"),
    Case(PLAYER, COURSE, "round clock error crlf-cut reset"),
    Case(PLAYER, CHIPS, "round no-rules insurance splits few-chips"),
)

# Situations that such a program passes only where the machine lets it run in time are not among those tried.
FAULTY: Final = (
    Case("TooEarly", COURSE, "slow", "slow", "answered STAND before it was asked"),
    Case("Twice", COURSE, "round", "round", "two answers to one DECISION: HIT, STAND"),
    Case("UnknownVerb", COURSE, "words verbs", "verbs", "a message that it does not know"),
    Case("EndsAtError", COURSE, "round clock error", "clock error", "ended with status 3 after"),
    Case("LeavesAfter100", COURSE, "round rounds", "rounds", "status 0 after 'DECISION', in round 101"),
    Case("QuitsAfter100", COURSE, "round rounds", "rounds", "left by QUIT after 100 rounds"),
    Case("WrongVerb", COURSE, "round", "round", "unknown message 'STAY'"),
    Case("AfterBust", COURSE, "bust", "bust", "sent HIT after RESULT BUST"),
    Case("LeadingZero", CHIPS, "bets", "bets", "without a leading zero"),
    Case("OverMax", VEGAS, "round bets few-chips", "few-chips", "expected BET from 10 to"),
    Case(
        "AlwaysInsures",
        VEGAS,
        "bust",
        "bust",
        "INSURE to DECISION HIT STAND DOUBLE SURRENDER, which does not",
    ),
    Case("AlwaysSplits", VEGAS, "round splits", "splits", "answered SPLIT to DECISION"),
    Case("Floods", COURSE, "round", "round", "floods the dealer"),
    Case("NeedsDecision", COURSE, "bust dealt-bust", "dealt-bust", "ended with status 1 after 'RESULT BUST'"),
    Case("PayoffNumber", VEGAS, "round natural", "natural", "'RESULT WIN +1.5'"),
    Case("Kills", COURSE, "round soft twenty-one many-cards", "many-cards", "status 139 (SIGSEGV)"),
    Case("ShortLines", COURSE, "round verbs long-line", "long-line", "status 1 after 'NEWS"),
    Case("Impatient", COURSE, "slow", "slow", "ended with status 1 after"),
    Case("TwoJoins", COURSE, "results", "results", "though it has a seat already"),
    Case("AnswersResult", COURSE, "dealt-bust", "dealt-bust", "sent STAND after RESULT"),
    Case("LeavesAtError", COURSE, "round error", "error", "after 1 round, after it was sent 'ERROR"),
    Case("NoName", COURSE, "round bust", "round", "JOIN takes a name without blanks"),
    Case(("true", *ADDRESS), COURSE, "round bust", "round", "ended with status 0 and did not connect"),
)

SILENT: Final = (
    Case("OneRead", COURSE, "together", "together", "seems to read one message per packet"),
    Case("NoPieces", COURSE, "round pieces end-apart", "pieces", "take a packet for a whole message"),
    Case("KeepsCr", COURSE, "round together crlf", "crlf", "take the CR for a part of a word"),
    Case("WholeLines", COURSE, "round crlf words", "words", "unknown word stood after the message"),
    Case("HangsAtPush", COURSE, "round results", "results", "after RESULT PUSH"),
    Case("StaysAfterQuit", COURSE, "early-quit", "early-quit", "did not end after QUIT"),
    Case("NoLineEnd", COURSE, "round bust", "round", "its JOIN has no line end"),
    Case("Spins", COURSE, "round cut", "cut", "did not end after the connection was closed"),
    Case("SilentAt21", COURSE, "round together", "together", "did not answer DECISION within"),
    Case("EndsInCr", COURSE, "round", "round", r"'STAND\r' came, and no line end after it"),
    Case("AnyPath", COURSE, "round bust", "round", "expected a WebSocket at /ws, or a JOIN"),
)


def check_all(cases: Sequence[Case], loop: Callable[[], asyncio.AbstractEventLoop]) -> list[list[Found]]:
    """What comes of each program."""

    async def check_one(case: Case, places: asyncio.Semaphore) -> list[Found]:
        words = python("faulty", case.command) if isinstance(case.command, str) else tuple(case.command)
        situations = [each for each in SITUATIONS if not case.only or each.name in case.only.split()]
        async with places:
            return [found async for found in check(Order(words, case.rules, PATIENCE, 8), situations)]

    async def check_them() -> list[list[Found]]:
        places = asyncio.Semaphore(AT_ONCE)
        return await asyncio.gather(*(check_one(case, places) for case in cases))

    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(check_them())


def assert_all_pass(cases: Sequence[Case], loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    for case, found in zip(cases, check_all(cases, loop), strict=True):
        failed = [each for each in found if not each.passed]
        assert not failed, (case.command, [(each.name, each.fault, *each.transcript) for each in failed])
        assert len(found) > 1, case.command
        assert not case.only or len(found) <= len(case.only.split()), case.command


def faults_told(
    cases: Sequence[Case], loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
) -> Mapping[object, Found]:
    """What each program is told first; it must fail in the situations that are expected."""
    told: dict[object, Found] = {}
    for case, found in zip(cases, check_all(cases, loop), strict=True):
        failed = [each for each in found if not each.passed]
        assert [each.name for each in failed] == case.failing.split(), (case, [each.fault for each in failed])
        assert case.words in str(failed[0].fault), (case, failed[0].fault)
        assert failed[0].transcript or case.words.endswith("connect"), case
        told[case.command] = failed[0]
    return told


def test_programs_that_follow_the_protocol_pass() -> None:
    assert_all_pass(RIGHT, Hastening if sys.platform == "linux" else asyncio.new_event_loop)


@needs_linux
def test_a_program_that_speaks_the_classic_wire_format_is_tried_with_it() -> None:
    ((found,),) = check_all([Case(python("classic"), only="classic-dealer")], Hastening)
    assert (found.passed, found.is_tried, found.note) == (True, True, ""), found.fault


@pytest.mark.check
def test_programs_in_other_languages_and_the_projects_own_player_pass(tmp_path: Path) -> None:
    cases = list(ALL_RIGHT)
    if (compiler := shutil.which("cc")) is not None:
        source = EXAMPLES / "c" / "careful.c"
        subprocess.run([compiler, "-Wall", "-o", tmp_path / "careful", source], check=True)
        cases.append(Case((str(tmp_path / "careful"), *ADDRESS)))
    assert_all_pass(cases, asyncio.new_event_loop)


def test_a_program_with_one_fault_is_told_it() -> None:
    faults_told(FAULTY)


@needs_linux
def test_a_program_that_is_silent_is_told_why_it_may_be() -> None:
    told = faults_told(SILENT, Hastening)
    assert told["SilentAt21"].fault == told["SilentAt21"].plain, "the packets are not the reason"
    assert told["OneRead"].fault != told["OneRead"].plain
