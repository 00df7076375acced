"""What a dealer remembers: a tally for each seat, and a history that deals every round again."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import (
    PRESETS,
    Ace,
    Decision,
    Outcome,
    Round,
    Rules,
    StackedShoe,
    parse_card,
    rules_from,
    seeded,
    shoe_for,
)
from dealer.tables import ledger
from dealer.tables.ledger import OTHERS, History, Ledger, round_as_json
from dealer.tables.seat import Seat

SEVERAL_SEATS = [
    Rules(preset="casino", decks=4, seats=3),
    Rules(preset="course", seats=9),
    Rules(preset="course", ace=Ace.ELEVEN, seats=5),
    Rules(preset="showdown", dealer_stands=None, seats=4),
]


def played(rules: Rules, seed: int, actions: str = "") -> Round:
    """A round over which `actions` say what each turn brings: (h)it, (f)orfeit, else stand."""
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    round_.deal()
    steps = iter(actions)
    while (seat := round_.turn) is not None:
        action = next(steps, "s")
        if action == "f":
            open_seats = [other for other in range(rules.seats) if round_.can_forfeit(other)]
            round_.forfeit(open_seats[-1])  # perhaps out of turn
        else:
            round_.decide(seat, Decision.HIT if action == "h" else Decision.STAND)
    return round_


def dealt_again(line: str) -> Round:
    """The round of a line of the history, played once more through the engine."""
    told: dict[str, Any] = json.loads(line)
    cards = [parse_card(text) for kind, *_, text in told["records"] if kind in DEALT]
    round_ = Round(rules_from(told["rules"]), StackedShoe(cards))
    round_.deal()
    for kind, *rest in told["records"]:
        if kind == "decided":
            round_.decide(rest[0], Decision(rest[1]))
        elif kind == "forfeited":
            round_.forfeit(rest[0])
    return round_


DEALT = ("card", "upcard", "hole card", "drew")


@given(
    rules=st.sampled_from([*PRESETS.values(), *SEVERAL_SEATS]),
    seed=st.integers(0, 10**6),
    actions=st.text("hhsf", max_size=30),
)
def test_a_line_of_the_history_deals_the_same_round_again(rules: Rules, seed: int, actions: str) -> None:
    round_ = played(rules, seed, actions)
    names = [f"seat{number}" for number in range(rules.seats)]
    line = json.dumps(round_as_json(1, round_, names))
    again = dealt_again(line)
    assert again.records == round_.records
    assert again.outcomes == round_.outcomes
    assert json.dumps(round_as_json(1, again, names)) == line


def test_a_line_of_the_history_holds_what_its_description_names() -> None:
    told = round_as_json(7, played(Rules(), 1), ["ann"])
    assert list(told) == ["round", "rules", "names", "records", "outcomes", "payoffs"]
    assert told["round"] == 7
    assert told["rules"] == Rules().fields()
    assert told["names"] == ["ann"]
    assert [record[0] for record in told["records"][:5]] == ["card", "card", "upcard", "hole card", "asked"]
    assert told["records"][-1] == ["settled", 0, told["outcomes"][0]]
    assert told["payoffs"] == [Outcome[told["outcomes"][0]].payoff]


def test_a_history_adds_to_what_is_in_the_file_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text("from before\n")
    history = History(path)
    for seed in (1, 2):
        history.add(played(Rules(), seed), ["ann"])
        assert len(path.read_text().splitlines()) == 1 + seed  # there as soon as the round is over
    history.close()
    before, *lines = path.read_text().splitlines()
    assert before == "from before"
    assert [json.loads(line)["round"] for line in lines] == [1, 2]


@pytest.mark.parametrize(
    ("before", "begins"), [("", ""), ("a line\n", "a line\n"), ("a li", "a li\n"), ("\n", "\n")]
)
def test_a_history_begins_on_a_line_of_its_own(tmp_path: Path, before: str, begins: str) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(before)
    history = History(path)
    for seed in (1, 2):
        history.add(played(Rules(), seed), ["ann"])
    history.close()
    text = path.read_text()
    assert text.startswith(begins)
    assert [json.loads(line)["round"] for line in text.removeprefix(begins).splitlines()] == [1, 2]


def test_a_line_of_the_history_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = os.write

    def noted(file: int, data: bytes) -> int:
        written.append(data)
        return write(file, data)

    monkeypatch.setattr(os, "write", noted)
    (tmp_path / "history.jsonl").write_text("cut")
    history = History(tmp_path / "history.jsonl")
    for seed in (1, 2):
        history.add(played(Rules(seats=9), seed), list("abcdefghi"))
    history.close()
    assert [data.count(b"\n") for data in written] == [2, 1]  # the first ends the line that was cut
    assert b"cut" + b"".join(written) == (tmp_path / "history.jsonl").read_bytes()


def seats(*names: str) -> list[Seat]:
    return [Seat(name) for name in names]


def shown(book: Ledger) -> list[tuple[str, int]]:
    return [(name, tally.rounds) for name, tally in book.rows()]


def test_every_hand_is_counted_at_its_seat_and_in_all() -> None:
    book = Ledger()
    ann, bob, namesake = seats("ann", "bob", "ann")
    book.add(played(Rules(seats=3), 4, "h"), [ann, bob, namesake])
    book.add(played(Rules(), 5), [ann])
    assert shown(book) == [("ann", 2), ("ann", 1), ("bob", 1)]  # nobody plays into another's row
    tallies = [tally for _, tally in book.rows()]
    assert book.everybody.counts == {
        outcome: sum(tally.counts[outcome] for tally in tallies) for outcome in Outcome
    }


def test_rows_are_sorted_by_their_rounds_and_then_by_the_alphabet() -> None:
    book = Ledger()
    carl, ann, bob = seats("carl", "ann", "bob")
    for seat in (carl, ann, bob, bob):
        book.add(played(Rules(), 1), [seat])
    assert [name for name, _ in book.rows()] == ["bob", "ann", "carl"]


def test_so_many_seats_have_rows_and_the_others_are_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "MAX_ROWS", 2)
    book = Ledger()
    ann, bob, carl, dora = seats("ann", "bob", "carl", "dora")
    for seat in (ann, bob, carl, dora, ann):
        book.add(played(Rules(), 1), [seat])
    assert shown(book) == [("ann", 2), (OTHERS, 2), ("bob", 1)]
    assert book.everybody.rounds == 5
