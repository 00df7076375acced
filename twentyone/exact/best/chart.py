"""The best chart: the certificate of each column, put together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from twentyone.exact.best.certificate import Certificate, Column
from twentyone.exact.values.charts import TOTALS, cells_of, evaluate
from twentyone.exact.values.game import UPCARDS, SeatGame, Values
from twentyone.policies.chart import Chart
from twentyone.policies.hands import HARD, PAIRS, SOFT


class BestChart(NamedTuple):
    """The best chart.

    Attributes:
        chart: the chart.
        values: what it is worth.
        bound: what no chart is worth more than, with the same insurance.
        certificates: what proves it, by the index of the upcard.
    """

    chart: Chart
    values: Values
    bound: float
    certificates: Mapping[int, Certificate]

    @property
    def proved(self) -> bool:
        """Whether it is proved best: no entry is in doubt."""
        return not any(each.doubt for each in self.certificates.values())


@lru_cache(maxsize=16)
def best_chart(game: SeatGame) -> BestChart:
    """The best chart, what proves it, and the bound. Equal values mean the plainer entry."""
    certificates = {upcard: Column(game, upcard).best() for upcard in UPCARDS if game.shoe.counts[upcard]}
    found = {upcard: each.column for upcard, each in certificates.items()}
    words = [*TOTALS, *(word for word in PAIRS if any(word in column for column in found.values()))]
    rows = {
        word: tuple(found[upcard].get(word, "H") if upcard in found else "H" for upcard in UPCARDS)
        for word in words
    }
    chart = Chart("basic", _trimmed(game, rows), game.rules)
    values = evaluate(game, chart)
    bound = game.values(lambda upcard: certificates[upcard].bound).value
    return BestChart(chart, values, max(bound, values.value), certificates)


def _trimmed(game: SeatGame, rows: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Without the rows of totals below or above all that hands have; one row of each kind is left."""
    had = {TOTALS[cell] for cell in cells_of(game)[game.hands.size >= 2].tolist()}
    kept = {*PAIRS}
    for kind in (HARD, SOFT):
        found = [number for number, word in enumerate(kind) if word in had] or [len(kind) - 1]
        kept |= {*kind[found[0] : found[-1] + 1]}
    return {word: row for word, row in rows.items() if word in kept}
