"""How messages are spelt, and what is said about lines that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, PRESETS, Cutoff, Outcome, Rules, parse_card
from protocol import (
    DEALS,
    MAX_LINE,
    RESULTS,
    UPCARDS,
    Ask,
    AskRules,
    Begin,
    Deal,
    DealerMessage,
    Error,
    Hit,
    Join,
    Leave,
    Message,
    PlayerMessage,
    Quit,
    RemoteProtocolError,
    Result,
    Stand,
    TellRules,
    Upcard,
    decode_dealer,
    decode_player,
    encode,
    encode_all,
    quoted,
)

OF_PLAYERS: list[tuple[bytes, PlayerMessage]] = [
    (b"JOIN ada", Join("ada")),
    (b"JOIN ada 12", Join("ada", 12)),
    (b"HIT", Hit()),
    (b"STAND", Stand()),
    (b"QUIT", Leave()),
    (b"RULES", AskRules()),
]
OF_DEALERS: list[tuple[bytes, DealerMessage]] = [
    (b"BEGIN", Begin()),
    (b"CARD Ace of Spades", Deal(parse_card("Ace of Spades"))),
    (b"DEALER Ten of Hearts", Upcard(parse_card("Ten of Hearts"))),
    (b"DECISION", Ask()),
    (b"RESULT WIN", Result(Outcome.WIN)),
    (b"RESULT LOOSE", Result(Outcome.LOSE)),  # the historical spelling
    (b"RESULT PUSH", Result(Outcome.PUSH)),
    (b"RESULT BUST", Result(Outcome.BUST)),
    (b"QUIT", Quit()),
    (b"ERROR no such thing", Error("no such thing")),
    (
        b"RULES rules=study decks=1 reshuffle=cutoff:26 ace=1 dealer-stands=all17 naturals=equal seats=1",
        TellRules(PRESETS["study"]),
    ),
]


@pytest.mark.parametrize(("line", "message"), [*OF_PLAYERS, *OF_DEALERS])
def test_messages_are_written_like_this(line: bytes, message: Message) -> None:
    assert encode(message) == line
    assert encode_all([message, message]) == [line, line]


@pytest.mark.parametrize(("line", "message"), OF_PLAYERS)
def test_what_a_player_sends_is_read(line: bytes, message: PlayerMessage) -> None:
    assert decode_player(line) == message


@pytest.mark.parametrize(("line", "message"), OF_DEALERS)
def test_what_a_dealer_sends_is_read(line: bytes, message: DealerMessage) -> None:
    assert decode_dealer(line) == message
    assert decode_dealer(b" " + line + b"\r") == message


def test_every_card_there_and_back() -> None:
    for card in CARDS:
        assert decode_dealer(encode(DEALS[card.index])) == Deal(card)
        assert decode_dealer(encode(UPCARDS[card.index])) == Upcard(card)
    assert {message.outcome for message in RESULTS.values()} == set(Outcome)


def test_a_client_also_accepts_lose() -> None:
    assert decode_dealer(b"RESULT LOSE") == Result(Outcome.LOSE)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_there_and_back(preset: str) -> None:
    assert decode_dealer(encode(TellRules(PRESETS[preset]))) == TellRules(PRESETS[preset])


def test_rules_of_a_later_version_are_read_and_missing_ones_are_those_of_the_preset() -> None:
    assert decode_dealer(b"RULES rules=study double=any sidebets") == TellRules(PRESETS["study"])
    assert decode_dealer(b"RULES reshuffle=cutoff:9") == TellRules(Rules(reshuffle=Cutoff(9)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hit", Hit()),
        (b"  Stand\t", Stand()),
        (b"hIT\r", Hit()),
        (b"quit ", Leave()),
        (b" rules", AskRules()),
        (b"join Ada", Join("Ada")),  # a name keeps its case
        (b"\tJoin   Ada \t 3  ", Join("Ada", 3)),
        (b"JOIN JOIN", Join("JOIN")),
        (b"JOIN a 000000000000001", Join("a", 1)),
    ],
)
def test_people_type_in_any_case_and_with_blanks(line: bytes, message: PlayerMessage) -> None:
    assert decode_player(line) == message


@pytest.mark.parametrize("line", [b"", b" ", b"\r", b"\t \r"])
def test_empty_messages_are_ignored(line: bytes) -> None:
    assert decode_player(line) is None
    assert decode_dealer(line) is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"DOUBLE", "unknown message 'DOUBLE'"),
        (b"HITT", "unknown message 'HITT'"),
        (b"\xc5\xbftand", r"unknown message '\u017ftand'"),  # its upper case would be STAND
        (b"HIT me", "HIT stands alone, with nothing after it"),
        (b"rules please", "RULES stands alone, with nothing after it"),
        (b"JOIN", "JOIN takes a name without blanks, and perhaps a number of rounds"),
        (b"JOIN a b c", "JOIN takes a name without blanks, and perhaps a number of rounds"),
        (b"JOIN ada many", "'many' is no number of rounds"),
        (b"JOIN ada -1", "'-1' is no number of rounds"),
        (b"JOIN ada 1.5", "'1.5' is no number of rounds"),
        ("JOIN ada ٣".encode(), r"'\u0663' is no number of rounds"),
        (b"JOIN ada " + b"9" * 16, "'9999999999999999' is no number of rounds"),
        (b"JOIN ada 0", "the number of rounds after the name is 1 to 1000000000000"),
        (b"JOIN ada 1000000000001", "the number of rounds after the name is 1 to 1000000000000"),
        (b"JOIN " + b"a" * 33, "a name is 1 to 32 printable ASCII characters without blanks"),
        ("JOIN é".encode(), "a name is 1 to 32 printable ASCII characters without blanks"),
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


@pytest.mark.parametrize("verb", ["BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "ERROR"])
def test_a_dealers_verb_from_a_player(verb: str) -> None:
    for line in (verb, verb.lower(), f"{verb} Ace of Spades"):
        with pytest.raises(RemoteProtocolError, match=rf"^{verb} is for a dealer to send$"):
            decode_player(line.encode())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"HIT", "'HIT' is no message of a dealer"),
        (b"begin", "'begin' is no message of a dealer"),
        (b"BEGIN now", "'BEGIN now' is no message of a dealer"),
        (b"RESULT", "'RESULT' is no result: expected WIN, LOOSE, PUSH or BUST"),
        (b"RESULT DRAW", "'RESULT DRAW' is no result: expected WIN, LOOSE, PUSH or BUST"),
        (b"CARD", "CARD: '' is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"),
        (b"DEALER Ace", "DEALER: 'Ace' is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"),
        (b"RULES ace=2", "RULES: ace is '2': expected 1, 11 or either"),
        (
            b"RULES rules=mine",
            "RULES: there are no rules 'mine': expected course, study, devs, casino or showdown",
        ),
        (b"\xff\xfe", r"'\ufffd\ufffd' is not UTF-8 text"),
        (b"BEGIN\nBEGIN", r"'BEGIN\nBEGIN' is more than one message"),
    ],
)
def test_what_a_dealer_may_not_send(line: bytes, reason: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_dealer(line)
    assert str(caught.value) == reason


def test_the_longest_message_of_a_player_fits_a_line() -> None:
    assert len(encode(Join("a" * 32, 10**12))) == 51 < MAX_LINE


@given(st.binary(max_size=300))
def test_a_quoted_line_is_short_printable_ascii(line: bytes) -> None:
    text = quoted(line)
    assert text.isascii()
    assert text.isprintable()
    # 41 characters at most, each of ten at most when escaped, in quotes.
    assert len(text) <= 41 * 10 + len("'' and more")


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
