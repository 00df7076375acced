"""Hypothesis strategies for `cards`, and brute force to compare it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from cards import (
    CARDS,
    PRESETS,
    Ace,
    Card,
    Cutoff,
    DealerStands,
    EveryRound,
    Naturals,
    Penetration,
    Reshuffle,
    Rules,
)

any_card = st.sampled_from(CARDS)
hands_of_cards = st.lists(any_card, max_size=12)
seeds = st.integers(0, 2**32)


def all_totals(cards: Sequence[Card], ace: Ace) -> set[int]:
    """Every total that the aces allow, by trying every value of each ace."""
    counts = {Ace.ONE: (1,), Ace.ELEVEN: (11,), Ace.EITHER: (1, 11)}[ace]
    choices = [counts if card.is_ace else (card.points,) for card in cards]
    return {sum(choice) for choice in product(*choices)}


def total_by_force(cards: Sequence[Card], ace: Ace) -> int:
    """The largest total not over 21, or the smallest if all are over 21."""
    totals = all_totals(cards, ace)
    return max((total for total in totals if total <= 21), default=min(totals))


def is_soft_by_force(cards: Sequence[Card], ace: Ace) -> bool:
    """Whether a smaller total is possible: an ace counts 11 in this one, and could count 1."""
    return total_by_force(cards, ace) > min(all_totals(cards, ace))


UNPAID = (Naturals.EQUAL, Naturals.BEAT, Naturals.PLAYER)
"""What a natural is worth where it is paid like any other hand: in games of HIT and STAND."""

SIMPLE_PRESETS = [rules for rules in PRESETS.values() if not rules.is_whole]


@st.composite
def reshuffles(draw: st.DrawFn, decks: int | None) -> Reshuffle:
    """A reshuffle rule that fits a number of decks."""
    if decks is None:
        return EveryRound()
    return draw(
        st.one_of(
            st.just(EveryRound()),
            st.integers(1, 52 * decks).map(Cutoff),
            st.floats(0, 1, exclude_min=True, exclude_max=True).map(Penetration),
        )
    )


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules of a game of HIT and STAND: any of its presets, with any of its other fields changed."""
    preset = draw(st.sampled_from(SIMPLE_PRESETS))
    decks = draw(st.none() | st.integers(1, 8))
    return replace(
        preset,
        decks=decks,
        reshuffle=draw(reshuffles(decks)),
        ace=draw(st.sampled_from(Ace)),
        dealer_stands=draw(st.sampled_from(DealerStands)) if preset.has_dealer else None,
        naturals=draw(st.sampled_from(UNPAID if preset.has_dealer else UNPAID[:2])),
        seats=draw(st.integers(1 if preset.has_dealer else 2, 9)),
    )
