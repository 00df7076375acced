"""What a dealer remembers: tallies by name, and a history that deals every round again."""

from __future__ import annotations

import json
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


def test_every_hand_is_counted_under_its_name_and_in_all() -> None:
    book = Ledger()
    round_ = played(Rules(seats=3), 4, "h")
    book.add(round_, ["ann", "bob", "ann"])
    tallies = dict(book.by_name())
    assert tallies["ann"].rounds == 2
    assert tallies["bob"].rounds == 1
    assert book.everybody.counts == {
        outcome: tallies["ann"].counts[outcome] + tallies["bob"].counts[outcome] for outcome in Outcome
    }


def test_names_are_sorted_by_their_rounds_and_then_by_the_alphabet() -> None:
    book = Ledger()
    for name in ["carl", "ann", "bob", "bob"]:
        book.add(played(Rules(), 1), [name])
    assert [name for name, _ in book.by_name()] == ["bob", "ann", "carl"]


def test_so_many_names_are_kept_apart_and_the_others_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "MAX_NAMES", 2)
    book = Ledger()
    for name in ["ann", "bob", "carl", "dora", "ann"]:
        book.add(played(Rules(), 1), [name])
    assert {name: tally.rounds for name, tally in book.by_name()} == {"ann": 2, "bob": 1, OTHERS: 2}
    assert book.everybody.rounds == 5
