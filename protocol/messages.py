"""The messages of the line protocol: frozen, valid once constructed, without behaviour."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cards import Card, Decision, Outcome, Payoff, Rules
from cards.rules import MAX_CHIPS, MAX_SEATS
from protocol.events import Event
from protocol.names import NAME_FORM, is_name, normal, wire_name

MAX_JOIN_ROUNDS: Final = 10**12
"""Most rounds that a JOIN can ask for: beyond any run, and far from the limits of any language's integers."""

MAX_NAME_TOKEN: Final = 64
"""Longest token of a name."""

MAX_NAME_WITH_TOKEN: Final = 220
"""Longest name together with its token, as both are spelt in a JOIN, so that it fits into a line."""

NAME_TOKEN: Final = re.compile(r"[!-~]{1,64}")
"""The secret that reserves a name: 1 to 64 printable ASCII characters without blanks."""

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")
"""The secret under which a seat is kept: 22 such characters hold 132 bits, too many to guess."""

WORD: Final = re.compile(r"[a-z]+(-[a-z]+)*")
"""The word of a REFUSED, for programs; `protocol.refusals` lists those of this project's dealer."""

MAX_HAND_COUNT: Final = 99
"""Most hands of a player that a HAND can count: far more than any rules allow, and two digits."""

PLAY: Final = (Decision.HIT, Decision.STAND, Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER)
"""The decisions that a hand may be offered, in the order in which a DECISION names them."""

SIDES: Final = ((Decision.INSURE, Decision.DECLINE), (Decision.SURRENDER, Decision.DECLINE))
"""The offers before the hands are played: insurance, and surrender before the dealer peeks."""

MAX_TABLE_NUMBER: Final = 10**9
"""Highest number of a table that a WATCH can name."""

MAX_BACK: Final = 1000
"""Most rounds that a HISTORY can go back: more than a dealer keeps of a table."""


@dataclass(frozen=True, slots=True)
class Message(Event):
    """A message of either side.

    Attributes:
        line: the line of a message that is sent again and again, which `protocol.codec` makes once; empty for
            one that is built in code.
    """

    line: bytes = field(init=False, default=b"", compare=False, repr=False)


class PlayerMessage(Message):
    """A message of a player."""

    __slots__ = ()


class DealerMessage(Message):
    """A message of a dealer."""

    __slots__ = ()


class Answer(PlayerMessage):
    """A player's answer to a question."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Join(PlayerMessage):
    """Player: take a seat, for at most this number of rounds if one is given.

    Attributes:
        name: the player's name, as text; it is brought into Unicode's normal form C.
        rounds: how many rounds there may be; None for no limit.
        token: what shows that the name is the player's own, where a dealer keeps names for their owners.

    Raises:
        ValueError: for a name, a number or a token that the protocol does not allow.
    """

    name: str
    rounds: int | None = None
    token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.name.isascii():
            object.__setattr__(self, "name", normal(self.name))
        if not is_name(self.name):
            raise ValueError(f"a name is {NAME_FORM}")
        if self.rounds is not None and not 1 <= self.rounds <= MAX_JOIN_ROUNDS:
            raise ValueError(f"the number of rounds after the name is 1 to {MAX_JOIN_ROUNDS}")
        if self.token is not None and not NAME_TOKEN.fullmatch(self.token):
            raise ValueError(
                f"the token of a name is 1 to {MAX_NAME_TOKEN} printable ASCII characters without blanks"
            )
        if self.token is not None and len(wire_name(self.name)) + len(self.token) > MAX_NAME_WITH_TOKEN:
            raise ValueError(f"a name and its token are at most {MAX_NAME_WITH_TOKEN} characters together")


class Begin(DealerMessage):
    """Dealer: a new round starts; the player's hand is empty."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CardMessage(DealerMessage):
    """Dealer: a card for this player (CARD on the wire)."""

    card: Card


@dataclass(frozen=True, slots=True)
class DealerCard(DealerMessage):
    """Dealer: the dealer's upcard; at the end, a card that the dealer turns or draws (DEALER on the wire)."""

    card: Card


