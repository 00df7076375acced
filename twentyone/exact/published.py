"""Basic strategy as it is published, and the entries in which the best chart differs from it.

Each of the presets `vegas`, `reno` and `europe` has two published charts, of its own rules or of rules that
allow more, so that the entries say what to do without. Charts are compared by what they play, not by their
letters: `Ph` is `P` where a split hand may be doubled, and `Dh` is `H` where doubling is not allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from cards import PRESETS, Rules
from twentyone.exact.report.blocks import entries_of
from twentyone.policies.chart import Chart, from_text, policy_of
from twentyone.policies.hand_charts import hands_under, situations
from twentyone.policies.hands import UPCARDS

SIX_DECKS: Final = """
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
"""4 to 8 decks, the dealer stands on every 17, looks for a natural, and takes a late surrender."""

ONE_DECK: Final = """
H7 H H H H H H H H H H
H8 H H H Dh Dh H H H H H
H9 Dh Dh Dh Dh Dh H H H H H
H10 Dh Dh Dh Dh Dh Dh Dh Dh H H
H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
H12 H H S S S H H H H H
H13 S S S S S H H H H H
H14 S S S S S H H H H H
H15 S S S S S H H H H Rh
H16 S S S S S H H H Rh Rh
H17 S S S S S S S S S Rs
H18 S S S S S S S S S S
S13 H H Dh Dh Dh H H H H H
S14 H H Dh Dh Dh H H H H H
S15 H H Dh Dh Dh H H H H H
S16 H H Dh Dh Dh H H H H H
S17 Dh Dh Dh Dh Dh H H H H H
S18 S Ds Ds Ds Ds S S H H H
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
"""1 deck, the dealer hits soft 17, looks for a natural, and takes a late surrender. The chart that it is from
splits two nines against an ace where split hands may be doubled, for which there is no entry here."""

Changes = Mapping[str, Mapping[int, str]]
"""Entries that are others: by hand, then by upcard."""

HARD17: Final[Changes] = {
    "H11": {11: "Dh"},
    "H15": {11: "Rh"},
    "H17": {11: "Rs"},
    "S18": {2: "Ds"},
    "S19": {6: "Ds"},
    "P8": {11: "Rp"},
}
"""Entries of `SIX_DECKS` where the dealer hits soft 17."""

NO_HOLE_CARD: Final[Changes] = {"H11": {10: "H", 11: "H"}, "PA": {11: "H"}, "P8": {10: "H", 11: "H"}}
"""Entries of `SIX_DECKS` where the dealer's natural is found last and takes every stake: no more is staked
against a ten or an ace, except to split aces against a ten."""

_NEITHER: Final[Changes] = {
    "H15": {11: "H"},
    "H16": {10: "H", 11: "H"},
    "H17": {11: "S"},
    "P2": {2: "H"},
    "P3": {2: "H", 3: "H", 8: "H"},
    "P4": {4: "H", 5: "Dh", 6: "Dh"},
    "P6": {7: "H"},
    "P7": {8: "H", 10: "S", 11: "H"},
}
"""Entries of `ONE_DECK` without surrender, and without doubling after a split."""


class Published(NamedTuple):
    """A published chart.

    Attributes:
        source: who publishes it, and under which name.
        rules: the rules that it is for, in words.
        otherwise: how these differ from the preset's; "" if they do not.
        chart: the chart.
    """

    source: str
    rules: str
    otherwise: str
    chart: Chart


class Difference(NamedTuple):
    """An entry of a published chart that plays a hand otherwise than the best one does.

    Attributes:
        hand: the word of the hand.
        upcard: the upcard, 2 to 11.
        entry: that of the best chart.
        published: that of the published one.
        reason: why it is another, in a sentence or two.
    """

    hand: str
    upcard: int
    entry: str
    published: str
    reason: str


LATER_HANDS: Final = (
    "A first hand is given up, so without surrender this entry is for hands of three cards and more. These"
    " hold low cards, which are then missing from the shoe, so that standing is slightly better."
    " BlackjackInfo's charts print Rs too."
)
"""The reason for `Rs` in place of `Rh`."""

OTHER_REASON: Final = "By the exact values of these rules the entry of this chart is better."


@cache
def published_for(rules: Rules) -> tuple[Published, ...]:
    """The published charts for some rules, however often these shuffle; none for most rules."""
    for preset, charts in _charts().items():
        if replace(PRESETS[preset], reshuffle=rules.reshuffle).plays_like(rules):
            return charts
    return ()


@cache
def _charts() -> Mapping[str, tuple[Published, ...]]:
    """The published charts by preset."""
    any_cards = "any two cards may be doubled there"
    six, one = from_text(SIX_DECKS, "six decks"), from_text(ONE_DECK, "one deck")
    six_hard17, no_hole_card = changed(six, HARD17), changed(six, NO_HOLE_CARD)
    return {
        "vegas": (
            Published("Wizard of Odds", "4 to 8 decks, dealer hits soft 17", "", six_hard17),
            Published("Blackjack Apprenticeship", "H17 basic strategy, 2024", "", six_hard17),
        ),
        "reno": (
            Published("Wizard of Odds", "1 deck, dealer hits soft 17", any_cards, one),
            Published(
                "FAQ of rec.gambling.blackjack, B10",
                "1 deck, no doubling after a split",
                any_cards,
                changed(one, _NEITHER),
            ),
        ),
        "europe": (
            Published(
                "BlackjackInfo",
                "6 decks, dealer stands on soft 17, no peek",
                any_cards,
                no_hole_card,
            ),
            Published(
                "Wikipedia, Blackjack",
                "3 decks and more, dealer stands on soft 17, no hole card",
                any_cards,
                no_hole_card,
            ),
        ),
    }


def changed(chart: Chart, *changes: Changes) -> Chart:
    """A chart with some other entries."""
    rows = dict(chart.rows)
    for change in changes:
        for hand, entries in change.items():
            row = rows.get(hand, ("H",) * len(UPCARDS))  # below the first row all hit
            rows[hand] = tuple(entries.get(upcard, entry) for upcard, entry in zip(UPCARDS, row, strict=True))
    return Chart(chart.name, rows)


def differences(best: Chart, published: Chart, rules: Rules) -> list[Difference]:
    """The entries by which some hand is played otherwise than by the best chart.

    Args:
        best: the best chart.
        published: the published one.
        rules: what is played by both. Hands without a row in the published chart are left out.
    """
    ours, theirs = policy_of(best, rules), policy_of(published, rules)
    found = []
    for hand in hands_under(rules):
        if hand not in published.rows:
            continue
        for upcard in UPCARDS:
            if any(ours(seen) != theirs(seen) for seen in situations(hand, upcard, rules)):
                at = upcard - UPCARDS[0]
                entry, other = (entries_of(each, hand, rules.ace)[at] for each in (best, published))
                reason = LATER_HANDS if (entry, other) == ("Rs", "Rh") else OTHER_REASON
                found.append(Difference(hand, upcard, entry, other, reason))
    return found
