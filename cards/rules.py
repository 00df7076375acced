"""The rules of a table as one frozen value, and what decisions and outcomes there are."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from cards.hand import Ace, Hand
from cards.value import Value

DECK: Final = 52
MAX_DECKS: Final = 8
MAX_SEATS: Final = 9
MAX_HANDS: Final = 4

DRAWS_BELOW: Final = 17
"""The dealer draws to every total below this."""

MAX_CHIPS: Final = 10**12
"""The largest bet and the largest bankroll: beyond any table, and exact as an integer of any language."""

BANKROLL_BETS: Final = 100
"""The usual bankroll, in least bets."""


class RulesError(ValueError):
    """An invalid rule, or a combination of rules that makes no sense, in one sentence."""


class Decision(Enum):
    """The decisions of a player. In the older presets these are the first two only."""

    HIT = "HIT"
    STAND = "STAND"
    DOUBLE = "DOUBLE"
    SPLIT = "SPLIT"
    SURRENDER = "SURRENDER"
    INSURE = "INSURE"
    DECLINE = "DECLINE"

    # Each member exists once, so its identity is enough. Enum's own hash is a Python call for every decision.
    __hash__ = object.__hash__


Payoff = int | Fraction
"""A player's result in initial bets: above 0 it has won. Exact, never a float."""

HALF: Final = Fraction(1, 2)


def exact(payoff: Payoff) -> Payoff:
    """The same number, as an integer where it is one."""
    return payoff.numerator if payoff.denominator == 1 else payoff


class Outcome(Enum):
    """The end of a round for one seat, from the player's view.

    Attributes:
        payoff: the player's result in initial bets, if one bet was at stake and a win pays 1:1: +1, 0, -1, or
            -1/2 for SURRENDER.
    """

    WIN = "WIN"
    LOSE = "LOSE"
    PUSH = "PUSH"
    BUST = "BUST"
    SURRENDER = "SURRENDER"

    payoff: Payoff

    __hash__ = object.__hash__  # as that of `Decision`


_PAYOFFS: Final[Mapping[Outcome, Payoff]] = {
    Outcome.WIN: 1,
    Outcome.LOSE: -1,
    Outcome.PUSH: 0,
    Outcome.BUST: -1,
    Outcome.SURRENDER: -HALF,
}
for _outcome, _payoff in _PAYOFFS.items():
    _outcome.payoff = _payoff


class DealerStands(Enum):
    """Whether the dealer stands on every 17, or draws on a soft 17 and stands on a hard one only."""

    ALL17 = "all17"
    HARD17 = "hard17"


class Naturals(Enum):
    """The worth of a natural.

    It is equal to any other 21, or it beats every other 21; or a player's does, and a dealer's is equal to
    any other 21, except a player's natural, which it pushes. At a ratio it beats every other 21, is paid so,
    and is asked for no decision but insurance.

    Attributes:
        is_ratio: whether it is one of the ratios.
        dealers_beats: whether a dealer's natural beats every other 21.
        payoff: what a natural that wins is paid, in initial bets.
    """

    EQUAL = "equal"
    BEAT = "beat"
    PLAYER = "player"
    EVEN = "1:1"
    SIX_TO_FIVE = "6:5"
    THREE_TO_TWO = "3:2"
    TWO_TO_ONE = "2:1"

    is_ratio: bool
    dealers_beats: bool
    payoff: Payoff


for _naturals in Naturals:
    _naturals.is_ratio = ":" in _naturals.value
    _naturals.dealers_beats = _naturals not in (Naturals.EQUAL, Naturals.PLAYER)
    _naturals.payoff = exact(Fraction(_naturals.value.replace(":", "/"))) if _naturals.is_ratio else 1


class Double(Enum):
    """When the stake may be doubled for exactly one more card.

    Attributes:
        totals: the hard totals of two cards that may be doubled; None where the total does not matter.
    """

    NONE = "none"
    ANY = "any"  # on the first two cards of a hand
    NINE_TO_ELEVEN = "9-11"  # on these hard totals of two cards
    TEN_TO_ELEVEN = "10-11"
    ALWAYS = "always"  # with any number of cards

    totals: Container[int] | None


for _double in Double:
    _first, _, _last = _double.value.partition("-")
    _double.totals = range(int(_first), int(_last) + 1) if _last else None


class SplitAces(Enum):
    """The play of split aces."""

    ONCE = "once"  # each gets exactly one card, and is not split again
    AGAIN = "again"  # each gets one card, and may be split again
    PLAY = "play"  # they are hands like any other


class Surrender(Enum):
    """When half the stake may be given up as the first decision on the first two cards."""

    NONE = "none"
    LATE = "late"  # once it is known that the dealer has no natural
    EARLY = "early"  # before that


class HoleCard(Enum):
    """When the dealer looks at the hole card for a natural, and what that natural takes."""

    LAST = "last"  # after everybody has played; a natural that wins takes every stake
    PEEK = "peek"  # with an ace or a ten showing, before anybody plays; a natural ends the round
    OBO = "obo"  # at the end; a natural takes the initial bet only


