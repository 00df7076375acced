"""Training at tables of the whole game, and by every method: real dealers, and one that plays by `cards`."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cards import PRESETS, Bets, Decision, RandBelow, Round, Rules, seeded, shoe_for
from learning import tables
from learning.curve import GreedyValue
from learning.episodes import Episode
from learning.learners import Learner, TextbookLearner, learner_for
from learning.methods import End, table_of
from learning.settings import knobs_for
from learning.tables import Table
from player import trainer as trainer_module
from player.address import Address
from player.trainer import Plan, Trainer
from policies.action_values import ActionValues
from policies.files import METHODS
from policies.policy import Observation, observation
from policies.qtable import QTable
from tests.helpers.learned import usual_learner
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import AsyncPeer
from tests.helpers.processes import Finished, command, dealing, finish, start
from tests.helpers.scripted import scripted
from tests.player.dealt import House, episode_of

VEGAS = PRESETS["vegas"]
EUROPE = ("--rules=europe", "--decks=inf", "--reshuffle=round")  # whose exact values take the least time
TABLE = "qtables/qtable.txt"


def train(folder: Path, port: int, rounds: int, *options: object) -> Finished:
    return command("training", "127.0.0.1", port, rounds, *options, cwd=folder)


async def learned_at(port: int, plan: Plan, learner: Learner) -> Trainer:
    """A training run whose learner is there already."""

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        assert told is not None
        return learner, told

    trainer = Trainer(plan, make, lambda _: None)
    await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    return trainer


def plan_for(port: int, rounds: int, connections: int = 1) -> Plan:
    return Plan(Address("127.0.0.1", port), rounds, connections, seed=9)


# What is learned.


@pytest.mark.parametrize("method", METHODS)
async def test_over_the_socket_it_learns_what_it_learns_in_memory_on_the_same_cards(method: str) -> None:
    rules, rounds = VEGAS, 400
    learner, again = (usual_learner(method, rules) for _ in range(2))
    house = House(rules, rounds, seed=1)
    async with house.listening() as port:
        await learned_at(port, plan_for(port, rounds), learner)
    shoe, chance = shoe_for(rules, seeded(1)), seeded(9, 0, 0)
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        has_begun = False
        while round_.turn is not None:
            seen = observation(round_, 0)
            round_.decide(0, again.choose(seen, chance, is_start=not has_begun))
            has_begun = has_begun or Decision.DECLINE not in seen.options
        again.learn(episode_of(round_), chance)
    assert learner.rounds == again.rounds == rounds
    assert learner.values() == again.values()
    assert learner.counts() == again.counts()


@pytest.mark.parametrize("method", ["qlearning", "double-q", "monte-carlo-es"])
async def test_the_same_seeds_give_the_same_table(tmp_path: Path, method: str) -> None:
    written = []
    for number in range(2):
        with dealing(tmp_path, 600, "--rules=vegas", "--seed=5") as port:
            trainer = await learned_at(port, plan_for(port, 600), usual_learner(method, VEGAS))
        assert trainer.learner is not None
        table = table_of(trainer.learner, trainer.rules, 9)
        assert isinstance(table, ActionValues)
        tables.save(table, tmp_path / f"{number}.txt")
        written.append((tmp_path / f"{number}.txt").read_bytes())
    assert written[0] == written[1]
    assert len(written[0].splitlines()) > 300


async def test_some_thousand_rounds_at_vegas_teach_much_of_the_game(tmp_path: Path) -> None:
    """In memory 20 seeds had gaps of 0.05 to 0.10 then; after 1,000 rounds it is 0.4 to 0.5."""
    with dealing(tmp_path, 0, "--rules=vegas", "--seed=5") as port:
        learner = usual_learner("qlearning", VEGAS)
        trainer = await learned_at(port, plan_for(port, 10_000, connections=16), learner)
    assert (trainer.played, trainer.passed_over, learner.rounds) == (10_000, 0, 10_000)
    greedy = GreedyValue(VEGAS)
    assert 0 < greedy.best - greedy.value(learner.values()) < 0.15


class Starter(TextbookLearner):
    """Notes which decisions it was told to be the first of a round."""

    def __init__(self) -> None:
        super().__init__("monte-carlo-es", knobs_for("monte-carlo-es"), VEGAS)
        self.starts = self.with_steps = 0

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        if Decision.DECLINE not in seen.options:
            self.starts += is_start
        return super().choose(seen, rand_below, is_start=is_start)

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        self.with_steps += bool(episode.steps.firsts)
        super().learn(episode, rand_below)


async def test_each_round_of_each_connection_has_one_start() -> None:
    learner, house = Starter(), House(VEGAS, 50, seed=1)
    async with house.listening() as port:
        await learned_at(port, plan_for(port, 200, connections=4), learner)
    assert learner.starts == learner.with_steps > 150


class SlowHouse(House):
    """Takes a moment for each answer."""

    async def _hear(self, peer: AsyncPeer) -> str:
        await asyncio.sleep(0.1)
        return await super()._hear(peer)


async def test_the_learner_is_made_before_a_second_connection_joins() -> None:
    """Exact values of the whole game take seconds, in which nobody could finish joining."""
    house, joined = SlowHouse(VEGAS, 2, seed=1), list[int]()

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        joined.append(house.joins)
        return usual_learner("sarsa", VEGAS), VEGAS

    async with house.listening() as port:
        trainer = Trainer(plan_for(port, 6, connections=3), make, lambda _: None)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.played, joined, house.joins) == (End.DONE, 6, [1], 3)


async def test_what_a_clock_has_decided_is_not_learned() -> None:
    """The second of three rounds, whose answer comes when the clock has already made the hand stand."""
    a_hand = ("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
    question = "DECISION HIT STAND DOUBLE SURRENDER"
    lost = ("DEALER Ten of Diamonds", "RESULT LOOSE -1")
    bust = ("CARD Jack of Hearts", "DEALER Ten of Diamonds", "RESULT BUST -2")

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN training 3"
        await peer.say(*a_hand)
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}", question)
        assert await peer.hear() == "DOUBLE"
        clock = "ERROR no answer came in time: your hand stands as it is"
        await peer.say(*bust, *a_hand, question, clock, *lost)
        assert await peer.hear() == "DOUBLE"
        await peer.say("ERROR DOUBLE came too late: the clock had already made that hand stand")
        await peer.say(*a_hand, question)
        assert await peer.hear() == "DOUBLE"
        await peer.say(*bust, "QUIT")

    learner = usual_learner("q-constant", VEGAS)
    learner.choose = lambda seen, rand_below, *, is_start: Decision.DOUBLE  # type: ignore[method-assign]
    async with scripted(dealer) as (_, port):
        trainer = await learned_at(port, plan_for(port, 3), learner)
    assert (trainer.played, trainer.passed_over, learner.rounds, sum(learner.counts())) == (2, 1, 2, 2)


# Bankrolls: who cannot pay the smallest bet gets QUIT in the place of the question.


@pytest.mark.parametrize("connections", [1, 4])
def test_who_has_lost_all_chips_joins_again_with_fresh_ones(tmp_path: Path, connections: int) -> None:
    """Three bets are soon lost: with luck they last for some dozens of rounds."""
    with dealing(tmp_path, 0, *EUROPE, "--bets=1-3", "--bankroll=3", "--seed=5") as port:
        done = train(tmp_path, port, 300, f"--connections={connections}", "--json", "--seed=1")
    assert done.status == 0
    document = json.loads(done.out)
    assert (document["end"], document["rounds"], document["connections"]) == ("done", 300, connections)
    told = re.fullmatch(
        r"training: the bankroll was spent (\d+) times: joined again with a fresh one\n", done.err
    )
    assert told is not None
    # No more chips can be lost than each player sat down with.
    assert 3 < int(told[1]) <= 300
    assert -300 * document["mean_payoff"] <= 3 * (int(told[1]) + connections)


async def test_a_dealer_that_lets_nobody_come_back_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trainer_module, "BEGIN_TIMEOUT", 0.5)
    joins = 0

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
        trainer = Trainer(plan_for(port, 9), lambda _: (learner, VEGAS), notices.append)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.played, notices) == (End.DEALER, 1, [])
    assert trainer.fault == "the bankroll is spent, and the dealer began no round after another JOIN"
    assert 2 <= joins < 10


# The command.


def loaded(folder: Path, name: str = TABLE) -> Table:
    return tables.load(folder / name)


def test_a_table_by_hand_is_filled_graded_shown_and_drawn_and_played(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, *EUROPE) as port:
        done = train(tmp_path, port, 250, "--show", "--plot=q.svg", "--seed=1")
        assert (done.status, done.err.splitlines()) == (0, ["training: the picture is q.svg"])
        played = command("player", "127.0.0.1", port, "--rounds=20", cwd=tmp_path)
    table = loaded(tmp_path)
    assert isinstance(table, ActionValues)
    assert (table.origin.method, table.origin.rounds, table.rules.preset) == ("qlearning", 250, "europe")
    lines = done.out.splitlines()
    for head in ("costliest entries", "hard     2   3", "soft     2", "pairs    2", " * not played as by"):
        assert any(line.startswith(head) for line in lines), head
    assert any("*" in line for line in lines if line.startswith(" 10,10 "))
    drawn = (tmp_path / "q.svg").read_text()
    assert "with a star: not played as by the best chart" in drawn
    assert (played.status, played.err) == (0, f"player: playing by the table {TABLE}\n")


def test_interrupted_and_resumed_with_its_settings(tmp_path: Path) -> None:
    options = ("--method=sarsa", "--alpha=0.05", "--json")
    with dealing(tmp_path, 0, *EUROPE, "--history=history") as port:
        training = start("training", "127.0.0.1", port, 10**8, *options, cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 20_000)
        training.send_signal(signal.SIGINT)
        done = finish(training)
        assert done.status == 130
        document = json.loads(done.out)
        assert (document["end"], document["method"]) == ("interrupted", "sarsa alpha=0.05")
        assert document["grade"]["gap"] > 0
        assert f"To go on, type: training --seed {document['seed']} 127.0.0.1 {port} " in done.err
        again = json.loads(train(tmp_path, port, 50, "--method=sarsa", "--json").out)
        refused = train(tmp_path, port, 50, "--method=double-q")
    assert (again["table_rounds"], again["method"]) == (document["rounds"] + 50, "sarsa alpha=0.05")
    assert refused.status == 1
    assert "cannot be resumed: it was learned by the method sarsa alpha=0.05, not by double-q" in refused.err


def test_a_table_of_the_other_kind_is_refused_and_fresh_is_named(tmp_path: Path) -> None:
    kept = table_of(learner_for("qlearning", knobs_for("qlearning"), Rules()), Rules(), None)
    (tmp_path / "qtables").mkdir()
    tables.save(kept, tmp_path / TABLE)
    with dealing(tmp_path, 0, "--rules=vegas") as port:
        refused = train(tmp_path, port, 50)
        assert isinstance(loaded(tmp_path), QTable)
    assert (refused.status, refused.out) == (1, "")
    assert "cannot be resumed: it was learned under other rules" in refused.err
    assert refused.err.endswith("; give another --table FILE, or --fresh to replace it\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--alpha=0.1"], "the method qlearning has no alpha: it has no settings"),
        (["--method=sarsa", "--n=2"], "the method sarsa has no n: expected alpha, alpha-decay, epsilon"),
        (["--method=sarsa", "--epsilon=2"], "epsilon is 2: expected a number from 0 to 1"),
        (["--method=sarsa-lambda", "--lambda=-1"], "lambda is -1: expected a number from 0 to 1"),
        (["--method=n-step-sarsa", "--n=9"], "n is 9: expected a whole number from 1 to 8"),
    ],
)
def test_settings_that_a_method_has_not_are_refused_before_it_connects(
    tmp_path: Path, options: list[str], said: str
) -> None:
    done = train(tmp_path, 1, 50, *options)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"training: {said}")
    assert not (tmp_path / TABLE).exists()


def test_every_setting_is_an_option_and_is_kept(tmp_path: Path) -> None:
    given = "--alpha=0.2 --alpha-decay=0.5 --epsilon=0.3 --epsilon-decay=0.5 --gamma=0.9 --initial=0.5"
    with dealing(tmp_path, 0) as port:
        for method, more in (("n-step-sarsa", "--n=3"), ("sarsa-lambda", "--lambda=0.5")):
            options = (f"--method={method}", f"--table={method}.txt", *given.split(), more)
            assert train(tmp_path, port, 50, *options).status == 0
            named = [option.lstrip("-") for option in options[2:]]
            learned = loaded(tmp_path, f"{method}.txt")
            assert isinstance(learned, QTable)
            assert learned.method == f"{method} {' '.join(named)}"
    told = command("training", "--help", cwd=tmp_path).out
    assert all(option.partition("=")[0] in told for option in (*given.split(), "--n", "--lambda"))
