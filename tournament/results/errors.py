"""The mistakes of entrants: their costs by hand and upcard, and the rounds that cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Payoff, QueuedShoe, Round, Rules
from cards.rules import exact
from tournament.rounds.costs import Costs, costs_for
from tournament.rounds.scripts import play_script
from tournament.settings import UNITS, Block, Results
from twentyone.exact.hand_advice import adviser_for
from twentyone.policies.hands import hand_of
from twentyone.policies.policy import Situation, decisions_of, situations_of
from twentyone.support.progress import Progress

MOST_REPLAYED: Final = 36_000
"""Rounds that are played again for all heatmaps together: a few seconds."""

DEAREST: Final = 5
"""The number of the dearest rounds that are shown of each entrant."""

_NOTHING: Final = 1e-9
"""Costs below it are rounding."""

Cell = tuple[str, int]
"""A hand as `twentyone.policies.hands` spells it, and the upcard, 2 to 11."""


class CostlyRound(NamedTuple):
    """A round that cost much, and its dearest decision.

    Attributes:
        entrant: its number.
        round: the number of the round, from 0.
        cards: the values of the hand's cards, 2 to 11 (an ace); none for a forfeit.
        upcard: 2 to 11.
        decided: what was decided, such as "HIT", or "forfeit".
        best: what would have been best; no text for a forfeit.
        cost: of the decision, in initial bets.
    """

    entrant: int
    round: int
    cards: tuple[int, ...]
    upcard: int
    decided: str
    best: str
    cost: float


@dataclass(slots=True)
class Heatmap:
    """The costs of an entrant's decisions.

    Attributes:
        costs: by hand and upcard, in initial bets per round, estimated from the rounds that were played
            again.
        forfeits: the costs of its forfeits, estimated in the same way.
        replayed: how many rounds were played again.
        costly: how many rounds had a cost.
    """

    costs: dict[Cell, float] = field(default_factory=dict)
    forfeits: float = 0.0
    replayed: int = 0
    costly: int = 0


class Errors(NamedTuple):
    """The errors of all entrants: a heatmap of each, and the dearest rounds, the dearest first.

    An open tournament has no dearest rounds: an entrant that comes later would know their cards.
    """

    heatmaps: Sequence[Heatmap]
    dearest: Sequence[CostlyRound]


def errors_of(results: Results) -> Errors | None:
    """The errors of all entrants; None where no exact values hold.

    Only rounds that cost something are played again, and of those at most `MOST_REPLAYED` in all, spread
    evenly.
    """
    costs = costs_for(results.settings.rules)
    if costs is None or results.lost is None:
        return None
    heatmaps: list[Heatmap] = []
    dearest: list[CostlyRound] = []
    count = len(results.settings.entrants)
    with Progress("errors", count, "entrants") as progress:
        for number in range(count):
            heatmaps.append(_heatmap(results, number, costs, MOST_REPLAYED // count))
            if not results.settings.is_open:  # as long as it is, no card is shown
                dearest += _dearest(results, number, costs)
            progress.show(number + 1)
    return Errors(heatmaps, sorted(dearest, key=lambda each: -each.cost))


def _heatmap(results: Results, number: int, costs: Costs, most: int) -> Heatmap:
    assert results.lost is not None
    lost = results.lost[number][:, 0]
    costly = np.flatnonzero(np.abs(lost) > _NOTHING)
    picked = costly[:: max(1, -(-len(costly) // most))]
    found = Heatmap(replayed=len(picked), costly=len(costly))
    weight = len(costly) / max(len(picked), 1) / max(len(lost), 1)
    for _, round_ in rounds_again(results, number, picked.tolist()):
        decided = decisions_of(round_, 0)
        upcard = _upcard(round_)
        told = costs.of(round_)
        for (seen, _), cost in zip(decided, told, strict=False):
            cell = hand_of(seen), upcard
            found.costs[cell] = found.costs.get(cell, 0.0) + cost * weight
        found.forfeits += sum(told[len(decided) :]) * weight
    return found


def _dearest(results: Results, number: int, costs: Costs) -> Iterator[CostlyRound]:
    """The rounds of an entrant that cost most, in order of their numbers."""
    assert results.lost is not None
    lost = results.lost[number][:, 0]
    most = np.argsort(-lost, kind="stable")[:DEAREST].tolist()
    picked = [place for place in most if lost[place] > _NOTHING]
    for place, round_ in rounds_again(results, number, sorted(picked)):
        told, asked = costs.of(round_), situations_of(round_, 0)
        which = int(np.argmax(told))
        if which < len(asked):
            situation, decision = asked[which]
            yield CostlyRound(
                number,
                place,
                situation.cards,
                situation.upcard,
                decision.value,
                _best_decision(results.settings.rules, situation, decision).value,
                told[which],
            )
        else:
            yield CostlyRound(number, place, (), _upcard(round_), "forfeit", "", told[which])


def _best_decision(rules: Rules, asked: Situation, decided: Decision) -> Decision:
    """The best answer to a question where the decision cost something: of two, the other one."""
    others = [each for each in asked.options if each is not decided]
    return others[0] if len(others) == 1 else adviser_for(rules).advise(asked).decision


def _upcard(round_: Round) -> int:
    assert round_.upcard is not None
    return 11 if round_.upcard.is_ace else round_.upcard.points


def rounds_again(results: Results, match: int, numbers: Sequence[int]) -> Iterator[tuple[int, Round]]:
    """Some rounds of a match against a dealer with a fresh shoe, played again, by increasing numbers."""
    rules = results.settings.rules
    shoe = QueuedShoe(rules, results.settings.seed)
    for block, nth in picked_from(results.blocks(match), numbers):
        number = block.before.round + nth
        shoe.go_to(number)
        chips = None if rules.bets is None else [chips_before(rules, block, nth)]
        yield number, play_script(rules, shoe, block.scripts[nth], chips)


def picked_from(blocks: Sequence[Block], numbers: Sequence[int]) -> Iterator[tuple[Block, int]]:
    """The block of each of these rounds, and which of its rounds it is."""
    waiting = iter(numbers)
    number = next(waiting, None)
    for block in blocks:
        while number is not None and number - block.before.round < len(block.scripts):
            yield block, number - block.before.round
            number = next(waiting, None)


def chips_before(rules: Rules, block: Block, nth: int) -> Payoff:
    """The chips before a round of a block, from those before the block; a seat with too few gets new ones."""
    assert rules.bets is not None
    chips, first = Fraction(block.before.bankrolls[0]), Fraction(rules.first_bankroll)
    for payoff in block.payoffs[:nth, 0].tolist():
        chips = (first if chips < rules.bets.minimum else chips) + Fraction(payoff, UNITS)
    return exact(first if chips < rules.bets.minimum else chips)
