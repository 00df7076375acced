"""Programs that follow the protocol pass every situation; those with one fault are told it.

The check knows nothing of them but what they say. All of them are started once, a few at a time.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from cards import PRESETS, Bets, Rules
from tests.helpers.patience import PATIENCE
from tournament.check.running import Found, Order, check
from tournament.check.situations import SITUATIONS

BOTS: Final = Path(__file__).parent / "bots"
ADDRESS: Final = ("{host}", "{port}", "{name}")
AT_ONCE: Final = 10

SHORT: Final = 4.0
"""Seconds for an answer of programs whose fault is that none comes."""

COURSE: Final = Rules()
VEGAS: Final = PRESETS["vegas"]
CHIPS: Final = replace(VEGAS, bets=Bets(10, 85))


class Case(NamedTuple):
    """A program that is checked.

    Attributes:
        command: what starts it.
        rules: the rules of the table.
        only: the situations; none for all.
        patience: seconds for an answer.
        failing: those of them in which it fails.
        words: what the sentence about the first of these says.
    """

    command: Sequence[str]
    rules: Rules = COURSE
    only: str = ""
    patience: float = PATIENCE
    failing: str = ""
    words: str = ""


def python(name: str) -> tuple[str, ...]:
    return (sys.executable, str(BOTS / f"{name}.py"), *ADDRESS)


def bash(name: str) -> tuple[str, ...]:
    return ("bash", str(BOTS / f"{name}.sh"), *ADDRESS)


def faulty(fault: str) -> tuple[str, ...]:
    return (sys.executable, str(BOTS / "faulty.py"), fault, *ADDRESS)


PLAYER: Final = (
    str(Path(sys.executable).with_name("player")),
    "{host}",
    "{port}",
    "--name",
    "{name}",
    "--policy",
)

# 200 rounds of a classic program take 26 ms for each message, half a minute in all.
NOT_ROUNDS: Final = " ".join(each.name for each in SITUATIONS if each.name != "rounds")

WHOLE: Final = "round natural doubles splits surrender early-surrender insurance bets few-chips shuffle"

RIGHT: Final[Mapping[str, Case]] = {
    "python": Case(python("plain")),
    "python at a table of the whole game": Case(python("plain"), VEGAS, WHOLE),
    "python without a dealer": Case(
        python("plain"), PRESETS["showdown"], "round results together rounds bust"
    ),
    "bash": Case(bash("plain")),
    "c": Case(("plain.c", *ADDRESS)),
    "classic": Case(python("classic"), only=NOT_ROUNDS),
    "classic at a table of the whole game": Case(python("classic"), CHIPS, "round bust natural bets splits"),
    "websocket": Case(python("web")),
    "websocket with chips": Case(python("web"), CHIPS, WHOLE),
    "player": Case((*PLAYER, "basic")),
    "player with chips": Case(
        (*PLAYER, "basic"),
        CHIPS,
        "round together no-rules insurance splits surrender early-surrender few-chips bets",
    ),
}

# Situations that such a program passes only where the machine lets it run in time are not among those tried.
FAULTY: Final[Mapping[str, Case]] = {
    "answers the upcard": Case(
        faulty("TooEarly"), COURSE, "slow", PATIENCE, "slow", "answered STAND before it was asked"
    ),
    "answers the upcard, in bash": Case(
        bash("early"), COURSE, "slow", PATIENCE, "slow", "answered STAND before it was asked"
    ),
    "answers twice": Case(
        faulty("Twice"), COURSE, "round", PATIENCE, "round", "two answers to one DECISION: HIT, STAND"
    ),
    "one read, one message": Case(
        faulty("OneRead"),
        COURSE,
        "together",
        SHORT,
        "together",
        "seems to read one message per packet",
    ),
    "one read, one message, in C": Case(
        ("one_read.c", *ADDRESS),
        COURSE,
        "together",
        SHORT,
        "together",
        "seems to read one message per packet",
    ),
    "no pieces": Case(
        faulty("NoPieces"),
        COURSE,
        "round together pieces end-apart",
        SHORT,
        "pieces",
        "take a packet for a whole message",
    ),
    "keeps CR": Case(
        faulty("KeepsCr"), COURSE, "round together crlf", SHORT, "crlf", "take the CR for a part of a word"
    ),
    "compares whole lines": Case(
        faulty("WholeLines"), COURSE, "round crlf words", SHORT, "words", "word that it does not know"
    ),
    "gives up at other verbs": Case(
        faulty("UnknownVerb"), COURSE, "words verbs", PATIENCE, "verbs", "a message that it does not know"
    ),
    "ends at ERROR": Case(
        faulty("EndsAtError"),
        COURSE,
        "round clock error",
        PATIENCE,
        "clock error",
        "ended with status 3 after",
    ),
    "hangs at a push": Case(
        faulty("HangsAtPush"), COURSE, "round results", SHORT, "results", "after RESULT PUSH"
    ),
    "stays after QUIT": Case(
        faulty("StaysAfterQuit"), COURSE, "early-quit", SHORT, "early-quit", "did not end after QUIT"
    ),
    "leaves after 100 rounds": Case(
        faulty("LeavesAfter100"),
        COURSE,
        "round rounds",
        PATIENCE,
        "rounds",
        "ended with status 0 after 'DECISION', in round 101",
    ),
    "says QUIT after 100 rounds": Case(
        faulty("QuitsAfter100"), COURSE, "round rounds", PATIENCE, "rounds", "left by QUIT after 100 rounds"
    ),
    "has other words": Case(
        faulty("WrongVerb"), COURSE, "round", PATIENCE, "round", "unknown message 'STAY'"
    ),
    "forgets a line end": Case(
        faulty("NoLineEnd"), COURSE, "round bust", SHORT, "round", "its JOIN has no line end"
    ),
    "answers its bust": Case(
        faulty("AfterBust"), COURSE, "bust", PATIENCE, "bust", "sent HIT after RESULT BUST"
    ),
    "spins": Case(
        faulty("Spins"), COURSE, "round cut", SHORT, "cut", "did not end after the connection was closed"
    ),
    "bets 010": Case(faulty("LeadingZero"), CHIPS, "bets", PATIENCE, "bets", "without a leading zero"),
    "bets too much": Case(
        faulty("OverMax"), VEGAS, "round bets few-chips", PATIENCE, "few-chips", "expected BET from 10 to"
    ),
    "insures always": Case(
        faulty("AlwaysInsures"),
        VEGAS,
        "bust",
        PATIENCE,
        "bust",
        "answered INSURE to DECISION HIT STAND DOUBLE SURRENDER, which does not",
    ),
    "splits always": Case(
        faulty("AlwaysSplits"), VEGAS, "round splits", PATIENCE, "splits", "answered SPLIT to DECISION"
    ),
    "floods": Case(faulty("Floods"), COURSE, "round", PATIENCE, "round", "floods the dealer"),
    "floods, in bash": Case(bash("flood"), COURSE, "round", PATIENCE, "round", "before it was asked"),
    "must be asked": Case(
        faulty("NeedsDecision"),
        COURSE,
        "round bust dealt-bust",
        PATIENCE,
        "dealt-bust",
        "ended with status 1 after 'RESULT BUST'",
    ),
    "must be asked at a natural": Case(
        faulty("NeedsDecision"), VEGAS, "round natural", PATIENCE, "natural", "'RESULT WIN +1.5'"
    ),
    "knows no halves": Case(
        faulty("PayoffNumber"), VEGAS, "round natural", PATIENCE, "natural", "'RESULT WIN +1.5'"
    ),
    "dies of a signal": Case(
        faulty("Kills"), COURSE, "round many-cards", PATIENCE, "many-cards", "status 139 (SIGSEGV)"
    ),
    "has room for short lines": Case(
        faulty("ShortLines"), COURSE, "round verbs long-line", PATIENCE, "long-line", "status 1 after 'NEWS"
    ),
    "has room for six cards, in C": Case(
        ("six_cards.c", *ADDRESS),
        COURSE,
        "round soft twenty-one many-cards",
        PATIENCE,
        "many-cards",
        "status 134 (SIGABRT) after 'CARD",
    ),
    "waits for a second": Case(
        faulty("Impatient"), COURSE, "slow", PATIENCE, "slow", "ended with status 1 after"
    ),
    "joins twice": Case(
        faulty("TwoJoins"), COURSE, "results", PATIENCE, "results", "though it has a seat already"
    ),
    "is silent at 21": Case(
        faulty("SilentAt21"), COURSE, "round together", SHORT, "together", "did not answer DECISION within"
    ),
    "answers RESULT": Case(
        faulty("AnswersResult"), COURSE, "dealt-bust", PATIENCE, "dealt-bust", "sent STAND after RESULT"
    ),
    "leaves at ERROR": Case(
        faulty("LeavesAtError"),
        COURSE,
        "round error",
        PATIENCE,
        "error",
        "after 1 round, when it was told 'ERROR",
    ),
    "ends lines in CR": Case(
        faulty("EndsInCr"), COURSE, "round", SHORT, "round", r"'STAND\r' came, and no line end behind it"
    ),
    "has no name": Case(
        faulty("NoName"), COURSE, "round bust", PATIENCE, "round", "JOIN takes a name without blanks"
    ),
    "asks for another page": Case(
        faulty("AnyPath"), COURSE, "round bust", SHORT, "round", "expected a WebSocket at /ws, or a JOIN"
    ),
    "does not connect": Case(
        ("true", *ADDRESS), COURSE, "round bust", PATIENCE, "round", "ended with status 0 and did not connect"
    ),
}


def program(case: Case, folder: Path) -> Case:
    """The same with its program compiled, where it is in C."""
    name, *rest = case.command
    if not name.endswith(".c"):
        return case
    compiler = shutil.which("cc")
    if compiler is None:
        return case._replace(command=())
    built = folder / name.removesuffix(".c")
    subprocess.run([compiler, "-Wall", "-o", built, BOTS / name], check=True)
    return case._replace(command=(str(built), *rest))


async def check_all(cases: Mapping[str, Case]) -> dict[str, list[Found]]:
    places = asyncio.Semaphore(AT_ONCE)

    async def check_one(case: Case) -> list[Found]:
        situations = [each for each in SITUATIONS if not case.only or each.name in case.only.split()]
        order = Order(tuple(case.command), case.rules, case.patience, at_once=3)
        async with places:
            return [found async for found in check(order, situations)] if case.command else []

    done = await asyncio.gather(*map(check_one, cases.values()))
    return dict(zip(cases, done, strict=True))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Found]]:
    """What came of every program."""
    folder = tmp_path_factory.mktemp("programs")
    cases = {name: program(case, folder) for name, case in {**RIGHT, **FAULTY}.items()}
    return asyncio.run(check_all(cases))


@pytest.mark.parametrize("name", RIGHT)
def test_a_program_that_follows_the_protocol_passes(found: dict[str, list[Found]], name: str) -> None:
    if not found[name]:
        pytest.skip("there is no C compiler")
    failed = [
        (each.name, each.fault, list(each.transcript), list(each.errors))
        for each in found[name]
        if not each.passed
    ]
    assert not failed
    wanted = RIGHT[name].only.split()
    assert len(found[name]) > 1 and (not wanted or len(found[name]) <= len(wanted))


@pytest.mark.parametrize("name", FAULTY)
def test_a_program_with_one_fault_is_told_it(found: dict[str, list[Found]], name: str) -> None:
    if not found[name]:
        pytest.skip("there is no C compiler")
    case = FAULTY[name]
    failed = [each for each in found[name] if not each.passed]
    assert [each.name for each in failed] == case.failing.split(), [each.fault for each in failed]
    assert case.words in str(failed[0].fault)
    assert name != "is silent at 21" or failed[0].fault == failed[0].plain, "the packets are not the reason"
    assert failed[0].transcript or case.words.endswith("connect")
