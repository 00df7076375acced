"""The two values that play under some rules is compared with, in initial bets per round.

The best chart sees the total of its hand, whether it is soft, whether it is a pair, and the upcard. The best
play sees every card of its hand, and the upcard.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from cards import Rules
from twentyone.exact import cache
from twentyone.exact.best.basic import fields_text, shoe_name
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.values.game import SeatGame, Values
from twentyone.policies.decisions import fresh

BEST_CHART: Final = "best chart"
BEST_PLAY: Final = "best play"
"""The names of the yardsticks."""

SEES: Final = {
    BEST_CHART: "which goes by the total, the pair and the upcard",
    BEST_PLAY: "which sees every card of its hand",
}
"""Their difference, in a sentence about one of them."""


class Yardsticks(NamedTuple):
    """The values, with a fresh shoe every round and with insurance where it pays.

    Attributes:
        best_chart: that of the best chart; of the best that was found, if it is not proved.
        proved: whether no chart is better.
        bound: no chart is worth more.
        best_play: that of the best play.
    """

    best_chart: float
    proved: bool
    bound: float
    best_play: float

    @classmethod
    def of(cls, best: BestChart, play: Values) -> Yardsticks:
        """Those of the best chart and the best play of a game."""
        return cls(best.values.value, best.proved, best.bound, play.value)

    @property
    def chart_name(self) -> str:
        """The best chart's name: only a proof makes it the best one."""
        return f"{BEST_CHART}{'' if self.proved else ' found'}"

    def values(self) -> list[tuple[str, float]]:
        """The values by their names, and the bound if it is needed."""
        bound = [] if self.proved else [("no chart is worth more than", self.bound)]
        return [(self.chart_name, self.best_chart), *bound, (BEST_PLAY, self.best_play)]

    def rows(self) -> list[tuple[str, str]]:
        """The same as text."""
        return [(name, f"{value:+z.10f}") for name, value in self.values()]

    def as_json(self) -> dict[str, Any]:
        """Keys of a document."""
        return self._asdict()


def note_of(rules: Rules) -> str:
    """A line about exact values that stand for a shoe which is kept over rounds; empty for other rules."""
    is_kept = rules != fresh(rules)
    return "\nThe exact values are those of a shoe that is fresh every round." if is_kept else ""


def yardsticks_of(game: SeatGame) -> Yardsticks:
    """The yardsticks of a game, kept in the user's cache: they take up to two seconds where pairs split."""
    insured = "insured-" if game.rules.insurance else ""
    name = f"yardsticks-{insured}{fields_text(game.rules)}{shoe_name(game)}"
    kept = cache.load(name, (len(Yardsticks._fields),))
    if kept is not None:
        chart, proved, bound, play = kept.tolist()
        return Yardsticks(chart, bool(proved), bound, play)
    found = Yardsticks.of(best_chart(game), game.best_play())
    cache.keep(name, np.array(found, dtype=np.float64))
    return found
