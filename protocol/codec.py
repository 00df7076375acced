"""Between messages and lines of text: the only place that knows how anything is spelt.

A line is bytes without its end. What a player sends is read in any case and with blanks around it,
because people type it; what a dealer sends is read as it is written here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import combinations
from typing import Final, NamedTuple

from cards import CARDS, Card, Decision, Outcome, Payoff, RulesError, parse_card, rules_stated
from protocol import messages as m
from protocol.amounts import chips_text, parse_payoff, payoff_text
from protocol.errors import RemoteProtocolError
from protocol.messages import DEALER_KINDS, PLAYER_KINDS, DealerMessage, Message, PlayerMessage
from protocol.names import MAX_WIRE_NAME, NAME_FORM, is_name, name_of, normal, wire_name

SHOWN: Final = 40
"""Characters of a refused line that are quoted back."""

MAX_DIGITS: Final = 15
"""A longer number is refused before it is read: converting digits costs the square of their count."""

MAX_CHIP_DIGITS: Final = 13
"""Digits of the largest bet."""

COST_DIGITS: Final = 6
"""Decimals of a cost: less than a millionth of a bet makes no difference."""

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
"""The spelling of each outcome in a RESULT."""

_ENDS: Final = "WIN, LOOSE, PUSH, BUST or SURRENDER"

DEALS: Final = tuple(m.CardMessage(card) for card in CARDS)
"""The CARD message of each card, at the card's index."""

UPCARDS: Final = tuple(m.DealerCard(card) for card in CARDS)
"""The DEALER message of each card, at the card's index."""

RESULTS: Final = {outcome: m.Result(outcome) for outcome in Outcome}
"""The RESULT message of each outcome, at a table without payoffs."""

_ASKED: Final[dict[tuple[Decision, ...], m.DecisionRequest | m.SideRequest]] = {
    (): m.ASK,
    **{
        options: m.DecisionRequest(options)
        for number in range(1, len(m.PLAY) + 1)
        for options in combinations(m.PLAY, number)
    },
    **{options: m.SideRequest(options) for options in m.SIDES},
}


def ask(options: tuple[Decision, ...]) -> m.DecisionRequest | m.SideRequest:
    """The question for these options, ready-made.

    Raises:
        KeyError: for options that are no question, or stand in another order than on the wire.
    """
    return _ASKED[options]


_TOKEN_KEY: Final = "token="
"""The beginning of the last word of a JOIN, if that is the token of the name."""

_JOIN_WITH_TOKEN: Final = f"JOIN <name> [<rounds>] [{_TOKEN_KEY}<token>]"

_SECRET: Final = re.compile(rb"(token=|^\s*(?:keep|resume)\s+)\S+", re.IGNORECASE)
"""A token, of a name or of a kept seat, and what it comes after."""

_DEAL_LINES: Final = tuple(f"CARD {card}".encode() for card in CARDS)
_UPCARD_LINES: Final = tuple(f"DEALER {card}".encode() for card in CARDS)
_RESULT_LINES: Final = {outcome: f"RESULT {text}".encode() for outcome, text in RESULT_WORDS.items()}


def _join_line(message: m.Join) -> bytes:
    rounds = "" if message.rounds is None else f" {message.rounds}"
    token = "" if message.token is None else f" {_TOKEN_KEY}{message.token}"
    return f"JOIN {wire_name(message.name)}{rounds}{token}".encode()


@lru_cache(maxsize=1024)  # few payoffs are frequent
def _result_line(message: m.Result) -> bytes:
    line = _RESULT_LINES[message.outcome]
    return line if message.payoff is None else line + f" {payoff_text(message.payoff)}".encode()


def _hand_result_line(message: m.HandResult) -> bytes:
    outcome = RESULT_WORDS[message.outcome]
    payoff = payoff_text(message.payoff)
    return f"HAND {message.hand + 1} {message.hands} {outcome} {payoff}".encode()


def _decision_line(message: m.DecisionRequest | m.SideRequest) -> bytes:
    return " ".join(["DECISION", *(decision.value for decision in message.options)]).encode()


