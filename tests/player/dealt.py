"""A dealer of the whole game that plays by `cards.Round`, and what its rounds teach by their own account."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cards import (
    CardDealt,
    DealerDrew,
    Decision,
    DecisionAsked,
    DecisionTaken,
    HandBegun,
    HandSettled,
    HoleCardRevealed,
    Outcome,
    Payoff,
    Record,
    Round,
    Rules,
    SeatSettled,
    UpcardDealt,
    seeded,
    shoe_for,
)
from cards.rules import HoleCard
from learning.cells import first_of
from learning.episodes import INSURE, Episode, Steps, bits_of
from policies.action_values import ACTIONS
from policies.policy import decisions_of
from tests.helpers.peer import AsyncPeer
from tests.helpers.scripted import scripted

CHIPS = 20


class House:
    """Deals rounds to one player after another, and keeps them.

    Args:
        rules: what it deals; where bets are asked each is of 20 chips.
        rounds: how many to each player.
        seed: of its cards.

    Attributes:
        dealt: the rounds that are over.
        joins: how many players have joined.
    """

    def __init__(self, rules: Rules, rounds: int, seed: int) -> None:
        self.dealt: list[Round] = []
        self.joins = 0
        self._rules = rules
        self._rounds = rounds
        self._shoe = shoe_for(rules, seeded(seed))

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Serve players; gives the port."""
        async with scripted(self._serve) as (_, port):
            yield port

    async def _serve(self, peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        self.joins += 1
        for _ in range(self._rounds):
            if self._rules.bets is not None:
                await peer.say(f"DECISION BET {CHIPS} {CHIPS} 100000")
                assert await self._hear(peer) == f"BET {CHIPS}"
            await self._deal(peer, Round(self._rules, self._shoe))
        await peer.say("QUIT")
        while await peer.hear():
            pass

    async def _deal(self, peer: AsyncPeer, round_: Round) -> None:
        records = round_.deal()
        await peer.say("BEGIN")
        while True:
            await peer.say(*(line for record in records if (line := self._line(round_, record))))
            if round_.turn is None:
                break
            records = round_.decide(0, Decision(await self._hear(peer)))
        self.dealt.append(round_)

    async def _hear(self, peer: AsyncPeer) -> str:
        while (heard := await peer.hear()) == "RULES":
            await peer.say(f"RULES {self._rules}")
        return heard

    def _line(self, round_: Round, record: Record) -> str | None:
        match record:
            case CardDealt(_, card):
                return f"CARD {card}"
            case UpcardDealt(card) | HoleCardRevealed(card) | DealerDrew(card):
                return f"DEALER {card}"
            case DecisionAsked(_, _, options):
                return f"DECISION {' '.join(option.value for option in options)}"
            case HandBegun(_, hand, hands):
                return f"HAND {hand + 1} {hands}"
            case HandSettled(_, hand, outcome, payoff):
                return f"HAND {hand + 1} {len(round_.hands_of(0))} {self._result(outcome, payoff)}"
            case SeatSettled(_, outcome, payoff) if payoff is not None:
                return f"RESULT {self._result(outcome, payoff)}"
        return None

    def _result(self, outcome: Outcome, payoff: Payoff) -> str:
        told = payoff * (1 if self._rules.bets is None else CHIPS)
        return f"{outcome.value} {f'{float(told):+g}' if told else '0'}"


def episode_of(round_: Round) -> Episode:
    """What the only seat of a round that is over has to learn from it, by the cards and not by messages."""
    rules, dealer = round_.rules, round_.dealer
    assert dealer is not None
    taken = [record for record in round_.records if isinstance(record, DecisionTaken)]
    steps, insured, declined = Steps([], [], [], []), -1, -1
    for (seen, decision), record in zip(decisions_of(round_, 0), taken, strict=True):
        first = first_of(seen, is_whole=True)
        if decision is Decision.INSURE:
            insured = first + INSURE
        elif decision is Decision.DECLINE:
            declined = first if Decision.SURRENDER in seen.options else declined
        elif Decision.DECLINE not in seen.options:
            numbers = first, bits_of(seen.options), ACTIONS.index(decision), record.hand
            for column, number in zip(steps, numbers, strict=True):
                column.append(number)
    hands = round_.hands_of(0)
    payoffs = [float(hand.payoff or 0) for hand in hands]
    takes_one = dealer.is_natural and rules.hole_card is HoleCard.OBO
    if takes_one and len(hands) > 1:
        payoffs = [-1.0] * len(hands)
    insurance = 1.0 if dealer.is_natural else -0.5
    return Episode(
        steps,
        tuple(payoffs),
        1.0 if takes_one else 0.0,
        insured,
        insurance if insured >= 0 else 0.0,
        declined,
        dealer.is_natural and rules.hole_card is HoleCard.PEEK,
    )
