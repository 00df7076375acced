"""Training runs against dealers that serve connections in their own ways."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Rules
from learning.methods import End, Learner, RandomPlayLearner
from player import client as client_module
from player import trainer as trainer_module
from player.address import Address
from player.trainer import Plan, Trainer, TrainingError
from tests.player.peers import PATIENCE, Peer, deal_rounds, original_dealer, scripted

SOMEWHERE = Address("127.0.0.1", 1)


@given(st.integers(1, 10**6), st.integers(1, 1000))
def test_rounds_are_shared_out_evenly_and_all_of_them(rounds: int, connections: int) -> None:
    shares = Plan(SOMEWHERE, rounds, connections, seed=1).shares
    assert sum(shares) == rounds
    assert len(shares) == min(rounds, connections)
    assert max(shares) - min(shares) <= 1


class Run:
    """A training run, and what it said."""

    def __init__(self, port: int, rounds: int, connections: int) -> None:
        self.notices: list[str] = []
        self.told: list[Rules | None] = []
        plan = Plan(Address("127.0.0.1", port), rounds, connections, seed=1)
        self.trainer = Trainer(plan, self._learner, self.notices.append)

    async def finish(self) -> Trainer:
        await asyncio.wait_for(self.trainer.run(), PATIENCE)
        return self.trainer

    def _learner(self, rules: Rules | None) -> tuple[Learner, Rules]:
        self.told.append(rules)
        return RandomPlayLearner(), rules or Rules()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to wait long for a dealer that serves one."""
    monkeypatch.setattr(trainer_module, "JOIN_PAUSE", 0.05)
    monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", 0.2)


def assert_all_learned(trainer: Trainer, rounds: int) -> None:
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    assert trainer.learner is not None
    assert trainer.played == trainer.learner.rounds == trainer.tally.rounds == rounds


@pytest.mark.parametrize("budget", [7, 10**6], ids=["it ends by itself", "it never ends"])
async def test_a_dealer_that_seats_one_player_deals_all_rounds_to_it(quick: None, budget: int) -> None:
    async with original_dealer(budget) as port:
        run = Run(port, rounds=7, connections=4)
        trainer = await run.finish()
    assert_all_learned(trainer, 7)
    assert run.notices == [
        "the dealer began no round on 3 of 4 connections: their 5 rounds go to one on which it did"
    ]
    assert run.told == [None]


async def test_a_dealer_that_ignores_the_number_is_left_after_the_last_round(quick: None) -> None:
    async def dealer(peer: Peer) -> None:
        assert (await peer.hear()).startswith("JOIN training ")
        with suppress(ConnectionError):
            await deal_rounds(peer, 10**6)

    async with scripted(dealer, "classic") as (_, port):
        run = Run(port, rounds=7, connections=3)
        assert_all_learned(await run.finish(), 7)
    assert run.notices == []


async def test_one_connection_needs_no_sharing_out(quick: None) -> None:
    async with original_dealer(3) as port:
        run = Run(port, rounds=3, connections=1)
        assert_all_learned(await run.finish(), 3)
    assert run.notices == []


async def test_a_dealer_that_seats_one_at_a_time_and_minds_the_number(quick: None) -> None:
    lock = asyncio.Lock()
    joins: list[int] = []

    async def dealer(peer: Peer) -> None:
        async with lock:
            verb = (await peer.hear()).split()
            if verb[0] != "JOIN":
                return  # this one did not wait for its turn
            joins.append(int(verb[2]))
            with suppress(ConnectionError):  # nor did this one
                await deal_rounds(peer, joins[-1], seed=len(joins))

    async with scripted(dealer, "classic") as (_, port):
        run = Run(port, rounds=8, connections=4)
        assert_all_learned(await run.finish(), 8)
    # Whoever had left in the queue had its JOIN read, and no round.
    assert joins[0] == 2
    assert sum(joins) >= 8


async def test_a_dealer_that_does_not_answer_rules_is_not_taken_for_one_that_deals_nothing(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "RULES_TIMEOUT", 0.5)  # longer than BEGIN is waited for

    async def dealer(peer: Peer) -> None:
        assert await peer.hear() == "JOIN training 2"
        for _ in range(2):
            await peer.say("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs")
            await peer.say("DECISION")
            while (answer := await peer.hear()) == "RULES":
                pass
            await peer.say("RESULT BUST" if answer == "HIT" else "RESULT WIN")
        await peer.say("QUIT")

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=2, connections=1)
        assert_all_learned(await run.finish(), 2)
    assert run.told == [None]


async def test_a_dealer_that_deals_nothing_is_a_fault(quick: None) -> None:
    async def dealer(peer: Peer) -> None:
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        with pytest.raises(TrainingError, match="dealt no round"):
            await Run(port, rounds=2, connections=2).finish()


async def test_the_fault_of_one_connection_ends_only_that_one(quick: None) -> None:
    count = 0

    async def dealer(peer: Peer) -> None:
        nonlocal count
        count += 1
        assert (await peer.hear()).startswith("JOIN ")
        if count == 1:
            await deal_rounds(peer, 4)
        else:
            await peer.say("BEGIN", "HIT")

    async with scripted(dealer, "classic") as (_, port):
        trainer = await Run(port, rounds=8, connections=2).finish()
    assert trainer.end is End.DEALER
    assert trainer.played == 4
    assert trainer.fault is not None
    assert "'HIT' is not a message of a dealer" in trainer.fault


async def test_a_stop_while_it_connects_needs_no_answer(quick: None) -> None:
    async def dealer(peer: Peer) -> None:
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=2, connections=2)
        asyncio.get_running_loop().call_soon(run.trainer.stop, End.INTERRUPTED)
        trainer = await run.finish()
    assert (trainer.end, trainer.learner, trainer.played) == (End.INTERRUPTED, None, 0)


async def test_rules_that_cannot_be_learned_stop_it_at_once(quick: None) -> None:
    def refuse(rules: Rules | None) -> tuple[Learner, Rules]:
        raise TrainingError(f"not by {rules}")

    async def dealer(peer: Peer) -> None:
        await peer.hear()
        await peer.say("BEGIN")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {PRESETS['devs']}")
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        plan = replace(Plan(SOMEWHERE, 8, 1, seed=1), address=Address("127.0.0.1", port))
        with pytest.raises(TrainingError, match="not by preset=devs"):
            await asyncio.wait_for(Trainer(plan, refuse, print).run(), PATIENCE)
