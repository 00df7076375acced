"""The order of names with numbers in them."""

from __future__ import annotations

from random import Random

from twentyone.support.natural import natural


def test_numbers_in_names_are_sorted_as_numbers() -> None:
    names = [
        "",
        "2",
        "10",
        "Bob",
        "bob",
        "bob 2b",
        "bob 2c",
        "bob 10a",
        "bob 10a 3",
        "training (2)",
        "training (10)",
    ]
    shuffled = names[:]
    Random(1).shuffle(shuffled)
    assert sorted(shuffled, key=natural) == names
