"""The rules of a table as one frozen value, the five presets, and the settlement of hands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from cards.hand import TWENTY_ONE, Ace, Hand

DECK: Final = 52
MAX_DECKS: Final = 8
MAX_SEATS: Final = 9

_Choice = TypeVar("_Choice", bound=Enum)


class RulesError(ValueError):
    """An invalid rule, or a combination of rules that makes no sense, in one sentence."""


class Decision(Enum):
    """What a player may do in turn."""

    HIT = "HIT"
    STAND = "STAND"

    # Each member exists once, so its identity is enough. Enum's own hash is a Python call for every decision.
    __hash__ = object.__hash__


class Outcome(Enum):
    """How a round ended for one seat, from the player's view.

    Attributes:
        payoff: the player's result in initial bets: +1, 0 or -1.
    """

    WIN = ("WIN", 1)
    LOSE = ("LOSE", -1)
    PUSH = ("PUSH", 0)
    BUST = ("BUST", -1)

    payoff: int

    def __new__(cls, text: str, payoff: int) -> Outcome:
        """A member whose value is its text alone."""
        outcome = object.__new__(cls)
        outcome._value_ = text
        outcome.payoff = payoff
        return outcome

    __hash__ = object.__hash__


# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_WIN: Final = Outcome.WIN
_PUSH: Final = Outcome.PUSH
_LOSE: Final = Outcome.LOSE
_BUST: Final = Outcome.BUST


class DealerStands(Enum):
    """Whether the dealer stands on every 17, or draws on a soft 17 and stands on a hard one only."""

    ALL17 = "all17"
    HARD17 = "hard17"


class Naturals(Enum):
    """Whether a natural is equal to any other 21, or beats every 21 of three or more cards."""

    EQUAL = "equal"
    BEAT = "beat"


_BEAT: Final = Naturals.BEAT


@dataclass(frozen=True, slots=True)
class EveryRound:
    """A fresh, full shoe for every round."""

    def __str__(self) -> str:
        return "round"


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A fresh shoe before a round when fewer than `cards` cards are left."""

    cards: int

    def __str__(self) -> str:
        return f"cutoff:{self.cards}"


@dataclass(frozen=True, slots=True)
class Penetration:
    """A fresh shoe before a round when this fraction of the cards, between 0 and 1, has been dealt."""

    fraction: float

    def __str__(self) -> str:
        return f"penetration:{self.fraction}"


