"""The command line that is running, as a line that can be typed again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress

from support.numbers import NumberError, whole_number


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
        words: likewise.
        options: likewise.
        rounds: how many rounds were typed as an argument.
        left: how many are to be typed in their place.
        flags: the options that take no value.
        without: the one of these that is left out.
    """
    typed = list(sys.argv[1:])
    for index in reversed(range(words, len(typed))):
        before = typed[index - 1] if index else ""
        is_value = before.startswith("--") and "=" not in before and before not in flags
        if not is_value and _is_number(typed[index], rounds):
            typed[index] = str(left)
            break
    return _line(name, words, options, [word for word in typed if word != without])


def seed_option(seed: int) -> Sequence[str]:
    """The option for a seed that was chosen; nothing if one was typed."""
    is_typed = any(word == "--seed" or word.startswith("--seed=") for word in sys.argv[1:])
    return [] if is_typed else ["--seed", str(seed)]


def _line(name: str, words: int, options: Sequence[str], typed: Sequence[str]) -> str:
    return shlex.join([name, *typed[:words], *options, *typed[words:]])


def _is_number(text: str, number: int) -> bool:
    with suppress(NumberError):
        return whole_number(None, None, text) == number
    return False
