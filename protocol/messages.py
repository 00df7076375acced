"""The messages of the line protocol: frozen, valid once constructed, without behaviour."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cards import Card, Outcome, Rules

MAX_NAME: Final = 32
"""Longest name: what fits into a column of a summary."""

MAX_JOIN_ROUNDS: Final = 10**12
"""Most rounds that a JOIN can ask for: beyond any run, and far from the limits of any language's integers."""

NAME: Final = re.compile(r"[!-~]{1,32}")
"""A name: 1 to 32 printable ASCII characters without blanks."""


@dataclass(frozen=True, slots=True)
class Join:
    """Player: take a seat, for at most so many rounds if a number is given.

    Raises:
        ValueError: for a name or a number that the protocol does not allow.
    """

    name: str
    rounds: int | None = None

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"a name is 1 to {MAX_NAME} printable ASCII characters without blanks")
        if self.rounds is not None and not 1 <= self.rounds <= MAX_JOIN_ROUNDS:
            raise ValueError(f"the number of rounds after the name is 1 to {MAX_JOIN_ROUNDS}")


@dataclass(frozen=True, slots=True)
class Begin:
    """Dealer: a new round starts; the player's hand is empty."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Dealer: a card for this player (CARD on the wire)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Upcard:
    """Dealer: the dealer's upcard (DEALER on the wire)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Ask:
    """Dealer: the dealer waits for HIT or STAND (DECISION on the wire)."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Player: one more card."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Player: no more cards."""


@dataclass(frozen=True, slots=True)
class Result:
    """Dealer: the round is over for this player."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Quit:
    """Dealer: no more rounds; the dealer closes the connection after it."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Player: leave; an open hand is forfeited (QUIT on the wire)."""


@dataclass(frozen=True, slots=True)
class Error:
    """Dealer: the last line was refused, and why. One line of text."""

    text: str


@dataclass(frozen=True, slots=True)
class AskRules:
    """Player: asks for the rules (RULES on the wire)."""


@dataclass(frozen=True, slots=True)
class TellRules:
    """Dealer: the rules (RULES <key>=<value> … on the wire)."""

    rules: Rules


PlayerMessage = Join | Hit | Stand | Leave | AskRules
DealerMessage = Begin | Deal | Upcard | Ask | Result | Quit | Error | TellRules
Message = PlayerMessage | DealerMessage

BEGIN: Final = Begin()
"""The one BEGIN that is ever needed, as of the other messages without a content."""

ASK: Final = Ask()
"""The one DECISION."""

QUIT: Final = Quit()
"""The one QUIT of a dealer."""
