"""States of a table by messages in one open page, and what is wrong with where things are in it.

No dealer plays: a WebSocket of the test's own gives the page the lines of a dealer, so that the hardest
states are there at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.browser import Page

SOCKET: Final = """
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  constructor() {
    super();
    window.say = (...lines) => { for (const data of lines) this.onmessage({ data }); };
    setTimeout(() => { this.readyState = 1; this.onopen(); });
  }
  send(line) { if (line === "RULES") setTimeout(() => this.onmessage({ data: "RULES" })); }
  close() {}
};
"""
"""Run before the page's own scripts: a connection whose other end is `say`."""

IS_INSTALLED: Final = """((font) => {
  const width = (family) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = `40px ${family}`;
    return context.measureText("twentyone 1234567890").width;
  };
  return width(`"${font}", monospace`) !== width("monospace");
})(arguments[0])"""
"""Whether a font is there, which is seen by its widths."""

WRITE_IN: Final = """((font) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`html { font-family: "${font}" }`);
  document.adoptedStyleSheets = [sheet];
})(arguments[0])"""

LONG: Final = "W" * 32
CARDS: Final = ("Ten of Spades", "Eight of Hearts", "Four of Clubs", "Queen of Diamonds", "Ace of Hearts")
LARGE: Final = 1_000_000.5


@dataclass(frozen=True)
class Look:
    """One state of a table: its name, and the lines of the dealer that bring it about."""

    name: str
    lines: tuple[str, ...]


def looks(seats: int, *, chips: bool) -> Iterator[Look]:
    """The states of a table with so many seats: the hardest that there are, with the longest texts."""
    table = _Table(seats, chips)
    ask = "DECISION BET 1 1000000 1000000.5" if chips else "DECISION HIT STAND"
    if chips:
        yield Look("betting", (table.line("betting", clock=600.0), ask))
    options = "HIT STAND DOUBLE SPLIT SURRENDER" if chips else "HIT STAND"
    playing = table.line("playing", turn=0, clock=600.0)
    yield Look("turn", ("BEGIN", playing, f"DECISION {options}", playing))
    hint = ("BEGIN", playing, f"DECISION {options}", playing, "HINT STAND 0.123")
    yield Look("hint", hint)
    if chips:
        insured = table.line("playing", turn=0, clock=600.0, insured=True)
        yield Look("insurance", ("BEGIN", insured, "DECISION INSURE DECLINE", insured))
        split = table.line("playing", turn=0, clock=600.0, splits=True)
        yield Look("split", ("BEGIN", split, "DECISION HIT STAND DOUBLE SPLIT SURRENDER", split))
        yield Look("split-results", (table.line("results", clock=20.0, splits=True),))
    yield Look("results", (table.line("results", clock=20.0),))


def panels(seats: int) -> Iterator[Look]:
    """What takes room now and then: the invitation, the count, and a mistake that is told."""
    table = _Table(seats, chips=True)
    yield Look("waiting", (table.line("waiting", waits_for=2),))
    playing = table.line("playing", turn=0, clock=600.0)
    asked = ("BEGIN", playing, "DECISION HIT STAND DOUBLE SPLIT SURRENDER", playing)
    results = table.line("results", clock=20.0)
    review = "REVIEW 1 1 0.123 SURRENDER 0.123 DOUBLE"
    yield Look("mistake", (*asked, "RESULT LOOSE -1000000", results, review))


