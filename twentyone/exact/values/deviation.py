"""The exact standard deviation of a round.

The square of a round's payoff has an expectation that is found as that of the payoff is, as long as there is
one hand. After a split the payoffs of the hands depend on each other: they share the dealer and the shoe. The
square of their sum is made of products of two of them. Of two hands only the cards that they hold together
matter, since all orders of these are equally likely; so all pairs of final hands are listed by these cards,
with the dealer's chances from what is left. What further hands have drawn is known as far as in
`twentyone.exact.values.splits`.

Insurance is not in it: it is a bet of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from math import comb, sqrt
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, HoleCard, Rules, Surrender, asking
from cards.rules import MAX_HANDS
from twentyone.exact.values.charts import Plan, columns_of, plan_of
from twentyone.exact.values.compositions import POINTS, Floats, Ints, codes_of, counts_of
from twentyone.exact.values.ends import Ends
from twentyone.exact.values.game import FIRST, First, SeatGame
from twentyone.exact.values.hands import DOUBLE, HIT, STAND, Hands
from twentyone.exact.values.shoe import MOST_DRAWN, Draws
from twentyone.exact.values.splits import OTHER, SAME, ends_of_pair, most_hands
from twentyone.exact.values.standing import ENDS, NATURAL, payoffs
from twentyone.exact.values.upcard import AgainstUpcard
from twentyone.policies.chart import Chart

ANY: Final = 2
"""The kind of a hand whose second card may be any, where `OTHER` and `SAME` say which it is."""

_UNIT: Final = np.eye(10, dtype=np.int64)

_QUARTER: Final = 0.25
"""The square of half a bet."""

_CLASSES: Final = 7
"""Class 0 is what does not depend on the dealer's hand; those of totals come after it."""

_PUSHES: Final = _CLASSES * _CLASSES
"""The first row of pushes among the rows of figures; before it stands one for each two classes."""

_ROWS: Final = _PUSHES + _CLASSES


class Deviation(NamedTuple):
    """The distance of rounds from their mean.

    Attributes:
        mean: the expected payoff of a round in initial bets, without insurance.
        variance: the expectation of its squared distance from the mean.
    """

    mean: float
    variance: float

    @property
    def deviation(self) -> float:
        """The standard deviation of a round, in initial bets."""
        return sqrt(self.variance)


def deviation(
    game: SeatGame, chart: Chart | None = None, done: Callable[[int], None] = lambda _: None
) -> Deviation:
    """The mean and the variance of a round.

    Args:
        game: the game.
        chart: the chart by which it is played; None for the best play. Of decisions that are worth the same
            it takes the plainer one, as `FIRST` has them: the mean is the same by either, not the variance.
        done: called after each upcard.
    """
    mean = square = 0.0
    columns = columns_of(chart) if chart is not None else None
    for upcard in np.flatnonzero(game.upcards).tolist():
        plan = plan_of(game, upcard, columns[upcard]) if columns else _best_plan(game, upcard)
        of_mean, of_square = _moments(game, upcard, plan)
        mean += float(game.upcards[upcard]) * of_mean
        square += float(game.upcards[upcard]) * of_square
        done(1)
    return Deviation(mean, square - mean**2)


def _best_plan(game: SeatGame, upcard: int) -> Plan:
    against, first = game.against(upcard), game.best_first(upcard).values.argmax(axis=0)
    return Plan(against.best_unsplit.action, against.best_split.action, first)


def _moments(game: SeatGame, upcard: int, plan: Plan) -> tuple[float, float]:
    """The mean and the mean square of a round given the upcard."""
    against = game.against(upcard)
    rows = against.dealt.rows[plan.first == FIRST.index(Decision.SPLIT)]
    splits = game.splits(upcard)
    pairs = [card for card in splits.pairs if game.hands.pairs[card] in rows]
    first = game.first(upcard, against.follow(plan.unsplit).hit, splits.values(plan.split))
    taken = plan.first, np.arange(len(plan.first))
    figures = _Figures(game, upcard)
    squares = _squares(game, _with_squares(against, figures), figures, plan, pairs, first)[taken]
    chances = against.dealt.chances
    return game.mean(upcard, first.values[taken]), float((chances * squares).sum() + 1 - chances.sum())


