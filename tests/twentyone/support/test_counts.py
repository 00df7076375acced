"""Numbers of things in words, and figures with a sign."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from twentyone.support.counts import counted, one_of

ROOT: Final = Path(__file__).parents[3]
PACKAGES: Final = "dealer player tournament twentyone"

SIGNED: Final = re.compile(r"\{[^{}\"]*:\+,?\.[0-9{]")
"""A figure in a text that is always signed, but whose zero may have a minus: `:+z.4f` has none."""


def test_one_of_a_thing_is_the_singular() -> None:
    told = [counted(number, what) for what in ("round", "match") for number in (0, 1, 2_000)]
    assert told == ["0 rounds", "1 round", "2,000 rounds", "0 matches", "1 match", "2,000 matches"]


def test_no_figure_with_a_sign_has_a_zero_with_a_minus() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in PACKAGES.split()
        for path in (ROOT / package).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if SIGNED.search(line)
    ]
    assert found == []
    assert SIGNED.search('f"{mean:+.4f}"') and f"{-0.00001:+z.4f}" == "+0.0000"


def test_a_choice_is_listed_with_or_before_the_last() -> None:
    assert [one_of("a"), one_of("ab"), one_of("abc")] == ["a", "a or b", "a, b or c"]
