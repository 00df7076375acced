"""The `player` command: its policies, its dealers, what it prints, and its mistakes."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cards import HIT_OR_STAND, PRESETS, Decision, Rules, seeded
from player import client as client_module
from player.cli import MOST_ROUNDS, _default_policy
from player.tries import PAUSES
from protocol.messages import MAX_JOIN_ROUNDS
from tests.helpers.house import House, open_house
from tests.helpers.learned import empty_table
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.processes import command, dealing, finish, start
from tests.helpers.published import chart_of, closest
from tests.helpers.random_play import rounds_of
from tests.helpers.remote import following, on_a_thread
from tests.helpers.scripted import Script, deal_rounds, fill_queue, original_dealer, scripted, unused_port
from tests.player.playing import dialogue, says
from tests.player.typed import play, player, sentence
from twentyone.exact import solving
from twentyone.exact.named import named
from twentyone.policies import chart
from twentyone.policies.action_values import ActionValues
from twentyone.policies.decisions import greedy
from twentyone.policies.names import TABLES
from twentyone.policies.policy import threshold
from twentyone.policies.qtable import HIT, STAND
from twentyone.policies.table_files import save

KEYS = {
    *("name", "policy", "rules", "rounds", "wins", "pushes", "losses", "busts", "mean_payoff"),
    *("standard_error", "seconds", "rounds_per_second", "exact", "ev_lost", "no_exact_value"),
}


def always(decision: Decision, rules: Rules | None = None) -> ActionValues:
    """A table that knows one decision."""
    table = empty_table(rules or Rules(), None)
    table.values[:, :, HIT if decision is Decision.HIT else STAND] = 0.5
    return table


def rounds_in(summary: str) -> int:
    """The number of rounds in a summary."""
    found = re.search(r"^\S+ +([\d,]+) ", summary.split("name ", 1)[1], re.MULTILINE)
    assert found, summary
    return int(found[1].replace(",", ""))


# As processes.


def test_a_player_at_a_dealer_until_the_dealer_says_quit(tmp_path: Path) -> None:
    with dealing(tmp_path, 70) as port:
        done = command("player", "127.0.0.1", port, "--policy=random", cwd=tmp_path)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 70)


def test_a_game_of_ones_own_needs_no_dealer(tmp_path: Path) -> None:
    options = ("--local", "--rounds=3", "--seed=1", "--ace=1")
    done = command("player", *options, cwd=tmp_path, typed="s\n" * 10)
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 3)
    assert "The rules: preset=course decks=1 reshuffle=round ace=1 " in done.out
    assert re.search(r"Score: \d won, \d pushed, \d lost\.", done.out)


def test_the_same_seed_makes_the_same_cards_and_random_decisions_in_a_game_of_ones_own(
    tmp_path: Path,
) -> None:
    """A showdown, which is against a bot."""
    options = ("--local", "--rules=showdown", "--policy=random", "--seed=4", "--rounds=40", "--show")
    done, again = (command("player", *options, cwd=tmp_path) for _ in range(2))
    assert (done.status, done.err, rounds_in(done.out)) == (0, "", 40)
    assert done.out.splitlines()[:40] == again.out.splitlines()[:40]


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


@pytest.mark.check
@pytest.mark.parametrize("policy", ["random", "human"])
def test_ctrl_c_leaves_with_a_summary_and_status_0(tmp_path: Path, house: House, policy: str) -> None:
    name = f"leaves {policy}"
    options = (f"--policy={policy}", f"--name={name}", "--json")
    run = start("player", "127.0.0.1", house.port, *options, cwd=tmp_path)
    if policy == "random":
        assert eventually(lambda: house.tally(name).rounds > 20)
    else:
        assert run.stderr is not None
        while not run.stderr.readline().startswith("  Your hand"):
            pass
    run.send_signal(signal.SIGINT)
    done = finish(run)
    assert (done.status, json.loads(done.out)["rounds"] > 0) == (0, True)
    assert policy == "random" or "You leave an open hand" in done.err


@pytest.mark.check
def test_who_reads_no_further_ends_it_quietly(tmp_path: Path, port: int) -> None:
    run = start("player", "127.0.0.1", port, "--policy=random", "--show", cwd=tmp_path)
    assert run.stdin is not None and run.stdout is not None and run.stderr is not None
    with run.stdin, run.stderr:
        with run.stdout:
            assert run.stdout.readline().startswith("1 against ")
        assert run.wait(PATIENCE) == 1
        assert "Traceback" not in run.stderr.read()


@pytest.mark.parametrize("table", ["pipe", "/dev/zero"])
def test_a_table_that_may_never_end_is_refused_at_once(tmp_path: Path, table: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = command("player", "127.0.0.1", unused_port(), "--table", table, cwd=tmp_path)
    assert f"the table {table} cannot be read: it is not a regular file" in sentence(done, 1)


# Policies.


@pytest.mark.parametrize("policy", ["threshold:15", "random", "qtable"])
def test_it_plays_its_rounds_by_a_policy_and_says_what_that_is_worth(
    tmp_path: Path, port: int, policy: str
) -> None:
    done = play(tmp_path, port, "--rounds=200", "--policy", policy, "--name=tester")
    assert done.status == 0
    heading, figures, rate, _, value, best, best_play, per_round, per_decision = done.out.splitlines()
    assert heading.split()[-4:] == ["mean", "payoff", "standard", "error"]
    assert figures.split()[:2] == ["tester", "200"]
    assert rate.startswith("200 rounds in ")
    assert value.startswith(f"expected value of {policy} ")
    assert best.split() == ["best", "chart", "-0.0428061"]
    assert best_play.split() == ["best", "play", "-0.0424623"]
    # The exact gap, the EV lost by these hands, and its standard error; per decision the last two.
    gap, lost, error = map(float, per_round.removeprefix("EV lost per round").split())
    assert gap == pytest.approx(float(best.split()[-1]) - float(value.split()[-1]), abs=2e-7)
    assert abs(lost - gap) < 4 * max(error, 0.0005)
    assert len(per_decision.removeprefix("EV lost per decision").split()) == 2
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("policy", ["basic", "total-only", "mimic", "q.txt"])
@pytest.mark.parametrize("given", [(), ("--rules=course",)], ids=["", "other rules given"])
def test_a_policy_is_made_for_the_rules_that_the_dealer_states(
    tmp_path: Path, devs_port: int, policy: str, given: tuple[str, ...]
) -> None:
    table, rules = always(Decision.STAND), PRESETS["devs"]
    save(table, tmp_path / "q.txt")
    done = play(tmp_path, devs_port, "--rounds=30", "--policy", policy, "--json", *given)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert (document["policy"], document["rules"]["preset"], document["rounds"]) == (policy, "devs", 30)
    decisions = greedy(table, "") if policy == "q.txt" else named(policy, rules)
    value = solving.evaluate(rules, decisions.hit).value
    assert document["exact"]["value"] == pytest.approx(value, abs=1e-12)
    if policy == "basic":
        assert document["exact"]["gap"] == pytest.approx(0, abs=1e-12)
        assert document["ev_lost"]["per_round"] == pytest.approx(0, abs=1e-12), "no decision was another one"


def test_it_plays_what_its_policy_decides_on_the_same_cards(tmp_path: Path) -> None:
    with open_house(rounds=500, seed=11) as house:
        document = json.loads(play(tmp_path, house.port, "--policy=threshold:15", "--json").out)
    payoffs = [payoff for _, payoff in rounds_of(threshold(15), Rules(), seeded(11, 1), 500)]
    counts = [payoffs.count(payoff) for payoff in (1, 0, -1)]
    assert [document["wins"], document["pushes"], document["losses"]] == counts


def test_a_policy_that_the_dealers_rules_do_not_have_is_one_sentence(tmp_path: Path) -> None:
    with open_house(rules=replace(PRESETS["showdown"], seats=2), bots=1) as house:
        said = sentence(play(tmp_path, house.port, "--policy=total-only"), 2)
    assert said.startswith("player: there is no policy total-only for these rules: ")


def test_a_person_is_told_what_the_decisions_have_cost(tmp_path: Path, port: int) -> None:
    done = play(tmp_path, port, "--policy=human", "--rounds=3", "--json", typed="s\n" * 3)
    document = json.loads(done.out)
    assert (document["exact"]["value"], document["exact"]["gap"]) == (None, None)
    assert document["exact"]["proved"] is True
    assert document["exact"]["best_chart"] == pytest.approx(-0.0428061253, abs=5e-11)
    assert document["ev_lost"]["rounds"] == document["ev_lost"]["decisions"] == 3
    assert document["ev_lost"]["per_round"] == document["ev_lost"]["per_decision"]
    shown = play(tmp_path, port, "--policy=human", "--rounds=3", typed="s\n" * 3).out
    assert "expected value of" not in shown and "EV lost per decision" in shown


def test_with_a_shoe_that_is_kept_the_values_are_those_of_a_fresh_one(tmp_path: Path) -> None:
    options = ("--policy=threshold:16", "--rounds=5")
    with open_house(rules=PRESETS["study"]) as house:
        shown = play(tmp_path, house.port, *options).out
        document = json.loads(play(tmp_path, house.port, *options, "--json", "--rules=devs").out)
    assert shown.splitlines()[-1] == "The exact values are those of a shoe that is fresh every round."
    assert document["exact"]["best_chart"] == pytest.approx(-0.0525863321, abs=5e-11)
    assert document["no_exact_value"] is None
    assert document["rules"] == PRESETS["study"].fields()  # the dealer's, and not those given


@pytest.mark.parametrize("decision", HIT_OR_STAND)
def test_the_table_decides(tmp_path: Path, port: int, decision: Decision) -> None:
    save(always(decision), tmp_path / "q.txt")
    done = play(tmp_path, port, "--table=q.txt", "--rounds=30", "--show")
    decided = {word for line in done.out.splitlines() for word in re.findall(r"\) (HIT|STAND)", line)}
    assert (done.status, decided) == (0, {decision.value})


def test_every_hand_is_shown_with_what_was_done_and_how_it_ended(tmp_path: Path, port: int) -> None:
    done = play(tmp_path, port, "--policy=threshold:16", "--rounds=20", "--show")
    card = r"[A-Z][a-z]+ of [A-Z][a-z]+s"
    hand = r"(hard|soft) \d+"
    for number, line in enumerate(done.out.splitlines()[:20], 1):
        course = rf"{card}, {card}(, \({hand}\) HIT, {card})*(, \({hand}\) STAND)?"
        assert re.fullmatch(rf"{number} against {card}: {course}: (WIN|LOSE|PUSH|BUST), {hand}", line), line
        assert ("STAND" in line) is ("BUST" not in line)


# Which table.


def test_a_game_of_ones_own_is_by_hand_unless_a_table_is_named() -> None:
    assert _default_policy(local=True, table=None) == "human"
    assert _default_policy(local=True, table=Path("q.txt")) == "qtable"
    assert _default_policy(local=False, table=None) == "qtable"


def test_the_table_of_the_folder_comes_before_the_one_that_ships_with_the_package(
    tmp_path: Path, port: int
) -> None:
    done = play(tmp_path, port, "--rounds=1")
    assert done.err == "player: playing by the table that comes with the package (course.txt)\n"
    save(always(Decision.STAND), tmp_path / "qtables" / "qtable.txt")
    done = play(tmp_path, port, "--rounds=1")
    assert done.err == "player: playing by the table qtables/qtable.txt\n"


def test_tables_and_charts_of_other_rules_play_with_a_warning(tmp_path: Path, port: int) -> None:
    save(always(Decision.STAND, PRESETS["devs"]), tmp_path / "q.txt")
    chart.save(replace(chart_of(closest(PRESETS["reno"])), rules=PRESETS["reno"]), tmp_path / "c.txt")
    for option, warning in (
        ("--table=q.txt", "the table was learned under other rules (preset=devs"),
        ("--policy=chart:c.txt", "the chart is made for other rules (preset=reno"),
    ):
        done = play(tmp_path, port, option, "--rounds=5")
        assert (done.status, rounds_in(done.out)) == (0, 5)
        last = done.err.splitlines()[-1]
        assert warning in last
        assert ("`training`" in last) == (option == "--table=q.txt")


def test_a_chart_that_vanishes_during_the_game_costs_nothing(tmp_path: Path) -> None:
    chart.save(chart_of(closest(PRESETS["vegas"])), tmp_path / "c.txt")

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        (tmp_path / "c.txt").unlink()
        assert await deal_rounds(peer, 3) == 3

    with on_a_thread(following(dealer)) as port:
        done = play(tmp_path, port, "--policy=chart:c.txt", "--json")
    assert (done.status, json.loads(done.out)["exact"] is None) == (0, False)


def test_a_table_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    row = b"# format: 1\n# rules: preset=course\n# method: m\n# rounds: 1\n# seed: 1\n0 0 0 1 1\n"
    cases = {None: "cannot be read: no such file", b"": "is not a Q table", row: "has 1 row:"}
    for content, said in cases.items():
        if content is not None:
            (tmp_path / "q.txt").write_bytes(content)
        for how in (("127.0.0.1", unused_port()), ("--local",)):
            assert said in sentence(player(tmp_path, *how, "--table=q.txt"), 1)


# Dealers.


def test_it_speaks_websocket_and_0_0_0_0_is_this_machine(tmp_path: Path, port: int) -> None:
    for address in ([f"ws://127.0.0.1:{port}/ws"], ["0.0.0.0", port], [f"ws://0.0.0.0:{port}/ws"]):
        done = player(tmp_path, *address, "--policy=random", "--rounds=20")
        assert (done.status, done.err, rounds_in(done.out)) == (0, "", 20), address


def test_it_plays_at_the_original_dealer_by_the_rules_that_are_given(tmp_path: Path) -> None:
    with on_a_thread(partial(original_dealer, 2)) as port:
        done = play(tmp_path, port, "--policy=threshold:17", "--json", "--ace=1", "--decks=2")
    document = json.loads(done.out)
    assert (done.status, done.err, document["rounds"]) == (0, "", 2)
    assert document["rules"] == Rules().fields() | {"ace": "1", "decks": "2"}


@pytest.mark.parametrize(
    ("script", "rounds", "said"),
    [
        (
            dialogue(f"> JOIN player1\n BEGIN > RULES\n RULES {Rules()}; RESULT WIN; CARD Ten of Spades"),
            1,
            "the dealer broke the protocol: CARD Ten of Spad",
        ),
        (
            says("ERROR dealer is full", name="player1"),
            0,
            "the dealer closed the connection: dealer is full\n",
        ),
    ],
    ids=["broken", "full"],
)
def test_a_dealer_that_goes_wrong_ends_it_with_a_summary(
    tmp_path: Path, script: Script, rounds: int, said: str
) -> None:
    with on_a_thread(following(script)) as port:
        done = play(tmp_path, port, "--policy=random")
    assert (done.status, rounds_in(done.out)) == (1, rounds)
    assert done.err.startswith(f"player: {said}")


def test_a_dealer_that_is_gone_for_good_ends_it_after_a_few_tries_with_the_results_so_far(
    tmp_path: Path,
) -> None:
    connections = 0

    async def vanishing(peer: AsyncPeer) -> None:
        nonlocal connections
        connections += 1
        if connections == 1:
            await dialogue(f"> JOIN player1\n BEGIN > RULES\n RULES {Rules()}; RESULT LOSE; BEGIN")(peer)
        peer.close_side()
        while await peer.hear():  # what is left unread would reset the connection
            pass

    with on_a_thread(following(vanishing)) as port:
        done = play(tmp_path, port, "--policy=random")
    assert (done.status, rounds_in(done.out), connections) == (1, 1, 1 + len(PAUSES))
    reason = "the dealer closed the connection without QUIT"
    told = done.err.splitlines()
    lost = "1 round cannot be recovered: counted without a result"  # the one that was open
    trying = f"{reason}; trying to come back for 0 s"
    assert told == [f"player: {sentence}" for sentence in (trying, lost, reason)]


# What it prints.


@pytest.mark.parametrize("policy", ["threshold:12", "human"])
def test_json_is_one_document_and_nothing_else(tmp_path: Path, port: int, policy: str) -> None:
    done = play(tmp_path, port, "--json", "--policy", policy, "--show", "--rounds=5", typed="s\n" * 5)
    document: dict[str, Any] = json.loads(done.out)
    assert set(document) == KEYS
    told = {"name": "player1", "policy": policy, "rounds": 5, "rules": Rules().fields()}
    assert document | told == document
    assert document["wins"] + document["pushes"] + document["losses"] == 5
    assert document["mean_payoff"] == (document["wins"] - document["losses"]) / 5
    assert document["rounds_per_second"] == pytest.approx(5 / document["seconds"])
    assert "against" in done.err or "Round 5" in done.err  # the hands, shown beside it


def test_every_name_of_a_policy_is_in_the_help(tmp_path: Path) -> None:
    said = " ".join(player(tmp_path, "--help").out.split())
    for name in (*TABLES, "human"):
        assert f"{name} " in said or f"{name}:" in said or f"{name}," in said, name


# Mistakes.

HERE = ["127.0.0.1", "80"]

MISTAKES: list[tuple[list[str], str]] = [
    ([], "the dealer's address is missing: expected HOST PORT, such as 0.0.0.0 8088, or --local"),
    (["127.0.0.1"], "there is no port after '127.0.0.1': expected HOST PORT, such as 0.0.0.0 8088"),
    (["8088"], "there is no host before 8088: expected HOST PORT, such as 0.0.0.0 8088"),
    (["127.0.0.1", "0"], "PORT is '"),
    (["127.0.0.1", "65536"], "PORT is '"),
    (["a..b", "80"], "'a..b' is not a host"),
    (["ws://127.0.0.1:80/ws", "80"], "expected one port"),
    (["ws://127.0.0.1:99999/ws"], "is not an address"),
    (["wss://127.0.0.1:80/ws", "80"], "expected one port"),
    (["ws://127.0.0.1:80/ws", "--tls"], "is without TLS, and --tls asks for it: expected wss://"),
    ([*HERE, "--tls-ca=ca.pem"], "--tls-ca ca.pem is for TLS: expected --tls or a wss:// address too"),
    ([*HERE, "--tls", "--tls-ca=no.pem"], "no.pem cannot be read: no such file or directory: expected a cer"),
    ([*HERE, "--tls", f"--tls-ca={__file__}"], "holds no certificate: expected that of an authority, in PEM"),
    (["--local", "--tls"], "--local needs no TLS: expected no --tls and no --tls-ca with it"),
    ([*HERE, "--local"], "--local starts its own dealer: expected no HOST and PORT with it"),
    ([*HERE, "--name="], "'' is not a name"),
    ([*HERE, "--name=a  b"], "'a  b' is not a name"),
    ([*HERE, "--token=a b"], "this is not the token of a name"),
    ([*HERE, "--rounds=0"], "--rounds"),
    ([*HERE, "--rounds=1e13"], "--rounds is '1e13': expected a whole number from 1 to"),
    ([*HERE, "--seed=-1"], "the seed is -1: expected 0 or more"),
    ([*HERE, "--decks=9"], "decks is 9"),
    ([*HERE, "--policy=clever"], "there is no policy 'clever'"),
    ([*HERE, f"--policy=threshold:{'0' * 5000}"], "there is no policy"),
    ([*HERE, "--policy=qtable:a.txt", "--table=b.txt"], "are two tables"),
    ([*HERE, "--policy=total-only", "--rules=showdown"], "no policy total-only for these rules"),
]


def test_what_is_typed_wrong_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    for words, said in MISTAKES:
        policy = [] if any("--policy" in word for word in words) else ["--policy=random"]
        assert said in sentence(player(tmp_path, *words, *policy), 2)


def test_the_most_rounds_are_those_that_a_join_may_have() -> None:
    assert MOST_ROUNDS == MAX_JOIN_ROUNDS


def test_no_dealer_is_one_sentence(tmp_path: Path) -> None:
    port = unused_port()
    said = sentence(play(tmp_path, port, "--policy=random"), 1)
    assert said.startswith(f"player: cannot connect to 127.0.0.1 port {port}: ")


@pytest.mark.check
def test_a_dealer_that_takes_no_connection_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module.connect, "__defaults__", (0.5,))
    with socket.create_server((LOCALHOST, 0), backlog=0) as listener:
        waiting = asyncio.run(fill_queue(listener))
        port = listener.getsockname()[1]
        said = sentence(play(tmp_path, port, "--policy=random"), 1)
        for client in waiting:
            client.close()
    reason = "no answer within 0.5 s; is a dealer running there?"
    assert said == f"player: cannot connect to {LOCALHOST} port {port}: {reason}"
