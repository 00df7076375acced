"""Between messages and lines of text: the only place that knows how anything is spelt.

A line is bytes without its end. What a player sends is read in any case and with blanks around it,
because people type it; what a dealer sends is read as it is written here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from cards import CARDS, Decision, Outcome, RulesError, parse_card, rules_stated
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    ANSWERS,
    ASK,
    BEGIN,
    MAX_TABLE_NUMBER,
    QUIT,
    Begin,
    CardMessage,
    DealerCard,
    DealerMessage,
    DealerQuit,
    DecisionRequest,
    Error,
    HintReply,
    HintRequest,
    Hit,
    Join,
    Keep,
    Message,
    Next,
    Open,
    Opened,
    PlayerMessage,
    PlayerQuit,
    Refused,
    Result,
    Resume,
    Reveal,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    Stand,
    TableUpdate,
    Watch,
)

SHOWN: Final = 40
"""How many characters of a refused line are quoted back."""

MAX_DIGITS: Final = 15
"""A longer number is refused before it is read: converting digits costs the square of their count."""

COST_DIGITS: Final = 6
"""Decimals of a cost: a millionth of a bet is nobody's luck."""

FORMS: Final[dict[type[Message], str]] = {
    Join: "JOIN <name> [<rounds>]",
    Hit: "HIT",
    Stand: "STAND",
    PlayerQuit: "QUIT",
    RulesRequest: "RULES",
    Begin: "BEGIN",
    CardMessage: "CARD <Rank> of <Suit>",
    DealerCard: "DEALER <Rank> of <Suit>",
    DecisionRequest: "DECISION",
    Result: "RESULT WIN, LOOSE, PUSH or BUST",
    DealerQuit: "QUIT",
    Error: "ERROR <text>",
    Refused: "REFUSED <word> <text>",
    RulesReply: "RULES <key>=<value> ...",
    Watch: "WATCH [<table>]",
    TableUpdate: "TABLE <json>",
    Open: "OPEN [<key>=<value> ...]",
    Opened: "OPENED <table>",
    Next: "NEXT",
    HintRequest: "HINT",
    HintReply: "HINT HIT or STAND <cost>",
    Reveal: "REVEAL",
    ReviewRequest: "REVIEW",
    ReviewReply: "REVIEW <decisions> <differed> <cost>",
    Keep: "KEEP <token>",
    Resume: "RESUME <token>",
}
"""What each message looks like, for sentences and documents."""

_OUTCOMES: Final = {
    "WIN": Outcome.WIN,
    "LOOSE": Outcome.LOSE,  # the historical spelling, and the one that is sent
    "PUSH": Outcome.PUSH,
    "BUST": Outcome.BUST,
    "LOSE": Outcome.LOSE,
    "SURRENDER": Outcome.SURRENDER,
}
RESULT_WORDS: Final = {
    outcome: next(text for text, named in _OUTCOMES.items() if named is outcome) for outcome in Outcome
}
"""How each outcome is spelt in a RESULT."""

_DEALER_VERBS: Final = (
    "BEGIN",
    "CARD",
    "DEALER",
    "DECISION",
    "RESULT",
    "ERROR",
    "REFUSED",
    "TABLE",
    "OPENED",
)

DEALS: Final = tuple(CardMessage(card) for card in CARDS)
"""The CARD message of each card, at the card's index."""

UPCARDS: Final = tuple(DealerCard(card) for card in CARDS)
"""The DEALER message of each card, at the card's index."""

RESULTS: Final = {outcome: Result(outcome) for outcome in Outcome}
"""The RESULT message of each outcome."""

_TOKEN_KEY: Final = "token="
"""What the last word of a JOIN begins with, if it is the token of the name."""

_DEAL_LINES: Final = tuple(f"CARD {card}".encode() for card in CARDS)
_UPCARD_LINES: Final = tuple(f"DEALER {card}".encode() for card in CARDS)
_RESULT_LINES: Final = {outcome: f"RESULT {text}".encode() for outcome, text in RESULT_WORDS.items()}


def _join_line(message: Join) -> bytes:
    rounds = "" if message.rounds is None else f" {message.rounds}"
    token = "" if message.token is None else f" {_TOKEN_KEY}{message.token}"
    return f"JOIN {message.name}{rounds}{token}".encode()


def _watch_line(message: Watch) -> bytes:
    return b"WATCH" if message.table is None else f"WATCH {message.table}".encode()


@lru_cache(maxsize=16)  # the same snapshot goes to everybody who watches
def _table_line(json: str) -> bytes:
    return f"TABLE {json}".encode()


def _open_line(message: Open) -> bytes:
    return " ".join(["OPEN", *(f"{key}={value}" for key, value in message.options)]).encode()


