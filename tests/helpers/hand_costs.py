"""The costs of decisions at a table of HIT and STAND, by all of its hands at once."""

from __future__ import annotations

import numpy as np

from cards import Rules
from twentyone.exact import solving
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.tables import TableGame


def hand_costs(rules: Rules) -> tuple[TableGame, Floats]:
    """The game, and by hand, upcard and action, HIT (0) or STAND (1), the cost against the best chart."""
    game = solving.game_for(rules)
    values = game.values(game.plan(solving.solve(rules).policy))
    return game, np.stack([values.followed - values.hit, values.followed - game.stand], axis=2)
