"""`analysis dealer`: the distribution of the dealer's final hand, by upcard."""

from __future__ import annotations

import json as text_of
from collections.abc import Mapping, Sequence
from typing import Final

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shoes import game_of
from twentyone.support.command import OK, describe
from twentyone.support.options import JsonOption
from twentyone.support.rules import takes_rules

OUTCOMES: Final = ("17", "18", "19", "20", "21", "natural", "bust")


@describe(app, example="analysis dealer --rules casino")
@takes_rules
def dealer(
    *,
    rules: Rules | None,
    json: JsonOption = False,
) -> int:
    """Show how the dealer ends, by its upcard: 17 to 21, a natural or bust, in percent.

    The chances are exact, for a dealer that plays its hand to the end, from a fresh shoe without the upcard;
    the player's cards are unknown. 21 means three cards or more. The rules are `course` unless others are
    given.

    The keys of --json: `rules`, `outcomes` (their names), `upcards` (2 to 11, the ace), `chances` (for each
    upcard those of the outcomes in that order) and `any_upcard` (the same before the upcard is known).
    """
    from twentyone.exact.report.letters import UPCARDS, rules_in_short, upcard_name

    chosen = rules or Rules()
    game = game_of(chosen, None)
    by_upcard = game.dealer_ends().tolist()
    # Of 13 ranks four count 10, with one deck as with any number.
    of_any = [sum(shares) for shares in zip(*_weighted(by_upcard), strict=True)]
    if json:
        document = {
            "rules": game.rules.fields(),
            "outcomes": OUTCOMES,
            "upcards": UPCARDS,
            "chances": by_upcard,
            "any_upcard": of_any,
        }
        print(text_of.dumps(document))
    else:
        named = {upcard_name(upcard): row for upcard, row in zip(UPCARDS, by_upcard, strict=True)}
        print(f"rules: {rules_in_short(game.rules)}\n{_table(named | {'any': of_any})}")
    return OK


def _weighted(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[(4 if index == 8 else 1) / 13 * chance for chance in row] for index, row in enumerate(rows)]


def _table(rows: Mapping[str, Sequence[float]]) -> str:
    from twentyone.support.summary import columns

    lines = [(name, *(f"{100 * chance:z.4f}" for chance in row)) for name, row in rows.items()]
    return columns([("upcard, %", *OUTCOMES), *lines])