def _bet_request_line(message: m.BetRequest) -> bytes:
    return f"DECISION BET {message.minimum} {message.maximum} {chips_text(message.bankroll)}".encode()


def _other_hand_line(message: m.OtherHand) -> bytes:
    cards = ", ".join(map(str, message.cards))
    return f"SEAT {message.seat + 1} {wire_name(message.name)} {cards}".encode()


def _watch_line(message: m.Watch) -> bytes:
    return b"WATCH" if message.table is None else f"WATCH {message.table}".encode()


@lru_cache(maxsize=16)  # the same snapshot goes to everybody who watches
def _table_line(json: str) -> bytes:
    return f"TABLE {json}".encode()


def _review_line(message: m.ReviewReply) -> bytes:
    words = [f"REVIEW {message.decisions} {message.differed} {message.cost:.{COST_DIGITS}f}"]
    words += [f"{each.decision.value} {each.cost:.{COST_DIGITS}f} {each.best.value}" for each in message.each]
    return " ".join(words).encode()


def _open_line(message: m.Open) -> bytes:
    return _with_options("OPEN", message.options)


def _chart_line(message: m.ChartRequest) -> bytes:
    return _with_options(f"CHART {message.upcard}", message.options)


def _with_options(start: str, options: tuple[tuple[str, str], ...]) -> bytes:
    return " ".join([start, *(f"{key}={value}" for key, value in options)]).encode()


class Spelling(NamedTuple):
    """The spelling of a kind of message.

    Attributes:
        form: its form, for sentences and documents.
        line: makes the line of such a message.
    """

    form: str
    line: Callable[..., bytes]


def _word(word: str) -> Spelling:
    """The spelling of a message without arguments."""
    line = word.encode()
    return Spelling(word, lambda _: line)


_SPELLINGS: Final[Mapping[type[Message], Spelling]] = {
    m.Join: Spelling("JOIN <name> [<rounds>]", _join_line),
    m.Hit: _word("HIT"),
    m.Stand: _word("STAND"),
    m.Double: _word("DOUBLE"),
    m.Split: _word("SPLIT"),
    m.Surrender: _word("SURRENDER"),
    m.Insure: _word("INSURE"),
    m.Decline: _word("DECLINE"),
    m.Bet: Spelling("BET <chips>", lambda message: f"BET {message.chips}".encode()),
    m.PlayerQuit: _word("QUIT"),
    m.RulesRequest: _word("RULES"),
    m.Show: _word("SHOW"),
    m.Help: _word("HELP"),
    m.Begin: _word("BEGIN"),
    m.Shuffle: _word("SHUFFLE"),
    m.CardMessage: Spelling("CARD <Rank> of <Suit>", lambda message: _DEAL_LINES[message.card.index]),
    m.DealerCard: Spelling("DEALER <Rank> of <Suit>", lambda message: _UPCARD_LINES[message.card.index]),
    m.OtherHand: Spelling("SEAT <k> <name> <Rank> of <Suit>, ...", _other_hand_line),
    m.BetRequest: Spelling("DECISION BET <min> <max> <bankroll>", _bet_request_line),
    m.SideRequest: Spelling("DECISION <decision> DECLINE", _decision_line),
    m.HandTurn: Spelling("HAND <k> <n>", lambda message: f"HAND {message.hand + 1} {message.hands}".encode()),
    m.DecisionRequest: Spelling("DECISION", _decision_line),
    m.HandResult: Spelling("HAND <k> <n> <outcome> <payoff>", _hand_result_line),
    m.Result: Spelling(f"RESULT {_ENDS}", _result_line),
    m.DealerQuit: _word("QUIT"),
    m.Error: Spelling("ERROR <text>", lambda message: f"ERROR {message.text}".encode()),
    m.Refused: Spelling(
        "REFUSED <word> <text>", lambda message: f"REFUSED {message.word} {message.text}".encode()
    ),
    m.HelpReply: Spelling("HELP <text>", lambda message: f"HELP {message.text}".encode()),
    m.RulesReply: Spelling("RULES <key>=<value> ...", lambda message: f"RULES {message.rules}".encode()),
    m.Watch: Spelling("WATCH [<table>]", _watch_line),
    m.TableUpdate: Spelling("TABLE <json>", lambda message: _table_line(message.json)),
    m.Open: Spelling("OPEN [<key>=<value> ...]", _open_line),
    m.Opened: Spelling("OPENED <table>", lambda message: f"OPENED {message.table}".encode()),
    m.Next: _word("NEXT"),
    m.Start: _word("START"),
    m.AddBot: _word("BOT"),
    m.HintRequest: _word("HINT"),
    m.HintReply: Spelling(
        "HINT <decision> <cost>",
        lambda message: f"HINT {message.decision.value} {message.cost:.{COST_DIGITS}f}".encode(),
    ),
    m.Reveal: _word("REVEAL"),
    m.ReviewRequest: _word("REVIEW"),
    m.ReviewReply: Spelling(
        "REVIEW <decisions> <differed> <cost> [<decision> <cost> <best> ...]", _review_line
    ),
    m.HistoryRequest: Spelling("HISTORY <k>", lambda message: f"HISTORY {message.back}".encode()),
    m.HistoryReply: Spelling(
        "HISTORY <k> <of> <json>",
        lambda message: f"HISTORY {message.back} {message.rounds} {message.json}".encode(),
    ),
    m.TablesRequest: _word("TABLES"),
    m.TablesReply: Spelling("TABLES <json>", lambda message: f"TABLES {message.json}".encode()),
    m.ChartRequest: Spelling("CHART <upcard> [<key>=<value> ...]", _chart_line),
    m.ChartReply: Spelling(
        "CHART <upcard> <json>", lambda message: f"CHART {message.upcard} {message.json}".encode()
    ),
    m.Keep: Spelling("KEEP <token>", lambda message: f"KEEP {message.token}".encode()),
    m.Resume: Spelling("RESUME <token>", lambda message: f"RESUME {message.token}".encode()),
}
"""The spelling of each message."""

