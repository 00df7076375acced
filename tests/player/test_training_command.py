"""The `training` command: how many rounds, the table it goes on from, what it prints, and its mistakes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS, Decision, Rules, seeded
from player import trainer as trainer_module
from tests.helpers.house import House, open_house
from tests.helpers.learned import qtable_of, teach, usual_learner
from tests.helpers.patience import eventually
from tests.helpers.processes import command, dealing
from tests.helpers.random_play import rounds_of
from tests.helpers.scripted import unused_port
from tests.player.typed import TABLE, sentence, train, training
from twentyone.exact import named, solving
from twentyone.learning import methods
from twentyone.learning.cells import first_of
from twentyone.learning.grading import grade_table
from twentyone.policies.action_values import ActionValues
from twentyone.policies.policy import Observation
from twentyone.policies.table_files import load, save

KEYS = {
    *("end", "rounds", "wins", "pushes", "losses", "busts", "mean_payoff", "standard_error", "seconds"),
    *("rounds_per_second", "connections", "table", "table_rounds", "method", "rules", "seed", "curve"),
    *("grade", "random_play_limit", "no_exact_value"),
}


def trained(folder: Path) -> ActionValues:
    return load(folder / TABLE)


# How many rounds, and which.


def test_it_plays_exactly_its_rounds_at_a_real_dealer_and_writes_the_table(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        done = command("training", "127.0.0.1", port, 1_003, cwd=tmp_path)
        assert eventually(lambda: len((tmp_path / "history").read_text().splitlines()) >= 1_003)
    assert (done.status, done.err) == (0, "")
    assert trained(tmp_path).rounds == 1_003
    # Nor were any begun beyond them, forfeited or not.
    assert len((tmp_path / "history").read_text().splitlines()) == 1_003
    heading, figures, rate, table, *_ = done.out.splitlines()
    assert heading.split()[:3] == ["name", "rounds", "wins"]
    assert figures.split()[:2] == ["training", "1,003"]
    assert rate.startswith("1,003 rounds in ")
    assert table == f"{TABLE}: qlearning, 1,003 rounds in all"


def test_the_same_seeds_give_the_same_table_byte_for_byte_over_many_connections(tmp_path: Path) -> None:
    written = []
    for seed in (9, 9, 10):
        with open_house(rounds=600, seed=5) as house:
            done = train(tmp_path, house.port, 600, "--method=random-play", f"--seed={seed}", "--fresh")
        assert done.status == 0
        written.append((tmp_path / TABLE).read_bytes().replace(f"seed: {seed}".encode(), b""))
    assert written[0] == written[1] != written[2]


def test_over_the_socket_it_learns_what_it_learns_in_memory_on_the_same_cards(tmp_path: Path) -> None:
    with open_house(rounds=1_000, seed=5) as house:
        assert train(tmp_path, house.port, 1_000, "--connections=1", "--seed=9").status == 0
    learner, chance = usual_learner("qlearning", Rules()), seeded(9, 0, 0)

    def choose(observation: Observation) -> Decision:
        first = first_of(observation, by_hand=False)
        return learner.choose(first, observation.options, chance, is_start=False)

    for steps, payoff in rounds_of(choose, Rules(), seeded(5, 1), 1_000):
        teach(learner, steps, payoff)
    save(qtable_of(learner, 9), tmp_path / "memory.txt")
    assert (tmp_path / TABLE).read_bytes() == (tmp_path / "memory.txt").read_bytes()


def test_a_dealer_with_few_seats_deals_all_rounds_at_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer_module, "JOIN_PAUSE", 0.05)
    with open_house(max_connections=3) as house:
        assert train(tmp_path, house.port, 160).status == 0
    assert trained(tmp_path).rounds == 160


# When it stops.


def curve_of(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / f"{TABLE}.curve.csv").read_text().splitlines()))


def test_the_learning_curve_goes_on_with_the_table(tmp_path: Path, port: int) -> None:
    train(tmp_path, port, 320)
    first = curve_of(tmp_path)
    assert [int(row["rounds"]) for row in first] == [100, 150, 200, 300, 320]
    assert all(float(row["gap"]) > 0 > float(row["expected_value"]) for row in first)
    train(tmp_path, port, 200)
    assert trained(tmp_path).rounds == 520
    second = curve_of(tmp_path)
    assert second[:5] == first
    assert [int(row["rounds"]) for row in second[5:]] == [500, 520]
    assert float(second[5]["seconds"]) > float(first[-1]["seconds"]) > 0
    train(tmp_path, port, 120, "--fresh")
    assert trained(tmp_path).rounds == 120
    assert [int(row["rounds"]) for row in curve_of(tmp_path)] == [100, 120]


def test_until_gap_stops_at_the_first_point_that_is_good_enough(tmp_path: Path) -> None:
    with open_house(seed=1) as house:
        done = train(tmp_path, house.port, 10**8, "--until-gap=0.2", "--seed=1")
    assert (done.status, done.err) == (0, "")
    rounds = trained(tmp_path).rounds
    assert f"the gap is small enough after {rounds:,} rounds" in done.out.splitlines()
    gaps = [float(row["gap"]) for row in curve_of(tmp_path)]
    assert (int(curve_of(tmp_path)[-1]["rounds"]), len([gap for gap in gaps if gap <= 0.2])) == (rounds, 1)


def test_until_change_stops_when_learning_has_come_to_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods.Convergence.__init__, "__defaults__", (500, 5))
    with open_house(seed=1) as house:
        done = train(tmp_path, house.port, 10**8, "--until-change=2", "--method=random-play", "--seed=1")
    assert (done.status, done.err) == (0, "")
    rounds = trained(tmp_path).rounds
    assert 500 < rounds < 5_000
    assert rounds % 500 == 1  # windows begin after the first round
    assert f"learning has converged after {rounds:,} rounds" in done.out.splitlines()


def test_when_the_dealer_ends_early_the_table_is_saved(tmp_path: Path) -> None:
    with open_house(rounds=300) as house:
        done = train(tmp_path, house.port, 1_000)
    assert done.status == 1
    assert done.err.startswith("training: the dealer ended after 300 of 1,000 rounds; the table is")
    assert trained(tmp_path).rounds == 300


# Going on.


def test_resumed_it_does_not_play_the_same_decisions_again(tmp_path: Path) -> None:
    tallies = []
    for rounds in (500, 1_000):
        with open_house(rounds=500, seed=5) as house:
            options = ("--seed=9", "--connections=1", "--method=random-play", "--json")
            done = train(tmp_path, house.port, 500, *options)
        document = json.loads(done.out)
        tallies.append((document["wins"], document["pushes"], document["busts"]))
        assert document["table_rounds"] == rounds
    assert tallies[0] != tallies[1]


def test_a_table_of_another_method_or_of_other_rules_is_refused_and_fresh_is_named(
    tmp_path: Path, port: int, devs_port: int
) -> None:
    train(tmp_path, port, 50)
    before = (tmp_path / TABLE).read_bytes()
    for address, option, said in (
        (port, "--method=random-play", "by the method qlearning, not by random-play"),
        (devs_port, "--seed=1", "learned under other rules"),
    ):
        refused = sentence(train(tmp_path, address, 50, option), 1)
        assert said in refused and "--fresh" in refused
        assert (tmp_path / TABLE).read_bytes() == before
    assert train(tmp_path, devs_port, 50, "--method=random-play", "--fresh").status == 0
    table = trained(tmp_path)
    assert (table.method, table.rounds, table.rules) == ("random-play", 50, PRESETS["devs"])


def test_files_that_are_no_table_or_no_curve_are_refused_and_left_alone(tmp_path: Path, port: int) -> None:
    for content in (b"", b"0 0 0 0.5 1\n", b"\xff\xfe"):
        (tmp_path / "q.txt").write_bytes(content)
        refused = sentence(train(tmp_path, unused_port(), 50, "--table=q.txt"), 1)
        assert "q.txt is not a Q table" in refused and "--fresh" in refused
        assert (tmp_path / "q.txt").read_bytes() == content
    train(tmp_path, port, 50)
    curve = tmp_path / f"{TABLE}.curve.csv"
    curve.write_text("my notes\n")
    assert "is not a learning curve" in sentence(train(tmp_path, port, 50), 1)
    assert (trained(tmp_path).rounds, curve.read_text()) == (50, "my notes\n")


def test_a_table_that_cannot_be_is_one_sentence(tmp_path: Path, port: int) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for table, said in (
        ("folder", "is a directory"),
        ("file/q.txt", "cannot be"),
        ("a" * 300, "name too long"),
    ):
        assert said in sentence(train(tmp_path, port, 10, "--table", table), 1)
        assert table in sentence(train(tmp_path, port, 10, "--table", table, "--fresh"), 1)


# What it prints.


@pytest.mark.parametrize("method", ["qlearning", "random-play"])
def test_json_is_one_document_and_the_grade_is_that_of_the_table(
    tmp_path: Path, port: int, method: str
) -> None:
    for rounds in (200, 400):
        address = f"ws://127.0.0.1:{port}/ws"
        done = training(tmp_path, address, 200, "--json", "--seed=3", "--method", method, "--table=q.txt")
        document: dict[str, Any] = json.loads(done.out)
        assert set(document) == KEYS
        table = load(tmp_path / "q.txt")
        assert (table.rounds, table.origin.seed) == (rounds, 3)
        told = {"end": "done", "rounds": 200, "connections": 16, "table": "q.txt", "table_rounds": rounds}
        told |= {"method": method, "rules": Rules().fields(), "seed": 3, "curve": "q.txt.curve.csv"}
        assert document | told == document
        assert document["wins"] + document["pushes"] + document["losses"] == 200
        assert document["grade"] == grade_table(table, "q.txt").members["grade"]
        assert document["no_exact_value"] is None
        limit = solving.evaluate(Rules(), named.random_play_limit(Rules()).hit).value
        gap = document["grade"]["best_chart"] - limit
        assert document["random_play_limit"] == (
            {"value": limit, "gap": gap} if method == "random-play" else None
        )
    assert 0.06 < gap < 0.08


def test_the_text_ends_with_the_grade_and_random_play_with_its_limit(tmp_path: Path, port: int) -> None:
    done = train(tmp_path, port, 1000, "--table=q.txt")
    grade = grade_table(load(tmp_path / "q.txt"), "q.txt")
    assert done.out.endswith(f"\n{grade.text}\n")
    assert len(grade.members["grade"]["costliest_cells"]) == 5
    assert max(map(len, done.out.splitlines())) <= 80
    done = train(tmp_path, port, 300, "--method=random-play", "--table=c.txt")
    assert "limit of the method random-play, however long it learns" in done.out


def test_the_table_is_shown_and_drawn(tmp_path: Path, port: int) -> None:
    done = train(tmp_path, port, 500, "--table=q.txt", "--show", "--plot=q.png")
    assert (done.status, done.err.splitlines()[-1]) == (0, "training: the picture is q.png")
    lines = done.out.splitlines()
    assert "H hit, S stand; the learned value in initial bets; * not the best decision" in lines
    assert sum(line[:4] == "  21" for line in lines) == 2  # hard and soft
    assert (tmp_path / "q.png").read_bytes().startswith(b"\x89PNG")


def test_with_a_shoe_that_is_kept_the_grade_is_that_of_a_fresh_one(tmp_path: Path) -> None:
    with open_house(rules=PRESETS["casino"]) as house:
        done = train(tmp_path, house.port, 300, "--table=q.txt", "--rules=course")
    assert done.status == 0
    assert done.out.endswith(f"\n{grade_table(load(tmp_path / 'q.txt'), 'q.txt').text}\n")
    assert done.out.splitlines()[-1] == "The exact values are those of a shoe that is fresh every round."
    told, end = "training: the dealer plays by preset=casino ", "that were given: learning the dealer's\n"
    assert done.err.startswith(told) and done.err.endswith(end)


# Mistakes.

HERE = ["127.0.0.1", "80"]
WS = "ws://127.0.0.1:80/ws"

MISTAKES: list[tuple[list[str], str]] = [
    ([*HERE, "1", "9"], "'9' does not belong here: expected HOST PORT ROUNDS, such as"),
    (["wss://a..b/ws"], "is not a"),
    (["a..b"], "'a..b' is not a host"),
    (["127.0.0.1", "1e6"], "1000000 is not a port: expected 1 to 65535"),
    ([*HERE, "1e13"], "ROUNDS is '1e13': expected a whole number from 1 to 1,000,000,000,000"),
    (["ws://127.0.0.1:80/ws", "1e13"], "PORT is '1e13': expected a whole number from 1 to"),
    ([*HERE, "0"], "ROUNDS is '"),
    (["127.0.0.1", "65536", "1"], "65536 is not a port"),
    (["a..b", "80", "1"], "'a..b' is not a host"),
    (["wss://127.0.0.1:80/ws", "1", "--tls-ca=no.pem"], "no.pem cannot be read"),
    ([*HERE, "1", "--tls-ca=no.pem"], "--tls-ca no.pem is for TLS: expected --tls or a wss:// address too"),
    (["ws://127.0.0.1:80/ws", "80", "1"], "expected one port"),
    ([*HERE, "1", "--method=dyna"], "there is no method 'dyna'"),
    ([*HERE, "1", "--connections=0"], "--connections"),
    ([*HERE, "1", "--until-change=-1"], "--until-change"),
    ([*HERE, "1", "--until-gap=-1"], "--until-gap"),
    ([*HERE, "1", "--slow"], "--slow"),
    ([*HERE, "1", "--plot=q.gif"], "the picture q.gif has no known format: expected "),
    ([*HERE, "1", "--alpha=0.1"], "the method qlearning has no alpha: it has no settings"),
    ([*HERE, "1", "--method=sarsa", "--n=2"], "the method sarsa has no n: expected alpha, alpha-decay"),
    ([*HERE, "1", "--method=sarsa", "--epsilon=2"], "epsilon is 2: expected a number from 0 to 1"),
    ([*HERE, "1", "--method=sarsa-lambda", "--lambda=-1"], "lambda is -1: expected a number from 0 to 1"),
    ([*HERE, "1", "--method=n-step-sarsa", "--n=9"], "n is 9: expected a whole number from 1 to 8"),
]


def test_what_is_typed_wrong_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    for words, said in MISTAKES:
        assert said in sentence(training(tmp_path, *words), 2)


def test_what_is_missing_is_said_with_the_command_to_type(tmp_path: Path) -> None:
    all_three = "HOST PORT ROUNDS"
    for typed, missing, expected, line in (
        ("", "HOST, PORT and ROUNDS are", all_three, "0.0.0.0 8088 1M"),
        ("8099", "HOST and ROUNDS are", all_three, "0.0.0.0 8099 1M"),
        ("127.0.0.1", "PORT and ROUNDS are", all_three, "127.0.0.1 8088 1M"),
        ("127.0.0.1 80", "ROUNDS is", all_three, "127.0.0.1 80 1M"),
        (WS, "ROUNDS is", "a ws:// or wss:// address and ROUNDS", f"{WS} 1M"),
    ):
        for options, needing in (
            ("", ""),
            (" --show", ""),
            (" --until-gap 0.002", ", and --until-gap needs the most to play"),
            (" --until-change=1e-3", ", and --until-change needs the most to play"),
        ):
            told = f"{missing} missing{needing}: expected {expected}; type training {line}{options}"
            done = training(tmp_path, *typed.split(), *options.split())
            assert sentence(done, 2) == f"training: {told}"
    done = training(tmp_path, "--until-gap", "0.002", "8099", "1k")
    line = "training 0.0.0.0 --until-gap 0.002 8099 1k"
    assert sentence(done, 2) == f"training: HOST is missing: expected {all_three}; type {line}"


def test_the_help_shows_no_argument_as_optional(tmp_path: Path) -> None:
    said = training(tmp_path, "--help").out
    assert "Usage: training [OPTIONS] {HOST} {PORT} {ROUNDS}" in said
    for option in ("alpha", "alpha-decay", "epsilon", "epsilon-decay", "gamma", "initial", "n", "lambda"):
        assert f"--{option}" in said


def test_every_setting_is_an_option_and_is_kept(tmp_path: Path, house: House) -> None:
    given = "--alpha=0.2 --alpha-decay=0.5 --epsilon=0.3 --epsilon-decay=0.5 --gamma=0.9 --initial=0.5"
    for method, more in (("n-step-sarsa", "--n=3"), ("sarsa-lambda", "--lambda=0.5")):
        options = [*given.split(), more]
        assert train(tmp_path, house.port, 50, f"--method={method}", "--fresh", *options).status == 0
        assert trained(tmp_path).method == " ".join([method, *(option.lstrip("-") for option in options)])


def test_no_dealer_is_one_sentence(tmp_path: Path) -> None:
    port = unused_port()
    said = sentence(train(tmp_path, port, 10), 1)
    assert said.startswith(f"training: cannot connect to 127.0.0.1 port {port}: ")
    assert not (tmp_path / TABLE).exists()
