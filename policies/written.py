"""Policies written as charts: the same decisions in the notation of players, where that is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cards import HIT_OR_STAND, Ace, Decision, Double, HoleCard, Rules, SplitAces, Surrender
from policies.chart import ENTRIES, Chart
from policies.hands import HARD, PAIRS, SOFT, UPCARDS
from policies.policy import Observation, Policy

_DOUBLE, _SPLIT, _SURRENDER = Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER

LEAST: Final = {Ace.EITHER: 4, Ace.ONE: 2, Ace.ELEVEN: 4}
"""The lowest hard total, of two cards, by what an ace counts."""


def written(policy: Policy, rules: Rules, name: str) -> Chart | None:
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
    """The words of the hands that a chart needs (`policies.hands`)."""
    soft = SOFT if rules.ace is Ace.EITHER else SOFT[-1:]  # a chart has a row for soft hands, if none comes
    pairs = () if rules.split == 1 else PAIRS if rules.ace is not Ace.ELEVEN else PAIRS[1:]
    return [*(word for word in HARD if int(word[1:]) >= LEAST[rules.ace]), *soft, *pairs]


def situations(hand: str, upcard: int, rules: Rules) -> Iterator[Observation]:
    """What a seat sees whenever it is asked about a hand."""
    seen = seen_as(hand, upcard, rules.ace)
    gives_up_first = (
        rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.PEEK and upcard in (10, 11)
    )
    if gives_up_first:
        yield seen._replace(options=(_SURRENDER, Decision.DECLINE))
    if rules.insurance and upcard == 11 and not seen.pair:
        yield seen._replace(options=(Decision.INSURE, Decision.DECLINE))
    may_double = rules.double is not Double.NONE and (
        rules.double.totals is None or seen.total in rules.double.totals
    )
    may_surrender = rules.surrender is not Surrender.NONE and not gives_up_first
    yield seen._replace(options=_options(may_double, bool(seen.pair), may_surrender))
    for options in _later(seen, rules, may_double):
        yield seen._replace(options=options)


def _later(seen: Observation, rules: Rules, may_double: bool) -> Iterator[tuple[Decision, ...]]:
    """What may be allowed after the first decision."""
    after_split = may_double and rules.double_after_split
    if seen.pair == 1 and rules.split_aces is not SplitAces.PLAY:
        if rules.split > 2 and rules.split_aces is SplitAces.AGAIN:
            yield Decision.STAND, _SPLIT
    elif seen.pair:
        if rules.split > 2:
            yield _options(after_split, True, False)
    else:
        always = rules.double is Double.ALWAYS
        yield _options(may_double and always)
        if rules.split > 1:
            yield _options(after_split)
            yield _options(after_split and always)


def _options(may_double: bool, may_split: bool = False, may_surrender: bool = False) -> tuple[Decision, ...]:
    more = {_DOUBLE: may_double, _SPLIT: may_split, _SURRENDER: may_surrender}
    return (*HIT_OR_STAND, *(decision for decision, allowed in more.items() if allowed))


def seen_as(hand: str, upcard: int, ace: Ace) -> Observation:
    """What is seen of a hand, by its word, that is asked to hit or stand."""
    kind, text = hand[0], hand[1:]
    if hand == "PA":
        return Observation(12 if ace is Ace.EITHER else 2, ace is Ace.EITHER, upcard, 1)
    if kind == "P":
        return Observation(2 * int(text), False, upcard, int(text))
    return Observation(int(text), kind == "S", upcard)


def _entry(policy: Policy, rules: Rules, cell: list[Observation]) -> str | None:
    """The entry that decides as the policy does whatever is allowed."""
    decisions = [policy(seen) for seen in cell]
    for entry, chart in _OF_ONE_ENTRY.items():
        is_fit = bool(cell[0].pair) or _SPLIT not in ENTRIES[entry]
        if is_fit and decisions == [chart.decide(seen, rules) for seen in cell]:
            return entry
    return None


_OF_ONE_ENTRY: Final = {
    entry: Chart(entry, {"H21": (entry,) * len(UPCARDS), "S21": (entry,) * len(UPCARDS)}) for entry in ENTRIES
}
"""A chart for each entry that has it everywhere."""
