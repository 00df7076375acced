"""Charts as a terminal shows them, and as plain text."""

from __future__ import annotations

import numpy as np
import pytest

from cards import PRESETS, Ace, DealerStands, Naturals, Rules
from tests.twentyone.exact.report.terminals import COLOURED, ESCAPES, on_a_terminal
from twentyone.exact.report.letters import (
    UPCARDS,
    Line,
    letter,
    policy_lines,
    rules_in_short,
    short,
    show,
    upcard_name,
)
from twentyone.policies.decisions import threshold


def text_of(line: Line) -> str:
    return "".join(piece.text for piece in line)


# Names.


def test_names_of_upcards() -> None:
    assert [upcard_name(upcard) for upcard in UPCARDS] == [*"23456789", "10", "A"]


def test_decisions_have_a_letter_and_values_five_characters() -> None:
    assert [letter(chance) for chance in (1.0, 0.0, 0.5, 1e-9)] == ["H", "S", "R", "R"]
    values = (-0.2928, 0.0, -0.00001, 0.9994, 0.9996, -1.0, 1.8846, -2.0)
    texts = ["-.293", "+.000", "+.000", "+.999", "+1.00", "-1.00", "+1.88", "-2.00"]
    assert [short(value) for value in values] == texts


def test_rules_are_named_by_what_is_unusual_in_them() -> None:
    assert rules_in_short(Rules()) == "course"
    assert rules_in_short(PRESETS["study"]) == "study"
    odd = Rules(decks=None, ace=Ace.ELEVEN, dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT)
    assert rules_in_short(odd) == "course decks=inf ace=11 dealer-stands=hard17 naturals=beat"


# Charts.


def test_a_policy_is_drawn_downwards_from_21_and_fits_80_columns() -> None:
    lines = policy_lines(threshold(17).hit, np.full((22, 22), 1.5), soft=False)
    head, first, *_ = map(text_of, lines)
    assert head.split() == ["hard", *"23456789", "10", "A"]
    assert first.split() == ["21"] + ["S+1.50"] * 10
    assert [int(text_of(line).split()[0]) for line in lines[1:]] == list(range(21, -1, -1))
    assert {text_of(line).split()[1][0] for line in lines[1:6]} == {"S"}
    assert {text_of(line).split()[1][0] for line in lines[6:]} == {"H"}
    assert {len(text_of(line)) for line in lines} == {74}


def test_soft_hands_are_read_from_the_columns_12_to_21() -> None:
    figures = np.full((22, 22), np.nan)
    for total in range(12, 22):
        for upcard in UPCARDS:
            figures[total, upcard + 10] = -(total / 100 + upcard / 1000)
    lines = policy_lines(threshold(18).hit, figures, soft=True)
    assert text_of(lines[0]).startswith("soft")
    assert text_of(lines[1]).split() == ["21", *(f"S-.{210 + upcard}" for upcard in UPCARDS)]
    assert text_of(lines[-1]).split() == ["12", *(f"H-.{120 + upcard}" for upcard in UPCARDS)]
    assert policy_lines(threshold(18).hit, figures, soft=False) == []


def test_a_cell_that_is_never_reached_is_blank() -> None:
    figures = np.full((22, 22), np.nan)
    figures[16, 10] = 0.1
    _, row = policy_lines(threshold(17).hit, figures, soft=False)
    assert text_of(row) == "  16" + " " * 7 * 8 + " H+.100" + " " * 7


def test_elsewhere_than_on_a_terminal_it_is_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    show([*policy_lines(threshold(17).hit, np.full((22, 22), 0.5), soft=True), []])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.splitlines()[1] == "  21" + " S+.500" * 10
    assert not any(line.endswith(" ") for line in out.splitlines())


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_terminal_shows_it_in_colour_unless_that_is_not_wanted(is_plain: bool) -> None:
    lines = policy_lines(threshold(17).hit, np.full((22, 22), -0.25), soft=False)
    shown = on_a_terminal(lambda: show(lines), **COLOURED, **({"NO_COLOR": "1"} if is_plain else {}))
    assert ("\x1b[38;" in shown or "\x1b[37;" in shown) != is_plain
    plain = ESCAPES.sub("", shown).splitlines()
    assert plain[1] == "  21" + " S-.250" * 10
    assert len(plain) == 23