def squares_of(game: SeatGame, upcard: int, plan: Plan, pairs: Sequence[int]) -> Floats:
    """The mean squares of what a round pays after each option of a hand, followed by a plan.

    They are given what is known when it is decided, as by `SeatGame.options`.

    Args:
        game: the game.
        upcard: the index of the upcard.
        plan: what follows.
        pairs: the indices of the cards whose splits are worked out, which takes up to a second for each.

    Returns:
        (5, n): by `FIRST` and the row of the hand, in squared initial bets. Those of options that are not
        allowed mean nothing, and those of other splits are NaN.
    """
    against, rules = game.against(upcard), game.rules
    is_peek, counted, dealt = rules.hole_card is HoleCard.PEEK, against.counted, against.dealt.rows
    first = game.first(upcard, against.follow(plan.unsplit).hit, game.splits(upcard).values(plan.split))
    figures = _Figures(game, upcard)
    alone = _with_squares(against, figures)
    later = np.stack([alone.stand, alone.follow(plan.unsplit).hit, alone.double])
    squares = np.full((len(FIRST), len(counted)), np.nan)
    firsts = _squares(game, alone, figures, plan, pairs, first)
    with np.errstate(divide="ignore", invalid="ignore"):  # where the dealer's natural is certain
        squares[:3] = later / counted if is_peek else later + 1 - counted
        squares[:, dealt] = (firsts - first.lost) / counted[dealt] if is_peek else firsts
    if rules.surrender is Surrender.EARLY:
        squares[FIRST.index(Decision.SURRENDER)] = _QUARTER
    others = [game.hands.pairs[card] for card in game.splits(upcard).pairs if card not in pairs]
    squares[FIRST.index(Decision.SPLIT), others] = np.nan
    return squares


def _squares(
    game: SeatGame,
    alone: AgainstUpcard,
    figures: _Figures,
    plan: Plan,
    pairs: Sequence[int],
    first: First,
) -> Floats:
    """(5, d): the mean squares of first decisions, as `SeatGame.first` has their values.

    Args:
        game: the game.
        alone: the hands that no split has made, with squares in place of payoffs.
        figures: the terms of the sums.
        plan: what is done.
        pairs: the indices of the cards of the pairs that are split.
        first: the values of the first decisions.
    """
    hands, rules = game.hands, game.rules
    rows = alone.dealt.rows
    hit = alone.follow(plan.unsplit).hit
    split = np.zeros(len(hands.counts) + 1)
    for card in pairs:
        split[hands.pairs[card]] = _split_square(game, alone, figures, card, plan.split)
    given_up = np.full(len(rows), _QUARTER)
    if rules.surrender is not Surrender.EARLY:
        given_up *= alone.counted[rows]
    squares = np.stack([alone.stand[rows], hit[rows], alone.double[rows], split[rows], given_up])
    own = rows == alone.own
    squares[0, own] = float(rules.naturals.payoff**2) * (1 - alone.natural[rows[own]])
    squares += first.lost
    return squares


def _with_squares(against: AgainstUpcard, figures: _Figures) -> AgainstUpcard:
    """The same hands with squares in place of payoffs."""
    squares = copy(against)
    hands = against.hands
    dealt = np.flatnonzero((hands.size >= 2) & against.possible)
    pushes = figures.means(
        hands.counts[dealt] + _UNIT[against.upcard], _PUSHES + _class_of(hands.total[dealt])
    )
    squares.stand = np.zeros(len(hands.counts))
    squares.stand[dealt] = against.counted[dealt] - pushes
    squares.bust = -against.bust
    drawn = (against.chances * np.append(squares.stand, 0.0)[hands.children]).sum(axis=1)
    squares.double = 4 * (drawn + squares.bust)
    return squares


class _Figures:
    """The terms of a sum over the dealer's hands against one upcard, for one hand or for two together.

    Args:
        game: the game.
        upcard: the index of the upcard.

    Attributes:
        draws: the shoe, from which two hands and the dealer draw.
    """

    def __init__(self, game: SeatGame, upcard: int) -> None:
        self.draws = Draws(game.shoe, 2 * MOST_DRAWN)
        self._ends = Ends(game.rules, self.draws, upcard)
        self._figures = _figures(game.rules)

    def means(self, taken: Ints, rows: Ints) -> Floats:
        """(m,): the means of some rows of `_figures`, after (m, 10) cards have been taken out."""
        if self.draws.endless:  # whatever is taken out of it, it stays as it is
            taken = np.zeros((1, 10), dtype=np.int64)
        codes, at = np.unique(codes_of(taken), return_inverse=True)
        ends = self._ends.chances(counts_of(codes))
        means: Floats = (ends[at] * self._figures[rows]).sum(axis=1)
        return means


def _class_of(total: Ints) -> Ints:
    """The classes of hands by their totals: 1 for 16 or less, then 2 to 6 for 17 to 21."""
    return np.maximum(total - 15, 1)


