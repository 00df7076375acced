"""Numbers as people type them: `50000`, `50_000`, `50,000`, `1e6`, `1.5k` and `1M` are read, and exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Annotated, Final, get_args, get_origin

import typer
from typer.models import ParameterInfo

LARGEST: Final = 10**30
"""More than any count or seed needs, and few enough digits that writing them out costs nothing."""

LONGEST_TEXT: Final = 100
"""Characters of a number: converting digits costs the square of their count."""

_UNITS: Final = {"": 0, "k": 3, "m": 6, "g": 9}
"""The powers of ten of a thousand, a million and a thousand million, in either case."""

_NUMBER: Final = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]{1,3}(,[0-9]{3})+|[0-9]+(_[0-9]+)*|(?=\.[0-9]))(\.(?P<part>[0-9]*))?"
    r"(e(?P<exponent>[+-]?[0-9]{1,3}))?(?P<unit>[kmg]?)",
    re.IGNORECASE | re.ASCII,
)


class NumberError(typer.BadParameter):
    """A text that is not a number of the kind and range that an option or argument takes."""

    def format_message(self) -> str:
        """`--seats is '12': expected a whole number from 1 to 9`."""
        hint = getattr(self.param, "get_error_hint", lambda: "the number")()
        return f"{hint.strip(chr(39))} {self.message}"


def whole_number(minimum: float | None, maximum: float | None, text: object) -> int:
    """Read a whole number, exactly: no digit goes through a float.

    Args:
        minimum: the least; None for any.
        maximum: the greatest; None for `LARGEST`.
        text: what was typed, or the number itself, where it is the default.

    Raises:
        NumberError: if it is no whole number, or out of range.
    """
    found = _ratio(str(text))
    if found is not None and found[0] % found[1] == 0:
        number = found[0] // found[1]
        if maximum is None and abs(number) > LARGEST:
            raise NumberError(f"is {_quoted(text)}: expected no more than 1e{len(str(LARGEST)) - 1}")
        if _is_in(number, minimum, maximum):
            return number
    raise NumberError(f"is {_quoted(text)}: expected a whole number{_range(minimum, maximum)}")


def real_number(minimum: float | None, maximum: float | None, text: object) -> float:
    """Read a number with a fraction; infinity is none.

    Args:
        minimum: the least; None for any.
        maximum: the greatest; None for any.
        text: what was typed, or the number itself, where it is the default.

    Raises:
        NumberError: if it is no number, or out of range.
    """
    found = _ratio(str(text))
    if found is not None:
        with suppress(OverflowError):
            number = found[0] / found[1]  # correctly rounded, as a float's own text is
            if _is_in(number, minimum, maximum):
                return number
    raise NumberError(f"is {_quoted(text)}: expected a number{_range(minimum, maximum)}")


def port_number(minimum: int) -> Callable[[object], int]:
    """A parser of port numbers, in plain digits: `8k` is not port 8000.

    Args:
        minimum: 0 where it stands for any free port, otherwise 1.
    """

    def read(text: object) -> int:
        digits = str(text)
        if re.fullmatch("[0-9]{1,5}", digits) and minimum <= int(digits) <= 65535:
            return int(digits)
        raise NumberError(f"is {_quoted(digits)}: expected the number of a port, {minimum} to 65535")

    return read


def reading_numbers(annotation: object) -> object:
    """The annotation of a parameter of a command; if it is a number, it is read as people type it."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, info = get_args(annotation)
    reader = _READERS.get(_without_none(kind))
    if reader is None or not isinstance(info, ParameterInfo) or info.parser is not None:
        return annotation
    info = copy(info)
    info.parser = partial(reader, info.min, info.max)
    return Annotated[kind, info]


_READERS: Final[dict[object, Callable[..., float]]] = {int: whole_number, float: real_number}


def _without_none(kind: object) -> object:
    """`int` of `int | None`."""
    kinds = [each for each in get_args(kind) if each is not type(None)]
    return kinds[0] if len(kinds) == 1 and get_origin(kind) is not list else kind


def _ratio(text: str) -> tuple[int, int] | None:
    """A number as numerator and denominator, a power of ten; None if the text is no number."""
    found = _NUMBER.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if found is None:
        return None
    part = found["part"] or ""
    digits = int(re.sub("[,_]", "", found["whole"]) + part or "0") * (-1 if found["sign"] == "-" else 1)
    power = int(found["exponent"] or 0) + _UNITS[found["unit"].lower()] - len(part)
    return (digits * 10**power, 1) if power >= 0 else (digits, 10**-power)


def _is_in(number: float, minimum: float | None, maximum: float | None) -> bool:
    return (minimum is None or minimum <= number) and (maximum is None or number <= maximum)


def _range(minimum: float | None, maximum: float | None) -> str:
    """The range as the end of a sentence; the words are those of the help."""
    if minimum is None or maximum is None:
        least = "" if minimum is None else f", {_plain(minimum)} or more"
        return least if maximum is None else f", {_plain(maximum)} or less"
    return f" from {_plain(minimum)} to {_plain(maximum)}"


def _quoted(text: object) -> str:
    """The typed text, for a sentence; of a text that is far too long, its beginning."""
    return repr(text) if len(str(text)) <= LONGEST_TEXT else f"{str(text)[:20]!r}..."


def _plain(number: float) -> str:
    """`1,000,000`, also if it is a float."""
    return f"{number:,}".removesuffix(".0")
