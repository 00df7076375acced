"""SPEC.md says what the code does."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

import dealer.lobby.opening
import dealer.state.journal
import dealer.state.restoring
import dealer.tables.config
import dealer.tables.room
import protocol
import protocol.diagram
import protocol.table
from cards import (
    PRESETS,
    Bets,
    Decision,
    Outcome,
    Rank,
    Round,
    Rules,
    SeatState,
    StackedShoe,
    Suit,
    Tally,
    parse_card,
)
from cards.rules import FIRST_VALUES
from dealer.cli import app
from dealer.console import summary
from dealer.lobby.opening import KEYS, setup_from
from dealer.network.server import DealerServer
from dealer.tables.config import Config, Setup
from dealer.tables.history import round_as_json
from dealer.tables.seat import Seat
from dealer.tables.table import Phase
from protocol import (
    FORMS,
    Open,
    RefusalError,
    Resume,
    RulesReply,
    Word,
    decode_dealer,
    decode_player,
)
from protocol.codec import RESULT_WORDS
from protocol.diagram import diagram
from protocol.messages import PLAYER_KINDS
from protocol.table import (
    DealerView,
    HandView,
    SeatResult,
    SeatView,
    ShoeView,
    TableSummary,
    TablesView,
    TableView,
)
from tests.helpers.house import open_house
from tests.helpers.transcript import FOLDER, read_transcript

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text(encoding="utf-8")


SOMETIMES = {"may_start", "may_add_bot", "gets_seat", "gives_way", "dealer_name"}
"""The keys of a TABLE and its seats that are there only where they are true, or the dealer has a name."""


def section(title: str) -> str:
    """The text under a heading, up to the next heading."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", SPEC, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def first_cells(text: str) -> list[str]:
    """What stands in code style in the first column of the tables."""
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`(.*?)`", row)]


def tables(title: str) -> list[str]:
    """The tables of a section, each as text."""
    return re.findall(r"(?:^\|.*\n)+", section(title), re.MULTILINE)


def rows(table: str) -> list[list[str]]:
    """The cells of each row below the head."""
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.strip().splitlines()[2:]]


def test_the_diagram_is_the_table() -> None:
    (block,) = re.findall(r"```mermaid\n(.*?)\n```", SPEC, re.DOTALL)
    assert block == diagram()


def test_the_diagram_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert protocol.diagram.__file__ is not None
    runpy.run_path(protocol.diagram.__file__, run_name="__main__")
    assert capsys.readouterr().out == diagram() + "\n"


def test_every_message_has_a_row() -> None:
    short = {
        protocol.DecisionRequest: "DECISION [<decision> ...]",
        protocol.Result: "RESULT <outcome> [<payoff>]",
    }
    listed = [(cells[0], cells[1]) for table in tables("Messages") for cells in rows(table)]
    assert sorted(listed) == sorted(
        (f"`{short.get(message, form)}`", "player" if message in PLAYER_KINDS else "dealer")
        for message, form in FORMS.items()
    )


def test_ranks_suits_and_outcomes_are_spelt_out() -> None:
    text = section("Messages")
    for word in [*(each.title for each in (*Rank, *Suit)), *RESULT_WORDS.values()]:
        assert re.search(rf"\b{word}\b", text), word


def test_the_fields_of_the_rules() -> None:
    old, new = tables("The fields of RULES")
    assert [cells[0].strip("`") for cells in rows(old)] == list(Rules().fields())
    keys = [cells[0].strip("`") for cells in rows(new)]
    assert keys == list(Rules(bets=Bets(1, 2), bankroll=5).new_fields())
    first = {key: value.split("`")[1] for (_, value), key in zip(rows(new), keys, strict=True)}
    assert {key: first[key] for key in FIRST_VALUES} == dict(FIRST_VALUES)
    assert all(f"`{preset}`" in section("The fields of RULES") for preset in PRESETS)


def test_the_round_is_one_of_the_transcripts() -> None:
    written = [line.strip() for line in section("A round").splitlines() if re.match(r"    [<>] ", line)]
    steps = read_transcript(FOLDER / "plain_round.txt").steps
    assert written == [f"{mark} {text}" for mark, text in steps if mark != "--"]


