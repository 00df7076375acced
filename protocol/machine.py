"""The state of a conversation as one table, for both roles: what is not in it is not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, get_args

from protocol.codec import FORMS, encode
from protocol.errors import LocalProtocolError, RemoteProtocolError
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

ASIDE: Final[tuple[type[Message], ...]] = (RulesRequest, Watch, RulesReply, TableUpdate, Error)
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


TRANSITIONS: Final[Mapping[State, Mapping[Move, State]]] = {
    State.CONNECTED: {
        Join: State.SEATED,
        Resume: State.SEATED,
        PlayerQuit: State.LEAVING,
        **_staying(State.CONNECTED, Open, Opened, Reveal),
        DealerQuit: State.CLOSED,
    },
    State.SEATED: {
        Begin: State.DEALING,
        PlayerQuit: State.LEAVING,
        **_staying(State.SEATED, *AT_A_SEAT),
        DealerQuit: State.CLOSED,
    },
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
        **dict.fromkeys((RulesReply, TableUpdate, HintReply, ReviewReply, Opened, Error), State.LEAVING),
        DealerQuit: State.CLOSED,
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
                state = TRANSITIONS[state][type(message)]
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
            self.state = TRANSITIONS[self.state][type(message)]
        except KeyError:
            raise RemoteProtocolError(f"{encode(message).decode()} is not allowed now") from None

    def clock_ran_out(self) -> None:
        """Move on as the dealer gives up waiting for a decision."""
        self.state = TRANSITIONS[self.state][ClockRanOut]


def expected_of_player(state: State) -> str:
    """What a player may send now, for the end of a sentence."""
    forms = _forms(state, get_args(PlayerMessage))
    if state in (State.SEATED, State.DEALING):
        return f"nothing before DECISION but {forms}"
    return forms


def expected_of_dealer(state: State) -> str:
    """What a dealer may send now, for the end of a sentence."""
    return _forms(state, get_args(DealerMessage))


_FOR_PAGES: Final = frozenset({*AT_A_SEAT, Watch, Open, Opened, Resume, TableUpdate})
"""What a page says and hears. Sentences do not name it: they are for people who type and for programs."""


def _forms(state: State, senders: tuple[type[Message], ...]) -> str:
    named = [message for message in senders if message in TRANSITIONS[state] and message not in _FOR_PAGES]
    forms = [FORMS[message] for message in named] or ["nothing more"]
    *most, last = forms
    return f"{', '.join(most)} or {last}" if most else last
