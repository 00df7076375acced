"""The manners of every command: one sentence for a mistake, a status that a script can use, no traceback."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NoReturn

import typer
from typer.exceptions import TyperException

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130


class CommandError(Exception):
    """What a command could not do, in one sentence for the person who ran it.

    Args:
        sentence: what was wrong, and what was expected or how to go on.
        status: the status to exit with: FAILED, or USAGE for what the person typed.
    """

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.status = status


def run(app: typer.Typer, name: str) -> NoReturn:
    """Run a command and exit with its status: what it returned, or what its failure asks for."""
    try:
        status = app(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except CommandError as failure:
        status = complain(name, str(failure), failure.status)
    except TyperException as error:
        # Raised by typer for whatever does not fit the options that a command declares.
        format_message = getattr(error, "format_message", error.__str__)
        status = complain(name, format_message(), getattr(error, "exit_code", USAGE))
    except (KeyboardInterrupt, typer.Abort):
        status = complain(name, "interrupted", INTERRUPTED)
    except OSError as error:
        # Standard output is full, or whoever read it has gone, as `| head` does, which needs no words. The
        # interpreter must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        is_closed = isinstance(error, BrokenPipeError)
        status = FAILED if is_closed else complain(name, f"gave up: {os_reason(error)}", FAILED)
    sys.exit(status or OK)


def describe(app: typer.Typer) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a function the command of an app; its docstring, paragraph by paragraph, is the help."""

    def register(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def interruptible(*arguments: Any, **options: Any) -> int:
            try:
                return command(*arguments, **options)
            except KeyboardInterrupt:
                # typer would end at it without a word; this it passes on.
                raise typer.Abort from None

        paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        return app.command(help=text)(interruptible)

    return register


def complain(name: str, sentence: str, status: int) -> int:
    """Say on standard error what was wrong; return the status."""
    print(f"{name}: {' '.join(sentence.split())}", file=sys.stderr)
    return status


def os_reason(error: OSError) -> str:
    """The system's reason in lower case, without its number: `permission denied`."""
    # A loop puts its own words around the system's; the number stands for the system's alone.
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