LIMITS = re.findall(r"^\| `([A-Z_]+)` \| ([0-9,]+)", section("Limits and faults"), re.MULTILINE)
INLINE = [
    (name, number)
    for number, name in re.findall(r"([0-9][0-9,]*(?:\.[0-9]+)?)[^0-9|`]{0,60}\(`([A-Z_]+)`\)", SPEC)
    if name != "CLASSIC_PACE"
]


def constant(name: str) -> float:
    """A constant, which is the same in every module that has it."""
    modules = [each for key, each in sys.modules.items() if key.split(".")[0] in ("protocol", "dealer")]
    (value,) = {vars(module)[name] for module in modules if name in vars(module)}
    assert isinstance(value, int | float)
    return value


def test_all_limits_are_listed_and_are_the_constants() -> None:
    assert (len(dict(LIMITS)), len(dict(INLINE))) == (44, 43)  # so none is left out unseen
    for name, number in LIMITS + INLINE:
        assert constant(name) == float(number.replace(",", "")), name


def test_times_that_are_told_in_words_are_the_constants() -> None:
    assert "gives the peer a second (`LINGER`)" in SPEC
    assert constant("LINGER") == 1
    assert "the pause is longer by 0.7 s for the hole card" in SPEC
    assert dealer.tables.room.TURN_TIME == 0.7
    assert "at least 25 ms apart (`CLASSIC_PACE`)" in SPEC
    assert constant("CLASSIC_PACE") >= 0.025


def test_the_options_are_the_commands() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", SPEC))
    known = {option for parameter in typer.main.get_command(app).params for option in parameter.opts}
    assert {"--seats", "--bots", "--tables", "--practice", "--pause", "--lobby"} <= named <= known


def values(table: str, key: str) -> set[str]:
    """What stands in code style in the row of a key, beside the key."""
    (text,) = [cells[-1] for cells in rows(table) if cells[0] == f"`{key}`"]
    return set(re.findall(r"`([^`]+)`", text))


def keys_of(text: str) -> list[str]:
    """The keys in the first cells of tables."""
    return re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize(("rules", "seats"), [("casino", 3), ("showdown", 3), ("vegas bets=10-80", 2)])
def test_the_keys_of_a_table_and_its_rules_at_a_seat(rules: str, seats: int) -> None:
    options = f"seats={seats} bots={seats - 1} bot-policy=threshold:17 pause=0 bot-delay=0"
    with open_house(seed=1) as house:
        ada = house.connect()
        ada.say("RULES", f"OPEN preset={rules} {options}", "JOIN ada 1", "RULES")
        lines = ada.play()
    of_table, of_seat, of_dealer, of_shoe = ({*keys_of(each)} for each in tables("The keys of TABLE"))
    new = tables("The keys of TABLE at a table with payoffs")
    more, more_of_seat, of_hand = ({*keys_of(each)} for each in new)
    has_bets = "bets" in rules
    of_its_own = replace(PRESETS[rules.split()[0]], seats=seats, bets=Bets(10, 80) if has_bets else None)
    shown = [json.loads(line.removeprefix("TABLE ")) for line in lines if line.startswith("TABLE ")]
    assert {each["phase"] for each in shown} >= {"waiting", "playing", "results", *["betting"] * has_bets}
    for snapshot in shown:
        assert {*snapshot} - SOMETIMES == (of_table | more if has_bets else of_table) - SOMETIMES
        assert {*snapshot["shoe"]} == of_shoe
        assert (snapshot["rules"], len(snapshot["seats"])) == (of_its_own.fields(), seats)
        assert snapshot["dealer"] is None or {*snapshot["dealer"]} == of_dealer
        assert has_bets or (snapshot["dealer"] is None) == (rules == "showdown")
        for seat in snapshot["seats"]:
            assert {*seat} >= of_seat - SOMETIMES
            assert {*seat} - of_seat in ((set(), {"bankroll", "bet"}, more_of_seat) if has_bets else (set(),))
            assert all({*hand} == of_hand for hand in seat.get("hands", []))
    assert any("hands" in seat for each in shown for seat in each["seats"]) == has_bets
    told = [decode_dealer(line.encode()) for line in lines if line.startswith("RULES ")]
    assert told == [RulesReply(Rules()), RulesReply(of_its_own)]
    assert "`RULES` at a seat tells the rules of that table" in " ".join(SPEC.split())


