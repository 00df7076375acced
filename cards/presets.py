"""The nine presets, and rules as text: how each field is spelt on command lines, on the wire, in files."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from cards.hand import Ace
from cards.rules import (
    FIRST_VALUES,
    MAX_DECKS,
    MAX_HANDS,
    MAX_SEATS,
    Bets,
    Cutoff,
    DealerStands,
    Double,
    EveryRound,
    HoleCard,
    Naturals,
    Penetration,
    Reshuffle,
    Rules,
    RulesError,
    SplitAces,
    Surrender,
)

_Choice = TypeVar("_Choice", bound=Enum)


def rules_from(fields: Mapping[str, str], usual: str = "course") -> Rules:
    """Rules from text: the preset named by `preset`, or the usual one, changed by the other fields.

    This is what a command line means. The names and spellings are those of `Rules.fields`. Unknown names are
    ignored, since a later version may add some.

    Raises:
        RulesError: for an invalid value, or a combination that makes no sense. The sentence says which part
            of the combination comes from the preset.
    """
    name = fields.get("preset", usual)
    if name not in PRESETS:
        raise RulesError(f"there are no rules {name!r}: expected {_one_of(PRESETS)}")
    preset = PRESETS[name]
    changes: dict[str, Any] = {
        attribute: parse(fields[key]) for key, (attribute, parse) in _FIELDS.items() if key in fields
    }
    stands = changes.get("dealer_stands", preset.dealer_stands)
    if stands is None and preset.has_dealer:
        raise RulesError(f"dealer-stands is 'none', but {name} has a dealer: expected all17 or hard17")
    if stands is not None and not preset.has_dealer:
        raise RulesError(
            f"{name} has no dealer, so dealer-stands {stands.value} makes no sense: expected none"
        )
    try:
        return replace(preset, **changes)
    except RulesError as error:
        which = f"the preset {name}" if "preset" in fields else f"{name}, the preset where none is named"
        raise with_source(error, preset, fields, which) from None


def with_source(error: RulesError, base: Rules, given: Container[str], which: str) -> RulesError:
    """An error about rules that changes of others made, with what of its sentence was not typed.

    Args:
        error: the error.
        base: the rules that were changed.
        given: the names of the fields that were given.
        which: what the rules are called that were changed.
    """
    fields, said = base.fields() | base.new_fields(), str(error).replace(" is ", " ")
    taken = [f"{key} {text}" for key, text in fields.items() if key not in given and f"{key} {text}" in said]
    return RulesError(f"{error} ({' and '.join(taken)}: from {which})") if taken else error


def rules_stated(fields: Mapping[str, str]) -> Rules:
    """Rules from what `Rules.fields` has written, on the wire or in a file.

    A field from `double` on that is missing is at its first value, whatever the preset says.

    Raises:
        RulesError: as by `rules_from`.
    """
    return rules_from({**FIRST_VALUES, **fields})


def _whole(name: str, expected: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise RulesError(f"{name} is {text!r}: expected {expected}")
    return int(text)


def _decks(text: str) -> int | None:
    return None if text == "inf" else _whole("decks", f"1 to {MAX_DECKS}, or inf", text)


def _seats(text: str) -> int:
    return _whole("seats", f"1 to {MAX_SEATS}", text)


def _reshuffle(text: str) -> Reshuffle:
    kind, _, number = text.partition(":")
    if text == "round":
        return EveryRound()
    if kind == "cutoff" and re.fullmatch(r"[0-9]{1,9}", number):
        return Cutoff(int(number))
    if kind == "penetration" and re.fullmatch(r"[0-9]{0,9}\.?[0-9]{1,20}(e-[0-9]{1,3})?", number):
        return Penetration(float(number))
    raise RulesError(
        f"reshuffle is {text!r}: expected round, cutoff:N (when fewer than N cards are left)"
        " or penetration:F (when the fraction F of the shoe has been dealt)"
    )


def _dealer_stands(text: str) -> DealerStands | None:
    return None if text == "none" else _choice("dealer-stands", DealerStands, text)


def _choice(name: str, choices: type[_Choice], text: str) -> _Choice:
    try:
        return choices(text)
    except ValueError:
        expected = _one_of([str(choice.value) for choice in choices])
        raise RulesError(f"{name} is {text!r}: expected {expected}") from None


def _one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"


def _yes_or_no(name: str, text: str) -> bool:
    if text not in ("no", "yes"):
        raise RulesError(f"{name} is {text!r}: expected no or yes")
    return text == "yes"


def _split(text: str) -> int:
    return _whole("split", f"1 to {MAX_HANDS} hands, where 1 means never", text)


def _bets(text: str) -> Bets | None:
    if text == "1":
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,12})-([1-9][0-9]{0,12})", text)
    if match is None:
        raise RulesError(f"bets is {text!r}: expected 1, or MIN-MAX in whole chips, such as 10-80")
    return Bets(int(match[1]), int(match[2]))


def _bankroll(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,12}", text):
        raise RulesError(f"bankroll is {text!r}: expected a whole number of chips")
    return int(text)


_FIELDS: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "decks": ("decks", _decks),
    "reshuffle": ("reshuffle", _reshuffle),
    "ace": ("ace", partial(_choice, "ace", Ace)),
    "dealer-stands": ("dealer_stands", _dealer_stands),
    "naturals": ("naturals", partial(_choice, "naturals", Naturals)),
    "seats": ("seats", _seats),
    "double": ("double", partial(_choice, "double", Double)),
    "double-after-split": ("double_after_split", partial(_yes_or_no, "double-after-split")),
    "split": ("split", _split),
    "split-aces": ("split_aces", partial(_choice, "split-aces", SplitAces)),
    "surrender": ("surrender", partial(_choice, "surrender", Surrender)),
    "insurance": ("insurance", partial(_yes_or_no, "insurance")),
    "hole-card": ("hole_card", partial(_choice, "hole-card", HoleCard)),
    "bets": ("bets", _bets),
    "bankroll": ("bankroll", _bankroll),
}
"""By the name of the option: the attribute, and how it is read."""

OPTIONS: Final = ("preset", *_FIELDS)
"""The names of all options of the rules, as `rules_from` and `Rules.fields` spell them."""

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "course": Rules(),
        "study": Rules(preset="study", ace=Ace.ONE, reshuffle=Cutoff(26)),
        "devs": Rules(preset="devs", ace=Ace.ONE),
        "casino": Rules(preset="casino", decks=4, reshuffle=Penetration(0.75), naturals=Naturals.BEAT),
        "showdown": Rules(preset="showdown", dealer_stands=None, naturals=Naturals.BEAT, seats=2),
        "textbook": Rules(preset="textbook", decks=None, naturals=Naturals.PLAYER),
        "vegas": Rules(
            preset="vegas",
            decks=6,
            reshuffle=Penetration(0.75),
            dealer_stands=DealerStands.HARD17,
            naturals=Naturals.THREE_TO_TWO,
            double=Double.ANY,
            double_after_split=True,
            split=4,
            split_aces=SplitAces.AGAIN,
            surrender=Surrender.LATE,
            insurance=True,
            hole_card=HoleCard.PEEK,
        ),
        "reno": Rules(
            preset="reno",
            reshuffle=Cutoff(26),
            dealer_stands=DealerStands.HARD17,
            naturals=Naturals.THREE_TO_TWO,
            double=Double.TEN_TO_ELEVEN,
            split=4,
            insurance=True,
            hole_card=HoleCard.PEEK,
        ),
        "europe": Rules(
            preset="europe",
            decks=6,
            reshuffle=Penetration(0.75),
            naturals=Naturals.THREE_TO_TWO,
            double=Double.NINE_TO_ELEVEN,
            double_after_split=True,
            split=2,
        ),
    }
)
"""The rules of each system that this project descends from, those of a textbook, and three of casinos."""
