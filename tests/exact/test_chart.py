"""Charts as a terminal shows them, and as plain text."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Ace, DealerStands, Naturals, Rules
from exact.chart import (
    UPCARDS,
    Line,
    cell_name,
    letter,
    policy_lines,
    rules_in_short,
    short,
    show,
    upcard_name,
)
from policies.decisions import threshold
from policies.qtable import dealer_column

ROOT = Path(__file__).parents[2]
ON_A_TERMINAL = """
import numpy as np
from exact.chart import policy_lines, show
from policies.decisions import threshold
show(policy_lines(threshold(17).hit, np.full((22, 22), -0.25), soft=False))
"""
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def text_of(line: Line) -> str:
    return "".join(piece.text for piece in line)


# Names.


def test_upcards_stand_in_the_order_of_every_chart() -> None:
    assert [upcard_name(upcard) for upcard in UPCARDS] == [*"23456789", "10", "A"]


@pytest.mark.parametrize(
    ("total", "upcard", "soft", "name"),
    [
        (16, 10, False, "hard 16 against 10"),
        (18, 11, True, "soft 18 against A"),
        (12, 2, True, "soft 12 against 2"),
        (5, 11, False, "hard 5 against A"),
        (14, None, False, "hard 14"),
        (14, None, True, "soft 14"),
    ],
)
def test_cells_in_words(total: int, upcard: int | None, soft: bool, name: str) -> None:
    assert cell_name(total, dealer_column(upcard, soft)) == name


@pytest.mark.parametrize(("chance", "name"), [(1.0, "H"), (0.0, "S"), (0.5, "R"), (1e-9, "R")])
def test_decisions_have_a_letter(chance: float, name: str) -> None:
    assert letter(chance) == name


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.2928, "-.293"),
        (0.0, "+.000"),
        (-0.00001, "-.000"),
        (0.9994, "+.999"),
        (0.9996, "+1.00"),
        (-1.0, "-1.00"),
        (1.8846, "+1.88"),
        (-2.0, "-2.00"),
    ],
)
def test_values_take_five_characters(value: float, text: str) -> None:
    assert short(value) == text


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
    ours, its = pty.openpty()
    environment = {key: text for key, text in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80"} | ({"NO_COLOR": "1"} if is_plain else {})
    command = [sys.executable, "-c", ON_A_TERMINAL]
    with subprocess.Popen(command, stdout=its, stdin=its, cwd=ROOT, env=environment) as process:
        os.close(its)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # it has ended, which Linux reports as an error
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    assert process.returncode == 0
    text = shown.decode()
    assert ("\x1b[38;5;" in text or "\x1b[38;2;" in text or "\x1b[37;" in text) != is_plain
    lines = ESCAPES.sub("", text).splitlines()
    assert lines[1] == "  21" + " S-.250" * 10
    assert len(lines) == 23
