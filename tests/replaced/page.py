"""A page in a real browser that plays by itself, and what it was told on all its connections."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Final

from tests.helpers.browser import Browser, Page
from tests.helpers.peer import LOCALHOST
from tests.replaced.seat import Ended, Seat, ended_by

LISTENS: Final = """
window.heard = [];
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...words) {
    super(...words);
    this.addEventListener("message", ({ data }) => window.heard.push(data));
  }
};
"""
"""Notes every line that the page hears."""

PLAYS: Final = """\
(window.plays = setInterval(() => {
  if (isUsable(one("#bet"))) return one("#bet-form").requestSubmit();
  const buttons = all("#hit, #stand, #double, #split, #surrender, #insure, #decline, #next").filter(isUsable);
  buttons[Math.floor(Math.random() * buttons.length)]?.click();
}, 20))
"""
"""Presses the buttons of the page as soon as they can be pressed."""


class PlayingPage:
    """A page that plays.

    Args:
        browser: where it is opened.
        name: the player's.
        chips: those that the player sits down with.

    Attributes:
        name: as above.
        seat: the rounds of its seat that it was told, as far as they are noted.
        recovered: how many of them only HISTORY told.
    """

    def __init__(self, browser: Browser, name: str, chips: int) -> None:
        self.name = name
        self.seat = Seat(chips)
        self.recovered = 0
        self._browser = browser
        self._page: Page | None = None
        self._cards: list[str] = []
        self._questions: list[tuple[Fraction, str]] = []  # bankrolls that are not understood yet

    def until_asked(self, port: int) -> None:
        """Wait until it is asked for something by the dealer that is there now."""
        if self._page is None:
            self._page = self._open(port)
        self._page.until("heard.some((line) => line.startsWith('DECISION'))")

    def note(self) -> None:
        """Understand what it was told since the last time, after a dealer has ended."""
        assert self._page is not None
        for line in self._page.ask("heard.splice(0)"):
            self._hear(line)

    def leave(self) -> None:
        """Play no more; all bankrolls that it was told of must be understood by now."""
        assert self._page is not None
        self._page.ask("clearInterval(plays)")
        assert not self._questions, self._questions

    def _open(self, port: int) -> Page:
        page = self._browser.blank()
        page.begin_with({"speed": "instant"})
        script = page.before_every_load(LISTENS)
        page.go(f"http://{LOCALHOST}:{port}/")
        page.never_again(script)
        page.sit(self.name)
        page.ask(PLAYS)
        return page

    def _hear(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        if verb == "BEGIN":
            self._cards = []
        elif verb == "CARD":
            self._cards.append(rest)
        elif verb == "RESULT":
            outcome, payoff = rest.split()[:2]
            outcome = "LOSE" if outcome == "LOOSE" else outcome
            self.seat.rounds.append(Ended(outcome, Fraction(payoff), tuple(sorted(self._cards))))
        elif verb == "HISTORY":
            self._take_history(json.loads(rest.split(" ", 2)[2]), line)
        elif line.startswith("DECISION BET "):
            self._questions.append((Fraction(rest.split()[3]), line))
        if self._questions:
            self._verify()

    def _take_history(self, round_: dict[str, object], line: str) -> None:
        number, ended = round_.get("your_round"), ended_by(round_)
        known = len(self.seat.rounds)
        if number == known + 1:
            self.seat.rounds.append(ended)
            self.recovered += 1
        elif known:
            assert (number, ended) == (known, self.seat.rounds[-1]), line

    def _verify(self) -> None:
        """A bankroll may be told before HISTORY says which round was over: then it is looked at later."""
        bankroll, line = self._questions[0]
        if bankroll == self.seat.bankroll(len(self.seat.rounds)):
            self._questions.pop(0)
        else:
            assert len(self._questions) == 1, f"{self.name}: {line}, and then {self._questions[1][1]}"
