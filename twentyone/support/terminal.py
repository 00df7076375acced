"""Output on a terminal: nothing raw that others wrote, and no failure without a reader."""

from __future__ import annotations

import io
import os
import sys
from typing import Final

_STREAMS: Final = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_WRONLY), ("stderr", "w", os.O_WRONLY))
"""The standard streams in the order of their descriptors."""


def printable(text: str) -> str:
    r"""A text that does nothing to a terminal but appear on it, on one line.

    Control characters, line ends, and characters that change the direction of the text or cannot be shown
    are written as in a Python string: `\x1b`, `\n`, `\u202e`.
    """
    return "".join(map(_shown, text))


def say(text: str, end: str = "\n") -> None:
    """Print a text on standard error; nothing happens if its reader is gone."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        forget_stream(2)


def tell(text: str) -> None:
    """Print a result on standard output, line by line, with what others wrote in it made harmless."""
    print("\n".join(map(printable, text.split("\n"))))


def notice(name: str, sentence: str) -> None:
    """Print a sentence of a command on standard error, with what others wrote in it made harmless."""
    say(f"{name}: {printable(sentence)}")


def forget_stream(descriptor: int) -> None:
    """Send to nowhere what could not be written: the interpreter must not fail on it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != descriptor:  # it is the descriptor itself if that was closed
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def prepare_streams() -> None:
    """Make sure that there are standard streams, and that any text can be printed.

    Those that were closed when this process began are opened on the null device: otherwise the next file or
    connection that is opened would get their numbers, and what is printed. Characters that standard output
    cannot encode are escaped, as they are on standard error.
    """
    for descriptor, (name, mode, flags) in enumerate(_STREAMS):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # it gets the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, mode, closefd=False))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
