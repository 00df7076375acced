"""The state of a conversation as one table, for both ends: what is not in it is not allowed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, get_args

from protocol.codec import FORMS, TYPED, encode
from protocol.messages import (
    ASK,
    Begin,
    Bet,
    BetRequest,
    CardMessage,
    ChartReply,
    ChartRequest,
    DealerCard,
    DealerMessage,
    DealerQuit,
    DecisionRequest,
    Decline,
    Double,
    Error,
    HandResult,
    HandTurn,
    Help,
    HelpReply,
    HintReply,
    HintRequest,
    HistoryReply,
    HistoryRequest,
    Hit,
    Insure,
    Join,
    Keep,
    Message,
    Next,
    Open,
    Opened,
    OtherHand,
    PlayerMessage,
    PlayerQuit,
    Question,
    Refused,
    Result,
    Resume,
    Reveal,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    Show,
    Shuffle,
    SideRequest,
    Split,
    Stand,
    Surrender,
    TablesReply,
    TablesRequest,
    TableUpdate,
    Watch,
)
from protocol.questions import ANSWER_KINDS, QUESTION_KINDS, answers_of, form_of


class State(Enum):
    """Where the conversation between one player and the dealer stands."""

    CONNECTED = "connected"  # nobody has joined
    JOINING = "joining"  # the player has asked for a seat: only the dealer knows yet whether there is one
    SEATED = "seated"  # the player has a seat and no hand
    BETTING = "betting"  # the dealer waits for the player's bet before a round
    DEALING = "dealing"  # a round is open, and the player is not asked
    INSURING = "insuring"  # the same, and the dealer waits for an answer before the hands are played
    ASKED = "asked"  # the same, and the dealer waits for a decision about a hand
    LEAVING = "leaving"  # the player has said QUIT; what crosses it on the wire is let pass
    CLOSED = "closed"  # the dealer has said QUIT: nothing more is said

    # Members are single, so their identity will do: Enum's own hash is a call for every message.
    __hash__ = object.__hash__


class ClockRanOut:
    """Not a message, never on the wire: the dealer no longer waits for this player's decision."""


class SeatGranted:
    """Not a message, never on the wire: the dealer has given the player the seat that it asked for."""


class SeatDenied:
    """Not a message, but what an ERROR or a REFUSED means where a JOIN or a RESUME is not granted."""


Unsaid = ClockRanOut | SeatGranted | SeatDenied
Move = type[Message] | type[Unsaid]

ASIDE: Final[tuple[type[Message], ...]] = (
    RulesRequest,
    Show,
    Help,
    Watch,
    HistoryRequest,
    TablesRequest,
    ChartRequest,
    RulesReply,
    HelpReply,
    TableUpdate,
    HistoryReply,
    TablesReply,
    ChartReply,
    Error,
    Refused,
)
"""What may be said in any state until the player has left, and never changes it."""

AT_A_SEAT: Final[tuple[type[Message], ...]] = (
    Next,
    HintRequest,
    Reveal,
    ReviewRequest,
    Keep,
    HintReply,
    ReviewReply,
)
"""What may be said by and to somebody who has a seat: it may cross the dealer's next message on the wire."""


def _staying(state: State, *more: type[Message]) -> dict[Move, State]:
    """The moves that leave a state as it is."""
    return dict.fromkeys(ASIDE + more, state)


_CONNECTED: Final[Mapping[Move, State]] = {
    Join: State.JOINING,
    Resume: State.JOINING,
    PlayerQuit: State.LEAVING,
    **_staying(State.CONNECTED, Open, Opened, Reveal),
    DealerQuit: State.CLOSED,
}

_SEATED: Final[Mapping[Move, State]] = {
    Begin: State.DEALING,
    BetRequest: State.BETTING,
    PlayerQuit: State.LEAVING,
    **_staying(State.SEATED, Shuffle, *AT_A_SEAT),
    DealerQuit: State.CLOSED,
}

# A player is not told by a message of its own when the clock has taken its answer. So what may follow that
# (the hand stands, or the offer is declined) may also come while the player still thinks that it is asked.
_STOOD: Final[Mapping[Move, State]] = {
    **dict.fromkeys((DealerCard, OtherHand, HandTurn, HandResult), State.DEALING),
    Result: State.SEATED,
    PlayerQuit: State.LEAVING,
}
_DECLINED: Final[Mapping[Move, State]] = {
    DealerCard: State.DEALING,
    SideRequest: State.INSURING,
    DecisionRequest: State.ASKED,
    Result: State.SEATED,
    PlayerQuit: State.LEAVING,
}

