"""The state of a conversation as one table, for both roles: what is not in it is not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, get_args

from protocol.codec import FORMS, encode
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.messages import (
    Ask,
    AskRules,
    Begin,
    Deal,
    DealerMessage,
    Error,
    Hit,
    Join,
    Leave,
    Message,
    PlayerMessage,
    Quit,
    Result,
    Stand,
    TellRules,
    Upcard,
)


class State(Enum):
    """Where the conversation between one player and the dealer stands."""

    CONNECTED = "connected"  # nobody has joined
    SEATED = "seated"  # the player has a seat and no hand
    DEALING = "dealing"  # a round is open, and the player is not asked
    ASKED = "asked"  # a round is open, and the dealer waits for HIT or STAND
    LEAVING = "leaving"  # the player has said QUIT; what crosses it on the wire is let pass
    CLOSED = "closed"  # the dealer has said QUIT: nothing more is said

    # Members are single, so their identity will do: Enum's own hash is a call for every message.
    __hash__ = object.__hash__


class ClockRanOut:
    """Not a message, never on the wire: the dealer no longer waits for this player's decision."""


Move = type[Message] | type[ClockRanOut]

TABLE: Final[Mapping[State, Mapping[Move, State]]] = {
    State.CONNECTED: {
        Join: State.SEATED,
        Leave: State.LEAVING,
        AskRules: State.CONNECTED,
        TellRules: State.CONNECTED,
        Error: State.CONNECTED,
        Quit: State.CLOSED,
    },
    State.SEATED: {
        Begin: State.DEALING,
        Leave: State.LEAVING,
        AskRules: State.SEATED,
        TellRules: State.SEATED,
        Error: State.SEATED,
        Quit: State.CLOSED,
    },
    State.DEALING: {
        Deal: State.DEALING,
        Upcard: State.DEALING,
        Ask: State.ASKED,
        Result: State.SEATED,
        Leave: State.LEAVING,
        AskRules: State.DEALING,
        TellRules: State.DEALING,
        Error: State.DEALING,
    },
    State.ASKED: {
        Hit: State.DEALING,
        Stand: State.DEALING,
        ClockRanOut: State.DEALING,
        Result: State.SEATED,
        Leave: State.LEAVING,
        AskRules: State.ASKED,
        TellRules: State.ASKED,
        Error: State.ASKED,
    },
    State.LEAVING: {
        Begin: State.LEAVING,
        Deal: State.LEAVING,
        Upcard: State.LEAVING,
        Ask: State.LEAVING,
        Result: State.LEAVING,
        TellRules: State.LEAVING,
        Error: State.LEAVING,
        Quit: State.CLOSED,
    },
    State.CLOSED: {},
}
"""The state after each message that is allowed in a state. A move that is missing is not allowed."""


class Machine:
    """One side's view of a conversation; the dealer's side and the player's use the same table."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = State.CONNECTED

    def send(self, message: Message) -> None:
        """Move on as this side sends a message.

        Raises:
            LocalProtocolError: if it is not allowed now; the state is as it was.
        """
        self.send_all((message,))

    def send_all(self, messages: Iterable[Message]) -> None:
        """Move on as this side sends messages, one after the other.

        Raises:
            LocalProtocolError: if one of them is not allowed where it stands; the state is as it was.
        """
        state = self.state
        for message in messages:
            try:
                state = TABLE[state][type(message)]
            except KeyError:
                text = encode(message).decode()
                raise LocalProtocolError(f"{text} cannot be sent in state {state.value}") from None
        self.state = state

    def receive(self, message: Message) -> None:
        """Move on as a message from the peer is taken.

        Raises:
            RemoteProtocolError: if it is not allowed now; the state is as it was.
        """
        try:
            self.state = TABLE[self.state][type(message)]
        except KeyError:
            raise RemoteProtocolError(f"{encode(message).decode()} is not allowed now") from None

    def clock_ran_out(self) -> None:
        """Move on as the dealer gives up waiting for a decision."""
        self.state = TABLE[self.state][ClockRanOut]


def expected_of_player(state: State) -> str:
    """What a player may send now, for the end of a sentence."""
    forms = _forms(state, get_args(PlayerMessage))
    if state in (State.SEATED, State.DEALING):
        return f"nothing before DECISION but {forms}"
    return forms


def expected_of_dealer(state: State) -> str:
    """What a dealer may send now, for the end of a sentence."""
    return _forms(state, get_args(DealerMessage))


def _forms(state: State, senders: tuple[type[Message], ...]) -> str:
    forms = [FORMS[message] for message in senders if message in TABLE[state]] or ["nothing more"]
    *most, last = forms
    return f"{', '.join(most)} or {last}" if most else last
