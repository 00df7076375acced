"""A seat at a dealer that runs elsewhere, over the wire, as an environment of Gymnasium."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
from gymnasium.error import ResetNeeded

from cards import Hand, Rules, RulesError
from cards.asking import asks_more
from protocol import Join
from twentyone.environments.connecting import address_of
from twentyone.environments.encoding import form_of
from twentyone.environments.rendering import MODES, Rendering
from twentyone.environments.shown import Shown, ShownHand
from twentyone.environments.view import (
    DECISIONS,
    action_mask,
    action_space,
    allowed_decision,
    both_allowed,
    decision_of,
    decisions_under,
    mask_as,
    rules_of,
    verify_keywords,
)
from twentyone.environments.wire import Seat
from twentyone.policies.observation_tuples import ObservationTuple, as_full_tuple, as_tuple
from twentyone.policies.policy import seen_of


class RemoteBlackjackEnv(gymnasium.Env[Any, int]):
    """`BlackjackEnv` at a dealer that runs elsewhere: the same observations, actions and rewards.

    It connects at the first `reset()`, and plays by the dealer's rules, which are in `rules` from then on.
    The cards are the dealer's, so no seed decides them. If a round is open at a `reset()`, its hand stands,
    since the only other way out is to leave. `close()` leaves, and a `reset()` after it joins again.

    `info` has the `action_mask` and, when the round is over, the `outcome`; players do not learn the
    dealer's cards.

    At a table that asks more all is as there: the actions, the mask, the observations, and `info`, since
    players learn the dealer's cards there. The spaces are those of `rules` until the first `reset()`, and
    from then on those of the table. Where bets are asked it stakes the least, and the reward is in that unit.
    If the dealer's clock has taken an answer, and the dealer has asked for something else, a step takes no
    action and returns what is to be decided now.

    Args:
        host: the host on which the dealer runs, or its WebSocket address, as "wss://example.org/ws".
        port: the port on which it listens, 8088 if none is given; a WebSocket address has its own in it.
        rules: a preset, or rules, with the actions and observations of the table, for wrappers that look at
            the spaces before the first `reset()`.
        name: the name to join with.
        tls: whether to speak TLS with it; a wss:// address says so by itself. Its certificate must be for
            the host, and of an authority that is trusted.
        tls_ca: the file of the authority to trust, in PEM; None for those that the system trusts.
        timeout: seconds to wait for the dealer, and for the other players at its table; more than 0.
        observation: "tuple", "discrete" or "box", see `twentyone.environments.encoding`.
        actions: "twentyone": 0 is HIT and 1 is STAND; or "gymnasium": 0 sticks and 1 hits, as in
            Blackjack-v1. The others keep their numbers.
        illegal: what an action does that is not allowed: "raise" an exception, or "stand".
        render_mode: None, "ansi", "rgb_array" or "human", as in `BlackjackEnv`, with the cards that the
            player has seen.

    Raises:
        ValueError: for an invalid name, timeout or WebSocket address, a `tls_ca` that is no such file or
            comes without TLS, invalid rules, another form of observation or another render mode.
        DependencyNotInstalled: if the render mode needs what is not installed.
        RuntimeError: by the first `reset()`, if the render mode is "human" and there is no display.
        DealerGoneError: by `reset` and `step`, a ConnectionError: there is no dealer, or it has gone.
        RulesError: by `reset`, if the rules of the table have no dealer to play against.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]  # theirs is no ClassVar

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int | None = None,
        *,
        rules: str | Rules = "course",
        name: str = "gymnasium",
        tls: bool = False,
        tls_ca: str | Path | None = None,
        timeout: float = 60.0,
        observation: str = "tuple",
        actions: str = "twentyone",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        Join(name)  # raises an error for an invalid name
        if not 0 < timeout < inf:
            raise ValueError(f"timeout is {timeout}: expected seconds, more than 0")
        verify_keywords(actions, illegal)
        self._observation, self._actions, self._illegal = observation, actions, illegal
        self._take_spaces(rules_of(rules, {}))
        self.render_mode = render_mode
        self._rendering = Rendering(render_mode, self.metadata["render_fps"])
        self._dealer = (address_of(host, port, tls=tls, tls_ca=tls_ca), name, timeout)
        self._seat: Seat | None = None
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Wait for the dealer's next round. The seed does not decide its cards; the options are ignored."""
        super().reset(seed=seed)
        if self._seat is None:
            self._seat = Seat(*self._dealer)
        self._is_over = True
        try:
            self._seat.begin()
            seen = self._seen(self._seat)
        except (ConnectionError, RulesError):
            self.close()
            raise
        self._is_over = False
        if decisions_under(self._seat.rules, self._actions) is not self._decisions:
            self._take_spaces(self._seat.rules)
        self._rendering.follow(self._shown)
        return self._form.one(seen), self._info(self._seat)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Hit (0), stand (1) and, where it is offered, double (2), split (3), surrender (4) or insure (5).

        Raises:
            ValueError: for any other action, and one that is not allowed now.
            ResetNeeded: if no round is open.
            DealerGoneError: if the dealer has gone, does not answer, or breaks the protocol.
        """
        decision = decision_of(action, self._decisions)
        seat = self._seat
        if seat is None or self._is_over:
            raise ResetNeeded("no round is open: call reset() before step()")
        if self._is_mask_told:
            decision = allowed_decision(decision, seat.options, self._decisions, self._illegal)
        if seat.outcome is None:
            try:
                seat.decide(decision)
            except ConnectionError:
                self.close()
                raise
        self._is_over = seat.outcome is not None
        self._rendering.follow(self._shown)
        observation = self._form.one(self._seen(seat))
        if seat.outcome is None or seat.payoff is None:
            return observation, 0.0, False, False, self._info(seat)
        info = {"outcome": seat.outcome.value} | self._info(seat)
        if len(seat.dealer) > 1:  # the dealer has shown its cards
            info["dealer_total"] = Hand(seat.rules.ace, seat.dealer).total
        return observation, float(seat.payoff), True, False, info

    def render(self) -> Any:
        """The cards that the player has seen, as `BlackjackEnv.render` shows them.

        Raises:
            ResetNeeded: if no round has been dealt.
        """
        is_dealt = self._seat is not None and self._seat.dealer
        return self._rendering.render(lambda: self._shown() if is_dealt else None)

    def close(self) -> None:
        """Leave the dealer, if connected, and close the window; may be called twice.

        An open hand is forfeited.
        """
        self._rendering.close()
        seat, self._seat = self._seat, None
        self._is_over = True
        if seat is not None:
            seat.close()

    @property
    def rules(self) -> Rules | None:
        """The dealer's rules after the first `reset()`; None before."""
        return None if self._seat is None else self._seat.rules

    def _shown(self) -> Shown:
        seat = self._seat
        assert seat is not None
        is_over = self._is_over
        return Shown(
            hands=[ShownHand(hand, stake) for hand, stake in zip(seat.hands, seat.stakes, strict=True)],
            dealer=Hand(seat.rules.ace, seat.dealer if is_over else seat.dealer[:1]),
            turn=seat.turn if seat.options else None,
            options=seat.options,
            insured=seat.insured,
            outcome=seat.outcome if is_over else None,
            payoff=seat.payoff if is_over else None,
        )

    def _take_spaces(self, rules: Rules) -> None:
        self._decisions = decisions_under(rules, self._actions)
        self._is_mask_told = len(self._decisions) > len(DECISIONS)
        self._form = form_of(self._observation, rules)
        self.observation_space = self._form.space
        self.action_space = action_space(rules)

    def _seen(self, seat: Seat) -> ObservationTuple:
        if not seat.dealer:
            raise RulesError(
                f"the dealer plays {seat.rules.preset}, which has no upcard: expected rules with a dealer to"
                " play against"
            )
        hand, upcard = seat.hands[seat.turn], seat.dealer[0]
        if asks_more(seat.rules):  # the spaces may still be those of other rules
            return as_full_tuple(seen_of(hand, upcard, seat.options, seat.rules.split), len(seat.hands))
        return as_tuple(hand, upcard)

    def _info(self, seat: Seat) -> dict[str, Any]:
        """The actions that are allowed."""
        if not self._is_mask_told:
            return {"action_mask": both_allowed()}
        return {"action_mask": mask_as(action_mask(seat.options), self._actions)}
