"""The bets over one connection, and the payoffs of its rounds."""

from __future__ import annotations

from fractions import Fraction

from cards import Payoff
from cards.rules import exact
from protocol import Bet, BetRequest, Result, chips_text, encode
from protocol.questions import came_too_late
from twentyone.support.counts import counted


class Stakes:
    """The stake of the open round, and the payoff of the last one.

    Attributes:
        asked: the last question for a bet; None before the first, and after a round that was not seen.
        staked: the bet of this round; None where bets are not asked.
        payoff: the payoff of the last round in initial bets; None where it is the outcome's.
        chips: the same in chips, where bets are asked.
    """

    __slots__ = ("_won_since_bet", "asked", "chips", "payoff", "staked")

    def __init__(self) -> None:
        self.asked: BetRequest | None = None
        self.staked: int | None = None
        self.payoff: Payoff | None = None
        self.chips: Payoff | None = None
        self._won_since_bet: Payoff | None = None  # the chips of the round after that bet, once it is over

    def ask(self, request: BetRequest) -> None:
        """Note a question; the dealer takes the minimum if no answer comes in time."""
        self.asked, self._won_since_bet = request, None
        self.staked = request.minimum

    def bet(self, chips: int) -> None:
        """Note an answer."""
        self.staked = chips

    def refuse(self, text: str, *, is_reopened: bool) -> None:
        """Take back a bet that came too late.

        Args:
            text: what the dealer says.
            is_reopened: whether the dealer still waits for the bet.
        """
        if self.asked is not None and self.staked is not None:
            late = f"{encode(Bet(self.staked)).decode()} {came_too_late(self.asked)}"
            if is_reopened or text == late:
                self.staked = self.asked.minimum

    def paid(self, result: Result) -> tuple[Payoff | None, Payoff | None]:
        """The payoff of a round in initial bets, and in chips, as far as the dealer tells them."""
        if result.payoff is None or self.staked is None:
            return result.payoff, None
        return exact(Fraction(result.payoff) / self.staked), result.payoff

    def settle(self, result: Result) -> None:
        """Note the payoff of a round."""
        if self.staked is None:  # there are no bets
            self.payoff = result.payoff
            return
        self.payoff, self.chips = self.paid(result)
        self._won_since_bet = self.chips

    def settle_unseen(self, payoff: Payoff | None, chips: Payoff | None) -> None:
        """Note the payoff of a round that was not seen to its end, in initial bets and in chips."""
        self.payoff, self.chips = payoff, chips

    def forget(self) -> None:
        """Forget the question: what came of it is not known."""
        self.asked = None

    @property
    def ruin(self) -> str | None:
        """The sentence that says that too few chips are left for another bet, if that is known."""
        request, won = self.asked, self._won_since_bet
        if request is None or won is None:
            return None
        chips = exact(request.bankroll + won)
        if chips >= request.minimum:
            return None
        return (
            f"you have {counted(chips_text(chips), 'chip')}, and the least bet is {request.minimum}:"
            " the dealer ends the game"
        )