FORMS: Final = {kind: spelling.form for kind, spelling in _SPELLINGS.items()}
"""The form of each message, for sentences and documents."""


def _verbs(kinds: Iterable[type[Message]]) -> set[str]:
    return {FORMS[kind].split()[0] for kind in kinds}


_DEALER_VERBS: Final = _verbs(DEALER_KINDS) - _verbs(PLAYER_KINDS)
"""The verbs that only a dealer sends."""


def encode(message: Message) -> bytes:
    """The line of a message, without an end."""
    return _SPELLINGS[type(message)].line(message)


_PLAIN: Final[tuple[PlayerMessage, ...]] = (
    *m.ANSWERS.values(),
    m.PlayerQuit(),
    m.RulesRequest(),
    m.Show(),
    m.Help(),
    m.Next(),
    m.Start(),
    m.AddBot(),
    m.HintRequest(),
    m.Reveal(),
    m.ReviewRequest(),
    m.TablesRequest(),
)
PLAYER_MESSAGES: Final = {encode(message): message for message in _PLAIN}
"""The messages of a player without arguments, by their lines: nearly all that it says."""

TYPED: Final[dict[str, PlayerMessage]] = {
    "H": m.ANSWERS[Decision.HIT],
    "S": m.ANSWERS[Decision.STAND],
    "D": m.ANSWERS[Decision.DOUBLE],
    "P": m.ANSWERS[Decision.SPLIT],
    "R": m.ANSWERS[Decision.SURRENDER],
    "I": m.ANSWERS[Decision.INSURE],
    "Q": m.PlayerQuit(),
}
"""The short forms that people may type, where messages are lines."""

