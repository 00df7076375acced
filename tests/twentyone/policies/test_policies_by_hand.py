"""Policies of tables with payoffs: what they see, that they answer what is allowed, and their worth."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from cards import PRESETS, Decision, Round, Rules, StackedShoe, Surrender, parse_card, seeded, shoe_for
from tests.helpers.played import played, rules_with_payoffs
from tests.helpers.published import chart_of, closest, published_basic
from tests.twentyone.policies.tables import numbered
from twentyone.policies import action_values, chart, table_files
from twentyone.policies.action_values import Cell, Origin, Row, of_rows
from twentyone.policies.decisions import of_policy, threshold
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.makers import policy_of, table_of
from twentyone.policies.names import parse
from twentyone.policies.policy import Observation, decisions_of, observation
from twentyone.policies.table_files import save
from twentyone.support.command import CommandError

HIT, STAND, DOUBLE, SPLIT, SURRENDER = list(Decision)[:5]
INSURE, DECLINE = Decision.INSURE, Decision.DECLINE
ORIGIN = Origin(PRESETS["vegas"], "qlearning", 0)


def stacked(names: str, rules: Rules = PRESETS["vegas"]) -> Round:
    """A dealt round of one seat, from a shoe with these cards on top."""
    round_ = Round(rules, StackedShoe([parse_card(name) for name in names.split(", ")]))
    round_.deal()
    return round_


SPLIT_EIGHTS = (
    "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs,"  # the hand, the upcard, the hole card
    " Three of Clubs, Ten of Hearts, Ten of Spades, Five of Clubs"
)


def test_a_seat_sees_the_hand_that_is_asked_about() -> None:
    round_ = stacked(SPLIT_EIGHTS)
    first = observation(round_, 0)
    assert first == Observation(16, False, 6, 8, (HIT, STAND, DOUBLE, SPLIT, SURRENDER))
    round_.decide(0, SPLIT)
    eleven = observation(round_, 0)
    assert eleven == Observation(11, False, 6, 0, (HIT, STAND, DOUBLE))
    round_.decide(0, DOUBLE)
    eighteen = observation(round_, 0)
    assert eighteen == Observation(18, False, 6, 0, (HIT, STAND, DOUBLE))
    round_.decide(0, STAND)
    assert decisions_of(round_, 0) == [(first, SPLIT), (eleven, DOUBLE), (eighteen, STAND)]


@pytest.mark.parametrize(("hand", "pair"), [("Eight of Spades, Eight", 8), ("Nine of Spades, Seven", 0)])
def test_a_pair_is_looked_up_as_one_where_it_may_be_given_up_before_the_peek(hand: str, pair: int) -> None:
    early = replace(PRESETS["vegas"], surrender=Surrender.EARLY, insurance=False)
    round_ = stacked(f"{hand} of Hearts, Ace of Clubs, Nine of Clubs", early)
    seen = observation(round_, 0)
    assert seen == Observation(16, False, 11, pair, (SURRENDER, DECLINE))
    round_.decide(0, SURRENDER)
    assert decisions_of(round_, 0) == [(seen, SURRENDER)]
    rows: dict[Cell, dict[Decision, Row]] = {
        ("P8", 11): {SURRENDER: Row(-0.5, 1), SPLIT: Row(-0.4, 1)},
        ("H16", 11): {SURRENDER: Row(-0.5, 1), HIT: Row(-0.6, 1)},
    }
    assert of_rows(rows, ORIGIN).decide(seen) is (DECLINE if pair else SURRENDER)


def test_decisions_are_told_as_they_were_seen() -> None:
    for seed in range(20):
        random = Random(seed)
        rules = rules_with_payoffs(random)
        shoe = shoe_for(rules, seeded(seed))
        for _ in range(60):
            round_ = Round(rules, shoe)
            round_.deal()
            seen: list[list[tuple[Observation, Decision]]] = [[] for _ in range(rules.seats)]
            while (seat := round_.turn) is not None:
                decision = random.choice([*round_.options, *round_.options[-2:]])
                seen[seat].append((observation(round_, seat), decision))
                round_.decide(seat, decision)
            assert [decisions_of(round_, seat) for seat in range(rules.seats)] == seen, rules


def written(folder: Path) -> list[str]:
    """Names of policies of every kind that may be typed, with the files that they read."""
    random = Random(1)
    rows: dict[Cell, dict[Decision, Row]] = {
        (hand, upcard): {
            action: Row(random.uniform(-1, 1), 1) for action in action_values.ACTIONS if random.random() < 0.7
        }
        for hand in HANDS
        for upcard in UPCARDS
    }
    table_files.save(of_rows(rows, ORIGIN), folder / "actions.txt")
    chart.save(chart_of(closest(PRESETS["reno"])), folder / "chart.txt")
    save(numbered(), folder / "q.txt")
    files = [f"actions:{folder}/actions.txt", f"chart:{folder}/chart.txt", f"{folder}/q.txt"]
    return ["basic", "mimic", "never-bust", "random", "threshold:17", *files]


def test_no_policy_answers_what_is_not_allowed(tmp_path: Path) -> None:
    names = cycle(written(tmp_path))
    random = Random(2)
    taken = set()
    for number in range(120):
        rules = rules_with_payoffs(random)
        policy = policy_of(parse(next(names)), rules, {"basic": published_basic}, seeded(number))
        for round_ in played(rules, policy, 20, number):
            assert None not in round_.payoffs
            taken |= {decision for seat in range(rules.seats) for _, decision in decisions_of(round_, seat)}
    assert taken == set(Decision)


@pytest.mark.parametrize("name", ["mimic", "threshold:17", "random", "qtable"])
def test_older_policies_hit_and_stand_and_decline_all_else(name: str) -> None:
    policy = policy_of(parse(name), PRESETS["vegas"], {}, seeded(1))
    rounds = played(PRESETS["vegas"], policy, 400, 1)
    taken = {decision for round_ in rounds for _, decision in decisions_of(round_, 0)}
    assert taken == {HIT, STAND, DECLINE}
    assert policy(Observation(12, True, 6, 1, (STAND, SPLIT))) is STAND


# At tables of HIT and STAND.


def test_a_chart_and_values_by_hand_are_tables_of_decisions_there(tmp_path: Path) -> None:
    names = written(tmp_path)
    rules = PRESETS["casino"]
    table = table_of(parse(names[-2]), rules, {})
    assert (table.hit[16, 10], table.hit[12, 4], table.hit[18, 19], table.hit[18, 20]) == (1, 0, 1, 1)
    assert (table.hit[4, 5], table.hit[20, 10], table.hit[11, 6]) == (1, 0, 1)
    policy = policy_of(parse(names[-3]), rules, {}, seeded(1))
    values = table_of(parse(names[-3]), rules, {})
    assert (of_policy(policy, "a").hit == values.hit).all()
    assert 0 < values.hit.sum() < values.hit.size


def test_a_threshold_is_the_same_policy_as_its_table() -> None:
    policy = policy_of(parse("threshold:15"), PRESETS["devs"], {}, seeded(1))
    reachable = slice(2, 22)
    assert (of_policy(policy, "t").hit[reachable, 2:] == threshold(15).hit[reachable, 2:]).all()


def test_without_an_upcard_they_say_nothing(tmp_path: Path) -> None:
    said = "says what to do against an upcard, and showdown has no dealer"
    for name in written(tmp_path)[-3:-1]:
        with pytest.raises(CommandError, match=said):
            table_of(parse(name), PRESETS["showdown"], {})
        with pytest.raises(CommandError, match=said):
            policy_of(parse(name), PRESETS["showdown"], {}, seeded(1))


def test_a_file_is_known_by_its_header(tmp_path: Path) -> None:
    written(tmp_path)
    kinds = [parse(f"{tmp_path}/{name}").kind for name in ("actions.txt", "chart.txt", "q.txt")]
    assert kinds == ["actions", "chart", "qtable"]
    (tmp_path / "other").write_bytes(b"\xff\x00")
    assert parse(f"{tmp_path}/other").kind == "qtable"


def test_a_file_that_is_not_what_it_was_called_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    for name, sentence in (
        (f"chart:{tmp_path}/q.txt", "line 7: '0' is not a hand"),
        (f"actions:{tmp_path}/q.txt", "line 7: '0' is not a hand"),
        (f"actions:{tmp_path}/none", "cannot be read: no such file or directory"),
        (f"chart:{tmp_path}/none", "cannot be read: no such file or directory"),
    ):
        with pytest.raises(CommandError, match=sentence):
            policy_of(parse(name), PRESETS["vegas"], {}, seeded(1))
