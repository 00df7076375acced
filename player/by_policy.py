"""A player that decides by a policy, and keeps the score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy_extensions import mypyc_attr

from cards import Card, Decision, Hand, Outcome, Payoff, Rules, Tally
from cards.rules import exact
from player.bets import BetPlan, Better, better_for
from player.chosen import ChosenPolicy
from player.client import Client
from player.counting import CardCount, CountedPlay, about_count
from player.recovery import PastRound
from player.score import Record
from protocol import BetRequest, HandResult, OtherHand, payoff_text
from twentyone.policies.policy import Observation, Policy
from twentyone.support.command import CommandError
from twentyone.support.terminal import notice

_notice: Final = partial(notice, "player")


@mypyc_attr(allow_interpreted_subclasses=True)
class PolicyPlayer:
    """Plays by a policy, and keeps the score.

    Args:
        policy: what decides.
        given: the rules of the command line, for a dealer that does not tell its own.
        say: where to print every hand, if anywhere.
        plan: what to bet where bets are asked; None for the least bet.

    Attributes:
        chips: what was won in all, where bets are asked; otherwise None.
        lost: how many rounds have no result, since the connection was lost.
        refusal: why the policy cannot play by the dealer's rules, if it cannot; no question is answered then.
    """

    def __init__(
        self,
        policy: ChosenPolicy,
        given: Rules | None,
        say: Callable[[str], None] | None = None,
        plan: BetPlan | None = None,
    ) -> None:
        self.tally = Tally()
        self.record = Record()
        self.lost = 0
        self.rules: Rules | None = None
        self.refusal: CommandError | None = None
        self._policy = policy
        self._decide: Policy | None = None
        self._given = given
        self._say = say
        self._plan = plan
        self._better: Better | None = None
        self._counts: list[CardCount] = []
        self._client: Client | None = None
        self._upcard: Card | None = None
        self._shown: list[str] = []
        self.chips: Payoff | None = None

    def sit_down(self, client: Client) -> None:
        """Take the connection that is played on, before anything is said on it."""
        self._client = client

    def rules_told(self, rules: Rules | None) -> Rules:
        """Take the dealer's rules, or the given ones; say so if the table was learned under others."""
        self.rules = rules or self._given or Rules()
        if (sentence := self._policy.about_rules(self.rules)) is not None:
            _notice(sentence)
        if self.rules.bets is not None:
            self.chips = 0
        try:
            self._decide = self._decide_under(self.rules, is_told=rules is not None)
            if self._plan is not None:
                self._better = better_for(self._plan, _notice, self.rules)
                self._counts.append(self._better)
        except CommandError as error:
            self.refusal = error
        return self.rules

    def _decide_under(self, rules: Rules, *, is_told: bool) -> Policy:
        if self._policy.counted is None:
            return self._policy.decide(rules)
        play = CountedPlay(self._policy.counted, rules, is_told=is_told)
        if (sentence := about_count(rules, is_told=is_told)) is not None:
            _notice(sentence)
        self._counts.append(play)
        return play.decide

    def asked_for_bet(self, request: BetRequest) -> int | None:
        """Bet by the plan."""
        if self.refusal is not None:
            return None
        return request.minimum if self._better is None else self._better.bet(request)

    def shuffled(self) -> None:
        """Begin to count again."""
        for count in self._counts:
            count.shuffled()

    def saw_dealer(self, card: Card) -> None:
        """Count the card."""
        for count in self._counts:
            count.saw_dealer(card)

    def hand_begun(self, number: int, hands: int) -> None:
        """Note which hand is played now."""
        if self._say:
            self._shown.append(f"hand {number + 1} of {hands}")

    def hand_settled(self, message: HandResult) -> None:
        """Note how one of several hands ended."""
        if self._say:
            paid = payoff_text(message.payoff)
            self._shown.append(f"hand {message.hand + 1} {message.outcome.value} {paid}")

    def saw_other(self, message: OtherHand) -> None:
        """Nothing: this player has not asked for it."""

    def began(self) -> None:
        """Begin an empty line to show."""
        for count in self._counts:
            count.began()
        self._shown = []
        self._upcard = None

    def dealt(self, card: Card, hand: Hand) -> None:
        """Note the card."""
        for count in self._counts:
            count.saw(card)
        if self._say:
            self._shown.append(str(card))

    def saw_upcard(self, card: Card) -> None:
        """Note the upcard."""
        for count in self._counts:
            count.saw_upcard(card)
        self._upcard = card

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        """Decide by the policy."""
        if self._decide is None or self.refusal is not None:
            return None
        decision = self._decide(observation)
        if self._say:
            self._shown.append(f"({describe(hand)}) {decision.value}")
        return decision

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """Count the round, and show it."""
        client = self._client
        payoff, chips = (None, None) if client is None else (client.stakes.payoff, client.stakes.chips)
        self.tally.add(outcome, payoff)
        if client is not None and client.notes_decided:
            self.record.add_decided(client.decided)
        elif payoff is None:
            self.record.add(self._upcard, hand)
        if chips is not None:
            self.chips = exact((self.chips or 0) + chips)
        if self._say:
            against = f" against {self._upcard}" if self._upcard else ""
            paid = "" if payoff is None else f" {payoff_text(payoff if chips is None else chips)}"
            end = f"{outcome.value}{paid}, {describe(hand)}"
            self._say(f"{self.tally.rounds}{against}: {', '.join(self._shown)}: {end}")

    def interrupted(self) -> None:
        """Begin to count again: cards were missed, and the shoe may be fresh."""
        self.shuffled()

    def recovered(self, past: PastRound) -> None:
        """Count a round that was not seen to its end; it is in no figure of EV lost."""
        if past.outcome is None:
            self.lost += 1
            return
        self.tally.add(past.outcome, past.payoff)
        if past.chips is not None:
            self.chips = exact((self.chips or 0) + past.chips)
        if self._say:
            paid = "" if past.chips is None else f" {payoff_text(past.chips)}"
            self._say(f"{self.tally.rounds}: not seen to its end: {past.outcome.value}{paid}")

    def refused(self, reason: str) -> None:
        """Pass on what the dealer says."""
        _notice(f"the dealer says: {reason}")


def describe(hand: Hand) -> str:
    """`soft 17`, `hard 20`: a hand in two words."""
    return f"{'soft' if hand.is_soft else 'hard'} {hand.total}"
