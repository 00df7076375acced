"""The state of a conversation: what is in the table is allowed, and nothing else."""

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
    LocalProtocolError,
    Machine,
    Message,
    Next,
    Open,
    Opened,
    PlayerMessage,
    PlayerQuit,
    RemoteProtocolError,
    Result,
    Resume,
    Reveal,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
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
PAIRS = [(state, message) for state in State for message in EXAMPLES.values()]

ALIVE = {State.CONNECTED, State.SEATED, State.DEALING, State.ASKED}
"""Where the player may still speak."""

AT_A_SEAT = ALIVE - {State.CONNECTED}

STAYING: list[tuple[set[State], tuple[type[Message], ...]]] = [
    (ALIVE, (Watch, Reveal, RulesRequest)),
    (ALIVE | {State.LEAVING}, (TableUpdate, RulesReply, Error)),
    ({State.CONNECTED}, (Open,)),
    ({State.CONNECTED, State.LEAVING}, (Opened,)),
    (AT_A_SEAT, (Next, HintRequest, ReviewRequest, Keep)),
    (AT_A_SEAT | {State.LEAVING}, (HintReply, ReviewReply)),
]
"""In which states there may be said what never changes the state."""

FOR_PAGES = {"WATCH", "TABLE", "OPEN", "OPENED", "NEXT", "HINT", "REVEAL", "REVIEW", "KEEP", "RESUME"}

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


def in_state(state: State) -> Machine:
    machine = Machine()
    machine.state = state
    return machine


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


@pytest.mark.parametrize(("state", "message"), PAIRS)
def test_a_message_moves_both_sides_as_the_table_says_or_changes_nothing(
    state: State, message: Message
) -> None:
    sender, receiver = in_state(state), in_state(state)
    after = TRANSITIONS[state].get(type(message))
    if after is None:
        with pytest.raises(LocalProtocolError, match=rf"cannot be sent in state {state.value}$"):
            sender.send(message)
        with pytest.raises(RemoteProtocolError, match=r"is not allowed now$"):
            receiver.receive(message)
        assert sender.state is receiver.state is state
    else:
        sender.send(message)
        receiver.receive(message)
        assert sender.state is receiver.state is after


def test_a_round_from_its_join_to_the_next() -> None:
    dealer, player = Machine(), Machine()
    states = []
    for message in [*A_ROUND, *A_ROUND[1:], DealerQuit()]:
        is_from_player = isinstance(message, get_args(PlayerMessage))
        sender, receiver = (player, dealer) if is_from_player else (dealer, player)
        sender.send(message)
        receiver.receive(message)
        assert dealer.state is player.state
        states.append(dealer.state)
    assert states[: len(A_ROUND)] == [
        State.SEATED,
        *[State.DEALING] * 4,
        State.ASKED,
        *[State.DEALING] * 2,
        State.ASKED,
        State.DEALING,
        State.SEATED,
    ]
    assert states[-1] is State.CLOSED


def test_who_comes_back_is_told_the_open_hand_and_goes_on() -> None:
    dealer, player = Machine(), Machine()
    player.send(Watch())
    dealer.receive(Watch())
    player.send(Resume(TOKEN))
    dealer.receive(Resume(TOKEN))
    for message in (
        Begin(),
        CardMessage(CARDS[0]),
        CardMessage(CARDS[1]),
        DealerCard(CARDS[2]),
        CardMessage(CARDS[3]),
        DecisionRequest(),
    ):
        dealer.send(message)
        player.receive(message)
    assert dealer.state is player.state is State.ASKED


@pytest.mark.parametrize("message", [Join("ada"), Resume(TOKEN)])
def test_a_seat_is_taken_once(message: PlayerMessage) -> None:
    machine = Machine()
    machine.receive(message)
    assert machine.state is State.SEATED
    for again in (Join("ada"), Resume(TOKEN), Open()):
        with pytest.raises(RemoteProtocolError, match=r"is not allowed now$"):
            machine.receive(again)


def test_a_table_is_opened_and_watched_before_there_is_a_seat() -> None:
    machine = Machine()
    for message in (
        Open(),
        Opened(1),
        TableUpdate("{}"),
        Reveal(),
        TableUpdate("{}"),
        Watch(1),
        TableUpdate("{}"),
    ):
        (machine.receive if isinstance(message, get_args(PlayerMessage)) else machine.send)(message)
        assert machine.state is State.CONNECTED


def test_several_messages_are_sent_all_or_none() -> None:
    machine = in_state(State.SEATED)
    with pytest.raises(LocalProtocolError, match=r"^QUIT cannot be sent in state dealing$"):
        machine.send_all([Begin(), CardMessage(CARDS[0]), DealerQuit()])
    assert machine.state is State.SEATED


def test_several_messages_are_sent_at_once() -> None:
    machine = in_state(State.SEATED)
    machine.send_all([Begin(), CardMessage(CARDS[0]), DecisionRequest()])
    assert machine.state is State.ASKED


def test_a_clock_that_ran_out_ends_the_question_and_nothing_else() -> None:
    machine = in_state(State.ASKED)
    machine.clock_ran_out()
    assert machine.state is State.DEALING
    assert [state for state in State if ClockRanOut in TRANSITIONS[state]] == [State.ASKED]


def test_a_question_is_answered_once() -> None:
    machine = in_state(State.ASKED)
    machine.receive(Hit())
    with pytest.raises(RemoteProtocolError, match=r"^HIT is not allowed now$"):
        machine.receive(Hit())


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
    machine = in_state(State.LEAVING)
    crossing = set(get_args(DealerMessage)) - {DealerQuit}
    assert set(TRANSITIONS[State.LEAVING]) - {DealerQuit} == crossing
    for kind in crossing:
        machine.receive(EXAMPLES[kind])
        assert machine.state is State.LEAVING
    machine.receive(DealerQuit())
    assert machine.state is State.CLOSED


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
