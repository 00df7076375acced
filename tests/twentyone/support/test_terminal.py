"""What a command says does nothing to a terminal but appear on it; tallies and tables as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import Outcome, Tally
from twentyone.support.summary import columns, tally_table
from twentyone.support.terminal import notice, printable, tell

HOSTILE = "a\x1b[2J\x9b\r\u202eb\u2028\udcff"
HARMLESS = r"a\x1b[2J\x9b\r\u202eb\u2028\udcff"


@given(st.text(st.characters()))
def test_any_text_can_be_shown_on_one_line_and_printable_ones_stay(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    assert (shown == text) == text.isprintable()


def test_control_characters_are_shown_as_in_a_python_string() -> None:
    assert printable(HOSTILE) == HARMLESS
    assert printable("one\ntwo\tthree") == r"one\ntwo\tthree"
    assert printable("naïve \u2660 漢字") == "naïve \u2660 漢字"


def test_a_notice_is_one_line_and_a_result_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    notice("example", f"{HOSTILE}\nand more")
    tell(f"{HOSTILE}\nand more")
    out, err = capsys.readouterr()
    assert err == f"example: {HARMLESS}\\nand more\n"
    assert out == f"{HARMLESS}\nand more\n"


def test_columns_are_as_wide_as_their_widest_cell_and_stay_columns() -> None:
    rows = [["a", "long cell", "x"], ["longer", "b", ""]]
    assert columns(rows) == "a       long cell  x\nlonger          b"
    assert columns([("name", "n"), ("a\nb", "1")]) == "name  n\na\\nb  1"
    assert columns([]) == ""


def test_a_table_of_tallies() -> None:
    tally = Tally({Outcome.WIN: 4000, Outcome.PUSH: 1000, Outcome.LOSE: 2000, Outcome.BUST: 3000})
    # The mean is -0.1; s**2 = (10000 * 0.9 - 10000 * 0.01) / 9999, and s / 100 is the standard error.
    assert tally_table([("anna", tally), ("b", Tally())]).splitlines() == [
        "name  rounds   wins  pushes  losses  by busting  mean payoff  standard error",
        "anna  10,000  4,000   1,000   5,000       3,000      -0.1000          0.0094",
        "b          0      0       0       0           0            -               -",
    ]
    assert "+1.0000" in tally_table([("anna", Tally({Outcome.WIN: 1}))])
