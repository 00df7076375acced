"""The options of OPEN: those of a table that a player opens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cards import Rules, RulesError, rules_from
from cards.presets import OPTIONS
from dealer.lobby.bots import verify_bot
from dealer.tables.config import BOT_DELAY, BOT_POLICY, PAUSE, Setup
from protocol import Open, RefusalError, Word
from twentyone.support.counts import counted

LONGEST_WAIT: Final = 600.0
"""Seconds that a pause or a bot may last: what is longer is a slip of the fingers."""

LEAST_BOT_DELAY: Final = 0.05
"""Seconds that a bot takes at least, too few to be noticed: bots that take none would take a whole core."""

DEFAULTS: Final[Mapping[str, str]] = {
    "preset": "casino",
    "seats": "5",
    "bot-policy": BOT_POLICY,
    "practice": "off",
}
"""The meaning of OPEN without options: a person and four bots against the dealer."""

KEYS: Final = (*OPTIONS, "bots", "bot-policy", "players", "practice", "pause", "bot-delay")


def setup_from(message: Open) -> Setup:
    """The table that an OPEN asks for.

    Raises:
        RefusalError: if it cannot be set up so; the text says what is wrong.
    """
    given = dict(message.options)
    if unknown := [key for key in given if key not in KEYS]:
        raise _bad(f"OPEN has no {unknown[0]}, only {', '.join(KEYS)}")
    options = {**DEFAULTS, **given}
    try:
        rules = rules_from({key: options[key] for key in OPTIONS if key in options})
        bots = _bots(options.get("bots", str(rules.seats - 1)), rules)
        players = _players(options["players"], bots, rules) if "players" in options else None
        verify_bot(options["bot-policy"], rules)
    except (RulesError, ValueError) as error:
        raise _bad(f"OPEN: {error}") from None
    return Setup(
        rules,
        bots,
        options["bot-policy"],
        _switch("practice", options["practice"]),
        _seconds("pause", options.get("pause"), PAUSE),
        max(LEAST_BOT_DELAY, _seconds("bot-delay", options.get("bot-delay"), BOT_DELAY)),
        players,
    )


def verify_bots(bots: int, rules: Rules) -> None:
    """Raise an error unless a table of these rules has enough seats for the bots.

    Raises:
        ValueError: if there are more bots than seats.
    """
    if bots > rules.seats:
        raise ValueError(
            f"there are {counted(bots, 'bot')} for {counted(rules.seats, 'seat')}: expected at"
            f" most {rules.seats}"
        )


def _bots(text: str, rules: Rules) -> int:
    if not re.fullmatch("[0-9]", text):
        raise _bad(f"OPEN: bots is {text!r}: expected 0 to the number of seats")
    verify_bots(int(text), rules)
    return int(text)


def verify_players(players: int, bots: int, rules: Rules) -> None:
    """Raise an error unless this number of people fits at a table of these rules, besides the bots.

    Raises:
        ValueError: if there are not as many seats.
    """
    most = max(1, rules.seats - bots)
    if not 1 <= players <= most:
        raise ValueError(
            f"the first round waits for {counted(players, 'player')}: expected 1 to {most}, the seats"
            " without bots"
        )


def _players(text: str, bots: int, rules: Rules) -> int:
    if not re.fullmatch("[0-9]", text):
        raise _bad(f"OPEN: players is {text!r}: expected 1 to the number of seats that are not the bots'")
    verify_players(int(text), bots, rules)
    return int(text)


def _switch(key: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise _bad(f"OPEN: {key} is {text!r}: expected on or off")
    return text == "on"


def _seconds(key: str, text: str | None, default: float) -> float:
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text) or float(text) > LONGEST_WAIT:
        raise _bad(f"OPEN: {key} is {text!r}: expected 0 to {LONGEST_WAIT:g} seconds")
    return float(text)


def _bad(sentence: str) -> RefusalError:
    return RefusalError(Word.BAD_TABLE, sentence)
