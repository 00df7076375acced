"""The history of a dealer: every line is as its schema says, and plays the same round again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import (
    PRESETS,
    Ace,
    Bets,
    Decision,
    HoleCard,
    Naturals,
    Outcome,
    Payoff,
    Round,
    Rules,
    StackedShoe,
    Surrender,
)
from dealer.tables.budget import Budget
from dealer.tables.history import History, hide_unseen, record_as_json, round_as_json
from dealer.tables.lines import LinesFile
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import payoff_text
from protocol.names import wire_name
from tests.dealer.conftest import Open
from tests.helpers.house import stacked
from tests.helpers.rounds import played, played_again
from tests.helpers.schema import faults

SCHEMA: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "docs/reference/history.schema.json").read_text(encoding="utf-8")
)
TIME: Final = "2026-11-23T04:05:06.789Z"

VEGAS: Final = PRESETS["vegas"]
SEVERAL_SEATS: Final = [
    Rules(preset="casino", decks=4, seats=3),
    Rules(preset="course", seats=9),
    Rules(preset="course", ace=Ace.ELEVEN, seats=5),
    Rules(preset="showdown", dealer_stands=None, seats=4),
    replace(VEGAS, seats=5),
    replace(VEGAS, seats=2, surrender=Surrender.EARLY, bets=Bets(10, 80)),
    replace(VEGAS, decks=1, surrender=Surrender.NONE, hole_card=HoleCard.OBO, naturals=Naturals.SIX_TO_FIVE),
    replace(PRESETS["reno"], seats=3),
]


def taken(rules: Rules) -> list[Seat]:
    """Seats that are taken; where bets are asked, each has staked some chips."""
    seats = []
    for number in range(rules.seats):
        seat = Seat(f"seat{number}")
        seat.connection = number + 1 if number % 2 == 0 else None
        seat.bet = None if rules.bets is None else rules.bets.minimum * (number + 1)
        seats.append(seat)
    return seats


def line(round_: Round, seats: list[Seat] | None = None) -> dict[str, Any]:
    """A round as it is read from the history."""
    seats = taken(round_.rules) if seats is None else seats
    told: dict[str, Any] = json.loads(json.dumps(round_as_json(7, round_, seats, table=3, time=TIME)))
    return told


@given(
    rules=st.sampled_from([*PRESETS.values(), *SEVERAL_SEATS]),
    seed=st.integers(0, 10**6),
    actions=st.text("hhsoof", max_size=30),
    means=st.lists(st.sampled_from([1, Fraction(3, 2), 2, Fraction(51, 10), 8]), min_size=9, max_size=9),
    plain=st.sets(st.integers(0, 8), max_size=2),
)
def test_a_line_is_as_its_schema_says_and_plays_the_same_round_again(
    rules: Rules, seed: int, actions: str, means: list[Payoff], plain: set[int]
) -> None:
    has_bets = rules.bets is not None
    round_ = played(rules, seed, actions, means=means[: rules.seats] if has_bets else None, plain=plain)
    told = line(round_)
    assert faults(told, SCHEMA) == []
    again = played_again(told)
    assert again.records == round_.records
    assert (again.outcomes, again.payoffs) == (round_.outcomes, round_.payoffs)
    assert told["outcomes"] == [outcome.value for outcome in round_.outcomes if outcome is not None]
    for number, (seat, payoff) in enumerate(zip(told["seats"], round_.payoffs, strict=True)):
        assert (seat["insurance"] is not None) == round_.insured[number]
        parts = [*(hand["payoff"] for hand in seat["hands"]), seat["insurance"] or 0]
        assert sum(map(Fraction, parts)) == Fraction(seat["payoff"]) == payoff
    assert line(again) == told


def split_to_two_hands() -> Round:
    """A pair of eights that is split against a six, and doubled once."""
    pair = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs"
    drawn = "Three of Clubs, Ten of Hearts, Nine of Clubs, Ten of Spades"
    rules = replace(VEGAS, bets=Bets(10, 80))
    round_ = Round(rules, StackedShoe(stacked(f"{pair}, {drawn}")), means=[Fraction(75, 20)])
    round_.deal()
    for decision in (Decision.SPLIT, Decision.DOUBLE, Decision.STAND):
        round_.decide(0, decision)
    return round_


def test_what_a_line_says_of_a_seat() -> None:
    ann = Seat("ann")
    ann.connection, ann.bet = 12, 20
    told = line(split_to_two_hands(), [ann])
    assert (told["names"], told["outcomes"], told["payoffs"]) == (["ann"], ["WIN"], ["+3"])
    (seat,) = told["seats"]
    first, second = seat.pop("hands")
    assert list(seat.items()) == [
        *[("connection", 12), ("name", "ann"), ("bet", "20"), ("bankroll", "75"), ("insured", False)],
        *[("plain", False), ("payoff", "+3"), ("insurance", None)],
    ]
    play = ["HIT", "STAND", "DOUBLE"]
    assert first == {
        "cards": ["Eight of Spades", "Three of Clubs", "Ten of Hearts"],
        "stake": "2",
        "decisions": [
            {"options": [*play, "SPLIT", "SURRENDER"], "decision": "SPLIT"},
            {"options": play, "decision": "DOUBLE"},
        ],
        "outcome": "WIN",
        "payoff": "+2",
    }
    decisions = [{"options": ["HIT", "STAND"], "decision": "STAND"}]
    cards = ["Eight of Hearts", "Nine of Clubs"]
    assert second == {"cards": cards, "stake": "1", "decisions": decisions, "outcome": "WIN", "payoff": "+1"}


@pytest.mark.parametrize(
    ("hole", "payoff", "insurance", "of_hand"),
    [("King of Hearts", "0", "+1", "-1"), ("Nine of Hearts", "-1.5", "-0.5", "-1")],
)
def test_the_payoff_of_insurance_is_told_apart(hole: str, payoff: str, insurance: str, of_hand: str) -> None:
    shoe = StackedShoe(stacked(f"Ten of Spades, Nine of Spades, Ace of Clubs, {hole}"))
    round_ = Round(VEGAS, shoe)
    round_.deal()
    round_.decide(0, Decision.INSURE)
    if round_.turn is not None:
        round_.decide(0, Decision.STAND)
    (seat,) = line(round_)["seats"]
    assert (seat["payoff"], seat["insurance"]) == (payoff, insurance)
    assert [hand["payoff"] for hand in seat["hands"]] == [of_hand]


def types_of(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Each place of a line, entries of a list being one place, with the type of its value; null has none."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from types_of(each, f"{at}.{key}")
    elif isinstance(value, list):
        for each in value:
            yield from types_of(each, f"{at}[]")
    elif value is not None:
        yield at, type(value).__name__


def keys_of(told: dict[str, Any]) -> dict[str, list[str]]:
    """The keys of each kind of object in a line but those of its rules, in their order."""
    kinds = {f"the record {record['record']}": list(record) for record in told["records"]}
    return {"line": list(told), "seat": list(told["seats"][0]), **kinds}


@pytest.mark.parametrize("actions", ["", "hh", "f", "ooosos"])
def test_keys_are_the_same_and_have_one_type_under_all_rules(actions: str) -> None:
    """So a data frame takes a file whose first natural, split or bet comes late."""
    types: dict[str, str] = {}
    keys: dict[str, list[str]] = {}
    for rules in [*PRESETS.values(), *SEVERAL_SEATS, replace(VEGAS, bets=Bets(10, 80))]:
        for seed in range(8):
            means = [8] * rules.seats if rules.bets else None
            told = line(played(rules, seed, actions, means=means))
            for place, kind in types_of(told):
                assert types.setdefault(place, kind) == kind, (place, rules, seed)
            for of, found in keys_of(told).items():
                assert keys.setdefault(of, found) == found, (of, rules, seed)
    assert (types[".payoffs[]"], types[".records[].seat"]) == ("str", "int")


def test_what_a_line_says_without_a_bet() -> None:
    told = line(played(Rules(), 1), [Seat("ann")])
    assert (told["version"], told["round"], told["table"], told["time"]) == (2, 7, 3, TIME)
    assert told["rules"] == Rules().fields()
    payoff = payoff_text(Outcome[told["outcomes"][0]].payoff)
    result = {"outcome": told["outcomes"][0], "payoff": payoff}
    assert told["records"][-1] == {"record": "settled", "seat": 0, **result}
    assert told["payoffs"] == [payoff]
    (seat,) = told["seats"]
    assert (seat["payoff"], seat["bet"], seat["bankroll"], seat["insured"]) == (payoff, None, None, False)


def test_what_is_hidden_in_one_line_is_told_in_every_other() -> None:
    """What somebody sees of a round again changes nothing in the file that the dealer writes."""
    rules = Rules(preset="casino")
    bust = "Ten of Spades, Six of Hearts, Six of Clubs, Nine of Clubs, Ten of Hearts"
    lines = []
    for _ in range(2):
        round_ = Round(rules, StackedShoe(stacked(bust)))
        round_.deal()
        round_.decide(0, Decision.HIT)
        lines.append(line(round_))
        told = round_as_json(7, round_, taken(rules), table=3, time=TIME)
        hide_unseen(told)
        assert {"record": "hole card", "card": None} in told["records"]
    assert lines[0] == lines[1]
    assert {"record": "hole card", "card": "Nine of Clubs"} in lines[1]["records"]


WRONG_RECORDS: Final = (
    ["upcard", "Ace of Spades"],
    {"record": "card", "seat": 0, "hand": 0},
    {"record": "card", "seat": 9, "hand": 0, "card": "Ace of Spades"},
    {"record": "card", "seat": 0, "hand": 0, "card": "Ace of Spades", "payoff": "0"},
    {"record": "drew", "card": "Ace"},
    {"record": "upcard", "card": None},
    {"record": "shuffled"},
    {"record": "peeked", "natural": 1},
    {"record": "settled", "seat": 0, "outcome": "WIN", "payoff": 1},
)
"""Records of version 1, with a key too few or too many, or with a wrong value."""


def spoilt(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Lines that are wrong in one place each."""
    (seat,) = told["seats"]
    hand = seat["hands"][0]
    yield {key: value for key, value in told.items() if key != "time"}
    for key, *values in (
        ("colour", "green"),
        ("version", 1, 3),
        ("round", 0),
        ("time", "2026-11-23 04:05:06"),
        ("rules", {"seats": 1}),
        ("names", *([name] for name in ("", " a", "a ", "a  b", "a\x1b[2J", "a\u00a0b", "a" * 33))),
        ("outcomes", ["LOOSE"]),
        ("payoffs", [1], [1.5], ["1.5"], ["+1.50"]),
        ("records", *([record] for record in WRONG_RECORDS)),
    ):
        yield from ({**told, key: value} for value in values)
    spoilt_hands = ({"stake": 2}, {"payoff": 2}, {"decisions": [{"options": ["HIT"]}]})
    spoilt_seats: list[dict[str, Any]] = [
        {key: value for key, value in seat.items() if key != "insurance"},
        *({**seat, key: value} for key, value in (("connection", 0), ("bankroll", 95), ("payoff", 3))),
        *({**seat, key: value} for key, value in (("insurance", "none"), ("hands", []))),
        *({**seat, "hands": [hand | wrong]} for wrong in spoilt_hands),
    ]
    yield from ({**told, "seats": [each]} for each in spoilt_seats)


