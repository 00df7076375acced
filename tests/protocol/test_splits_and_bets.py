"""Splits, insurance and bets in a conversation: what is offered is taken, and what is not changes nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import protocol
from cards import CARDS, Decision, Outcome, Rules
from protocol import (
    MAX_VIOLATIONS,
    MAX_VIOLATIONS_UNSEATED,
    DealerConversation,
    Life,
    LineRefused,
    LocalProtocolError,
    PlayerConversation,
    ProtocolBroken,
    State,
    ask,
    decode_dealer,
    decode_player,
    encode,
)
from protocol import messages as m
from tests.protocol.sides import DEALT, asked, dealer, player, said

BETS = m.BetRequest(5, 100, Fraction(2469, 2))
INSURANCE, EARLY = map(ask, m.SIDES)


@pytest.mark.parametrize(
    ("question", "line", "answer", "state"),
    [
        (ask(m.PLAY), b"DOUBLE", m.Double(), State.DEALING),
        (ask(m.PLAY), b"split", m.Split(), State.DEALING),
        (ask(m.PLAY), b"SURRENDER", m.Surrender(), State.DEALING),
        (ask((Decision.STAND, Decision.SPLIT)), b"HIT", m.Hit(), State.DEALING),  # taken as STAND
        (INSURANCE, b"INSURE", m.Insure(), State.DEALING),
        (INSURANCE, b"DECLINE", m.Decline(), State.DEALING),
        (INSURANCE, b"STAND", m.Stand(), State.DEALING),  # taken as DECLINE
        (EARLY, b"SURRENDER", m.Surrender(), State.DEALING),
        (EARLY, b"HIT", m.Hit(), State.DEALING),
        (BETS, b"BET 5", m.Bet(5), State.SEATED),
        (BETS, b"bet 100", m.Bet(100), State.SEATED),
        (BETS, b"HIT", m.Hit(), State.SEATED),  # as last time
    ],
)
def test_what_is_offered_is_taken(question: m.Question, line: bytes, answer: m.Message, state: State) -> None:
    conversation = asked(question)
    assert conversation.receive(line + b"\n") == [answer]
    assert conversation.state is state
    assert said(conversation) == b""


PAIR_ASKED = "HIT, STAND, DOUBLE, SPLIT, SURRENDER, QUIT or RULES"
IN_DIGITS = "BET takes a whole number of chips, in digits, without a leading zero"
A_BET = "BET <chips> from 5 to 100, QUIT or RULES"


@pytest.mark.parametrize(
    ("question", "line", "fault", "expected"),
    [
        (ask(m.PLAY[:3]), b"SPLIT", "SPLIT is not allowed now", "HIT, STAND, DOUBLE, QUIT or RULES"),
        (ask(m.PLAY[:2]), b"DOUBLE", "DOUBLE is not allowed now", "HIT, STAND, QUIT or RULES"),  # after a hit
        (ask(m.PLAY), b"INSURE", "INSURE is not allowed now", PAIR_ASKED),
        (ask(m.PLAY), b"BET 5", "BET 5 is not allowed now", PAIR_ASKED),
        (m.ASK, b"DOUBLE", "DOUBLE is not allowed now", "HIT, STAND, QUIT or RULES"),
        (INSURANCE, b"SURRENDER", "SURRENDER is not allowed now", "INSURE, DECLINE, QUIT or RULES"),
        (EARLY, b"INSURE", "INSURE is not allowed now", "SURRENDER, DECLINE, QUIT or RULES"),
        (BETS, b"BET 101", "BET 101 is not allowed now", A_BET),
        (BETS, b"BET 4", "BET 4 is not allowed now", A_BET),
        (BETS, b"BET 010", IN_DIGITS, A_BET),
        (BETS, b"DECLINE", "DECLINE is not allowed now", A_BET),
    ],
)
def test_what_is_not_offered_is_refused_and_changes_nothing(
    question: m.Question, line: bytes, fault: str, expected: str
) -> None:
    conversation = asked(question)
    state = conversation.state
    (event,) = conversation.receive(line + b"\n")
    assert event == LineRefused(f"{fault}: expected {expected}", is_last=False)
    assert said(conversation).decode() == f"ERROR {fault}: expected {expected}\n"
    assert conversation.state is state
    assert conversation.question is question
    assert conversation.receive(b"STAND\n") == [m.Stand()]


def test_a_bet_before_it_is_asked_is_refused() -> None:
    conversation = dealer(b"JOIN ada")
    conversation.receive(b"BET 5\n")
    assert said(conversation) == (
        b"ERROR BET 5 is not allowed now: expected nothing before DECISION but QUIT or RULES\n"
    )


def test_a_question_in_the_middle_of_a_send_is_the_one_that_is_open() -> None:
    conversation = dealer(b"JOIN ada")
    conversation.send(*DEALT, ask(m.PLAY[:4]))
    assert conversation.question is ask(m.PLAY[:4])
    conversation.receive(b"HIT\n")
    conversation.send(m.CardMessage(CARDS[3]), ask(m.PLAY[:2]))
    conversation.receive(b"SPLIT\n")
    assert b"ERROR SPLIT is not allowed now" in said(conversation)


# The clock.


@pytest.mark.parametrize(
    ("question", "told", "late", "why"),
    [
        (ask(m.PLAY), "your hand stands as it is", b"DOUBLE", "made that hand stand"),
        (m.ASK, "your hand stands as it is", b"HIT", "made that hand stand"),
        (INSURANCE, "that is taken as DECLINE", b"INSURE", "declined"),
        (EARLY, "that is taken as DECLINE", b"STAND", "declined"),
        (BETS, "your bet is 5", b"BET 50", "staked 5"),
    ],
)
def test_who_is_too_slow_is_told_at_once_and_again_without_a_second_violation(
    question: m.Question, told: str, late: bytes, why: str
) -> None:
    conversation = asked(question)
    assert conversation.clock_ran_out()
    assert said(conversation).decode() == f"ERROR no answer came in time: {told}\n"
    assert conversation.state is (State.SEATED if question is BETS else State.DEALING)
    (event,) = conversation.receive(late + b"\n")
    reason = f"{late.decode()} came too late: the clock had already {why}"
    assert event == LineRefused(reason, is_last=False)
    assert said(conversation).decode() == f"ERROR {reason}\n"
    (event,) = conversation.receive(b"what\n")
    assert isinstance(event, LineRefused)
    assert event.reason.endswith("the next line that is refused ends the connection")  # it is the second only


def test_an_answer_that_cannot_be_the_late_one_is_taken_for_what_it_is() -> None:
    conversation = asked(BETS)
    assert conversation.clock_ran_out()
    conversation.send(*DEALT, ask(m.PLAY))
    assert conversation.receive(b"DOUBLE\n") == [m.Double()]
    conversation.send(m.CardMessage(CARDS[3]), m.Result(Outcome.LOSE, -10), BETS)
    assert conversation.receive(b"STAND\n") == [m.Stand()]  # nobody waits for the late bet any more


def test_of_two_late_answers_the_order_tells_which_is_which() -> None:
    conversation = asked(INSURANCE)
    assert conversation.clock_ran_out()
    conversation.send(ask(m.PLAY))
    assert conversation.clock_ran_out()
    conversation.data_to_send()
    conversation.receive(b"DECLINE\n")
    assert b"DECLINE came too late: the clock had already declined" in said(conversation)
    conversation.receive(b"HIT\n")
    assert b"HIT came too late: the clock had already made that hand stand" in said(conversation)
    conversation.receive(b"HIT\n")
    assert b"HIT is not allowed now" in said(conversation)


# Slips.


def test_a_seat_is_lost_with_the_third_refused_line_and_before_it_is_taken_with_the_tenth() -> None:
    for conversation, most in ((dealer(), MAX_VIOLATIONS_UNSEATED), (asked(m.ASK), MAX_VIOLATIONS)):
        for number in range(1, most + 1):
            (event,) = conversation.receive(b"hit it\n")
            assert isinstance(event, LineRefused)
            assert event.is_last == (number == most)
            warns = event.reason.endswith("; the next line that is refused ends the connection")
            assert warns == (number == most - 1)
            assert said(conversation).decode() == f"ERROR {event.reason}\n"
    assert (MAX_VIOLATIONS, MAX_VIOLATIONS_UNSEATED) == (3, 10)


def test_short_words_are_for_lines_alone() -> None:
    for word, answer in ((b"d", m.Double()), (b"P", m.Split()), (b"r", m.Surrender()), (b" h ", m.Hit())):
        assert asked(ask(m.PLAY)).receive(word + b"\n") == [answer]
        conversation = asked(m.ASK, end=b"\0")
        (event,) = conversation.receive(word + b"\0")
        assert isinstance(event, LineRefused)
        assert event.reason.startswith("unknown message")
    assert asked(INSURANCE).receive(b"i\n") == [m.Insure()]
    conversation = asked(m.ASK)
    conversation.receive(b"q")
    assert [type(event).__name__ for event in conversation.receive_eof()] == ["PlayerQuit"]


@pytest.mark.parametrize(
    ("end", "words"), [(b"\n", "HIT (h), STAND (s), QUIT (q)"), (b"\0", "HIT, STAND, QUIT")]
)
def test_help_is_answered_here_in_every_state_and_is_no_violation(end: bytes, words: str) -> None:
    conversation = asked(m.ASK, end=end)
    conversation.receive(b"what" + end + b"?" + end)
    assert conversation.proceed() == []
    text = f"HELP you may say {words}, RULES, TABLES, SHOW or HELP now"
    assert said(conversation).split(end)[1] == text.encode()
    for _ in range(MAX_VIOLATIONS - 1):
        conversation.receive(b"what" + end)
    assert conversation.life is Life.OPEN
    assert said(dealer(b"help")) == (
        b"HELP you may say JOIN <name> [<rounds>], QUIT (q), RULES, TABLES, SHOW or HELP now\n"
    )


def test_show_is_for_the_shell_and_changes_no_state() -> None:
    for conversation in (dealer(), dealer(b"JOIN ada"), asked(m.ASK), asked(BETS)):
        state = conversation.state
        assert conversation.receive(b"SHOW\n") == [m.Show()]
        conversation.proceed()
        assert conversation.state is state
        assert said(conversation) == b""


# The classic wire format.

A_SPLIT: list[m.Message] = [m.HandTurn(0, 2), m.CardMessage(CARDS[3]), ask(m.PLAY[:3])]
CARDS_OF_THE_DEALER: list[m.Message] = [*map(m.DealerCard, CARDS[5:7])]
SURRENDERED = m.Result(Outcome.SURRENDER, Fraction(-1, 2))


def test_a_classic_player_is_told_the_old_words_only() -> None:
    conversation = asked(ask(m.PLAY), end=b"\0")
    assert conversation.is_classic
    assert conversation.receive(b"HIT\0") == [m.Hit()]
    conversation.send(*A_SPLIT)
    assert said(conversation) == encode(m.CardMessage(CARDS[3])) + b"\0DECISION\0"
    (event,) = conversation.receive(b"DOUBLE\0")
    assert isinstance(event, LineRefused)
    assert said(conversation) == b"ERROR DOUBLE is not allowed now: expected HIT, STAND, QUIT or RULES\0"
    conversation.receive(b"STAND\0")
    hand_won = m.HandResult(0, 2, Outcome.WIN, 1)
    conversation.send(*CARDS_OF_THE_DEALER, hand_won, SURRENDERED, m.SHUFFLE, *DEALT, ask(m.PLAY))
    dealt = b"".join(encode(message) + b"\0" for message in DEALT)
    assert said(conversation) == b"RESULT LOOSE\0" + dealt + b"DECISION\0"


def test_a_classic_player_that_asks_for_them_is_told_the_dealers_cards() -> None:
    conversation = asked(m.ASK, end=b"\0")
    conversation.receive(b"SHOW\0")
    conversation.receive(b"STAND\0")
    conversation.send(*CARDS_OF_THE_DEALER, SURRENDERED)
    cards = [encode(message) for message in CARDS_OF_THE_DEALER]
    assert said(conversation).split(b"\0") == [*cards, b"RESULT LOOSE", b""]


def test_a_classic_player_cannot_be_asked_for_insurance_or_a_bet() -> None:
    for question in (INSURANCE, BETS):
        conversation = asked(m.ASK, end=b"\0")
        with pytest.raises(LocalProtocolError, match="classic player"):
            conversation.send(question)
        assert conversation.state is State.ASKED
    assert not asked(m.ASK).is_classic


# A player's side.


@pytest.mark.parametrize("question", [ask(m.PLAY[:2]), INSURANCE, BETS])
def test_a_player_is_given_all_up_to_any_question(question: m.Question) -> None:
    before: list[m.Message] = [m.SHUFFLE] if question is BETS else DEALT
    conversation = player()
    lines = b"".join(encode(message) + b"\n" for message in [*before, question])
    assert conversation.receive(lines + b"DECISION HIT STAND\n") == [*before, question]
    assert conversation.question == question
    assert conversation.waiting


def test_a_player_follows_a_split_that_it_is_told_of_in_one_piece() -> None:
    told: list[m.Message] = [
        *(*DEALT, m.HandTurn(0, 2), m.CardMessage(CARDS[3]), m.HandTurn(1, 2), m.CardMessage(CARDS[4])),
        *CARDS_OF_THE_DEALER,
        *(m.HandResult(0, 2, Outcome.LOSE, -1), m.HandResult(1, 2, Outcome.WIN, 2), m.Result(Outcome.WIN, 1)),
    ]
    conversation = player()
    assert conversation.receive(b"".join(encode(message) + b"\n" for message in told)) == told
    assert conversation.state is State.SEATED


def test_a_player_passes_over_what_it_does_not_know() -> None:
    conversation = player(b"BEGIN", b"JACKPOT 5")
    assert conversation.receive(b"DECISION HIT STAND TRIPLE\n") == [m.DecisionRequest(m.PLAY[:2])]
    assert conversation.state is State.ASKED


# The transcripts of SPEC.md, from both ends.

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text(encoding="utf-8")
SECTION = SPEC.partition("\n## Tables with payoffs\n")[2].partition("\n## ")[0]
WRITTEN = [block.splitlines() for block in re.findall(r"(?:^    [<>] .*\n)+", SECTION, re.MULTILINE)]


def test_the_transcripts_show_what_they_are_to_show() -> None:
    lines = {line.strip() for block in WRITTEN for line in block}
    assert {"> SPLIT", "> DOUBLE", "> SURRENDER", "> INSURE", "< RESULT PUSH 0", "> BET 30"} < lines
    assert "< HAND 4 4" in lines


@pytest.mark.parametrize("block", WRITTEN, ids=lambda block: block[-1].strip())
def test_a_transcript_of_the_spec_is_what_both_sides_may_say(block: list[str]) -> None:
    ours, theirs = DealerConversation(rules=Rules()), PlayerConversation(rules=Rules())
    lines = [line.strip() for line in block]
    lines = lines if lines[0].startswith("> JOIN") else ["> JOIN ada", *lines]
    for line, after in pairwise([*lines, ""]):
        mark, text = line[0], line[2:]
        if mark == ">":
            answer = decode_player(text.encode())
            assert answer is not None
            is_refused = after.startswith("< ERROR ")
            if not is_refused:  # which this project's own players do not provoke
                theirs.send(answer)
            ours.receive(text.encode() + b"\n" if is_refused else said(theirs))
            ours.grant()
            continue
        if not text.startswith("ERROR "):  # which the dealer's side says on its own
            message = decode_dealer(text.encode())
            assert message is not None
            assert encode(message).decode() == text
            ours.send(message)
        heard = said(ours)
        assert heard.decode() == f"{text}\n"
        (event,) = theirs.receive(heard)
        assert not isinstance(event, ProtocolBroken)
        assert theirs.question == ours.question
    assert ours.state is theirs.state
