"""The situations that a program is taken through, each with its own connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from cards import Ace, Bets, HoleCard, Rules, Surrender
from protocol import WireFormat
from tournament.check import acts
from tournament.check.delivery import APART, Delivery
from tournament.check.game import Game

Make = Callable[[Rules], Rules | None]
Act = Callable[[Game], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that may happen to a program.

    Attributes:
        name: its name.
        title: what it is.
        act: plays it, from JOIN up to QUIT; may return a note.
        rules: the rules that it needs; None where it cannot be had.
        delivery: how the lines are sent.
        hint: what may be the reason where a program does not answer.
        voices: how a program speaks to which this may happen.
        knows_rules: whether RULES is answered.
        ends: what a program is to do at last.
    """

    name: str
    title: str
    act: Act
    rules: Make = lambda rules: rules
    delivery: Delivery = APART
    hint: str = ""
    voices: frozenset[WireFormat] = frozenset(WireFormat)
    knows_rules: bool = True
    ends: str = "QUIT"


LINES: Final = frozenset({WireFormat.LINES})
NOT_CLASSIC: Final = frozenset({WireFormat.LINES, WireFormat.HTTP})


def paying(change: Make = lambda rules: rules) -> Make:
    """Rules of a table that tells payoffs, changed; None for others."""
    return lambda rules: change(rules) if rules.tells_payoffs else None


def _bets(rules: Rules) -> Rules:
    return rules if rules.bets is not None else replace(rules, bets=Bets(10, 85), bankroll=500)


def _few_chips(rules: Rules) -> Rules:
    return replace(rules, bets=Bets(10, 80), bankroll=95)


def _early(rules: Rules) -> Rules | None:
    return replace(rules, surrender=Surrender.EARLY) if rules.hole_card is HoleCard.PEEK else None


CONTROL: Final = Situation("control", "a few rounds, each line in a packet of its own", acts.some_rounds)
"""With nothing that could be the reason of a fault but the cards."""

SITUATIONS: Final = (
    Situation("round", "a round, and QUIT", acts.one_round),
    Situation("results", "every result", acts.results),
    Situation(
        "together",
        "several messages in one packet",
        acts.some_rounds,
        delivery=Delivery(together=True),
        hint="several messages came in one packet; it seems to read one message per packet",
        voices=NOT_CLASSIC,
    ),
    Situation(
        "pieces",
        "one message in three packets",
        acts.some_rounds,
        delivery=Delivery(cuts=(6, 3)),
        hint="each message came in three packets; it seems to take a packet for a whole message",
        voices=NOT_CLASSIC,
    ),
    Situation(
        "end-apart",
        "the end of a line in a packet of its own",
        acts.some_rounds,
        delivery=Delivery(cuts=(1,)),
        hint="the line feed came in a packet of its own",
        voices=LINES,
    ),
    Situation(
        "crlf",
        "lines that end in CR LF",
        acts.some_rounds,
        delivery=Delivery(end=b"\r\n"),
        hint="the lines ended in CR LF; it seems to take the CR for a part of a word",
        voices=LINES,
    ),
    Situation(
        "crlf-cut",
        "CR and LF in different packets",
        acts.some_rounds,
        delivery=Delivery(end=b"\r\n", cuts=(1,)),
        hint="the lines ended in CR LF, cut between the two",
        voices=LINES,
    ),
    Situation("early-quit", "QUIT before any round", acts.early_quit),
    Situation("sent-away", "ERROR, RESULT LOOSE and QUIT in the middle of a hand", acts.sent_away),
    Situation("clock", "ERROR: the dealer's clock has decided, and a late answer is refused", acts.clock),
    Situation("refused", "ERROR: an answer is refused", acts.refused),
    Situation("error", "ERROR about something else", acts.aside, voices=NOT_CLASSIC),
    Situation(
        "slow", "a slow dealer", acts.slow, delivery=Delivery(pause=acts.SLOW), hint="the dealer was slow"
    ),
    Situation(
        "rounds",
        f"{acts.ROUNDS} rounds in a row",
        acts.many_rounds,
        delivery=Delivery(together=True),
    ),
    Situation("bust", "a bust, which ends the hand without another DECISION", acts.bust),
    Situation(
        "dealt-bust",
        "a hand that is bust as dealt: RESULT without a DECISION",
        acts.dealt_bust,
        rules=lambda rules: replace(rules, ace=Ace.ELEVEN),
    ),
    Situation("natural", "a natural", acts.natural),
    Situation("twenty-one", "exactly 21, which is asked too", acts.exactly_21),
    Situation("soft", "soft hands", acts.soft),
    Situation("many-cards", "hands of seven cards", acts.many_cards),
    Situation(
        "words",
        "an unknown word after each message",
        acts.some_rounds,
        delivery=Delivery(words=True),
        hint="an unknown word stood after the message; such words are ignored",
        voices=NOT_CLASSIC,
    ),
    Situation(
        "verbs",
        "unknown messages",
        acts.some_rounds,
        delivery=Delivery(verbs=True),
        hint="a message that it does not know came before; such messages are ignored",
        voices=NOT_CLASSIC,
    ),
    Situation(
        "long-line",
        f"an unknown message of {acts.LONG_LINE:,} letters",
        acts.long_line,
        hint=f"a message of {acts.LONG_LINE:,} letters came before, which it does not know",
        voices=NOT_CLASSIC,
    ),
    Situation("no-rules", "a dealer that refuses RULES", acts.some_rounds, knows_rules=False),
    Situation(
        "unasked",
        "RULES and HELP that it did not ask for",
        acts.unasked,
        hint="RULES and HELP came before, which it had not asked for; such messages are ignored",
        voices=NOT_CLASSIC,
    ),
    Situation("cut", "the connection is closed while cards are dealt", acts.cut, ends="its end"),
    Situation("reset", "the connection is reset while the dealer waits", acts.reset, ends="its end"),
    Situation("classic-dealer", "a dealer that ends its lines with NUL", acts.classic_dealer, voices=LINES),
    Situation("doubles", "hands that may be doubled", acts.doubles, rules=paying()),
    Situation("splits", "pairs, and HAND", acts.splits, rules=paying()),
    Situation("surrender", "hands that may be given up", acts.surrender, rules=paying()),
    Situation("early-surrender", "surrender before the dealer looks", acts.surrender, rules=paying(_early)),
    Situation("insurance", "insurance", acts.insurance, rules=paying()),
    Situation("bets", "bets, and payoffs in chips", acts.bets, rules=paying(_bets)),
    Situation("few-chips", "the chips run out", acts.few_chips, rules=paying(_few_chips)),
    Situation("shuffle", "SHUFFLE, HAND and later DEALER lines", acts.some_rounds, rules=paying()),
)
"""In the order in which they are told. Some are left out, by the rules that are played."""