Reshuffle = EveryRound | Cutoff | Penetration


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a table. They are valid once constructed.

    Attributes:
        preset: the name of the preset that these rules are based on.
        decks: 1 to 8 decks of 52 cards; None for an infinite deck.
        reshuffle: when the shoe is made fresh.
        ace: what an ace counts.
        dealer_stands: on which 17 the dealer stands; None at a table without a dealer (`showdown`).
        naturals: how a natural compares with another 21.
        seats: the number of seats, 1 to 9, or 2 to 9 without a dealer.

    Raises:
        RulesError: for a value out of range or a combination that makes no sense.
    """

    preset: str = "course"
    decks: int | None = 1
    reshuffle: Reshuffle = EveryRound()
    ace: Ace = Ace.EITHER
    dealer_stands: DealerStands | None = DealerStands.ALL17
    naturals: Naturals = Naturals.EQUAL
    seats: int = 1

    def __post_init__(self) -> None:
        if self.decks is not None and not 1 <= self.decks <= MAX_DECKS:
            raise RulesError(f"decks is {self.decks}: expected 1 to {MAX_DECKS}, or inf")
        if self.decks is None and self.reshuffle != EveryRound():
            raise RulesError(
                f"an infinite deck never runs low, so reshuffle {self.reshuffle} makes no sense with it:"
                " expected reshuffle round"
            )
        if isinstance(self.reshuffle, Cutoff) and not 1 <= self.reshuffle.cards <= self._cards:
            raise RulesError(
                f"a cutoff of {self.reshuffle.cards} cards does not fit a shoe of {self._cards}:"
                f" expected 1 to {self._cards}"
            )
        if isinstance(self.reshuffle, Penetration) and not 0 < self.reshuffle.fraction < 1:
            raise RulesError(
                f"the penetration is {self.reshuffle.fraction}: expected more than 0 and less than 1"
            )
        fewest = 1 if self.has_dealer else 2
        if not fewest <= self.seats <= MAX_SEATS:
            raise RulesError(
                f"seats is {self.seats}: expected {fewest} to {MAX_SEATS}"
                + ("" if self.has_dealer else f", since {self.preset} has no dealer to play against")
            )

    @property
    def has_dealer(self) -> bool:
        """Whether the players play against a dealer rather than against each other."""
        return self.dealer_stands is not None

    @property
    def _cards(self) -> int:
        return DECK * (self.decks or 0)

    @property
    def fewest_cards(self) -> int:
        """The shoe is made fresh before a round if fewer cards than this are left; 0 for an infinite deck."""
        match self.reshuffle:
            case EveryRound():
                return self._cards
            case Cutoff(cards):
                return cards
            case Penetration(fraction):
                # At least the fraction is dealt if at most the rest is left, so if fewer than the rest + 1
                # are.
                return int(self._cards * (1 - fraction) + 1e-9) + 1

    def dealer_draws(self, dealer: Hand) -> bool:
        """Whether the dealer must draw another card: below 17, and on a soft 17 under `hard17`."""
        if dealer.total != 17:
            return dealer.total < 17
        return dealer.is_soft and self.dealer_stands is DealerStands.HARD17

    def plays_like(self, other: Rules) -> bool:
        """Whether two rules are the same game for a seat, regardless of their presets.

        Against a dealer the number of seats makes no difference: the cards that others draw are as random as
        those that they leave.
        """
        seats = other.seats if self.has_dealer and other.has_dealer else self.seats
        return replace(self, preset=other.preset, seats=seats) == other

    def fields(self) -> dict[str, str]:
        """Every field as text, by the name of its command-line option; and also `preset` and `seats`."""
        return {
            "preset": self.preset,
            "decks": "inf" if self.decks is None else str(self.decks),
            "reshuffle": str(self.reshuffle),
            "ace": self.ace.value,
            "dealer-stands": "none" if self.dealer_stands is None else self.dealer_stands.value,
            "naturals": self.naturals.value,
            "seats": str(self.seats),
        }

    def __str__(self) -> str:
        return " ".join(f"{key}={value}" for key, value in self.fields().items())


PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "course": Rules(),
        "study": Rules(preset="study", ace=Ace.ONE, reshuffle=Cutoff(26)),
        "devs": Rules(preset="devs", ace=Ace.ONE),
        "casino": Rules(preset="casino", decks=4, reshuffle=Penetration(0.75), naturals=Naturals.BEAT),
        "showdown": Rules(preset="showdown", dealer_stands=None, naturals=Naturals.BEAT, seats=2),
    }
)
"""The rules of each system that this project descends from, by name."""


def rules_from(fields: Mapping[str, str]) -> Rules:
    """Rules from text: the preset named by `preset` (default `course`), changed by the other fields.

    The names and spellings are those of `Rules.fields`. The preset may also be named by `rules`, as on
    command lines and in earlier versions. Unknown names are ignored, since a later version may add some.

    Raises:
        RulesError: for an invalid value, or a combination that makes no sense.
    """
    name = fields.get("preset", fields.get("rules", "course"))
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
    return replace(preset, **changes)


def settle(player: Hand, dealer: Hand, naturals: Naturals) -> Outcome:
    """The outcome of a player's finished hand against the dealer's.

    A player who busts has lost, whatever the dealer holds. Under `Naturals.BEAT` a natural beats every other
    21, and only a natural pushes against a dealer's natural.
    """
    if player.total > TWENTY_ONE:
        return _BUST
    if dealer.total > TWENTY_ONE:
        return _WIN
    mine, theirs = strength(player, naturals), strength(dealer, naturals)
    if mine == theirs:
        return _PUSH
    return _WIN if mine > theirs else _LOSE


def settle_showdown(hands: Sequence[Hand], naturals: Naturals) -> list[Outcome]:
    """The outcome of each hand in a round without a dealer: the highest hand not over 21 wins.

    Equal highest hands PUSH. If all hands are bust, all have BUST.
    """
    strengths = [0 if hand.is_bust else strength(hand, naturals) for hand in hands]
    best = max(strengths, default=0)
    top = Outcome.WIN if strengths.count(best) == 1 else Outcome.PUSH
    return [
        Outcome.BUST if hand.is_bust else top if mine == best else Outcome.LOSE
        for hand, mine in zip(hands, strengths, strict=True)
    ]


def strength(hand: Hand, naturals: Naturals) -> int:
    """The rank of a hand that is not bust: its total, or 22 for a natural that beats other 21s."""
    if naturals is _BEAT and hand.is_natural:
        return hand.total + 1
    return hand.total


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


_FIELDS: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "decks": ("decks", _decks),
    "reshuffle": ("reshuffle", _reshuffle),
    "ace": ("ace", partial(_choice, "ace", Ace)),
    "dealer-stands": ("dealer_stands", _dealer_stands),
    "naturals": ("naturals", partial(_choice, "naturals", Naturals)),
    "seats": ("seats", _seats),
}
