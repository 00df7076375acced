"""The `training` command, against real dealers and scripted ones."""

from __future__ import annotations

import asyncio
import csv
import json
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cards import Decision, Rules, seeded
from learning.methods import QLearner
from policies.files import METHODS
from policies.policy import Observation
from policies.qtable import HIT, QTable, load, save, state_of
from tests.helpers.learned import qtable_of
from tests.helpers.patience import eventually
from tests.helpers.peer import AsyncPeer
from tests.helpers.processes import Finished, command, command_beside, dealer_process, dealing, finish, start
from tests.helpers.random_play import rounds_of
from tests.helpers.scripted import nul_dealer, original_dealer, scripted, unused_port

TABLE = "qtables/qtable.txt"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dealer that many tests share."""
    with dealing(tmp_path_factory.mktemp("dealer")) as port:
        yield port


def train(folder: Path, port: int, rounds: int, *options: object) -> Finished:
    return command("training", "127.0.0.1", port, rounds, *options, cwd=folder)


def trained(folder: Path) -> QTable:
    return load(folder / TABLE)


def only_line(text: str) -> str:
    """The one line that a text is, beside the progress that a busy machine prints."""
    (line,) = (line for line in text.splitlines() if not re.match(r"training: [\d,]+ of ", line))
    return line


# How many rounds, and which.


def test_it_plays_exactly_its_rounds_and_writes_the_table(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        done = train(tmp_path, port, 1_003)
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


@pytest.mark.parametrize(
    ("method", "connections"), [("random-play", 16), ("random-play", 1), ("qlearning", 1)]
)
def test_the_same_seeds_give_the_same_table_byte_for_byte(
    tmp_path: Path, method: str, connections: int
) -> None:
    tables_written = []
    for _ in range(2):
        with dealing(tmp_path, 2_000, "--seed=5") as port:
            options = ("--method", method, "--connections", connections, "--seed=9", "--fresh")
            assert train(tmp_path, port, 2_000, *options).status == 0
        tables_written.append((tmp_path / TABLE).read_bytes())
    assert tables_written[0] == tables_written[1]


def test_other_seeds_give_another_table(tmp_path: Path) -> None:
    values = []
    for seed in (1, 2):
        with dealing(tmp_path, 200, "--seed=5") as port:
            assert train(tmp_path, port, 200, "--seed", seed, "--fresh").status == 0
        values.append(trained(tmp_path).values.tolist())
    assert values[0] != values[1]


def test_over_the_socket_it_learns_what_it_learns_in_memory_on_the_same_cards(tmp_path: Path) -> None:
    with dealing(tmp_path, 3_000, "--seed=5") as port:
        assert train(tmp_path, port, 3_000, "--connections=1", "--seed=9").status == 0
    learner, chance = QLearner(), seeded(9, 0, 0)

    def choose(observation: Observation) -> Decision:
        return Decision.HIT if learner.choose(state_of(observation), chance) == HIT else Decision.STAND

    for steps, payoff in rounds_of(choose, Rules(), seeded(5, 1), 3_000):
        learner.learn(steps, payoff)
    save(qtable_of(learner, Rules(), 9), tmp_path / "memory.txt")
    assert (tmp_path / TABLE).read_bytes() == (tmp_path / "memory.txt").read_bytes()


# Going on.


def curve_of(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / f"{TABLE}.curve.csv").read_text().splitlines()))


def test_the_learning_curve_goes_on_with_the_table(tmp_path: Path, port: int) -> None:
    train(tmp_path, port, 320)
    first = curve_of(tmp_path)
    assert [int(row["rounds"]) for row in first] == [100, 150, 200, 300, 320]
    assert all(float(row["gap"]) > 0 > float(row["expected_value"]) for row in first)
    train(tmp_path, port, 200)
    second = curve_of(tmp_path)
    assert second[:5] == first
    assert [int(row["rounds"]) for row in second[5:]] == [500, 520]
    assert float(second[5]["seconds"]) > float(first[-1]["seconds"]) > 0
    train(tmp_path, port, 120, "--fresh")
    assert [int(row["rounds"]) for row in curve_of(tmp_path)] == [100, 120]


def test_a_file_that_is_no_curve_is_refused_and_left_alone(tmp_path: Path, port: int) -> None:
    train(tmp_path, port, 50)
    curve = tmp_path / f"{TABLE}.curve.csv"
    curve.write_text("my notes\n")
    refused = train(tmp_path, port, 50)
    assert (refused.status, trained(tmp_path).rounds) == (1, 50)
    assert "is not a learning curve" in only_line(refused.err)
    assert curve.read_text() == "my notes\n"


def test_until_gap_stops_at_the_first_point_that_is_good_enough(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--seed=1") as port:
        done = train(tmp_path, port, 10**8, "--until-gap=0.1", "--seed=1")
    assert (done.status, done.err) == (0, "")
    rounds = trained(tmp_path).rounds
    assert f"the gap is small enough after {rounds:,} rounds" in done.out.splitlines()
    gaps = [float(row["gap"]) for row in curve_of(tmp_path)]
    assert (int(curve_of(tmp_path)[-1]["rounds"]), len([gap for gap in gaps if gap <= 0.1])) == (rounds, 1)


def test_until_gap_is_refused_where_no_gap_is_known(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--rules=study") as port:
        done = train(tmp_path, port, 100, "--until-gap=0.1")
    assert (done.status, done.out) == (1, "")
    assert "--until-gap is not possible under these rules: " in only_line(done.err)
    assert not (tmp_path / TABLE).exists()


def test_it_goes_on_from_the_table_until_it_is_told_to_begin_afresh(tmp_path: Path, port: int) -> None:
    for expected in (300, 600):
        assert train(tmp_path, port, 300).status == 0
        assert trained(tmp_path).rounds == expected
    assert trained(tmp_path).counts.sum() > 600
    assert train(tmp_path, port, 300, "--fresh").status == 0
    assert trained(tmp_path).rounds == 300


def test_resumed_it_does_not_play_the_same_decisions_again(tmp_path: Path) -> None:
    tallies = []
    for _ in range(2):
        with dealing(tmp_path, 500, "--seed=5") as port:
            done = train(tmp_path, port, 500, "--seed=9", "--connections=1", "--json")
        document = json.loads(done.out)
        tallies.append((document["wins"], document["pushes"], document["busts"]))
    assert document["table_rounds"] == 1_000
    assert tallies[0] != tallies[1]


def test_a_table_of_another_method_is_refused_and_fresh_is_named(tmp_path: Path, port: int) -> None:
    train(tmp_path, port, 50)
    before = (tmp_path / TABLE).read_bytes()
    refused = train(tmp_path, port, 50, "--method=course")
    assert (refused.status, refused.out) == (1, "")
    assert "by the method qlearning, not by random-play" in only_line(refused.err)
    assert "--fresh" in refused.err
    assert (tmp_path / TABLE).read_bytes() == before
    assert train(tmp_path, port, 50, "--method=course", "--fresh").status == 0
    assert (trained(tmp_path).method, trained(tmp_path).rounds) == ("random-play", 50)


def test_a_table_of_other_rules_is_refused_and_fresh_is_named(tmp_path: Path, port: int) -> None:
    train(tmp_path, port, 50)
    before = (tmp_path / TABLE).read_bytes()
    with dealing(tmp_path, 0, "--ace=1") as port:
        refused = train(tmp_path, port, 50)
        assert (refused.status, refused.out) == (1, "")
        assert "learned under other rules" in only_line(refused.err)
        assert "--fresh" in refused.err
        assert (tmp_path / TABLE).read_bytes() == before
        assert train(tmp_path, port, 50, "--fresh").status == 0
    assert trained(tmp_path).rules.ace.value == "1"


@pytest.mark.parametrize("content", [b"", b"0 0 0 0.5 1\n", b"\xff\xfe"])
def test_a_file_that_is_no_table_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "q.txt").write_bytes(content)
    refused = train(tmp_path, unused_port(), 50, "--table=q.txt")
    assert refused.status == 1
    assert "q.txt is not a Q table" in only_line(refused.err)
    assert "--fresh" in refused.err
    assert (tmp_path / "q.txt").read_bytes() == content


# Ends before the end.


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_signal_saves_and_gives_status_130(tmp_path: Path, number: int) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        training = start("training", "127.0.0.1", port, 10**8, "--json", cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        training.send_signal(number)
        done = finish(training)
    assert done.status == 130
    document = json.loads(done.out)
    assert document["end"] == "interrupted"
    assert document["rounds"] == trained(tmp_path).rounds > 0
    left = 10**8 - document["rounds"]
    assert only_line(done.err) == (
        f"training: interrupted after {document['rounds']:,} of 100,000,000 rounds;"
        f" what was learned is kept in {TABLE}."
        f" To go on, type: training --seed {document['seed']} 127.0.0.1 {port} {left} --json"
    )


def test_the_command_that_is_printed_goes_on(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        line, rounds = "training 127.0.0.1 {port} 1e8 --fresh --json", []
        for _ in range(2):
            name, *words = shlex.split(line.format(port=port))
            played = (tmp_path / "history").stat().st_size
            training = start(name, *words, cwd=tmp_path)
            assert eventually(lambda: (tmp_path / "history").stat().st_size > played + 10_000)  # noqa: B023
            training.send_signal(signal.SIGINT)
            done = finish(training)
            rounds.append(json.loads(done.out)["rounds"])
            line = only_line(done.err).partition("To go on, type: ")[2]
    assert trained(tmp_path).rounds == sum(rounds) > rounds[0] > 0
    assert f" {10**8 - sum(rounds)} --json" in line


async def test_ctrl_c_before_the_first_round_gives_status_130(tmp_path: Path) -> None:
    running: list[subprocess.Popen[str]] = []

    async def dealer(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN training")
        running[0].send_signal(signal.SIGINT)
        await peer.hear()

    async with scripted(dealer) as (_, port):
        running.append(start("training", "127.0.0.1", port, 10, "--connections=1", cwd=tmp_path))
        done = await asyncio.to_thread(finish, running[0])
    assert (done.status, done.out) == (130, "")
    assert only_line(done.err) == "training: interrupted before a round was learned from"
    assert not (tmp_path / TABLE).exists()


async def test_ctrl_c_in_the_first_round_gives_no_report_of_a_table_that_is_not_there(tmp_path: Path) -> None:
    running: list[subprocess.Popen[str]] = []

    async def dealer(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN training")
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION")
        while await peer.hear() == "RULES":
            await peer.say(f"RULES {Rules()}")
        running[0].send_signal(signal.SIGINT)
        await peer.hear()

    async with scripted(dealer) as (_, port):
        running.append(start("training", "127.0.0.1", port, 10, "--connections=1", cwd=tmp_path))
        done = await asyncio.to_thread(finish, running[0])
    assert (done.status, done.out) == (130, "")
    assert only_line(done.err) == "training: interrupted before a round was learned from"
    assert not (tmp_path / TABLE).exists()


def test_when_the_dealer_ends_early_the_table_is_saved(tmp_path: Path) -> None:
    with dealing(tmp_path, 300) as port:
        done = train(tmp_path, port, 1_000)
    assert done.status == 1
    assert only_line(done.err).startswith(
        "training: the dealer ended after 300 of 1,000 rounds; the table is"
    )
    assert trained(tmp_path).rounds == 300


def test_a_dealer_that_is_killed_ends_it_the_same_way(tmp_path: Path) -> None:
    with dealer_process(tmp_path, 0, "--history=history") as (dealer, port):
        training = start("training", "127.0.0.1", port, 10**8, cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        dealer.kill()
        done = finish(training)
    assert done.status == 1
    played = trained(tmp_path).rounds
    assert f"the dealer ended after {played:,} of 100,000,000 rounds; the table is saved" in done.err


SAVES_ALL_THE_TIME = """
import learning.resuming
import player.train
player.train.SHOW_EVERY = learning.resuming.SAVE_EVERY = 0.0
from player.cli import training_main
training_main()
"""


def test_killed_at_any_instant_the_file_is_whole(tmp_path: Path, port: int) -> None:
    table, chance, rounds = tmp_path / TABLE, random.Random(1), 0
    for _ in range(6):
        before = table.stat().st_mtime_ns if table.exists() else 0
        training = subprocess.Popen(
            [sys.executable, "-c", SAVES_ALL_THE_TIME, "127.0.0.1", str(port), "100000000"], cwd=tmp_path
        )
        assert eventually(lambda since=before: table.exists() and table.stat().st_mtime_ns > since)  # type: ignore[misc]
        time.sleep(chance.random() * 0.2)
        training.kill()
        training.wait()
        assert trained(tmp_path).rounds > rounds  # the file is whole, and it went on from the one before
        rounds = trained(tmp_path).rounds


def test_until_change_stops_when_learning_has_come_to_rest(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--seed=1") as port:
        done = train(tmp_path, port, 10**8, "--until-change=2", "--method=random-play", "--seed=1")
    assert (done.status, done.err) == (0, "")
    rounds = trained(tmp_path).rounds
    assert 10_000 < rounds < 20_000
    assert f"learning has converged after {rounds:,} rounds" in done.out.splitlines()


# Dealers of other kinds.


async def test_a_dealer_that_seats_one_player_works_with_the_default_options(tmp_path: Path) -> None:
    async with original_dealer(8) as port:
        done = await command_beside("training", "127.0.0.1", port, 8, cwd=tmp_path)
    assert done.status == 0
    assert "all rounds are played on one connection" in only_line(done.err)
    assert trained(tmp_path).rounds == 8


async def test_a_dealer_that_closes_without_quit_is_one_sentence_and_the_table_is_saved(
    tmp_path: Path,
) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 3"
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs")
        await peer.say("DECISION")
        await peer.say("CARD Ten of Clubs", "RESULT BUST") if await peer.hear() == "HIT" else (
            await peer.say("RESULT WIN")
        )

    async with scripted(dealer, "classic") as (_, port):
        done = await command_beside("training", "127.0.0.1", port, 3, "--connections=1", cwd=tmp_path)
    assert done.status == 1
    assert only_line(done.err) == (
        "training: the dealer ended after 1 of 3 rounds; the table is saved:"
        " the dealer closed the connection without QUIT"
    )
    assert trained(tmp_path).rounds == 1


async def test_a_dealer_that_waits_for_no_answer_is_one_sentence_and_no_table(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 2"
        peer.format = nul_dealer()
        cards = ("CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs")
        await peer.say("BEGIN", *cards, "DECISION", "RESULT WIN", "QUIT")
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        done = await command_beside("training", "127.0.0.1", port, 2, "--connections=1", cwd=tmp_path)
    assert (done.status, done.out) == (1, "")
    assert only_line(done.err) == (
        "training: the dealer decided without us in 1 round, or may have; nothing was learned"
    )
    assert not (tmp_path / TABLE).exists()


def test_a_dealer_with_few_seats_deals_all_rounds_at_them(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--max-connections=3") as port:
        assert train(tmp_path, port, 160).status == 0
    assert trained(tmp_path).rounds == 160


async def test_a_full_dealer_is_quoted(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("ERROR dealer is full")

    async with scripted(dealer) as (_, port):
        done = await command_beside("training", "127.0.0.1", port, 10, "--connections=1", cwd=tmp_path)
    assert done.status == 1
    assert only_line(done.err).endswith(
        "there is nothing to save: the dealer closed the connection: dealer is full"
    )
    assert not (tmp_path / TABLE).exists()


async def test_a_dealer_that_breaks_the_protocol_is_told_of_and_the_table_saved(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs", "DECISION")
        while (answer := await peer.hear()) == "RULES":
            await peer.say("ERROR what?")
        await peer.say("RESULT BUST" if answer == "HIT" else "RESULT WIN", "CARD Ten of Spades")
        await peer.hear()

    async with scripted(dealer) as (_, port):
        done = await command_beside("training", "127.0.0.1", port, 10, "--connections=1", cwd=tmp_path)
    assert done.status == 1
    said = only_line(done.err)
    assert "the dealer ended after 1 of 10 rounds; the table is saved" in said
    assert "CARD Ten of Spades is not allowed now: expected BEGIN" in said
    assert trained(tmp_path).rounds == 1


# What it prints.

KEYS = {
    "end",
    "rounds",
    "wins",
    "pushes",
    "losses",
    "busts",
    "mean_payoff",
    "standard_error",
    "seconds",
    "rounds_per_second",
    "connections",
    "table",
    "table_rounds",
    "method",
    "rules",
    "seed",
    "curve",
    "grade",
    "random_play_limit",
    "no_exact_value",
}


@pytest.mark.parametrize("method", METHODS)
def test_json_is_one_document_and_nothing_else(tmp_path: Path, port: int, method: str) -> None:
    address = f"ws://127.0.0.1:{port}/ws"
    done = command(
        "training", address, 100, "--json", "--seed=3", "--method", method, "--table=q.txt", cwd=tmp_path
    )
    document: dict[str, Any] = json.loads(done.out)
    assert set(document) == KEYS
    assert (
        document
        | {
            "end": "done",
            "rounds": 100,
            "connections": 16,
            "table": "q.txt",
            "table_rounds": 100,
            "method": method,
            "rules": Rules().fields(),
            "seed": 3,
        }
        == document
    )
    assert document["wins"] + document["pushes"] + document["losses"] == 100
    assert load(tmp_path / "q.txt").seed == 3


# Mistakes.


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["127.0.0.1", "80", "1", "9"], "there is no place for '9': expected HOST PORT ROUNDS, such as"),
        (["wss://127.0.0.1:80/ws"], "encryption"),
        (["a..b"], "'a..b' is not a host"),
        (["127.0.0.1", "1e6"], "1000000 is not a port: expected 1 to 65535"),
        (
            ["127.0.0.1", "80", "1e13"],
            "ROUNDS is '1e13': expected a whole number from 1 to 1,000,000,000,000",
        ),
        (["ws://127.0.0.1:80/ws", "1e13"], "PORT is '1e13': expected a whole number from 1 to"),
        (["127.0.0.1", "80", "many"], "ROUNDS is '"),
        (["127.0.0.1", "80", "0"], "ROUNDS is '"),
        (["127.0.0.1", "65536", "1"], "65536 is not a port"),
        (["a..b", "80", "1"], "'a..b' is not a host"),
        (["wss://127.0.0.1:80/ws", "1"], "encryption"),
        (["ws://127.0.0.1:80/ws", "80", "1"], "expected one port"),
        (["127.0.0.1", "80", "1", "--method=dyna"], "there is no method 'dyna'"),
        (["127.0.0.1", "80", "1", "--connections=0"], "--connections"),
        (["127.0.0.1", "80", "1", "--until-change=-1"], "--until-change"),
        (["127.0.0.1", "80", "1", "--until-gap=-1"], "--until-gap"),
        (["127.0.0.1", "80", "1", "--decks=9"], "decks is 9"),
        (["127.0.0.1", "80", "1", "--slow"], "--slow"),
    ],
)
def test_what_is_typed_wrong_is_one_sentence_and_status_2(
    tmp_path: Path, options: list[str], said: str
) -> None:
    done = command("training", *options, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert said in only_line(done.err)


LINE = "HOST PORT ROUNDS"


@pytest.mark.parametrize(
    ("typed", "missing", "expected", "line"),
    [
        ("", "HOST, PORT and ROUNDS are", LINE, "0.0.0.0 8088 1M"),
        ("8099", "HOST and ROUNDS are", LINE, "0.0.0.0 8099 1M"),
        ("127.0.0.1", "PORT and ROUNDS are", LINE, "127.0.0.1 8088 1M"),
        ("127.0.0.1 80", "ROUNDS is", LINE, "127.0.0.1 80 1M"),
        ("ws://127.0.0.1:80/ws", "ROUNDS is", "a ws:// address and ROUNDS", "ws://127.0.0.1:80/ws 1M"),
    ],
)
def test_what_is_missing_is_said_with_the_command_to_type(
    tmp_path: Path, typed: str, missing: str, expected: str, line: str
) -> None:
    for options, needing in (
        ("", ""),
        (" --show", ""),
        (" --until-gap 0.002", ", and --until-gap needs the most to play"),
        (" --until-change=1e-3", ", and --until-change needs the most to play"),
    ):
        done = command("training", *typed.split(), *options.split(), cwd=tmp_path)
        assert (done.status, done.out) == (2, "")
        told = f"{missing} missing{needing}: expected {expected}; type training {line}{options}"
        assert only_line(done.err) == f"training: {told}"


def test_only_the_host_is_missing_before_two_numbers(tmp_path: Path) -> None:
    done = command("training", "--until-gap", "0.002", "8099", "1k", cwd=tmp_path)
    line = "training 0.0.0.0 --until-gap 0.002 8099 1k"
    assert only_line(done.err) == f"training: HOST is missing: expected {LINE}; type {line}"


def test_the_help_shows_no_argument_as_optional(tmp_path: Path) -> None:
    done = command("training", "--help", cwd=tmp_path)
    assert "Usage: training [OPTIONS] {HOST} {PORT} {ROUNDS}" in done.out


def test_no_dealer_is_one_sentence(tmp_path: Path) -> None:
    port = unused_port()
    done = train(tmp_path, port, 10)
    assert (done.status, done.out) == (1, "")
    assert only_line(done.err).startswith(f"training: cannot connect to 127.0.0.1 port {port}: ")
    assert not (tmp_path / TABLE).exists()


@pytest.mark.parametrize(
    ("table", "said"),
    [("folder", "is a directory"), ("file/q.txt", "cannot be"), ("a" * 300, "name too long")],
)
def test_a_table_that_cannot_be_is_one_sentence(tmp_path: Path, port: int, table: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for option in ([], ["--fresh"]):
        done = train(tmp_path, port, 10, "--table", table, *option)
        assert (done.status, done.out) == (1, "")
        assert table in only_line(done.err)
        assert said in done.err or option
