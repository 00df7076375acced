"""Basic strategy for any rules with a dealer: the best chart, computed once and kept in the cache."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from cards import Rules
from twentyone.exact import cache
from twentyone.exact.best.chart import best_chart
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import SeatGame, alone, seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.decisions import fresh
from twentyone.policies.hands import HANDS, UPCARDS

_CODES: Final = ("", *ENTRIES)
"""The entries by their numbers in the cache; the first is for a row that the chart does not have."""

_FIELDS: Final = (
    "decks",
    "ace",
    "dealer-stands",
    "naturals",
    "double",
    "double-after-split",
    "split",
    "split-aces",
    "surrender",
    "hole-card",
)
"""The fields of the rules that a chart depends on."""


@lru_cache(maxsize=64)
def basic_chart(rules: Rules) -> Chart:
    """Basic strategy for rules with a dealer; for a shoe that is kept, that of a fresh one.

    The first time for given rules it takes up to two seconds.

    Raises:
        NoExactFormError: for rules without a dealer.
    """
    name = _name(rules)
    codes = cache.load(name, (len(HANDS), len(UPCARDS)))
    if codes is None or not _is_valid(codes):
        codes = _codes_of(best_chart(seat_game(alone(rules))).chart)
        cache.keep(name, codes)
    rows = {
        hand: tuple(_CODES[code] for code in row)
        for hand, row in zip(HANDS, codes.astype(np.int64).tolist(), strict=True)
        if all(row)
    }
    return Chart("basic", rows, fresh(rules))


def _name(rules: Rules) -> str:
    """The name under which the chart is kept."""
    return f"chart-{fields_text(rules)}"


def fields_text(rules: Rules) -> str:
    """The fields that play with a fresh shoe depends on, for a name in the cache."""
    fields = rules.fields() | rules.new_fields()
    return "-".join(fields[field].replace(":", "to") for field in _FIELDS)


def shoe_name(game: SeatGame) -> str:
    """The part of a name in the cache for a shoe that is not that of the rules."""
    if game.shoe == Shoe.of(game.rules):
        return ""
    return "-" + "-".join(map(str, game.shoe.counts))


def _codes_of(chart: Chart) -> Floats:
    """(52, 10): the entries as numbers."""
    empty = ("",) * len(UPCARDS)
    return np.array(
        [[_CODES.index(entry) for entry in chart.rows.get(hand, empty)] for hand in HANDS], dtype=np.float64
    )


def _is_valid(codes: Floats) -> bool:
    return bool(((codes >= 0) & (codes < len(_CODES)) & (codes == codes.round())).all())
