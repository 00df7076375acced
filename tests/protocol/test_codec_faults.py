"""What is said about lines that are no messages: one sentence that quotes them, and no token."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import RemoteProtocolError, decode_dealer, decode_player, quoted
from protocol.names import NAME_FORM
from tests.protocol.sides import TOKEN

TOKEN_FORM = "the token of a name is 1 to 64 printable ASCII characters without blanks"
WITH_TOKEN = "expected JOIN <name> [<rounds>] [token=<token>]"
JOIN_FORM = "JOIN takes a name without blanks, and perhaps a number of rounds"
BLANK = "a blank in a name is typed as %20, as in"
CARD_FORM = "is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"
PAYOFF_FORM = "is not a payoff: expected digits, as in +1.5, -1 or 0"
BET_FORM = "BET takes a whole number of chips, in digits, without a leading zero"
SPELT = "a blank is spelt %20 here, other letters so too, and all in 200 characters at most"
NO_TABLE = "{!a} is not the number of a table"
BETS_FORM = "{!a} is not the least bet, the largest and the bankroll"
PRESET_NAMES = "course, study, devs, casino, showdown, textbook, vegas, reno or europe"
ROUND_FORM = "a round of the history is 1 to 1000, and one of those that there are"
REVIEW_FORM = "REVIEW: {!a} is not two counts and a cost"
RESULT_FORM = "is not a result: expected WIN, LOOSE, PUSH, BUST or SURRENDER"

OF_PLAYERS: list[tuple[str, str, tuple[str, ...]]] = [
    ("BET {}", BET_FORM, ("", "0", "-5", "+5", "05", "1.5", "1e3", "5 5", "٣", "9" * 14)),
    ("BET {}", "a bet is 1 to 1000000000000 chips", ("1000000000001",)),
    # A short word where nobody types, a typing error, and a letter whose upper case is S.
    ("{}", "unknown message {!a}", ("h", "HITT", "\u017ftand")),
    ("HIT {}", "HIT takes no arguments", ("me", "HIT")),
    ("rules {}", "RULES takes no arguments", ("please",)),
    ("review {}", "REVIEW takes no arguments", ("3 1 0.1",)),
    ("JOIN{}", JOIN_FORM, ("", " a 1 2", " \u3164 b c")),
    ("JOIN ada {}", "{!a} is not a number of rounds", ("-1", "1.5", "٣", "9" * 16)),
    ("JOIN Ann {}", f"'Lee' is not a number of rounds; {BLANK} JOIN Ann%20Lee", ("Lee",)),
    ("JOIN 'Ann {}", f"{{!a}} is not a number of rounds; {BLANK} JOIN Ann%20Lee", ("Lee'",)),
    ("JOIN {} 5", f"{JOIN_FORM}; {BLANK} JOIN Jos%C3%A9%20M%20Lee 5", ("José M  Lee", "Jose\u0301 M Lee")),
    ("JOIN Ann Lee {}", f"{JOIN_FORM}; {BLANK} JOIN Ann%20Lee%20Poe: {WITH_TOKEN}", ("Poe token=s3",)),
    ("JOIN ada {}", "the number of rounds after the name is 1 to 1000000000000", ("0", "1000000000001")),
    ("JOIN {}", f"a name is {NAME_FORM}; {SPELT}", ("a" * 33,)),
    ("JOIN a {}", f"{TOKEN_FORM}: {WITH_TOKEN}", ("1 token=", "token=" + "x" * 65, "token=é")),
    ("JOIN a {}", f"the token of a name is the last word of a JOIN: {WITH_TOKEN}", ("token=x 1",)),
    ("JOIN a {}", f"'token=...' is not a number of rounds: {WITH_TOKEN}", ("token=x token=y",)),
    ("JOIN a {}", f"'TOKEN=...' is not a number of rounds: {WITH_TOKEN}", ("TOKEN=x",)),
    ("JOIN a {}", f"{JOIN_FORM}: {WITH_TOKEN}", ("1 TOKEN=x",)),
    ("JON ada {}", "unknown message 'JON ada token=...'", ("token=s3cret",)),
    ("JON ada 1 {}", "unknown message 'JON ada 1 Token=...'", ("Token=" + "s" * 64,)),
    ("WATCH {}", NO_TABLE, ("0", "1000000001", "-1", "1.0", "all", "0" * 15 + "1", "٣")),
    ("WATCH {}", "WATCH takes the number of a table, or nothing", ("1 2",)),
    ("HISTORY{}", "HISTORY takes the number of a round, the last one that is over being 1", ("", " 1 2")),
    ("HISTORY {}", "{!a} is not the number of a round, 1 to 1000", ("0", "1001", "all", "0" * 15 + "1")),
    ("CHART{}", "CHART takes an upcard, 2 to 11, and may take rules as <key>=<value>", ("",)),
    ("CHART {}", "{!a} is not an upcard, 2 to 11 (an ace)", ("1", "12", "02", "A")),
    ("CHART 11 {}", "{!a} is not <key>=<value>", ("decks",)),
    ("OPEN {}", "{!a} is not <key>=<value>", ("x", "seats=", "=3", "Seats=3", "seats=é", "seats=\x1b")),
    ("OPEN seats=3 {}", "{!a} is not <key>=<value>", ("4",)),
    ("{}", "expected one token after the verb", ("KEEP", "RESUME", f"KEEP {TOKEN} please")),
    ("KEEP {}", "a token is 22 to 64 letters, digits, - and _", ("a" * 21, "a" * 65, "a" * 22 + "=")),
    (f"RESUME {TOKEN}" + "{}", "'RESUME ...' is more than one message", ("\0",)),
    ("{}", "{!a} is more than one message", ("HIT\nHIT", "HIT\0")),
    ("{}", f"unknown message '{'x' * 41}' and more", ("x" * 50,)),
    ("{}", f"unknown message '{'x' * 41}' and more", ("x" * 41,)),
    ("{}", f"unknown message '{'x' * 40}'", ("x" * 40,)),
]
OF_DEALERS: list[tuple[str, str, tuple[str, ...]]] = [
    ("{}", "{!a} is not a message of a dealer", ("HIT", "begin", "Jackpot", "JACKPOT! 5", "TABLE\t{}")),
    ("{}", "{!a} is not a message of a dealer", ("table {}", "WATCH", "OPEN seats=3", "NEXT", "JOIN ada")),
    ("KEEP {}", "'KEEP ...' is not a message of a dealer", (TOKEN,)),
    ("RESULT WIN {}", "RESULT: {!a} " + PAYOFF_FORM, ("+", "1e3")),
    ("{}", "{!a} " + RESULT_FORM, ("RESULT", "RESULT DRAW")),
    ("HAND {}", "HAND: {!a} is not the number of a hand, and how many there are", ("", "0 2", "1")),
    ("HAND {}", "HAND: there is no hand 3 of 2", ("3 2",)),
    ("HAND 1 2 WIN{}", "HAND: '' " + PAYOFF_FORM, ("",)),
    ("DECISION BET {}", f"DECISION BET: {BETS_FORM}", ("", "5 2 9", "1.5 2 9", "5 9 7")),
    ("SEAT {} bob Ten of Clubs", "SEAT: {!a} is not the number of a seat", ("0", "10")),
    ("SEAT 1 bob{}", "SEAT: '' " + CARD_FORM, ("",)),
    ("SEAT 1 {}", "SEAT: a hand that is shown has a seat of 9, a name and cards", (" Ten of Clubs",)),
    ("CARD{}", "CARD: '' " + CARD_FORM, ("",)),
    ("DEALER {}", "DEALER: {!a} " + CARD_FORM, ("Ace",)),
    ("REFUSED {} text", "REFUSED: the word of a refusal is lower-case letters and hyphens", ("No",)),
    ("RULES ace={}", "RULES: ace is {!a}: expected 1, 11 or either", ("2",)),
    ("RULES preset={}", f"RULES: there are no rules {{!a}}: expected {PRESET_NAMES}", ("mine",)),
    *(
        (f"{start} {{}}", start.split()[0] + ": {!a} is not a JSON object", cases)
        for start, cases in {
            "TABLE": ("", "1", "[{}]", "null", '"{}"', '{"a":}', "{} {}"),
            "TABLES": ("[]",),
            "HISTORY 1 2": ("[]", ""),
            "CHART 11": ("[]", ""),
        }.items()
    ),
    ("TABLE {}", "TABLE: '" + '{{"a":' * 8 + "{{' and more is not a JSON object", ('{"a":' * 9999,)),
    ("CHART {} {{}}", "{!a} is not an upcard, 2 to 11 (an ace)", ("1", "12", "x")),
    ("OPENED {}", "{!a} is not the number of a table", ("", "0", "one")),
    ("HINT {}", "HINT: {!a} does not begin with a decision", ("", "0.5", "hit 0.5")),
    ("HINT STAND {}", "HINT: {!a} is not a cost", ("", "-0.5", "nan", "1e3", ".5", "0.1234567", "1" * 10)),
    ("HISTORY {} {{}}", f"HISTORY: {ROUND_FORM}", ("3 2",)),
    ("HISTORY {} 2 {{}}", "{!a} is not the number of a round, 1 to 1000", ("x",)),
    ("REVIEW {}", REVIEW_FORM, ("", "1 0", "1 -1 0.0", "1 0.5 0.0", "1 9999999999999999 0")),
    ("REVIEW 1 1 {}", "REVIEW: 'much' is not a cost", ("much", "1 HIT much STAND")),
    ("{}", "{!a} is more than one message", ("BEGIN\nBEGIN",)),
]


@pytest.mark.parametrize(
    ("decode", "line", "reason", "cases"),
    [(decode_player, *each) for each in OF_PLAYERS] + [(decode_dealer, *each) for each in OF_DEALERS],
)
def test_what_may_not_be_sent(
    decode: Callable[[bytes], object], line: str, reason: str, cases: tuple[str, ...]
) -> None:
    for case in cases:
        with pytest.raises(RemoteProtocolError) as caught:
            decode(line.format(case).encode())
        assert str(caught.value) == reason.format(case)


def test_what_is_not_utf_8_is_no_message() -> None:
    for decode in (decode_player, decode_dealer):
        with pytest.raises(RemoteProtocolError, match=r"^'\\ufffd\\ufffd' is not UTF-8 text$"):
            decode(b"\xff\xfe")


def test_a_dealers_verb_from_a_player() -> None:
    for verb in ("BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "ERROR", "TABLE", "OPENED"):
        for line in (verb, verb.lower(), f"{verb} Ace of Spades"):
            with pytest.raises(RemoteProtocolError, match=rf"^{verb} is for a dealer to send$"):
                decode_player(line.encode())


@given(st.binary(max_size=300))
def test_a_quoted_line_is_short_printable_ascii(line: bytes) -> None:
    text = quoted(line)
    assert text.isascii()
    assert text.isprintable()
    # 41 characters at most, each of ten at most when escaped, in quotes.
    assert len(text) <= 41 * 10 + len("'' and more")
