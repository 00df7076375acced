"""Training runs against dealers that serve connections in their own ways."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Decision, Payoff, RandBelow, Rules
from player import trainer as trainer_module
from player.address import Address
from player.trainer import Plan, Trainer, TrainingError
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.scripted import (
    ImpatientDealer,
    deal_rounds,
    fill_queue,
    nul_dealer,
    original_dealer,
    scripted,
)
from tests.player.playing import dialogue
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import Learner, TableLearner
from twentyone.learning.methods import End
from twentyone.learning.settings import knobs_for
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.files import RANDOM_PLAY

SOMEWHERE = Address("127.0.0.1", 1)


@given(st.integers(1, 10**6), st.integers(1, 1000))
def test_rounds_are_shared_out_evenly_and_all_of_them(rounds: int, connections: int) -> None:
    shares = Plan(SOMEWHERE, rounds, connections, seed=1).shares
    assert sum(shares) == rounds
    assert len(shares) == min(rounds, connections)
    assert max(shares) - min(shares) <= 1


class Listener(TableLearner):
    """Learns, and notes the decisions and the payoff of each round that it is given."""

    def __init__(self) -> None:
        super().__init__(RANDOM_PLAY, knobs_for(RANDOM_PLAY), Rules())
        self.learned: list[tuple[list[Decision], Payoff]] = []

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        super().learn(episode, rand_below)
        decisions = [ACTIONS[action] for action in episode.steps.actions]
        self.learned.append((decisions, int(episode.payoffs[0])))


class Run:
    """A training run, and what it said.

    Args:
        shortens: told that the first connection has begun; after that nothing may have to begin in time.
    """

    def __init__(
        self, port: int, rounds: int, connections: int, shortens: pytest.MonkeyPatch | None = None
    ) -> None:
        self.learner = Listener()
        self.notices: list[str] = []
        self.told: list[Rules | None] = []
        self._shortens = shortens
        plan = Plan(Address(LOCALHOST, port), rounds, connections, seed=1)
        self.trainer = Trainer(plan, self._learner, self.notices.append)

    async def finish(self) -> Trainer:
        await asyncio.wait_for(self.trainer.run(), PATIENCE)
        return self.trainer

    def _learner(self, rules: Rules | None) -> tuple[Learner, Rules]:
        self.told.append(rules)
        if self._shortens is not None:
            do_not_wait(self._shortens)
        return self.learner, rules or Rules()


def do_not_wait(patch: pytest.MonkeyPatch) -> None:
    """Give up every connection soon on which no round begins."""
    patch.setattr(trainer_module, "JOIN_PAUSE", 0.05)
    patch.setattr(trainer_module, "BEGIN_TIMEOUT", 0.1)


def assert_all_learned(trainer: Trainer, rounds: int) -> None:
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    assert trainer.learner is not None
    assert trainer.played == trainer.learner.rounds == trainer.tally.rounds == rounds


ONE_CONNECTION = "the dealer is a classic one: all rounds are played on one connection"


@pytest.mark.parametrize("budget", [7, 10**6], ids=["it ends by itself", "it never ends"])
async def test_a_dealer_that_seats_one_player_deals_all_rounds_to_it(
    monkeypatch: pytest.MonkeyPatch, budget: int
) -> None:
    async with original_dealer(budget, "lines") as port:
        run = Run(port, rounds=7, connections=4, shortens=monkeypatch)
        assert_all_learned(await run.finish(), 7)
    told = "the dealer began no round on 3 of 4 connections: their 5 rounds go to one on which it did"
    assert (run.notices, run.told) == ([told], [Rules()])


@pytest.mark.parametrize(
    ("budget", "connections", "is_full"), [(7, 4, False), (10**6, 1, False), (7, 7, True)]
)
async def test_a_classic_dealer_gets_one_connection_and_no_answer_is_held_back(
    monkeypatch: pytest.MonkeyPatch, budget: int, connections: int, is_full: bool
) -> None:
    """None of the times is short: nothing is waited for, nor asked of a queue that is full."""
    monkeypatch.setattr(trainer_module, "FURTHER_TIMEOUT", PATIENCE)
    async with original_dealer(budget, is_full=is_full) as port:
        run = Run(port, rounds=7, connections=connections)
        assert_all_learned(await run.finish(), 7)
    assert (run.notices, run.told) == ([ONE_CONNECTION] * (connections > 1), [None])


async def test_a_dealer_whose_queue_is_full_is_asked_once_and_deals_all_rounds_on_what_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trainer_module, "FURTHER_TIMEOUT", 0.2)
    async with original_dealer(7, "lines", is_full=True) as port:
        run = Run(port, rounds=7, connections=7)
        assert_all_learned(await run.finish(), 7)
    assert run.notices == [
        "the dealer took no other connection within 0.2 s after 1: no more are made",
        "the dealer began no round on 6 of 7 connections: their 6 rounds go to one on which it did",
    ]


async def test_a_first_connection_that_nobody_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "CONNECT_TIMEOUT", 0.5)
    with socket.create_server((LOCALHOST, 0), backlog=0) as listener:
        waiting = await fill_queue(listener)
        with pytest.raises(TimeoutError, match=r"no answer within 0\.5 s"):
            await Run(listener.getsockname()[1], rounds=2, connections=2).finish()
        for client in waiting:
            client.close()


async def test_a_classic_dealer_that_speaks_late_is_left_on_all_connections_but_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    do_not_wait(monkeypatch)
    joined = 0
    have_left: list[str] = []

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joined
        joined += 1
        if joined == 2:  # the first was given up, and the third begins
            monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", PATIENCE)
        peer.format = nul_dealer()
        assert (await peer.hear()).startswith("JOIN training ")
        if joined < 3:
            have_left.append(await peer.hear())
            return
        with suppress(ConnectionError):
            await deal_rounds(peer, 10**6)

    async with scripted(dealer, "classic") as (_, port):
        run = Run(port, rounds=9, connections=3)
        assert_all_learned(await run.finish(), 9)
    assert have_left == ["QUIT", "QUIT"]
    assert run.notices == [ONE_CONNECTION]


async def test_a_dealer_that_minds_the_number_of_a_join_is_joined_again_for_the_rest() -> None:
    joins: list[int] = []

    async def dealer(peer: AsyncPeer) -> None:
        joins.append(int((await peer.hear()).split()[2]))
        await deal_rounds(peer, joins[-1], seed=len(joins))

    async with scripted(dealer, "classic") as (_, port):
        assert_all_learned(await Run(port, rounds=8, connections=4).finish(), 8)
    assert joins == [2, 6]


async def test_the_rounds_of_connections_that_were_not_served_are_told_of_when_they_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joins: list[int] = []
    waiting = 3
    all_have_left = asyncio.Event()

    async def heard_after_all_have_left(peer: AsyncPeer) -> str:
        if (answer := await peer.hear()) != "RULES":
            await all_have_left.wait()
        return answer

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal waiting
        joins.append(int((await peer.hear()).split()[2]))
        number = len(joins)
        if 1 < number < 5:
            assert await peer.hear() == "QUIT"
            waiting -= 1
            if not waiting:  # now nothing needs to be given up any more
                monkeypatch.setattr(trainer_module, "JOIN_PAUSE", PATIENCE)
                monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", PATIENCE)
                all_have_left.set()
            return
        await deal_rounds(peer, joins[-1], number, heard_after_all_have_left)

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=8, connections=4, shortens=monkeypatch)
        assert_all_learned(await run.finish(), 8)
    assert joins == [2, 2, 2, 2, 6]
    told = "the dealer began no round on 3 of 4 connections: their 6 rounds go to one on which it did"
    assert run.notices == [told]


@pytest.mark.parametrize(
    ("is_late", "forgets", "minds_number", "least"),
    [
        (lambda number: number in (0, 20, 21, 45), True, False, 30),
        (lambda number: number < 30, True, True, 10),
        (lambda number: number == 3, False, False, 0),
        (lambda number: number % 7 == 6, False, True, 0),
    ],
    ids=["four times", "at first", "all after one", "every seventh time"],
)
async def test_what_a_dealer_decided_alone_is_not_learned(
    is_late: Callable[[int], bool], forgets: bool, minds_number: bool, least: int
) -> None:
    house = ImpatientDealer(60, is_late, minds_number=minds_number, forgets=forgets)
    async with house.listening() as port:
        run = Run(port, rounds=60, connections=4)
        trainer = await run.finish()
    assert trainer.end is End.DONE
    assert house.joins == 1 + minds_number
    assert trainer.played + trainer.passed_over == len(house.dealt) == 60
    assert trainer.played >= least
    assert trainer.passed_over >= min(1, house.overruled)
    assert_learned_as_dealt(run, house)
    rounds = f"{trainer.passed_over} round{'s' if trainer.passed_over > 1 else ''}"
    sentence = f"the dealer decided without us in {rounds}, or may have;"
    assert run.notices[1:] == ([f"{sentence} what it decided was not learned"] if trainer.passed_over else [])


def assert_learned_as_dealt(run: Run, house: ImpatientDealer) -> None:
    """Each round that was learned is one that was dealt, with the decisions that were carried out in it."""
    dealt = iter((decisions, outcome.payoff) for decisions, outcome in house.dealt)
    assert all(round_ in dealt for round_ in run.learner.learned)
    assert len(run.learner.learned) == run.trainer.played


A_HAND = ("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs", "DECISION")


def result_of(answer: str) -> list[str]:
    """How that hand ends."""
    return ["CARD Ten of Clubs", "RESULT BUST"] if answer == "HIT" else ["RESULT WIN"]


async def test_a_question_that_a_clock_has_taken_is_not_answered_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The third round is asked about while another connection waits for its first."""
    monkeypatch.setattr(trainer_module, "JOIN_PAUSE", PATIENCE)  # which the other one's end ends
    joined = 0
    third_was_asked, other_has_left = asyncio.Event(), asyncio.Event()

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joined
        joined += 1
        assert (await peer.hear()) == "JOIN training 2"
        if joined == 2:
            await third_was_asked.wait()
            await peer.say("QUIT")
            while await peer.hear():
                pass
            other_has_left.set()
            return
        for number in (1, 2, 3, 4):
            await peer.say(*A_HAND)
            if number == 3:
                await peer.say("ERROR the clock has made that hand stand", "RESULT WIN")
                third_was_asked.set()
                await other_has_left.wait()
                continue
            while (answer := await peer.hear()) == "RULES":
                await peer.say(f"RULES {Rules()}")
            await peer.say(*result_of(answer))
        await peer.say("QUIT")

    async with scripted(dealer) as (_, port):
        trainer = await Run(port, rounds=4, connections=2).finish()
    assert (trainer.end, trainer.played, trainer.passed_over) == (End.DONE, 3, 1)


