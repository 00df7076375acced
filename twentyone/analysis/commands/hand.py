"""`analysis hand`: what each option is worth for a hand."""

from __future__ import annotations

import json as text_of
from typing import Annotated

import typer

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shoes import (
    RemovedOption,
    ShoeOption,
    game_json,
    game_of,
    heading,
    shoe_of,
    value_of,
    values_of,
)
from twentyone.support.command import OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell


@describe(app, example='analysis hand "8 8" --upcard 10 --rules vegas')
@takes_rules
def hand(
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARDS", help="The cards of the hand, such as 8 8, 88, 8s 8h, T6 or ten six."),
    ],
    *,
    rules: Rules | None,
    upcard: Annotated[
        str | None,
        typer.Option("--upcard", metavar="CARD", show_default=False, help="The dealer's upcard."),
    ] = None,
    after_split: Annotated[
        bool, typer.Option("--after-split", help="A split has made the hand; its first card was split.")
    ] = False,
    shoe: ShoeOption = None,
    removed: RemovedOption = None,
    json: JsonOption = False,
) -> int:
    """Show the value of each option of a hand, the best first.

    Values are exact, in initial bets, for a shoe that is fresh every round: the hand and the upcard are taken
    from it. Each option is followed by the best play, which sees every card of the hand. Where the dealer
    looks for a natural first, they are given that it has none; what is asked before that comes after them:
    insurance, even money, and early surrender.

    The rules are `course` unless others are given.

    The keys of --json: `rules`, `shoe` (how many cards of each kind there are before the deal; null for an
    infinite deck), `hand` and `upcard` (2 to 11, the ace), `after_split`, `total`, `soft`, `options` (the
    value of each), `best`, `early_surrender` (null where it is not asked before play; otherwise the values of
    SURRENDER and of DECLINE, which plays on) and `insurance` (null where it is not offered; otherwise INSURE,
    the value of the side bet alone, and DECLINE; for a natural that is paid at a ratio also `natural` and
    `natural_insured`, what it is worth without insurance and with it, otherwise null).
    """
    from twentyone.exact.report.hand_values import HandError, hand_json, hand_text, values_of_hand

    chosen = rules or Rules()
    given = shoe_of(chosen, shoe, removed)
    values = values_of(" ".join(cards), "a hand")
    if upcard is None:
        raise CommandError("the upcard is missing: expected --upcard CARD, such as --upcard 10", USAGE)
    against = value_of(upcard, "--upcard")
    game = game_of(chosen, given)
    try:
        found = values_of_hand(game, values, against, is_split=after_split)
    except HandError as error:
        raise CommandError(str(error), USAGE) from None
    if json:
        print(text_of.dumps({**game_json(game), **hand_json(found, chosen)}))
    else:
        tell(f"{heading(game, given, chosen)}\n\n{hand_text(found, chosen)}")
    return OK