_FIXED: Final[tuple[DealerMessage, ...]] = (
    m.BEGIN,
    m.QUIT,
    m.SHUFFLE,
    *_ASKED.values(),
    *DEALS,
    *UPCARDS,
    *RESULTS.values(),
)
# Without these lines a round of `course` takes a dealer 6 % longer (of 50 us without sockets).
for _message in (*_FIXED, *m.ANSWERS.values()):
    object.__setattr__(_message, "line", encode(_message))

DEALER_MESSAGES: Final[Mapping[object, DealerMessage]] = {
    **{encode(message): message for message in _FIXED},
    b"RESULT LOSE": RESULTS[Outcome.LOSE],
}
"""The same messages by their lines."""


def decode_player(line: bytes, *, is_typed: bool = False) -> PlayerMessage | None:
    """The message of a line that a player sent; None for an empty one.

    Args:
        line: the line.
        is_typed: whether the short words of people are understood too.

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
    if message := _message_of(verb, is_typed=is_typed):
        if len(words) > 1:
            raise RemoteProtocolError(f"{verb} takes no arguments")
        return message
    if verb in _DEALER_VERBS:
        raise RemoteProtocolError(f"{verb} is for a dealer to send")
    raise RemoteProtocolError(f"unknown message {quoted(line)}")


def _message_of(verb: str, *, is_typed: bool) -> PlayerMessage | None:
    """The message without arguments that a verb is."""
    if verb == "?":
        return m.Help()
    return PLAYER_MESSAGES.get(verb.encode()) or (TYPED.get(verb) if is_typed else None)


def decode_dealer(line: bytes) -> DealerMessage | None:
    """The message of a line that a dealer sent; None for an empty one, and for an unknown verb.

    Unknown trailing words are ignored, so that newer dealers can add some.

    Raises:
        RemoteProtocolError: if the line is not a message; the text says what is wrong.
    """
    if message := DEALER_MESSAGES.get(line):
        return message
    text = _text(line).strip()
    verb, _, rest = text.partition(" ")
    if reader := _OF_A_TEXT.get(verb):
        return reader(rest)
    if reader_of_words := _OF_WORDS.get(verb):
        return reader_of_words(rest.split())
    if message := DEALER_MESSAGES.get(verb.encode()):
        return message
    if verb in _PLAYER_VERBS or not re.fullmatch(r"[A-Z]*", verb):
        raise RemoteProtocolError(f"{quoted(line)} is not a message of a dealer")
    return None


def without_token(line: bytes) -> bytes:
    """A line as it may be shown and noted: a token in it stands as `...`, for it is its owner's alone."""
    return _SECRET.sub(rb"\1...", line)


def quoted(line: bytes) -> str:
    """The beginning of a line as printable ASCII, in quotes, whatever bytes it contains, without a token."""
    line = without_token(line)
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


def _join(words: list[str]) -> m.Join:
    try:
        return _join_of(words)
    except ValueError as error:
        fault = str(error)
    if any(word.lower().startswith(_TOKEN_KEY) for word in words[1:]):
        fault = f"{fault}: expected {_JOIN_WITH_TOKEN}"
    raise RemoteProtocolError(fault)


def _join_of(words: list[str]) -> m.Join:
    """The JOIN of these words; a `ValueError` says what is wrong with them."""
    token = None
    if len(words) > 1 and words[-1].startswith(_TOKEN_KEY):
        *words, last = words
        token = last.removeprefix(_TOKEN_KEY)
    elif any(word.startswith(_TOKEN_KEY) for word in words[1:]):
        raise ValueError("the token of a name is the last word of a JOIN")
    if not words:
        raise ValueError("JOIN takes a name without blanks, and perhaps a number of rounds")
    name, *rest = words
    if len(rest) > 1 or (rest and not _is_count(rest[0])):
        raise ValueError(f"{_told_rounds(rest)}{_typed_blank(words)}")
    return m.Join(_name(name), int(rest[0]) if rest else None, token)


def _is_count(word: str) -> bool:
    return re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", word) is not None


def _told_rounds(rest: list[str]) -> str:
    """The fault in the words after a name."""
    if len(rest) > 1:
        return "JOIN takes a name without blanks, and perhaps a number of rounds"
    return f"{quoted(rest[0].encode())} is not a number of rounds"


