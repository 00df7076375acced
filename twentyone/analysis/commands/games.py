"""`analysis games`: a few games, card by card."""

from __future__ import annotations

import json as text_of
from functools import partial
from typing import Annotated, Final

import typer

from cards import PRESETS, Rules, Tally
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import PoliciesOption, SeatsOption, names_of
from twentyone.support.command import OK, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import seated, takes_rules
from twentyone.support.terminal import tell

MOST: Final = 1_000_000
"""The most games, some seconds of work; for more there is `analysis simulate`."""


@describe(app, example="analysis games 3 --show")
@partial(takes_rules, preset="study")
def games(
    games: Annotated[int, typer.Argument(metavar="N", min=1, max=MOST, help="How many games to play.")] = 10,
    *,
    rules: Rules | None,
    policy: PoliciesOption = None,
    seats: SeatsOption = None,
    show: Annotated[
        bool,
        typer.Option("--show", help="Print every game: hands as dealt, each card, final hands, who won."),
    ] = False,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> int:
    """Play a few games by any rules, and print them card by card with --show.

    `analysis games 20 --show > mygames.txt` saves them. The rules are those of the original study (`study`)
    unless others are given, and the player draws below 16. Each game is for one bet, also where the rules
    have bets.

    The keys of --json: `rules`, `policies`, `seed` and `seats`, each with `rounds`, `wins`, `pushes`,
    `losses` (busts and surrenders included), `busts`, `mean_payoff` and `standard_error`; with --show also
    `games`, each a list of lines.
    """
    from twentyone.analysis.studies.games import play_games
    from twentyone.exact.named import parsed
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.progress import Progress
    from twentyone.support.summary import tally_table

    chosen = seated(rules or PRESETS["study"], seats)
    policies, seed = [parsed(text) for text in names_of(policy, chosen)], seed_or_new(seed)
    tallies = [Tally() for _ in range(chosen.seats)]
    games_in_words: list[list[str]] = []
    with Progress("playing", games, "games") as progress:
        for game in play_games(chosen, policies, games, seed):
            game.count(tallies)
            if show and json:
                games_in_words.append(list(game.lines()))
            elif show:
                print(*game.lines(), "", sep="\n")
            else:
                progress.show(game.number)
    names = [each.text for each in policies]
    if json:
        document = {
            "rules": chosen.fields(),
            "policies": names,
            "seed": seed,
            "seats": [tally.as_json() for tally in tallies],
        }
        print(text_of.dumps(document | ({"games": games_in_words} if show else {})))
    else:
        seats_named = ["player"] if len(tallies) == 1 else [f"player {n + 1}" for n in range(len(tallies))]
        tell(tally_table(list(zip(seats_named, tallies, strict=True))))
        tell(f"rules: {rules_in_short(chosen)}\npolicy: {', '.join(names)}; seed {seed}")
    return OK
