"""The command line that is running, as a line that can be typed again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress

from twentyone.support.numbers import NumberError, whole_number


def typed_again(name: str, words: int, *options: str) -> str:
    """The command line as it was typed, quoted for a shell.

    Args:
        name: the command.
        words: how many words after the name say which command it is: 1 for `analysis simulate`.
        options: further options, which are put before those that were typed.
    """
    return _line(name, words, options, sys.argv[1:])


def rest_again(
    name: str, words: int, *options: str, rounds: int, left: int, flags: Collection[str], without: str
) -> str:
    """The command line that plays the rest of the rounds.

    Args:
        name: as for `typed_again`.
        words: as for `typed_again`.
        options: as for `typed_again`.
        rounds: how many rounds were typed as an argument.
        left: how many are to be typed in their place.
        flags: the options that take no value.
        without: the one of these that is left out.
    """
    typed = list(sys.argv[1:])
    for index in reversed(_arguments(typed, words, flags)):
        if _is_number(typed[index], rounds):
            typed[index] = str(left)
            break
    return _line(name, words, options, [word for word in typed if word != without])


def completed(name: str, before: Sequence[str], after: Sequence[str], flags: Collection[str]) -> str:
    """The command line with the arguments that it lacks.

    Args:
        name: the command, which is one word.
        before: the arguments that are put before those that were typed.
        after: those that are put after them.
        flags: the options that take no value.
    """
    typed = sys.argv[1:]
    end = max((place + 1 for place in _arguments(typed, 0, flags)), default=0)
    return _line(name, 0, before, [*typed[:end], *after, *typed[end:]])


def seed_option(seed: int) -> Sequence[str]:
    """The option for a seed that was chosen; nothing if one was typed."""
    return [] if is_typed("--seed") else ["--seed", str(seed)]


def is_typed(name: str) -> bool:
    """Whether an option was typed, also with the value that it would have had without."""
    return any(word == name or word.startswith(f"{name}=") for word in sys.argv[1:])


def _line(name: str, words: int, options: Sequence[str], typed: Sequence[str]) -> str:
    return shlex.join([name, *typed[:words], *options, *typed[words:]])


def _arguments(typed: Sequence[str], words: int, flags: Collection[str]) -> list[int]:
    """The places of what was typed, from a word on, that are neither options nor values of options."""

    def is_argument(place: int) -> bool:
        before = typed[place - 1] if place else ""
        is_value = before.startswith("--") and "=" not in before and before not in flags
        return not is_value and not typed[place].startswith("-")

    return [place for place in range(words, len(typed)) if is_argument(place)]


def _is_number(text: str, number: int) -> bool:
    with suppress(NumberError):
        return whole_number(None, None, text) == number
    return False
