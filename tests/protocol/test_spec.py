"""SPEC.md says what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dealer.connection
import dealer.server
import protocol
import protocol.websocket
from cards import PRESETS, Decision, Outcome, Rank, Round, Rules, StackedShoe, Suit, Tally, parse_card
from dealer.console import summary
from dealer.ledger import round_as_json
from dealer.server import Config, DealerServer
from protocol import FORMS, decode_dealer, encode
from protocol.diagram import diagram
from tests.peer import FOLDER, read_transcript

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text under a heading, up to the next heading."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", SPEC, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def first_cells(text: str) -> list[str]:
    """What stands in code style in the first column of the tables."""
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`(.*?)`", row)]


def test_the_diagram_is_the_table() -> None:
    (block,) = re.findall(r"```mermaid\n(.*?)\n```", SPEC, re.DOTALL)
    assert block == diagram()


def test_the_diagram_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "protocol.diagram"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == diagram() + "\n"


def test_every_message_has_a_row() -> None:
    result = "RESULT <outcome>"
    assert set(first_cells(section("Messages"))) == {
        result if form.startswith("RESULT") else form for form in FORMS.values()
    }


def test_ranks_suits_and_outcomes_are_spelt_out() -> None:
    text = section("Messages")
    for word in [*(rank.title for rank in Rank), *(suit.title for suit in Suit)]:
        assert re.search(rf"\b{word}\b", text), word
    for message in protocol.RESULTS.values():
        assert f"`{encode(message).decode().removeprefix('RESULT ')}`" in text


def test_the_fields_of_the_rules() -> None:
    assert first_cells(section("The fields of RULES")) == list(Rules().fields())
    text = section("The fields of RULES")
    for preset in PRESETS:
        assert f"`{preset}`" in text


def test_the_round_is_one_of_the_transcripts() -> None:
    written = [line.strip() for line in section("A round").splitlines() if re.match(r"    [<>] ", line)]
    steps = read_transcript(FOLDER / "plain_round.txt").steps
    assert written == [f"{mark} {text}" for mark, text in steps if mark != "--"]
    for line in written:
        if line.startswith("< "):
            assert decode_dealer(line.removeprefix("< ").encode()) is not None


LIMITS = re.findall(r"^\| `([A-Z_]+)` \| ([0-9,]+)", section("Limits and faults"), re.MULTILINE)
INLINE = [
    ("MAX_NAME", 32),
    ("MAX_JOIN_ROUNDS", 1_000_000_000_000),
    ("LINGER", 1),
    ("GRACE", 5),
]


def constant(name: str) -> float:
    """A constant, from the module that has it."""
    modules = (protocol, protocol.websocket, dealer.connection, dealer.server)
    value = next(vars(module)[name] for module in modules if name in vars(module))
    assert isinstance(value, int | float)
    return value


def test_all_limits_are_listed() -> None:
    assert {name for name, _ in LIMITS} == {
        "MAX_LINE",
        "MAX_DEALER_LINE",
        "MAX_HEAD",
        "MAX_VIOLATIONS",
        "JOIN_TIMEOUT",
        "DECISION_CLOCK",
        "MAX_CONNECTIONS",
        "WRITE_LIMIT",
    }


@pytest.mark.parametrize(
    ("name", "value"), [*((name, int(n.replace(",", ""))) for name, n in LIMITS), *INLINE]
)
def test_the_limits_are_the_constants(name: str, value: int) -> None:
    assert constant(name) == value
    assert f"`{name}`" in SPEC


def test_the_pace_keeps_what_is_promised() -> None:
    assert "at least 25 ms apart (`CLASSIC_PACE`)" in SPEC
    assert constant("CLASSIC_PACE") >= 0.025


def json_tables() -> list[str]:
    """The tables of the section on JSON, each as text."""
    return re.findall(r"(?:^\|.*\n)+", section("JSON"), re.MULTILINE)


def test_the_keys_of_dealer_json() -> None:
    server = DealerServer(Config(port=0, rounds=0))
    assert first_cells(json_tables()[0]) == list(summary(server))
    for key in Tally().as_json():
        assert f"`{key}`" in section("JSON")


def bust_and_stand() -> list[Round]:
    """Rounds in which everything happens that can be recorded."""
    cards = "Ten of Spades, Six of Spades, Ten of Hearts, Six of Hearts, Nine of Spades, Nine of Hearts"
    rounds = []
    for decisions in ([Decision.HIT], [Decision.STAND], []):
        round_ = Round(Rules(), StackedShoe([parse_card(text) for text in cards.split(", ")]))
        round_.deal()
        for decision in decisions:
            round_.decide(0, decision)
        if not decisions:
            round_.forfeit(0)
        rounds.append(round_)
    return rounds


def test_the_keys_and_records_of_the_history() -> None:
    _, keys, records = json_tables()
    documents = [round_as_json(1, round_, ["ada"]) for round_ in bust_and_stand()]
    assert all(list(document) == first_cells(keys) for document in documents)
    kinds = {record[0] for document in documents for record in document["records"]}
    assert kinds == {found[1] for found in re.finditer(r'`\["([a-z ]+)"', records)}
    assert {outcome.value for outcome in Outcome} == set(re.findall(r"`([A-Z]{3,4})`", keys))
