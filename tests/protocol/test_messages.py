"""The messages: frozen, and valid once constructed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from cards import CARDS
from protocol import FORMS, MAX_JOIN_ROUNDS, MAX_NAME, Deal, Hit, Join, Message, Upcard


@pytest.mark.parametrize("name", ["a", "!", "~", "a" * 32, "player1", "<b>", "1"])
def test_a_name_has_1_to_32_printable_ascii_characters(name: str) -> None:
    assert Join(name).name == name
    assert len(name) <= MAX_NAME == 32


@pytest.mark.parametrize("name", ["", "a" * 33, "a b", " a", "a\n", "a\0", "\t", "\x7f", "é", "💥"])
def test_nothing_else_is_a_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"^a name is 1 to 32 printable ASCII characters without blanks$"):
        Join(name)


@pytest.mark.parametrize("rounds", [None, 1, 10**12])
def test_rounds_of_a_join(rounds: int | None) -> None:
    assert Join("ada", rounds).rounds == rounds


@pytest.mark.parametrize("rounds", [0, -1, MAX_JOIN_ROUNDS + 1])
def test_no_other_number_of_rounds(rounds: int) -> None:
    with pytest.raises(ValueError, match=r"is 1 to 1000000000000$"):
        Join("ada", rounds)


def test_messages_are_frozen_and_compare_by_what_they_say() -> None:
    with pytest.raises(FrozenInstanceError):
        Join("ada").name = "bob"  # type: ignore[misc]
    assert Join("ada", 1) == Join("ada", 1) != Join("ada")
    assert Hit() == Hit()
    assert {Deal(CARDS[0]), Deal(CARDS[0])} == {Deal(CARDS[0])}
    different: list[object] = [Deal(CARDS[0]), Upcard(CARDS[0])]
    assert different[0] != different[1]


def test_every_message_has_a_form() -> None:
    assert set(FORMS) == set(get_args(Message))
