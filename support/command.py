"""How every command runs and ends: one sentence for an error, an exit status for scripts, no traceback."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NoReturn

import typer
from typer.exceptions import TyperException

from support.terminal import forget_stream, notice, prepare_streams

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130


class CommandError(Exception):
    """An error of a command, in one sentence for the person who ran it.

    Args:
        sentence: what was wrong, and what was expected or what to do.
        status: the exit status: FAILED, or USAGE if the command line was wrong.
    """

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.status = status


def run(app: typer.Typer, name: str) -> NoReturn:
    """Run a command and exit with its status: the one that it returned, or the one of its error."""
    prepare_streams()
    status = OK
    try:
        status = _run(app, name)
        sys.stdout.flush()
    except OSError as error:
        # Standard output cannot be written: the disk is full, or its reader is gone, as after `| head`, which
        # is not worth a sentence.
        forget_stream(1)
        if not isinstance(error, BrokenPipeError):
            complain(name, f"gave up: {os_reason(error)}", FAILED)
        status = status or FAILED
    sys.exit(status)


def _run(app: typer.Typer, name: str) -> int:
    """Run a command to its end, and say what was wrong; return its status."""
    try:
        return app(prog_name=name, standalone_mode=False) or OK
    except CommandError as failure:
        return complain(name, str(failure), failure.status)
    except TyperException as error:
        # Raised by typer for a command line that does not fit the options of a command.
        format_message = getattr(error, "format_message", error.__str__)
        return complain(name, format_message(), getattr(error, "exit_code", USAGE))
    except (KeyboardInterrupt, typer.Abort):
        return complain(name, "interrupted", INTERRUPTED)


def describe(app: typer.Typer) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a function a command of an app. Its docstring is the help, paragraph by paragraph."""

    def register(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def interruptible(*arguments: Any, **options: Any) -> int:
            try:
                return command(*arguments, **options)
            except KeyboardInterrupt:
                # typer would end silently on it, but passes this one on.
                raise typer.Abort from None

        paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        return app.command(help=text)(interruptible)

    return register


def complain(name: str, sentence: str, status: int) -> int:
    """Print a sentence about an error on standard error, on one line; return the status."""
    notice(name, " ".join(line.strip(" ") for line in sentence.split("\n")))
    return status


def os_reason(error: OSError) -> str:
    """The system's reason for an error, in lower case and without its number: `permission denied`."""
    # An event loop adds words of its own to the text. The error number gives the system's text alone.
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
