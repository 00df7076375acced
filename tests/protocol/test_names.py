"""Names of players: which texts are names, and how they are spelt in a message."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from protocol import MAX_LINE, Join, RemoteProtocolError, decode_player, encode
from protocol.names import MAX_NAME, PLAIN_NAME, is_name, name_of, normal, wire_name

PRINTABLE = [chr(code) for code in range(ord("!"), ord("~") + 1)]
NAMES = st.one_of(
    st.text(PRINTABLE, min_size=1, max_size=MAX_NAME),
    st.text(min_size=1, max_size=MAX_NAME).map(normal),
    st.text("%24aF é", min_size=1, max_size=MAX_NAME),
).filter(is_name)

EXAMPLES = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
"""Names and their spellings, which the tests of the page share."""

NOT_NAMES = [
    *("", " ann", "ann ", "a  b", "a\nb", "a\0", "\t", "\x7f", "\xa0", "a\x1b[2Jb", "\u202eann"),
    *("a" * 33, "李" * 23),
    *"\u115f\u1160\u2800\u3164\uffa0\u2d7f\U0001d159\U00016fe4",
    *("ann\u3164", "bob\ufe0f", "bob\U000e0100", "a\u034fb", "\u17b4"),  # each looks like another name
    *("\u0301", "a \u0301"),  # marks without a letter
    "q" + 4 * "\u0323",
]


def test_names_are_spelt_as_in_the_examples() -> None:
    for text, wire in EXAMPLES:
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


def test_what_spells_no_other_name_means_itself() -> None:
    for text in ("!", "~", "a" * 32, "100%de", "5%ff", "%0A", "%zz", "%"):
        assert wire_name(text) == text == name_of(text) == Join(text).name
    for wire in ("%0A", "a%00", "%20a", "a%20%20b", "%FF", "%E2%80%AE", "%C2%AD", "%ED%A0%80"):
        assert name_of(wire) == wire, "it is not the spelling of a name, and means itself"
        assert name_of(wire_name(wire)) == wire


@given(st.text("%0123456789ABCDEFabcdef ~x", max_size=220))
def test_whatever_a_word_spells_is_a_name_or_nothing(word: str) -> None:
    name = name_of(word)
    assert name is None or is_name(name)
    assert (name is not None) or not PLAIN_NAME.fullmatch(word)


@pytest.mark.parametrize("text", NOT_NAMES)
def test_what_is_no_name(text: str) -> None:
    assert not is_name(text)
    with pytest.raises(ValueError, match=r"^a name is 1 to 32 printable characters, no blank"):
        Join(text)


def test_letters_have_the_marks_that_languages_put_there() -> None:
    for text in ("\u0928\u093f\u0915\u0940", "\u0e19\u0e49\u0e33\u0e1d\u0e19", "n\u0303o\u0323\u0302\u0301"):
        assert is_name(normal(text)), ascii(text)
    assert is_name("q" + 3 * "\u0323")


def test_a_letter_that_was_sent_as_two_characters_is_one() -> None:
    assert name_of("Jose%CC%81") == "José" == Join("Jose\u0301").name


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("JOIN José", "; this one is spelt Jos%C3%A9 here"),
        ("JOIN Jose\u0301 3", "; this one is spelt Jos%C3%A9 here"),
        ("JOIN " + "李" * 23, "; a blank is spelt %20 here, other letters so too, and all in 200"),
    ],
)
def test_who_types_a_name_as_it_is_is_told_how_it_is_spelt(line: str, hint: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_player(line.encode())
    assert hint in str(caught.value)
    assert str(caught.value).isascii()


def test_the_longest_join_fits_into_a_line() -> None:
    assert len(encode(Join("й" * 32, 10**12, "t" * 28))) <= MAX_LINE
    assert len(encode(Join("x" * 32, 10**12, "t" * 64))) == 122
    with pytest.raises(ValueError, match="together"):
        Join("й" * 32, 10**12, "t" * 29)
