"""The state of a conversation as one table, for both ends: what is not in it is not allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from protocol import messages as m
from protocol.codec import FORMS, TYPED, encode
from protocol.messages import DEALER_KINDS, PLAYER_KINDS, Message, Question
from protocol.questions import ANSWER_KINDS, answers_of, form_of


class State(Enum):
    """The state of the conversation between one player and the dealer."""

    CONNECTED = "connected"  # not joined
    JOINING = "joining"  # the player has asked for a seat: only the dealer knows yet whether there is one
    SEATED = "seated"  # the player has a seat and no hand
    BETTING = "betting"  # the dealer waits for the player's bet before a round
    DEALING = "dealing"  # a round is open, and the player is not asked
    INSURING = "insuring"  # the same, and the dealer waits for an answer before the hands are played
    ASKED = "asked"  # the same, and the dealer waits for a decision about a hand
    LEAVING = "leaving"  # the player has said QUIT; messages in flight are ignored
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
    m.RulesRequest,
    m.Show,
    m.Help,
    m.Watch,
    m.HistoryRequest,
    m.TablesRequest,
    m.ChartRequest,
    m.RulesReply,
    m.HelpReply,
    m.TableUpdate,
    m.HistoryReply,
    m.TablesReply,
    m.ChartReply,
    m.Error,
    m.Refused,
)
"""Messages that are allowed in any state until the player has left, and never change it."""

AT_A_SEAT: Final[tuple[type[Message], ...]] = (
    m.Next,
    m.Start,
    m.AddBot,
    m.HintRequest,
    m.Reveal,
    m.ReviewRequest,
    m.Keep,
    m.HintReply,
    m.ReviewReply,
)
"""Messages of and to a player with a seat; they may cross the dealer's next message on the wire."""


def _staying(state: State, *more: type[Message]) -> dict[Move, State]:
    """The moves that leave a state as it is."""
    return dict.fromkeys(ASIDE + more, state)


_CONNECTED: Final[Mapping[Move, State]] = {
    m.Join: State.JOINING,
    m.Resume: State.JOINING,
    m.PlayerQuit: State.LEAVING,
    **_staying(State.CONNECTED, m.Open, m.Opened, m.Reveal),
    m.DealerQuit: State.CLOSED,
}

_SEATED: Final[Mapping[Move, State]] = {
    m.Begin: State.DEALING,
    m.BetRequest: State.BETTING,
    m.PlayerQuit: State.LEAVING,
    **_staying(State.SEATED, m.Shuffle, *AT_A_SEAT),
    m.DealerQuit: State.CLOSED,
}

# A player is not told by a message of its own when the clock has taken its answer. So what may follow that
# (the hand stands, or the offer is declined) may also come while the player still thinks that it is asked.
_STOOD: Final[Mapping[Move, State]] = {
    **dict.fromkeys((m.DealerCard, m.OtherHand, m.HandTurn, m.HandResult), State.DEALING),
    m.Result: State.SEATED,
    m.PlayerQuit: State.LEAVING,
}
_DECLINED: Final[Mapping[Move, State]] = {
    m.DealerCard: State.DEALING,
    m.SideRequest: State.INSURING,
    m.DecisionRequest: State.ASKED,
    m.Result: State.SEATED,
    m.PlayerQuit: State.LEAVING,
}