async def test_a_dealer_that_tells_no_rules_is_not_taken_for_one_that_deals_nothing() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 2"
        await peer.say(*A_HAND)
        assert await peer.hear() == "RULES"
        # Its first round is known to have begun, although nothing is done about it yet.
        (client,) = run.trainer._clients
        assert client.has_begun.done() and run.told == []
        await peer.say("ERROR unknown message 'RULES'")
        await peer.say(*result_of(await peer.hear()), *A_HAND)
        await peer.say(*result_of(await peer.hear()), "QUIT")

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=2, connections=1)
        assert_all_learned(await run.finish(), 2)
    assert run.told == [None]


async def test_a_dealer_that_deals_nothing_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    do_not_wait(monkeypatch)

    async def dealer(peer: AsyncPeer) -> None:
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        with pytest.raises(TrainingError, match="dealt no round"):
            await Run(port, rounds=2, connections=2).finish()


async def test_the_fault_of_one_connection_ends_only_that_one() -> None:
    count = 0

    async def dealer(peer: AsyncPeer) -> None:
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


async def test_a_stop_while_it_connects_needs_no_answer() -> None:
    with socket.create_server((LOCALHOST, 0)) as dealer:
        run = Run(dealer.getsockname()[1], rounds=2, connections=2)
        asyncio.get_running_loop().call_soon(run.trainer.stop, End.INTERRUPTED)
        trainer = await run.finish()
    assert (trainer.end, trainer.learner, trainer.played) == (End.INTERRUPTED, None, 0)


async def test_rules_that_cannot_be_learned_stop_it_at_once() -> None:
    def refuse(rules: Rules | None) -> tuple[Learner, Rules]:
        raise TrainingError(f"not by {rules}")

    dealer = dialogue(f"> JOIN training 8\n BEGIN > RULES\n RULES {PRESETS['devs']} > QUIT")
    async with scripted(dealer) as (_, port):
        plan = Plan(Address(LOCALHOST, port), 8, 1, seed=1)
        with pytest.raises(TrainingError, match="not by preset=devs"):
            await asyncio.wait_for(Trainer(plan, refuse, print).run(), PATIENCE)
