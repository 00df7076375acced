"""The table of states: what is in it is allowed, and nothing else."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from cards import CARDS, Decision, Outcome, Rules
from protocol import (
    FORMS,
    TRANSITIONS,
    Begin,
    CardMessage,
    ClockRanOut,
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
    PlayerQuit,
    Refused,
    Result,
    Resume,
    Reveal,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    SeatDenied,
    SeatGranted,
    Stand,
    State,
    TableUpdate,
    Watch,
    expected_of_dealer,
    expected_of_player,
)

TOKEN = "0123456789abcdefABCDEF_-"

EXAMPLES: dict[type[Message], Message] = {
    type(message): message
    for message in (
        Join("ada"),
        Hit(),
        Stand(),
        PlayerQuit(),
        RulesRequest(),
        Begin(),
        CardMessage(CARDS[0]),
        DealerCard(CARDS[0]),
        DecisionRequest(),
        Result(Outcome.WIN),
        DealerQuit(),
        Error("why"),
        Refused("no-seat", "why"),
        RulesReply(Rules()),
        Watch(),
        TableUpdate("{}"),
        Open((("seats", "3"),)),
        Opened(1),
        Next(),
        HintRequest(),
        HintReply(Decision.HIT, 0.25),
        Reveal(),
        ReviewRequest(),
        ReviewReply(3, 1, 0.25),
        Keep(TOKEN),
        Resume(TOKEN),
    )
}
ALIVE = {State.CONNECTED, State.JOINING, State.SEATED, State.DEALING, State.ASKED}
"""Where the player may still speak."""

AT_A_SEAT = ALIVE - {State.CONNECTED}

STAYING: list[tuple[set[State], tuple[type[Message], ...]]] = [
    (ALIVE, (Watch, Reveal, RulesRequest)),
    (ALIVE | {State.LEAVING}, (TableUpdate, RulesReply, Error, Refused)),
    ({State.CONNECTED, State.JOINING}, (Open,)),
    ({State.CONNECTED, State.JOINING, State.LEAVING}, (Opened,)),
    (AT_A_SEAT, (Next, HintRequest, ReviewRequest, Keep)),
    (AT_A_SEAT | {State.LEAVING}, (HintReply, ReviewReply)),
]
"""In which states there may be said what never changes the state."""

FOR_PAGES = {
    "WATCH",
    "TABLE",
    "OPEN",
    "OPENED",
    "NEXT",
    "HINT",
    "REVEAL",
    "REVIEW",
    "KEEP",
    "RESUME",
    "REFUSED",
}

A_ROUND: list[Message] = [
    Join("ada"),
    Begin(),
    CardMessage(CARDS[0]),
    CardMessage(CARDS[1]),
    DealerCard(CARDS[2]),
    DecisionRequest(),
    Hit(),
    CardMessage(CARDS[3]),
    DecisionRequest(),
    Stand(),
    Result(Outcome.WIN),
]


def after(state: State, *messages: Message) -> State:
    """The state after messages that are allowed, one after the other."""
    for message in messages:
        state = TRANSITIONS[state][type(message)]
    return state


def test_there_is_an_example_of_every_message_and_a_row_for_every_state() -> None:
    assert set(EXAMPLES) == set(get_args(Message))
    assert set(TRANSITIONS) == set(State)


@pytest.mark.parametrize(
    ("states", "message"), [(states, message) for states, messages in STAYING for message in messages]
)
def test_what_never_changes_the_state_and_where_it_may_be_said(
    states: set[State], message: type[Message]
) -> None:
    assert {state for state in State if message in TRANSITIONS[state]} == states
    assert all(TRANSITIONS[state][message] is state for state in states)


def test_a_round_from_its_join_to_the_next() -> None:
    states = [after(State.CONNECTED, *A_ROUND[:number]) for number in range(1, len(A_ROUND) + 1)]
    assert states == [
        State.JOINING,
        *[State.DEALING] * 4,
        State.ASKED,
        *[State.DEALING] * 2,
        State.ASKED,
        State.DEALING,
        State.SEATED,
    ]
    assert after(State.CONNECTED, *A_ROUND, *A_ROUND[1:], DealerQuit()) is State.CLOSED


def test_a_seat_that_was_asked_for_is_given_or_not() -> None:
    for request in (Join("ada"), Resume(TOKEN)):
        assert after(State.CONNECTED, request) is State.JOINING
    assert TRANSITIONS[State.JOINING][SeatGranted] is State.SEATED
    assert TRANSITIONS[State.JOINING][SeatDenied] is State.CONNECTED
    assert [state for state in State if SeatGranted in TRANSITIONS[state]] == [State.JOINING]
    assert [state for state in State if SeatDenied in TRANSITIONS[state]] == [State.JOINING]


def test_a_player_who_does_not_know_yet_may_say_what_is_allowed_either_way() -> None:
    either = set(TRANSITIONS[State.CONNECTED]) | set(TRANSITIONS[State.SEATED])
    assert set(TRANSITIONS[State.JOINING]) == either | {SeatGranted, SeatDenied}


def test_a_seat_is_taken_once() -> None:
    for kind in (Join, Resume, Open):
        assert [state for state in State if kind in TRANSITIONS[state]] == [State.CONNECTED, State.JOINING]


def test_who_comes_back_is_told_the_open_hand_and_goes_on() -> None:
    hand: list[Message] = [
        Begin(),
        *(CardMessage(card) for card in CARDS[:2]),
        DealerCard(CARDS[2]),
        CardMessage(CARDS[3]),
    ]
    assert after(State.CONNECTED, Watch(), Resume(TOKEN), *hand, DecisionRequest()) is State.ASKED


def test_a_table_is_opened_and_watched_before_there_is_a_seat() -> None:
    shown = TableUpdate("{}")
    said = (Open(), Opened(1), shown, Reveal(), shown, Watch(1), shown)
    assert after(State.CONNECTED, *said) is State.CONNECTED


def test_a_clock_that_ran_out_ends_the_question_and_nothing_else() -> None:
    assert TRANSITIONS[State.ASKED][ClockRanOut] is State.DEALING
    assert [state for state in State if ClockRanOut in TRANSITIONS[state]] == [State.ASKED]


def test_a_question_is_answered_once() -> None:
    for answer in (Hit, Stand):
        assert [state for state in State if answer in TRANSITIONS[state]] == [State.ASKED]
        assert TRANSITIONS[State.ASKED][answer] is State.DEALING


def test_a_player_who_may_speak_may_leave_and_until_then_ask_the_rules() -> None:
    assert set(State) - {State.LEAVING, State.CLOSED} == ALIVE
    assert {state for state in State if PlayerQuit in TRANSITIONS[state]} == ALIVE
    assert {state for state in State if RulesRequest in TRANSITIONS[state]} == ALIVE
    for state in ALIVE:
        assert TRANSITIONS[state][PlayerQuit] is State.LEAVING
        assert (
            TRANSITIONS[state][RulesRequest]
            is TRANSITIONS[state][RulesReply]
            is TRANSITIONS[state][Error]
            is state
        )


def test_what_crosses_a_players_quit_is_let_pass() -> None:
    crossing = set(get_args(DealerMessage)) - {DealerQuit}
    assert set(TRANSITIONS[State.LEAVING]) - {DealerQuit} == crossing
    assert {TRANSITIONS[State.LEAVING][kind] for kind in crossing} == {State.LEAVING}
    assert TRANSITIONS[State.LEAVING][DealerQuit] is State.CLOSED


def test_an_open_hand_gets_its_result_before_the_dealer_quits() -> None:
    assert [state for state in State if DealerQuit not in TRANSITIONS[state]] == [
        State.DEALING,
        State.ASKED,
        State.CLOSED,
    ]


def test_every_state_can_be_reached_and_every_conversation_can_end() -> None:
    reached = {State.CONNECTED}
    while grown := {after for state in reached for after in TRANSITIONS[state].values()} - reached:
        reached |= grown
    assert reached == set(State)
    ending = {State.CLOSED}
    while grown := {state for state in State if ending & set(TRANSITIONS[state].values())} - ending:
        ending |= grown
    assert ending == set(State)
    assert not TRANSITIONS[State.CLOSED]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (State.CONNECTED, "JOIN <name> [<rounds>], QUIT or RULES"),
        (State.SEATED, "nothing before DECISION but QUIT or RULES"),
        (State.DEALING, "nothing before DECISION but QUIT or RULES"),
        (State.ASKED, "HIT, STAND, QUIT or RULES"),
        (State.LEAVING, "nothing more"),
        (State.CLOSED, "nothing more"),
    ],
)
def test_what_is_expected_of_a_player(state: State, expected: str) -> None:
    assert expected_of_player(state) == expected


def test_what_is_expected_of_a_dealer() -> None:
    assert expected_of_dealer(State.SEATED) == "BEGIN, QUIT, ERROR <text> or RULES <key>=<value> ..."
    assert expected_of_dealer(State.CLOSED) == "nothing more"


@pytest.mark.parametrize("state", State)
def test_sentences_do_not_name_what_pages_say_and_hear(state: State) -> None:
    assert {FORMS[message].split()[0] for message in EXAMPLES} >= FOR_PAGES
    for sentence in (expected_of_player(state), expected_of_dealer(state)):
        assert not set(re.findall(r"[A-Z]+", sentence)) & FOR_PAGES
