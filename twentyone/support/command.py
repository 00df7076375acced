"""Running of every command: one sentence for an error, an exit status for scripts, no traceback."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import wraps
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from twentyone.support.build import build_name
from twentyone.support.numbers import reading_numbers
from twentyone.support.terminal import forget_stream, notice, prepare_streams
from twentyone.support.usage import EXAMPLE, sentence_of

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130

PROJECT: Final = "twentyone"
"""The name under which the project is installed; all its commands have its version."""

_SETTINGS: Final = {"help_option_names": ["--help", "-h"]}


class CommandError(Exception):
    """An error of a command, in one sentence for the person who ran it.

    Args:
        sentence: what was wrong, and what was expected or what to do.
        status: the exit status: FAILED, or USAGE if the command line was wrong.
    """

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.status = status


def check_compiler(what: str = "simulation") -> None:
    """Check, before any module with kernels is imported, that these can be compiled.

    Args:
        what: what needs them.

    Raises:
        CommandError: if the compiler is not installed.
    """
    try:
        import twentyone.support.compiling  # noqa: F401
    except ImportError:
        raise CommandError(
            f"{what} needs numba, which is not installed: pip install 'twentyone[analysis]'"
        ) from None


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
        return complain(name, sentence_of(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return complain(name, "interrupted", INTERRUPTED)


def group(text: str) -> typer.Typer:
    """An application for commands of two words. Its name alone is not a command: its help is the answer.

    The help goes to standard error then, and the status is USAGE, so that a script that forgot the second
    word neither takes the help for a result nor goes on.
    """
    app = typer.Typer(cls=_Group, add_completion=False, context_settings=_SETTINGS)

    @app.callback(invoke_without_command=True, help=text)
    def root(context: typer.Context, version: VersionOption = False) -> int:
        if context.invoked_subcommand is None:
            with redirect_stdout(sys.stderr):
                print(context.get_help(), end="")  # what formats help may print it itself, and return nothing
            return USAGE
        return OK

    return app


def describe(
    app: typer.Typer, example: str = "", finds_missing: bool = False
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a function a command of an app. Its docstring is the help, paragraph by paragraph.

    The command gets `--version`, and its numbers are read as `twentyone.support.numbers` says.

    Args:
        app: the application.
        example: the whole command as it may be typed, for its help and the sentences about its arguments.
        finds_missing: the command needs all its arguments, and says itself which are missing; typer takes
            them for optional ones.
    """

    def register(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def interruptible(*arguments: Any, version: bool = False, **options: Any) -> int:
            try:
                return command(*arguments, **options)
            except KeyboardInterrupt:
                # typer would end silently on it, but passes this one on.
                raise typer.Abort from None

        _set_parameters(interruptible, command)
        paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        epilog = f"{EXAMPLE}{example}" if example else None
        kind = _Needing if finds_missing else _Command
        return app.command(cls=kind, help=text, epilog=epilog, context_settings=_SETTINGS)(interruptible)

    return register


def _without_types_of_flags(parameters: list[Any]) -> list[Any]:
    """The parameters of a command for its help, where typer would show `<bool>` beside a flag."""
    for parameter in parameters:
        if getattr(parameter, "is_bool_flag", False):
            parameter.metavar = ""
    return parameters


class _Command(TyperCommand):
    """A command whose help shows no type for a flag, which takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, `--help` among them."""
        return _without_types_of_flags(super().get_params(ctx))


class _Group(TyperGroup):
    """The same for the first of two words."""

    _has_own_options = True

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read its own options, which come before the second word.

        Where there are none typer is not told of any: for each it would load pydantic, and half of the time
        in which a help is there would be spent on that.
        """
        self._has_own_options = not args or args[0].startswith("-")
        try:
            rest: list[str] = super().parse_args(ctx, args)
        finally:
            self._has_own_options = True
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, `--help` among them."""
        return _without_types_of_flags(super().get_params(ctx)) if self._has_own_options else []


class _Needing(_Command):
    """A command that needs all its arguments, whatever typer knows of them."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`[OPTIONS]`, `{HOST}`: each argument as one that is needed."""
        options, *arguments = super().collect_usage_pieces(ctx)
        return [options, *(f"{{{each.strip('[]')}}}" for each in arguments)]


def _set_parameters(interruptible: Callable[..., int], command: Callable[..., int]) -> None:
    """Say what typer is to read: the parameters of the command, numbers as we read them, and `--version`."""
    signature = inspect.signature(command, eval_str=True)
    parameters = [
        each.replace(annotation=reading_numbers(each.annotation)) for each in signature.parameters.values()
    ]
    version = inspect.Parameter(
        "version", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=VersionOption
    )
    parameters.append(version)
    setattr(interruptible, "__signature__", signature.replace(parameters=parameters))  # noqa: B010
    interruptible.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": int}


def _tell_version(context: typer.Context, is_asked: bool) -> None:
    if not is_asked or context.resilient_parsing:
        return
    from importlib import metadata  # it takes longer to load than most of what `--help` needs

    name = context.find_root().info_name
    try:
        print(f"{name} ({PROJECT}) {metadata.version(PROJECT)}, {build_name()}")
    except metadata.PackageNotFoundError:
        raise CommandError(
            f"{PROJECT} is not installed here, so its version is not known: expected pip install {PROJECT}"
        ) from None
    raise typer.Exit


VersionOption = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version and exit."),
]
"""Taken by every command, and by the first word alone of those with two."""


def complain(name: str, sentence: str, status: int) -> int:
    """Print a sentence about an error on standard error, on one line; return the status."""
    notice(name, " ".join(line.strip(" ") for line in sentence.split("\n")))
    return status


def os_reason(error: OSError) -> str:
    """The system's reason for an error, in lower case and without its number: `permission denied`."""
    # An event loop adds words of its own to the text. The error number gives the system's text alone.
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
