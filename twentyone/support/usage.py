"""Sentences about a command line that does not fit: one sentence, and an example that can be typed.

typer reads the command lines, and says what was wrong in words of its own. Here alone they become ours.
"""

from __future__ import annotations

import re
from typing import Any, Final

from typer.exceptions import TyperException

from twentyone.support.counts import one_of

EXAMPLE: Final = "Example: "
"""The beginning of the last line of a command's help."""


def sentence_of(error: TyperException) -> str:
    """The sentence about a command line, from the exception that typer raised for it."""
    context: Any = getattr(error, "ctx", None)
    parameter: Any = getattr(error, "param", None)
    words = error.message.removesuffix(".")
    # typer keeps these classes to itself. What is not known here is said in typer's words.
    match type(error).__name__:
        case "MissingParameter":
            return f"{_name(parameter)} is missing: {_expected(context)}"
        case "NoSuchOption":
            return _no_option(error, context)
        case "BadOptionUsage" if "does not take" in words:
            return f"{getattr(error, 'option_name', 'the option')} takes no value"
        case "BadOptionUsage":
            return f"there is no value after {getattr(error, 'option_name', 'the option')}"
        case "NumberError" if parameter is not None and parameter.param_type_name == "argument":
            return f"{error.format_message()}{_such_as(context)}"
        case "BadParameter" if parameter is not None:
            return f"{_name(parameter)}: {words.removeprefix('Value error, ')}"
    if extra := re.fullmatch(r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)", words, re.DOTALL):
        return f"{extra[1]!r} does not belong here: {_expected(context)}"
    if unknown := re.match("No such command (.*?)(?:$|[.] Did you mean '(.*?)')", words, re.DOTALL):
        words_here = ", ".join(context.command.commands)
        meant = f"did you mean {unknown[2]}?" if unknown[2] else f"expected one of {words_here}"
        return f"there is no command {unknown[1]}: {meant}"
    return error.format_message()


def _no_option(error: TyperException, context: Any) -> str:
    name = getattr(error, "option_name", "")
    if re.fullmatch("-[0-9.]", name):
        return f"{name} is no option, and no number here begins with a minus: {_expected(context)}"
    close = sorted(getattr(error, "possibilities", None) or [])
    where = f"did you mean {one_of(close)}?" if close else f"{context.command_path} --help lists the options"
    return f"there is no option {name}: {where}"


def _name(parameter: Any) -> str:
    """`PORT`, `--seats`."""
    return str(parameter.get_error_hint()).replace("'", "")


def _expected(context: Any) -> str:
    """`expected PORT ROUNDS, such as dealer 8088 5`."""
    pieces = [re.sub("[{}]", "", piece) for piece in context.command.collect_usage_pieces(context)]
    arguments = " ".join(piece for piece in pieces if piece != "[OPTIONS]")
    return f"expected {arguments or 'options only'}{_such_as(context)}"


def _such_as(context: Any) -> str:
    example = (context.command.epilog or "").removeprefix(EXAMPLE)
    return f", such as {example}" if example else ""
