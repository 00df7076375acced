"""The messages: frozen, and valid once constructed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from cards import CARDS, Decision
from protocol import (
    FORMS,
    MAX_JOIN_ROUNDS,
    MAX_NAME,
    CardMessage,
    DealerCard,
    HintReply,
    Hit,
    Join,
    Keep,
    Message,
    Open,
    Resume,
    Watch,
)
from protocol.messages import MAX_NAME_TOKEN, MAX_TABLE_NUMBER


@pytest.mark.parametrize("name", ["a", "!", "~", "a" * 32, "player1", "<b>", "1"])
def test_a_name_has_1_to_32_printable_ascii_characters(name: str) -> None:
    assert Join(name).name == name
    assert len(name) <= MAX_NAME == 32


@pytest.mark.parametrize("name", ["", "a" * 33, "a  b", " a", "a\n", "a\0", "\t", "\x7f", "\u202e", "\xa0"])
def test_nothing_else_is_a_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"^a name is 1 to 32 printable characters, no blank"):
        Join(name)


@pytest.mark.parametrize("token", ["!", "~" * 64, "token=a", "s3cret"])
def test_a_token_of_a_name_is_shown_nowhere(token: str) -> None:
    join = Join("ada", token=token)
    assert join.token == token
    assert token not in repr(join)
    assert len(token) <= MAX_NAME_TOKEN == 64


@pytest.mark.parametrize("token", ["", "a" * 65, "a b", "a\n", "\x7f", "é"])
def test_nothing_else_is_a_token_of_a_name(token: str) -> None:
    with pytest.raises(ValueError, match=r"^the token of a name is 1 to 64 printable ASCII characters"):
        Join("ada", token=token)


@pytest.mark.parametrize("rounds", [None, 1, 10**12])
def test_rounds_of_a_join(rounds: int | None) -> None:
    assert Join("ada", rounds).rounds == rounds


@pytest.mark.parametrize("rounds", [0, -1, MAX_JOIN_ROUNDS + 1])
def test_no_other_number_of_rounds(rounds: int) -> None:
    with pytest.raises(ValueError, match=r"is 1 to 1000000000000$"):
        Join("ada", rounds)


@pytest.mark.parametrize("table", [None, 1, 10**9])
def test_a_table_to_watch(table: int | None) -> None:
    assert Watch(table).table == table


@pytest.mark.parametrize("table", [0, -1, MAX_TABLE_NUMBER + 1])
def test_no_other_number_of_a_table(table: int) -> None:
    with pytest.raises(ValueError, match=r"^the number of a table is 1 to 1000000000$"):
        Watch(table)


@pytest.mark.parametrize("kind", [Keep, Resume])
@pytest.mark.parametrize("token", ["a" * 22, "Z" * 64, "0123456789_-abcdefABCDEF", "-" * 22])
def test_a_token_has_22_to_64_letters_digits_and_two_signs(kind: type[Keep | Resume], token: str) -> None:
    assert kind(token).token == token


@pytest.mark.parametrize("kind", [Keep, Resume])
@pytest.mark.parametrize(
    "token", ["", "a" * 21, "a" * 65, "a" * 21 + "+", "a" * 21 + " ", "a" * 22 + "\n", "é" * 22, "٣" * 22]
)
def test_nothing_else_is_a_token(kind: type[Keep | Resume], token: str) -> None:
    with pytest.raises(ValueError, match=r"^a token is 22 to 64 letters, digits, - and _$"):
        kind(token)


def test_messages_are_frozen_and_compare_by_what_they_say() -> None:
    with pytest.raises(FrozenInstanceError):
        Join("ada").name = "bob"  # type: ignore[misc]
    assert Join("ada", 1) == Join("ada", 1) != Join("ada")
    assert Watch(1) == Watch(1) != Watch()
    assert Open((("seats", "2"),)) == Open((("seats", "2"),)) != Open()
    assert HintReply(Decision.HIT, 0.5) == HintReply(Decision.HIT, 0.5) != HintReply(Decision.STAND, 0.5)
    assert Hit() == Hit()
    assert {CardMessage(CARDS[0]), CardMessage(CARDS[0])} == {CardMessage(CARDS[0])}
    different: list[object] = [CardMessage(CARDS[0]), DealerCard(CARDS[0]), Keep("a" * 22), Resume("a" * 22)]
    assert len({*different}) == len(different)


def test_every_message_has_a_form() -> None:
    assert set(FORMS) == set(get_args(Message))
