"""Training runs against dealers that serve connections in their own ways."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Decision, Payoff, RandBelow, Rules
from learning.episodes import Episode
from learning.learners import Learner, PlainLearner
from learning.methods import End, RandomPlayLearner
from player import client as client_module
from player import trainer as trainer_module
from player.address import Address
from player.trainer import Plan, Trainer, TrainingError
from policies.action_values import ACTIONS
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

SOMEWHERE = Address("127.0.0.1", 1)


@given(st.integers(1, 10**6), st.integers(1, 1000))
def test_rounds_are_shared_out_evenly_and_all_of_them(rounds: int, connections: int) -> None:
    shares = Plan(SOMEWHERE, rounds, connections, seed=1).shares
    assert sum(shares) == rounds
    assert len(shares) == min(rounds, connections)
    assert max(shares) - min(shares) <= 1


class Listener(PlainLearner):
    """Learns, and notes the decisions and the payoff of each round that it is given."""

    def __init__(self) -> None:
        super().__init__(RandomPlayLearner())
        self.learned: list[tuple[list[Decision], Payoff]] = []

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        super().learn(episode, rand_below)
        decisions = [ACTIONS[action] for action in episode.steps.actions]
        self.learned.append((decisions, int(episode.payoffs[0])))


class Run:
    """A training run, and what it said."""

    def __init__(self, port: int, rounds: int, connections: int) -> None:
        self.learner = Listener()
        self.notices: list[str] = []
        self.told: list[Rules | None] = []
        plan = Plan(Address("127.0.0.1", port), rounds, connections, seed=1)
        self.trainer = Trainer(plan, self._learner, self.notices.append)

    async def finish(self) -> Trainer:
        await asyncio.wait_for(self.trainer.run(), PATIENCE)
        return self.trainer

    def _learner(self, rules: Rules | None) -> tuple[Learner, Rules]:
        self.told.append(rules)
        return self.learner, rules or Rules()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to wait long for a dealer that serves one."""
    monkeypatch.setattr(trainer_module, "JOIN_PAUSE", 0.05)
    monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", 0.5)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """To wait for a dealer's first word for as long as this machine takes."""
    monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", PATIENCE)


def assert_all_learned(trainer: Trainer, rounds: int) -> None:
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    assert trainer.learner is not None
    assert trainer.played == trainer.learner.rounds == trainer.tally.rounds == rounds


ENDS = pytest.mark.parametrize("budget", [7, 10**6], ids=["it ends by itself", "it never ends"])
ONE_CONNECTION = "the dealer is a classic one: all rounds are played on one connection"


@ENDS
async def test_a_dealer_that_seats_one_player_deals_all_rounds_to_it(quick: None, budget: int) -> None:
    async with original_dealer(budget, "lines") as port:
        run = Run(port, rounds=7, connections=4)
        trainer = await run.finish()
    assert_all_learned(trainer, 7)
    assert run.notices == [
        "the dealer began no round on 3 of 4 connections: their 5 rounds go to one on which it did"
    ]
    assert run.told == [Rules()]


@pytest.mark.parametrize(("budget", "connections"), [(7, 4), (10**6, 1)])
async def test_a_classic_dealer_gets_one_connection_and_no_answer_is_held_back(
    patient: None, budget: int, connections: int
) -> None:
    """None of the times is short: nothing is waited for."""
    async with original_dealer(budget) as port:
        run = Run(port, rounds=7, connections=connections)
        trainer = await run.finish()
    assert_all_learned(trainer, 7)
    assert run.notices == [ONE_CONNECTION] * (connections > 1)
    assert run.told == [None]


async def test_a_classic_dealer_whose_queue_is_full_is_not_asked_for_another_connection(
    patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer_module, "FURTHER_TIMEOUT", PATIENCE)
    async with original_dealer(7, is_full=True) as port:
        run = Run(port, rounds=7, connections=7)
        assert_all_learned(await run.finish(), 7)
    assert run.notices == [ONE_CONNECTION]