def _typed_blank(words: list[str]) -> str:
    """The hint for a name whose blanks were typed as they are; nothing if this is no name."""
    rounds = words[-1:] if _is_count(words[-1]) else []
    parts = words[: len(words) - len(rounds)]
    name = normal(" ".join(parts)).strip("\"'")
    has_token = any(word.lower().startswith(_TOKEN_KEY) for word in parts)
    if len(parts) < 2 or has_token or not parts[1].strip("\"'")[:1].isalpha() or not is_name(name):
        return ""
    return f"; a blank in a name is typed as %20, as in {' '.join(['JOIN', wire_name(name), *rounds])}"


def _name(word: str) -> str:
    """The name that a word spells; a `ValueError` says what a name is."""
    name = name_of(word)
    if name is None:
        raise ValueError(f"a name is {NAME_FORM}; {_spelling(word)}")
    return name


def _spelling(word: str) -> str:
    """The hint: this name encoded, or how names are encoded."""
    text = normal(word)
    if not text.isascii() and is_name(text):
        return f"this one is spelt {wire_name(text)} here"
    return f"a blank is spelt %20 here, other letters so too, and all in {MAX_WIRE_NAME} characters at most"


def _bet(words: list[str]) -> m.Bet:
    if len(words) != 1 or not re.fullmatch(rf"[1-9][0-9]{{0,{MAX_CHIP_DIGITS - 1}}}", words[0]):
        raise RemoteProtocolError("BET takes a whole number of chips, in digits, without a leading zero")
    try:
        return m.Bet(int(words[0]))
    except ValueError as error:
        raise RemoteProtocolError(str(error)) from None


def _card(verb: str, text: str) -> Card:
    try:
        return parse_card(text)
    except ValueError as error:
        raise RemoteProtocolError(f"{verb}: {error}") from None


CARD_WORDS: Final = 3
"""Words of a card: `Ten of Spades`."""


def _card_dealt(words: list[str]) -> m.CardMessage:
    return DEALS[_card("CARD", " ".join(words[:CARD_WORDS])).index]


def _dealers_card(words: list[str]) -> m.DealerCard:
    return UPCARDS[_card("DEALER", " ".join(words[:CARD_WORDS])).index]


def _other_hand(text: str) -> m.OtherHand:
    seat, _, rest = text.partition(" ")
    name, _, cards = rest.partition(" ")
    if not re.fullmatch(r"[1-9]", seat):
        raise RemoteProtocolError(f"SEAT: {quoted(seat.encode())} is not the number of a seat")
    try:
        shown = tuple(_card("SEAT", card) for card in cards.split(", "))
        return m.OtherHand(int(seat) - 1, name_of(name) or "", shown)
    except ValueError as error:
        raise RemoteProtocolError(f"SEAT: {error}") from None


def _decision(words: list[str]) -> DealerMessage:
    """A question; unknown options are ignored, possibly leaving a bare DECISION."""
    if words[:1] == ["BET"]:
        return _bet_request(words[1:])
    known = [Decision(word) for word in words if word in _DECISIONS]
    for side in m.SIDES:
        if Decision.DECLINE in known and side[0] in known:
            return ask(side)
    return ask(tuple(decision for decision in m.PLAY if decision in known))


_DECISIONS: Final = frozenset(decision.value for decision in Decision)


def _bet_request(words: list[str]) -> m.BetRequest:
    text = " ".join(words[:3])
    try:
        if not re.fullmatch(rf"([0-9]{{1,{MAX_CHIP_DIGITS}}} ){{2}}[0-9.]+", text):
            raise ValueError(text)
        return m.BetRequest(int(words[0]), int(words[1]), parse_payoff(words[2]))
    except ValueError:
        sentence = f"DECISION BET: {quoted(text.encode())} is not the least bet, the largest and the bankroll"
        raise RemoteProtocolError(sentence) from None


