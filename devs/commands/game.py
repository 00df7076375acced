"""`devs game`: whole games, their outcomes and their log."""

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

from devs.commands.app import app
from devs.commands.parts import (
    ChallengerOption,
    Chance,
    DeckOption,
    LogOption,
    TimingName,
    TimingOption,
    VariationOption,
    log_file,
    notice,
    setup_of,
)
from support.command import FAILED, INTERRUPTED, OK, USAGE, CommandError, describe
from support.options import JsonOption, SeedOption
from support.progress import Progress

if TYPE_CHECKING:
    from devs.blackjack import Setup
    from devs.games import Games, Hands, Result
    from devs.log import EventLog
    from devs.sequence import MessageSequence
    from devs.values import Card

EACH: Final = 20
"""As many games have a line each; of more there are the counts alone."""

OUTCOMES: Final = ("WIN", "LOSE", "TIE")


@describe(app)
def game(
    *,
    games: Annotated[int, typer.Option(min=1, max=10**9, help="How many games to play.")] = 1,
    challenger: ChallengerOption = 15,
    deck: DeckOption = None,
    timing: TimingOption = TimingName.REFERENCE,
    variation: VariationOption = 0.0,
    seed: SeedOption = None,
    log: LogOption = None,
    real_time: Annotated[
        float | None,
        typer.Option(min=1e-3, max=1e6, metavar="SCALE", help="Play at so many simulated seconds a second."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Draw what the models tell each other, as it happens.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Play whole games and say how they end.

    The challenger draws to 15 and the dealer to 17; aces count 1; each game has a fresh deck of 52 cards. A
    game takes 12 + 2.2 k simulated seconds if the challenger busts with k cards, else 13 + 2.2 (k + d) with d
    cards of the dealer's. Up to 20 games are told one by one. The log, about 8 kB a game, has one after the
    other, each from time 0.

    The keys of --json: `games`, `outcomes` (by name: `count`, `share`, `standard_error`), `seconds`,
    `games_per_second`, `seed` (null if nothing is random) and, up to 20 games, `played`: `outcome`, `time`,
    `challenger` and `dealer`, each with `cards` and `score`.
    """
    setup, used_seed = setup_of(challenger, timing, Chance(deck, variation, seed))
    if show and json:
        raise CommandError("--show draws and --json does not: expected one of them", USAGE)
    with log_file(log) as file, Progress("playing", games, "games") as progress:
        tally = _play(setup, games, _Watchers(file, show, real_time), progress)
    print(text_of.dumps(_document(tally, used_seed)) if json else _text(tally, used_seed))
    if tally.games < games:
        notice(f"interrupted after {tally.games:,} of {games:,} games")
        return INTERRUPTED
    return OK


@dataclass(frozen=True)
class _Watchers:
    """What is done beside the playing: a log, a drawing, and waiting."""

    log: TextIO | None
    show: bool
    scale: float | None


@dataclass
class _Tally:
    """What has been played so far."""

    counts: Counter[str] = field(default_factory=Counter)
    told: list[tuple[Result, Hands]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def games(self) -> int:
        return self.counts.total()


def _play(setup: Setup, games: int, watchers: _Watchers, progress: Progress) -> _Tally:
    """Play games; Ctrl-C ends them after the one before.

    Raises:
        CommandError: if the deck runs out of cards.
    """
    from devs.formalism import ModelError
    from devs.games import Games
    from devs.log import EventLog

    table, tally, begun = Games(setup), _Tally(), time.monotonic()
    log = None if watchers.log is None else EventLog(table.simulator, watchers.log)
    drawing = _drawing(table) if watchers.show else None
    with suppress(KeyboardInterrupt):  # what has been played is told, and that it is not all
        for number in range(games):
            table.reset(number)
            if drawing is not None:
                drawing.heading()
            try:
                result = _played(table, log, watchers.scale)
            except ModelError as error:
                raise CommandError(str(error), FAILED) from None
            tally.counts[result.outcome.value] += 1
            if games <= EACH:
                tally.told.append((result, table.hands()))
            else:
                progress.show(number + 1)
    tally.seconds = time.monotonic() - begun
    return tally


def _played(table: Games, log: EventLog | None, scale: float | None) -> Result:
    """Play the game that has been made ready."""
    from devs.clock import in_real_time

    if log is not None:
        log.states()
    result = table.play(None if scale is None else in_real_time(scale))
    if log is not None:
        log.states()
    return result


def _drawing(table: Games) -> MessageSequence:
    from devs.sequence import ASCII, UNICODE, MessageSequence

    try:
        "".join(UNICODE).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        signs = ASCII
    else:
        signs = UNICODE
    return MessageSequence(table.simulator, partial(print, flush=True), signs)


def _standard_error(count: int, games: int) -> float | None:
    """Of a share of games, in games: s / sqrt(n) with ddof = 1."""
    share = count / games
    return sqrt(share * (1 - share) / (games - 1)) if games > 1 else None


def _text(tally: _Tally, seed: int | None) -> str:
    from devs.clock import in_seconds
    from support.summary import columns

    lines = [
        f"{result.outcome.value} at {in_seconds(result.time)} s: "
        f"challenger {_cards(hands.challenger)} = {result.challenger_score}, "
        + (f"dealer {_cards(hands.dealer)} = {result.dealer_score}" if hands.dealer else "a bust")
        for result, hands in tally.told
    ]
    if tally.games != 1:
        rows = [("outcome", "games", "share", "standard error")]
        for name in OUTCOMES if tally.games else ():
            count = tally.counts[name]
            error = _standard_error(count, tally.games)
            rows.append(
                (name, f"{count:,}", f"{count / tally.games:.4f}", "-" if error is None else f"{error:.4f}")
            )
        lines.append(columns(rows))
    if tally.games > 1:
        lines.append(f"{tally.games:,} games in {tally.seconds:.2f} s, {_rate(tally):,.0f} games/s")
    if seed is not None:
        lines.append(f"seed {seed}")
    return "\n".join(lines)


def _rate(tally: _Tally) -> float:
    return tally.games / max(tally.seconds, 1e-9)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(card.text for card in cards)


def _document(tally: _Tally, seed: int | None) -> dict[str, Any]:
    from devs.clock import TICKS

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
    if tally.told:
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
            for result, hands in tally.told
        ]
    return document