def test_the_keys_and_words_of_a_table_are_its_types() -> None:
    of_table, of_seat, of_dealer, of_shoe = tables("The keys of TABLE")
    more, more_of_seat, of_hand = tables("The keys of TABLE at a table with payoffs")
    written = (of_table + more, of_seat + more_of_seat, of_dealer, of_shoe, of_hand)
    for text, view in zip(written, (TableView, SeatView, DealerView, ShoeView, HandView), strict=True):
        assert sorted(keys_of(text)) == sorted(view.__annotations__)
    of_answer, of_listed = tables("The tables")
    assert keys_of(of_answer) == list(TablesView.__annotations__)
    cells = "".join(line.split("|")[1] for line in of_listed.splitlines())
    assert sorted(re.findall("`([a-z_]+)`", cells)) == sorted(TableSummary.__annotations__)
    # The words, which are those of the game.
    assert (
        set(get_args(protocol.table.Phase)) == {phase.value for phase in Phase} == values(of_table, "phase")
    )
    # A player who forfeits has left, and the seat is empty.
    states = {state.value for state in SeatState} - {SeatState.FORFEITED.value}
    assert set(get_args(protocol.table.SeatState)) == {"empty", "waiting", "natural"} | states
    assert values(of_seat, "state") == set(get_args(protocol.table.SeatState))
    outcomes = {outcome.value for outcome in Outcome}
    assert set(get_args(SeatResult)) == outcomes == values(of_seat, "result")


def test_the_losses_of_a_tally_are_the_outcomes_that_are_named() -> None:
    (named,) = re.findall(r"`losses` are all rounds that ended with ([^`]*?),\s+whatever their payoff", SPEC)
    words = re.findall("[A-Z]+", named)
    assert set(words) <= set(RESULT_WORDS.values())
    for outcome, word in RESULT_WORDS.items():
        tally = Tally()
        tally.add(outcome, -2)
        assert tally.losses == (word in words)


def test_every_word_of_refused_has_a_row() -> None:
    assert first_cells(section("The words of REFUSED")) == [word.value for word in Word]


def opened(**options: Any) -> Setup:
    """The table that an OPEN with these options asks for."""
    return setup_from(Open(tuple((key.replace("_", "-"), str(value)) for key, value in options.items())))


def test_the_keys_of_open_and_their_defaults() -> None:
    (table,) = tables("Opening a table")
    assert first_cells(table) == list(KEYS)
    written = {cells[0].strip("`"): cells[1].strip("`") for cells in rows(table) if cells[1].startswith("`")}
    assert set(written) == {"preset", "seats", "bot-policy", "practice", "pause", "bot-delay"}
    assert opened() == opened(**written)
    assert dict(dealer.lobby.opening.DEFAULTS).items() <= written.items()
    assert opened().rules == replace(PRESETS[written["preset"]], seats=int(written["seats"]))
    config = dealer.tables.config
    assert (opened().pause, opened().bot_delay) == (config.PAUSE, config.BOT_DELAY)
    for seats in range(2, 10):
        assert opened(seats=seats).bots == seats - 1  # one less than the seats
        assert opened(seats=seats, bots=1).people == seats - 1  # all that are not the bots'


