"""Numbers as people type them: exactly read, or refused in a sentence."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Annotated

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.support.numbers import (
    LARGEST,
    NumberError,
    port_number,
    reading_numbers,
    real_number,
    whole_number,
)


def test_a_whole_number_is_read_exactly_however_it_is_written() -> None:
    cases = {
        **{"50000": 50_000, "50_000": 50_000, "50,000": 50_000, "1,000,000": 10**6, "007": 7},
        **{"1e6": 10**6, "1E+6": 10**6, "1M": 10**6, "1m": 10**6, "100k": 100_000, "2G": 2 * 10**9},
        **{"1.5e3": 1_500, "1.5k": 1_500, ".5k": 500, "5.": 5, "1000e-3": 1, "-1e3": -1_000},
        **{"1e22": 10**22, "10000000000000000000001": 10**22 + 1},  # which is no float
    }
    for text, number in cases.items():
        assert whole_number(None, None, text) == number, text
    assert whole_number(None, None, 12) == 12


def test_what_is_no_whole_number_is_refused() -> None:
    wrong = [
        *"x.",
        "",
        " ",
        "1e-3",
        "1.5",
        "1e",
        "e6",
        "1,5",
        "1,00",
        "1__0",
        "_1",
        "1_",
        "1kk",
        "1k5",
        "1e6e6",
    ]
    wrong += ["0x10", "inf", "nan", "1 000", "\N{ARABIC-INDIC DIGIT THREE}", "1e1000", "--1", "1/2", "1\n"]
    for text in wrong:
        with pytest.raises(NumberError) as caught:
            whole_number(1, 9, text)
        assert caught.value.message == f"is {text!r}: expected a whole number from 1 to 9"


def test_the_range_is_checked_exactly() -> None:
    most = "expected a whole number from 1 to 1,000,000,000,000"
    for minimum, maximum, text, said in (
        (1, 10**12, "0", most),
        (1, 10**12, "1000000000001", most),
        (0, None, "-1", "expected a whole number, 0 or more"),
        (None, 5, "6", "expected a whole number, 5 or less"),
        (None, None, "1.5", "expected a whole number"),
        (0, None, "1e31", "expected no more than 1e30"),
    ):
        with pytest.raises(NumberError) as caught:
            whole_number(minimum, maximum, text)
        assert caught.value.message == f"is {text!r}: {said}"
    for minimum, maximum, text in ((1, 10**12, "1"), (1, 10**12, "1e12"), (0, None, "0"), (0, None, "1e30")):
        assert whole_number(minimum, maximum, text) == int(Decimal(text))


@settings(max_examples=30)
@given(st.integers(-LARGEST, LARGEST), st.floats(allow_nan=False, allow_infinity=False))
def test_every_way_to_write_a_number_means_it(number: int, real: float) -> None:
    for text in (str(number), f"{number:,}", f"{number:_}", f"{number}000e-3", f"{number}e0"):
        assert whole_number(None, None, text) == number
    assert real_number(None, None, repr(real)) == real


def test_a_number_with_a_fraction_is_read_or_refused() -> None:
    for text, number in (("0.002", 0.002), ("2e-3", 0.002), ("1_000.5", 1000.5), ("1k", 1000), ("0", 0)):
        assert real_number(0, None, text) == number
    for text in ("inf", "nan", "soon", "", "1e400", "-0.1", "1.1"):
        with pytest.raises(NumberError, match="expected a number from 0 to 1"):
            real_number(0, 1, text)


def test_a_port_is_typed_in_plain_digits() -> None:
    assert (port_number(0)("0"), port_number(1)("1"), port_number(1)("65535")) == (0, 1, 65535)
    for text in ("8k", "8_088", "8,088", "65536", "-1", "0", "", "8088.0", "99999999999"):
        with pytest.raises(NumberError) as caught:
            port_number(1)(text)
        assert caught.value.message == f"is {text!r}: expected the number of a port, 1 to 65535"


def test_only_numbers_that_nothing_else_reads_are_read() -> None:
    assert reading_numbers(int) is int
    for info in (typer.Option(parser=int), "no option"):
        assert reading_numbers(Annotated[int, info]) == Annotated[int, info]
    flag = Annotated[bool, typer.Option()]
    assert reading_numbers(flag) is flag


def test_of_a_text_that_is_far_too_long_a_sentence_shows_the_beginning() -> None:
    for read in (partial(whole_number, 1, 9), partial(real_number, 0, None), port_number(1)):
        with pytest.raises(NumberError, match=r"^is '99999999999999999999'\.\.\.: expected "):
            read("9" * 101)
    with pytest.raises(NumberError, match=r"^is '9{100}': expected "):
        whole_number(1, 9, "9" * 100)