def _hand(words: list[str]) -> m.HandTurn | m.HandResult:
    if len(words) < 2 or not all(re.fullmatch(r"[1-9][0-9]?", word) for word in words[:2]):
        text = quoted(" ".join(words).encode())
        raise RemoteProtocolError(f"HAND: {text} is not the number of a hand, and how many there are")
    hand, hands = int(words[0]) - 1, int(words[1])
    if hand >= hands:
        raise RemoteProtocolError(f"HAND: there is no hand {hand + 1} of {hands}")
    outcome = _OUTCOMES.get("".join(words[2:3]))
    if outcome is None:
        return m.HandTurn(hand, hands)
    return m.HandResult(hand, hands, outcome, _payoff("HAND", "".join(words[3:4])))


def _result(words: list[str]) -> m.Result:
    if not words or words[0] not in _OUTCOMES:
        text = quoted(" ".join(["RESULT", *words]).encode())
        raise RemoteProtocolError(f"{text} is not a result: expected {_ENDS}")
    outcome = _OUTCOMES[words[0]]
    if len(words) == 1 or not re.match(r"[+-]|[0-9]", words[1]):
        return RESULTS[outcome]
    return m.Result(outcome, _payoff("RESULT", words[1]))


def _payoff(verb: str, text: str) -> Payoff:
    try:
        return parse_payoff(text)
    except ValueError as error:
        raise RemoteProtocolError(f"{verb}: {error}") from None


def _refused(text: str) -> m.Refused:
    word, _, sentence = text.partition(" ")
    try:
        return m.Refused(word, _printable(sentence.strip()))
    except ValueError as error:
        raise RemoteProtocolError(f"REFUSED: {error}") from None


def _rules(text: str) -> m.RulesReply:
    fields = dict(word.split("=", 1) for word in text.split() if "=" in word)
    try:
        return m.RulesReply(rules_stated(fields))
    except RulesError as error:
        raise RemoteProtocolError(f"RULES: {error}") from None


def _watch(words: list[str]) -> m.Watch:
    if len(words) > 1:
        raise RemoteProtocolError("WATCH takes the number of a table, or nothing")
    return m.Watch(_table_number(words[0]) if words else None)


def _open(words: list[str]) -> m.Open:
    return m.Open(_options(words))


def _options(words: list[str]) -> tuple[tuple[str, str], ...]:
    for word in words:
        if not re.fullmatch(r"[a-z-]+=[!-~]+", word):
            raise RemoteProtocolError(f"{quoted(word.encode())} is not <key>=<value>")
    return tuple((key, value) for key, _, value in (word.partition("=") for word in words))


def _chart_request(words: list[str]) -> m.ChartRequest:
    if not words:
        raise RemoteProtocolError("CHART takes an upcard, 2 to 11, and may take rules as <key>=<value>")
    return m.ChartRequest(_upcard(words[0]), _options(words[1:]))


def _upcard(text: str) -> int:
    if not re.fullmatch(r"[2-9]|1[01]", text):
        raise RemoteProtocolError(f"{quoted(text.encode())} is not an upcard, 2 to 11 (an ace)")
    return int(text)


def _back(words: list[str]) -> m.HistoryRequest:
    if len(words) != 1:
        raise RemoteProtocolError("HISTORY takes the number of a round, the last one that is over being 1")
    return m.HistoryRequest(_round_number(words[0]))


def _token(kind: Callable[[str], m.Keep | m.Resume], words: list[str]) -> m.Keep | m.Resume:
    if len(words) != 1:
        raise RemoteProtocolError("expected one token after the verb")
    try:
        return kind(words[0])
    except ValueError as error:
        raise RemoteProtocolError(str(error)) from None


_WITH_ARGUMENTS: Final[dict[str, Callable[[list[str]], PlayerMessage]]] = {
    "JOIN": _join,
    "BET": _bet,
    "WATCH": _watch,
    "OPEN": _open,
    "HISTORY": _back,
    "CHART": _chart_request,
    "KEEP": partial(_token, m.Keep),
    "RESUME": partial(_token, m.Resume),
}


