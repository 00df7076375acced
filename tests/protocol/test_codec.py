"""How messages are spelt, and what is said about lines that are none."""

from __future__ import annotations

import json
import re
import string
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cards import CARDS, PRESETS, Ace, Card, Cutoff, Decision, Outcome, Penetration, Rules, parse_card
from cards.rules import exact
from protocol import (
    DEALS,
    MAX_JOIN_ROUNDS,
    MAX_LINE,
    RESULTS,
    UPCARDS,
    Begin,
    Bet,
    BetRequest,
    CardMessage,
    ChartReply,
    ChartRequest,
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
    PlayerMessage,
    PlayerQuit,
    Refused,
    RemoteProtocolError,
    Result,
    Resume,
    Reveal,
    ReviewedDecision,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    Show,
    Shuffle,
    SideRequest,
    Split,
    Stand,
    Surrender,
    TablesReply,
    TablesRequest,
    TableUpdate,
    Watch,
    Word,
    decode_dealer,
    decode_player,
    encode,
    quoted,
)
from protocol.messages import MAX_HAND_COUNT, MAX_TABLE_NUMBER, PLAY, SIDES
from protocol.names import MAX_NAME, NAME_FORM, PLAIN_NAME, is_name, name_of, normal, wire_name

TOKEN = "0123456789abcdefABCDEF_-"
TOKEN_OF_A_NAME = "1 to 64 printable ASCII characters without blanks"
WITH_TOKEN = "expected JOIN <name> [<rounds>] [token=<token>]"

HIT, STAND = Decision.HIT, Decision.STAND


def cards_of(*names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names))


OF_PLAYERS: list[tuple[bytes, PlayerMessage]] = [
    (b"JOIN ada", Join("ada")),
    (b"JOIN ada 12", Join("ada", 12)),
    (b"JOIN ada token=s3cret=", Join("ada", token="s3cret=")),
    (b"JOIN token=ada 12 token=!~", Join("token=ada", 12, "!~")),
    (b"HIT", Hit()),
    (b"STAND", Stand()),
    (b"DOUBLE", Double()),
    (b"SPLIT", Split()),
    (b"SURRENDER", Surrender()),
    (b"INSURE", Insure()),
    (b"DECLINE", Decline()),
    (b"BET 1", Bet(1)),
    (b"BET 1000000000000", Bet(10**12)),
    (b"QUIT", PlayerQuit()),
    (b"RULES", RulesRequest()),
    (b"SHOW", Show()),
    (b"HELP", Help()),
    (b"WATCH", Watch()),
    (b"WATCH 7", Watch(7)),
    (b"WATCH 1000000000", Watch(10**9)),
    (b"OPEN", Open()),
    (b"OPEN seats=3", Open((("seats", "3"),))),
    (b"OPEN rules=showdown bot-delay=0.5", Open((("rules", "showdown"), ("bot-delay", "0.5")))),
    (b"NEXT", Next()),
    (b"HINT", HintRequest()),
    (b"REVEAL", Reveal()),
    (b"REVIEW", ReviewRequest()),
    (b"TABLES", TablesRequest()),
    (b"HISTORY 1", HistoryRequest(1)),
    (b"HISTORY 1000", HistoryRequest(1000)),
    (b"CHART 2", ChartRequest(2)),
    (b"CHART 11 preset=vegas decks=2", ChartRequest(11, (("preset", "vegas"), ("decks", "2")))),
    (f"KEEP {TOKEN}".encode(), Keep(TOKEN)),
    (f"RESUME {TOKEN}".encode(), Resume(TOKEN)),
]
OF_DEALERS: list[tuple[bytes, DealerMessage]] = [
    (b"BEGIN", Begin()),
    (b"CARD Ace of Spades", CardMessage(parse_card("Ace of Spades"))),
    (b"DEALER Ten of Hearts", DealerCard(parse_card("Ten of Hearts"))),
    (b"SHUFFLE", Shuffle()),
    (b"DECISION", DecisionRequest()),
    (b"DECISION HIT STAND", DecisionRequest((HIT, STAND))),
    (b"DECISION HIT STAND DOUBLE SPLIT SURRENDER", DecisionRequest(PLAY)),
    (b"DECISION STAND SPLIT", DecisionRequest((STAND, Decision.SPLIT))),
    (b"DECISION INSURE DECLINE", SideRequest((Decision.INSURE, Decision.DECLINE))),
    (b"DECISION SURRENDER DECLINE", SideRequest((Decision.SURRENDER, Decision.DECLINE))),
    (b"DECISION BET 5 100 1234.5", BetRequest(5, 100, Fraction(2469, 2))),
    (b"HAND 1 2", HandTurn(0, 2)),
    (b"HAND 4 4 LOOSE -2", HandResult(3, 4, Outcome.LOSE, -2)),
    (b"HAND 2 3 WIN +1.5", HandResult(1, 3, Outcome.WIN, Fraction(3, 2))),
    (
        b"SEAT 2 bob Ten of Clubs, Ace of Hearts",
        OtherHand(1, "bob", cards_of("Ten of Clubs", "Ace of Hearts")),
    ),
    (b"RESULT WIN", Result(Outcome.WIN)),
    (b"RESULT WIN +1.5", Result(Outcome.WIN, Fraction(3, 2))),
    (b"RESULT LOOSE -36", Result(Outcome.LOSE, -36)),
    (b"RESULT PUSH 0", Result(Outcome.PUSH, 0)),
    (b"RESULT SURRENDER -0.5", Result(Outcome.SURRENDER, Fraction(-1, 2))),
    (b"RESULT BUST 0", Result(Outcome.BUST, 0)),
    (b"HELP you may say HIT now", HelpReply("you may say HIT now")),
    (b"RESULT LOOSE", Result(Outcome.LOSE)),  # the historical spelling
    (b"RESULT PUSH", Result(Outcome.PUSH)),
    (b"RESULT BUST", Result(Outcome.BUST)),
    (b"QUIT", DealerQuit()),
    (b"ERROR no such thing", Error("no such thing")),
    (b"REFUSED no-seat every seat is taken", Refused("no-seat", "every seat is taken")),
    (
        b"RULES preset=study decks=1 reshuffle=cutoff:26 ace=1 dealer-stands=all17 naturals=equal seats=1",
        RulesReply(PRESETS["study"]),
    ),
    (
        b'TABLE {"table":1,"seats":[{"name":"ada"}],"dealer":null}',
        TableUpdate('{"table":1,"seats":[{"name":"ada"}],"dealer":null}'),
    ),
    (b"OPENED 12", Opened(12)),
    (b"HINT HIT 0.123000", HintReply(Decision.HIT, 0.123)),
    (b"HINT STAND 0.000000", HintReply(Decision.STAND, 0.0)),
    (b"REVIEW 3 1 0.250000", ReviewReply(3, 1, 0.25)),
    (b'TABLES {"tables":[]}', TablesReply('{"tables":[]}')),
    (b'HISTORY 2 12 {"version":1}', HistoryReply(2, 12, '{"version":1}')),
    (b'CHART 11 {"hands":[]}', ChartReply(11, '{"hands":[]}')),
    (b"HINT SURRENDER 0.034500", HintReply(Decision.SURRENDER, 0.0345)),
    (
        b"REVIEW 2 1 0.037000 INSURE 0.037000 DECLINE STAND 0.000000 STAND",
        ReviewReply(
            2,
            1,
            0.037,
            (
                ReviewedDecision(Decision.INSURE, 0.037, Decision.DECLINE),
                ReviewedDecision(STAND, 0.0, STAND),
            ),
        ),
    ),
]


