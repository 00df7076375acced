"""How messages are spelt, and what else is read as the same."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, PRESETS, Ace, Card, Cutoff, Decision, Outcome, Penetration, Rules, parse_card
from protocol import (
    DEALS,
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
    decode_dealer,
    decode_player,
    encode,
)
from protocol.messages import PLAY, SIDES
from tests.protocol.any_message import DEALER_MESSAGES, PLAYER_MESSAGES
from tests.protocol.sides import TOKEN

HIT, STAND = Decision.HIT, Decision.STAND


def cards_of(*names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names))


OF_PLAYERS: dict[bytes, PlayerMessage] = {
    b"JOIN ada": Join("ada"),
    b"JOIN ada 12": Join("ada", 12),
    b"JOIN ada token=s3cret=": Join("ada", token="s3cret="),
    b"JOIN token=ada 12 token=!~": Join("token=ada", 12, "!~"),
    b"HIT": Hit(),
    b"STAND": Stand(),
    b"DOUBLE": Double(),
    b"SPLIT": Split(),
    b"SURRENDER": Surrender(),
    b"INSURE": Insure(),
    b"DECLINE": Decline(),
    b"BET 1": Bet(1),
    b"BET 1000000000000": Bet(10**12),
    b"QUIT": PlayerQuit(),
    b"RULES": RulesRequest(),
    b"SHOW": Show(),
    b"HELP": Help(),
    b"WATCH": Watch(),
    b"WATCH 1000000000": Watch(10**9),
    b"OPEN": Open(),
    b"OPEN rules=showdown bot-delay=0.5": Open((("rules", "showdown"), ("bot-delay", "0.5"))),
    b"NEXT": Next(),
    b"HINT": HintRequest(),
    b"REVEAL": Reveal(),
    b"REVIEW": ReviewRequest(),
    b"TABLES": TablesRequest(),
    b"HISTORY 1": HistoryRequest(1),
    b"HISTORY 1000": HistoryRequest(1000),
    b"CHART 2": ChartRequest(2),
    b"CHART 11 preset=vegas decks=2": ChartRequest(11, (("preset", "vegas"), ("decks", "2"))),
    f"KEEP {TOKEN}".encode(): Keep(TOKEN),
    f"RESUME {TOKEN}".encode(): Resume(TOKEN),
}
OF_DEALERS: dict[bytes, DealerMessage] = {
    b"BEGIN": Begin(),
    b"CARD Ace of Spades": CardMessage(parse_card("Ace of Spades")),
    b"DEALER Ten of Hearts": DealerCard(parse_card("Ten of Hearts")),
    b"SHUFFLE": Shuffle(),
    b"DECISION": DecisionRequest(),
    b"DECISION HIT STAND": DecisionRequest((HIT, STAND)),
    b"DECISION HIT STAND DOUBLE SPLIT SURRENDER": DecisionRequest(PLAY),
    b"DECISION STAND SPLIT": DecisionRequest((STAND, Decision.SPLIT)),
    b"DECISION INSURE DECLINE": SideRequest(SIDES[0]),
    b"DECISION SURRENDER DECLINE": SideRequest(SIDES[1]),
    b"DECISION BET 5 100 1234.5": BetRequest(5, 100, Fraction(2469, 2)),
    b"HAND 1 2": HandTurn(0, 2),
    b"HAND 4 4 LOOSE -2": HandResult(3, 4, Outcome.LOSE, -2),
    b"HAND 2 3 WIN +1.5": HandResult(1, 3, Outcome.WIN, Fraction(3, 2)),
    b"SEAT 2 bob Ten of Clubs, Ace of Hearts": OtherHand(1, "bob", cards_of("Ten of Clubs", "Ace of Hearts")),
    b"RESULT WIN": Result(Outcome.WIN),
    b"RESULT LOOSE": Result(Outcome.LOSE),  # the historical spelling
    b"RESULT PUSH": Result(Outcome.PUSH),
    b"RESULT BUST": Result(Outcome.BUST),
    b"RESULT WIN +1.5": Result(Outcome.WIN, Fraction(3, 2)),
    b"RESULT LOOSE -36": Result(Outcome.LOSE, -36),
    b"RESULT PUSH 0": Result(Outcome.PUSH, 0),
    b"RESULT SURRENDER -0.5": Result(Outcome.SURRENDER, Fraction(-1, 2)),
    b"HELP you may say HIT now": HelpReply("you may say HIT now"),
    b"QUIT": DealerQuit(),
    b"ERROR no such thing": Error("no such thing"),
    b"REFUSED no-seat every seat is taken": Refused("no-seat", "every seat is taken"),
    b"RULES preset=study decks=1 reshuffle=cutoff:26 ace=1 dealer-stands=all17 naturals=equal seats=1": (
        RulesReply(PRESETS["study"])
    ),
    b'TABLE {"table":1,"dealer":null}': TableUpdate('{"table":1,"dealer":null}'),
    b"OPENED 12": Opened(12),
    b"HINT HIT 0.123000": HintReply(HIT, 0.123),
    b"HINT SURRENDER 0.000000": HintReply(Decision.SURRENDER, 0.0),
    b'TABLES {"tables":[]}': TablesReply('{"tables":[]}'),
    b'HISTORY 2 12 {"version":1}': HistoryReply(2, 12, '{"version":1}'),
    b'CHART 11 {"hands":[]}': ChartReply(11, '{"hands":[]}'),
    b"REVIEW 3 1 0.250000": ReviewReply(3, 1, 0.25),
    b"REVIEW 2 1 0.037000 INSURE 0.037000 DECLINE STAND 0.000000 STAND": ReviewReply(
        2,
        1,
        0.037,
        (
            ReviewedDecision(Decision.INSURE, 0.037, Decision.DECLINE),
            ReviewedDecision(STAND, 0.0, STAND),
        ),
    ),
}


def test_what_a_player_says_is_written_and_read_like_this() -> None:
    assert {type(message) for message in OF_PLAYERS.values()} == set(get_args(PlayerMessage))
    for line, message in OF_PLAYERS.items():
        assert encode(message) == line
        assert decode_player(line) == message


def test_what_a_dealer_says_is_written_and_read_like_this() -> None:
    assert {type(message) for message in OF_DEALERS.values()} == set(get_args(DealerMessage))
    for line, message in OF_DEALERS.items():
        assert encode(message) == line
        assert decode_dealer(line) == message
        assert decode_dealer(b" " + line + b"\r") == message


def test_every_card_outcome_and_preset_there_and_back() -> None:
    for card in CARDS:
        assert decode_dealer(encode(DEALS[card.index])) == CardMessage(card)
        assert decode_dealer(encode(UPCARDS[card.index])) == DealerCard(card)
    assert {message.outcome for message in RESULTS.values()} == set(Outcome)
    for rules in PRESETS.values():
        assert decode_dealer(encode(RulesReply(rules))) == RulesReply(rules)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hit", Hit()),
        (b"hIT\r", Hit()),
        (b"  Stand\t", Stand()),
        (b"quit ", PlayerQuit()),
        (b" ? ", Help()),
        (b" bet   12 ", Bet(12)),
        (b"join Ada", Join("Ada")),  # a name keeps its case
        (b"\tJoin   Ada \t 3  ", Join("Ada", 3)),
        (b"JOIN JOIN", Join("JOIN")),
        (b"JOIN a 000000000000001", Join("a", 1)),
        (b"join a  3\ttoken=Abc\r", Join("a", 3, "Abc")),  # and so does a token
        (b"\twatch   2 \r", Watch(2)),
        (b"Watch 0007", Watch(7)),
        # The verb is read in any case; the keys and values are not verbs.
        (b"Open\tseats=3   bots=0\r", Open((("seats", "3"), ("bots", "0")))),
        (b"OPEN rules=CASINO x-y=Z", Open((("rules", "CASINO"), ("x-y", "Z")))),
        (b"OPEN a==b=", Open((("a", "=b="),))),
        (b"OPEN seats=2 seats=3", Open((("seats", "2"), ("seats", "3")))),
        (f"keep   {TOKEN} ".encode(), Keep(TOKEN)),
        (f" Resume\t{TOKEN}\r".encode(), Resume(TOKEN)),
    ],
)
def test_people_type_in_any_case_and_with_blanks(line: bytes, message: PlayerMessage) -> None:
    assert decode_player(line) == message


def test_the_short_words_are_read_where_people_type() -> None:
    short: dict[bytes, PlayerMessage] = {
        b"h": Hit(),
        b"s": Stand(),
        b"d": Double(),
        b"p": Split(),
        b"r": Surrender(),
        b"i": Insure(),
        b"q": PlayerQuit(),
        b"?": Help(),
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
        (b"BEGIN now", Begin()),
        (b"SHUFFLE 6", Shuffle()),
        (b"CARD Ace of Spades face up", CardMessage(parse_card("Ace of Spades"))),
        (b"DECISION HIT STAND TRIPLE", DecisionRequest((HIT, STAND))),
        (b"DECISION STAND HIT", DecisionRequest((HIT, STAND))),
        (b"DECISION TRIPLE", DecisionRequest()),
        (b"DECISION DECLINE INSURE", SideRequest(SIDES[0])),
        (b"DECISION BET 5 10 20 30", BetRequest(5, 10, 20)),
        (b"HAND 1 2 DEALT", HandTurn(0, 2)),
        (b"RESULT WIN +2 today", Result(Outcome.WIN, 2)),
        (b"RESULT WIN today", Result(Outcome.WIN)),
        (b"OPENED 1 2", Opened(1)),
        (b"HINT HIT 0.5 0.5", HintReply(HIT, 0.5)),
        (b"REVIEW 1 1 1 1", ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1", ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1 BEST", ReviewReply(1, 1, 1.0)),
        (b"REVIEW 1 1 1 HIT 1 STAND more", ReviewReply(1, 1, 1.0, (ReviewedDecision(HIT, 1.0, STAND),))),
        (b"JACKPOT 5", None),
        (b"JACKPOT", None),
        # So are rules of a later version; those that are missing are those of the preset.
        (b"RULES preset=study side-bets=any sidebets", RulesReply(PRESETS["study"])),
        (b"RULES reshuffle=cutoff:9", RulesReply(Rules(reshuffle=Cutoff(9)))),
        # Numbers and JSON may be shorter or longer than they are written here.
        (b"RESULT LOSE", Result(Outcome.LOSE)),
        (b"HINT HIT 0", HintReply(HIT, 0.0)),
        (b"HINT STAND 1.5", HintReply(STAND, 1.5)),
        (b"REVIEW 2 2 0.01", ReviewReply(2, 2, 0.01)),
        (b"OPENED 007", Opened(7)),
        (b'TABLE { "a" : 1 }', TableUpdate('{ "a" : 1 }')),
        # What a dealer says does nothing to a terminal.
        (b"ERROR \x1b[2J\xc2\x85 gone", Error("?[2J? gone")),
        (b"REFUSED no-seat \x1b[2J", Refused("no-seat", "?[2J")),
        (b"HELP \x1b[2J", HelpReply("?[2J")),
    ],
)
def test_what_else_a_player_understands(line: bytes, message: DealerMessage | None) -> None:
    assert decode_dealer(line) == message


@pytest.mark.parametrize("line", [b"", b" ", b"\r", b"\t \r"])
def test_empty_messages_are_ignored(line: bytes) -> None:
    assert decode_player(line) is None
    assert decode_dealer(line) is None


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (HintReply(HIT, 0.12345649), b"HINT HIT 0.123456"),
        (HintReply(HIT, 0.12345651), b"HINT HIT 0.123457"),
        (HintReply(STAND, 0.00000049), b"HINT STAND 0.000000"),
        (ReviewReply(12, 2, 1 / 3 + 1), b"REVIEW 12 2 1.333333"),
    ],
)
def test_a_cost_is_rounded_to_six_decimals(message: DealerMessage, line: bytes) -> None:
    assert encode(message) == line


def test_the_longest_table_that_is_opened_fits_a_line() -> None:
    rules = replace(PRESETS["casino"], ace=Ace.EITHER, reshuffle=Penetration(1 / 3))
    more = "bots=9 bot-policy=threshold:22 practice=off pause=599.999999 bot-delay=599.999999"
    options = [*rules.fields().items(), *(tuple(word.split("=")) for word in more.split())]
    assert len(encode(Open(tuple(options)))) < MAX_LINE  # type: ignore[arg-type]
    assert len(encode(Resume("a" * 64))) == 71


def test_a_table_is_one_line_whatever_its_texts_hold() -> None:
    facts = {"log": ["a\nb\0c", "\u2028 é \ud800 💥"], "nothing": None}
    line = encode(TableUpdate(json.dumps(facts)))
    assert b"\n" not in line and b"\0" not in line
    told = decode_dealer(line)
    assert isinstance(told, TableUpdate)
    assert json.loads(told.json) == facts


# Any message.


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


VERBS = [line.split()[0] for line in (*OF_PLAYERS, *OF_DEALERS)]
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
