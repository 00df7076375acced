"""Options that several commands share, and how one parameter of a command becomes several options."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from twentyone.support.command import USAGE, CommandError

LONGEST: Final = 1e6
"""Seconds, eleven days: longer than any useful wait, and within the range of every clock."""


def _verified_seed(seed: int | None) -> int | None:
    if seed is not None and seed < 0:
        raise CommandError(f"the seed is {seed}: expected 0 or more", USAGE)
    return seed


SeedOption = Annotated[
    int | None,
    typer.Option(
        callback=_verified_seed, help="Make random choices repeatable: the same seed gives the same run."
    ),
]
"""0 or more."""

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON document instead of text.")
]

TlsOption = Annotated[
    bool, typer.Option("--tls", help="Speak TLS with the dealer; a wss:// address says so by itself.")
]

TlsCaOption = Annotated[
    Path | None,
    typer.Option(
        "--tls-ca",
        metavar="FILE",
        help="The certificate of the authority that has signed the dealer's, in PEM, in place of those that"
        " this system trusts.",
        show_default=False,
    ),
]


def optional_seconds(value: float | None) -> float | None:
    """Check an option that is a number of seconds, or was not given.

    Raises:
        typer.BadParameter: as `seconds`.
    """
    return None if value is None else seconds(value)


def pause_seconds(value: float | None) -> float | None:
    """Check an option that is a number of seconds, which may be 0, or was not given.

    Raises:
        typer.BadParameter: if it is less than 0 or more than eleven days.
    """
    if value is not None and not 0 <= value <= LONGEST:
        raise typer.BadParameter(f"a time of {value:g} s is invalid: expected 0 to {LONGEST:,.0f} s")
    return value


def seconds(value: float) -> float:
    """Check an option that is a number of seconds.

    Raises:
        typer.BadParameter: unless it is more than 0 and at most eleven days.
    """
    if not 0 < value <= LONGEST:
        raise typer.BadParameter(
            f"a time of {value:g} s is invalid: expected more than 0 and at most {LONGEST:,.0f} s"
        )
    return value


def seed_or_new(seed: int | None) -> int:
    """The seed that was given, or a new one from the operating system."""
    return secrets.randbits(63) if seed is None else seed


def option(name: str, annotation: object, default: object = None) -> inspect.Parameter:
    """A keyword parameter of a command, for `replace_parameter`."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def replace_parameter(
    command: Callable[..., int], name: str, options: Sequence[inspect.Parameter], build: Callable[..., object]
) -> Callable[..., int]:
    """Make a command that takes several options in place of one of its parameters.

    Args:
        command: the command.
        name: the parameter. Its annotation, as all of the command's, must be there at run time.
        options: what the user gives instead.
        build: makes the value of the parameter from the options, which it is given by name.
    """

    @wraps(command)
    def with_options(*arguments: Any, **given: Any) -> int:
        values = {each.name: given.pop(each.name, each.default) for each in options}
        return command(*arguments, **given, **{name: build(**values)})

    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for each in signature.parameters.values():
        parameters += options if each.name == name else [each]
    parameters.sort(key=lambda each: each.kind)  # arguments before options; the rest keeps its order
    setattr(with_options, "__signature__", signature.replace(parameters=parameters))  # noqa: B010
    with_options.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": int}
    return with_options


def takes_group(name: str, group: type[Any]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the fields of a dataclass as options in place of one of its parameters.

    Args:
        name: the parameter.
        group: the dataclass, whose fields are annotated as parameters of a command are.
    """
    hints = get_type_hints(group, include_extras=True)
    options = [option(each.name, hints[each.name], each.default) for each in fields(group)]
    return lambda command: replace_parameter(command, name, options, group)


def is_host(text: str) -> bool:
    """Whether a text can be the name or the address of a machine; an empty one cannot."""
    try:
        return bool(text.encode("idna"))
    except UnicodeError:
        return False
