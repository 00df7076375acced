"""Hands, upcards and shoes as they are typed, for the commands that take them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import Rules
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import counted

if TYPE_CHECKING:
    from twentyone.exact.values.game import SeatGame
    from twentyone.exact.values.shoe import Shoe

MOST: Final = 1000
"""Of one kind in a shoe that is typed: the tens of 62 decks. The chances of draws stay exact to 15 digits."""

PANEL: Final = "Cards of the shoe"

ShoeOption = Annotated[
    str | None,
    typer.Option(
        "--shoe",
        metavar="CARDS",
        rich_help_panel=PANEL,
        help="Play from these cards in place of the decks: each kind with its number, such as '2=24 3=24"
        " 10=96 A=24'. A kind that is not given is not in the shoe; tens and pictures are one kind.",
    ),
]
RemovedOption = Annotated[
    str | None,
    typer.Option(
        "--removed",
        metavar="CARDS",
        rich_help_panel=PANEL,
        help="Take these cards out of the shoe first, such as '5 10 A'.",
    ),
]


def values_of(text: str, what: str) -> list[int]:
    """The values of some cards, 2 to 11, as `twentyone.exact.typed_hands` reads them.

    Args:
        text: what was typed.
        what: what these cards are, for the sentence.

    Raises:
        CommandError: for something that is no card.
    """
    from twentyone.exact.typed_hands import CardError, cards_of

    try:
        return cards_of(text, what)
    except CardError as error:
        raise CommandError(str(error), USAGE) from None


def value_of(word: str, what: str) -> int:
    """The value of one card.

    Raises:
        CommandError: if it is none.
    """
    from twentyone.exact.typed_hands import CardError, card_of

    try:
        return card_of(word, what)
    except CardError as error:
        raise CommandError(str(error), USAGE) from None


def shoe_of(rules: Rules, shoe: str | None, removed: str | None) -> Shoe | None:
    """The shoe that was given; None for that of the rules.

    Raises:
        CommandError: for what is no shoe, and for cards that are to be taken out and are not there.
    """
    from twentyone.exact.values.shoe import Shoe

    if shoe is None and not (removed or "").strip():
        return None
    if shoe is not None and rules.decks is None:
        raise CommandError("--shoe says which cards there are: expected it without an infinite deck", USAGE)
    found = Shoe.of(rules) if shoe is None else Shoe(_counts_of(shoe))
    try:
        return found.without(values_of(removed or "", "--removed"))
    except ValueError as error:
        raise CommandError(f"{error}: expected other cards after --removed", USAGE) from None


def game_of(rules: Rules, shoe: Shoe | None) -> SeatGame:
    """The exact values of a game.

    Raises:
        CommandError: for rules without a dealer, and a shoe that can run out.
    """
    from twentyone.exact.values.game import NoExactFormError, seat_game

    try:
        return seat_game(rules, shoe)
    except NoExactFormError as error:
        raise CommandError(str(error), USAGE) from None


def heading(game: SeatGame, shoe: Shoe | None, asked: Rules) -> str:
    """The rules, and the shoe if it is not that of the rules, for the head of a result.

    Args:
        game: the game.
        shoe: the cards before the deal, if they are not those of the rules.
        asked: the rules that were asked for: a shoe that is kept over rounds has no short exact form, so the
            values are those of a fresh one.
    """
    from twentyone.exact.report.letters import rules_in_short

    rules = f"rules: {rules_in_short(game.rules)}"
    if shoe is not None:
        return f"{rules}\nshoe: {shoe_text(shoe)}, {counted(shoe.size, 'card')}"
    is_kept = asked.reshuffle != game.rules.reshuffle
    return f"{rules} (exact values are those of a fresh shoe)" if is_kept else rules


def game_json(game: SeatGame) -> dict[str, Any]:
    """The rules and the shoe of a game as keys of a document; an infinite deck has no counts."""
    return {
        "rules": game.rules.fields(),
        "shoe": None if game.shoe.endless else shoe_json(game.shoe),
    }


def shoe_text(shoe: Shoe) -> str:
    """A shoe as it may be typed: `2=24 3=24 ... A=24`."""
    return " ".join(f"{name}={count}" for name, count in shoe_json(shoe).items())


def shoe_json(shoe: Shoe) -> dict[str, int]:
    """The number of cards of each kind in a shoe, by their names."""
    from twentyone.exact.report.letters import upcard_name

    return {upcard_name(value): count for value, count in enumerate(shoe.counts, 2) if count}


def _counts_of(text: str) -> tuple[int, ...]:
    from twentyone.exact.report.letters import upcard_name

    counts: dict[int, int] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        card, equals, number = word.partition("=")
        if not (equals and re.fullmatch("[0-9]{1,9}", number)):
            raise CommandError(
                f"{word[:20]!r} is no part of a shoe: expected cards and their numbers, such as"
                " '2=24 10=96 A=24'",
                USAGE,
            )
        value = value_of(card, "--shoe")
        name = upcard_name(value)
        if value in counts:
            raise CommandError(
                f"the shoe says twice how many cards count as {name}: expected one number",
                USAGE,
            )
        if int(number) > MOST:
            raise CommandError(
                f"the shoe has {int(number):,} cards that count as {name}: expected at most {MOST:,}",
                USAGE,
            )
        counts[value] = int(number)
    return tuple(counts.get(value, 0) for value in range(2, 12))