@dataclass(frozen=True, slots=True)
class EveryRound(Value):
    """A fresh, full shoe for every round."""

    def __str__(self) -> str:
        return "round"


@dataclass(frozen=True, slots=True)
class Cutoff(Value):
    """A fresh shoe before a round when fewer than `cards` cards are left."""

    cards: int

    def __str__(self) -> str:
        return f"cutoff:{self.cards}"


@dataclass(frozen=True, slots=True)
class Penetration(Value):
    """A fresh shoe before a round when this fraction of the cards, between 0 and 1, has been dealt."""

    fraction: float

    def __str__(self) -> str:
        return f"penetration:{self.fraction}"


Reshuffle = EveryRound | Cutoff | Penetration


@dataclass(frozen=True, slots=True)
class Bets(Value):
    """Players are asked for their bets: whole numbers of chips, from `minimum` to `maximum`."""

    minimum: int
    maximum: int

    def __str__(self) -> str:
        return f"{self.minimum}-{self.maximum}"


FIRST_VALUES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "double": "none",
        "double-after-split": "no",
        "split": "1",
        "split-aces": "once",
        "surrender": "none",
        "insurance": "no",
        "hole-card": "last",
        "bets": "1",
    }
)
"""The fields from `double` on, at the values of a table of HIT and STAND; such a value is not written."""


