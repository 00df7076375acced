"""A person at the table, in a terminal: shown the hand, asked for a letter."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Final, Protocol

from cards import Card, Decision, Hand, Outcome, Rules, Tally
from player.client import Client
from player.score import Record
from policies.policy import Observation

MAX_AHEAD: Final = 100
"""Lines that are read before they are asked for: more than anybody types ahead; a pipe may have no end."""

PROMPT: Final = "[h]it, [s]tand, [q]uit or ? "

HELP: Final = """h  HIT: one more card. Over 21 you are bust and have lost at once.
s  STAND: no more cards. The dealer draws to 17; the higher total not over 21 wins.
q  QUIT: leave the table. An open hand is lost.
Jacks, queens and kings count 10. A hand is soft while an ace counts 11 in it and could still count 1."""

_WORDS: Final = {
    "h": Decision.HIT,
    "hit": Decision.HIT,
    "s": Decision.STAND,
    "stand": Decision.STAND,
}

_RESULTS: Final = {
    Outcome.WIN: "You win.",
    Outcome.LOSE: "You lose.",
    Outcome.PUSH: "Push: nobody wins.",
    Outcome.BUST: "Bust: you lose.",
}


class Say(Protocol):
    """Prints for the person."""

    def __call__(self, text: str, end: str = "\n") -> None:
        """Print a text and how it ends."""


class Human:
    """Plays by what a person types, and keeps the score.

    Args:
        say: prints.
        given: the rules of the command line, for a dealer that does not tell its own.
    """

    def __init__(self, say: Say, given: Rules | None) -> None:
        self.tally = Tally()
        self.record = Record()
        self.rules: Rules | None = None
        self._say = say
        self._given = given
        self._client: Client | None = None
        self._typed: list[str | None] = []  # typed before it was asked for; None is the end of input
        self._may_read = threading.Semaphore(MAX_AHEAD)
        self._is_in_round = False
        self._upcard: Card | None = None

    def sit_down(self, client: Client) -> None:
        """Begin to listen to the keyboard."""
        self._client = client
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
        """Take the dealer's rules, else the given ones, and show them."""
        self.rules = rules or self._given or Rules()
        self._say(f"The rules: {self.rules}")
        return self.rules

    def began(self) -> None:
        """Show where a new round begins."""
        self._is_in_round = True
        self._upcard = None
        self._say(f"\nRound {self.tally.rounds + 1}")

    def dealt(self, card: Card, hand: Hand) -> None:
        """Show a card that was asked for; the first two are shown with the question."""
        if len(hand.cards) > 2:
            self._say(f"  You get the {card}.")

    def saw_upcard(self, card: Card) -> None:
        """Show the upcard."""
        self._upcard = card
        self._say(f"  The dealer shows the {card}.")

    def asked(self, observation: Observation, hand: Hand) -> None:
        """Show the hand and ask; the answer comes when it is typed."""
        kind = "soft" if hand.is_soft else "hard"
        self._say(f"  Your hand: {', '.join(map(str, hand.cards))}: {kind} {hand.total}.")
        self._say(PROMPT, end="")
        # The question is put to the client only after this call, so what was typed ahead waits until then.
        asyncio.get_running_loop().call_soon(self._answer)

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """Show how the round ended, and the score."""
        self._is_in_round = False
        self.tally.add(outcome)
        self.record.add(self._upcard, hand)
        counts = self.tally.counts
        lost = counts[Outcome.LOSE] + counts[Outcome.BUST]
        won, pushed = counts[Outcome.WIN], counts[Outcome.PUSH]
        self._say(f"  {_RESULTS[outcome]} Score: {won} won, {pushed} pushed, {lost} lost.")
        if self._typed == [None] and self._client is not None:
            self._client.leave()  # nothing more will be typed, so let no further round begin

    def refused(self, reason: str) -> None:
        """Show what the dealer says."""
        self._say(f"  The dealer says: {reason}")

    def _type(self, line: str | None) -> None:
        self._typed.append(line)
        self._answer()

    def _answer(self) -> None:
        """Take what was typed, as far as it is asked for."""
        client = self._client
        while self._typed and client is not None and not client.over.done():
            if not client.is_asked and (self._is_in_round or self._typed[0] is not None):
                return
            self._may_read.release()
            self._take(client, self._typed.pop(0))

    def _take(self, client: Client, line: str | None) -> None:
        word = "q" if line is None else line.strip().lower()
        if line is None or not sys.stdin.isatty():
            self._say(word)  # a terminal shows what is typed; a pipe, or its end, does not
        if word in _WORDS:
            client.answer(_WORDS[word])
        elif word in ("q", "quit"):
            self._leave(client)
        else:
            self._say(HELP if word in ("?", "help") else f"{word!r} is not an answer: expected h, s, q or ?")
            self._say(PROMPT, end="")

    def _leave(self, client: Client) -> None:
        if self._is_in_round:
            self._say("  You leave an open hand, which is lost.")
            self.tally.add(Outcome.LOSE)
        client.leave()


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
