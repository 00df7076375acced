"""The dealer's final hand, and what standing against it is worth.

With an infinite deck the state of the dealer's hand is its total and softness. From a finite shoe its final
hands are listed as compositions, each with the number of orders in which the dealer may draw it. The chance
of one order is the product of the falling factorials (c)_k = c (c - 1) ... (c - k + 1) of the cards left of
each index, over that of all cards left: it is the same for every order. So the list is made once, and is used
with the cards left by any player's hand.

Cards and upcards are indexed as in `exact.hands`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from cards import Ace, DealerStands, Naturals
from exact.hands import LIMIT, PER_DECK, Bools, Floats, Ints, add_card, codes_of, totals_of

ENDS: Final = 7
"""The ends of a dealer's hand: 17, 18, 19, 20, 21 of three cards or more, a natural, or bust."""

NATURAL: Final = 5
BUST: Final = 6

_BATCH: Final = 32
"""Player's hands at a time: few enough that all arrays stay in the processor's cache."""


class _Drawn(NamedTuple):
    """The dealer's hands of some number of cards, m of them, each made by a draw to one of a card less.

    Attributes:
        parent: (m,) the hand of a card less that it is made from (one of several; any will do).
        card: (m,) the card that was drawn.
        held: (m,) how many cards of that index the parent holds.
        draws: (m,) whether the dealer takes another card.
        final: (p,) the hands that do not draw, once for each upcard that they hold, sorted by outcome.
        orders: (p, 1) in how many orders each may be drawn after its upcard.
        outcomes: (q,) the outcomes that occur: the upcard times 7, plus the end.
        first: (q,) where in `final` each of them begins.
    """

    parent: Ints
    card: Ints
    held: Ints
    draws: Bools
    final: Ints
    orders: Floats
    outcomes: Ints
    first: Ints


def dealer_ends(decks: int | None, ace: Ace, stands: DealerStands, taken: Ints) -> Floats:
    """The chance of each end of the dealer's hand, by upcard, for player's hands of n compositions.

    Args:
        decks: 1 to 8 decks, complete except for the player's cards; or None for an infinite deck.
        ace: what an ace counts.
        stands: on which 17 the dealer stands.
        taken: (n, 10) how many cards of each index the player holds.

    Returns:
        (n, 10, 7): by hand, upcard and end. 0 for an upcard of which no card is left.
    """
    if decks is None:
        return np.broadcast_to(_from_infinite_deck(ace, stands), (len(taken), 10, ENDS))
    shoe = PER_DECK * decks
    layers = list(_drawn(shoe, ace, stands))
    batches = [shoe - taken[first : first + _BATCH] for first in range(0, len(taken), _BATCH)]
    return np.concatenate([_ends_from(left, layers) for left in batches])


def stand_values(total: Ints, natural: Bools, ends: Floats, naturals: Naturals) -> Floats:
    """What standing is worth, in initial bets from the player's view.

    Args:
        total: (n,) the player's totals, none of them bust.
        natural: (n,) which of the player's hands are naturals.
        ends: (n, 10, 7) the chances of the dealer's ends, from `dealer_ends`.
        naturals: whether a natural beats every other 21.

    Returns:
        (n, 10): the chance that the dealer ends below, less the chance that it ends above.
    """
    natural_counts = LIMIT + (naturals is Naturals.BEAT)
    mine = np.where(natural, natural_counts, total)
    theirs = np.array([17, 18, 19, 20, 21, natural_counts, 0])
    payoffs = np.sign(mine[:, np.newaxis] - theirs).astype(np.float64)
    values: Floats = np.einsum("nue,ne->nu", ends, payoffs)
    return values


def _from_infinite_deck(ace: Ace, stands: DealerStands) -> Floats:
    """(10, 7): by upcard and end."""
    chance = (PER_DECK / PER_DECK.sum()).tolist()
    ends = np.zeros((10, ENDS))
    for upcard in range(10):
        hands = {add_card(0, False, upcard, ace): 1.0}
        cards = 1
        while hands:
            cards += 1
            drawn: dict[tuple[int, bool], float] = {}
            for (total, soft), share in hands.items():
                for card in range(10):
                    hand = add_card(total, soft, card, ace)
                    drawn[hand] = drawn.get(hand, 0.0) + share * chance[card]
            totals, softs = np.array(list(drawn), dtype=np.int64).T
            draws = _draws(totals, softs > 0, stands)
            np.add.at(ends[upcard], _ends(totals, cards)[~draws], np.array(list(drawn.values()))[~draws])
            hands = {hand: share for (hand, share), more in zip(drawn.items(), draws, strict=True) if more}
    return ends


def _ends_from(left: Ints, layers: Sequence[_Drawn]) -> Floats:
    """(n, 10, 7): the chance of each end by upcard, with (n, 10) cards left for the dealer."""
    by_card = left.T.astype(np.float64)
    cards_left = by_card.sum(axis=0)
    upcards = chances = by_card / cards_left
    found = np.zeros((10 * ENDS, len(left)))
    for size, layer in enumerate(layers, start=1):
        factors = by_card[layer.card]
        factors -= layer.held[:, np.newaxis]
        factors /= cards_left - size
        factors *= chances[layer.parent]
        # Not a matrix product: the threads of numpy's slow each other down on a busy machine.
        found[layer.outcomes] += np.add.reduceat(layer.orders * factors[layer.final], layer.first)
        chances = factors[layer.draws]
    joint = found.reshape(10, ENDS, -1)
    given = np.zeros_like(joint)
    np.divide(joint, upcards[:, np.newaxis], out=given, where=upcards[:, np.newaxis] > 0)
    return given.transpose(2, 0, 1)


def _drawn(shoe: Ints, ace: Ace, stands: DealerStands) -> Iterator[_Drawn]:
    """The dealer's hands of two cards, of three, and so on until no hand draws."""
    unit = np.eye(10, dtype=np.int64)
    counts, orders, size = unit, unit, 1
    while counts.size:
        parent, card = np.nonzero(counts < shoe)
        _, first, which = np.unique(
            codes_of(counts[parent] + unit[card]), return_index=True, return_inverse=True
        )
        made_orders = np.zeros((first.size, 10), dtype=np.int64)
        np.add.at(made_orders, which, orders[parent])
        parent, card = parent[first], card[first]
        made, size = counts[parent] + unit[card], size + 1
        total, soft = totals_of(made, ace)
        draws = _draws(total, soft, stands)
        final, upcard = np.nonzero(made_orders * ~draws[:, np.newaxis])
        outcome = upcard * ENDS + _ends(total, size)[final]
        order = np.argsort(outcome, kind="stable")
        ways = made_orders[final, upcard].astype(np.float64)[order, np.newaxis]
        sorts = np.unique(outcome[order], return_index=True)
        yield _Drawn(parent, card, counts[parent, card], draws, final[order], ways, *sorts)
        counts, orders = made[draws], made_orders[draws]


def _draws(total: Ints, soft: Bools, stands: DealerStands) -> Bools:
    """Whether the dealer draws, as `cards.Rules.dealer_draws` decides for one hand."""
    draws: Bools = (total < 17) | ((total == 17) & soft & (stands is DealerStands.HARD17))
    return draws


def _ends(total: Ints, cards: int) -> Ints:
    """The ends of dealer's hands of a number of cards, all of which stand or are bust."""
    ends: Ints = np.where(total > LIMIT, BUST, np.maximum(total - 17, 0))
    return np.where((total == LIMIT) & (cards == 2), NATURAL, ends)