@dataclass(frozen=True, slots=True)
class Rules(Value):
    """The rules of a table. They are valid once constructed.

    Attributes:
        preset: the name of the preset that these rules are based on.
        decks: 1 to 8 decks of 52 cards; None for an infinite deck.
        reshuffle: when the shoe is made fresh.
        ace: what an ace counts.
        dealer_stands: on which 17 the dealer stands; None at a table without a dealer (`showdown`).
        naturals: how a natural compares with another 21, and what it is paid.
        seats: the number of seats, 1 to 9, or 2 to 9 without a dealer.
        double: when a player may double.
        double_after_split: whether a hand made by a split may be doubled.
        split: how many hands, 1 to 4, a player may make of one by splitting pairs of equal points.
        split_aces: what becomes of split aces.
        surrender: whether and when a player may surrender.
        insurance: whether insurance is offered with an ace showing.
        hole_card: when the dealer looks at the hole card.
        bets: the least and the largest bet; None if each player stakes one unit and is not asked.
        bankroll: the chips that a player sits down with; None for 100 times the least bet.
        tells_payoffs: whether it is a table with payoffs, where a dealer sends payoffs, options and its
            cards: one of the fields from `double` on is not at its first value, or `naturals` is a ratio.
            Otherwise HIT and STAND are all that is asked, DECISION names no options, and RESULT the outcome
            alone.

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
    double: Double = Double.NONE
    double_after_split: bool = False
    split: int = 1
    split_aces: SplitAces = SplitAces.ONCE
    surrender: Surrender = Surrender.NONE
    insurance: bool = False
    hole_card: HoleCard = HoleCard.LAST
    bets: Bets | None = None
    bankroll: int | None = None
    tells_payoffs: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._verify_shoe()
        fewest = 1 if self.has_dealer else 2
        if not fewest <= self.seats <= MAX_SEATS:
            raise RulesError(
                f"seats is {self.seats}: expected {fewest} to {MAX_SEATS}"
                + ("" if self.has_dealer else f", since {self.preset} has no dealer to play against")
            )
        changed = self._changed()
        object.__setattr__(self, "tells_payoffs", bool(changed) or self.naturals.is_ratio)
        self._verify_naturals(changed)
        self._verify_play(changed)
        self._verify_bets()

    @property
    def says_shuffle(self) -> bool:
        """Whether a dealer says SHUFFLE: it tells payoffs, and its shoe stays from round to round."""
        return self.tells_payoffs and self.reshuffle != EveryRound()

    @property
    def hides_hole_card(self) -> bool:
        """Whether the hole card is not turned where every hand is bust, so that no payoff is left to tell."""
        return not self.tells_payoffs

    def new_fields(self) -> dict[str, str]:
        """The fields from `double` on as text, by the names of their options; a bankroll only if given."""
        texts = {
            "double": self.double.value,
            "double-after-split": "yes" if self.double_after_split else "no",
            "split": str(self.split),
            "split-aces": self.split_aces.value,
            "surrender": self.surrender.value,
            "insurance": "yes" if self.insurance else "no",
            "hole-card": self.hole_card.value,
            "bets": "1" if self.bets is None else str(self.bets),
        }
        return texts if self.bankroll is None else texts | {"bankroll": str(self.bankroll)}

    def _changed(self) -> dict[str, str]:
        """Those that are not at their first values."""
        return {name: text for name, text in self.new_fields().items() if FIRST_VALUES.get(name) != text}

    def _verify_shoe(self) -> None:
        if self.decks is not None and not 1 <= self.decks <= MAX_DECKS:
            raise RulesError(f"decks is {self.decks}: expected 1 to {MAX_DECKS}, or inf")
        if self.decks is None and self.reshuffle != EveryRound():
            raise RulesError(
                f"decks is inf, and an infinite deck never runs low, so reshuffle {self.reshuffle}"
                " makes no sense: expected reshuffle round"
            )
        if isinstance(self.reshuffle, Cutoff) and not 1 <= self.reshuffle.cards <= self._cards:
            raise RulesError(
                f"a cutoff of {self.reshuffle.cards} cards does not fit a shoe of {self._cards}:"
                f" expected 1 to {self._cards} with decks {self.decks}"
            )
        if isinstance(self.reshuffle, Penetration) and not 0 < self.reshuffle.fraction < 1:
            raise RulesError(
                f"the penetration is {self.reshuffle.fraction}: expected more than 0 and less than 1"
            )

    def _verify_naturals(self, changed: Mapping[str, str]) -> None:
        """See that what needs a natural, or a dealer, has one."""
        if not self.has_dealer:
            extra = [f"{name} {text}" for name, text in changed.items()]
            of_dealer = self.naturals.is_ratio or self.naturals is Naturals.PLAYER
            extra += [f"naturals {self.naturals.value}"] if of_dealer else []
            if extra:
                raise RulesError(f"{self.preset} has no dealer, so {extra[0]} makes no sense there")
        if self.naturals.is_ratio and self.ace is Ace.ONE:
            raise RulesError(
                f"with ace 1 there is no natural, so naturals {self.naturals.value} makes no sense:"
                " expected equal or beat"
            )
        if self.naturals.dealers_beats and self.ace is not Ace.ONE:
            return
        names = [name for name in ("hole-card", "insurance") if name in changed]
        names += ["surrender"] if self.surrender is Surrender.LATE else []
        if names:
            reason = "with ace 1 there is no natural"
            if self.ace is not Ace.ONE:
                reason = "under naturals equal there is no natural"
                if self.naturals is Naturals.PLAYER:
                    reason = "under naturals player a dealer's natural is like any other 21"
            raise RulesError(f"{reason}, so {names[0]} {changed[names[0]]} makes no sense")

    def _verify_play(self, changed: Mapping[str, str]) -> None:
        """See that surrender, doubling and splitting have what they rest on."""
        if self.surrender is Surrender.LATE and self.hole_card is not HoleCard.PEEK:
            raise RulesError(
                f"surrender late needs a dealer who looks first, but hole-card is {self.hole_card.value}:"
                " expected hole-card peek, or surrender early"
            )
        if not 1 <= self.split <= MAX_HANDS:
            raise RulesError(f"split is {self.split}: expected 1 to {MAX_HANDS} hands, where 1 means never")
        if self.double_after_split and (self.double is Double.NONE or self.split == 1):
            raise RulesError(
                "double-after-split yes makes no sense without doubling and splitting:"
                f" double is {self.double.value} and split is {self.split}"
            )
        if "split-aces" in changed and self.split == 1:
            raise RulesError(
                f"split-aces {self.split_aces.value} makes no sense without splitting: split is 1"
            )

    def _verify_bets(self) -> None:
        bets, bankroll = self.bets, self.bankroll
        if bets is None:
            if bankroll is not None:
                raise RulesError(
                    f"a bankroll of {bankroll} makes no sense where no bets are asked: expected bets MIN-MAX"
                )
            return
        if not 1 <= bets.minimum <= bets.maximum <= MAX_CHIPS:
            raise RulesError(f"bets is {bets}: expected MIN-MAX, where 1 <= MIN <= MAX <= {MAX_CHIPS}")
        if bankroll is not None and not bets.minimum <= bankroll <= MAX_CHIPS:
            raise RulesError(
                f"a bankroll of {bankroll} does not fit bets of {bets}:"
                f" expected {bets.minimum} to {MAX_CHIPS} chips"
            )

    @property
    def first_bankroll(self) -> int:
        """The chips that a player sits down with; 0 where no bets are asked."""
        if self.bets is None:
            return 0
        return BANKROLL_BETS * self.bets.minimum if self.bankroll is None else self.bankroll

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
        if dealer.total != DRAWS_BELOW:
            return dealer.total < DRAWS_BELOW
        return dealer.is_soft and self.dealer_stands is DealerStands.HARD17

    def plays_like(self, other: Rules) -> bool:
        """Whether two rules are the same game for a seat, regardless of their presets.

        Against a dealer the number of seats makes no difference: the cards that others draw are as random as
        those that they leave.
        """
        seats = other.seats if self.has_dealer and other.has_dealer else self.seats
        return replace(self, preset=other.preset, seats=seats) == other

    def fields(self) -> dict[str, str]:
        """Every field as text, by the name of its command-line option; and also `preset` and `seats`.

        The fields from `double` on are there only where they are not at their first values.
        """
        return {
            "preset": self.preset,
            "decks": "inf" if self.decks is None else str(self.decks),
            "reshuffle": str(self.reshuffle),
            "ace": self.ace.value,
            "dealer-stands": "none" if self.dealer_stands is None else self.dealer_stands.value,
            "naturals": self.naturals.value,
            "seats": str(self.seats),
        } | self._changed()

    def __str__(self) -> str:
        return " ".join(f"{key}={value}" for key, value in self.fields().items())
