"""The state of a conversation: what is in the table is allowed, and nothing else."""

from __future__ import annotations

from typing import get_args

import pytest

from cards import CARDS, Outcome, Rules
from protocol import (
    TABLE,
    Ask,
    AskRules,
    Begin,
    ClockRanOut,
    Deal,
    Error,
    Hit,
    Join,
    Leave,
    LocalProtocolError,
    Machine,
    Message,
    PlayerMessage,
    Quit,
    RemoteProtocolError,
    Result,
    Stand,
    State,
    TellRules,
    Upcard,
    expected_of_dealer,
    expected_of_player,
)

EXAMPLES: dict[type[Message], Message] = {
    type(message): message
    for message in (
        Join("ada"),
        Hit(),
        Stand(),
        Leave(),
        AskRules(),
        Begin(),
        Deal(CARDS[0]),
        Upcard(CARDS[0]),
        Ask(),
        Result(Outcome.WIN),
        Quit(),
        Error("why"),
        TellRules(Rules()),
    )
}
PAIRS = [(state, message) for state in State for message in EXAMPLES.values()]

A_ROUND: list[Message] = [
    Join("ada"),
    Begin(),
    Deal(CARDS[0]),
    Deal(CARDS[1]),
    Upcard(CARDS[2]),
    Ask(),
    Hit(),
    Deal(CARDS[3]),
    Ask(),
    Stand(),
    Result(Outcome.WIN),
]


def in_state(state: State) -> Machine:
    machine = Machine()
    machine.state = state
    return machine


def test_there_is_an_example_of_every_message_and_a_row_for_every_state() -> None:
    assert set(EXAMPLES) == set(get_args(Message))
    assert set(TABLE) == set(State)


@pytest.mark.parametrize(("state", "message"), PAIRS)
def test_a_message_moves_both_sides_as_the_table_says_or_changes_nothing(
    state: State, message: Message
) -> None:
    sender, receiver = in_state(state), in_state(state)
    after = TABLE[state].get(type(message))
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
    for message in [*A_ROUND, *A_ROUND[1:], Quit()]:
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


def test_several_messages_are_sent_all_or_none() -> None:
    machine = in_state(State.SEATED)
    with pytest.raises(LocalProtocolError, match=r"^QUIT cannot be sent in state dealing$"):
        machine.send_all([Begin(), Deal(CARDS[0]), Quit()])
    assert machine.state is State.SEATED


def test_several_messages_are_sent_at_once() -> None:
    machine = in_state(State.SEATED)
    machine.send_all([Begin(), Deal(CARDS[0]), Ask()])
    assert machine.state is State.ASKED


def test_a_clock_that_ran_out_ends_the_question_and_nothing_else() -> None:
    machine = in_state(State.ASKED)
    machine.clock_ran_out()
    assert machine.state is State.DEALING
    assert [state for state in State if ClockRanOut in TABLE[state]] == [State.ASKED]


def test_a_question_is_answered_once() -> None:
    machine = in_state(State.ASKED)
    machine.receive(Hit())
    with pytest.raises(RemoteProtocolError, match=r"^HIT is not allowed now$"):
        machine.receive(Hit())


def test_a_player_who_may_speak_may_leave_and_until_then_ask_the_rules() -> None:
    alive = set(State) - {State.LEAVING, State.CLOSED}
    assert {state for state in State if Leave in TABLE[state]} == alive
    assert {state for state in State if AskRules in TABLE[state]} == alive
    for state in alive:
        assert TABLE[state][Leave] is State.LEAVING
        assert TABLE[state][AskRules] is TABLE[state][TellRules] is TABLE[state][Error] is state


def test_what_crosses_a_players_quit_is_let_pass() -> None:
    machine = in_state(State.LEAVING)
    for message in (Begin(), Deal(CARDS[0]), Upcard(CARDS[0]), Ask(), Result(Outcome.WIN), Error("late")):
        machine.receive(message)
        assert machine.state is State.LEAVING
    machine.receive(Quit())
    assert machine.state is State.CLOSED


def test_an_open_hand_gets_its_result_before_the_dealer_quits() -> None:
    assert [state for state in State if Quit not in TABLE[state]] == [
        State.DEALING,
        State.ASKED,
        State.CLOSED,
    ]


def test_every_state_can_be_reached_and_every_conversation_can_end() -> None:
    reached = {State.CONNECTED}
    while grown := {after for state in reached for after in TABLE[state].values()} - reached:
        reached |= grown
    assert reached == set(State)
    ending = {State.CLOSED}
    while grown := {state for state in State if ending & set(TABLE[state].values())} - ending:
        ending |= grown
    assert ending == set(State)
    assert not TABLE[State.CLOSED]


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
