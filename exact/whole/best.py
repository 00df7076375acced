"""The best total-dependent chart, found against one upcard at a time, and a bound of what any can be worth.

What a chart is worth is linear in each of its entries: the value of changing one is the sum over the hands
that it decides, of the chance to reach each of them times the value of the other decision less that of its
own. So entries are changed as long as that is worth something. This ends with a chart that no change of one
entry makes better. Nobody can do better than to decide each hand by its own cards, so that is the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Surrender
from exact.hands import Bools, Floats
from exact.whole.charts import ACTIONS, TOTALS, Plan, cells_of, evaluate, pair_word, plan_of, resolved
from exact.whole.game import FIRST, UPCARDS, First, Values, WholeGame
from exact.whole.hands import DOUBLE
from exact.whole.splits import MOST_HIT
from exact.whole.upcard import Play
from policies.chart import ENTRIES, Chart
from policies.hands import HARD, PAIRS

_LEAST_GAIN: Final = 1e-13
"""Initial bets: a smaller gain is a rounding error."""

_TOTAL_ENTRIES: Final = ("S", "H", "Ds", "Dh", "Rs", "Rh")
"""The entries of totals, the plainer before the others."""

_MOST_CHANGES: Final = 1000
"""Changes of a column of a chart: each makes it better, and far fewer are needed."""


class BestChart(NamedTuple):
    """The best chart that was found.

    Attributes:
        chart: the chart.
        values: what it is worth.
        bound: what no chart is worth more than, with the same insurance.
        proved: whether it is proved best, since its value reaches the bound.
    """

    chart: Chart
    values: Values
    bound: float
    proved: bool