def _figures(rules: Rules) -> Floats:
    """(56, 7): by the dealer's ends, what two classes of hands make together, and what pushes.

    A hand that ends counts what its stake comes to, of which the stake is taken off: 2, 1 or 0 for each bet.
    Class 0 counts 1 where a round counts at all.
    """
    ends = np.ones((_CLASSES, ENDS))
    ends[1:] += payoffs(rules)
    ends[:, NATURAL] *= rules.hole_card is HoleCard.LAST
    pushes = (ends == 1) & (np.arange(_CLASSES)[:, np.newaxis] > 0)
    together = ends[:, np.newaxis] * ends[np.newaxis]
    return np.concatenate([together.reshape(_PUSHES, ENDS), pushes.astype(np.float64)])


# Splits.


class Terms(NamedTuple):
    """The terms of a sum: m figures, each for certain cards that are drawn in any order.

    Attributes:
        codes: (m,) the cards, as `twentyone.exact.values.compositions.codes_of` has them, beside the pair.
        rows: (m,) the figure: a class for one hand, a row of `_figures` for both or for a square.
        weights: (m,) how often it counts, by the orders of the cards.
    """

    codes: Ints
    rows: Ints
    weights: Floats


def _split_square(
    game: SeatGame, against: AgainstUpcard, figures: _Figures, card: int, action: Ints
) -> float:
    """The mean square of splitting a pair, joint as all values are."""
    takes_one = not asking.is_played(game.rules, int(POINTS[card]))
    ways = _ways(game.hands, card, np.full_like(action, STAND) if takes_one else action)
    most = most_hands(game.rules, card)
    hands = {kind: _payoff(game, ways, card, kind) for kind in (OTHER, ANY)}
    parts, shares = [], []
    for kinds, of_kinds in _shares(figures.draws, against.upcard, card, most).items():
        if len(kinds) == 1:
            parts.append(_square(game, ways, card, *kinds))
        else:
            parts.append(_product(*(hands[kind] for kind in kinds)))
        shares.append(len(kinds) * of_kinds)
    return _sum(figures, against.upcard, card, parts, np.stack(shares))


def _payoff(game: SeatGame, ways: _Ways, card: int, kind: int) -> Terms:
    """The payoff of a hand with a kind of second card, by classes.

    A hand that is begun counts as a loss, one that is doubled as a second, and one that ends as what its
    stake comes to. So one that is bust needs no term.
    """
    stood, doubled, gone = (orders[:, kind] for orders in ways)
    codes = codes_of(game.hands.counts - _UNIT[card])
    classes = _class_of(game.hands.total)
    return _joined(
        _begun(card, kind, -1.0),
        Terms(codes, np.zeros_like(classes), -gone),
        Terms(codes, classes, stood + 2 * doubled),
    )


def _square(game: SeatGame, ways: _Ways, card: int, kind: int) -> Terms:
    """The square of the payoff of such a hand: that of its stake, but 0 for a push."""
    stood, doubled, gone = (orders[:, kind] for orders in ways)
    codes = codes_of(game.hands.counts - _UNIT[card])
    pushes = _PUSHES + _class_of(game.hands.total)
    return _joined(
        _begun(card, kind, 1.0),
        Terms(codes, np.zeros_like(pushes), 3 * gone),
        Terms(codes, pushes, -stood - 4 * doubled),
    )


class _Ways(NamedTuple):
    """In how many orders of cards each of n hands is reached from a split card, by the kind of the second.

    Attributes:
        stood: (n, 3) if it stands there.
        doubled: (n, 3) if it has it after doubling.
        gone: (n, 3) if it is doubled there.
    """

    stood: Floats
    doubled: Floats
    gone: Floats


def _ways(hands: Hands, card: int, action: Ints) -> _Ways:
    """Count the orders, with (n,) actions."""
    n = len(action)
    reached, doubled = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
    for second, made in enumerate(hands.children[hands.singles[card]].tolist()):
        reached[made, [SAME if second == card else OTHER, ANY]] = 1
    reached[n] = 0
    for rows in hands.layers:
        for children in hands.children[rows].T:
            reached[children] += reached[rows] * (action[rows] == HIT)[:, np.newaxis]
            doubled[children] += reached[rows] * (action[rows] == DOUBLE)[:, np.newaxis]
    stands, doubles = (np.where(action == each, 1, 0)[:, np.newaxis] for each in (STAND, DOUBLE))
    return _Ways(reached[:-1] * stands, doubled[:-1], reached[:-1] * doubles)


