"""Columns of a terminal: letters of two columns (Unicode's East Asian Width W and F), and marks of none."""

from __future__ import annotations

from twentyone.support.cells import shortened, width
from twentyone.support.summary import columns


def test_wide_letters_and_marks_keep_the_columns_of_a_table_in_line() -> None:
    rows = [("name", "rounds"), ("王小明", "1"), ("e\u0301\u0302", "20"), ("Ωα", "300"), ("😀", "4,000")]
    lines = columns(rows).split("\n")
    assert {width(line) for line in lines} == {len("王小明") * 2 + 2 + len("rounds")}
    assert lines[1] == "王小明       1"


def test_what_is_too_wide_keeps_its_beginning_and_its_end() -> None:
    assert shortened("a" * 20 + "bot-12345", 24, 8) == "aaaaaaaaaaaaaaa…ot-12345"
    assert shortened("王" * 12, 24, 8) == "王" * 12
    assert shortened("王" * 13, 24, 8) == "王" * 7 + "…" + "王" * 4
    assert shortened("x\u0301" * 25, 24, 8) == "x\u0301" * 15 + "…" + "x\u0301" * 8
