"""The table of states: what is in it is allowed, and nothing else."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import get_args

import pytest

from cards import CARDS, Decision, Outcome, Rules
from protocol import (
    FORMS,
    TRANSITIONS,
    Answer,
    Begin,
    Bet,
    BetRequest,
    CardMessage,
    ChartReply,
    ChartRequest,
    ClockRanOut,
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
    SeatDenied,
    SeatGranted,
    Show,
    Shuffle,
    SideRequest,
    Split,
    Stand,
    State,
    Surrender,
    TablesReply,
    TablesRequest,
    TableUpdate,
    Watch,
    ask,
    expected_of_dealer,
    expected_of_player,
)
from protocol.machine import help_for_player

TOKEN = "0123456789abcdefABCDEF_-"

EXAMPLES: dict[type[Message], Message] = {
    type(message): message
    for message in (
        Join("ada"),
        Hit(),
        Stand(),
        Double(),
        Split(),
        Surrender(),
        Insure(),
        Decline(),
        Bet(5),
        PlayerQuit(),
        RulesRequest(),
        Show(),
        Help(),
        HelpReply("why"),
        Begin(),
        Shuffle(),
        OtherHand(0, "bob", (CARDS[0], CARDS[1])),
        BetRequest(5, 100, 100),
        SideRequest((Decision.INSURE, Decision.DECLINE)),
        HandTurn(0, 2),
        HandResult(0, 2, Outcome.WIN, 1),
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
        HistoryRequest(1),
        HistoryReply(1, 2, "{}"),
        TablesRequest(),
        TablesReply("{}"),
        ChartRequest(10),
        ChartReply(10, "{}"),
        Keep(TOKEN),
        Resume(TOKEN),
    )
}
ASKING = {State.BETTING, State.INSURING, State.ASKED}
"""Where the dealer waits for an answer."""

IN_A_ROUND = {State.DEALING, State.INSURING, State.ASKED}

ALIVE = {State.CONNECTED, State.JOINING, State.SEATED, State.DEALING} | ASKING
"""Where the player may still speak."""

AT_A_SEAT = ALIVE - {State.CONNECTED}

STAYING: list[tuple[set[State], tuple[type[Message], ...]]] = [
    (ALIVE, (Watch, HistoryRequest, TablesRequest, ChartRequest, Reveal, RulesRequest, Show, Help)),
    (
        ALIVE | {State.LEAVING},
        (TableUpdate, HistoryReply, TablesReply, ChartReply, RulesReply, Error, Refused, HelpReply),
    ),
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
    "HISTORY",
    "TABLES",
    "CHART",
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
    assert TRANSITIONS[State.INSURING][ClockRanOut] is State.DEALING
    assert TRANSITIONS[State.BETTING][ClockRanOut] is State.SEATED
    assert {state for state in State if ClockRanOut in TRANSITIONS[state]} == ASKING


@pytest.mark.parametrize(
    ("answer", "states"),
    [
        (Hit, ASKING),
        (Stand, ASKING),
        (Double, {State.ASKED}),
        (Split, {State.ASKED}),
        (Surrender, {State.ASKED, State.INSURING}),
        (Insure, {State.INSURING}),
        (Decline, {State.INSURING}),
        (Bet, {State.BETTING}),
    ],
)
def test_a_question_is_answered_once(answer: type[Message], states: set[State]) -> None:
    assert answer in get_args(Answer)
    assert {state for state in State if answer in TRANSITIONS[state]} == states
    for state in states:
        assert TRANSITIONS[state][answer] is (State.SEATED if state is State.BETTING else State.DEALING)


def test_a_round_with_a_bet_insurance_and_a_split() -> None:
    said: list[Message] = [
        Join("ada"),
        BetRequest(5, 100, 500),
        Bet(10),
        Shuffle(),
        *A_ROUND[1:5],
        SideRequest((Decision.INSURE, Decision.DECLINE)),
        Decline(),
        ask((Decision.HIT, Decision.STAND, Decision.SPLIT)),
        Split(),
        HandTurn(0, 2),
        CardMessage(CARDS[3]),
        ask((Decision.HIT, Decision.STAND)),
        Stand(),
        HandTurn(1, 2),
        CardMessage(CARDS[4]),
        ask((Decision.HIT, Decision.STAND, Decision.DOUBLE)),
        Double(),
        CardMessage(CARDS[5]),
        DealerCard(CARDS[6]),
        HandResult(0, 2, Outcome.WIN, 10),
        HandResult(1, 2, Outcome.LOSE, -20),
        Result(Outcome.LOSE, -10),
    ]
    states = [after(State.CONNECTED, *said[:number]) for number in range(1, len(said) + 1)]
    assert [state for before, state in pairwise(states) if before is not state] == [
        State.BETTING,
        State.SEATED,
        State.DEALING,
        State.INSURING,
        *[State.DEALING, State.ASKED] * 3,
        State.DEALING,
        State.SEATED,
    ]


def test_a_player_whose_answer_the_clock_has_taken_is_told_how_its_round_goes_on() -> None:
    asked, insuring = TRANSITIONS[State.ASKED], TRANSITIONS[State.INSURING]
    for kind in (DealerCard, OtherHand, HandTurn, HandResult):
        assert asked[kind] is State.DEALING
    assert insuring[DealerCard] is State.DEALING
    assert insuring[DecisionRequest] is State.ASKED
    assert insuring[SideRequest] is State.INSURING
    assert asked[Result] is insuring[Result] is State.SEATED
    assert not {CardMessage, DecisionRequest, SideRequest} & set(asked)  # the hand stands: it is over
    assert TRANSITIONS[State.BETTING][Begin] is State.DEALING
    assert TRANSITIONS[State.BETTING][BetRequest] is State.BETTING


def test_what_is_about_hands_is_said_within_a_round_and_bets_before_it() -> None:
    between = {State.SEATED, State.BETTING, State.JOINING, State.LEAVING}
    kind: type[Message]
    for kind in (HandTurn, HandResult, OtherHand, DecisionRequest, SideRequest, Result, CardMessage):
        assert {state for state in State if kind in TRANSITIONS[state]} <= IN_A_ROUND | {State.LEAVING}
    for kind in (BetRequest, Shuffle, Begin):
        assert {state for state in State if kind in TRANSITIONS[state]} == between


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
        State.INSURING,
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


@pytest.mark.parametrize(
    ("state", "question", "expected"),
    [
        (State.ASKED, DecisionRequest(), "HIT, STAND, QUIT or RULES"),
        (
            State.ASKED,
            ask((Decision.HIT, Decision.STAND, Decision.DOUBLE)),
            "HIT, STAND, DOUBLE, QUIT or RULES",
        ),
        (State.ASKED, ask((Decision.STAND, Decision.SPLIT)), "STAND, SPLIT, QUIT or RULES"),
        (State.INSURING, ask((Decision.INSURE, Decision.DECLINE)), "INSURE, DECLINE, QUIT or RULES"),
        (State.INSURING, ask((Decision.SURRENDER, Decision.DECLINE)), "SURRENDER, DECLINE, QUIT or RULES"),
        (State.BETTING, BetRequest(5, 100, 500), "BET <chips> from 5 to 100, QUIT or RULES"),
        (State.DEALING, BetRequest(5, 100, 500), "nothing before DECISION but QUIT or RULES"),
    ],
)
def test_the_answers_that_are_expected_are_those_to_the_question(
    state: State, question: Question, expected: str
) -> None:
    assert expected_of_player(state, question) == expected
    help_ = help_for_player(state, question, is_typed=False)
    more = expected.replace(" or RULES", ", RULES, TABLES, SHOW or HELP")
    assert help_ == f"you may say {more} now".replace("say nothing before DECISION but", "say")


def test_help_for_who_types_names_the_short_words() -> None:
    question = ask((Decision.HIT, Decision.STAND, Decision.SURRENDER))
    assert help_for_player(State.ASKED, question, is_typed=True) == (
        "you may say HIT (h), STAND (s), SURRENDER (r), QUIT (q), RULES, TABLES, SHOW or HELP now"
    )


def test_what_is_expected_of_a_dealer() -> None:
    assert expected_of_dealer(State.SEATED) == (
        "BEGIN, SHUFFLE, DECISION BET <min> <max> <bankroll>, QUIT, ERROR <text> or RULES <key>=<value> ..."
    )
    assert expected_of_dealer(State.CLOSED) == "nothing more"


@pytest.mark.parametrize("state", State)
def test_sentences_do_not_name_what_pages_say_and_hear(state: State) -> None:
    assert {FORMS[message].split()[0] for message in EXAMPLES} >= FOR_PAGES
    for sentence in (expected_of_player(state), expected_of_dealer(state)):
        assert not set(re.findall(r"[A-Z]+", sentence)) & FOR_PAGES