def test_the_schema_refuses_what_is_wrong() -> None:
    told = line(split_to_two_hands())
    assert faults(told, SCHEMA) == []
    for wrong in spoilt(told):
        assert faults(wrong, SCHEMA) != [], wrong


def test_the_rounds_of_a_real_dealer_with_splits_and_bets_can_be_played_again(
    opened: Open, tmp_path: Path
) -> None:
    """One player and two bots give any answer that is allowed."""
    path, name, random = tmp_path / "history", "José 王 🂡", Random(1)
    rules = replace(VEGAS, seats=3, bets=Bets(10, 80), bankroll=100_000)
    house = opened(rules=rules, bots=2, bot_policy="random", rounds=30, history=path, seed=4)
    peer = house.join(f"JOIN {wire_name(name)}")
    while (heard := peer.hear_until("DECISION", "QUIT")[-1]) != "QUIT":
        _, *words = heard.split()
        peer.say(f"BET {random.randint(10, 80)}" if words[0] == "BET" else random.choice(words))
    house.wait()
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    assert [told["round"] for told in lines] == list(range(1, 31))
    assert sorted(told["time"] for told in lines) == [told["time"] for told in lines]
    chips = Fraction(100_000)
    for told in lines:
        assert faults(told, SCHEMA) == []
        assert told["names"] == [seat["name"] for seat in told["seats"]]
        assert [seat["connection"] for seat in told["seats"]] == [1, None, None]
        again = played_again(told)
        assert [record_as_json(record) for record in again.records] == told["records"]
        of_player = told["seats"][0]
        assert (of_player["name"], Fraction(of_player["bankroll"])) == (name, chips)
        chips += Fraction(of_player["payoff"]) * int(of_player["bet"])
    records = [record for told in lines for record in told["records"]]
    decided = {record["decision"] for record in records if record["record"] == "decided"}
    assert decided >= {"HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER", "INSURE", "DECLINE"}