TRANSITIONS: Final[Mapping[State, Mapping[Move, State]]] = {
    State.CONNECTED: _CONNECTED,
    # Nothing on the wire tells the player that it has a seat before the first BEGIN, and an ERROR may have
    # another reason. So what is allowed with a seat or without one may be said, a second JOIN among it.
    State.JOINING: {
        **dict.fromkeys((*_CONNECTED, *_SEATED), State.JOINING),
        Begin: State.DEALING,
        BetRequest: State.BETTING,
        PlayerQuit: State.LEAVING,
        DealerQuit: State.CLOSED,
        SeatGranted: State.SEATED,
        SeatDenied: State.CONNECTED,
    },
    State.SEATED: _SEATED,
    State.BETTING: {
        **dict.fromkeys((Bet, Hit, Stand, ClockRanOut), State.SEATED),
        **_SEATED,
        **_staying(State.BETTING, Shuffle, *AT_A_SEAT),
    },
    State.DEALING: {
        CardMessage: State.DEALING,
        **_STOOD,
        **_DECLINED,
        **_staying(State.DEALING, *AT_A_SEAT),
    },
    State.INSURING: {
        **dict.fromkeys((Insure, Surrender, Decline, Hit, Stand, ClockRanOut), State.DEALING),
        **_DECLINED,
        **_staying(State.INSURING, *AT_A_SEAT),
    },
    State.ASKED: {
        **dict.fromkeys((Hit, Stand, Double, Split, Surrender, ClockRanOut), State.DEALING),
        **_STOOD,
        **_staying(State.ASKED, *AT_A_SEAT),
    },
    State.LEAVING: {
        **dict.fromkeys(get_args(DealerMessage), State.LEAVING),
        DealerQuit: State.CLOSED,
    },
    State.CLOSED: {},
}
"""The state after each message that is allowed in a state. A move that is missing is not allowed."""


MAX_KEPT: Final = 32
"""Moves of a sequence that is kept: more than a round with many cards has."""


def after(state: State, moves: tuple[Move, ...]) -> State:
    """The state after several moves, one after the other. The same few sequences are said again and again.

    Raises:
        KeyError: if one of them is not allowed where it stands.
    """
    return _kept_after(state, moves) if len(moves) <= MAX_KEPT else _after(state, moves)


def _after(state: State, moves: tuple[Move, ...]) -> State:
    for move in moves:
        state = TRANSITIONS[state][move]
    return state


_kept_after: Final = lru_cache(maxsize=4096)(_after)


def after_hearing(state: State, moves: tuple[Move, ...]) -> State:
    """The same for what a player hears at once: a question is the last of it, since its answer comes next.

    Raises:
        KeyError: if one of them is not allowed where it stands, or comes behind a question.
    """
    return _kept_after_hearing(state, moves) if len(moves) <= MAX_KEPT else _after_hearing(state, moves)


def _after_hearing(state: State, moves: tuple[Move, ...]) -> State:
    if not QUESTION_KINDS.isdisjoint(moves[:-1]):
        raise KeyError(moves)
    return _after(state, moves)


_kept_after_hearing: Final = lru_cache(maxsize=4096)(_after_hearing)


ASKED_IN: Final[Mapping[type[Message], State]] = {
    BetRequest: State.BETTING,
    SideRequest: State.INSURING,
    DecisionRequest: State.ASKED,
}
"""The state in which each kind of question waits for its answer."""

WAITING: Final = frozenset(ASKED_IN.values())
"""Where the dealer waits for an answer."""


def expected_of_player(state: State, question: Question = ASK) -> str:
    """What a player may send now, for the end of a sentence.

    Args:
        state: where the conversation stands.
        question: what the dealer has asked, where it waits for an answer.
    """
    forms = [form_of(question, kind) or FORMS[kind] for kind in _said_by_player(state, question)]
    expected = listed(forms)
    if state in (State.SEATED, State.DEALING):
        return f"nothing before DECISION but {expected}"
    return expected


def help_for_player(state: State, question: Question = ASK, *, is_typed: bool) -> str:
    """What a player may say now, as a sentence for the player that asks.

    Args:
        state: where the conversation stands.
        question: what the dealer has asked, where it waits for an answer.
        is_typed: whether to name the short words too.
    """
    kinds = _said_by_player(state, question)
    forms = [form_of(question, kind) or FORMS[kind] for kind in kinds] + ["TABLES", "SHOW", "HELP"]
    if is_typed:
        forms = [f"{form} ({_SHORT[form]})" if form in _SHORT else form for form in forms]
    return f"you may say {listed(forms)} now"


def expected_of_dealer(state: State) -> str:
    """What a dealer may send now, for the end of a sentence."""
    return listed([FORMS[kind] for kind in _named(state, get_args(DealerMessage))])


def listed(forms: list[str]) -> str:
    """Several forms as a part of a sentence."""
    *most, last = forms or ["nothing more"]
    return f"{', '.join(most)} or {last}" if most else last


_SHORT: Final = {encode(message).decode(): letter.lower() for letter, message in TYPED.items()}

_NOT_NAMED: Final = frozenset(
    {
        *AT_A_SEAT,
        Watch,
        HistoryRequest,
        HistoryReply,
        TablesRequest,
        TablesReply,
        ChartRequest,
        ChartReply,
        Open,
        Opened,
        Resume,
        TableUpdate,
        Refused,
        Show,
        Help,
        HelpReply,
    }
)
"""What a page says and hears, and what is only for who asks for it. Sentences about faults do not name it."""


def _named(state: State, senders: tuple[type[Message], ...]) -> list[type[Message]]:
    return [message for message in senders if message in TRANSITIONS[state] and message not in _NOT_NAMED]


def _said_by_player(state: State, question: Question) -> list[type[Message]]:
    """What a player may say; of the answers those to the question."""
    kinds = _named(state, get_args(PlayerMessage))
    if state not in WAITING:
        return kinds
    return [*answers_of(question), *(kind for kind in kinds if kind not in ANSWER_KINDS)]