async def test_a_dealer_whose_queue_is_full_is_asked_once_and_deals_all_rounds_on_what_it_took(
    patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer_module, "FURTHER_TIMEOUT", 1.0)
    async with original_dealer(7, "lines", is_full=True) as port:
        run = Run(port, rounds=7, connections=7)
        assert_all_learned(await run.finish(), 7)
    assert run.notices == [
        "the dealer took no other connection within 1 s after 1: no more are made",
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


async def test_a_classic_dealer_that_speaks_late_is_left_on_all_connections_but_one(quick: None) -> None:
    joined = 0
    have_left: list[str] = []

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joined
        joined += 1
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


async def test_a_dealer_that_seats_one_at_a_time_and_minds_the_number(quick: None) -> None:
    lock = asyncio.Lock()
    joins: list[int] = []

    async def dealer(peer: AsyncPeer) -> None:
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


def too_late(*numbers: int) -> Callable[[int], bool]:
    """The questions whose answers come too late, by their numbers."""
    return lambda number: number in numbers


@pytest.mark.parametrize(
    ("is_late", "forgets", "minds_number", "least"),
    [
        (too_late(0, 20, 21, 45), True, False, 30),
        (lambda number: number < 30, True, True, 10),
        (too_late(3), False, False, 0),
        (lambda number: number % 7 == 6, False, True, 0),
    ],
    ids=["four times", "at first", "all after one", "every seventh time"],
)
async def test_what_a_dealer_decided_alone_is_not_learned(
    patient: None, is_late: Callable[[int], bool], forgets: bool, minds_number: bool, least: int
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


@pytest.mark.check
async def test_a_dealer_that_waits_26_ms_for_an_answer_is_believed_where_it_had_one(patient: None) -> None:
    house = ImpatientDealer(60)
    async with house.listening() as port:
        run = Run(port, rounds=60, connections=4)
        with suppress(TrainingError):  # nothing was learned: this machine has no time for it
            assert (await run.finish()).end is End.DONE
    assert run.trainer.played + run.trainer.passed_over == len(house.dealt) == 60
    assert_learned_as_dealt(run, house)


async def test_a_question_that_a_clock_has_taken_is_not_answered_any_more(quick: None) -> None:
    """The third round is asked about while another connection waits for its first."""
    other_has_left = asyncio.Event()
    joined = 0

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joined
        joined += 1
        assert (await peer.hear()) == "JOIN training 2"
        if joined == 2:
            assert await peer.hear() == "QUIT"
            other_has_left.set()
            return
        for number in (1, 2, 3, 4):
            await peer.say(
                "BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs", "DECISION"
            )
            if number == 3:
                await peer.say("ERROR the clock has made that hand stand", "RESULT WIN")
                await other_has_left.wait()
                continue
            while (answer := await peer.hear()) == "RULES":
                await peer.say(f"RULES {Rules()}")
            await peer.say(*(["CARD Ten of Clubs", "RESULT BUST"] if answer == "HIT" else ["RESULT WIN"]))
        await peer.say("QUIT")

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=4, connections=2)
        trainer = await run.finish()
    assert (trainer.end, trainer.played, trainer.passed_over) == (End.DONE, 3, 1)


async def test_a_dealer_that_does_not_answer_rules_is_not_taken_for_one_that_deals_nothing(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "RULES_TIMEOUT", 0.7)  # longer than BEGIN is waited for

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 2"
        for _ in range(2):
            await peer.say("BEGIN", "CARD Ten of Spades", "CARD Ten of Hearts", "DEALER Six of Clubs")
            await peer.say("DECISION")
            while (answer := await peer.hear()) == "RULES":
                pass
            await peer.say(*(["CARD Ten of Clubs", "RESULT BUST"] if answer == "HIT" else ["RESULT WIN"]))
        await peer.say("QUIT")

    async with scripted(dealer) as (_, port):
        run = Run(port, rounds=2, connections=1)
        assert_all_learned(await run.finish(), 2)
    assert run.told == [None]


async def test_a_dealer_that_deals_nothing_is_a_fault(quick: None) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        while await peer.hear():
            pass

    async with scripted(dealer) as (_, port):
        with pytest.raises(TrainingError, match="dealt no round"):
            await Run(port, rounds=2, connections=2).finish()


async def test_the_fault_of_one_connection_ends_only_that_one(quick: None) -> None:
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


async def test_a_stop_while_it_connects_needs_no_answer(quick: None) -> None:
    with socket.create_server((LOCALHOST, 0)) as dealer:
        run = Run(dealer.getsockname()[1], rounds=2, connections=2)
        asyncio.get_running_loop().call_soon(run.trainer.stop, End.INTERRUPTED)
        trainer = await run.finish()
    assert (trainer.end, trainer.learner, trainer.played) == (End.INTERRUPTED, None, 0)


async def test_rules_that_cannot_be_learned_stop_it_at_once(quick: None) -> None:
    def refuse(rules: Rules | None) -> tuple[Learner, Rules]:
        raise TrainingError(f"not by {rules}")

    async def dealer(peer: AsyncPeer) -> None:
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
