"""The options that choose the rules of a table, the same on every command that deals cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final

import typer

from cards import PRESETS, Rules, RulesError, rules_from
from cards.rules import MAX_DECKS
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import one_of
from twentyone.support.options import option, replace_parameter

PANEL: Final = "Rules of the table"
OFFERS_PANEL: Final = "Doubling, splitting, surrender, insurance and bets"

HELP: Final = {
    "rules": f"The preset: {one_of(PRESETS)}. The options below each change one rule.",
    "decks": "1 to 8 decks, or inf for an infinite one.",
    "reshuffle": "When the shoe is made fresh: round (for every round), cutoff:N (if fewer than N cards are"
    " left) or penetration:F (if the fraction F of the shoe, 0 to 1, has been dealt).",
    "ace": "What an ace counts: 1, 11 or either.",
    "dealer-stands": "Where the dealer stands: all17 (on every 17) or hard17 (on a hard 17 only).",
    "naturals": "What 21 in the first two cards is worth: equal (the same as any 21), beat (it beats every"
    " other 21) or player (a player's does, and the dealer's pushes any 21), or paid at 1:1, 6:5, 3:2 or 2:1,"
    " which beats every other 21 too.",
}

OFFERS_HELP: Final = {
    "double": "When a player may double the stake for exactly one more card: none, any (on the first two"
    " cards of a hand), 9-11 or 10-11 (on these hard totals of two cards), or always (with any number of"
    " cards).",
    "double-after-split": "Whether a hand made by a split may be doubled: no or yes.",
    "split": "How many hands, 1 to 4, a player may make of one by splitting pairs of equal points; 1 is"
    " never.",
    "split-aces": "What split aces get: once (one card each), again (one card each, and they may be split"
    " again) or play (they are hands like any other).",
    "surrender": "When half the stake may be given up: none, late (once it is known that the dealer has no"
    " natural) or early (before).",
    "insurance": "Whether insurance is offered with an ace showing: no or yes.",
    "hole-card": "When the dealer looks for a natural: last (after everybody has played), peek (before,"
    " with an ace or a ten showing) or obo (at the end, and a natural takes the initial bet only).",
    "bets": "The stakes: 1 (one unit, no bets are asked) or MIN-MAX (whole chips, asked before each round).",
    "bankroll": "The chips that a player sits down with where bets are asked; 100 times MIN if not given.",
}


FINITE_DECKS: Final = "1 to 8 decks."
"""The help of `decks` where an infinite deck is not taken."""

BETTING: Final = ("bets", "bankroll")
"""The options of a table where chips are asked for."""

REFUSED: Final = "bets"
"""The one of them that is refused in a sentence by a command that has a bankroll of its own."""


def takes_rules(
    command: Callable[..., int],
    preset: str = "course",
    *,
    bets: bool = True,
    infinite: bool = True,
) -> Callable[..., int]:
    """Give a command the rules options in place of its parameter `rules`.

    The command receives `Rules`, or None if none of the options was given. Invalid rules are a usage error.

    Args:
        command: the command.
        preset: the preset that the other options change if `--rules` is not given.
        bets: whether it takes the bets of the table; a command that has bets of its own refuses them.
        infinite: whether it takes an infinite deck.
    """
    texts = {name: text for name, text in (HELP | OFFERS_HELP).items() if bets or name not in BETTING}
    if not infinite:
        texts["decks"] = FINITE_DECKS

    def build(**given: str | None) -> Rules | None:
        if not bets and given[REFUSED] is not None:
            raise CommandError(f"--{REFUSED} is for a table, and this command has bets of its own", USAGE)
        fields = {name: text for name in texts if (text := given[_parameter(name)]) is not None}
        if not fields:
            return None
        if "rules" in fields:
            fields["preset"] = fields.pop("rules")
        if not infinite:
            _check_decks(fields.get("decks", "1"))
        rules = _rules(fields, preset)
        if rules.decks is None and not infinite:
            raise CommandError(
                f"{rules.preset} has an infinite deck: expected 1 to {MAX_DECKS} decks, such as --decks 6",
                USAGE,
            )
        return rules

    options = [option(_parameter(name), _annotation(name, text)) for name, text in texts.items()]
    if not bets:
        hidden = typer.Option(f"--{REFUSED}", hidden=True)
        options.append(option(REFUSED, Annotated[str | None, hidden]))
    return replace_parameter(command, "rules", options, build)


def seated(rules: Rules, seats: int | None) -> Rules:
    """The same rules for a number of seats; None for the number that they have.

    Raises:
        CommandError: if the rules do not allow this number.
    """
    try:
        return rules if seats is None else replace(rules, seats=seats)
    except RulesError as error:
        raise CommandError(str(error), USAGE) from None


def options_of(rules: Rules) -> list[str]:
    """The options, as typed, that give a command these rules, without the number of seats."""
    fields, usual = rules.fields(), PRESETS[rules.preset].new_fields()
    texts = {"rules": rules.preset} | {name: fields[name] for name in HELP if name in fields}
    texts |= {name: text for name, text in rules.new_fields().items() if usual.get(name) != text}
    return [f"--{name}={text}" for name, text in texts.items() if (name, text) != ("dealer-stands", "none")]


def _check_decks(text: str) -> None:
    if not (text.isdecimal() and 1 <= int(text) <= MAX_DECKS):
        raise CommandError(f"decks is {text!r}: expected 1 to {MAX_DECKS}, and no infinite deck", USAGE)


def _rules(fields: dict[str, str], preset: str) -> Rules:
    try:
        return rules_from(fields, preset)
    except RulesError as error:
        raise CommandError(str(error), USAGE) from None


def _parameter(name: str) -> str:
    return name.replace("-", "_")


def _annotation(name: str, text: str) -> object:
    panel = OFFERS_PANEL if name in OFFERS_HELP else PANEL
    return Annotated[
        str | None, typer.Option(f"--{name}", help=text, rich_help_panel=panel, show_default=False)
    ]
