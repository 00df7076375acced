"""The state of a conversation as one table, for both roles: what is not in it is not allowed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, get_args

from protocol.codec import FORMS
from protocol.messages import (
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


class State(Enum):
    """Where the conversation between one player and the dealer stands."""

    CONNECTED = "connected"  # nobody has joined
    JOINING = "joining"  # the player has asked for a seat: only the dealer knows yet whether there is one
    SEATED = "seated"  # the player has a seat and no hand
    DEALING = "dealing"  # a round is open, and the player is not asked
    ASKED = "asked"  # a round is open, and the dealer waits for HIT or STAND
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

ASIDE: Final[tuple[type[Message], ...]] = (RulesRequest, Watch, RulesReply, TableUpdate, Error, Refused)
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
    PlayerQuit: State.LEAVING,
    **_staying(State.SEATED, *AT_A_SEAT),
    DealerQuit: State.CLOSED,
}

TRANSITIONS: Final[Mapping[State, Mapping[Move, State]]] = {
    State.CONNECTED: _CONNECTED,
    # Nothing on the wire tells the player that it has a seat before the first BEGIN, and an ERROR may have
    # another reason. So what is allowed with a seat or without one may be said, a second JOIN among it.
    State.JOINING: {
        **dict.fromkeys((*_CONNECTED, *_SEATED), State.JOINING),
        Begin: State.DEALING,
        PlayerQuit: State.LEAVING,
        DealerQuit: State.CLOSED,
        SeatGranted: State.SEATED,
        SeatDenied: State.CONNECTED,
    },
    State.SEATED: _SEATED,
    State.DEALING: {
        CardMessage: State.DEALING,
        DealerCard: State.DEALING,
        DecisionRequest: State.ASKED,
        Result: State.SEATED,
        PlayerQuit: State.LEAVING,
        **_staying(State.DEALING, *AT_A_SEAT),
    },
    State.ASKED: {
        Hit: State.DEALING,
        Stand: State.DEALING,
        ClockRanOut: State.DEALING,
        Result: State.SEATED,
        PlayerQuit: State.LEAVING,
        **_staying(State.ASKED, *AT_A_SEAT),
    },
    State.LEAVING: {
        Begin: State.LEAVING,
        CardMessage: State.LEAVING,
        DealerCard: State.LEAVING,
        DecisionRequest: State.LEAVING,
        Result: State.LEAVING,
        **dict.fromkeys(
            (RulesReply, TableUpdate, HintReply, ReviewReply, Opened, Error, Refused), State.LEAVING
        ),
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


def expected_of_player(state: State) -> str:
    """What a player may send now, for the end of a sentence."""
    forms = _forms(state, get_args(PlayerMessage))
    if state in (State.SEATED, State.DEALING):
        return f"nothing before DECISION but {forms}"
    return forms


def expected_of_dealer(state: State) -> str:
    """What a dealer may send now, for the end of a sentence."""
    return _forms(state, get_args(DealerMessage))


_FOR_PAGES: Final = frozenset({*AT_A_SEAT, Watch, Open, Opened, Resume, TableUpdate, Refused})
"""What a page says and hears. Sentences do not name it: they are for people who type and for programs."""


def _forms(state: State, senders: tuple[type[Message], ...]) -> str:
    named = [message for message in senders if message in TRANSITIONS[state] and message not in _FOR_PAGES]
    forms = [FORMS[message] for message in named] or ["nothing more"]
    *most, last = forms
    return f"{', '.join(most)} or {last}" if most else last
