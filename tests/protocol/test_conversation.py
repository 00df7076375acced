"""One side of a conversation, without sockets: bytes and events, messages and bytes, at both ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from cards import CARDS, PRESETS, Outcome, Rules, parse_card
from protocol import (
    MAX_LINE,
    MAX_VIOLATIONS,
    DealerConversation,
    Event,
    Life,
    LineRefused,
    LocalProtocolError,
    PeerFinished,
    PlayerConversation,
    ProtocolBroken,
    RefusalError,
    RulesKnown,
    State,
    WireFormat,
    Word,
    encode,
)
from protocol import messages as m
from protocol.player import MAX_HELD
from tests.protocol.sides import A_HAND, TOKEN, asked, dealer, deliveries, events_of, player, said

# Both ends.


def test_the_pieces_in_which_bytes_come_do_not_matter() -> None:
    for pieces in deliveries(b"JOIN ada 3\nRULES\n\nKEEP " + TOKEN.encode() + b"\r\nnext\n"):
        conversation = dealer(rules=Rules())
        events = [event for piece in pieces for event in events_of(conversation, piece)]
        assert events == [m.Join("ada", 3), m.Keep(TOKEN), m.Next()]
        assert said(conversation) == encode(m.RulesReply(Rules())) + b"\n"


def test_a_message_that_cannot_be_sent_changes_nothing() -> None:
    conversation = dealer(b"JOIN ada")
    with pytest.raises(LocalProtocolError, match=r"^QUIT cannot be sent in state dealing$"):
        conversation.send(m.BEGIN, m.CardMessage(CARDS[0]), m.QUIT)
    assert conversation.state is State.SEATED
    assert said(conversation) == b""


def test_while_an_answer_is_worked_out_rules_are_told_and_all_else_waits_in_order() -> None:
    conversation = dealer(b"JOIN ada", rules=Rules())
    assert events_of(conversation, b"REVIEW\n") == [m.ReviewRequest()]
    conversation.is_held = True
    assert conversation.receive(b"HISTORY 1\nRULES\nNEXT\n") == []
    assert said(conversation) == encode(m.RulesReply(Rules())) + b"\n"
    conversation.is_held = False
    assert conversation.proceed() == [m.HistoryRequest(1)]
    assert conversation.proceed() == [m.Next()]


@pytest.mark.parametrize("end", [DealerConversation, PlayerConversation])
def test_after_the_end_nothing_is_said_or_heard(end: type[DealerConversation | PlayerConversation]) -> None:
    conversation = end()
    conversation.close()
    life: Life = conversation.life
    assert life is Life.OVER
    assert conversation.receive(b"JOIN ada\nBEGIN\n") == conversation.receive_eof() == []
    conversation.send(m.Error("too late") if end is DealerConversation else m.Join("ada"))
    assert said(conversation) == b""
    conversation.note_gone()
    conversation.close()
    life = conversation.life
    assert life is Life.GONE


# A dealer.


def test_a_dealer_takes_a_message_at_a_time() -> None:
    conversation = dealer()
    assert conversation.receive(b"JOIN ada 1\nHIT\nSTAND\n") == [m.Join("ada", 1)]
    assert conversation.state is State.JOINING
    conversation.grant()
    conversation.send(*A_HAND)
    assert conversation.proceed() == [m.Hit()]  # sent early, and legal now
    conversation.send(m.ASK)
    assert conversation.proceed() == [m.Stand()]
    assert conversation.proceed() == []


def test_a_join_that_is_refused_leaves_no_seat_and_another_may_follow() -> None:
    conversation = dealer()
    for number in range(1, 5):
        assert conversation.receive(b"JOIN ada\n") == [m.Join("ada")]
        conversation.refuse(RefusalError(Word.NO_SEAT, "every seat is taken", is_violation=False))
        assert conversation.state is State.CONNECTED
        assert conversation.proceed() == []
        assert said(conversation) == b"ERROR every seat is taken\n", number
    assert conversation.receive(b"JOIN ada\n") == [m.Join("ada")]
    conversation.grant(PRESETS["casino"])
    assert conversation.state is State.SEATED
    conversation.receive(b"RULES\n")
    assert said(conversation) == encode(m.RulesReply(PRESETS["casino"])) + b"\n"


def test_a_refusal_is_a_violation_unless_it_says_otherwise() -> None:
    conversation = asked()
    for number in range(1, MAX_VIOLATIONS + 1):
        (message,) = conversation.receive(b"KEEP " + TOKEN.encode() + b"\n")
        assert message == m.Keep(TOKEN)
        conversation.refuse(RefusalError(Word.TOKEN_IN_USE, "it is in use"))
        (event,) = conversation.proceed()
        assert isinstance(event, LineRefused)
        assert event.reason.startswith("it is in use: expected HIT, STAND")
        assert event.is_last == (number == MAX_VIOLATIONS)


def test_an_accepted_message_sets_the_count_back() -> None:
    conversation = asked()
    for _ in range(3):
        events = events_of(conversation, b"hti\n" * (MAX_VIOLATIONS - 1) + b"KEEP " + TOKEN.encode() + b"\n")
        assert [isinstance(event, LineRefused) for event in events] == [True, True, False]
        assert not any(isinstance(event, LineRefused) and event.is_last for event in events)


def test_behind_the_last_violation_nothing_is_looked_at() -> None:
    conversation = asked()
    events = events_of(conversation, b"a\nb\nc\nHIT\n")
    assert [type(event) for event in events] == [LineRefused] * 3
    assert [event.is_last for event in events if isinstance(event, LineRefused)] == [False, False, True]
    conversation.send(m.Result(Outcome.LOSE), m.QUIT)
    assert conversation.life is Life.OVER
    assert said(conversation).splitlines()[-2:] == [b"RESULT LOOSE", b"QUIT"]


def test_a_dealer_looks_at_one_line_each_time_even_if_there_is_no_event() -> None:
    conversation = dealer(rules=Rules())
    assert conversation.receive(b"RULES\n\nRULES\n") == []
    for left in (2, 1, 0):
        assert len(conversation.waiting) == left
        assert conversation.proceed() == []
    assert said(conversation).count(b"RULES") == 2


def test_a_request_to_show_a_table_is_refused_in_words_itself() -> None:
    for line in (b"WATCH abc\n", b"open preset\n", b" RESUME\n"):
        conversation = dealer()
        conversation.receive(line)
        assert said(conversation).startswith(b"REFUSED malformed ")
    conversation = dealer(b"JOIN ada")
    conversation.receive(encode(m.Open()) + b"\n")
    assert said(conversation).startswith(b"REFUSED not-allowed OPEN ")


@pytest.mark.parametrize("request_", [m.Watch(), m.Open(), m.Resume(TOKEN)], ids=lambda r: type(r).__name__)
def test_who_shows_a_table_is_refused_in_words(request_: m.Message) -> None:
    conversation = dealer()
    conversation.receive(b"hit\n")
    assert said(conversation).startswith(b"ERROR HIT is not allowed now: expected JOIN")
    assert conversation.receive(encode(request_) + b"\n") == [request_]
    conversation.grant()
    conversation.receive(b"what\n")
    assert said(conversation).startswith(b"REFUSED malformed unknown message 'what'")
    conversation.receive(b"next\nhit\n" if conversation.state is State.CONNECTED else b"hit\n")
    assert said(conversation).startswith(b"REFUSED not-allowed ")


def test_behind_a_late_answer_the_next_one_counts() -> None:
    conversation = asked()
    assert conversation.clock_ran_out()
    conversation.send(m.Result(Outcome.LOSE), *A_HAND)
    (event,) = conversation.receive(b"HIT\n")
    assert isinstance(event, LineRefused)
    assert said(conversation).endswith(
        b"ERROR HIT came too late: the clock had already made that hand stand\n"
    )
    assert conversation.receive(b"HIT\n") == [m.Hit()]


def test_the_clock_runs_out_once_too_often() -> None:
    conversation = asked()
    for number in range(1, MAX_VIOLATIONS + 1):
        assert conversation.clock_ran_out() == (number < MAX_VIOLATIONS)
        if number < MAX_VIOLATIONS:
            conversation.send(m.Result(Outcome.LOSE), *A_HAND)


@pytest.mark.parametrize("end", [b"", b"\n", b"\0", b" HTTP/1.1\r\n"])
def test_a_line_that_is_too_long_ends_it_however_it_is_cut_and_whether_its_end_has_come(end: bytes) -> None:
    for side in (dealer, asked):
        for first_read in (1, MAX_LINE, MAX_LINE + 1, 400):
            conversation, data = side(), b"HIT".ljust(300) + end
            events = conversation.receive(data[:first_read]) or conversation.receive(data[first_read:])
            assert events == [LineRefused(f"a line is longer than {MAX_LINE} bytes", is_last=True)]
            assert said(conversation) == b"ERROR a line is longer than %d bytes\n" % MAX_LINE


def test_the_first_byte_too_many_ends_it_also_where_nothing_tells_yet_how_the_player_speaks() -> None:
    for conversation in (dealer(), asked()):
        assert conversation.receive(b"a" * MAX_LINE) == []
        assert conversation.bytes_held == MAX_LINE
        assert conversation.receive(b"a") == [
            LineRefused(f"a line is longer than {MAX_LINE} bytes", is_last=True)
        ]


def test_a_peer_that_closes_its_side_is_answered_first() -> None:
    conversation = asked()
    conversation.receive(b"HIT")
    assert conversation.receive_eof() == [m.Hit()]
    conversation.send(m.ASK)
    assert conversation.proceed() == [PeerFinished()]
    assert conversation.life is Life.HALF_CLOSED
    assert conversation.is_abandoned  # nobody will answer
    assert conversation.receive_eof() == []


@pytest.mark.parametrize("verb", [b"KEEP", b"RESUME"])
def test_a_token_without_its_end_may_be_cut_so_nothing_is_done(verb: bytes) -> None:
    conversation = dealer(b"JOIN ada") if verb == b"KEEP" else dealer()
    assert conversation.receive(verb + b" " + TOKEN.encode()) == []
    assert conversation.receive_eof() == [PeerFinished()]
    assert said(conversation) == b""


def test_who_waits_for_others_is_not_abandoned() -> None:
    conversation = asked()
    assert conversation.receive(b"STAND\n") == [m.Stand()]
    assert conversation.receive_eof() == [PeerFinished()]
    assert not conversation.is_abandoned
    conversation.send(m.Result(Outcome.WIN))
    assert conversation.is_abandoned


# A player.


def test_a_join_may_follow_one_that_was_refused() -> None:
    conversation = player()
    assert conversation.receive(b"ERROR every seat is taken\n") == [m.Error("every seat is taken")]
    assert conversation.refusal == "every seat is taken"
    conversation.send(m.Join("ada"))
    conversation.send(m.Open())
    assert said(conversation) == b"JOIN ada\nOPEN\n"
    assert conversation.receive(b"BEGIN\n") == [m.BEGIN]
    with pytest.raises(LocalProtocolError, match=r"^JOIN ada cannot be sent in state dealing$"):
        conversation.send(m.Join("ada"))
    conversation.receive(b"CARD Ace of Clubs\nREFUSED no-seat sorry\n")
    assert conversation.refusal == "sorry"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"BEGIN", r"BEGIN is not allowed now: expected CARD"),
        (b"HIT", r"'HIT' is not a message of a dealer"),
        (b"CARD Ace", r"CARD: 'Ace' is not a card"),
        (b"\xff", r"is not UTF-8"),
    ],
)
def test_a_dealer_that_breaks_the_protocol_is_told_to_whoever_plays(line: bytes, reason: str) -> None:
    conversation = player(b"BEGIN")
    *before, fault = conversation.receive(b"CARD Ace of Spades\n" + line + b"\nDECISION\n")
    assert before == [m.CardMessage(parse_card("Ace of Spades"))]
    assert isinstance(fault, ProtocolBroken)
    assert re.search(reason, fault.reason)
    assert conversation.life is Life.OVER
    assert conversation.proceed() == []


def test_the_rules_are_asked_once_the_dealer_has_spoken_in_lines() -> None:
    conversation = player(rules=None)
    hand = b"".join(encode(message) + b"\n" for message in A_HAND)
    assert conversation.receive(hand) == []
    assert conversation.awaits_rules
    assert conversation.holds_begin
    assert said(conversation) == encode(m.RulesRequest()) + b"\n"
    known: Sequence[Event] = [RulesKnown(PRESETS["study"]), *A_HAND]
    assert conversation.receive(encode(m.RulesReply(PRESETS["study"])) + b"\n") == known
    assert not conversation.awaits_rules


def test_a_dealer_that_does_not_tell_its_rules() -> None:
    for answer, more in ((b"ERROR what?\n", []), (b"QUIT\n", [m.DealerQuit()]), (None, [])):
        conversation = player(rules=None)
        conversation.receive(b"BEGIN\nRESULT WIN\n")
        events = conversation.rules_timed_out() if answer is None else conversation.receive(answer)
        assert events == [RulesKnown(None), m.BEGIN, m.Result(Outcome.WIN), *more]


def test_rules_that_never_come_are_not_waited_for_without_end() -> None:
    conversation = player(b"BEGIN", rules=None)
    events = conversation.receive(b"CARD Ace of Spades\n" * MAX_HELD)
    assert events[0] == RulesKnown(None)
    assert len(events) == MAX_HELD + 2
    ended = player(b"BEGIN", rules=None)
    assert ended.receive_eof() == [RulesKnown(None), m.BEGIN, PeerFinished()]


def test_a_classic_dealer_is_answered_in_classic_and_not_asked_the_rules() -> None:
    conversation = player(rules=None)
    assert conversation.receive(b"BEGIN\0DECISION\0") == [RulesKnown(None), m.BEGIN, m.ASK]
    assert conversation.wire_format is WireFormat.CLASSIC
    conversation.send(m.Hit())
    assert conversation.data_to_send() == [b"HIT\0"]


def test_over_websocket_the_rules_come_before_the_join() -> None:
    here = PlayerConversation(address="ws://127.0.0.1:8088/ws")
    there = DealerConversation(rules=PRESETS["devs"])
    here.join(m.Join("ada"))
    assert not here.is_open
    assert there.receive(said(here)) == here.receive(said(there)) == []  # the handshake
    assert here.is_open
    assert there.receive(said(here)) == []  # RULES, which the other side answers on its own
    assert here.receive(said(there)) == [RulesKnown(PRESETS["devs"])]
    assert there.receive(said(here)) == [m.Join("ada")]


def test_a_player_leaves_and_what_crosses_is_let_pass() -> None:
    conversation = player(b"BEGIN")
    conversation.send(m.PlayerQuit())
    assert conversation.receive(b"DECISION\nRESULT LOOSE\n") == [m.DecisionRequest()]
    assert conversation.proceed() == [m.Result(Outcome.LOSE)]
    assert conversation.receive(b"QUIT\n") == [m.DealerQuit()]
    assert conversation.life is Life.OVER