_ENCODERS: Final[dict[type[Message], Callable[..., bytes]]] = {
    Join: _join_line,
    Begin: lambda _: b"BEGIN",
    CardMessage: lambda message: _DEAL_LINES[message.card.index],
    DealerCard: lambda message: _UPCARD_LINES[message.card.index],
    DecisionRequest: lambda _: b"DECISION",
    Hit: lambda _: b"HIT",
    Stand: lambda _: b"STAND",
    Result: lambda message: _RESULT_LINES[message.outcome],
    DealerQuit: lambda _: b"QUIT",
    PlayerQuit: lambda _: b"QUIT",
    Error: lambda message: f"ERROR {message.text}".encode(),
    Refused: lambda message: f"REFUSED {message.word} {message.text}".encode(),
    RulesRequest: lambda _: b"RULES",
    RulesReply: lambda message: f"RULES {message.rules}".encode(),
    Watch: _watch_line,
    TableUpdate: lambda message: _table_line(message.json),
    Open: _open_line,
    Opened: lambda message: f"OPENED {message.table}".encode(),
    Next: lambda _: b"NEXT",
    HintRequest: lambda _: b"HINT",
    HintReply: lambda message: f"HINT {message.decision.value} {message.cost:.{COST_DIGITS}f}".encode(),
    Reveal: lambda _: b"REVEAL",
    ReviewRequest: lambda _: b"REVIEW",
    ReviewReply: lambda message: (
        f"REVIEW {message.decisions} {message.differed} {message.cost:.{COST_DIGITS}f}".encode()
    ),
    Keep: lambda message: f"KEEP {message.token}".encode(),
    Resume: lambda message: f"RESUME {message.token}".encode(),
}


def encode(message: Message) -> bytes:
    """The line of a message, without an end."""
    return _ENCODERS[type(message)](message)


_PLAIN: Final[tuple[PlayerMessage, ...]] = (
    Hit(),
    Stand(),
    PlayerQuit(),
    RulesRequest(),
    Next(),
    HintRequest(),
    Reveal(),
    ReviewRequest(),
)
PLAYER_MESSAGES: Final = {encode(message): message for message in _PLAIN}
"""The messages of a player without arguments, by their lines: nearly all that it says."""

_FIXED: Final[tuple[DealerMessage, ...]] = (BEGIN, ASK, QUIT, *DEALS, *UPCARDS, *RESULTS.values())
for _message in (*_FIXED, *ANSWERS.values()):
    object.__setattr__(_message, "line", encode(_message))

DEALER_MESSAGES: Final = {encode(message): message for message in _FIXED} | {
    b"RESULT LOSE": RESULTS[Outcome.LOSE]
}
"""The same messages by their lines."""


def decode_player(line: bytes) -> PlayerMessage | None:
    """The message of a line that a player sent; None for an empty one.

    Raises:
        RemoteProtocolError: if the line is not a message; the text says what is wrong.
    """
    if message := PLAYER_MESSAGES.get(line):
        return message
    words = _text(line).split()
    if not words:
        return None
    verb = words[0].upper() if words[0].isascii() else words[0]  # some letters have an S as their upper case
    if reader := _WITH_ARGUMENTS.get(verb):
        return reader(words[1:])
    if message := PLAYER_MESSAGES.get(verb.encode()):
        if len(words) > 1:
            raise RemoteProtocolError(f"{verb} takes no arguments")
        return message
    if verb in _DEALER_VERBS:
        raise RemoteProtocolError(f"{verb} is for a dealer to send")
    raise RemoteProtocolError(f"unknown message {quoted(line)}")


def decode_dealer(line: bytes) -> DealerMessage | None:
    """The message of a line that a dealer sent; None for an empty one.

    Raises:
        RemoteProtocolError: if the line is not a message; the text says what is wrong.
    """
    if message := DEALER_MESSAGES.get(line):
        return message
    text = _text(line).strip()
    if not text:
        return None
    if message := DEALER_MESSAGES.get(text.encode()):
        return message
    verb, _, rest = text.partition(" ")
    match verb:
        case "ERROR":
            return Error(_printable(rest.strip()))
        case "REFUSED":
            return _refused(rest)
        case "RULES":
            return _rules(rest)
        case "CARD" | "DEALER":
            return _card(verb, rest)
        case "TABLE":
            return _table(rest)
        case "OPENED":
            return Opened(_table_number(rest))
        case "HINT":
            return _hint(rest)
        case "REVIEW":
            return _review(rest)
        case "RESULT":
            raise RemoteProtocolError(f"{quoted(line)} is not a result: expected WIN, LOOSE, PUSH or BUST")
    raise RemoteProtocolError(f"{quoted(line)} is not a message of a dealer")