@pytest.mark.parametrize(("line", "message"), [*OF_PLAYERS, *OF_DEALERS])
def test_messages_are_written_like_this(line: bytes, message: Message) -> None:
    assert encode(message) == line


@pytest.mark.parametrize(("line", "message"), OF_PLAYERS)
def test_what_a_player_sends_is_read(line: bytes, message: PlayerMessage) -> None:
    assert decode_player(line) == message


@pytest.mark.parametrize(("line", "message"), OF_DEALERS)
def test_what_a_dealer_sends_is_read(line: bytes, message: DealerMessage) -> None:
    assert decode_dealer(line) == message
    assert decode_dealer(b" " + line + b"\r") == message


def test_every_card_there_and_back() -> None:
    for card in CARDS:
        assert decode_dealer(encode(DEALS[card.index])) == CardMessage(card)
        assert decode_dealer(encode(UPCARDS[card.index])) == DealerCard(card)
    assert {message.outcome for message in RESULTS.values()} == set(Outcome)


def test_a_client_also_accepts_lose() -> None:
    assert decode_dealer(b"RESULT LOSE") == Result(Outcome.LOSE)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_there_and_back(preset: str) -> None:
    assert decode_dealer(encode(RulesReply(PRESETS[preset]))) == RulesReply(PRESETS[preset])