TRANSITIONS: Final[Mapping[State, Mapping[Move, State]]] = {
    State.CONNECTED: _CONNECTED,
    # Nothing on the wire tells the player that it has a seat before the first BEGIN, and an ERROR may have
    # another reason. So what is allowed with a seat or without one may be said, a second JOIN among it.
    State.JOINING: {
        **dict.fromkeys((*_CONNECTED, *_SEATED), State.JOINING),
        m.Begin: State.DEALING,
        m.BetRequest: State.BETTING,
        m.PlayerQuit: State.LEAVING,
        m.DealerQuit: State.CLOSED,
        SeatGranted: State.SEATED,
        SeatDenied: State.CONNECTED,
    },
    State.SEATED: _SEATED,
    State.BETTING: {
        **dict.fromkeys((m.Bet, m.Hit, m.Stand, ClockRanOut), State.SEATED),
        **_SEATED,
        **_staying(State.BETTING, m.Shuffle, *AT_A_SEAT),
    },
    State.DEALING: {
        m.CardMessage: State.DEALING,
        **_STOOD,
        **_DECLINED,
        **_staying(State.DEALING, *AT_A_SEAT),
    },
    State.INSURING: {
        **dict.fromkeys((m.Insure, m.Surrender, m.Decline, m.Hit, m.Stand, ClockRanOut), State.DEALING),
        **_DECLINED,
        **_staying(State.INSURING, *AT_A_SEAT),
    },
    State.ASKED: {
        **dict.fromkeys((m.Hit, m.Stand, m.Double, m.Split, m.Surrender, ClockRanOut), State.DEALING),
        **_STOOD,
        **_staying(State.ASKED, *AT_A_SEAT),
    },
    State.LEAVING: {
        **dict.fromkeys(DEALER_KINDS, State.LEAVING),
        m.DealerQuit: State.CLOSED,
    },
    State.CLOSED: {},
}
"""The state after each message that is allowed in a state. A move that is missing is not allowed."""


ASKED_IN: Final[Mapping[type[Message], State]] = {
    m.BetRequest: State.BETTING,
    m.SideRequest: State.INSURING,
    m.DecisionRequest: State.ASKED,
}
"""The state in which each kind of question waits for its answer."""

WAITING: Final = frozenset(ASKED_IN.values())
"""The states in which the dealer waits for an answer."""


def expected_of_player(state: State, question: Question = m.ASK) -> str:
    """The messages that a player may send now, for the end of a sentence.

    Args:
        state: where the conversation stands.
        question: what the dealer has asked, where it waits for an answer.
    """
    forms = [form_of(question, kind) or FORMS[kind] for kind in _said_by_player(state, question)]
    expected = listed(forms)
    if state in (State.SEATED, State.DEALING):
        return f"nothing before DECISION but {expected}"
    return expected


def help_for_player(state: State, question: Question = m.ASK, *, is_typed: bool) -> str:
    """The messages that a player may send now, as a sentence for the player that asks.

    Args:
        state: where the conversation stands.
        question: what the dealer has asked, where it waits for an answer.
        is_typed: whether to name the short words too.
    """
    kinds = _said_by_player(state, question)
    forms = [form_of(question, kind) or FORMS[kind] for kind in kinds] + ["TABLES", "SHOW", "HELP"]
    if is_typed:
        if state is State.SEATED:  # where a person waits for others, and may not know how that is ended
            forms[-3:-3] = [FORMS[m.Start], FORMS[m.AddBot]]
        forms = [f"{form} ({_SHORT[form]})" if form in _SHORT else form for form in forms]
    return f"you may say {listed(forms)} now"


def expected_of_dealer(state: State) -> str:
    """The messages that a dealer may send now, for the end of a sentence."""
    return listed([FORMS[kind] for kind in _named(state, DEALER_KINDS)])


def listed(forms: list[str]) -> str:
    """Several forms as a part of a sentence."""
    *most, last = forms or ["nothing more"]
    return f"{', '.join(most)} or {last}" if most else last


_SHORT: Final = {encode(message).decode(): letter.lower() for letter, message in TYPED.items()}

_NOT_NAMED: Final = frozenset(
    {
        *AT_A_SEAT,
        m.Watch,
        m.HistoryRequest,
        m.HistoryReply,
        m.TablesRequest,
        m.TablesReply,
        m.ChartRequest,
        m.ChartReply,
        m.Open,
        m.Opened,
        m.Resume,
        m.TableUpdate,
        m.Refused,
        m.Show,
        m.Help,
        m.HelpReply,
    }
)
"""Messages of the browser page, and those sent only on request. Sentences about faults do not name them."""


def _named(state: State, senders: Sequence[type[Message]]) -> list[type[Message]]:
    return [message for message in senders if message in TRANSITIONS[state] and message not in _NOT_NAMED]


def _said_by_player(state: State, question: Question) -> list[type[Message]]:
    """The messages that a player may send; of the answers those to the question."""
    kinds = _named(state, PLAYER_KINDS)
    if state not in WAITING:
        return kinds
    return [*answers_of(question), *(kind for kind in kinds if kind not in ANSWER_KINDS)]
