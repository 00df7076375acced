"""The exact limit of learning with a constant chance of exploring: control by epsilon-soft policies.

A method of the textbooks learns from rounds that its own policy plays: the better decision, or with the
chance epsilon either one. If its steps get ever smaller, its action values become the means of what it is
told after each decision, over the hands that share a cell. These means depend on the policy, and the policy
on them; the limit is where both agree, the best of the epsilon-soft policies if a cell is all that matters
(Sutton and Barto, 2018, section 5.4). From a finite shoe a cell is not all that matters, so methods that are
told different things have different limits; with an infinite deck only epsilon matters, and whether the
values are those of the policy itself (on-policy) or of the best play (off-policy).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from cards import Rules
from twentyone.exact import solving
from twentyone.exact.values.compositions import Floats, Ints
from twentyone.exact.values.tables import CELLS, TableGame
from twentyone.policies.qtable import HIT, STAND

MOST_STEPS: Final = 8
"""The most steps that a return looks ahead."""


@dataclass(frozen=True, slots=True)
class Control:
    """The play of a method while it learns, and its targets after a decision that did not end the round.

    Attributes:
        epsilon: the chance that a decision is picked by chance alone, HIT or STAND alike, 0 to 1.
        off_policy: whether a cell counts as its better value; otherwise as the mean of both by their chances.
        n: after how many decisions what follows counts as the value of its cell, 1 to `MOST_STEPS`.
        trace: lambda, 0 to 1: how much of what came of the hand counts in place of the value of its cell.
            With 1 the method is told the payoff of the round (Monte-Carlo).
        gamma: the discount for each decision, 0 to 1.
        explores_starts: whether the first decision of every round is picked by chance alone.
    """

    epsilon: float
    off_policy: bool = False
    n: int = 1
    trace: float = 0.0
    gamma: float = 1.0
    explores_starts: bool = False

    def __post_init__(self) -> None:
        shares = (self.epsilon, self.trace, self.gamma)
        if not (all(0 <= share <= 1 for share in shares) and 1 <= self.n <= MOST_STEPS):
            raise ValueError(
                f"{self} is no method: expected shares from 0 to 1, and n from 1 to {MOST_STEPS}"
            )
        if self.epsilon == 0 and not self.explores_starts:
            raise ValueError(f"{self} never explores: expected epsilon above 0, or exploring starts")


@dataclass(frozen=True, slots=True, eq=False)
class SoftLimit:
    """The limit of learning.

    Attributes:
        policies: greedy play by the limit of the action values, (22, 22), 1 where it hits. If there are
            several, each is greedy by the values of the one before, and the first by those of the last: then
            learning may go on changing between such policies for ever (it *chatters*: Gordon, 1996).
        values: the exact value of each, in initial bets per round.
    """

    policies: tuple[Floats, ...]
    values: tuple[float, ...]

    @property
    def is_steady(self) -> bool:
        """Whether the policy is greedy by the values of its own play."""
        return len(self.policies) == 1


def soft_limit(rules: Rules, control: Control) -> SoftLimit:
    """The limit of learning with ever smaller steps, by policy iteration with exact values.

    It begins with the best chart; another beginning might lead to another limit, if there are several.

    Args:
        rules: the rules of HIT and STAND, with a fresh shoe every round.
        control: the method. Cells that it never sees stand.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    game = solving.game_for(rules)
    policy = solving.solve(rules).policy
    seen: dict[bytes, Floats] = {}
    while policy.tobytes() not in seen:
        seen[policy.tobytes()] = policy
        values = control_values(game, control, policy)
        policy = (values[:, :, HIT] > values[:, :, STAND]).astype(np.float64)
    cycle = list(seen.values())[list(seen).index(policy.tobytes()) :]
    return SoftLimit(tuple(cycle), tuple(solving.evaluate(rules, each).value for each in cycle))


def control_values(game: TableGame, control: Control, policy: Floats) -> Floats:
    """(22, 22, 2): the action values of greedy play that are learned in the cells as a policy reaches them.

    What a cell is told depends on later cells only, since a hand grows with every card if aces count low. So
    these are computed first, together with the better decision there. NaN where nothing is learned.

    Args:
        game: the game.
        control: the method.
        policy: (22, 22) the greedy decisions by which hands come to share a cell.
    """
    hits, stands = _visits(game, control, _soft(game.plan(policy), control.epsilon))
    values = np.full((CELLS, 2), np.nan)
    ahead = np.full((control.n, len(game.stand) + 1, 10), -1.0)  # the last row is a bust hand
    for rows in reversed(game.layers):
        chances, children = game.chances[rows], game.children[rows]
        told = np.einsum("ncu,kncu->knu", chances, ahead[:, children])
        stand, cells = game.stand[rows], game.cells[rows]
        _put_means(values[:, HIT], cells, told[-1], hits[rows])
        _put_means(values[:, STAND], cells, stand, stands[rows])
        of_cells = values[cells]
        hit = _soft((of_cells[..., HIT] > of_cells[..., STAND]).astype(np.float64), control.epsilon)
        followed = hit * told + (1 - hit) * stand
        cell = _worth(of_cells, hit, control)
        ahead[0, rows] = control.gamma * ((1 - control.trace) * cell + control.trace * followed[-1])
        ahead[1:, rows] = control.gamma * followed[:-1]
    return values.reshape(22, 22, 2)


def _soft(greedy: Floats, epsilon: float) -> Floats:
    """The chances of HIT if a decision is picked by chance alone with the chance epsilon."""
    return epsilon / 2 + (1 - epsilon) * greedy


def _visits(game: TableGame, control: Control, plan: Floats) -> tuple[Floats, Floats]:
    """(n, 10) each: the chance per round of hitting, and of standing, on each hand against each upcard."""
    at_start = np.full(plan.shape, 0.5) if control.explores_starts else plan
    later = game.drawn(at_start, plan)
    hitting = at_start * game.start + plan * later
    return hitting, (1 - at_start) * game.start + (1 - plan) * later


def _put_means(values: Floats, cells: Ints, amounts: Floats, weights: Floats) -> None:
    """Put the means of amounts over the hands that share a cell; cells without weight remain as they are."""
    total = np.bincount(cells.ravel(), weights=weights.ravel(), minlength=CELLS)
    sums = np.bincount(cells.ravel(), weights=(weights * amounts).ravel(), minlength=CELLS)
    np.divide(sums, total, out=values, where=total > 0)


def _worth(of_cells: Floats, hit: Floats, control: Control) -> Floats:
    """The values of the cells, by hand: their better value, or the mean of both; of a NaN, the other."""
    worth = np.where(np.isnan(of_cells), of_cells[..., ::-1], of_cells)
    if control.off_policy:
        better: Floats = np.nan_to_num(worth.max(axis=-1))
        return better
    mean: Floats = np.nan_to_num(hit * worth[..., HIT] + (1 - hit) * worth[..., STAND])
    return mean