def test_rules_of_a_later_version_are_read_and_missing_ones_are_those_of_the_preset() -> None:
    assert decode_dealer(b"RULES preset=study side-bets=any sidebets") == RulesReply(PRESETS["study"])
    assert decode_dealer(b"RULES reshuffle=cutoff:9") == RulesReply(Rules(reshuffle=Cutoff(9)))


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (HintReply(Decision.HIT, 0.12345649), b"HINT HIT 0.123456"),
        (HintReply(Decision.HIT, 0.12345651), b"HINT HIT 0.123457"),
        (HintReply(Decision.STAND, 0.00000049), b"HINT STAND 0.000000"),
        (ReviewReply(0, 0, 0), b"REVIEW 0 0 0.000000"),
        (ReviewReply(12, 2, 1 / 3 + 1), b"REVIEW 12 2 1.333333"),
    ],
)
def test_a_cost_is_rounded_to_six_decimals(message: DealerMessage, line: bytes) -> None:
    assert encode(message) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"HINT HIT 0", HintReply(Decision.HIT, 0.0)),
        (b"HINT STAND 1.5", HintReply(Decision.STAND, 1.5)),
        (b"REVIEW 2 2 0.01", ReviewReply(2, 2, 0.01)),
        (b"OPENED 007", Opened(7)),
        (b"TABLE {}", TableUpdate("{}")),
        (b'TABLE { "a" : 1 }', TableUpdate('{ "a" : 1 }')),
    ],
)
def test_numbers_and_json_may_be_shorter_or_longer_than_they_are_written_here(
    line: bytes, message: DealerMessage
) -> None:
    assert decode_dealer(line) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hit", Hit()),
        (b"  Stand\t", Stand()),
        (b"hIT\r", Hit()),
        (b"quit ", PlayerQuit()),
        (b"?", Help()),
        (b" ? ", Help()),
        (b"help", Help()),
        (b"show", Show()),
        (b"double", Double()),
        (b" bet   12 ", Bet(12)),
        (b" rules", RulesRequest()),
        (b"join Ada", Join("Ada")),  # a name keeps its case
        (b"\tJoin   Ada \t 3  ", Join("Ada", 3)),
        (b"JOIN JOIN", Join("JOIN")),
        (b"JOIN a 000000000000001", Join("a", 1)),
        (b"join a  3\ttoken=Abc\r", Join("a", 3, "Abc")),  # a token keeps its case
        (b"watch", Watch()),
        (b"\twatch   2 \r", Watch(2)),
        (b"Watch 0007", Watch(7)),
        (b" open ", Open()),
        # The verb is read in any case; the keys and values are not verbs.
        (b"Open\tseats=3   bots=0\r", Open((("seats", "3"), ("bots", "0")))),
        (b"OPEN rules=CASINO x-y=Z", Open((("rules", "CASINO"), ("x-y", "Z")))),
        (b"OPEN a==b=", Open((("a", "=b="),))),
        (b"OPEN seats=2 seats=3", Open((("seats", "2"), ("seats", "3")))),
        (b"next", Next()),
        (b" Hint", HintRequest()),
        (b"reveal\r", Reveal()),
        (b"\tReview ", ReviewRequest()),
        (f"keep   {TOKEN} ".encode(), Keep(TOKEN)),  # a token keeps its case
        (f" Resume\t{TOKEN}\r".encode(), Resume(TOKEN)),
    ],
)
def test_people_type_in_any_case_and_with_blanks(line: bytes, message: PlayerMessage) -> None:
    assert decode_player(line) == message


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (b"h", Hit()),
        (b"s", Stand()),
        (b"d", Double()),
        (b"p", Split()),
        (b"r", Surrender()),
        (b"i", Insure()),
        (b"q", PlayerQuit()),
        (b"?", Help()),
    ],
)
def test_the_short_words_are_read_where_people_type(word: bytes, message: PlayerMessage) -> None:
    assert decode_player(word, is_typed=True) == message
    assert decode_player(b" " + word.upper() + b"\r", is_typed=True) == message
    with pytest.raises(RemoteProtocolError, match=r"takes no arguments$"):
        decode_player(word + b" now", is_typed=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"BEGIN now", Begin()),
        (b"SHUFFLE 6", Shuffle()),
        (b"CARD Ace of Spades face up", DEALS[CARDS.index(parse_card("Ace of Spades"))]),
        (b"DECISION HIT STAND TRIPLE", DecisionRequest((HIT, STAND))),
        (b"DECISION STAND HIT", DecisionRequest((HIT, STAND))),
        (b"DECISION TRIPLE", DecisionRequest()),
        (b"DECISION DECLINE INSURE", SideRequest((Decision.INSURE, Decision.DECLINE))),
        (b"DECISION BET 5 10 20 30", BetRequest(5, 10, 20)),
        (b"HAND 1 2 DEALT", HandTurn(0, 2)),
        (b"RESULT WIN +2 today", Result(Outcome.WIN, 2)),
        (b"RESULT WIN today", Result(Outcome.WIN)),
        (b"OPENED 1 2", Opened(1)),
        (b"HINT HIT 0.5 0.5", HintReply(HIT, 0.5)),
        (b"REVIEW 1 1 1 1", ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1", ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1 STAND more", ReviewReply(1, 1, 1.0, (ReviewedDecision(HIT, 1.0, STAND),))),
        (b"JACKPOT 5", None),
        (b"JACKPOT", None),
    ],
)
def test_a_player_passes_over_verbs_and_words_behind_that_it_does_not_know(
    line: bytes, message: DealerMessage | None
) -> None:
    assert decode_dealer(line) == message


@pytest.mark.parametrize("line", [b"", b" ", b"\r", b"\t \r"])
def test_empty_messages_are_ignored(line: bytes) -> None:
    assert decode_player(line) is None
    assert decode_dealer(line) is None