def test_what_the_clock_decided_is_late() -> None:
    """A player who does not answer stands; the history says that the clock did it, and of nobody else."""
    late: list[list[list[bool]]] = []

    def settle(round_: Round, seats: Sequence[Seat]) -> None:
        hands = [seat["hands"] for seat in line(round_, list(seats))["seats"]]
        late.append([[each.get("late", False) for each in hand["decisions"]] for (hand,) in hands])

    shoe = StackedShoe(stacked(", ".join(["Ten of Hearts"] * 20)))
    table = Table(replace(VEGAS, seats=2), shoe, Budget(2), settle)
    ann, bob = Seat("ann"), Seat("bob")
    table.sit(ann)
    table.sit(bob)
    table.decide(ann, Decision.STAND)
    table.time_out(bob)
    table.time_out(ann)
    table.decide(bob, Decision.STAND)
    assert late == [[[False], [True]], [[True], [False]]]


def test_each_line_holds_the_chain_of_those_before(tmp_path: Path) -> None:
    """`chain` is SHA-256 over that of the line before and the line's own text without it."""
    file = LinesFile("history", tmp_path / "rounds.jsonl", print)
    history = History(file)
    seat = Seat("ann")
    seat.stake(20)
    for _ in range(3):
        history.add(1, split_to_two_hands(), [seat])
    file.close()
    before = ""
    for text in (tmp_path / "rounds.jsonl").read_text().splitlines():
        bare, _, end = text.rpartition(', "chain": ')
        before = sha256(f"{before}{bare}}}".encode()).hexdigest()
        assert end == f'"{before}"}}'
        assert faults(json.loads(text), SCHEMA) == []
