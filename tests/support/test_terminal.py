"""What a command says does nothing to a terminal but appear on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.summary import columns
from support.terminal import notice, printable, tell

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


def test_a_table_of_results_keeps_its_columns() -> None:
    assert columns([("name", "n"), ("a\nb", "1")]) == "name  n\na\\nb  1"