@dataclass(frozen=True, slots=True)
class DecisionRequest(DealerMessage):
    """Dealer: the dealer waits for a decision (DECISION on the wire).

    Attributes:
        options: exactly what is allowed, in the order of `PLAY`. None at a table without payoffs, where it
            is HIT and STAND.

    Raises:
        ValueError: for anything else.
    """

    options: tuple[Decision, ...] = ()

    def __post_init__(self) -> None:
        if self.options != tuple(decision for decision in PLAY if decision in self.options):
            raise ValueError("the options of a decision are some of HIT, STAND, DOUBLE, SPLIT and SURRENDER")


@dataclass(frozen=True, slots=True)
class SideRequest(DealerMessage):
    """Dealer: the dealer offers insurance, or surrender before it peeks (DECISION on the wire).

    Raises:
        ValueError: for options that are not one of `SIDES`.
    """

    options: tuple[Decision, ...]

    def __post_init__(self) -> None:
        if self.options not in SIDES:
            raise ValueError("what is offered before the hands are played is INSURE or SURRENDER, or DECLINE")


@dataclass(frozen=True, slots=True)
class BetRequest(DealerMessage):
    """Dealer: the dealer waits for the player's bet (DECISION BET on the wire). All three are chips.

    Raises:
        ValueError: unless 1 <= minimum <= maximum <= bankroll.
    """

    minimum: int
    maximum: int
    bankroll: Payoff

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum <= self.bankroll:
            raise ValueError("a bet is asked from 1 chip up to what the bankroll covers")


@dataclass(frozen=True, slots=True)
class HandTurn(DealerMessage):
    """Dealer: the next card and the next question are for this hand (HAND on the wire).

    Attributes:
        hand: the number of the hand, from 0 (on the wire from 1).
        hands: how many the player has.

    Raises:
        ValueError: if there is no such hand.
    """

    hand: int
    hands: int

    def __post_init__(self) -> None:
        _verify_hand(self.hand, self.hands)


@dataclass(frozen=True, slots=True)
class HandResult(DealerMessage):
    """Dealer: how a hand of a player that has split ended, without the insurance (HAND on the wire).

    Attributes:
        hand: the number of the hand, from 0 (on the wire from 1).
        hands: how many the player has.
        outcome: how it ended.
        payoff: in initial bets, or in chips where bets are asked.

    Raises:
        ValueError: if there is no such hand.
    """

    hand: int
    hands: int
    outcome: Outcome
    payoff: Payoff

    def __post_init__(self) -> None:
        _verify_hand(self.hand, self.hands)


class Shuffle(DealerMessage):
    """Dealer: the shoe has been made fresh (at a table with payoffs, where it is kept between rounds)."""

    __slots__ = ()


class Hit(Answer):
    """Player: one more card."""

    __slots__ = ()


class Stand(Answer):
    """Player: no more cards."""

    __slots__ = ()


class Double(Answer):
    """Player: twice the stake, and exactly one more card."""

    __slots__ = ()


class Split(Answer):
    """Player: two hands of this pair."""

    __slots__ = ()


class Surrender(Answer):
    """Player: half the stake is given up, and the hand is over."""

    __slots__ = ()


class Insure(Answer):
    """Player: half the stake on the dealer's natural."""

    __slots__ = ()


class Decline(Answer):
    """Player: no insurance, or no surrender before the dealer peeks."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Bet(Answer):
    """Player: the stake of the next round, in chips.

    Raises:
        ValueError: for a number that cannot be a bet.
    """

    chips: int

    def __post_init__(self) -> None:
        if not 1 <= self.chips <= MAX_CHIPS:
            raise ValueError(f"a bet is 1 to {MAX_CHIPS} chips")


@dataclass(frozen=True, slots=True)
class Result(DealerMessage):
    """Dealer: the round is over for this player.

    Attributes:
        outcome: how it ended.
        payoff: with the insurance, in initial bets, or in chips where bets are asked; None at a table
            without payoffs, where it is the outcome's.
    """

    outcome: Outcome
    payoff: Payoff | None = None


class DealerQuit(DealerMessage):
    """Dealer: no more rounds; the dealer closes the connection after it."""

    __slots__ = ()


class PlayerQuit(PlayerMessage):
    """Player: leave; an open hand is forfeited (QUIT on the wire)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Error(DealerMessage):
    """Dealer: the last line was refused, and why. One line of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Refused(DealerMessage):
    """Dealer: what Error says, to a connection that shows a table: a word for programs before the sentence.

    Raises:
        ValueError: for a word that is not lower-case letters and hyphens.
    """

    word: str
    text: str

    def __post_init__(self) -> None:
        if not WORD.fullmatch(self.word):
            raise ValueError("the word of a refusal is lower-case letters and hyphens")


class Show(PlayerMessage):
    """Player: tell me the dealer's cards before my results, or the others' cards where no dealer plays."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OtherHand(DealerMessage):
    """Dealer: how the hand of another player ended (SEAT on the wire), at a table without a dealer.

    Attributes:
        seat: the number of the seat at the table, from 0 (on the wire from 1).
        name: the player who sits there.
        cards: the whole hand.
    """

    seat: int
    name: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.seat < MAX_SEATS or not is_name(self.name) or not self.cards:
            raise ValueError(f"a hand that is shown has a seat of {MAX_SEATS}, a name and cards")


