"""How messages are spelt, and what else is read as the same."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, PRESETS, Ace, Cutoff, Decision, Outcome, Penetration, Rules, parse_card
from protocol import (
    DEALS,
    MAX_LINE,
    RESULTS,
    UPCARDS,
    RemoteProtocolError,
    decode_dealer,
    decode_player,
    encode,
)
from protocol import messages as m
from tests.protocol.sides import TOKEN

HIT, STAND = Decision.HIT, Decision.STAND
SHOWN = (parse_card("Ten of Clubs"), parse_card("Ace of Hearts"))

OF_PLAYERS: dict[bytes, m.PlayerMessage] = {
    b"JOIN ada": m.Join("ada"),
    b"JOIN ada 12": m.Join("ada", 12),
    b"JOIN ada token=s3cret=": m.Join("ada", token="s3cret="),
    b"JOIN token=ada 12 token=!~": m.Join("token=ada", 12, "!~"),
    **{b"HIT": m.Hit(), b"STAND": m.Stand(), b"DOUBLE": m.Double(), b"SPLIT": m.Split()},
    **{b"SURRENDER": m.Surrender(), b"INSURE": m.Insure(), b"DECLINE": m.Decline(), b"BET 1": m.Bet(1)},
    **{b"BET 1000000000000": m.Bet(10**12), b"QUIT": m.PlayerQuit(), b"RULES": m.RulesRequest()},
    **{b"SHOW": m.Show(), b"HELP": m.Help(), b"WATCH": m.Watch(), b"WATCH 1000000000": m.Watch(10**9)},
    b"OPEN": m.Open(),
    b"OPEN preset=showdown bot-delay=0.5": m.Open((("preset", "showdown"), ("bot-delay", "0.5"))),
    **{b"NEXT": m.Next(), b"START": m.Start(), b"BOT": m.AddBot(), b"HINT": m.HintRequest()},
    **{b"REVEAL": m.Reveal(), b"REVIEW": m.ReviewRequest()},
    **{b"TABLES": m.TablesRequest(), b"HISTORY 1": m.HistoryRequest(1)},
    **{b"HISTORY 1000": m.HistoryRequest(1000), b"CHART 2": m.ChartRequest(2)},
    b"CHART 11 preset=vegas decks=2": m.ChartRequest(11, (("preset", "vegas"), ("decks", "2"))),
    f"KEEP {TOKEN}".encode(): m.Keep(TOKEN),
    f"RESUME {TOKEN}".encode(): m.Resume(TOKEN),
}
OF_DEALERS: dict[bytes, m.DealerMessage] = {
    b"BEGIN": m.Begin(),
    b"CARD Ace of Spades": m.CardMessage(parse_card("Ace of Spades")),
    b"DEALER Ten of Hearts": m.DealerCard(parse_card("Ten of Hearts")),
    b"SHUFFLE": m.Shuffle(),
    b"DECISION": m.DecisionRequest(),
    b"DECISION HIT STAND": m.DecisionRequest((HIT, STAND)),
    b"DECISION HIT STAND DOUBLE SPLIT SURRENDER": m.DecisionRequest(m.PLAY),
    b"DECISION STAND SPLIT": m.DecisionRequest((STAND, Decision.SPLIT)),
    b"DECISION INSURE DECLINE": m.SideRequest(m.SIDES[0]),
    b"DECISION SURRENDER DECLINE": m.SideRequest(m.SIDES[1]),
    b"DECISION BET 5 100 1234.5": m.BetRequest(5, 100, Fraction(2469, 2)),
    b"DECISION BET 1 1000000000000 1000000000000": m.BetRequest(1, 10**12, 10**12),
    b"HAND 1 2": m.HandTurn(0, 2),
    b"HAND 98 99": m.HandTurn(97, 99),
    b"HAND 4 4 LOOSE -2": m.HandResult(3, 4, Outcome.LOSE, -2),
    b"HAND 2 3 WIN +1.5": m.HandResult(1, 3, Outcome.WIN, Fraction(3, 2)),
    b"SEAT 2 bob Ten of Clubs, Ace of Hearts": m.OtherHand(1, "bob", SHOWN),
    b"SEAT 9 ann%20l%C3%A9 Ten of Clubs, Ace of Hearts": m.OtherHand(8, "ann lé", SHOWN),
    b"RESULT WIN": m.Result(Outcome.WIN),
    b"RESULT LOOSE": m.Result(Outcome.LOSE),  # the historical spelling
    b"RESULT PUSH": m.Result(Outcome.PUSH),
    b"RESULT BUST": m.Result(Outcome.BUST),
    b"RESULT WIN +1.5": m.Result(Outcome.WIN, Fraction(3, 2)),
    b"RESULT LOOSE -36": m.Result(Outcome.LOSE, -36),
    b"RESULT PUSH 0": m.Result(Outcome.PUSH, 0),
    b"RESULT SURRENDER -0.5": m.Result(Outcome.SURRENDER, Fraction(-1, 2)),
    b"HELP you may say HIT now": m.HelpReply("you may say HIT now"),
    b"QUIT": m.DealerQuit(),
    b"ERROR no such thing": m.Error("no such thing"),
    "ERROR the café is closed".encode(): m.Error("the café is closed"),
    b"REFUSED no-seat every seat is taken": m.Refused("no-seat", "every seat is taken"),
    b"RULES preset=study decks=1 reshuffle=cutoff:26 ace=1 dealer-stands=all17 naturals=equal seats=1": (
        m.RulesReply(PRESETS["study"])
    ),
    b'TABLE {"table":1,"dealer":null}': m.TableUpdate('{"table":1,"dealer":null}'),
    b"OPENED 12": m.Opened(12),
    b"HINT HIT 0.123000": m.HintReply(HIT, 0.123),
    b"HINT SURRENDER 0.000000": m.HintReply(Decision.SURRENDER, 0.0),
    b"HINT STAND 999999999.999999": m.HintReply(STAND, 999999999.999999),
    b'TABLES {"tables":[]}': m.TablesReply('{"tables":[]}'),
    b'HISTORY 2 12 {"version":1}': m.HistoryReply(2, 12, '{"version":1}'),
    b'CHART 11 {"hands":[]}': m.ChartReply(11, '{"hands":[]}'),
    b"REVIEW 3 1 0.250000": m.ReviewReply(3, 1, 0.25),
    b"REVIEW 2 1 0.037000 INSURE 0.037000 DECLINE STAND 0.000000 STAND": m.ReviewReply(
        2,
        1,
        0.037,
        (m.ReviewedDecision(Decision.INSURE, 0.037, Decision.DECLINE), m.ReviewedDecision(STAND, 0.0, STAND)),
    ),
}


def test_what_a_player_says_is_written_and_read_like_this() -> None:
    assert {type(message) for message in OF_PLAYERS.values()} == set(m.PLAYER_KINDS)
    for line, message in OF_PLAYERS.items():
        assert encode(message) == line
        assert decode_player(line) == message
        verb, blank, rest = line.partition(b" ")
        assert decode_player(b" " + verb.lower() + blank * 2 + rest + b"\t\r") == message


def test_what_a_dealer_says_is_written_and_read_like_this() -> None:
    assert {type(message) for message in OF_DEALERS.values()} == set(m.DEALER_KINDS)
    for line, message in OF_DEALERS.items():
        assert encode(message) == line
        assert decode_dealer(line) == message
        assert decode_dealer(b" " + line + b"\r") == message


def test_every_card_outcome_choice_and_preset_there_and_back() -> None:
    for card in CARDS:
        assert decode_dealer(encode(DEALS[card.index])) == m.CardMessage(card)
        assert decode_dealer(encode(UPCARDS[card.index])) == m.DealerCard(card)
    assert {message.outcome for message in RESULTS.values()} == set(Outcome)
    for number in range(len(m.PLAY) + 1):
        for options in combinations(m.PLAY, number):
            assert decode_dealer(encode(m.DecisionRequest(options))) == m.DecisionRequest(options)
    for rules in PRESETS.values():
        assert decode_dealer(encode(m.RulesReply(rules))) == m.RulesReply(rules)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hIT\r", m.Hit()),
        (b" ? ", m.Help()),
        (b" bet   12 ", m.Bet(12)),
        (b"join Ada", m.Join("Ada")),  # a name keeps its case
        (b"\tJoin   Ada \t 3  ", m.Join("Ada", 3)),
        (b"JOIN JOIN", m.Join("JOIN")),
        (b"JOIN a 000000000000001", m.Join("a", 1)),
        (b"join a  3\ttoken=Abc\r", m.Join("a", 3, "Abc")),  # and so does a token
        (b"\twatch   2 \r", m.Watch(2)),
        (b"Watch 0007", m.Watch(7)),
        # The verb is read in any case; the keys and values are not verbs.
        (b"Open\tseats=3   bots=0\r", m.Open((("seats", "3"), ("bots", "0")))),
        (b"OPEN preset=CASINO x-y=Z", m.Open((("preset", "CASINO"), ("x-y", "Z")))),
        (b"OPEN a==b=", m.Open((("a", "=b="),))),
        (b"OPEN seats=2 seats=3", m.Open((("seats", "2"), ("seats", "3")))),
        (f"keep   {TOKEN} ".encode(), m.Keep(TOKEN)),
        (f" Resume\t{TOKEN}\r".encode(), m.Resume(TOKEN)),
    ],
)
def test_people_type_in_any_case_and_with_blanks(line: bytes, message: m.PlayerMessage) -> None:
    assert decode_player(line) == message


def test_the_short_words_are_read_where_people_type() -> None:
    short: dict[bytes, m.PlayerMessage] = {
        **{b"h": m.Hit(), b"s": m.Stand(), b"d": m.Double(), b"p": m.Split(), b"r": m.Surrender()},
        **{b"i": m.Insure(), b"q": m.PlayerQuit(), b"?": m.Help()},
    }
    for word, message in short.items():
        assert decode_player(word, is_typed=True) == message
        assert decode_player(b" " + word.upper() + b"\r", is_typed=True) == message
        with pytest.raises(RemoteProtocolError, match=r"takes no arguments$"):
            decode_player(word + b" now", is_typed=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        # Words behind those that are known, and verbs that nobody knows, are passed over.
        (b"BEGIN now", m.Begin()),
        (b"SHUFFLE 6", m.Shuffle()),
        (b"CARD Ace of Spades face up", m.CardMessage(parse_card("Ace of Spades"))),
        (b"DECISION HIT STAND TRIPLE", m.DecisionRequest((HIT, STAND))),
        (b"DECISION STAND HIT", m.DecisionRequest((HIT, STAND))),
        (b"DECISION TRIPLE", m.DecisionRequest()),
        (b"DECISION DECLINE INSURE", m.SideRequest(m.SIDES[0])),
        (b"DECISION BET 5 10 20 30", m.BetRequest(5, 10, 20)),
        (b"HAND 1 2 DEALT", m.HandTurn(0, 2)),
        (b"RESULT WIN +2 today", m.Result(Outcome.WIN, 2)),
        (b"RESULT WIN today", m.Result(Outcome.WIN)),
        (b"OPENED 1 2", m.Opened(1)),
        (b"HINT HIT 0.5 0.5", m.HintReply(HIT, 0.5)),
        (b"REVIEW 1 1 1 1", m.ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1", m.ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1 BEST", m.ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1 STAND more", m.ReviewReply(1, 1, 1.0, (m.ReviewedDecision(HIT, 1.0, STAND),))),
        (b"JACKPOT 5", None),
        (b"JACKPOT", None),
        # So are rules of a later version; those that are missing are those of the preset.
        (b"RULES preset=study side-bets=any sidebets", m.RulesReply(PRESETS["study"])),
        (b"RULES reshuffle=cutoff:9", m.RulesReply(Rules(reshuffle=Cutoff(9)))),
        # Numbers and JSON may be shorter or longer than they are written here.
        (b"RESULT LOSE", m.Result(Outcome.LOSE)),
        (b"HINT HIT 0", m.HintReply(HIT, 0.0)),
        (b"HINT STAND 1.5", m.HintReply(STAND, 1.5)),
        (b"REVIEW 2 2 0.01", m.ReviewReply(2, 2, 0.01)),
        (b"OPENED 007", m.Opened(7)),
        (b'TABLE { "a" : 1 }', m.TableUpdate('{ "a" : 1 }')),
        # What a dealer says does nothing to a terminal.
        (b"ERROR \x1b[2J\xc2\x85 gone", m.Error("?[2J? gone")),
        (b"REFUSED no-seat \x1b[2J", m.Refused("no-seat", "?[2J")),
        (b"HELP \x1b[2J", m.HelpReply("?[2J")),
    ],
)
def test_what_else_a_player_understands(line: bytes, message: m.DealerMessage | None) -> None:
    assert decode_dealer(line) == message


def test_empty_messages_are_ignored() -> None:
    for line in (b"", b" ", b"\r", b"\t \r"):
        assert (decode_player(line), decode_dealer(line)) == (None, None)


def test_a_cost_is_rounded_to_six_decimals() -> None:
    assert encode(m.HintReply(HIT, 0.12345649)) == b"HINT HIT 0.123456"
    assert encode(m.HintReply(HIT, 0.12345651)) == b"HINT HIT 0.123457"
    assert encode(m.ReviewReply(12, 2, 1 / 3 + 1)) == b"REVIEW 12 2 1.333333"


def test_the_longest_table_that_is_opened_fits_a_line() -> None:
    rules = replace(PRESETS["casino"], ace=Ace.EITHER, reshuffle=Penetration(1 / 3))
    more = "bots=9 bot-policy=threshold:22 practice=off pause=599.999999 bot-delay=599.999999"
    options = [*rules.fields().items(), *(tuple(word.split("=")) for word in more.split())]
    assert len(encode(m.Open(tuple(options)))) < MAX_LINE  # type: ignore[arg-type]
    assert len(encode(m.Resume("a" * 64))) == 71


def test_a_table_is_one_line_whatever_its_texts_hold() -> None:
    facts = {"log": ["a\nb\0c", "\u2028 é \ud800 💥"], "nothing": None}
    line = encode(m.TableUpdate(json.dumps(facts)))
    assert b"\n" not in line and b"\0" not in line
    told = decode_dealer(line)
    assert isinstance(told, m.TableUpdate)
    assert json.loads(told.json) == facts


# Any line.

VERBS = [line.split()[0] for line in (*OF_PLAYERS, *OF_DEALERS)]
ALMOST = st.builds(
    lambda verb, blank, rest: verb + blank + rest,
    st.sampled_from(VERBS),
    st.sampled_from([b" ", b"", b"\t", b"\xa0", b"\x1c"]),
    st.binary(max_size=40) | st.text(max_size=20).map(str.encode) | st.sampled_from(VERBS),
)
CHANGED = st.builds(
    lambda line, at, more: line[:at] + more + line[at + 1 :],
    st.sampled_from([*OF_PLAYERS, *OF_DEALERS]),
    st.integers(0, 40),
    st.sampled_from([b"", b" ", b"0", b"9", b"99", b".", b"-", b"x"]),
)


@given(st.binary(max_size=60) | ALMOST | CHANGED)
def test_only_messages_or_a_remote_error_come_out(line: bytes) -> None:
    for decode in (decode_player, decode_dealer):
        try:
            message = decode(line)
        except RemoteProtocolError as error:
            assert str(error).isprintable()
        else:
            # What has been understood is written as one line, which means the same.
            assert message is None or decode(encode(message)) == message


def test_messages_are_copied_and_pickled() -> None:
    for message in (*OF_PLAYERS.values(), *OF_DEALERS.values()):
        assert pickle.loads(pickle.dumps(message)) == deepcopy(message) == message
