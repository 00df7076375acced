"""The options by which every command that deals cards takes its rules, spelt the same everywhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final

import typer

from cards import Rules, RulesError, rules_from
from support.command import USAGE, CommandError

PANEL: Final = "Rules of the table"

HELP: Final = {
    "rules": "The preset: course, study, devs, casino or showdown. The options below change one field of it.",
    "decks": "1 to 8 decks, or inf for an infinite one.",
    "reshuffle": "When the shoe is fresh: round (every round), cutoff:N (fewer than N cards are left) or"
    " penetration:F (the part F, 0 to 1, has been dealt).",
    "ace": "What an ace counts: 1, 11 or either.",
    "dealer-stands": "Where the dealer stands: all17 (every 17) or hard17 (draws on a soft 17).",
    "naturals": "What 21 in two cards is worth: equal (just 21) or beat (beats every other 21).",
}


def takes_rules(command: Callable[..., int], preset: str = "course") -> Callable[..., int]:
    """Give a command the rules options in place of its parameter `rules`.

    The command gets `Rules`, or None if none of the options was given. What fits no rules is a usage error.

    Args:
        command: the command.
        preset: the rules that the options change one field of, if `--rules` names no others.
    """

    @wraps(command)
    def with_options(**given: Any) -> int:
        fields = {name: given.pop(_parameter(name)) for name in HELP}
        chosen = {name: text for name, text in fields.items() if text is not None}
        return command(rules=_rules({"rules": preset} | chosen) if chosen else None, **given)

    signature = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in signature.parameters.items() if name != "rules"]
    parameters = own + [_option(name, text) for name, text in HELP.items()]
    setattr(with_options, "__signature__", signature.replace(parameters=parameters))  # noqa: B010
    with_options.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": int}
    return with_options


def options_of(rules: Rules) -> list[str]:
    """The options, as typed, that give a command these rules; the number of seats is an option of its own."""
    texts = {"rules": rules.preset} | rules.fields()
    return [f"--{name}={texts[name]}" for name in HELP if texts[name] != "none"]


def _rules(fields: dict[str, str]) -> Rules:
    try:
        return rules_from(fields)
    except RulesError as error:
        raise CommandError(str(error), USAGE) from None


def _parameter(name: str) -> str:
    return name.replace("-", "_")


def _option(name: str, text: str) -> inspect.Parameter:
    option = typer.Option(f"--{name}", help=text, rich_help_panel=PANEL, show_default=False)
    return inspect.Parameter(
        _parameter(name),
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[str | None, option],
    )
