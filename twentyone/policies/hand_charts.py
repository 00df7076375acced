"""Policies written as charts: the same decisions in the notation of players, where that is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cards import Ace, Decision, Rules, asking
from cards.asking import IN_PLAY, MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.hands import HARD, PAIRS, SOFT, UPCARDS
from twentyone.policies.policy import Observation, Policy

_SPLIT: Final = Decision.SPLIT

LEAST: Final = {Ace.EITHER: 4, Ace.ONE: 2, Ace.ELEVEN: 4}
"""The lowest hard total, of two cards, by what an ace counts."""


def hand_chart(policy: Policy, rules: Rules, name: str) -> Chart | None:
    """The chart that decides as a policy does, or None if there is none.

    Every hand and upcard that can come is shown to the policy with everything that may then be allowed.

    Args:
        policy: a policy that leaves nothing to chance.
        rules: what is played, against a dealer.
        name: what the chart is called.
    """
    rows: dict[str, tuple[str, ...]] = {}
    for hand in hands_under(rules):
        entries = [_entry(policy, rules, [*situations(hand, upcard, rules)]) for upcard in UPCARDS]
        if None in entries:
            return None
        rows[hand] = tuple(entry for entry in entries if entry is not None)
    return Chart(name, rows, rules)


def hands_under(rules: Rules) -> list[str]:
    """The words of the hands that a chart needs (`twentyone.policies.hands`)."""
    soft = SOFT if rules.ace is Ace.EITHER else SOFT[-1:]  # a chart has a row for soft hands, if none comes
    pairs = () if rules.split == 1 else PAIRS if rules.ace is not Ace.ELEVEN else PAIRS[1:]
    return [*(word for word in HARD if int(word[1:]) >= LEAST[rules.ace]), *soft, *pairs]


def situations(hand: str, upcard: int, rules: Rules) -> Iterator[Observation]:
    """The observations of a seat that is asked about a hand."""
    seen = seen_as(hand, upcard, rules.ace)
    points = asking.ACE if upcard == 11 else upcard
    if asking.offers_early_surrender(rules, points):
        yield seen._replace(options=asking.SURRENDER_OR_NOT)
    if asking.offers_insurance(rules, points) and not seen.pair:
        yield seen._replace(options=asking.INSURE_OR_NOT)
    first = MAY_SURRENDER * asking.may_surrender(rules, points) + MAY_SPLIT * bool(seen.pair)
    yield seen._replace(options=IN_PLAY[first + _doubling(rules, seen, 2)])
    for options in _later(seen, rules):
        yield seen._replace(options=options)


def _later(seen: Observation, rules: Rules) -> Iterator[tuple[Decision, ...]]:
    """The options that there may be after the first decision."""
    if seen.pair:
        if asking.may_split(rules, seen.pair, 2, is_split=True):
            after_split = IN_PLAY[MAY_SPLIT + _doubling(rules, seen, 2, is_split=True)]
            yield after_split if asking.is_played(rules, seen.pair) else asking.STAND_OR_SPLIT
        return
    yield IN_PLAY[_doubling(rules, seen, 3)]
    if rules.split > 1:
        yield IN_PLAY[_doubling(rules, seen, 2, is_split=True)]
        yield IN_PLAY[_doubling(rules, seen, 3, is_split=True)]


def _doubling(rules: Rules, seen: Observation, cards: int, *, is_split: bool = False) -> int:
    return MAY_DOUBLE * asking.may_double(rules, seen.total, cards, is_split=is_split)


def seen_as(hand: str, upcard: int, ace: Ace) -> Observation:
    """The observation of a hand, by its word, that is asked to hit or stand."""
    kind, text = hand[0], hand[1:]
    if hand == "PA":
        return Observation(12 if ace is Ace.EITHER else 2, ace is Ace.EITHER, upcard, 1)
    if kind == "P":
        return Observation(2 * int(text), False, upcard, int(text))
    return Observation(int(text), kind == "S", upcard)


def _entry(policy: Policy, rules: Rules, cell: list[Observation]) -> str | None:
    """The entry that decides as the policy does whatever is allowed."""
    decisions = [policy(seen) for seen in cell]
    for entry, chart in OF_ONE_ENTRY.items():
        is_fit = bool(cell[0].pair) or _SPLIT not in ENTRIES[entry]
        if is_fit and decisions == [chart.decide(seen, rules) for seen in cell]:
            return entry
    return None


OF_ONE_ENTRY: Final = {
    entry: Chart(entry, {"H21": (entry,) * len(UPCARDS), "S21": (entry,) * len(UPCARDS)}) for entry in ENTRIES
}
"""A chart for each entry that has it everywhere."""
