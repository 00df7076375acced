"""Which names look alike, by the rule in SPEC's section "Names that look alike"."""

from __future__ import annotations

import pytest

from dealer.lobby.lookalikes import LOOKALIKES, looks_of


def are_alike(first: str, second: str) -> bool:
    return not looks_of(first).isdisjoint(looks_of(second))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Strauß", "STRAUSS"),
        ("José", "jose"),
        ("\ufb01nn", "finn"),  # a ligature
        ("S\u00f8ren", "soren"),  # a stroke
        ("\u1d00nn", "ann"),  # a small capital
        ("Will", "WiI1"),
        ("O'Neil", "O\u2019Neil"),
        ("\u039d\u03af\u03ba\u03b7", "\u039d\u0399\u039a\u0397"),  # a Greek name and its capitals
        ("\u039d\u03af\u03ba\u03b7", "NIKH"),
        ("Kim", "\u043aim"),  # by its capital only
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    assert are_alike(name, other)
    assert are_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ann", "ann2"),
        ("Anna", "Ahha"),  # both letters are like those of a Greek one, as small and as capital
        ("\u0930\u093e\u092e", "\u0930\u092e"),  # a vowel sign of Devanagari is no mark on a letter
        ("\u0418\u0432\u0430\u043d", "Ivan"),  # the sound is the same
        ("Ann Lee", "AnnLee"),
    ],
)
def test_names_that_do_not(name: str, other: str) -> None:
    assert not are_alike(name, other)


def test_each_character_looks_like_one_thing() -> None:
    listed = [character for alike in LOOKALIKES.values() for character in alike]
    assert len(listed) == len(set(listed))
