"""The player on one connection of a training run: it asks the learner, and hands it every round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cards import HIT_OR_STAND, Card, Decision, Hand, Outcome, Payoff, RandBelow, Rules
from cards.asking import asks_more
from player.client import Client
from player.delayed_answers import DelayedAnswers
from player.episodes import EpisodeBuilder
from player.recovery import PastRound
from protocol import BetRequest, HandResult, OtherHand
from twentyone.learning.cells import first_of
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import Learner
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import is_by_hand


class TrainingRun(Protocol):
    """The interface of a training run for its connections: `player.trainer.Trainer` says more.

    Attributes:
        learner: the learner, once the rules are known.
        notice: told what a person should know.
    """

    learner: Learner | None
    notice: Callable[[str], None]

    def take_rules(self, rules: Rules | None) -> Rules:
        """The rules to play by."""

    def play_on_one(self, client: Client) -> None:
        """Play all rounds on this connection."""

    def learn(self, episode: Episode, outcome: Outcome, payoff: Payoff | None, rand_below: RandBelow) -> None:
        """Learn from a round."""

    def pass_over(self) -> None:
        """Do not learn from a round."""

    def miss(self) -> None:
        """Count a round that was not seen to its end."""

    def report_refusal(self, reason: str) -> None:
        """Pass on what the dealer refused."""


class Actor:
    """Plays on one connection, as the learner chooses, and hands every round to it.

    Args:
        trainer: the run that it belongs to.
        rand_below: the random source of the connection.

    Attributes:
        own_share: how many rounds it joined for.
        announcement: what is to be said once it plays rounds that were not its own.
    """

    def __init__(self, trainer: TrainingRun, rand_below: RandBelow) -> None:
        self.own_share = 0
        self.announcement: str | None = None
        self._trainer = trainer
        self._rand_below = rand_below
        self._delayed = DelayedAnswers()
        self._play_by(Rules())
        self._waits = False  # after its own share
        self._client: Client
        self._question: tuple[Observation, Hand] | None = None  # what was left open

    def sit_down(self, client: Client, share: int, *, waits: bool) -> None:
        """Play on this connection.

        Args:
            client: the connection.
            share: how many rounds it joins for.
            waits: whether to leave the next question open after these, since there may be more to play. A
                dealer that minds the number in a JOIN never asks it.
        """
        self._client, self.own_share, self._waits = client, share, waits
        client.tells_cards = False
        if waits:
            client.leave_after(None)

    def announce(self, sentence: str) -> None:
        """Say this once it plays rounds that were not its own."""
        self.announcement = sentence

    def go_on(self, rounds: int) -> None:
        """Play on to this many rounds in all, and then leave."""
        client = self._client
        client.leave_after(rounds)
        self._waits = False
        question, self._question = self._question, None
        if question is None or client.over.done():
            return
        if client.played >= rounds:
            client.leave()
        elif client.is_asked:  # and no clock of the dealer has taken the decision since
            decision = self.asked(*question)
            assert decision is not None
            client.answer(decision)

    def rules_told(self, rules: Rules | None) -> Rules:
        """The rules are told before the first round begins, and by then it is known how the dealer speaks."""
        if self._client.is_classic:
            self._waits = False
            self._trainer.play_on_one(self._client)
        played = self._trainer.take_rules(rules)
        self._play_by(played)
        return played

    def _play_by(self, rules: Rules) -> None:
        self._episode = EpisodeBuilder(rules)
        self._asks_more = asks_more(rules)
        self._by_hand = is_by_hand(rules)

    def asked_for_bet(self, request: BetRequest) -> int:
        """Bet the least: what is learned is in initial bets."""
        return request.minimum

    def shuffled(self) -> None:
        """Nothing: the count of the cards is no part of what is learned."""

    def began(self) -> None:
        """Begin to note a round."""
        self._episode.begin()

    def dealt(self, card: Card, hand: Hand) -> None:
        """Note that an answer may have come of it."""
        client = self._client
        client.tells_cards = False
        if self._delayed.awaited is not None:
            self._delayed.dealt(was_sent=not client.has_unsent_answer)

    def saw_upcard(self, card: Card) -> None:
        """Note the dealer's first card."""
        self._episode.dealer.append(card)

    def saw_dealer(self, card: Card) -> None:
        """Note another card of the dealer."""
        self._episode.dealer.append(card)

    def saw_other(self, message: OtherHand) -> None:
        """Nothing: only one's own hands are learned from."""

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        """Decide, or leave the question open."""
        if not self._asks_more and observation.options != HIT_OR_STAND:
            # The dealer has not told rules by which more than HIT and STAND may be asked.
            if Decision.DECLINE in observation.options:
                return Decision.DECLINE
            observation = Observation(*observation[:3])
        if self._waits and self._client.played >= self.own_share:
            self._delayed.left_open()
            self._question = observation, hand
            return None
        learner, episode, options = self._trainer.learner, self._episode, observation.options
        if learner is None:  # the dealer's rules were refused, and the connection is about to be left
            return Decision.DECLINE if Decision.DECLINE in options else Decision.STAND
        first = first_of(observation, by_hand=self._by_hand)
        decision = learner.choose(first, options, self._rand_below, is_start=not episode.has_begun)
        episode.decide(first, options, decision)
        self._delayed.answered(decision)
        self._client.tells_cards = True  # the next may be what has come of it
        return decision

    def hand_begun(self, number: int, hands: int) -> None:
        """Note which hand is played."""
        self._episode.begin_hand(number)

    def hand_settled(self, message: HandResult) -> None:
        """Note what a hand of several was paid, in initial bets."""
        self._episode.settle_hand(message.payoff / (self._client.stakes.staked or 1))

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """Learn from the round, if all its decisions were the learner's own."""
        client = self._client
        client.tells_cards = False
        self._question = None
        is_own = self._delayed.settled(outcome, was_sent=not client.has_unsent_answer)
        if client.notes_decided:
            is_own = self._episode.decisions == [decision for _, decision in client.decided]
        if is_own:
            payoff = outcome.payoff if client.stakes.payoff is None else client.stakes.payoff
            episode = self._episode.finish(payoff)
            self._trainer.learn(episode, outcome, client.stakes.payoff, self._rand_below)
        else:
            self._trainer.pass_over()
        if self.announcement is not None and client.played > self.own_share:
            self._trainer.notice(self.announcement)
            self.announcement = None

    def interrupted(self) -> None:
        """Doubt no answer that was given before the connection was lost: none is under way any more."""
        self._delayed = DelayedAnswers()
        self._question = None

    def recovered(self, past: PastRound) -> None:
        """Learn nothing from a round that was not seen to its end."""
        self._question = None
        self._delayed = DelayedAnswers()
        self._trainer.miss()

    def refused(self, reason: str) -> None:
        """Pass on what the dealer refused."""
        self._trainer.report_refusal(reason)