class _Table:
    """A table whose TABLE is written as a dealer does."""

    def __init__(self, seats: int, chips: bool) -> None:
        self.count, self.chips = seats, chips
        self.sequence = 0

    def line(
        self,
        phase: str,
        *,
        turn: int | None = None,
        clock: float | None = None,
        splits: bool = False,
        insured: bool = False,
        waits_for: int = 0,
    ) -> str:
        self.sequence += 1
        rules = {
            "preset": "vegas",
            "decks": "6",
            "ace": "either",
            "naturals": "3:2",
            "seats": str(self.count),
        }
        rules |= {
            "reshuffle": "penetration:0.75",
            "dealer-stands": "hard17",
            "insurance": "yes",
            "split": "4",
        }
        if self.chips:
            rules |= {"bets": "1-1000000", "bankroll": "1000000"}
        told = {
            **{"table": 1, "sequence": self.sequence, "practice": True, "clock": clock, "round": 12},
            **{"phase": phase, "rules": rules, "turn": turn, "waits_for": waits_for},
            **{"you": 0, "revealed": False},
            "shoe": {"left": 200, "size": 312, "fresh": 1},
            "seats": [self._seat(number, phase, splits, insured) for number in range(self.count)],
            "dealer": {
                **{"upcard": CARDS[0], "total": 25 if phase == "results" else 10},
                "cards": [*CARDS[:4]] if phase == "results" else [CARDS[0], None],
            },
            **{"log": [], "logged": 0, "hand": 2 if splits else 1, "options": []},
        }
        return f"TABLE {json.dumps(told)}"

    def _seat(self, number: int, phase: str, splits: bool, insured: bool) -> dict[str, Any]:
        is_over, outcome = phase == "results", ("SURRENDER", "WIN", "BUST", "PUSH", "LOSE")[number % 5]
        is_split = splits and number % 2 == 0
        is_natural = number % 5 == 1 and not is_split
        payoff = {"WIN": "+", "PUSH": "", "LOSE": "-", "BUST": "-", "SURRENDER": "-"}[outcome]
        amount = "0" if outcome == "PUSH" else f"{payoff}{LARGE}" if self.chips else f"{payoff}1"
        cards = list(CARDS[3:5] if is_natural else CARDS[: 2 + number % 3])
        hand = {
            **{"cards": cards, "total": 18, "soft": True, "stake": "1000000" if self.chips else "1"},
            **{
                "doubled": False,
                "outcome": outcome if is_over else None,
                "payoff": amount if is_over else None,
            },
        }
        hands = [hand] * (4 if is_split else 1)
        is_free = number == 5
        seat: dict[str, Any] = {
            "name": None if is_free else LONG,
            **{"bot": number > 0, "away": number == 6, "kept": 600 if number == 6 else None, "ready": False},
            **{"cards": cards, "total": 21 if is_natural else 18, "soft": True},
            "state": "natural" if is_natural else "bust" if is_over and outcome == "BUST" else "playing",
            **{"result": outcome if is_over else None, "score": -12, "rounds": 11},
            **{"hands": hands, "insured": insured, "payoff": amount if is_over else None},
        }
        if self.chips:
            seat |= {"bankroll": str(LARGE), "bet": "1000000"}
        if is_free:
            seat |= {"cards": [], "total": None, "soft": None, "state": "empty", "result": None, "hands": []}
            seat |= {"bet": None, "payoff": None, "insured": False, "bot": False}
        return seat


def open_table(page: Page, url: str, font: str = "") -> None:
    """Open the page of a table, whose dealer is the test; skip the test if the font is not installed."""
    script = page.before_every_load(SOCKET)
    page.go(url)
    page.never_again(script)
    page.ask("all('dialog[open]').forEach((one) => one.close())")
    if font:
        if not page.ask(IS_INSTALLED, font):
            pytest.skip(f"the font {font} is not installed (Debian: fonts-dejavu-extra)")
        page.ask(WRITE_IN, font)


def show(page: Page, look: Look) -> None:
    """Bring a state about."""
    page.run(
        """say(...given[0]);
        await new Promise((done) => setTimeout(done, 40));
        all('dialog[open]').forEach((one) => one.close());""",
        list(look.lines),
    )


FAULTS: Final = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")
"""Defines `faults()`, which returns what is wrong as lines of text."""

LOOK_AT_STATES: Final = """
const found = [];
const newest = (line) => line.replace(/"sequence": \\d+/, `"sequence": ${++window.sequence}`);
for (const [name, lines] of given[0]) {
  say(...lines.map(newest));
  await new Promise((done) => setTimeout(done, 16)); // as long as the stage waits before it draws
  await laidOut();
  found.push(...faults().map((line) => `${name}: ${line}`));
}
return found;
"""


def faults(page: Page, sizes: Sequence[tuple[int, int]], states: Sequence[Look]) -> list[str]:
    """Look at these states of the page at all these sizes."""
    page.run(FAULTS)
    page.ask("void (window.sequence ??= 100)")
    told = [[look.name, list(look.lines)] for look in states]
    found = []
    for width, height in sizes:
        page.resize(width, height)
        found += [f"{width}x{height}: {line}" for line in page.run(LOOK_AT_STATES, told)]
    return found