class Help(PlayerMessage):
    """Player: what may I say now?"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HelpReply(DealerMessage):
    """Dealer: what may be said now (HELP on the wire). One line of text."""

    text: str


class RulesRequest(PlayerMessage):
    """Player: asks for the rules (RULES on the wire)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RulesReply(DealerMessage):
    """Dealer: the rules (RULES <key>=<value> … on the wire)."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class Watch(PlayerMessage):
    """Player: show me a table, by its number, or without one the table that I sit at.

    Raises:
        ValueError: for a number out of range.
    """

    table: int | None = None

    def __post_init__(self) -> None:
        if self.table is not None and not 1 <= self.table <= MAX_TABLE_NUMBER:
            raise ValueError(f"the number of a table is 1 to {MAX_TABLE_NUMBER}")


@dataclass(frozen=True, slots=True)
class TableUpdate(DealerMessage):
    """Dealer: all that the receiver may see of a table, as one JSON object (TABLE on the wire)."""

    json: str


@dataclass(frozen=True, slots=True)
class Open(PlayerMessage):
    """Player: open a table of my own; keys and values as in SPEC.md."""

    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Opened(DealerMessage):
    """Dealer: the table is open, under this number."""

    table: int


class Next(PlayerMessage):
    """Player: the next round may begin; do not wait for the rest of the pause."""

    __slots__ = ()


class Start(PlayerMessage):
    """Player: begin the first round with those who sit here; do not wait for more."""

    __slots__ = ()


class AddBot(PlayerMessage):
    """Player: one of the dealer's own players for a free seat. BOT on the wire."""

    __slots__ = ()


class HintRequest(PlayerMessage):
    """Player: which decision is the better one? HINT on the wire."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HintReply(DealerMessage):
    """Dealer: the best decision, and what the next best costs, in initial bets (HINT on the wire)."""

    decision: Decision
    cost: float


class Reveal(PlayerMessage):
    """Player: show me every card for the rest of the round."""

    __slots__ = ()


class ReviewRequest(PlayerMessage):
    """Player: how did I decide in the round that is over? REVIEW on the wire."""

    __slots__ = ()


class ReviewedDecision(NamedTuple):
    """A decision in a REVIEW: what was decided, what it cost in initial bets, and what was best."""

    decision: Decision
    cost: float
    best: Decision


@dataclass(frozen=True, slots=True)
class ReviewReply(DealerMessage):
    """Dealer: decisions, those that differed from the best, and their cost (REVIEW on the wire).

    The cost is that of all of them together, in initial bets. at a table with payoffs, each follows.
    """

    decisions: int
    differed: int
    cost: float
    each: tuple[ReviewedDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryRequest(PlayerMessage):
    """Player: show me a round again. HISTORY on the wire.

    Attributes:
        back: which round of the table, the last one that is over being 1.

    Raises:
        ValueError: for a number out of range.
    """

    back: int

    def __post_init__(self) -> None:
        if not 1 <= self.back <= MAX_BACK:
            raise ValueError(f"a round of the history is 1, the last one, to {MAX_BACK}")


@dataclass(frozen=True, slots=True)
class HistoryReply(DealerMessage):
    """Dealer: a round that is over, as a line of the history (HISTORY on the wire).

    Attributes:
        back: which round of the table, the last one that is over being 1.
        rounds: how many can be asked for.
        json: the round, as one JSON object.

    Raises:
        ValueError: for numbers out of range.
    """

    back: int
    rounds: int
    json: str

    def __post_init__(self) -> None:
        if not 1 <= self.back <= self.rounds <= MAX_BACK:
            raise ValueError(f"a round of the history is 1 to {MAX_BACK}, and one of those that there are")


class TablesRequest(PlayerMessage):
    """Player: which tables are there? TABLES on the wire."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TablesReply(DealerMessage):
    """Dealer: the open tables, and whether players may open more, as one JSON object (TABLES on the wire)."""

    json: str


