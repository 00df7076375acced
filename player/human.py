"""A person at the table, in a terminal: shown the hands, asked for a letter or a bet."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from cards import HALF, Card, Decision, Hand, Outcome, Payoff, Rules, Tally
from cards.rules import exact
from player.bets import Better
from player.client import Client
from player.recovery import PastRound
from player.score import Record
from player.sentences import (
    KEYS,
    dealer_of,
    expected_of,
    hand_result_of,
    held,
    help_of,
    insurance_of,
    paid,
    prompt_of,
    result_of,
    shown_of,
    total_of,
)
from protocol import BetRequest, HandResult, OtherHand, chips_text, payoff_text
from twentyone.policies.policy import Observation
from twentyone.support.command import CommandError
from twentyone.support.counts import counted

MAX_AHEAD: Final = 100
"""Lines that are read before they are asked for: more than anybody types ahead; a pipe may have no end."""

_STAKES: Final[Mapping[Decision, Payoff]] = {
    Decision.DOUBLE: 1,
    Decision.SPLIT: 1,
    Decision.SURRENDER: -HALF,
    Decision.INSURE: HALF,
}
"""The change of the stakes on the table by a decision, in initial bets."""


class Say(Protocol):
    """Prints for the person."""

    def __call__(self, text: str, end: str = "\n") -> None:
        """Print a text and how it ends."""


class Human:
    """Plays by what a person types, and keeps the score.

    Args:
        say: prints.
        given: the rules of the command line, for a dealer that does not tell its own.
        better_for: makes what bets, once the rules are known, if the person does not.

    Attributes:
        chips: what was won in all, where bets are asked; otherwise None.
        lost: how many rounds have no result, since the connection was lost.
        refusal: why it cannot be played by the dealer's rules, if it cannot.
    """

    def __init__(
        self, say: Say, given: Rules | None, better_for: Callable[[Rules], Better] | None = None
    ) -> None:
        self.tally = Tally()
        self.record = Record()
        self.lost = 0
        self.rules: Rules | None = None
        self.chips: Payoff | None = None
        self.refusal: CommandError | None = None
        self._say = say
        self._given = given
        self._better_for = better_for
        self._better: Better | None = None
        self._client: Client | None = None
        self._typed: list[str | None] = []  # typed before it was asked for; None is the end of input
        self._may_read = threading.Semaphore(MAX_AHEAD)
        self._question: Sequence[Decision] | BetRequest = ()
        self._is_in_round = False
        self._is_shown = False  # whether the hand was, in this round
        self._stakes: Payoff = 1
        self._decided: Decision | None = None
        self._is_insured = False
        self._is_dealer_told = False
        self._last_bet: int | None = None
        self._dealer: list[Card] = []

    def sit_down(self, client: Client) -> None:
        """Take the connection that is played on, before anything is said on it."""
        self._client = client

    def listen(self) -> None:
        """Begin to listen to the keyboard."""
        loop = asyncio.get_running_loop()
        # A thread, since it can wait for a keyboard, a pipe or a file; a loop cannot wait for a file.
        reading = (loop, self._type, self._may_read)
        threading.Thread(target=_read_lines, args=reading, daemon=True).start()

    def interrupt(self) -> None:
        """Leave the table at once, as Ctrl-C asks for."""
        self._say("")
        if self._client is not None:
            self._leave(self._client)

    def rules_told(self, rules: Rules | None) -> Rules:
        """Take the dealer's rules, or the given ones, and show them."""
        self.rules = rules or self._given or Rules()
        self._say(f"The rules: {self.rules}")
        if self.rules.bets is not None:
            self.chips = 0
        if self._better_for is not None:
            try:
                self._better = self._better_for(self.rules)
            except CommandError as error:
                self.refusal = error
        return self.rules

    def began(self) -> None:
        """Show where a new round begins."""
        if self._better is not None:
            self._better.began()
        self._is_in_round = True
        self._is_shown = False
        self._stakes = 1
        self._decided = None
        self._is_insured = self._is_dealer_told = False
        self._note_bet()
        self._dealer = []
        self._say(f"\nRound {self.tally.rounds + 1}")

    def dealt(self, card: Card, hand: Hand) -> None:
        """Show a card that was asked for; the first two are shown with the question."""
        if self._better is not None:
            self._better.saw(card)
        if len(hand.cards) > 2 or len(self._hands) > 1:
            end = f" {hand.total}: bust." if hand.is_bust else ""
            self._say(f"  You get the {card}.{end}")

    def saw_upcard(self, card: Card) -> None:
        """Show the upcard."""
        if self._better is not None:
            self._better.saw_upcard(card)
        self._dealer.append(card)
        self._say(f"  The dealer shows the {card}.")

    def saw_dealer(self, card: Card) -> None:
        """Note the hole card, and what the dealer draws: both are shown with the result."""
        if self._better is not None:
            self._better.saw_dealer(card)
        self._dealer.append(card)

    def saw_other(self, message: OtherHand) -> None:
        """Show another player's hand at the end of a round without a dealer."""
        hand = Hand(self._rules.ace, message.cards)
        self._say(f"  {message.name} has {held(hand.cards)}: {total_of(hand, self._rules.naturals)}.")

    def shuffled(self) -> None:
        """Say that the shoe is fresh."""
        if self._better is not None:
            self._better.shuffled()
        self._say("\nThe cards are shuffled.")

    def asked_for_bet(self, request: BetRequest) -> int | None:
        """Ask for the bet, unless it is made by a plan; the answer comes when it is typed."""
        if self.refusal is not None:
            return None
        if self._better is not None:
            chips = self._better.bet(request)
            self._say(f"You bet {chips} of {counted(chips_text(request.bankroll), 'chip')}.")
            return chips
        if self._last_bet is None:
            self._last_bet = request.minimum
        self._last_bet = min(max(self._last_bet, request.minimum), request.maximum)
        self._ask(request)
        return None

    def asked(self, observation: Observation, hand: Hand) -> None:
        """Show the hand and ask; the answer comes when it is typed."""
        if self.refusal is not None:
            return
        self._show_hand(hand)
        self._ask(observation.options)

    def hand_begun(self, number: int, hands: int) -> None:
        """Show which hand is played now."""
        cards = ", ".join(map(str, self._hands[number].cards))
        self._say(f"  Hand {number + 1} of {hands}: {cards}.")

    def hand_settled(self, message: HandResult) -> None:
        """Show how one of several hands ended."""
        self._say_dealer()
        hand = self._hands[message.hand]
        self._say(f"  {hand_result_of(message.hand, hand, message.outcome, message.payoff, self._unit)}")

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """Show how the round ended, and the score."""
        self._is_in_round = False
        client = self._client
        payoff, chips = (None, None) if client is None else (client.stakes.payoff, client.stakes.chips)
        self.tally.add(outcome, payoff)
        if client is not None and client.notes_decided:
            self.record.add_decided(client.decided)
        else:
            self.record.add(self._dealer[0] if self._dealer else None, hand)
        if chips is not None:
            self.chips = exact((self.chips or 0) + chips)
        if not self._is_shown:
            self._show_hand(hand)
        self._say_dealer()
        insurance = self._insurance
        if insurance and payoff is not None:
            outcome = self._without(insurance, outcome, payoff)
        told = result_of(outcome, hand if len(self._hands) == 1 else None, self._rules)
        if insurance:
            told += f" {insurance_of(insurance * (client.stakes.staked or 1) if client else insurance)}"
        won = "" if payoff is None else f" {paid(payoff, chips)}."
        self._say(f"  {told}{won} {self._score()}")
        if self._typed == [None] and client is not None:
            client.leave()  # nothing more will be typed, so let no further round begin

    def interrupted(self) -> None:
        """Begin to count again: cards were missed, and the shoe may be fresh."""
        self._is_in_round = False
        if self._better is not None:
            self._better.shuffled()

    def recovered(self, past: PastRound) -> None:
        """Show how a round has ended that was not seen to its end."""
        self._is_in_round = False
        if past.outcome is None:
            self.lost += 1
            self._say("  How the round ended is not known: the connection was lost.")
            return
        self.tally.add(past.outcome, past.payoff)
        if past.chips is not None:
            self.chips = exact((self.chips or 0) + past.chips)
        won = "" if past.payoff is None else f" {paid(past.payoff, past.chips)}."
        told = result_of(past.outcome, None, self._rules)
        self._say(f"  Meanwhile a round has ended: {told}{won} {self._score()}")

    def refused(self, reason: str) -> None:
        """Show what the dealer says, and ask again where it still waits after a late answer."""
        self._say(f"  The dealer says: {reason}")
        client = self._client
        if client is None or not client.was_late:
            return
        if not client.is_betting:
            self._note_bet()
        if self._decided is not None:
            self._stakes -= _STAKES.get(self._decided, 0)
            self._is_insured = self._is_insured and self._decided is not Decision.INSURE
            self._decided = None
        if client.is_asked or (client.is_betting and self._better is None):
            self._forget_typed()
            self._ask(self._question)

    @property
    def _rules(self) -> Rules:
        return self.rules or Rules()

    @property
    def _hands(self) -> list[Hand]:
        """The hands of this round."""
        return [] if self._client is None else self._client.hands

    @property
    def _unit(self) -> str:
        """The unit of the payoffs that are shown; initial bets need no word."""
        return "" if self.chips is None else " chips"

    @property
    def _insurance(self) -> Payoff:
        """The payoff of this round's insurance, in initial bets; 0 without one."""
        if not self._is_insured:
            return 0
        return 1 if Hand(self._rules.ace, self._dealer).is_natural else -HALF

    def _without(self, insurance: Payoff, outcome: Outcome, payoff: Payoff) -> Outcome:
        """The outcome of the hand itself: the dealer tells the result together with the insurance."""
        if self._decided is Decision.SURRENDER:
            return Outcome.SURRENDER
        if outcome is Outcome.BUST:
            return outcome
        own = payoff - insurance
        return Outcome.WIN if own > 0 else Outcome.LOSE if own < 0 else Outcome.PUSH

    def _show_hand(self, hand: Hand) -> None:
        self._is_shown = True
        self._say(f"  Your hand: {shown_of(hand)}.")

    def _say_dealer(self) -> None:
        """Say what the dealer has, once it is told."""
        if len(self._dealer) > 1 and not self._is_dealer_told:
            self._is_dealer_told = True
            self._say(f"  {dealer_of(self._dealer, self._rules)}")

    def _score(self) -> str:
        counts = self.tally.counts
        score = f"Score: {counts[Outcome.WIN]} won, {counts[Outcome.PUSH]} pushed, {self.tally.losses} lost."
        return score if self.chips is None else f"{score} In all {counted(payoff_text(self.chips), 'chip')}."

    def _ask(self, question: Sequence[Decision] | BetRequest) -> None:
        self._question = question
        self._say(prompt_of(question, self._last_bet), end="")
        # The question is put to the client only after this call, so what was typed ahead waits until then.
        asyncio.get_running_loop().call_soon(self._answer)

    def _note_bet(self) -> None:
        """Remember what is staked, which is the least bet where the dealer's clock has made it."""
        if self._client is not None and self._client.stakes.staked is not None:
            self._last_bet = self._client.stakes.staked

    def _forget_typed(self) -> None:
        """Drop what was typed for a question that the dealer has not come to; the end of the input stays."""
        while self._typed and self._typed[0] is not None:
            self._typed.pop(0)
            self._may_read.release()

    def _type(self, line: str | None) -> None:
        self._typed.append(line)
        self._answer()

    def _answer(self) -> None:
        """Take what was typed, as far as it is asked for."""
        client = self._client
        while self._typed and client is not None and not client.over.done():
            is_asked = client.is_asked or client.is_betting
            if not is_asked and (self._is_in_round or self._typed[0] is not None):
                return
            self._may_read.release()
            self._take(client, self._typed.pop(0))

    def _take(self, client: Client, line: str | None) -> None:
        # PowerShell writes a byte order mark before the first line of a pipe.
        word = "q" if line is None else line.removeprefix("\ufeff").strip().lower()
        if line is None or not sys.stdin.isatty():
            self._say(word)  # a terminal shows what is typed; a pipe, or its end, does not
        if word in ("q", "quit"):
            self._leave(client)
        elif not self._take_answer(client, word):
            wrong = f"{word!r} is not an answer: expected {expected_of(self._question)}"
            self._say(help_of(self._question) if word in ("?", "help") else wrong)
            self._say(prompt_of(self._question, self._last_bet), end="")

    def _take_answer(self, client: Client, word: str) -> bool:
        """Answer the question with a word, if it is an answer."""
        question = self._question
        if isinstance(question, BetRequest):
            chips = self._last_bet if word == "" else _whole(word)
            if chips is None or not question.minimum <= chips <= question.maximum:
                return False
            self._last_bet = chips
            client.bet(chips)
            return True
        decision = KEYS.get(word)
        if decision is None or decision not in question:
            return False
        self._stakes += _STAKES.get(decision, 0)
        self._decided = decision
        self._is_insured = self._is_insured or decision is Decision.INSURE
        client.answer(decision)
        return True

    def _leave(self, client: Client) -> None:
        if self._is_in_round:
            self._say("  You leave an open hand, which is lost.")
            self.tally.add(Outcome.LOSE, -self._stakes)
            if self.chips is not None:
                self.chips = exact(self.chips - self._stakes * (client.stakes.staked or 0))
        client.leave()


def _whole(word: str) -> int | None:
    """The number of chips that was typed."""
    return int(word) if re.fullmatch("[0-9]{1,13}", word) else None


def _read_lines(
    loop: asyncio.AbstractEventLoop, typed: Callable[[str | None], None], may_read: threading.Semaphore
) -> None:
    """Hand every line of standard input to the loop as soon as there is room for it, and None at its end."""
    try:
        for line in sys.stdin:
            may_read.acquire()
            loop.call_soon_threadsafe(typed, line)
        loop.call_soon_threadsafe(typed, None)
    except RuntimeError:
        return  # the loop has closed: the game is over