def _begun(card: int, kind: int, weight: float) -> Terms:
    """That a hand is begun, if its second card is of a kind: any card, less that of the pair for `OTHER`."""
    codes = codes_of(np.stack([_UNIT[card] * 0, _UNIT[card]]))
    return Terms(codes, np.zeros(2, dtype=np.int64), np.array([weight, -weight * (kind == OTHER)]))


def _joined(*parts: Terms) -> Terms:
    """The terms of some that count for something."""
    codes, rows, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    counts = weights != 0
    return Terms(codes[counts], rows[counts], weights[counts])


def _product(one: Terms, other: Terms) -> Terms:
    """The product of the payoffs of two hands: of each two terms, the cards of both."""
    codes = (one.codes[:, np.newaxis] + other.codes).ravel()
    low, high = (pick.outer(one.rows, other.rows).ravel() for pick in (np.minimum, np.maximum))
    weights = np.multiply.outer(one.weights, other.weights).ravel()
    rows, at = np.unique(codes * _ROWS + low * _CLASSES + high, return_inverse=True)
    return Terms(rows // _ROWS, rows % _ROWS, np.bincount(at, weights).astype(np.float64))


def _sum(figures: _Figures, upcard: int, card: int, parts: Sequence[Terms], shares: Floats) -> float:
    """The sum of some terms.

    Args:
        figures: the figures.
        upcard: the index of the upcard.
        card: the index of the pair's cards.
        parts: k groups of terms.
        shares: (k, r) how often each group counts, by the number of further cards of the pair that are out.
    """
    draws = figures.draws
    drawn, rows, weights = _together(parts)
    extra = np.flatnonzero(shares.any(axis=0))
    out = _UNIT[upcard] + (2 + extra[:, np.newaxis]) * _UNIT[card]
    weight = shares[:, extra].T @ weights
    taken = drawn + out[:, np.newaxis]
    more, at = np.nonzero((weight != 0) & ((taken <= draws.counts).all(axis=2) | draws.endless))
    chances = draws.of_order(draws.left(out)[more], drawn[at])
    # Hands with more cards of the pair meet those with fewer and more of them out.
    keys, which = np.unique(codes_of(taken[more, at]) * _ROWS + rows[at], return_inverse=True)
    means = figures.means(counts_of(keys // _ROWS), keys % _ROWS)[which]
    return float((weight[more, at] * chances * means).sum())


def _together(parts: Sequence[Terms]) -> tuple[Ints, Ints, Floats]:
    """The terms of all groups: (m, 10) cards, (m,) rows, and (k, m) weights."""
    keys = np.concatenate([part.codes * _ROWS + part.rows for part in parts])
    groups = np.repeat(np.arange(len(parts)), [part.codes.size for part in parts])
    distinct, at = np.unique(keys, return_inverse=True)
    weights = np.zeros((len(parts), distinct.size))
    weights[groups, at] = np.concatenate([part.weights for part in parts])
    return counts_of(distinct // _ROWS), distinct % _ROWS, weights


def _shares(draws: Draws, upcard: int, card: int, most: int) -> dict[tuple[int, ...], Floats]:
    """The weight of one hand, or of two, of some kinds, by the further cards of the pair that are out."""
    left = draws.left(_UNIT[upcard] + 2 * _UNIT[card])
    all_same = [float(draws.of_order(left, extra * _UNIT[card])) for extra in range(2 * MAX_HANDS)]
    shares: dict[tuple[int, ...], Floats] = {}
    for kinds, hands, extra, others in _ends_of(most):
        of_kinds = shares.setdefault(kinds, np.zeros(len(all_same)))
        for more in range(others + 1):
            of_kinds[extra + more] += hands * (-1) ** more * comb(others, more) * all_same[extra + more]
    if draws.endless:
        return {kinds: of_kinds.sum(keepdims=True) for kinds, of_kinds in shares.items()}
    return shares


@cache
def _ends_of(most: int) -> list[tuple[tuple[int, ...], int, int, int]]:
    """The ends of a pair, as `twentyone.exact.values.splits.ends_of_pair`, by the kinds of its hands.

    Returns:
        For each end: the kinds of one hand or of two, how many have them, how many cards of the pair made
        further hands, and how many of the other hands are known to have another second card.
    """
    ends: list[tuple[tuple[int, ...], int, int, int]] = []
    for waiting, done, extra in ends_of_pair(most):
        ends.append(((ANY,), waiting, extra, done))
        ends.append(((OTHER,), done, extra, done - 1))
        ends.append(((ANY, ANY), comb(waiting, 2), extra, done))
        ends.append(((OTHER, ANY), waiting * done, extra, done - 1))
        ends.append(((OTHER, OTHER), comb(done, 2), extra, done - 2))
    return [end for end in ends if end[1]]
