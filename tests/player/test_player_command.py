"""The `player` command, against real dealers and scripted ones."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import HIT_OR_STAND, PRESETS, Decision, Rules, seeded
from learning.methods import QLearner
from player.cli import MOST_ROUNDS
from player.human import MAX_AHEAD
from policies import chart
from policies.names import TABLES
from policies.policy import threshold
from policies.qtable import HIT, STAND, QTable, save
from protocol.messages import MAX_JOIN_ROUNDS
from tests.helpers.learned import qtable_of
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, WIRE_FORMATS, AsyncPeer
from tests.helpers.processes import Finished, command, command_beside, dealing, finish, start
from tests.helpers.published import chart_of, closest
from tests.helpers.random_play import rounds_of
from tests.helpers.scripted import fill_queue, original_dealer, scripted, unused_port

KEYS = {
    "name",
    "policy",
    "rules",
    "rounds",
    "wins",
    "pushes",
    "losses",
    "busts",
    "mean_payoff",
    "standard_error",
    "seconds",
    "rounds_per_second",
    "exact",
    "ev_lost",
    "no_exact_value",
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dealer that many tests share."""
    with dealing(tmp_path_factory.mktemp("dealer")) as port:
        yield port


@pytest.fixture(scope="module")
def devs_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dealer of other rules than the usual ones."""
    with dealing(tmp_path_factory.mktemp("devs"), 0, "--rules=devs") as port:
        yield port


def play(folder: Path, port: int, *options: object, typed: str = "") -> Finished:
    return command("player", "127.0.0.1", port, *options, cwd=folder, typed=typed)


def always(decision: Decision, rules: Rules | None = None) -> QTable:
    """A table that knows one decision."""
    table = qtable_of(QLearner(), rules or Rules(), None)
    table.values[:, :, HIT if decision is Decision.HIT else STAND] = 0.5
    return table


def rounds_in(summary: str) -> int:
    """The number of rounds in a summary."""
    found = re.search(r"^\S+ +([\d,]+) ", summary.split("name ", 1)[1], re.MULTILINE)
    assert found, summary
    return int(found[1].replace(",", ""))


# Policies.


@pytest.mark.parametrize("policy", ["threshold:15", "threshold:0", "random", "qtable"])
def test_it_plays_its_rounds_by_every_policy(tmp_path: Path, port: int, policy: str) -> None:
    done = play(tmp_path, port, "--rounds=200", "--policy", policy, "--name=tester")
    assert done.status == 0
    heading, figures, rate, _, value, best, per_round, per_decision = done.out.splitlines()
    assert heading.split()[-4:] == ["mean", "payoff", "standard", "error"]
    assert figures.split()[:2] == ["tester", "200"]
    assert rate.startswith("200 rounds in ")
    assert value.startswith(f"expected value of {policy} ")
    assert best.split()[-1] == "-0.0428061"
    # The exact gap, the EV lost by these hands, and its standard error; per decision the last two.
    gap, lost, error = map(float, per_round.removeprefix("EV lost per round").split())
    assert gap == pytest.approx(float(best.split()[-1]) - float(value.split()[-1]), abs=2e-7)
    assert abs(lost - gap) < 4 * max(error, 0.0005)
    assert len(per_decision.removeprefix("EV lost per decision").split()) == 2
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize(
    "policy", ["basic", "total-only", "random-play-limit", "mimic", "never-bust", "q.txt"]
)
@pytest.mark.parametrize("given", [(), ("--rules=course",)])
def test_a_policy_is_made_for_the_rules_that_the_dealer_states(
    tmp_path: Path, devs_port: int, policy: str, given: tuple[str, ...]
) -> None:
    save(always(Decision.STAND), tmp_path / "q.txt")
    done = play(tmp_path, devs_port, "--rounds=50", "--policy", policy, "--json", *given)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert (document["policy"], document["rules"]["preset"], document["rounds"]) == (policy, "devs", 50)
    analysed = command("analysis", "value", policy, "--rules=devs", "--json", cwd=tmp_path)
    (expected,) = json.loads(analysed.out)["policies"]
    assert document["exact"]["value"] == pytest.approx(expected["value"], abs=1e-12)
    if policy == "basic":
        assert document["exact"]["gap"] == pytest.approx(0, abs=1e-12)
        assert document["ev_lost"]["per_round"] == pytest.approx(0, abs=1e-12), "no decision was another one"


def test_a_policy_that_the_dealers_rules_do_not_have_is_one_sentence(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--rules=showdown", "--seats=2", "--bots=1") as port:
        done = play(tmp_path, port, "--policy=total-only")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("player: there is no policy total-only for these rules: ")
    assert done.err.count("\n") == 1


def test_the_most_rounds_are_those_that_a_join_may_have() -> None:
    assert MOST_ROUNDS == MAX_JOIN_ROUNDS


def test_every_name_of_a_policy_is_in_the_help(tmp_path: Path) -> None:
    said = " ".join(command("player", "--help", cwd=tmp_path).out.split())
    for name in (*TABLES, "human"):
        assert f"{name} " in said or f"{name}:" in said or f"{name}," in said, name


def test_a_person_is_told_what_the_decisions_have_cost(tmp_path: Path, port: int) -> None:
    done = play(tmp_path, port, "--policy=human", "--rounds=3", "--json", typed="s\n" * 3)
    document = json.loads(done.out)
    assert (document["exact"]["value"], document["exact"]["gap"]) == (None, None)
    assert document["exact"]["proved"] is True
    assert document["exact"]["total_dependent"] == pytest.approx(-0.0428061253, abs=5e-11)
    assert document["ev_lost"]["rounds"] == document["ev_lost"]["decisions"] == 3
    assert document["ev_lost"]["per_round"] == document["ev_lost"]["per_decision"]
    shown = play(tmp_path, port, "--policy=human", "--rounds=3", typed="s\n" * 3).out
    assert "expected value of" not in shown and "EV lost per decision" in shown


def test_under_rules_without_an_exact_form_a_line_says_so(tmp_path: Path) -> None:
    options = ("--local", "--rules=study", "--policy=threshold:16", "--rounds=5")
    done = command("player", *options, cwd=tmp_path)
    assert done.out.splitlines()[3].startswith(
        "no exact value: a shoe that is reshuffled by cutoff:26 has no "
    )
    document = json.loads(command("player", *options, "--json", cwd=tmp_path).out)
    assert document["exact"] is document["ev_lost"] is None
    assert document["no_exact_value"].startswith("a shoe that is reshuffled by cutoff:26 ")


@pytest.mark.parametrize("decision", HIT_OR_STAND)
def test_the_table_decides(tmp_path: Path, port: int, decision: Decision) -> None:
    save(always(decision), tmp_path / "q.txt")
    done = play(tmp_path, port, "--table=q.txt", "--rounds=30", "--show")
    assert done.status == 0
    rounds = done.out.splitlines()[:30]
    assert [line.split(" against ")[0] for line in rounds] == [str(n) for n in range(1, 31)]
    decided = {word for line in rounds for word in re.findall(r"\) (HIT|STAND)", line)}
    assert decided == {decision.value}
    if decision is Decision.HIT:
        assert all(": BUST, hard " in line for line in rounds)  # it never stands


def test_every_hand_is_shown_with_what_was_done_and_how_it_ended(tmp_path: Path, port: int) -> None:
    done = play(tmp_path, port, "--policy=threshold:16", "--rounds=20", "--show")
    card = r"[A-Z][a-z]+ of [A-Z][a-z]+s"
    hand = r"(hard|soft) \d+"
    for number, line in enumerate(done.out.splitlines()[:20], 1):
        course = rf"{card}, {card}(, \({hand}\) HIT, {card})*(, \({hand}\) STAND)?"
        assert re.fullmatch(rf"{number} against {card}: {course}: (WIN|LOSE|PUSH|BUST), {hand}", line), line
        assert ("STAND" in line) is ("BUST" not in line)


def test_the_same_seed_makes_the_same_random_decisions(tmp_path: Path) -> None:
    shown = [
        command("player", "--local", "--policy=random", "--seed=4", "--rounds=40", "--show", cwd=tmp_path)
        for _ in range(2)
    ]
    hands = [done.out.splitlines()[:40] for done in shown]
    assert len(hands[0]) == 40
    assert hands[0] == hands[1]


def test_a_player_agrees_with_a_simulation_of_its_policy(tmp_path: Path) -> None:
    with dealing(tmp_path, 20_000, "--seed=11") as port:
        done = play(tmp_path, port, "--policy=threshold:15", "--json")
    document = json.loads(done.out)
    assert document["rounds"] == 20_000
    payoffs = [payoff for _, payoff in rounds_of(threshold(15), Rules(), seeded(12), 50_000)]
    difference = document["mean_payoff"] - np.mean(payoffs)
    standard_error = sqrt(document["standard_error"] ** 2 + np.var(payoffs, ddof=1) / len(payoffs))
    assert abs(difference) < 4 * standard_error
    assert standard_error < 0.01


# Which table.


def test_the_table_of_the_folder_comes_before_the_one_that_ships_with_the_package(
    tmp_path: Path, port: int
) -> None:
    done = play(tmp_path, port, "--rounds=1")
    assert done.err == "player: playing by the table that comes with the package (course.txt)\n"
    save(always(Decision.STAND), tmp_path / "qtables" / "qtable.txt")
    done = play(tmp_path, port, "--rounds=1")
    assert done.err == "player: playing by the table qtables/qtable.txt\n"


def test_a_table_of_other_rules_plays_with_a_warning(tmp_path: Path, port: int) -> None:
    save(always(Decision.STAND, PRESETS["devs"]), tmp_path / "q.txt")
    done = play(tmp_path, port, "--table=q.txt", "--rounds=5")
    assert (done.status, rounds_in(done.out)) == (0, 5)
    _, warning = done.err.splitlines()
    assert "the table was learned under other rules (preset=devs" in warning
    assert "`training`" in warning


def test_a_chart_of_other_rules_plays_with_a_warning(tmp_path: Path, port: int) -> None:
    chart.save(replace(chart_of(closest(PRESETS["reno"])), rules=PRESETS["reno"]), tmp_path / "c.txt")
    done = play(tmp_path, port, "--policy=chart:c.txt", "--rounds=5")
    assert (done.status, rounds_in(done.out)) == (0, 5)
    (warning,) = done.err.splitlines()
    assert "the chart is made for other rules (preset=reno" in warning


def test_a_chart_that_vanishes_during_the_game_costs_nothing(tmp_path: Path) -> None:
    chart.save(chart_of(closest(PRESETS["vegas"])), tmp_path / "c.txt")
    with dealing(tmp_path, 0, "--history=history") as port:
        player = start("player", "127.0.0.1", port, "--policy=chart:c.txt", "--json", cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        (tmp_path / "c.txt").unlink()
        player.send_signal(signal.SIGINT)
        done = finish(player)
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["exact"] is not None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: no such file"),
        (b"", "is not a Q table"),
        (
            b"# format: 1\n# rules: preset=course\n# method: m\n# rounds: 1\n# seed: 1\n0 0 0 1 1\n",
            "has 1 rows",
        ),
    ],
)
def test_a_table_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "q.txt").write_bytes(content)
    done = play(tmp_path, unused_port(), "--table=q.txt")
    assert (done.status, done.out) == (1, "")
    assert said in done.err.splitlines()[-1]


# Dealers.


def test_it_plays_until_the_dealer_says_quit(tmp_path: Path) -> None:
    with dealing(tmp_path, 70) as port:
        done = play(tmp_path, port, "--policy=random")
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 70)


def test_it_speaks_websocket(tmp_path: Path, port: int) -> None:
    address = f"ws://127.0.0.1:{port}/ws"
    done = command("player", address, "--policy=random", "--rounds=50", cwd=tmp_path)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 50)


def test_0_0_0_0_is_this_machine(tmp_path: Path, port: int) -> None:
    done = command("player", "0.0.0.0", port, "--policy=random", "--rounds=3", cwd=tmp_path)
    assert (done.status, rounds_in(done.out)) == (0, 3)


async def test_it_plays_at_the_original_dealer(tmp_path: Path) -> None:
    async with original_dealer(4) as port:
        done = await command_beside("player", "127.0.0.1", port, "--policy=threshold:17", cwd=tmp_path)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 4)


def test_the_rules_of_the_dealer_count(tmp_path: Path) -> None:
    with dealing(tmp_path, 3, "--rules=study") as port:
        done = play(tmp_path, port, "--policy=random", "--json", "--rules=devs")
    assert json.loads(done.out)["rules"] == PRESETS["study"].fields()


async def test_without_rules_of_the_dealer_those_given_count(tmp_path: Path) -> None:
    async with original_dealer(1) as port:
        options = ("--policy=random", "--json", "--ace=1", "--decks=2")
        done = await command_beside("player", "127.0.0.1", port, *options, cwd=tmp_path)
    assert json.loads(done.out)["rules"] == Rules().fields() | {"ace": "1", "decks": "2"}


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
async def test_a_dealer_that_breaks_the_protocol_ends_it_with_a_summary(
    tmp_path: Path, wire_format: str
) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        if wire_format == "websocket":
            assert await peer.hear() == "RULES"
            await peer.say(f"RULES {Rules()}")
        assert await peer.hear() == "JOIN player1"
        await peer.say("BEGIN")
        if wire_format == "lines":
            assert await peer.hear() == "RULES"
            await peer.say(f"RULES {Rules()}")
        await peer.say("RESULT WIN", "CARD Ten of Spades")

    async with scripted(dealer, wire_format) as (host, port):
        address = [host] if wire_format == "websocket" else [host, str(port)]
        done = await command_beside("player", *address, "--policy=random", cwd=tmp_path)
    assert (done.status, rounds_in(done.out)) == (1, 1)
    assert done.err == (
        "player: the dealer broke the protocol: CARD Ten of Spades is not allowed now:"
        " expected BEGIN, SHUFFLE, DECISION BET <min> <max> <bankroll>, QUIT, ERROR <text> or"
        " RULES <key>=<value> ...\n"
    )


async def test_a_dealer_that_vanishes_ends_it_with_a_summary(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("BEGIN", "RESULT LOSE", "BEGIN")

    async with scripted(dealer, "classic") as (host, port):
        done = await command_beside("player", host, port, "--policy=random", cwd=tmp_path)
    assert (done.status, rounds_in(done.out)) == (1, 1)
    assert done.err == "player: the dealer closed the connection without QUIT\n"


async def test_a_full_dealer_is_quoted(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("ERROR dealer is full")

    async with scripted(dealer) as (host, port):
        done = await command_beside("player", host, port, "--policy=random", cwd=tmp_path)
    assert (done.status, done.err) == (1, "player: the dealer closed the connection: dealer is full\n")


def test_ctrl_c_leaves_with_a_summary_and_status_0(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        player = start("player", "127.0.0.1", port, "--policy=random", "--json", cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        player.send_signal(signal.SIGINT)
        done = finish(player)
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["rounds"] > 0


async def test_ctrl_c_works_at_a_dealer_that_says_nothing(tmp_path: Path) -> None:
    running: list[subprocess.Popen[str]] = []

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        running[0].send_signal(signal.SIGINT)
        assert await peer.hear() == "QUIT"

    async with scripted(dealer) as (_, port):
        running.append(start("player", "127.0.0.1", port, "--policy=random", cwd=tmp_path))
        done = await asyncio.to_thread(finish, running[0])
    assert (done.status, rounds_in(done.out)) == (0, 0)


# A person at the keyboard, or a pipe in its place.


async def test_a_person_plays_a_round(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION")
        assert await peer.hear() == "HIT"
        await peer.say("CARD Nine of Clubs", "DECISION")
        assert await peer.hear() == "STAND"
        await peer.say("RESULT WIN", "BEGIN", "CARD Ten of Spades", "CARD Two of Hearts")
        await peer.say("DEALER Six of Clubs", "DECISION")
        assert await peer.hear() == "QUIT"

    async with scripted(dealer, "classic") as (host, port):
        done = await command_beside(
            "player", host, port, "--policy=human", cwd=tmp_path, typed="?\n H \nperhaps\nstand\nq\n"
        )
    assert (done.status, done.err) == (0, "")
    said = iter(done.out.splitlines())
    for expected in (  # in this order, with other lines between them
        "Round 1",
        "The dealer shows the Six of Clubs.",
        "Your hand: Ace of Spades, Two of Hearts: soft 13.",
        "h  HIT: one more card.",
        "You get the Nine of Clubs.",
        "Nine of Clubs: hard 12.",
        "'perhaps' is not an answer: expected h, s, q or ?",
        "You win with 12. Score: 1 won, 0 pushed, 0 lost.",
        "Round 2",
        "You leave an open hand, which is lost.",
    ):
        assert any(expected in line for line in said), expected
    assert rounds_in(done.out) == 2


@pytest.mark.parametrize(
    ("typed", "most"), [("", 1), ("q\n", 1), ("quit", 1), ("h", 2)], ids=["end", "q", "quit", "h and the end"]
)
def test_the_end_of_input_ends_the_game_well(tmp_path: Path, port: int, typed: str, most: int) -> None:
    """Who hits may be bust, and is then asked in a second round, which is left open and lost."""
    done = play(tmp_path, port, "--policy=human", typed=typed)
    assert (done.status, done.err) == (0, "")
    assert rounds_in(done.out) <= most


def test_a_game_of_ones_own_needs_no_dealer(tmp_path: Path) -> None:
    options = ("--local", "--rounds=3", "--seed=1", "--ace=1")
    done = command("player", *options, cwd=tmp_path, typed="s\n" * 10)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 3)
    assert "The rules: preset=course decks=1 reshuffle=round ace=1 " in done.out
    assert re.search(r"Score: \d won, \d pushed, \d lost\.", done.out)


def test_basic_is_exact_for_the_whole_game(tmp_path: Path) -> None:
    done = command("player", "--local", "--rules=vegas", "--rounds=3", "--policy=basic", cwd=tmp_path)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 3)


def test_a_showdown_of_ones_own_is_against_a_bot(tmp_path: Path) -> None:
    options = ("--local", "--rules=showdown", "--rounds=5", "--policy=threshold:16", "--seed=2")
    done = command("player", *options, cwd=tmp_path)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 5)


def test_a_table_plays_a_game_of_ones_own_unless_a_policy_is_named(tmp_path: Path) -> None:
    save(always(Decision.HIT), tmp_path / "q.txt")
    options = ("--local", "--table=q.txt", "--rounds=3", "--json")
    done = command("player", *options, cwd=tmp_path)
    assert done.err == "player: playing by the table q.txt\n"
    document = json.loads(done.out)
    assert (document["policy"], document["busts"]) == ("qtable", 3)
    done = command("player", *options, "--policy=human", cwd=tmp_path, typed="s\n" * 3)
    assert json.loads(done.out)["policy"] == "human"


def test_a_table_that_is_not_there_is_no_game_by_hand(tmp_path: Path) -> None:
    done = command("player", "--local", "--table=missing.txt", cwd=tmp_path, typed="s\n")
    assert (done.status, done.out) == (1, "")
    assert "the table missing.txt cannot be read: no such file" in done.err


def test_a_pipe_is_read_only_as_far_as_the_game_has_come(tmp_path: Path, port: int) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe:
        os.write(writing, b"s\n" * 30_000)  # less than a pipe holds
        os.close(writing)
        done = subprocess.run(
            [
                Path(sys.executable).with_name("player"),
                "127.0.0.1",
                str(port),
                "--policy=human",
                f"--rounds={MAX_AHEAD + 50}",
            ],
            cwd=tmp_path,
            stdin=pipe,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, rounds_in(done.stdout)) == (0, MAX_AHEAD + 50)
        assert len(pipe.read()) > 30_000


# What it prints.


@pytest.mark.parametrize("policy", ["threshold:12", "human"])
def test_json_is_one_document_and_nothing_else(tmp_path: Path, port: int, policy: str) -> None:
    done = play(tmp_path, port, "--json", "--policy", policy, "--show", "--rounds=5", typed="s\n" * 5)
    document: dict[str, Any] = json.loads(done.out)
    assert set(document) == KEYS
    assert (
        document
        | {
            "name": "player1",
            "policy": policy,
            "rounds": 5,
            "rules": Rules().fields(),
        }
        == document
    )
    assert document["wins"] + document["pushes"] + document["losses"] == 5
    payoff = document["wins"] - document["losses"]
    assert document["mean_payoff"] == payoff / 5
    assert "against" in done.err or "Round 5" in done.err  # the hands, shown beside it


def test_who_reads_no_further_ends_it_quietly(tmp_path: Path, port: int) -> None:
    player = start("player", "127.0.0.1", port, "--policy=random", "--show", cwd=tmp_path)
    assert player.stdout is not None
    assert player.stderr is not None
    assert player.stdout.readline().startswith("1 against ")
    player.stdout.close()
    assert player.wait(PATIENCE) == 1
    assert "Traceback" not in player.stderr.read()
    player.stderr.close()
    assert player.stdin is not None
    player.stdin.close()


# Mistakes.


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "the dealer's address is missing"),
        (["127.0.0.1"], "there is no port"),
        (["8088"], "there is no host before 8088: expected HOST PORT, such as 0.0.0.0 8088"),
        (["127.0.0.1", "80", "--rounds=1e13"], "--rounds is '1e13': expected a whole number from 1 to"),
        (["127.0.0.1", "port"], "PORT is '"),
        (["127.0.0.1", "0"], "PORT is '"),
        (["127.0.0.1", "65536"], "PORT is '"),
        (["a..b", "80"], "'a..b' is not a host"),
        (["ws://127.0.0.1:80/ws", "80"], "expected one port"),
        (["ws://127.0.0.1:99999/ws"], "is not an address"),
        (["wss://127.0.0.1:80/ws"], "encryption"),
        (["127.0.0.1", "80", "--local"], "expected no HOST and PORT"),
        (["127.0.0.1", "80", "--name="], "'' is not a name"),
        (["127.0.0.1", "80", "--name=a  b"], "'a  b' is not a name"),
        (["127.0.0.1", "80", "--rounds=0"], "--rounds"),
        (["127.0.0.1", "80", "--seed=-1"], "the seed is -1: expected 0 or more"),
        (["127.0.0.1", "80", "--decks=9"], "decks is 9"),
        (["127.0.0.1", "80", "--policy=clever"], "there is no policy 'clever'"),
        (["127.0.0.1", "80", "--policy=qtable:a.txt", "--table=b.txt"], "are two tables"),
        (
            ["127.0.0.1", "80", "--policy=total-only", "--rules=showdown"],
            "no policy total-only for these rules",
        ),
        (["127.0.0.1", "80", f"--policy={'x' * 5000}"], "there is no policy"),
        (["127.0.0.1", "80", "--policy="], "there is no policy ''"),
        (["127.0.0.1", "80", "--policy=threshold:"], "there is no policy"),
        (["127.0.0.1", "80", "--policy=threshold:23"], "there is no policy"),
        (["127.0.0.1", "80", f"--policy=threshold:{'0' * 5000}"], "there is no policy"),
    ],
)
def test_what_is_typed_wrong_is_one_sentence_and_status_2(
    tmp_path: Path, options: list[str], said: str
) -> None:
    policy = [] if any("--policy" in option for option in options) else ["--policy=random"]
    done = command("player", *options, *policy, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    (sentence,) = done.err.splitlines()
    assert said in sentence


def test_no_dealer_is_one_sentence(tmp_path: Path) -> None:
    port = unused_port()
    done = play(tmp_path, port, "--policy=random")
    assert (done.status, done.out) == (1, "")
    (sentence,) = done.err.splitlines()
    assert sentence.startswith(f"player: cannot connect to 127.0.0.1 port {port}: ")


IMPATIENT = [
    sys.executable,
    "-c",
    "from player import client; client.connect.__defaults__ = (0.5,);"
    " from player.cli import player_main; player_main()",
]
"""The command, with half a second for the connection to be made."""


@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_a_table_that_may_never_end_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    table = "pipe" if kind == "a pipe" else "/dev/zero"
    done = play(tmp_path, unused_port(), "--table", table)
    assert (done.status, done.out) == (1, "")
    assert f"the table {table} cannot be read: it is not a regular file" in done.err


async def test_a_dealer_that_takes_no_connection_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server((LOCALHOST, 0), backlog=0) as listener:
        waiting = await fill_queue(listener)
        port = listener.getsockname()[1]
        done = await asyncio.to_thread(
            subprocess.run,
            [*IMPATIENT, LOCALHOST, str(port), "--policy=random"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        for client in waiting:
            client.close()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"player: cannot connect to {LOCALHOST} port {port}: no answer within 0.5 s;"
        " is a dealer running there?\n"
    )
