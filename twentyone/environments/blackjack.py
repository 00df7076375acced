"""One seat against a dealer, round by round, as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from cards import Round, Rules, Shoe, shoe_for
from twentyone.environments.chance import CountedRandom, key_of
from twentyone.environments.encoding import form_of
from twentyone.environments.rendering import MODES, Rendering
from twentyone.environments.shown import Shown, shown_round
from twentyone.environments.view import (
    DECISIONS,
    Fields,
    action_mask,
    action_space,
    allowed_decision,
    both_allowed,
    decision_of,
    decisions_under,
    mask_as,
    rules_for,
    verify_keywords,
)
from twentyone.policies.observation_tuples import ObservationTuple, as_full_tuple, as_tuple
from twentyone.policies.policy import observation

UNKNOWN: Final = -1
"""The seed that Gymnasium reports for a `np_random` that was set."""


class BlackjackEnv(gymnasium.Env[Any, int]):
    """Blackjack under any rules of this project; an episode is a round.

    Actions: 0 is HIT and 1 is STAND. **Gymnasium's own Blackjack-v1 numbers them the other way round**; with
    `actions="gymnasium"` they are so here too.

    Observation: `(total, upcard, soft)`. The total is 2 to 21 while the round is open, and up to 32 when it
    is over. (With aces that always count 11, two aces are 22 as dealt, and any action ends the round.) The
    upcard is 2 to 11, where 11 is an ace. Soft is 1 if an ace counts 11 and could still count 1, otherwise 0.
    With `observation="discrete"` it is one number instead, and with `"box"` an array: see
    `twentyone.environments.encoding`.

    Reward: the payoff in initial bets when the round is over, +1, 0 or -1, and 0 before.

    `info`: always `action_mask`, int8 (2,), where both are 1; and when the round is over `outcome` ("WIN",
    "LOSE", "PUSH" or "BUST") and `dealer_total`, the total of the dealer's cards; after a bust the dealer has
    not drawn.

    Under rules that ask more than HIT and STAND:

    - Actions: also 2 DOUBLE, 3 SPLIT, 4 SURRENDER and 5 INSURE. `info["action_mask"]`, int8 (6,), says which
      are allowed: `action_space.sample(info["action_mask"])` is one of them. Any other raises a ValueError,
      and changes nothing; with `illegal="stand"` it stands. STAND is always allowed: it declines insurance,
      and surrender before the peek; and where nothing is asked, because the cards as dealt decide, it ends
      the round.
    - Observation: `(total, upcard, soft, pair, hands, question)`, of the hand that is asked about or, when
      the round is over, was last: also the points, 1 to 10 (an ace is 1), of a pair that may be split,
      otherwise 0; how many hands the player has; and what is asked: 0 play, 1 insurance, 2 surrender before
      the peek, where a pair counts as one that may be split if it may be later.
    - Reward: the payoff of all hands and of the insurance. The outcome may be "SURRENDER".

    `reset(seed=)` starts with a fresh shoe, and from there the same seed always deals the same cards. So does
    the first `reset()` after `np_random` was set. Any other `reset()` goes on with the shoe, by the rules. An
    open round is abandoned without a payoff. A copy, by `copy.deepcopy` or by `pickle`, goes on with the same
    cards, independently. The rules are played by `cards.Round`.

    Args:
        rules: a preset with a dealer (course, study, devs, casino, textbook, vegas, reno or europe), or
            rules.
        observation: "tuple", "discrete" or "box".
        actions: "twentyone": 0 is HIT and 1 is STAND; or "gymnasium": 0 sticks and 1 hits, as in
            Blackjack-v1. The others keep their numbers.
        illegal: what an action does that is not allowed: "raise" an exception, or "stand".
        render_mode: None; "ansi": `render()` returns the cards as text; "rgb_array": it returns the table as
            the browser page draws it, uint8 (620, 900, 3); or "human": a window shows that at each `reset()`
            and `step()`, for a second each, until it is closed.
        fields: fields of the rules to change, see `twentyone.environments.view.Fields`.

    Raises:
        RulesError: for invalid rules, and for rules without a dealer or with bets.
        ValueError: for another form of observation, other actions, or another render mode.
        DependencyNotInstalled: if the render mode needs what is not installed.
        RuntimeError: by the first `reset()`, if the render mode is "human" and there is no display.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]  # theirs is no ClassVar

    def __init__(
        self,
        rules: str | Rules = "course",
        *,
        observation: str = "tuple",
        actions: str = "twentyone",
        illegal: str = "raise",
        render_mode: str | None = None,
        **fields: Unpack[Fields],
    ) -> None:
        verify_keywords(actions, illegal)
        self.rules, self._actions, self._illegal = rules_for(rules, fields), actions, illegal
        self._form = form_of(observation, self.rules)
        self.observation_space = self._form.space
        self.action_space = action_space(self.rules)
        self.render_mode = render_mode
        self._rendering = Rendering(render_mode, self.metadata["render_fps"])
        self._decisions = decisions_under(self.rules, actions)
        self._is_mask_told = len(self._decisions) > len(DECISIONS)
        self._shoe: Shoe | None = None
        self._dealt_by: np.random.Generator | None = None
        self._round: Round | None = None
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a round; with a seed, from a fresh shoe. The options are ignored."""
        super().reset(seed=seed)
        if self._shoe is None or self._dealt_by is not self.np_random:  # a seed replaces it
            self._shoe = shoe_for(self.rules, CountedRandom(self._key()))
            self._dealt_by = self.np_random
        self._round = Round(self.rules, self._shoe)
        self._round.deal()
        self._is_over = False
        self._rendering.follow(self._shown)
        return self._form.one(self._seen(self._round)), self._info(self._round)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Hit (0), stand (1) and, where it is offered, double (2), split (3), surrender (4) or insure (5).

        Raises:
            ValueError: for any other action, and one that is not allowed now.
            ResetNeeded: if no round is open.
        """
        decision = decision_of(action, self._decisions)
        game = self._round
        if game is None or self._is_over:
            raise ResetNeeded("no round is open: call reset() before step()")
        if self._is_mask_told:
            decision = allowed_decision(decision, game.options, self._decisions, self._illegal)
        if game.turn is not None:  # what is settled as dealt is not decided on
            game.decide(0, decision)
        outcome = game.outcomes[0]
        self._is_over = outcome is not None
        self._rendering.follow(self._shown)
        seen, info = self._form.one(self._seen(game)), self._info(game)
        if outcome is None:
            return seen, 0.0, False, False, info
        payoff = game.payoffs[0]
        assert payoff is not None and game.dealer is not None
        info["outcome"], info["dealer_total"] = outcome.value, game.dealer.total
        return seen, float(payoff), True, False, info

    def render(self) -> Any:
        """The round by the render mode: text, or an array; None for "human", which shows it by itself.

        The dealer's other cards can be seen once the round is over.

        Raises:
            ResetNeeded: if no round has been dealt.
        """
        return self._rendering.render(lambda: None if self._round is None else self._shown())

    def close(self) -> None:
        """Close the window, if there is one; may be called twice."""
        self._rendering.close()

    def _shown(self) -> Shown:
        assert self._round is not None
        return shown_round(self._round, self._is_over)

    def _key(self) -> int:
        """The key of the seed, or one drawn from `np_random` if that was set and has no seed."""
        seed = self.np_random_seed
        return int(self.np_random.integers(0, 2**64, dtype=np.uint64)) if seed == UNKNOWN else key_of(seed)

    def _seen(self, game: Round) -> ObservationTuple:
        if self._is_mask_told:
            return as_full_tuple(observation(game, 0), len(game.hands_of(0)))
        upcard = game.upcard
        assert upcard is not None
        return as_tuple(game.hands[0], upcard)

    def _info(self, game: Round) -> dict[str, Any]:
        """The actions that are allowed."""
        if not self._is_mask_told:
            return {"action_mask": both_allowed()}
        return {"action_mask": mask_as(action_mask(game.options), self._actions)}
