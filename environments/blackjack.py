"""One seat against a dealer, round by round, as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Unpack

import gymnasium
import numpy as np
from gymnasium import logger
from gymnasium.error import ResetNeeded

from cards import Round, Rules, Shoe, shoe_for
from environments.chance import CountedRandom, key_of
from environments.view import (
    Fields,
    Seen,
    action_mask,
    action_space,
    decision_of,
    decisions_under,
    drawn,
    observation_space,
    rules_for,
    seen,
    verify_allowed,
    whole_seen,
)
from policies.policy import observation

UNKNOWN: Final = -1
"""The seed that Gymnasium reports for a `np_random` that was set."""


class BlackjackEnv(gymnasium.Env[Seen, int]):
    """Blackjack under any rules of this project; an episode is a round.

    Actions: 0 is HIT and 1 is STAND. **Gymnasium's own Blackjack-v1 numbers them the other way round.**

    Observation: `(total, upcard, soft)`. The total is 2 to 21 while the round is open, and up to 32 when it
    is over. (With aces that always count 11, two aces are 22 as dealt, and any action ends the round.) The
    upcard is 2 to 11, where 11 is an ace. Soft is 1 if an ace counts 11 and could still count 1, else 0.

    Reward: the payoff in initial bets when the round is over, +1, 0 or -1, and 0 before.

    `info`, when the round is over: `outcome` ("WIN", "LOSE", "PUSH" or "BUST") and `dealer_total`, the total
    of the dealer's cards; after a bust the dealer has not drawn. Before that it is empty.

    Under rules with more than HIT and STAND it plays the whole game, and one unit is bet:

    - Actions: also 2 DOUBLE, 3 SPLIT, 4 SURRENDER and 5 INSURE. `info["action_mask"]`, int8 (6,), says which
      are allowed: `action_space.sample(info["action_mask"])` is one of them. Any other raises a ValueError,
      and changes nothing. STAND is always allowed: it declines insurance, and surrender before the peek; and
      where nothing is asked, because the cards as dealt decide, it ends the round.
    - Observation: `(total, upcard, soft, pair, hands, question)`, of the hand that is asked about or, when
      the round is over, was last: also the points, 1 to 10 (an ace is 1), of a pair that may be split, else
      0; how many hands the player has; and what is asked: 0 play, 1 insurance, 2 surrender before the peek,
      where a pair counts as one that may be split if it may be later.
    - Reward: the payoff of all hands and of the insurance. The outcome may be "SURRENDER".

    `reset(seed=)` starts with a fresh shoe, and from there the same seed always deals the same cards. So does
    the first `reset()` after `np_random` was set. Any other `reset()` goes on with the shoe, by the rules. An
    open round is abandoned without a payoff. A copy, by `copy.deepcopy` or by `pickle`, goes on with the same
    cards, independently. The rules are played by `cards.Round`.

    Args:
        rules: a preset with a dealer (course, study, devs, casino, vegas, reno or europe), or rules.
        render_mode: None, or "ansi": `render()` returns the cards as text.
        fields: fields of the rules to change, see `environments.view.Fields`.

    Raises:
        RulesError: for invalid rules, and for rules without a dealer or with bets.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]  # theirs is no ClassVar

    def __init__(
        self, rules: str | Rules = "course", *, render_mode: str | None = None, **fields: Unpack[Fields]
    ) -> None:
        self.rules = rules_for(rules, fields)
        self.observation_space = observation_space(self.rules)
        self.action_space = action_space(self.rules)
        self.render_mode = render_mode
        self._decisions = decisions_under(self.rules)
        self._shoe: Shoe | None = None
        self._dealt_by: np.random.Generator | None = None
        self._round: Round | None = None
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal a round; with a seed, from a fresh shoe. The options are ignored."""
        super().reset(seed=seed)
        if self._shoe is None or self._dealt_by is not self.np_random:  # a seed replaces it
            self._shoe = shoe_for(self.rules, CountedRandom(self._key()))
            self._dealt_by = self.np_random
        self._round = Round(self.rules, self._shoe)
        self._round.deal()
        self._is_over = False
        return self._seen(self._round), self._info(self._round)

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Hit (0), stand (1) and, in the whole game, double (2), split (3), surrender (4) or insure (5).

        Raises:
            ValueError: for any other action, and one that is not allowed now.
            ResetNeeded: if no round is open.
        """
        decision = decision_of(action, self._decisions)
        game = self._round
        if game is None or self._is_over:
            raise ResetNeeded("no round is open: call reset() before step()")
        if game.rules.is_whole:
            verify_allowed(decision, game.options)
        if game.turn is not None:  # what is settled as dealt is not decided on
            game.decide(0, decision)
        outcome = game.outcomes[0]
        if outcome is None:
            return self._seen(game), 0.0, False, False, self._info(game)
        self._is_over = True
        payoff = game.payoffs[0]
        assert payoff is not None and game.dealer is not None
        info = {"outcome": outcome.value, "dealer_total": game.dealer.total} | self._info(game)
        return self._seen(game), float(payoff), True, False, info

    def render(self) -> str | None:
        """The cards as text if the render mode is "ansi"; all the dealer's cards once the round is over."""
        if self.render_mode is None:
            logger.warn('render() shows nothing without a mode: expected make(..., render_mode="ansi")')
            return None
        if self._round is None:
            raise ResetNeeded("no round has been dealt: call reset() before render()")
        game = self._round
        outcome, payoff = game.outcomes[0], game.payoffs[0]
        assert game.dealer is not None
        hands = [played.hand for played in game.hands_of(0)]
        if not self._is_over or outcome is None or payoff is None:
            return drawn(hands, game.dealer.cards[:1])
        return drawn(hands, game.dealer.cards, (outcome, payoff))

    def _key(self) -> int:
        """The key of the seed, or one drawn from `np_random` if that was set and has no seed."""
        seed = self.np_random_seed
        return int(self.np_random.integers(0, 2**64, dtype=np.uint64)) if seed == UNKNOWN else key_of(seed)

    @staticmethod
    def _seen(game: Round) -> Seen:
        if game.rules.is_whole:
            return whole_seen(observation(game, 0), len(game.hands_of(0)))
        assert game.upcard is not None
        return seen(game.hands[0], game.upcard)

    @staticmethod
    def _info(game: Round) -> dict[str, Any]:
        """What is allowed, in the whole game."""
        return {"action_mask": action_mask(game.options)} if game.rules.is_whole else {}
