"""The rules of a round once more, slowly, to hold `cards.Round` to.

Written from the description of the game alone. It has nothing of `cards` but the cards: rules are the texts
of their options, what is decided and what comes of it are words, and what happens is a list of plain tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

from cards import Card

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "ace": ("either", "1", "11"),
    "dealer-stands": ("all17", "hard17"),
    "naturals": ("equal", "beat", "player", "1:1", "6:5", "3:2", "2:1"),
    "double": ("none", "any", "9-11", "10-11", "always"),
    "double-after-split": ("no", "yes"),
    "split": ("1", "2", "3", "4"),
    "split-aces": ("once", "again", "play"),
    "surrender": ("none", "late", "early"),
    "insurance": ("no", "yes"),
    "hole-card": ("last", "peek", "obo"),
    "bets": ("1", "1-1", "5-50"),
}
"""Every value of every rule of a round, first the one that a rule has if nothing is said.

Of `bets` these are examples: any two whole numbers may stand there, and a round is the same for all of them.
"""

FORFEIT: Final = "forfeit"
"""With the number of a seat: it forfeits, whichever seat is asked. Nothing happens if it is settled."""

Options = tuple[str, ...]
Event = tuple[object, ...]
Action = str | tuple[Literal["forfeit"], int]
Act = Callable[[int, int, Options], Action]
"""What is done when a seat is asked about a hand: a word, of the options or not, or a forfeit."""

HALF: Final = Fraction(1, 2)


@dataclass
class Held:
    """A hand of a seat.

    Attributes:
        cards: its cards, in the order in which they came.
        stake: what is staked on it, in initial bets: 2 once it is doubled.
        is_split: whether it was made by a split.
        is_done: whether a decision has ended it: STAND, DOUBLE or SURRENDER.
        outcome: WIN, LOSE, PUSH, BUST or SURRENDER, once it is settled.
        payoff: what it has won, in initial bets, once it is settled.
    """

    cards: list[Card]
    stake: int = 1
    is_split: bool = False
    is_done: bool = False
    outcome: str | None = None
    payoff: Fraction = Fraction(0)

    @property
    def is_split_ace(self) -> bool:
        """Whether it was made by splitting two aces."""
        return self.is_split and self.cards[0].is_ace


@dataclass
class Seat:
    """A seat, its hands, and what has become of it.

    Attributes:
        number: counted from 0.
        means: how many initial bets it can stake in all, its first among them; None: as many as it likes.
        is_plain: whether it is offered HIT and STAND only.
        hands: from the first to the last.
        is_insured: whether it has taken insurance.
        has_surrendered: whether it has given up half its stake.
        outcome: WIN, LOSE, PUSH, BUST or SURRENDER, once it is settled.
        payoff: what it has won, in initial bets, once it is settled.
    """

    number: int
    means: Fraction | None
    is_plain: bool
    hands: list[Held] = field(default_factory=list)
    is_insured: bool = False
    has_surrendered: bool = False
    outcome: str | None = None
    payoff: Fraction | None = None

    @property
    def is_settled(self) -> bool:
        """Whether its outcome is known; if not, it may forfeit."""
        return self.outcome is not None

    def covers(self, more: Fraction | int) -> bool:
        """Whether it can stake so much more than it has."""
        if self.means is None:
            return True
        staked = sum(hand.stake for hand in self.hands) + (HALF if self.is_insured else 0)
        return staked + more <= self.means


@dataclass
class Played:
    """A round that is over.

    Attributes:
        events: all that happened, in order.
        seats: the seats, with their hands, outcomes and payoffs.
        dealer: the dealer's cards.
        dealt: how many cards were dealt in all.
    """

    events: list[Event]
    seats: list[Seat]
    dealer: list[Card]
    dealt: int

    @property
    def payoffs(self) -> list[Fraction]:
        """What each seat has won, in initial bets."""
        return [seat.payoff for seat in self.seats if seat.payoff is not None]


def rule(fields: Mapping[str, str], name: str) -> str:
    """The value of a rule: what is written, or its first one."""
    return fields.get(name, VALUES[name][0])


def tells_payoffs(fields: Mapping[str, str]) -> bool:
    """Whether a dealer tells payoffs: more than HIT and STAND, 1:1 and one unit."""
    new = ("double", "split", "surrender", "insurance", "hole-card", "bets")
    return ":" in rule(fields, "naturals") or any(rule(fields, name) != VALUES[name][0] for name in new)


def is_legal(fields: Mapping[str, str]) -> bool:
    """Whether the rules mean something together; the others are refused."""
    no_ace_of_11 = rule(fields, "ace") == "1"
    no_naturals = rule(fields, "naturals") in ("equal", "player") or no_ace_of_11
    never_splits = rule(fields, "split") == "1"
    is_late, peeks = rule(fields, "surrender") == "late", rule(fields, "hole-card") == "peek"
    about_naturals = rule(fields, "hole-card") != "last" or rule(fields, "insurance") == "yes" or is_late
    doubles_after_split = rule(fields, "double-after-split") == "yes"
    return not (
        (about_naturals and no_naturals)
        or (":" in rule(fields, "naturals") and no_ace_of_11)
        or (is_late and not peeks)
        or (doubles_after_split and (never_splits or rule(fields, "double") == "none"))
        or (never_splits and rule(fields, "split-aces") != "once")
    )


def total_of(cards: Sequence[Card], ace: str) -> int:
    """The best total: the largest that is not over 21, else the smallest."""
    with_aces_as_1 = sum([card.points for card in cards])
    aces = [card.is_ace for card in cards].count(True)
    if ace == "1":
        return with_aces_as_1
    if ace == "11":
        return with_aces_as_1 + 10 * aces
    return with_aces_as_1 + 10 if aces and with_aces_as_1 + 10 <= 21 else with_aces_as_1


def is_soft(cards: Sequence[Card], ace: str) -> bool:
    """Whether an ace counts 11 and could count 1."""
    return ace == "either" and total_of(cards, ace) != total_of(cards, "1")


def play(
    fields: Mapping[str, str],
    seats: int,
    cards: Sequence[Card],
    act: Act,
    means: Sequence[Fraction | int | None] | None = None,
    plain: Sequence[int] = (),
) -> Played:
    """Play a round at a table with a dealer.

    Args:
        fields: the rules, by the names of their options; a name that is missing has its first value.
        seats: how many seats are dealt in.
        cards: the cards in the order in which they are dealt, at least as many as are needed.
        act: is called whenever a seat is asked, and once more for the same question after a forfeit.
        means: how many initial bets each seat can stake; None: there is no limit.
        plain: the seats that are offered HIT and STAND only.
    """
    limits = means if means is not None else [None] * seats
    sitting = [
        Seat(number, None if limit is None else Fraction(limit), number in plain)
        for number, limit in enumerate(limits)
    ]
    game = _Game(fields, sitting, cards, act)
    game.play()
    return Played(game.events, sitting, game.dealer, game.dealt)


class _Game:
    """A round while it is played."""

    def __init__(self, fields: Mapping[str, str], seats: list[Seat], cards: Sequence[Card], act: Act) -> None:
        rules = {name: rule(fields, name) for name in VALUES}
        self.ace = rules["ace"]
        self.dealer_stands = rules["dealer-stands"]
        self.naturals = rules["naturals"]
        self.double = rules["double"]
        self.double_after_split = rules["double-after-split"]
        self.split = int(rules["split"])
        self.split_aces = rules["split-aces"]
        self.surrender = rules["surrender"]
        self.insurance = rules["insurance"]
        self.hole_card = rules["hole-card"]
        self.tells_payoffs = tells_payoffs(fields)
        self.seats = seats
        self.cards = cards
        self.act = act
        self.events: list[Event] = []
        self.dealer: list[Card] = []
        self.dealt = 0

    # The round from its first card to its last

    def play(self) -> None:
        self.deal()
        self.settle_busts_at_once()
        self.offer_insurance()
        self.offer_surrender_before_the_peek()
        if self.peeks:
            self.tell("peeked", self.dealer_has_natural)
        if not (self.peeks and self.dealer_has_natural):
            for seat in self.seats:
                self.play_hands(seat)
        self.finish()

    def deal(self) -> None:
        for seat in self.seats:
            seat.hands.append(Held([]))
            self.deal_to(seat, 0)
            self.deal_to(seat, 0)
        for name in ("upcard", "hole card"):
            self.dealer.append(self.next_card())
            self.tell(name, self.dealer[-1])

    def offer_insurance(self) -> None:
        if self.insurance == "no" or not self.dealer[0].is_ace:
            return
        for seat in self.seats:
            if self.may_be_asked_aside(seat) and seat.covers(HALF):
                seat.is_insured = self.ask(seat, 0, ("INSURE", "DECLINE")) == "INSURE"

    def offer_surrender_before_the_peek(self) -> None:
        if not self.surrender_is_before_the_peek:
            return
        for seat in self.seats:
            if self.may_be_asked_aside(seat) and not self.is_natural_at_a_ratio(seat.hands[0]):
                seat.has_surrendered = self.ask(seat, 0, ("SURRENDER", "DECLINE")) == "SURRENDER"

    def play_hands(self, seat: Seat) -> None:
        at = 0
        while at < len(seat.hands):
            if at > 0:
                self.begin_hand(seat, at)
            self.play_hand(seat, at)
            at += 1

    def play_hand(self, seat: Seat, at: int) -> None:
        hand = seat.hands[at]
        while options := self.options(seat, hand):
            answer = self.ask(seat, at, options)
            if answer == "HIT":
                self.deal_to(seat, at)
                self.settle_busts_at_once()
            elif answer == "STAND":
                hand.is_done = True
            elif answer == "DOUBLE":
                hand.stake = 2
                hand.is_done = True
                self.deal_to(seat, at)
            elif answer == "SPLIT":
                seat.hands.insert(at + 1, Held([hand.cards.pop()], is_split=True))
                hand.is_split = True
                self.begin_hand(seat, at)
            elif answer == "SURRENDER":
                seat.has_surrendered = True

    def begin_hand(self, seat: Seat, at: int) -> None:
        """Play comes to a hand of one card, which gets its second."""
        if seat.is_settled:
            return
        self.tell("hand", seat.number, at, len(seat.hands))
        self.deal_to(seat, at)

    def finish(self) -> None:
        somebody_stands = any(self.stands(seat, hand) for seat in self.seats for hand in seat.hands)
        if self.tells_payoffs or somebody_stands:
            self.tell("revealed", self.dealer[1])
        while somebody_stands and self.dealer_must_draw():
            self.dealer.append(self.next_card())
            self.tell("drew", self.dealer[-1])
        for seat in self.seats:
            if not seat.is_settled:
                self.settle(seat)

    # Who is asked what

    def ask(self, seat: Seat, at: int, options: Options) -> str | None:
        """What a seat decides, or None if it forfeits."""
        self.tell("asked", seat.number, at, options)
        while True:
            action = self.act(seat.number, at, options)
            if isinstance(action, str):
                break
            if not self.seats[action[1]].is_settled:
                self.forfeit(self.seats[action[1]])
            if seat.is_settled:
                return None
        if action not in options:
            assert action in ("HIT", "STAND"), f"{action} is not among {options}"
            action = "DECLINE" if "DECLINE" in options else "STAND"
        self.tell("decided", seat.number, at, action)
        return action

    def may_be_asked_aside(self, seat: Seat) -> bool:
        """Whether a seat may be asked for insurance, or for surrender alone."""
        return not seat.is_plain and not seat.is_settled and self.total(seat.hands[0].cards) <= 21

    def options(self, seat: Seat, hand: Held) -> Options:
        """What may be decided about a hand, which is over if this is nothing."""
        if seat.is_settled or seat.has_surrendered or hand.is_done:
            return ()
        if self.total(hand.cards) > 21 or self.is_natural_at_a_ratio(hand):
            return ()
        if hand.is_split_ace and self.split_aces != "play":
            return ("STAND", "SPLIT") if self.may_split(seat, hand) else ()
        options = ["HIT", "STAND"]
        if self.may_double(seat, hand):
            options.append("DOUBLE")
        if self.may_split(seat, hand):
            options.append("SPLIT")
        if self.may_surrender(seat, hand):
            options.append("SURRENDER")
        return tuple(options)

    def may_double(self, seat: Seat, hand: Held) -> bool:
        if seat.is_plain or not seat.covers(1):
            return False
        if hand.is_split and self.double_after_split == "no":
            return False
        if self.double == "always" or (self.double == "any" and len(hand.cards) == 2):
            return True
        if len(hand.cards) != 2 or self.double in ("none", "any"):
            return False
        lowest = {"9-11": 9, "10-11": 10}[self.double]
        return lowest <= self.total(hand.cards) <= 11 and not is_soft(hand.cards, self.ace)

    def may_split(self, seat: Seat, hand: Held) -> bool:
        if seat.is_plain or not seat.covers(1):
            return False
        if len(hand.cards) != 2 or hand.cards[0].points != hand.cards[1].points:
            return False
        is_over = hand.is_split_ace and self.split_aces == "once"
        return not is_over and len(seat.hands) < self.split

    def may_surrender(self, seat: Seat, hand: Held) -> bool:
        if seat.is_plain or self.surrender == "none" or self.surrender_is_before_the_peek:
            return False
        return len(hand.cards) == 2 and not hand.is_split

    @property
    def peeks(self) -> bool:
        return self.hole_card == "peek" and self.dealer[0].points in (1, 10)

    @property
    def surrender_is_before_the_peek(self) -> bool:
        return self.surrender == "early" and self.peeks

    # What hands are worth

    def total(self, cards: Sequence[Card]) -> int:
        return total_of(cards, self.ace)

    def is_21_in_two(self, cards: Sequence[Card]) -> bool:
        return len(cards) == 2 and self.total(cards) == 21

    @property
    def dealer_has_natural(self) -> bool:
        return self.naturals not in ("equal", "player") and self.is_21_in_two(self.dealer)

    def is_natural(self, hand: Held) -> bool:
        return self.naturals != "equal" and self.is_21_in_two(hand.cards) and not hand.is_split

    def is_natural_at_a_ratio(self, hand: Held) -> bool:
        return ":" in self.naturals and self.is_natural(hand)

    def stands(self, seat: Seat, hand: Held) -> bool:
        """Whether the dealer has to play against a hand."""
        if seat.is_settled or seat.has_surrendered:
            return False
        return self.total(hand.cards) <= 21 and not self.is_natural_at_a_ratio(hand)

    def dealer_must_draw(self) -> bool:
        total = self.total(self.dealer)
        on_soft_17 = self.dealer_stands == "hard17" and is_soft(self.dealer, self.ace)
        return total < 17 or (total == 17 and on_soft_17)

    # Settling

    def settle_busts_at_once(self) -> None:
        """At a table without payoffs a hand over 21 is settled before anything else happens."""
        if self.tells_payoffs:
            return
        for seat in self.seats:
            if not seat.is_settled and self.total(seat.hands[0].cards) > 21:
                self.settle(seat)

    def forfeit(self, seat: Seat) -> None:
        """The seat loses every stake that it has on the table."""
        self.tell("forfeited", seat.number)
        for hand in seat.hands:
            hand.outcome = "LOSE"
            hand.payoff = -HALF if seat.has_surrendered else Fraction(-hand.stake)
        self.settle_seat(seat, "LOSE", sum_of(seat.hands) - (HALF if seat.is_insured else 0))

    def settle(self, seat: Seat) -> None:
        """Work out what each hand has won, and what the seat has won with its insurance."""
        for hand, payoff in zip(seat.hands, self.payoffs_of_hands(seat), strict=True):
            hand.payoff = payoff
            hand.outcome = self.word_for(seat, [hand], payoff)
        payoff = sum_of(seat.hands)
        if seat.is_insured:
            payoff += 1 if self.dealer_has_natural else -HALF
        self.settle_seat(seat, self.word_for(seat, seat.hands, payoff), payoff)

    def settle_seat(self, seat: Seat, outcome: str, payoff: Fraction) -> None:
        """Write down what the seat has won, after its hands if it has split."""
        if len(seat.hands) > 1:
            for at, hand in enumerate(seat.hands):
                self.tell("hand settled", seat.number, at, hand.outcome, hand.payoff)
        seat.outcome = outcome
        seat.payoff = payoff
        self.tell("settled", seat.number, outcome, payoff if self.tells_payoffs else None)

    def word_for(self, seat: Seat, hands: list[Held], payoff: Fraction) -> str:
        """The word for a hand, or for all hands of a seat."""
        if seat.has_surrendered:
            return "SURRENDER"
        if all(self.total(hand.cards) > 21 for hand in hands):
            return "BUST"
        if payoff > 0:
            return "WIN"
        return "LOSE" if payoff < 0 else "PUSH"

    def payoffs_of_hands(self, seat: Seat) -> list[Fraction]:
        if seat.has_surrendered:
            return [-HALF]
        if self.hole_card == "obo" and self.dealer_has_natural and not self.is_natural(seat.hands[0]):
            return [Fraction(-1)] + [Fraction(0)] * (len(seat.hands) - 1)
        return [self.payoff_of(hand) for hand in seat.hands]

    def payoff_of(self, hand: Held) -> Fraction:
        if self.total(hand.cards) > 21:
            return Fraction(-hand.stake)
        if self.is_natural_at_a_ratio(hand) and not self.dealer_has_natural:
            won, staked = self.naturals.split(":")
            return Fraction(int(won), int(staked))
        mine = self.worth(hand.cards, self.is_natural(hand))
        theirs = self.worth(self.dealer, self.dealer_has_natural)
        both_in_two = self.is_natural(hand) and self.is_21_in_two(self.dealer)
        if mine == theirs or both_in_two:
            return Fraction(0)
        return Fraction(hand.stake if mine > theirs else -hand.stake)

    def worth(self, cards: Sequence[Card], is_natural: bool) -> int:
        """The total, but 22 for a natural, which beats every other 21, and 0 for what is over 21."""
        return 22 if is_natural else self.total(cards) if self.total(cards) <= 21 else 0

    # Cards and events

    def next_card(self) -> Card:
        card = self.cards[self.dealt]
        self.dealt += 1
        return card

    def deal_to(self, seat: Seat, at: int) -> None:
        card = self.next_card()
        seat.hands[at].cards.append(card)
        self.tell("card", seat.number, at, card)

    def tell(self, *event: object) -> None:
        self.events.append(event)


def sum_of(hands: list[Held]) -> Fraction:
    """What these hands have won together."""
    return sum((hand.payoff for hand in hands), Fraction(0))
