"""Training at tables with doubling and splitting, by every method."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cards import PRESETS, Bets, Decision, EveryRound, RandBelow, Rules
from player import trainer as trainer_module
from player.trainer import Trainer
from tests.helpers.house import open_house
from tests.helpers.learned import usual_learner
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import AsyncPeer
from tests.helpers.scripted import scripted
from tests.helpers.tiers import first_of
from tests.player.dealt import HOUSE_SEED, learn_in_memory, learned_at, plan_for
from tests.player.playing import dialogue
from tests.player.typed import TABLE, play, sentence, train
from twentyone.learning.curve import GreedyValue
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import Learner, TableLearner, learner_for
from twentyone.learning.methods import End
from twentyone.learning.settings import knobs_for
from twentyone.policies import table_files
from twentyone.policies.files import METHODS

VEGAS = PRESETS["vegas"]
EUROPE = replace(PRESETS["europe"], decks=None, reshuffle=EveryRound())
"""The rules with splits whose exact values take the least time."""


# What is learned.


@pytest.mark.parametrize("method", first_of(["qlearning", *sorted(set(METHODS) - {"qlearning"})], 2))
async def test_over_the_socket_it_learns_what_it_learns_in_memory_on_the_same_cards(method: str) -> None:
    rules, rounds = VEGAS, 300
    learner, again = (usual_learner(method, rules) for _ in range(2))
    with open_house(rules=rules, seed=HOUSE_SEED) as house:
        await learned_at(plan_for(house.port, rounds), learner)
    learn_in_memory(rules, rounds, again)
    assert learner.rounds == again.rounds == rounds
    assert learner.values() == again.values()
    assert learner.counts() == again.counts()


@pytest.mark.check
async def test_some_thousand_rounds_at_vegas_teach_much_of_the_game() -> None:
    """In memory 20 seeds had gaps of 0.05 to 0.10 then; after 1,000 rounds it is 0.4 to 0.5."""
    learner = usual_learner("qlearning", VEGAS)
    with open_house(rules=VEGAS, seed=5) as house:
        trainer = await learned_at(plan_for(house.port, 10_000, connections=16), learner)
    assert (trainer.played, trainer.passed_over, learner.rounds) == (10_000, 0, 10_000)
    greedy = GreedyValue(VEGAS)
    assert 0 < greedy.best - greedy.value(learner.table(None)) < 0.15


class Starter(TableLearner):
    """Notes which decisions it was told to be the first of a round."""

    def __init__(self) -> None:
        super().__init__("monte-carlo-es", knobs_for("monte-carlo-es"), VEGAS)
        self.starts = self.with_steps = 0

    def choose(
        self, first: int, options: tuple[Decision, ...], rand_below: RandBelow, *, is_start: bool
    ) -> Decision:
        if Decision.DECLINE not in options:
            self.starts += is_start
        return super().choose(first, options, rand_below, is_start=is_start)

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        self.with_steps += bool(episode.steps.firsts)
        super().learn(episode, rand_below)


async def test_each_round_of_each_connection_has_one_start() -> None:
    learner = Starter()
    with open_house(rules=VEGAS, seed=1) as house:
        await learned_at(plan_for(house.port, 200, connections=4), learner)
    assert learner.starts == learner.with_steps > 150


async def test_the_learner_is_made_before_a_second_connection_joins() -> None:
    """Exact values with splits take seconds, in which no client could finish joining."""
    joins, made_after = 0, list[int]()

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joins
        joins += 1
        assert await peer.hear() == "JOIN training 2"
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD King of Hearts", "DEALER Two of Clubs")
        assert await peer.hear() == "RULES"
        for _ in range(100):  # turns of the loop, of which a connection takes a few
            await asyncio.sleep(0)
        await peer.say(f"RULES {Rules()}", "RESULT WIN")
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD King of Hearts", "DEALER Two of Clubs")
        await peer.say("RESULT WIN", "QUIT")

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        made_after.append(joins)
        return usual_learner("sarsa", Rules()), Rules()

    async with scripted(dealer) as (_, port):
        trainer = Trainer(plan_for(port, 6, connections=3), make, lambda _: None)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.played, made_after, joins) == (End.DONE, 6, [1], 3)


async def test_what_a_clock_has_decided_is_not_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of three rounds, whose answer comes when the clock has already made the hand stand."""
    hand = "BEGIN; CARD Ten of Spades; CARD Six of Hearts; DEALER Ten of Clubs"
    question = "DECISION HIT STAND DOUBLE SURRENDER"
    clock = "ERROR no answer came in time: your hand stands as it is"
    bust = "CARD Jack of Hearts; DEALER Ten of Diamonds; RESULT BUST -2"
    dealer = dialogue(f"""
        > JOIN training 3
        {hand} > RULES
        RULES {VEGAS}; {question} > DOUBLE
        {bust}; {hand}; {question}; {clock}; DEALER Ten of Diamonds; RESULT LOOSE -1 > DOUBLE
        ERROR DOUBLE came too late: the clock had already made that hand stand; {hand}; {question} > DOUBLE
        {bust}; QUIT
    """)
    learner = usual_learner("q-constant", VEGAS)
    monkeypatch.setattr(learner, "choose", lambda *_, is_start: Decision.DOUBLE)
    async with scripted(dealer) as (_, port):
        trainer = await learned_at(plan_for(port, 3), learner)
    assert (trainer.played, trainer.passed_over, learner.rounds, sum(learner.counts())) == (2, 1, 2, 2)


