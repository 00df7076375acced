"""Texts that readers of CSV take for something else."""

from __future__ import annotations

from decimal import Decimal

import pytest

from twentyone.support.csv_lines import MARKED, csv_lines, marked

PANDAS = (
    *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
"""What `pandas.read_csv` takes for missing by default, without the empty text."""


@pytest.mark.parametrize(
    "text", [*PANDAS, "12", "1e5", "inf", "0x1F", "1,000", "12%", "True", "=1+1", "+a", "-a", "@a", "'a"]
)
def test_a_text_that_is_taken_for_something_else_is_marked(text: str) -> None:
    assert marked(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "ann", "NAN1", "a=1", "3rd", "0x", "\u738b", "nil", "100%25"])
def test_any_other_text_stays(text: str) -> None:
    assert marked(text) == text


def test_numbers_are_not_marked_and_one_sentence_tells_of_texts() -> None:
    said: list[str] = []
    rows = [("name", "payoff"), ("NA", -1), ("=1", Decimal("-0.5")), ('a,"b', None)]
    assert list(csv_lines(rows, said.append)) == [
        "name,payoff\n",
        "'NA,-1\n",
        "'=1,-0.5\n",
        '"a,""b",\n',
    ]
    assert said == [MARKED]
    assert list(csv_lines([("name",), (-1,)], said.append)) == ["name\n", "-1\n"]
    assert said == [MARKED]
