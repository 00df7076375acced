"""Tables drawn at random: any legal rules, seats of any means, and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Final

from cards import CARDS, Card, Round, Rules, Shoe, rules_from
from tests.helpers.reference import VALUES, is_legal

MEANS: Final = (None, 1, Fraction(3, 2), 2, Fraction(5, 2), 3, 4, 8)
"""How many initial bets a seat can stake: any number; the first; insurance, too; a double or a split; ..."""

SEATS: Final = (1, 1, 1, 2, 2, 3, 4, 5)
"""How many seats are dealt in: often few, since a round of five takes five times as long as one of one."""

CARDS_OF_A_SEAT: Final = 30
"""Enough for the four hands of a seat, unless nearly all cards are aces that count 1."""

DRAWN: Final = 400
"""How many rules are drawn to choose the few of `covering` from."""

MANY_ACES: Final = CARDS + 3 * tuple(card for card in CARDS if card.is_ace)
"""What a few cards are drawn from: of all questions, that about a second split ace is the rarest."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a round is played with.

    Attributes:
        fields: the rules, by the names of their options.
        means: how many initial bets each seat can stake in all; None: there is no limit.
        plain: the seats that are offered HIT and STAND only.
        cards: the cards in the order in which they are dealt.
    """

    fields: dict[str, str]
    means: list[Fraction | int | None]
    plain: list[int]
    cards: list[Card]

    @property
    def rules(self) -> Rules:
        """The rules as `cards` has them."""
        return rules_from({**self.fields, "seats": str(len(self.means))})

    def round(self, shoe: Shoe) -> Round:
        """A round at this table."""
        return Round(self.rules, shoe, means=self.means, plain=self.plain)


def draw(random: Random) -> Drawn:
    """Draw a table.

    Half of them have a few cards only, so that pairs, naturals and ties are not rare.
    """
    seats = random.choice(SEATS)
    deck = CARDS if random.random() < 0.5 else random.sample(MANY_ACES, random.randint(2, 5))
    return Drawn(
        fields=old_fields(random) if random.random() < 0.05 else legal_fields(random),
        means=random.choices(MEANS, k=seats),
        plain=[seat for seat in range(seats) if random.random() < 0.1],
        cards=random.choices(deck, k=CARDS_OF_A_SEAT * (seats + 1)),
    )


def legal_fields(random: Random) -> dict[str, str]:
    """Any rules that may be played, each combination with the same chance."""
    while True:
        fields = {name: random.choice(values) for name, values in VALUES.items()}
        if is_legal(fields):
            return fields


def old_fields(random: Random) -> dict[str, str]:
    """Rules without a new one, which are few among all."""
    return {
        "ace": random.choice(VALUES["ace"]),
        "dealer-stands": random.choice(VALUES["dealer-stands"]),
        "naturals": random.choice(("equal", "beat", "player")),
    }


def covering(
    seed: int,
    others: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    accept: Callable[[dict[str, str]], bool] = lambda _: True,
) -> Iterator[dict[str, str]]:
    """A few rules, without bets, that together have every value of every rule: each of them has a new one.

    Args:
        seed: of what is drawn by chance.
        others: further fields and their values, such as those of the shoe.
        accept: which rules may be taken.
    """
    random = Random(seed)
    values = {name: values for name, values in VALUES.items() if name != "bets"} | dict(others)
    missing = {(name, value) for name in values for value in values[name]}
    drawn: list[dict[str, str]] = []
    while len(drawn) < DRAWN:
        fields = legal_fields(random) | {name: random.choice(values) for name, values in others.items()}
        fields["bets"] = "1"
        if accept(fields):
            drawn.append(fields)
    while missing:
        # Of those with as many new values, one with aces as usual: they make the richest game.
        fields = max(drawn, key=lambda each: (len(missing & set(each.items())), each["ace"] == "either"))
        assert missing & set(fields.items()), f"no rules have {missing}"
        missing -= set(fields.items())
        yield fields