# Bankrolls: who cannot pay the smallest bet gets QUIT in the place of the question.


async def test_who_has_lost_all_chips_joins_again_with_fresh_ones() -> None:
    """Three bets are soon lost: with luck they last for some dozens of rounds."""
    rules, notices = replace(EUROPE, bets=Bets(1, 3), bankroll=3), list[str]()
    learner = usual_learner("qlearning", rules)
    with open_house(rules=rules, seed=5) as house:
        trainer = Trainer(plan_for(house.port, 200, 4), lambda _: (learner, rules), notices.append)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.played, learner.rounds) == (End.DONE, 200, 200)
    (notice,) = notices
    told = re.fullmatch(r"the bankroll was spent (\d+) times: joined again with a fresh one", notice)
    assert told is not None
    # No more chips can be lost than each player sat down with.
    assert 3 < int(told[1]) <= 200
    assert -trainer.tally.total_payoff <= 3 * (int(told[1]) + 4)


async def test_a_dealer_that_lets_nobody_come_back_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joins = 0

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        """The first round has begun: from now on none is waited for."""
        monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", 0.1)
        return learner, VEGAS

    async def dealer(peer: AsyncPeer) -> None:
        nonlocal joins
        joins += 1
        assert (await peer.hear()).startswith("JOIN training ")
        if joins == 1:
            await peer.say("DECISION BET 10 10 10")
            assert await peer.hear() == "RULES"
            await peer.say(f"RULES {replace(VEGAS, bets=Bets(10, 10))}")
            assert await peer.hear() == "BET 10"
            await peer.say("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
            await peer.say("DEALER Ace of Clubs", "RESULT LOOSE -10")
        await peer.say("QUIT")

    learner = usual_learner("sarsa", VEGAS)
    notices: list[str] = []
    async with scripted(dealer) as (_, port):
        trainer = Trainer(plan_for(port, 9), make, notices.append)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.played, notices) == (End.DEALER, 1, [])
    assert trainer.fault == "the bankroll is spent, and the dealer began no round after another JOIN"
    assert 2 <= joins < 10


# The command.


def test_a_table_by_hand_is_filled_graded_shown_and_drawn_and_played(tmp_path: Path) -> None:
    with open_house(rules=EUROPE, seed=5) as house:
        done = train(tmp_path, house.port, 250, "--show", "--plot=q.svg", "--seed=1")
        assert (done.status, done.err.splitlines()) == (0, ["training: the picture is q.svg"])
        played = play(tmp_path, house.port, "--rounds=20")
    table = table_files.load(tmp_path / TABLE)
    assert not table.is_by_total
    assert (table.method, table.rounds, table.rules.preset) == ("qlearning", 250, "europe")
    lines = done.out.splitlines()
    for head in ("costliest entries", "hard     2   3", "soft     2", "pairs    2", " * not played as by"):
        assert any(line.startswith(head) for line in lines), head
    assert any("*" in line for line in lines if line.startswith(" 10,10 "))
    drawn = (tmp_path / "q.svg").read_text()
    assert ">exact margin<" in drawn and ">10,10<" in drawn
    assert (played.status, played.err) == (0, f"player: playing by the table {TABLE}\n")


def test_where_bets_are_asked_it_learns_in_initial_bets_and_goes_on_with_its_settings(tmp_path: Path) -> None:
    options = ("--connections=2", "--seed=1", "--json", "--method=sarsa")
    with open_house(rules=replace(EUROPE, bets=Bets(10, 80), bankroll=1_000_000), seed=5) as house:
        for rounds, more in ((100, ["--alpha=0.05"]), (200, [])):
            document = json.loads(train(tmp_path, house.port, 100, *options, *more).out)
            assert (document["end"], document["rounds"], document["table_rounds"]) == ("done", 100, rounds)
            assert (document["method"], document["connections"]) == ("sarsa alpha=0.05", 2)
            assert document["grade"]["gap"] > 0
            assert abs(document["mean_payoff"]) <= 3
        refused = sentence(train(tmp_path, house.port, 50, "--method=double-q"), 1)
    assert "cannot be resumed: it was learned by the method sarsa alpha=0.05, not by double-q" in refused
    text = (tmp_path / TABLE).read_text()
    assert "# columns: hand upcard action value count" in text
    learned = {line.split()[2] for line in text.splitlines() if not line.startswith("#")}
    assert {"HIT", "STAND"} < learned <= {each.name for each in Decision}


def test_a_table_of_the_other_kind_is_refused_and_fresh_is_named(tmp_path: Path) -> None:
    kept = learner_for("qlearning", knobs_for("qlearning"), Rules()).table(None)
    (tmp_path / TABLE).parent.mkdir()
    table_files.save(kept, tmp_path / TABLE)
    with open_house(rules=VEGAS) as house:
        refused = sentence(train(tmp_path, house.port, 50), 1)
    assert table_files.load(tmp_path / TABLE).is_by_total
    assert "cannot be resumed: it was learned under other rules" in refused
    assert refused.endswith("; give another --table FILE, or --fresh to replace it")
