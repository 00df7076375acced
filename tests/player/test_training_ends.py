"""Training that ends before its end: by a signal, by a dealer that goes wrong, by being killed."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest

from cards import Rules
from tests.helpers.house import House
from tests.helpers.patience import eventually
from tests.helpers.peer import AsyncPeer
from tests.helpers.processes import dealer_process, finish, start
from tests.helpers.remote import Dealer, following, on_a_thread
from tests.helpers.scripted import Script, nul_dealer, original_dealer, scripted
from tests.helpers.tiers import first_of
from tests.player.typed import TABLE, sentence, train
from twentyone.policies.action_values import ActionValues
from twentyone.policies.table_files import load

CARDS = ("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs")


def trained(folder: Path) -> ActionValues:
    return load(folder / TABLE)


# Signals.


async def interrupted_by(dealer: Script, folder: Path) -> str:
    """The one sentence of a run whose dealer interrupts it at the end of its script."""
    running: list[subprocess.Popen[str]] = []

    async def interrupting(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN training")
        await dealer(peer)
        running[0].send_signal(signal.SIGINT)
        while await peer.hear():
            pass

    async with scripted(interrupting) as (_, port):
        running.append(start("training", "127.0.0.1", port, 10, "--connections=1", cwd=folder))
        return sentence(await asyncio.to_thread(finish, running[0]), 130)


@pytest.mark.parametrize("has_begun", [False, True], ids=["before the first round", "in it"])
async def test_ctrl_c_before_a_round_is_over_gives_no_report_of_a_table_that_is_not_there(
    tmp_path: Path, has_begun: bool
) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        if has_begun:
            await peer.say(*CARDS, "DECISION")
            while await peer.hear() == "RULES":
                await peer.say(f"RULES {Rules()}")

    said = await interrupted_by(dealer, tmp_path)
    assert said == "training: interrupted before a round was learned from"
    assert not (tmp_path / TABLE).exists()


@pytest.mark.parametrize("number", first_of([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_a_signal_saves_and_gives_status_130(tmp_path: Path, house: House, number: int) -> None:
    before = house.tally("training").rounds
    training = start("training", "127.0.0.1", house.port, 10**8, "--json", cwd=tmp_path)
    assert eventually(lambda: house.tally("training").rounds > before + 50)
    training.send_signal(number)
    done = finish(training)
    assert done.status == 130
    document = json.loads(done.out)
    assert document["end"] == "interrupted"
    assert document["rounds"] == trained(tmp_path).rounds > 0
    assert document["grade"]["gap"] > 0
    left = 10**8 - document["rounds"]
    assert done.err == (
        f"training: interrupted after {document['rounds']:,} of 100,000,000 rounds;"
        f" what was learned is kept in {TABLE}."
        f" To go on, type: training --seed {document['seed']} 127.0.0.1 {house.port} {left} --json\n"
    )


@pytest.mark.check
def test_the_command_that_is_printed_goes_on(tmp_path: Path, house: House) -> None:
    line, rounds = f"training 127.0.0.1 {house.port} 1e8 --fresh --json", []
    for _ in range(2):
        name, *words = shlex.split(line)
        before = house.tally("training").rounds
        training = start(name, *words, cwd=tmp_path)
        assert eventually(lambda before=before: house.tally("training").rounds > before + 50)  # type: ignore[misc]
        training.send_signal(signal.SIGINT)
        done = finish(training)
        rounds.append(json.loads(done.out)["rounds"])
        line = done.err.partition("To go on, type: ")[2]
    assert trained(tmp_path).rounds == sum(rounds) > rounds[0] > 0
    assert f" {10**8 - sum(rounds)} --json" in line


# Dealers that go wrong.


def test_a_dealer_that_seats_one_player_works_with_the_default_options(tmp_path: Path) -> None:
    with on_a_thread(partial(original_dealer, 8)) as port:
        done = train(tmp_path, port, 8)
    assert done.status == 0
    assert done.err == "training: the dealer is a classic one: all rounds are played on one connection\n"
    assert trained(tmp_path).rounds == 8


def closing(wire_format: str, *more: str) -> Dealer:
    """A dealer that deals one round, says more, and closes the connection."""

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 3"
        await peer.say(*CARDS, "DECISION")
        while (answer := await peer.hear()) == "RULES":
            await peer.say("ERROR what?")
        await peer.say(*(["CARD Ten of Clubs", "RESULT BUST"] if answer == "HIT" else ["RESULT WIN"]), *more)
        while more and await peer.hear():
            pass

    return following(dealer, wire_format)


NOT_NOW = "the dealer broke the protocol: CARD Ten of Spades is not allowed now: expected BEGIN, "


@pytest.mark.parametrize(
    ("dealer", "reason"),
    [
        (closing("classic"), "the dealer closed the connection without QUIT"),
        (closing("lines", "CARD Ten of Spades"), NOT_NOW),
    ],
    ids=["closes without QUIT", "breaks the protocol"],
)
def test_a_dealer_that_goes_wrong_is_told_of_and_the_table_is_saved(
    tmp_path: Path, dealer: Dealer, reason: str
) -> None:
    with on_a_thread(dealer) as port:
        done = train(tmp_path, port, 3, "--connections=1")
    assert done.status == 1
    told = [line for line in done.err.splitlines() if "what?" not in line]
    assert told[-1].startswith(
        f"training: the dealer ended after 1 of 3 rounds; the table is saved: {reason}"
    )
    assert trained(tmp_path).rounds == 1


def test_where_no_round_was_learned_there_is_one_sentence_and_no_table(tmp_path: Path) -> None:
    async def full(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("ERROR dealer is full")

    async def hasty(peer: AsyncPeer) -> None:
        """Wait for no answer."""
        assert await peer.hear() == "JOIN training 2"
        peer.format = nul_dealer()
        await peer.say(*CARDS, "DECISION", "RESULT WIN", "QUIT")
        while await peer.hear():
            pass

    for dealer, said in (
        (full, "there is nothing to save: the dealer closed the connection: dealer is full"),
        (hasty, "training: the dealer decided without us in 1 round, or may have; nothing was learned"),
    ):
        with on_a_thread(following(dealer)) as port:
            done = train(tmp_path, port, 2, "--connections=1")
        assert done.status == 1
        assert done.err.endswith(f"{said}\n")
        assert not (tmp_path / TABLE).exists()


# Kills.


@pytest.mark.check
def test_a_dealer_that_is_killed_ends_it_as_one_that_says_quit(tmp_path: Path) -> None:
    with dealer_process(tmp_path, 0, "--history=history") as (dealer, port):
        training = start("training", "127.0.0.1", port, 10**8, cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        dealer.kill()
        done = finish(training)
    assert done.status == 1
    played = trained(tmp_path).rounds
    assert f"the dealer ended after {played:,} of 100,000,000 rounds; the table is saved" in done.err


SAVES_ALL_THE_TIME = """
import twentyone.learning.resuming
import player.train
player.train.SHOW_EVERY = twentyone.learning.resuming.SAVE_EVERY = 0.0
from player.cli import training_main
training_main()
"""


@pytest.mark.check
def test_killed_at_any_instant_the_file_can_be_read(tmp_path: Path, port: int) -> None:
    """Each time after another number of savings, so at another instant of the next one."""
    table, rounds = tmp_path / TABLE, 0
    for number in range(1, 6):
        training = start("training", "127.0.0.1", port, 10**8, cwd=tmp_path, code=SAVES_ALL_THE_TIME)
        for _ in range(number):
            before = table.stat().st_mtime_ns if table.exists() else 0
            assert eventually(lambda since=before: table.exists() and table.stat().st_mtime_ns > since)  # type: ignore[misc]
        training.kill()
        training.communicate()
        assert trained(tmp_path).rounds > rounds  # the file is whole, and it went on from the one before
        rounds = trained(tmp_path).rounds