def _table_number(text: str) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", text) or not 1 <= int(text) <= m.MAX_TABLE_NUMBER:
        raise RemoteProtocolError(f"{quoted(text.encode())} is not the number of a table")
    return int(text)


def _round_number(text: str) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", text) or not 1 <= int(text) <= m.MAX_BACK:
        raise RemoteProtocolError(f"{quoted(text.encode())} is not the number of a round, 1 to {m.MAX_BACK}")
    return int(text)


def _history(text: str) -> m.HistoryReply:
    back, _, rest = text.partition(" ")
    rounds, _, json = rest.partition(" ")
    _verify_object("HISTORY", json)
    try:
        return m.HistoryReply(_round_number(back), _round_number(rounds), json)
    except ValueError as error:
        raise RemoteProtocolError(f"HISTORY: {error}") from None


def _chart(text: str) -> m.ChartReply:
    upcard, _, json = text.partition(" ")
    _verify_object("CHART", json)
    return m.ChartReply(_upcard(upcard), json)


def _table(text: str) -> m.TableUpdate:
    _verify_object("TABLE", text)
    return m.TableUpdate(text)


def _tables(text: str) -> m.TablesReply:
    _verify_object("TABLES", text)
    return m.TablesReply(text)


def _verify_object(verb: str, text: str) -> None:
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    if not is_object:
        raise RemoteProtocolError(f"{verb}: {quoted(text.encode())} is not a JSON object")


def _opened(words: list[str]) -> m.Opened:
    return m.Opened(_table_number(words[0] if words else ""))


def _hint(words: list[str]) -> m.HintReply:
    if not words or words[0] not in _DECISIONS:
        raise RemoteProtocolError(f"HINT: {quoted(' '.join(words).encode())} does not begin with a decision")
    return m.HintReply(Decision(words[0]), _cost("HINT", " ".join(words[1:2])))


def _review(words: list[str]) -> m.ReviewReply:
    if len(words) < 3 or not all(re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", word) for word in words[:2]):
        raise RemoteProtocolError(f"REVIEW: {quoted(' '.join(words).encode())} is not two counts and a cost")
    return m.ReviewReply(int(words[0]), int(words[1]), _cost("REVIEW", words[2]), _reviewed(words[3:]))


def _reviewed(words: list[str]) -> tuple[m.ReviewedDecision, ...]:
    """The decisions of a REVIEW; what follows them is ignored."""
    found = []
    for decision, cost, best in zip(words[::3], words[1::3], words[2::3], strict=False):
        if decision not in _DECISIONS or best not in _DECISIONS:
            break
        found.append(m.ReviewedDecision(Decision(decision), _cost("REVIEW", cost), Decision(best)))
    return tuple(found)


def _cost(verb: str, text: str) -> float:
    if not re.fullmatch(rf"[0-9]{{1,9}}(\.[0-9]{{1,{COST_DIGITS}}})?", text):
        raise RemoteProtocolError(f"{verb}: {quoted(text.encode())} is not a cost")
    return float(text)


_OF_A_TEXT: Final[dict[str, Callable[[str], DealerMessage]]] = {
    "ERROR": lambda text: m.Error(_printable(text.strip())),
    "REFUSED": _refused,
    "HELP": lambda text: m.HelpReply(_printable(text.strip())),
    "RULES": _rules,
    "SEAT": _other_hand,
    "TABLE": _table,
    "TABLES": _tables,
    "HISTORY": _history,
    "CHART": _chart,
}
_OF_WORDS: Final[dict[str, Callable[[list[str]], DealerMessage]]] = {
    "CARD": _card_dealt,
    "DEALER": _dealers_card,
    "DECISION": _decision,
    "HAND": _hand,
    "RESULT": _result,
    "OPENED": _opened,
    "HINT": _hint,
    "REVIEW": _review,
}
_PLAYER_VERBS: Final = frozenset({line.decode() for line in PLAYER_MESSAGES} | set(_WITH_ARGUMENTS))