def test_the_values_of_open_are_taken_and_no_others() -> None:
    (table,) = tables("Opening a table")
    for policy in values(table, "bot-policy") - {"showdown"}:
        assert opened(bot_policy=policy.replace("N", "0")).bot_policy
        if policy != "qtable":
            opened(bot_policy=policy.replace("N", "22"), preset="showdown")
    for switch in values(table, "practice"):
        assert opened(practice=switch).practice == (switch == "on")
    assert values(table, "seats") - {"showdown"} == {"1", "9", "2"}
    assert [opened(seats=1).rules.seats, opened(preset="showdown", seats=2).rules.seats] == [1, 2]
    assert [opened(seats=9, bots=bots).bots for bots in (0, 9)] == [0, 9]
    assert [opened(pause=seconds).pause for seconds in (0, 600)] == [0, 600]
    assert [opened(bot_delay=seconds).bot_delay for seconds in (0, 0.06, 600)] == [0.05, 0.06, 600]
    for refused in (
        *({"seats": 0}, {"seats": 10}, {"preset": "showdown", "seats": 1}, {"bots": 6}, {"pause": 601}),
        *({"bot_policy": "threshold:23"}, {"bot_policy": "qtable", "preset": "showdown"}),
        *({"practice": "yes"}, {"bot_delay": 601}, {"pause": -1}, {"colour": "green"}),
    ):
        with pytest.raises(RefusalError):
            opened(**refused)
    assert setup_from(Open((("seats", "2"), ("seats", "3")))).rules.seats == 3  # the last one counts


def test_what_is_opened_as_an_example_can_be_opened() -> None:
    (line,) = re.findall(r"`(OPEN [^`<]+)`", section("Opening a table"))
    message = decode_player(line.encode())
    assert isinstance(message, Open)
    assert setup_from(message).rules.preset == "showdown"


def test_who_comes_back_says_and_hears_real_messages() -> None:
    lines = [line.strip() for line in section("Coming back").splitlines() if re.match(r"    [<>] ", line)]
    assert isinstance(decode_player(lines[0].removeprefix("> ").encode()), Resume)
    for line in lines[1:]:
        assert decode_dealer(line.removeprefix("< ").encode()) is not None


def test_the_keys_of_dealer_json() -> None:
    server = DealerServer(Config(port=0, rounds=0))
    assert first_cells(tables("JSON")[0]) == list(summary(server))
    for key in Tally().as_json():
        assert f"`{key}`" in section("JSON")


def bust_and_stand() -> Iterator[Round]:
    """Rounds in which everything happens that can be recorded."""
    hard = "Ten of Spades, Six of Spades, Ten of Hearts, Six of Hearts, Nine of Spades, Nine of Hearts"
    pair = "Eight of Spades, Eight of Hearts, Ace of Clubs, Six of Clubs, Ten of Clubs, Ten of Hearts"
    with_bets = replace(PRESETS["vegas"], bets=Bets(10, 80))
    for rules, cards, decisions in (
        (Rules(), hard, "HIT"),
        (Rules(), hard, "STAND"),
        (Rules(), hard, ""),
        (with_bets, f"{pair}, Four of Clubs", "DECLINE SPLIT STAND STAND"),
    ):
        round_ = Round(rules, StackedShoe([parse_card(text) for text in cards.split(", ")]))
        round_.deal()
        for decision in decisions.split():
            round_.decide(0, Decision(decision))
        if not decisions:
            round_.forfeit(0)
        yield round_


def test_the_keys_and_records_of_the_history() -> None:
    of_line, of_seat, of_hand, records = tables("The history")
    seat = Seat("ada")
    seat.bet = 10
    documents = [round_as_json(1, round_, [seat], table=1, time="") for round_ in bust_and_stand()]
    *_, whole = documents
    assert all(list(document) == first_cells(of_line) for document in documents)
    assert list(whole["seats"][0]) == first_cells(of_seat)
    assert list(whole["seats"][0]["hands"][0]) == first_cells(of_hand)
    written = {record["record"]: list(record) for document in documents for record in document["records"]}
    rows = re.findall(r"^\| (`.*?) \| (`.*?) \|", records, re.MULTILINE)
    described = {
        kind: ["record", *re.findall("`(.*?)`", keys)]
        for kinds, keys in rows
        for kind in re.findall("`(.*?)`", kinds)
    }
    assert written == described
    assert {outcome.value for outcome in Outcome} == values(of_line, "outcomes")