def quoted(line: bytes) -> str:
    """The beginning of a line as printable ASCII, in quotes, whatever bytes it contains."""
    text = ascii(line[: SHOWN + 1].decode("utf-8", "replace"))
    return text if len(line) <= SHOWN else f"{text} and more"


def _printable(text: str) -> str:
    """A text that does nothing to a terminal but appear on it."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _text(line: bytes) -> str:
    if b"\n" in line or b"\0" in line:  # possible in a WebSocket frame only
        raise RemoteProtocolError(f"{quoted(line)} is more than one message")
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise RemoteProtocolError(f"{quoted(line)} is not UTF-8 text") from None


def _join(words: list[str]) -> Join:
    token = None
    if len(words) > 1 and words[-1].startswith(_TOKEN_KEY):
        *words, last = words
        token = last.removeprefix(_TOKEN_KEY)
    if not 1 <= len(words) <= 2:
        raise RemoteProtocolError("JOIN takes a name without blanks, and perhaps a number of rounds")
    name, *rest = words
    if rest and not re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", rest[0]):
        raise RemoteProtocolError(f"{quoted(rest[0].encode())} is not a number of rounds")
    try:
        return Join(name, int(rest[0]) if rest else None, token)
    except ValueError as error:
        raise RemoteProtocolError(str(error)) from None


def _card(verb: str, text: str) -> CardMessage | DealerCard:
    try:
        card = parse_card(text)
    except ValueError as error:
        raise RemoteProtocolError(f"{verb}: {error}") from None
    return DEALS[card.index] if verb == "CARD" else UPCARDS[card.index]


def _refused(text: str) -> Refused:
    word, _, sentence = text.partition(" ")
    try:
        return Refused(word, _printable(sentence.strip()))
    except ValueError as error:
        raise RemoteProtocolError(f"REFUSED: {error}") from None


def _rules(text: str) -> RulesReply:
    fields = dict(word.split("=", 1) for word in text.split() if "=" in word)
    try:
        return RulesReply(rules_stated(fields))
    except RulesError as error:
        raise RemoteProtocolError(f"RULES: {error}") from None


def _watch(words: list[str]) -> Watch:
    if len(words) > 1:
        raise RemoteProtocolError("WATCH takes the number of a table, or nothing")
    return Watch(_table_number(words[0]) if words else None)


def _open(words: list[str]) -> Open:
    for word in words:
        if not re.fullmatch(r"[a-z-]+=[!-~]+", word):
            raise RemoteProtocolError(f"{quoted(word.encode())} is not <key>=<value>")
    return Open(tuple((key, value) for key, _, value in (word.partition("=") for word in words)))


def _token(kind: Callable[[str], Keep | Resume], words: list[str]) -> Keep | Resume:
    if len(words) != 1:
        raise RemoteProtocolError("expected one token after the verb")
    try:
        return kind(words[0])
    except ValueError as error:
        raise RemoteProtocolError(str(error)) from None


_WITH_ARGUMENTS: Final[dict[str, Callable[[list[str]], PlayerMessage]]] = {
    "JOIN": _join,
    "WATCH": _watch,
    "OPEN": _open,
    "KEEP": partial(_token, Keep),
    "RESUME": partial(_token, Resume),
}


def _table_number(text: str) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", text) or not 1 <= int(text) <= MAX_TABLE_NUMBER:
        raise RemoteProtocolError(f"{quoted(text.encode())} is not the number of a table")
    return int(text)


def _table(text: str) -> TableUpdate:
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    if not is_object:
        raise RemoteProtocolError(f"TABLE: {quoted(text.encode())} is not a JSON object")
    return TableUpdate(text)


def _hint(text: str) -> HintReply:
    decision, _, cost = text.partition(" ")
    if decision not in ("HIT", "STAND"):
        raise RemoteProtocolError(f"HINT: {quoted(text.encode())} does not begin with HIT or STAND")
    return HintReply(Decision(decision), _cost("HINT", cost))


def _review(text: str) -> ReviewReply:
    words = text.split()
    if len(words) != 3 or not all(re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", word) for word in words[:2]):
        raise RemoteProtocolError(f"REVIEW: {quoted(text.encode())} is not two counts and a cost")
    return ReviewReply(int(words[0]), int(words[1]), _cost("REVIEW", words[2]))


def _cost(verb: str, text: str) -> float:
    if not re.fullmatch(rf"[0-9]{{1,9}}(\.[0-9]{{1,{COST_DIGITS}}})?", text):
        raise RemoteProtocolError(f"{verb}: {quoted(text.encode())} is not a cost")
    return float(text)
