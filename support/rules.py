"""The options that choose the rules of a table, the same on every command that deals cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import typer

from cards import Rules, RulesError, rules_from
from support.command import USAGE, CommandError
from support.options import option, replace_parameter

PANEL: Final = "Rules of the table"

HELP: Final = {
    "rules": "The preset: course, study, devs, casino or showdown. The options below each change one rule.",
    "decks": "1 to 8 decks, or inf for an infinite one.",
    "reshuffle": "When the shoe is made fresh: round (for every round), cutoff:N (if fewer than N cards are"
    " left) or penetration:F (if the fraction F of the shoe, 0 to 1, has been dealt).",
    "ace": "What an ace counts: 1, 11 or either.",
    "dealer-stands": "Where the dealer stands: all17 (on every 17) or hard17 (on a hard 17 only).",
    "naturals": "What 21 in the first two cards is worth: equal (the same as any 21) or beat (it beats every"
    " other 21).",
}


def takes_rules(command: Callable[..., int], preset: str = "course") -> Callable[..., int]:
    """Give a command the rules options in place of its parameter `rules`.

    The command receives `Rules`, or None if none of the options was given. Invalid rules are a usage error.

    Args:
        command: the command.
        preset: the preset that the other options change if `--rules` is not given.
    """

    def build(**given: str | None) -> Rules | None:
        fields = {name: text for name in HELP if (text := given[_parameter(name)]) is not None}
        return _rules({"rules": preset} | fields) if fields else None

    return replace_parameter(
        command,
        "rules",
        [option(_parameter(name), _annotation(name, text)) for name, text in HELP.items()],
        build,
    )


def options_of(rules: Rules) -> list[str]:
    """The options, as typed, that give a command these rules, but for the number of seats."""
    texts = {"rules": rules.preset} | rules.fields()
    return [f"--{name}={texts[name]}" for name in HELP if texts[name] != "none"]


def _rules(fields: dict[str, str]) -> Rules:
    try:
        return rules_from(fields)
    except RulesError as error:
        raise CommandError(str(error), USAGE) from None


def _parameter(name: str) -> str:
    return name.replace("-", "_")


def _annotation(name: str, text: str) -> object:
    return Annotated[
        str | None, typer.Option(f"--{name}", help=text, rich_help_panel=PANEL, show_default=False)
    ]
