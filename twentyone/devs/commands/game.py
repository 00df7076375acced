"""`devs game`: whole games, with their outcomes and a log."""

from __future__ import annotations

import json as text_of
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

import typer

from twentyone.devs.commands.app import app
from twentyone.devs.commands.options import LogOption, SetupOptions, takes_setup
from twentyone.devs.commands.simulation import open_log, print_notice, setup_of
from twentyone.support.command import FAILED, INTERRUPTED, OK, USAGE, CommandError, describe
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption
from twentyone.support.progress import Progress

if TYPE_CHECKING:
    from twentyone.devs.blackjack import Setup
    from twentyone.devs.games import Games, Hands, Result
    from twentyone.devs.log import EventLog
    from twentyone.devs.sequence import MessageSequence
    from twentyone.devs.values import Card

EACH: Final = 20
"""The most games that are printed one by one. For more games only the counts are printed."""

OUTCOMES: Final = ("WIN", "LOSE", "TIE")


@describe(app, example="devs game --games 5 --show")
@takes_setup
def game(
    *,
    games: Annotated[int, typer.Option(min=1, max=10**9, help="The number of games to play.")] = 1,
    setup: SetupOptions,
    log: LogOption = None,
    real_time: Annotated[
        float | None,
        typer.Option(
            min=1e-3, max=1e6, metavar="SCALE", help="Play at this many simulated seconds per second."
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Draw the messages between the models, as they are sent.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Play whole games and print their outcomes.

    The challenger draws to 15 and the dealer to 17. Aces count 1. Each game has a fresh deck of 52 cards. A
    game takes 12 + 2.2 k simulated seconds if the challenger busts with k cards, otherwise 13 + 2.2 (k + d),
    where the dealer has d cards. Up to 20 games are printed one by one. The log, about 8 kB a game, has one
    game after the other, each from time 0.

    The keys of --json: `games`, `outcomes` (by name: `count`, `share`, `standard_error`), `seconds`,
    `games_per_second`, `seed` (null if nothing is random) and, for up to 20 games, `played`: `outcome`,
    `time`, `challenger` and `dealer`, each with `cards` and `score`.
    """
    chosen, seed = setup_of(setup)
    if show and json:
        raise CommandError("--show and --json exclude each other: expected one of them", USAGE)
    with open_log(log) as file, Progress("playing", games, "games") as progress:
        tally = _play(chosen, games, _Extras(file, show, real_time), progress)
    print(text_of.dumps(_document(tally, seed)) if json else _text(tally, seed))
    if tally.games < games:
        print_notice(f"interrupted after {tally.games:,} of {counted(games, 'game')}")
        return INTERRUPTED
    return OK


@dataclass(frozen=True)
class _Extras:
    """The extras of the games: a log, a drawing, and the scale of real time."""

    log: TextIO | None
    show: bool
    scale: float | None


@dataclass
class _Tally:
    """The games so far: their outcomes, the details of the first few, and the seconds taken."""

    counts: Counter[str] = field(default_factory=Counter)
    details: list[tuple[Result, Hands]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def games(self) -> int:
        return self.counts.total()


def _play(setup: Setup, games: int, extras: _Extras, progress: Progress) -> _Tally:
    """Play games. After Ctrl-C, the games that were finished count.

    Raises:
        CommandError: if the deck runs out of cards.
    """
    from twentyone.devs.formalism import ModelError
    from twentyone.devs.games import Games
    from twentyone.devs.log import EventLog

    table, tally, begun = Games(setup), _Tally(), time.monotonic()
    log = None if extras.log is None else EventLog(table.simulator, extras.log)
    drawing = _new_drawing(table) if extras.show else None
    with suppress(KeyboardInterrupt):  # the tally shows that not all games were played
        for number in range(games):
            table.reset(number)
            if drawing is not None:
                drawing.write_heading()
            try:
                result = _play_one(table, log, extras.scale)
            except ModelError as error:
                raise CommandError(str(error), FAILED) from None
            tally.counts[result.outcome.value] += 1
            if games <= EACH:
                tally.details.append((result, table.hands()))
            else:
                progress.show(number + 1)
    tally.seconds = time.monotonic() - begun
    return tally


def _play_one(table: Games, log: EventLog | None, scale: float | None) -> Result:
    """Play the game that the table was reset to."""
    from twentyone.devs.clock import real_time

    if log is not None:
        log.write_states()
    result = table.play(None if scale is None else real_time(scale))
    if log is not None:
        log.write_states()
    return result


def _new_drawing(table: Games) -> MessageSequence:
    from twentyone.devs.sequence import ASCII, UNICODE, MessageSequence

    try:
        "".join(UNICODE).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        signs = ASCII
    else:
        signs = UNICODE
    return MessageSequence(table.simulator, partial(print, flush=True), signs)


def _standard_error(count: int, games: int) -> float | None:
    """The standard error of a share of games: s / sqrt(n) with ddof = 1."""
    share = count / games
    return sqrt(share * (1 - share) / (games - 1)) if games > 1 else None


def _text(tally: _Tally, seed: int | None) -> str:
    from twentyone.devs.clock import in_seconds
    from twentyone.support.summary import columns

    lines = [
        f"{result.outcome.value} at {in_seconds(result.time)} s: "
        f"challenger {_cards(hands.challenger)} = {result.challenger_score}, "
        + (f"dealer {_cards(hands.dealer)} = {result.dealer_score}" if hands.dealer else "a bust")
        for result, hands in tally.details
    ]
    if tally.games != 1:
        rows = [("outcome", "games", "share", "standard error")]
        for name in OUTCOMES if tally.games else ():
            count = tally.counts[name]
            error = _standard_error(count, tally.games)
            rows.append(
                (name, f"{count:,}", f"{count / tally.games:z.4f}", "-" if error is None else f"{error:z.4f}")
            )
        lines.append(columns(rows))
    if tally.games > 1:
        lines.append(f"{counted(tally.games, 'game')} in {tally.seconds:z.2f} s, {_rate(tally):,.0f} games/s")
    if seed is not None:
        lines.append(f"seed {seed}")
    return "\n".join(lines)


def _rate(tally: _Tally) -> float:
    return tally.games / max(tally.seconds, 1e-9)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(card.text for card in cards)


def _document(tally: _Tally, seed: int | None) -> dict[str, Any]:
    from twentyone.devs.clock import TICKS

    document: dict[str, Any] = {
        "games": tally.games,
        "outcomes": {
            name: {
                "count": tally.counts[name],
                "share": tally.counts[name] / tally.games,
                "standard_error": _standard_error(tally.counts[name], tally.games),
            }
            for name in (OUTCOMES if tally.games else ())
        },
        "seconds": tally.seconds,
        "games_per_second": _rate(tally),
        "seed": seed,
    }
    if tally.details:
        document["played"] = [
            {
                "outcome": result.outcome.value,
                "time": result.time / TICKS,
                "challenger": {
                    "cards": [card.text for card in hands.challenger],
                    "score": result.challenger_score,
                },
                "dealer": {"cards": [card.text for card in hands.dealer], "score": result.dealer_score},
            }
            for result, hands in tally.details
        ]
    return document
