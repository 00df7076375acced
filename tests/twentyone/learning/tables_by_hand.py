"""Tables by hand that play as a chart does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from cards import PRESETS, EveryRound, Rules
from twentyone.exact.best.chart import best_chart
from twentyone.exact.report.blocks import entries_of
from twentyone.exact.values.game import seat_game
from twentyone.policies.action_values import ActionValues, Origin, Row, of_rows
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.hand_charts import hands_under
from twentyone.policies.hands import UPCARDS

EUROPE = replace(PRESETS["europe"], decks=None, reshuffle=EveryRound())  # its values take the least time


def table_like(chart: Chart, rules: Rules) -> ActionValues:
    """A table whose values have the order of what a chart does."""
    rows = {
        (hand, upcard): {decision: Row(0.5 - place / 8, 1) for place, decision in enumerate(ENTRIES[entry])}
        for hand in hands_under(rules)
        for upcard, entry in zip(UPCARDS, entries_of(chart, hand), strict=True)
    }
    return of_rows(rows, Origin(rules, "", 0))


@cache
def best_table() -> ActionValues:
    """The table of the best chart of `EUROPE`."""
    return table_like(best_chart(seat_game(EUROPE)).chart, EUROPE)