@dataclass(frozen=True, slots=True)
class ChartRequest(PlayerMessage):
    """Player: what is every hand of two or three cards worth against this upcard? CHART on the wire.

    Attributes:
        upcard: 2 to 11 (an ace).
        options: the rules, by the keys and values of `Rules.fields`; none for those of the table.

    Raises:
        ValueError: for any other upcard.
    """

    upcard: int
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        _verify_upcard(self.upcard)


@dataclass(frozen=True, slots=True)
class ChartReply(DealerMessage):
    """Dealer: the values of all decisions with these hands, as one JSON object (CHART on the wire).

    Raises:
        ValueError: for an upcard that is not 2 to 11.
    """

    upcard: int
    json: str

    def __post_init__(self) -> None:
        _verify_upcard(self.upcard)


@dataclass(frozen=True, slots=True)
class Keep(PlayerMessage):
    """Player: keep my seat under this token if my connection is lost.

    Raises:
        ValueError: for an invalid token.
    """

    token: str

    def __post_init__(self) -> None:
        _verify_token(self.token)


@dataclass(frozen=True, slots=True)
class Resume(PlayerMessage):
    """Player: give me back the seat that is kept under this token.

    Raises:
        ValueError: for an invalid token.
    """

    token: str

    def __post_init__(self) -> None:
        _verify_token(self.token)


def _verify_hand(hand: int, hands: int) -> None:
    if not 0 <= hand < hands <= MAX_HAND_COUNT:
        raise ValueError(f"there is no hand {hand + 1} of {hands}")


def _verify_upcard(upcard: int) -> None:
    if not 2 <= upcard <= 11:
        raise ValueError("an upcard is 2 to 11, an ace being 11")


def _verify_token(token: str) -> None:
    if not TOKEN.fullmatch(token):
        raise ValueError("a token is 22 to 64 letters, digits, - and _")


PLAYER_KINDS: Final[tuple[type[PlayerMessage], ...]] = (
    Join,
    Hit,
    Stand,
    Double,
    Split,
    Surrender,
    Insure,
    Decline,
    Bet,
    PlayerQuit,
    RulesRequest,
    Show,
    Help,
    Watch,
    Open,
    Next,
    Start,
    AddBot,
    HintRequest,
    Reveal,
    ReviewRequest,
    HistoryRequest,
    TablesRequest,
    ChartRequest,
    Keep,
    Resume,
)
"""The messages of a player, in the order in which sentences name them."""

DEALER_KINDS: Final[tuple[type[DealerMessage], ...]] = (
    Begin,
    Shuffle,
    CardMessage,
    DealerCard,
    OtherHand,
    BetRequest,
    SideRequest,
    HandTurn,
    DecisionRequest,
    HandResult,
    Result,
    DealerQuit,
    Error,
    Refused,
    HelpReply,
    RulesReply,
    TableUpdate,
    Opened,
    HintReply,
    ReviewReply,
    HistoryReply,
    TablesReply,
    ChartReply,
)
"""The messages of a dealer, in the same order."""

Question = DecisionRequest | SideRequest | BetRequest
"""A dealer's question, whose answer it waits for."""

BEGIN: Final = Begin()
"""The one BEGIN that is ever needed, as of the other messages without a content."""

ASK: Final = DecisionRequest()
"""The one DECISION of a table without payoffs."""

SHUFFLE: Final = Shuffle()
"""The one SHUFFLE."""

QUIT: Final = DealerQuit()
"""The one QUIT of a dealer."""

ANSWERS: Final[Mapping[Decision, Answer]] = {
    Decision.HIT: Hit(),
    Decision.STAND: Stand(),
    Decision.DOUBLE: Double(),
    Decision.SPLIT: Split(),
    Decision.SURRENDER: Surrender(),
    Decision.INSURE: Insure(),
    Decision.DECLINE: Decline(),
}
"""The answers to a DECISION."""

RULES_TIMEOUT: Final = 2.0
"""Seconds that a player gives a dealer to answer RULES; one that does not know it may not answer at all."""
