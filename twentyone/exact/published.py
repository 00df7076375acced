"""Basic strategy as it is published: the charts that are known, and where they differ from the best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from cards import PRESETS, DealerStands, HoleCard, Rules, Surrender
from twentyone.exact.report.blocks import entries_of
from twentyone.policies.chart import Chart, from_text, policy_of
from twentyone.policies.hand_charts import hands_under, situations
from twentyone.policies.hands import UPCARDS

# The charts are facts of the game. They stand in Michael Shackleford's pages on basic strategy (Wizard of
# Odds, "4 to 8 decks" and "1 deck", for both rules of soft 17, with surrender), and in Stanford Wong's
# "Professional Blackjack" (1994), tables 3 to 5 and A1 to A5, which agree with them in all that these say.

_SIX_DECKS: Final = """
H8 H H H H H H H H H H
H9 H Dh Dh Dh Dh H H H H H
H10 Dh Dh Dh Dh Dh Dh Dh Dh H H
H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh H
H12 H H S S S H H H H H
H13 S S S S S H H H H H
H14 S S S S S H H H H H
H15 S S S S S H H H Rh H
H16 S S S S S H H Rh Rh Rh
H17 S S S S S S S S S S
H18 S S S S S S S S S S
S13 H H H Dh Dh H H H H H
S14 H H H Dh Dh H H H H H
S15 H H Dh Dh Dh H H H H H
S16 H H Dh Dh Dh H H H H H
S17 H Dh Dh Dh Dh H H H H H
S18 S Ds Ds Ds Ds S S H H H
S19 S S S S S S S S S S
S20 S S S S S S S S S S
PA P P P P P P P P P P
P2 Ph Ph P P P P H H H H
P3 Ph Ph P P P P H H H H
P4 H H H Ph Ph H H H H H
P6 Ph P P P P H H H H H
P7 P P P P P P H H H H
P8 P P P P P P P P P P
P9 P P P P P S P P S S
"""
"""4 to 8 decks, the dealer stands on every 17."""

_ONE_DECK: Final = """
H7 H H H H H H H H H H
H8 H H H Dh Dh H H H H H
H9 Dh Dh Dh Dh Dh H H H H H
H10 Dh Dh Dh Dh Dh Dh Dh Dh H H
H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
H12 H H S S S H H H H H
H13 S S S S S H H H H H
H14 S S S S S H H H H H
H15 S S S S S H H H H H
H16 S S S S S H H H Rh Rh
H17 S S S S S S S S S S
H18 S S S S S S S S S S
S13 H H Dh Dh Dh H H H H H
S14 H H Dh Dh Dh H H H H H
S15 H H Dh Dh Dh H H H H H
S16 H H Dh Dh Dh H H H H H
S17 Dh Dh Dh Dh Dh H H H H H
S18 S Ds Ds Ds Ds S S H H S
S19 S S S S Ds S S S S S
S20 S S S S S S S S S S
PA P P P P P P P P P P
P2 Ph P P P P P H H H H
P3 Ph Ph P P P P Ph H H H
P4 H H Ph Pd Pd H H H H H
P6 P P P P P Ph H H H H
P7 P P P P P P Ph H Rs Rh
P8 P P P P P P P P P P
P9 P P P P P S P P S S
"""
"""1 deck, the dealer stands on every 17."""

Changes = Mapping[str, Mapping[int, str]]
"""Entries that differ: by hand, then by upcard."""

_SIX_DECKS_HARD17: Final[Changes] = {
    "H11": {11: "Dh"},
    "H15": {11: "Rh"},
    "H17": {11: "Rs"},
    "S18": {2: "Ds"},
    "S19": {6: "Ds"},
    "P8": {11: "Rp"},
}
_ONE_DECK_HARD17: Final[Changes] = {"H15": {11: "Rh"}, "H17": {11: "Rs"}, "S18": {11: "H"}}

_NO_PEEK: Final[Changes] = {"H11": {10: "H", 11: "H"}, "PA": {11: "H"}, "P8": {10: "H", 11: "H"}}
"""No more is staked against a ten or an ace where a natural that is found at the end takes every stake."""

_EARLY: Final[Changes] = {
    "H4": {},
    **{f"H{total}": {11: "Rh"} for total in (5, 6, 7, 12, 13)},
    **{f"H{total}": {10: "Rh", 11: "Rh"} for total in (14, 15, 16)},
    "H17": {11: "Rs"},
    "P3": {11: "Rh"},
    "P6": {11: "Rh"},
    "P7": {10: "Rh", 11: "Rh"},
    "P8": {10: "Rp", 11: "Rp"},
}
"""For rules where half the stake may be given up before the dealer looks for a natural."""

_EARLY_NO_PEEK: Final[Changes] = {"P8": {10: "Rh", 11: "Rh"}}


class Known(NamedTuple):
    """A chart that is known.

    Attributes:
        decks: 1, or 6 for 4 to 8.
        hard17: whether the dealer draws on a soft 17.
        peeks: whether a dealer's natural takes no more than the first stake.
        is_early: whether the hand may be given up before the dealer looks for a natural.
    """

    decks: int
    hard17: bool
    peeks: bool
    is_early: bool

    def __str__(self) -> str:
        words = [
            "1 deck" if self.decks == 1 else "6 decks",
            f"dealer {'hits' if self.hard17 else 'stands on'} soft 17",
        ]
        words += [] if self.peeks else ["naturals looked for at the end"]
        words += ["early surrender"] if self.is_early else []
        return ", ".join(words)


def closest(rules: Rules) -> Known:
    """The chart that is closest to some rules: 1 deck, otherwise 6, and the dealer as he is."""
    return Known(
        decks=1 if rules.decks == 1 else 6,
        hard17=rules.dealer_stands is DealerStands.HARD17,
        peeks=rules.hole_card is not HoleCard.LAST,
        is_early=rules.surrender is Surrender.EARLY,
    )


@cache
def chart_of(known: Known) -> Chart:
    """The chart itself."""
    text, hard17 = (_ONE_DECK, _ONE_DECK_HARD17) if known.decks == 1 else (_SIX_DECKS, _SIX_DECKS_HARD17)
    chart = from_text(text, str(known))
    changes = [hard17] if known.hard17 else []
    changes += [] if known.peeks else [_NO_PEEK]
    changes += [_EARLY] if known.is_early else []
    changes += [_EARLY_NO_PEEK] if known.is_early and not known.peeks else []
    return Chart(chart.name, _changed(chart.rows, changes))


def _changed(rows: Mapping[str, tuple[str, ...]], changes: Iterable[Changes]) -> dict[str, tuple[str, ...]]:
    changed = dict(rows)
    for change in changes:
        for hand, entries in change.items():
            row = changed.get(hand, ("H",) * len(UPCARDS))  # below the first row all hit
            changed[hand] = tuple(
                entries.get(upcard, entry) for upcard, entry in zip(UPCARDS, row, strict=True)
            )
    return changed


def published_basic(rules: Rules) -> Chart:
    """The closest chart in the place of basic strategy, which takes seconds to compute for many rules."""
    return chart_of(closest(rules))


SOURCES: Final = "Wizard of Odds; Stanford Wong, Professional Blackjack"
"""The sources of the charts."""

COMPARED: Final = ("vegas", "reno", "europe")
"""The presets whose rules are those of published charts."""

THREE_CARDS: Final = (
    "A first hand of two cards is given up, so without surrender this entry is for three cards and more only."
    " These hold low cards, which are then missing from the shoe, and standing is better by a little."
)
"""The reason why 16 against 10 stands where a book hits."""

_REASONS: Final = {("H16", 10): THREE_CARDS}

OTHER_REASON: Final = "By exact values of these rules this entry is better."


class Difference(NamedTuple):
    """An entry of a published chart that is not that of the best one.

    Attributes:
        hand: the word of the hand.
        upcard: the upcard, 2 to 11.
        entry: that of the best chart.
        published: that of the published one.
        reason: why it is another.
    """

    hand: str
    upcard: int
    entry: str
    published: str
    reason: str


def has_published(rules: Rules) -> bool:
    """Whether there is a published chart of just these rules, apart from when they reshuffle."""
    return any(replace(PRESETS[name], reshuffle=rules.reshuffle).plays_like(rules) for name in COMPARED)


def differences(best: Chart, rules: Rules) -> list[Difference]:
    """The entries by which a hand is played otherwise than by the best chart, where these rules ask.

    Args:
        best: the best chart.
        rules: the rules of both.
    """
    published = published_basic(rules)
    ours, theirs = policy_of(best, rules), policy_of(published, rules)
    found = []
    for hand in hands_under(rules):
        if hand not in published.rows:
            continue
        for upcard in UPCARDS:
            if any(ours(seen) != theirs(seen) for seen in situations(hand, upcard, rules)):
                at = upcard - UPCARDS[0]
                entry, other = (entries_of(each, hand, rules.ace)[at] for each in (best, published))
                reason = _REASONS.get((hand, upcard), OTHER_REASON)
                found.append(Difference(hand, upcard, entry, other, reason))
    return found