BET_FAULT = "BET takes a whole number of chips, in digits, without a leading zero"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"DOUBLE 2", "DOUBLE takes no arguments"),
        (b"BET", BET_FAULT),
        (b"BET 0", BET_FAULT),
        (b"BET -5", BET_FAULT),
        (b"BET +5", BET_FAULT),
        (b"BET 05", BET_FAULT),
        (b"BET 1.5", BET_FAULT),
        (b"BET 1e3", BET_FAULT),
        (b"BET 5 5", BET_FAULT),
        ("BET ٣".encode(), BET_FAULT),
        (b"BET " + b"9" * 240, BET_FAULT),
        (b"BET 1000000000001", "a bet is 1 to 1000000000000 chips"),
        (b"h", "unknown message 'h'"),  # a short word, where messages are not lines that people type
        (b"HITT", "unknown message 'HITT'"),
        (b"\xc5\xbftand", r"unknown message '\u017ftand'"),  # its upper case would be STAND
        (b"HIT me", "HIT takes no arguments"),
        (b"rules please", "RULES takes no arguments"),
        (b"JOIN", "JOIN takes a name without blanks, and perhaps a number of rounds"),
        (b"JOIN a b c", "JOIN takes a name without blanks, and perhaps a number of rounds"),
        (b"JOIN ada many", "'many' is not a number of rounds"),
        (b"JOIN ada -1", "'-1' is not a number of rounds"),
        (b"JOIN ada 1.5", "'1.5' is not a number of rounds"),
        ("JOIN ada ٣".encode(), r"'\u0663' is not a number of rounds"),
        (b"JOIN ada " + b"9" * 16, "'9999999999999999' is not a number of rounds"),
        (b"JOIN ada 0", "the number of rounds after the name is 1 to 1000000000000"),
        (b"JOIN ada 1000000000001", "the number of rounds after the name is 1 to 1000000000000"),
        (
            b"JOIN " + b"a" * 33,
            f"a name is {NAME_FORM}; a blank is spelt %20 here, other letters likewise,"
            " and all in 200 characters at most",
        ),
        ("JOIN é".encode(), f"a name is {NAME_FORM}; this one is spelt %C3%A9 here"),
        (b"JOIN a 1 token=", f"the token of a name is {TOKEN_OF_A_NAME}: {WITH_TOKEN}"),
        (b"JOIN a token=" + b"x" * 65, f"the token of a name is {TOKEN_OF_A_NAME}: {WITH_TOKEN}"),
        ("JOIN a token=é".encode(), f"the token of a name is {TOKEN_OF_A_NAME}: {WITH_TOKEN}"),
        (b"JOIN a token=x 1", f"the token of a name is the last word of a JOIN: {WITH_TOKEN}"),
        (b"JOIN a token=x token=y", f"'token=...' is not a number of rounds: {WITH_TOKEN}"),
        (b"JOIN a TOKEN=x", f"'TOKEN=...' is not a number of rounds: {WITH_TOKEN}"),
        (
            b"JOIN a 1 TOKEN=x",
            f"JOIN takes a name without blanks, and perhaps a number of rounds: {WITH_TOKEN}",
        ),
        (b"JON ada token=s3cret", "unknown message 'JON ada token=...'"),
        (b"JON ada 1 " + b"Token=" + b"s" * 64, "unknown message 'JON ada 1 Token=...'"),
        (f"RESUME {TOKEN}\0".encode(), "'RESUME ...' is more than one message"),
        (b"WATCH 0", "'0' is not the number of a table"),
        (b"WATCH 1000000001", "'1000000001' is not the number of a table"),
        (b"WATCH -1", "'-1' is not the number of a table"),
        (b"WATCH 1.0", "'1.0' is not the number of a table"),
        (b"WATCH all", "'all' is not the number of a table"),
        (b"WATCH " + b"0" * 15 + b"1", "'0000000000000001' is not the number of a table"),
        ("WATCH ٣".encode(), r"'\u0663' is not the number of a table"),
        (b"TABLES 1", "TABLES takes no arguments"),
        (b"HISTORY", "HISTORY takes the number of a round, the last one that is over being 1"),
        (b"HISTORY 1 2", "HISTORY takes the number of a round, the last one that is over being 1"),
        (b"HISTORY 0", "'0' is not the number of a round, 1 to 1000"),
        (b"HISTORY 1001", "'1001' is not the number of a round, 1 to 1000"),
        (b"HISTORY all", "'all' is not the number of a round, 1 to 1000"),
        (b"WATCH 1 2", "WATCH takes the number of a table, or nothing"),
        (b"OPEN x", "'x' is not <key>=<value>"),
        (b"OPEN seats=3 4", "'4' is not <key>=<value>"),
        (b"OPEN seats=", "'seats=' is not <key>=<value>"),
        (b"OPEN =3", "'=3' is not <key>=<value>"),
        (b"OPEN Seats=3", "'Seats=3' is not <key>=<value>"),
        ("OPEN seats=é".encode(), r"'seats=\xe9' is not <key>=<value>"),
        (b"OPEN seats=\x1b", r"'seats=\x1b' is not <key>=<value>"),
        (b"NEXT round", "NEXT takes no arguments"),
        (b"HINT HIT 0.1", "HINT takes no arguments"),
        (b"reveal all", "REVEAL takes no arguments"),
        (b"REVIEW 3 1 0.1", "REVIEW takes no arguments"),
        (b"KEEP", "expected one token after the verb"),
        (b"RESUME", "expected one token after the verb"),
        (f"KEEP {TOKEN} please".encode(), "expected one token after the verb"),
        (b"KEEP " + b"a" * 21, "a token is 22 to 64 letters, digits, - and _"),
        (b"RESUME " + b"a" * 65, "a token is 22 to 64 letters, digits, - and _"),
        (b"KEEP " + b"a" * 22 + b"=", "a token is 22 to 64 letters, digits, - and _"),
        (b"RESUME " + "é".encode() * 22, "a token is 22 to 64 letters, digits, - and _"),
        (b"\xff", r"'\ufffd' is not UTF-8 text"),
        (b"HIT\nHIT", r"'HIT\nHIT' is more than one message"),
        (b"HIT\0", r"'HIT\x00' is more than one message"),
        (b"x" * 50, f"unknown message '{'x' * 41}' and more"),
    ],
)
def test_what_a_player_may_not_send(line: bytes, reason: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_player(line)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    "verb", ["BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "ERROR", "TABLE", "OPENED"]
)
def test_a_dealers_verb_from_a_player(verb: str) -> None:
    for line in (verb, verb.lower(), f"{verb} Ace of Spades"):
        with pytest.raises(RemoteProtocolError, match=rf"^{verb} is for a dealer to send$"):
            decode_player(line.encode())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"HIT", "'HIT' is not a message of a dealer"),
        (b"begin", "'begin' is not a message of a dealer"),
        (b"Jackpot", "'Jackpot' is not a message of a dealer"),
        (b"JACKPOT! 5", "'JACKPOT! 5' is not a message of a dealer"),
        (b"RESULT WIN +", "RESULT: '+' is not a payoff: expected digits, as in +1.5, -1 or 0"),
        (b"RESULT WIN 1e3", "RESULT: '1e3' is not a payoff: expected digits, as in +1.5, -1 or 0"),
        (b"HAND", "HAND: '' is not the number of a hand, and how many there are"),
        (b"HAND 0 2", "HAND: '0 2' is not the number of a hand, and how many there are"),
        (b"HAND 3 2", "HAND: there is no hand 3 of 2"),
        (b"HAND 1 2 WIN", "HAND: '' is not a payoff: expected digits, as in +1.5, -1 or 0"),
        (b"DECISION BET", "DECISION BET: '' is not the least bet, the largest and the bankroll"),
        (b"DECISION BET 5 2 9", "DECISION BET: '5 2 9' is not the least bet, the largest and the bankroll"),
        (
            b"DECISION BET 1.5 2 9",
            "DECISION BET: '1.5 2 9' is not the least bet, the largest and the bankroll",
        ),
        (b"DECISION BET 5 9 7", "DECISION BET: '5 9 7' is not the least bet, the largest and the bankroll"),
        (b"SEAT 0 bob Ten of Clubs", "SEAT: '0' is not the number of a seat"),
        (
            b"SEAT 1 bob",
            "SEAT: '' is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'",
        ),
        (b"SEAT 1  Ten of Clubs", "SEAT: a hand that is shown has a seat of 9, a name and cards"),
        (b"RESULT", "'RESULT' is not a result: expected WIN, LOOSE, PUSH, BUST or SURRENDER"),
        (b"RESULT DRAW", "'RESULT DRAW' is not a result: expected WIN, LOOSE, PUSH, BUST or SURRENDER"),
        (b"CARD", "CARD: '' is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"),
        (b"DEALER Ace", "DEALER: 'Ace' is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"),
        (b"RULES ace=2", "RULES: ace is '2': expected 1, 11 or either"),
        (
            b"RULES preset=mine",
            "RULES: there are no rules 'mine': expected course, study, devs, casino, showdown, vegas,"
            " reno or europe",
        ),
        (b"TABLE", "TABLE: '' is not a JSON object"),
        (b"TABLE 1", "TABLE: '1' is not a JSON object"),
        (b"TABLE [{}]", "TABLE: '[{}]' is not a JSON object"),
        (b"TABLE null", "TABLE: 'null' is not a JSON object"),
        (b'TABLE "{}"', """TABLE: '"{}"' is not a JSON object"""),
        (b'TABLE {"a":}', """TABLE: '{"a":}' is not a JSON object"""),
        (b"TABLE {} {}", "TABLE: '{} {}' is not a JSON object"),
        (b"TABLE " + b'{"a":' * 9999, "TABLE: '" + '{"a":' * 8 + "{' and more is not a JSON object"),
        (b"TABLE\t{}", r"'TABLE\t{}' is not a message of a dealer"),
        (b"table {}", "'table {}' is not a message of a dealer"),
        (b"OPENED", "'' is not the number of a table"),
        (b"OPENED 0", "'0' is not the number of a table"),
        (b"OPENED one", "'one' is not the number of a table"),
        (b"HINT", "HINT: '' does not begin with a decision"),
        (b"HINT 0.5", "HINT: '0.5' does not begin with a decision"),
        (b"HINT hit 0.5", "HINT: 'hit 0.5' does not begin with a decision"),
        (b"HINT HIT", "HINT: '' is not a cost"),
        (b"HINT STAND -0.5", "HINT: '-0.5' is not a cost"),
        (b"HINT STAND nan", "HINT: 'nan' is not a cost"),
        (b"HINT STAND 1e3", "HINT: '1e3' is not a cost"),
        (b"HINT STAND .5", "HINT: '.5' is not a cost"),
        (b"HINT STAND 0.1234567", "HINT: '0.1234567' is not a cost"),
        (b"HINT STAND 1000000000", "HINT: '1000000000' is not a cost"),
        (b"TABLES []", "TABLES: '[]' is not a JSON object"),
        (b"HISTORY 1 2 []", "HISTORY: '[]' is not a JSON object"),
        (b"HISTORY 1 2", "HISTORY: '' is not a JSON object"),
        (b"HISTORY 3 2 {}", "HISTORY: a round of the history is 1 to 1000, and one of those that there are"),
        (b"HISTORY x 2 {}", "'x' is not the number of a round, 1 to 1000"),
        (b"REVIEW", "REVIEW: '' is not two counts and a cost"),
        (b"REVIEW 1 0", "REVIEW: '1 0' is not two counts and a cost"),
        (b"REVIEW 1 -1 0.0", "REVIEW: '1 -1 0.0' is not two counts and a cost"),
        (b"REVIEW 1 0.5 0.0", "REVIEW: '1 0.5 0.0' is not two counts and a cost"),
        (b"REVIEW 1 " + b"9" * 16 + b" 0", "REVIEW: '1 9999999999999999 0' is not two counts and a cost"),
        (b"REVIEW 1 1 much", "REVIEW: 'much' is not a cost"),
        (b"REVIEW 1 1 1 HIT much STAND", "REVIEW: 'much' is not a cost"),
        (b"WATCH", "'WATCH' is not a message of a dealer"),
        (b"OPEN seats=3", "'OPEN seats=3' is not a message of a dealer"),
        (b"NEXT", "'NEXT' is not a message of a dealer"),
        (b"REVEAL", "'REVEAL' is not a message of a dealer"),
        (f"KEEP {TOKEN}".encode(), "'KEEP ...' is not a message of a dealer"),
        (b"\xff\xfe", r"'\ufffd\ufffd' is not UTF-8 text"),
        (b"BEGIN\nBEGIN", r"'BEGIN\nBEGIN' is more than one message"),
    ],
)
def test_what_a_dealer_may_not_send(line: bytes, reason: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_dealer(line)
    assert str(caught.value) == reason


EVERY_KEY = Open(
    (
        *replace(PRESETS["casino"], ace=Ace.EITHER, reshuffle=Penetration(1 / 3)).fields().items(),
        ("bots", "9"),
        ("bot-policy", "threshold:22"),
        ("practice", "off"),
        ("pause", "599.999999"),
        ("bot-delay", "599.999999"),
    )
)


def test_the_longest_message_of_a_player_fits_a_line() -> None:
    assert len(encode(Join("a" * 32, 10**12, "t" * 64))) == 122 < MAX_LINE
    assert len(encode(Resume("a" * 64))) == 71 < MAX_LINE
    assert len(encode(EVERY_KEY)) < MAX_LINE


@given(st.binary(max_size=300))
def test_a_quoted_line_is_short_printable_ascii(line: bytes) -> None:
    text = quoted(line)
    assert text.isascii()
    assert text.isprintable()
    # 41 characters at most, each of ten at most when escaped, in quotes.
    assert len(text) <= 41 * 10 + len("'' and more")


PRINTABLE = [chr(code) for code in range(ord("!"), ord("~") + 1)]
NAMES = st.one_of(
    st.text(PRINTABLE, min_size=1, max_size=MAX_NAME),
    st.text(min_size=1, max_size=MAX_NAME).map(normal),
    st.text("%24aF é", min_size=1, max_size=MAX_NAME),
).filter(is_name)
NUMBERS = st.integers(1, MAX_TABLE_NUMBER)
COUNTS = st.integers(0, 10**15 - 1)
TOKENS = st.text(string.ascii_letters + string.digits + "_-", min_size=22, max_size=64)
COSTS = st.floats(0, 999_999_999.999999).map(lambda cost: round(cost, 6))
KEYS = st.text(string.ascii_lowercase + "-", min_size=1, max_size=9)
VALUES = st.text(PRINTABLE, min_size=1, max_size=9)
FACTS = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.lists(st.integers(), max_size=3)
PAYOFFS = st.builds(lambda tenths: exact(Fraction(tenths, 10)), st.integers(-(10**20), 10**20))
HANDS = st.integers(1, MAX_HAND_COUNT).flatmap(
    lambda hands: st.tuples(st.integers(0, hands - 1), st.just(hands))
)
OBJECTS = st.dictionaries(st.text(max_size=9), FACTS, max_size=4)

PLAYER_MESSAGES: dict[type[PlayerMessage], st.SearchStrategy[PlayerMessage]] = {
    Join: st.builds(Join, NAMES, st.none() | st.integers(1, MAX_JOIN_ROUNDS)),
    Watch: st.builds(Watch, st.none() | NUMBERS),
    Open: st.builds(Open, st.lists(st.tuples(KEYS, VALUES), max_size=4).map(tuple)),
    TablesRequest: st.just(TablesRequest()),
    HistoryRequest: st.integers(1, 1000).map(HistoryRequest),
    ChartRequest: st.builds(
        ChartRequest, st.integers(2, 11), st.lists(st.tuples(KEYS, VALUES), max_size=4).map(tuple)
    ),
    Keep: st.builds(Keep, TOKENS),
    Resume: st.builds(Resume, TOKENS),
    Bet: st.builds(Bet, st.integers(1, 10**12)),
    **{
        kind: st.just(kind())
        for kind in (
            *(Hit, Stand, Double, Split, Surrender, Insure, Decline),
            *(PlayerQuit, RulesRequest, Show, Help, Next, HintRequest, Reveal, ReviewRequest),
        )
    },
}
DEALER_MESSAGES: dict[type[DealerMessage], st.SearchStrategy[DealerMessage]] = {
    CardMessage: st.sampled_from(CARDS).map(CardMessage),
    DealerCard: st.sampled_from(CARDS).map(DealerCard),
    Result: st.builds(Result, st.sampled_from(Outcome), st.none() | PAYOFFS),
    DecisionRequest: st.sets(st.sampled_from(PLAY)).map(
        lambda options: DecisionRequest(tuple(each for each in PLAY if each in options))
    ),
    SideRequest: st.sampled_from(SIDES).map(SideRequest),
    BetRequest: st.lists(st.integers(1, 10**12), min_size=3, max_size=3).map(
        lambda chips: BetRequest(*sorted(chips))
    ),
    HandTurn: HANDS.map(lambda hand: HandTurn(*hand)),
    HandResult: st.builds(
        lambda hand, outcome, payoff: HandResult(hand[0], hand[1], outcome, payoff),
        HANDS,
        st.sampled_from(Outcome),
        PAYOFFS,
    ),
    OtherHand: st.builds(
        OtherHand,
        st.integers(0, 8),
        NAMES,
        st.lists(st.sampled_from(CARDS), min_size=1, max_size=20).map(tuple),
    ),
    HelpReply: NAMES.map(HelpReply),
    Error: NAMES.map(Error),
    Refused: st.builds(Refused, st.sampled_from(Word), NAMES),
    RulesReply: st.sampled_from([*PRESETS.values()]).map(RulesReply),
    TableUpdate: OBJECTS.map(json.dumps).map(TableUpdate),
    Opened: NUMBERS.map(Opened),
    HintReply: st.builds(HintReply, st.sampled_from(Decision), COSTS),
    TablesReply: st.dictionaries(st.text(), st.integers()).map(lambda told: TablesReply(json.dumps(told))),
    HistoryReply: st.builds(
        lambda back, more, told: HistoryReply(back, back + more, json.dumps(told)),
        st.integers(1, 500),
        st.integers(0, 500),
        OBJECTS,
    ),
    ChartReply: st.builds(ChartReply, st.integers(2, 11), OBJECTS.map(json.dumps)),
    ReviewReply: st.builds(
        ReviewReply,
        COUNTS,
        COUNTS,
        COSTS,
        st.lists(
            st.builds(ReviewedDecision, st.sampled_from(Decision), COSTS, st.sampled_from(Decision))
        ).map(tuple),
    ),
    **{kind: st.just(kind()) for kind in (Begin, Shuffle, DealerQuit)},
}


def test_every_message_goes_there_and_back_below() -> None:
    assert set(PLAYER_MESSAGES) == set(get_args(PlayerMessage))
    assert set(DEALER_MESSAGES) == set(get_args(DealerMessage))


@given(st.one_of(*PLAYER_MESSAGES.values()))
def test_a_players_message_there_and_back(message: PlayerMessage) -> None:
    line = encode(message)
    assert decode_player(line) == message
    verb, blank, rest = line.partition(b" ")
    assert decode_player(b" " + verb.lower() + blank * 2 + rest + b"\t\r") == message


@given(st.one_of(*DEALER_MESSAGES.values()))
def test_a_dealers_message_there_and_back(message: DealerMessage) -> None:
    assert decode_dealer(encode(message)) == message


def test_a_table_is_one_line_whatever_its_texts_hold() -> None:
    facts = {"log": ["a\nb\0c", "\u2028 é \ud800 💥"], "nothing": None}
    line = encode(TableUpdate(json.dumps(facts)))
    assert b"\n" not in line
    assert b"\0" not in line
    told = decode_dealer(line)
    assert isinstance(told, TableUpdate)
    assert json.loads(told.json) == facts


@given(st.sampled_from(Decision), st.floats(0, 100))
def test_a_cost_differs_by_less_than_a_millionth_once_it_has_been_written(
    decision: Decision, cost: float
) -> None:
    told = decode_dealer(encode(HintReply(decision, cost)))
    assert isinstance(told, HintReply)
    assert told.decision is decision
    assert told.cost == pytest.approx(cost, abs=0.51e-6)


VERBS = [line.split()[0] for line, _ in [*OF_PLAYERS, *OF_DEALERS]]
ALMOST = st.builds(
    lambda verb, blank, rest: verb + blank + rest,
    st.sampled_from(VERBS),
    st.sampled_from([b" ", b"", b"\t", b"\xa0", b"\x1c"]),
    st.binary(max_size=40) | st.text(max_size=20).map(str.encode) | st.sampled_from(VERBS),
)


@given(st.binary(max_size=60) | ALMOST)
def test_only_messages_or_a_remote_error_come_out(line: bytes) -> None:
    for decode in (decode_player, decode_dealer):
        try:
            message = decode(line)
        except RemoteProtocolError as error:
            assert str(error).isprintable()
        else:
            # What has been understood is written as one line, which means the same.
            assert message is None or decode(encode(message)) == message


def test_what_a_dealer_says_does_nothing_to_a_terminal() -> None:
    assert decode_dealer(b"ERROR \x1b[2J\xc2\x85 gone") == Error("?[2J? gone")
    assert decode_dealer(b"REFUSED no-seat \x1b[2J") == Refused("no-seat", "?[2J")


# Names.

EXAMPLES = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
"""Names and their spellings, which the tests of the page share."""


@pytest.mark.parametrize(("text", "wire"), EXAMPLES)
def test_names_are_spelt_as_in_the_examples(text: str, wire: str) -> None:
    assert wire_name(text) == wire
    assert decode_player(f"JOIN {wire}".encode()) == Join(text)
    assert encode(Join(text)) == f"JOIN {wire}".encode()


@given(NAMES)
def test_every_name_is_what_its_spelling_says(text: str) -> None:
    wire = wire_name(text)
    assert re.fullmatch("[!-~]{1,200}", wire)
    assert name_of(wire) == text


@given(st.text(PRINTABLE, min_size=1, max_size=MAX_NAME))
def test_a_name_without_an_escape_is_spelt_as_it_always_was(text: str) -> None:
    assume(not re.search("%[0-9A-Fa-f]{2}", text))
    assert wire_name(text) == text == name_of(text)


@given(st.text("%0123456789ABCDEFabcdef ~x", max_size=220))
def test_whatever_a_word_spells_is_a_name_or_nothing(word: str) -> None:
    name = name_of(word)
    assert name is None or is_name(name)
    assert (name is not None) or not PLAIN_NAME.fullmatch(word)


@pytest.mark.parametrize(
    "wire", ["%0A", "a%00", "%20a", "a%20%20b", "%FF", "%E2%80%AE", "%C2%AD", "%ED%A0%80"]
)
def test_what_is_not_the_spelling_of_a_name_means_itself(wire: str) -> None:
    assert name_of(wire) == wire
    assert name_of(wire_name(wire)) == wire


@pytest.mark.parametrize("text", ["100%de", "5%ff", "%0A", "%zz", "%"])
def test_a_name_that_spells_no_other_is_spelt_as_it_always_was(text: str) -> None:
    assert wire_name(text) == text == name_of(text)


@pytest.mark.parametrize(
    "text", ["\u0928\u093f\u0915\u0940", "\u0e19\u0e49\u0e33\u0e1d\u0e19", "n\u0303o\u0323\u0302\u0301"]
)
def test_letters_have_the_marks_that_languages_put_there(text: str) -> None:
    assert is_name(normal(text))


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("JOIN José", "; this one is spelt Jos%C3%A9 here"),
        ("JOIN Jose\u0301 3", "; this one is spelt Jos%C3%A9 here"),
        ("JOIN " + "李" * 23, "in 200 characters at most"),
    ],
)
def test_who_types_a_name_as_it_is_is_told_how_it_is_spelt(line: str, hint: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_player(line.encode())
    assert hint in str(caught.value)
    assert str(caught.value).isascii()


def test_a_letter_that_was_sent_as_two_characters_is_one() -> None:
    assert name_of("Jose%CC%81") == "José" == Join("Jose\u0301").name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ann",
        "ann ",
        "a  b",
        "a\nb",
        "a\x1b[2Jb",
        "a" * 33,
        "李" * 23,
        "\u202eann",
        *"\u115f\u1160\u2800\u3164\uffa0\u2d7f\U0001d159\U00016fe4",
        "ann\u3164",
        *("bob\ufe0f", "bob\U000e0100", "a\u034fb", "\u17b4"),  # each looks like another name
        *("\u0301", "a \u0301"),  # marks without a letter
        "q" + 4 * "\u0323",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert not is_name(text)
    with pytest.raises(ValueError, match=r"^a name is "):
        Join(text)


def test_the_longest_join_fits_into_a_line() -> None:
    name = "x" * 32
    join = Join("й" * 32, MAX_JOIN_ROUNDS, "t" * 28)
    assert len(encode(join)) <= MAX_LINE
    assert len(encode(Join(name, MAX_JOIN_ROUNDS, "t" * 64))) <= MAX_LINE
    with pytest.raises(ValueError, match="together"):
        Join("й" * 32, MAX_JOIN_ROUNDS, "t" * 29)
