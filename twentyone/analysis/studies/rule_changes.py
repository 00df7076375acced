"""The value of each rule: the house edge with one field of the rules changed at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from cards import (
    Ace,
    DealerStands,
    Double,
    HoleCard,
    Naturals,
    Rules,
    RulesError,
    SplitAces,
    Surrender,
    rules_from,
)
from cards.rules import MAX_DECKS, MAX_HANDS
from twentyone.exact import cache
from twentyone.exact.best.basic import fields_text, shoe_name
from twentyone.exact.values.game import NoExactFormError, SeatGame, checked_shoe
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.decisions import fresh

_YES_OR_NO: Final = ("no", "yes")

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "decks": (*map(str, range(1, MAX_DECKS + 1)), "inf"),
    "ace": tuple(each.value for each in Ace),
    "dealer-stands": tuple(each.value for each in DealerStands),
    "naturals": tuple(each.value for each in Naturals),
    "double": tuple(each.value for each in Double),
    "double-after-split": _YES_OR_NO,
    "split": tuple(map(str, range(1, MAX_HANDS + 1))),
    "split-aces": tuple(each.value for each in SplitAces),
    "surrender": tuple(each.value for each in Surrender),
    "insurance": _YES_OR_NO,
    "hole-card": tuple(each.value for each in HoleCard),
}
"""The fields that make a difference to a fresh shoe, and all values that each of them may have."""

FOLLOWS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("double", "none"): {"double-after-split": "no"},
    ("split", "1"): {"double-after-split": "no", "split-aces": "once"},
    ("hole-card", "last"): {"surrender": "none"},
    ("hole-card", "obo"): {"surrender": "none"},
    ("surrender", "late"): {"hole-card": "peek"},
}
"""The other fields that must change with a field, where it would make no sense alone."""


class Change(NamedTuple):
    """Rules with one field changed.

    Attributes:
        field: the field, by the name of its option.
        value: its value.
        rules: the rules.
        is_given: whether this is the value that it has.
        others: what else had to change.
    """

    field: str
    value: str
    rules: Rules
    is_given: bool
    others: Mapping[str, str]


class Edge(NamedTuple):
    """The house edge after a change, and the difference, both in initial bets per round.

    Attributes:
        change: the change.
        edge: the house edge: what the best play loses, with a fresh shoe every round.
        difference: less that of the rules as they are given.
    """

    change: Change
    edge: float
    difference: float

    def as_json(self) -> dict[str, Any]:
        """The keys that the help of `analysis solve` lists."""
        change = self.change
        return {
            "field": change.field,
            "value": change.value,
            "others": dict(change.others),
            "given": change.is_given,
            "house_edge": self.edge,
            "difference": self.difference,
        }


def changes_of(rules: Rules, shoe: Shoe | None = None) -> list[Change]:
    """The rules that differ in one field at most, and in what must change with it, field by field.

    What makes no sense is left out, and so is that for which the shoe could run out in a round.

    Args:
        rules: the rules, with a dealer.
        shoe: the cards, if they are not those of the rules; the number of decks means nothing then.
    """
    given = fresh(rules)
    texts = {**given.new_fields(), **given.fields()}
    changes = []
    for field, values in VALUES.items():
        for value in values:
            if not (shoe is not None and field == "decks"):
                found = _changed(texts, field, value)
                changes += [] if found is None or not _is_enough(found.rules, shoe) else [found]
    return changes


def _changed(texts: Mapping[str, str], field: str, value: str) -> Change | None:
    """The change, with what must follow it if it makes no sense alone; None if it never does."""
    follows = FOLLOWS.get((field, value), {})
    others = {name: text for name, text in follows.items() if texts[name] != text}
    for extra in ({}, others):
        try:
            rules = rules_from({**texts, field: value, **extra})
        except RulesError:
            continue
        return Change(field, value, rules, value == texts[field], extra)
    return None


def _is_enough(rules: Rules, shoe: Shoe | None) -> bool:
    """Whether the shoe cannot run out in a round."""
    try:
        checked_shoe(rules, shoe)
    except NoExactFormError:
        return False
    return True


def edges_of(rules: Rules, changes: list[Change], shoe: Shoe | None = None) -> Iterator[Edge]:
    """The house edge under each change, one after the other; each is kept in the user's cache.

    Args:
        rules: the rules, with a dealer.
        changes: from `changes_of`.
        shoe: the cards, if they are not those of the rules.
    """
    base = _edge(fresh(rules), shoe)
    for change in changes:
        edge = base if change.is_given else _edge(change.rules, shoe)
        yield Edge(change, edge, edge - base)


def _edge(rules: Rules, shoe: Shoe | None) -> float:
    # A game for itself: `seat_game` would keep tens of megabytes of each.
    game = SeatGame(rules, checked_shoe(rules, shoe))
    name = f"edge-{fields_text(rules)}-{'insured' if rules.insurance else 'alone'}{shoe_name(game)}"
    kept = cache.load(name, (1,))
    if kept is None:
        kept = np.array([-game.best_play().value])
        cache.keep(name, kept)
    return float(kept[0])


def in_order(edges: list[Edge]) -> list[Edge]:
    """Those of each field from the best for the player on."""
    order = [*VALUES]
    return sorted(edges, key=lambda each: (order.index(each.change.field), each.edge))
