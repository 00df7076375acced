"""What the table of states means.

The table is held, every arrow of it, by the diagram in SPEC.md (tests/protocol/test_spec.py).
"""

from __future__ import annotations

import re

import pytest

from cards import Decision
from protocol import (
    FORMS,
    TRANSITIONS,
    State,
    ask,
    expected_of_dealer,
    expected_of_player,
)
from protocol import messages as m
from protocol.machine import help_for_player

FOR_PAGES = {
    *("WATCH", "TABLE", "OPEN", "OPENED", "NEXT", "START", "BOT", "HINT", "REVEAL", "REVIEW"),
    *("HISTORY", "TABLES", "CHART", "KEEP", "RESUME", "REFUSED"),
}

A_ROUND: list[type[m.Message]] = [
    *(m.Begin, m.CardMessage, m.CardMessage, m.DealerCard, m.DecisionRequest),
    *(m.Hit, m.CardMessage, m.DecisionRequest, m.Stand, m.Result),
]


def state_after(*messages: type[m.Message]) -> State:
    """The state after messages from the first on, one after the other."""
    state = State.CONNECTED
    for message in messages:
        state = TRANSITIONS[state][message]
    return state


def test_there_is_a_row_for_every_state_and_none_leads_out_of_the_end() -> None:
    assert set(TRANSITIONS) == set(State)
    assert not TRANSITIONS[State.CLOSED]


def test_a_round_from_its_join_to_the_next() -> None:
    states = [state_after(m.Join, *A_ROUND[:number]) for number in range(len(A_ROUND) + 1)]
    dealing = [State.DEALING] * 4
    assert states[:6] == [State.JOINING, *dealing, State.ASKED]
    assert states[6:] == [*dealing[:2], State.ASKED, State.DEALING, State.SEATED]
    assert state_after(m.Join, *A_ROUND, *A_ROUND, m.DealerQuit) is State.CLOSED


def test_what_crosses_a_players_quit_is_let_pass() -> None:
    crossing = set(m.DEALER_KINDS) - {m.DealerQuit}
    assert set(TRANSITIONS[State.LEAVING]) - {m.DealerQuit} == crossing
    assert {TRANSITIONS[State.LEAVING][kind] for kind in crossing} == {State.LEAVING}
    assert TRANSITIONS[State.LEAVING][m.DealerQuit] is State.CLOSED


def test_every_state_can_be_reached_and_every_conversation_can_end() -> None:
    reached = {State.CONNECTED}
    while grown := {after for state in reached for after in TRANSITIONS[state].values()} - reached:
        reached |= grown
    assert reached == set(State)
    ending = {State.CLOSED}
    while grown := {state for state in State if ending & set(TRANSITIONS[state].values())} - ending:
        ending |= grown
    assert ending == set(State)


@pytest.mark.parametrize(
    ("state", "question", "expected"),
    [
        (State.CONNECTED, m.ASK, "JOIN <name> [<rounds>], QUIT or RULES"),
        (State.SEATED, m.ASK, "nothing before DECISION but QUIT or RULES"),
        (State.DEALING, m.BetRequest(5, 100, 500), "nothing before DECISION but QUIT or RULES"),
        (State.ASKED, m.ASK, "HIT, STAND, QUIT or RULES"),
        (State.ASKED, ask(m.PLAY[:3]), "HIT, STAND, DOUBLE, QUIT or RULES"),
        (State.INSURING, ask(m.SIDES[0]), "INSURE, DECLINE, QUIT or RULES"),
        (State.INSURING, ask(m.SIDES[1]), "SURRENDER, DECLINE, QUIT or RULES"),
        (State.BETTING, m.BetRequest(5, 100, 500), "BET <chips> from 5 to 100, QUIT or RULES"),
        (State.LEAVING, m.ASK, "nothing more"),
        (State.CLOSED, m.ASK, "nothing more"),
    ],
)
def test_what_is_expected_of_a_player_are_the_answers_to_the_question(
    state: State, question: m.Question, expected: str
) -> None:
    assert expected_of_player(state, question) == expected
    help_ = help_for_player(state, question, is_typed=False)
    more = expected.replace(" or RULES", ", RULES, TABLES, SHOW or HELP")
    more = more.replace("nothing before DECISION but ", "").replace("nothing more", "TABLES, SHOW or HELP")
    assert help_ == f"you may say {more} now"


def test_what_is_expected_of_a_dealer_and_help_for_who_types() -> None:
    assert help_for_player(State.ASKED, ask((*m.PLAY[:2], Decision.SURRENDER)), is_typed=True) == (
        "you may say HIT (h), STAND (s), SURRENDER (r), QUIT (q), RULES, TABLES, SHOW or HELP now"
    )
    assert help_for_player(State.SEATED, is_typed=True) == (
        "you may say QUIT (q), RULES, START, BOT, TABLES, SHOW or HELP now"
    )
    assert expected_of_dealer(State.SEATED) == (
        "BEGIN, SHUFFLE, DECISION BET <min> <max> <bankroll>, QUIT, ERROR <text> or RULES <key>=<value> ..."
    )
    assert expected_of_dealer(State.CLOSED) == "nothing more"


def test_sentences_do_not_name_what_pages_say_and_hear() -> None:
    assert {form.split()[0] for form in FORMS.values()} >= FOR_PAGES
    for state in State:
        for sentence in (expected_of_player(state), expected_of_dealer(state)):
            assert not set(re.findall(r"[A-Z]+", sentence)) & FOR_PAGES
