"""The whole game by force: every round that a small shoe can give, card by card, with its exact chance.

Written from the description of the game alone, slowly and plainly, to hold the exact values to. It knows the
rules as a value and the words for decisions, and nothing else of this project: what a hand is, what may be
done with it, in which order the cards come and what they pay stands here once more.

One seat is played, from its two cards, the upcard and the hole card to the dealer's last card. Cards are
their values, 2 to 11, where 11 is an ace whatever it counts. Equal states of a round are looked at once:
hands are sorted, since nothing depends on the order of their cards. A shoe that runs out is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from cards import Ace, DealerStands, Decision, Double, HoleCard, Naturals, Rules, SplitAces, Surrender

ACE: Final = 11
VALUES: Final = range(2, 12)

Cards: TypeAlias = tuple[int, ...]
"""The values of some cards, from the least to the greatest."""

Left: TypeAlias = tuple[int, ...]
"""How many cards of each value, 2 to 11, are left."""

Options: TypeAlias = tuple[Decision, ...]

Number: TypeAlias = float
"""A float, or a `Fraction` where rounding is to be none: the type is written as the first of them."""

Chances: TypeAlias = Mapping[Decision, Number]

Play: TypeAlias = Callable[[Cards, int, bool, Options, int], Chances]
"""A policy: the chances of what is done with a hand, by its cards, the upcard, whether a split made it, what
is allowed, and how many hands there are. It is asked wherever a player would be, but for insurance."""

HIT, STAND, DOUBLE, SPLIT = Decision.HIT, Decision.STAND, Decision.DOUBLE, Decision.SPLIT
SURRENDER, INSURE, DECLINE = Decision.SURRENDER, Decision.INSURE, Decision.DECLINE

AS_GOOD: Final = 1e-9
"""Two options whose values differ by less may be equal: which of them is better is not known."""


class Finished(NamedTuple):
    """A hand that is over: its best total, 0 if it is over 21; its stake; whether it is a natural."""

    total: int
    stake: int
    is_natural: bool = False


class Values(NamedTuple):
    """What a round is worth without insurance: on average, and given each upcard that can be shown."""

    value: Number
    by_upcard: Mapping[int, Number]


class Hole(NamedTuple):
    """A card that the hole card may be, the chance of it and of the cards seen in one order, and the rest."""

    card: int
    weight: Number
    left: Left


def points_of(card: int) -> int:
    """A card's points; an ace has one."""
    return 1 if card == ACE else card


def without(left: Left, *cards: int) -> Left:
    """The cards left without these."""
    counts = list(left)
    for card in cards:
        counts[card - 2] -= 1
    return tuple(counts)


def with_card(hand: Cards, card: int) -> Cards:
    """A hand and one more card."""
    return tuple(sorted((*hand, card)))


class Brute:
    """The game by given rules from a given shoe.

    Args:
        rules: the rules; the shoe that they name is not used.
        shoe: how many cards of each value, 2 to 11, are there before the deal.
        one: 1 as the numbers are to be: `Fraction(1)` for values without rounding.

    Attributes:
        ties: the hands after a split, with their upcards, for which the best policy has no best decision, as
            two are as good. What it does with them may change what a split is worth.
    """

    def __init__(self, rules: Rules, shoe: Left, one: Number = 1.0) -> None:
        self.rules, self.shoe, self.one = rules, shoe, one
        self.ties: set[tuple[Cards, int]] = set()
        # Each of these depends on its arguments alone.
        self.total = cache(self._total)
        self.settled = cache(self._settled)
        self._dealer_ends = cache(self._dealer_ends_from)
        self._holes = cache(self._holes_of)
        self._play_on = cache(self._best_play_on)
        self._first_options = cache(self._first_options_of)
        self._best_round = cache(self._best_round_from)

    # What a round is worth.

    def value(self, play: Play) -> Values:
        """What a policy is worth that is followed with all hands alike; insurance is never taken."""
        return self._values(cache(lambda upcard, hole: _Rounds(self, play, upcard, hole)))

    def best(self) -> Values:
        """What the best composition-dependent policy is worth, by the description's word for best."""
        return self._values(self._best_round)

    def insured(self, play: Play) -> Number:
        """What insurance adds to a round if a policy decides on it."""
        value = 0 * self.one
        for first, chance, after_first in self.draws(self.shoe):
            for second, share, after_both in self.draws(after_first):
                hand = with_card((first,), second)
                if self.rules.insurance and after_both[ACE - 2] and self.total(hand)[0] <= 21:
                    shown = after_both[ACE - 2] * self.one / sum(after_both)
                    taken = play(hand, ACE, False, (INSURE, DECLINE), 1).get(INSURE, 0)
                    value += chance * share * shown * taken * self.side_bet(hand)
        return value

    def insurance(self) -> Number:
        """The same if it is taken wherever it pays on the cards seen."""
        return self.insured(lambda hand, *_: {INSURE: int(self.side_bet(hand) > 0)})

    def side_bet(self, hand: Cards) -> Number:
        """What insurance is worth beside this hand: half a stake on a ten under an ace, paid 2:1."""
        left = without(self.shoe, *hand, ACE)
        chance = left[10 - 2] * self.one / sum(left)
        return chance - (1 - chance) / 2

    def _values(self, rounds: Callable[[int, int], _Rounds]) -> Values:
        chances: dict[int, Number] = {}
        values: dict[int, Number] = {}
        for first, chance, after_first in self.draws(self.shoe):
            for second, next_chance, after_second in self.draws(after_first):
                for upcard, shown, after_upcard in self.draws(after_second):
                    for hole, hidden, left in self.draws(after_upcard):
                        weight = chance * next_chance * shown * hidden
                        payoff = rounds(upcard, hole).payoff(with_card((first,), second), left)
                        chances[upcard] = chances.get(upcard, 0) + weight
                        values[upcard] = values.get(upcard, 0) + weight * payoff
        return Values(sum(values.values()), {card: values[card] / chances[card] for card in sorted(values)})

    def draws(self, left: Left) -> Iterator[tuple[int, Number, Left]]:
        """Each value that the next card may have, its chance, and what is left then."""
        cards = sum(left)
        assert cards, "the shoe has run out"
        for value in VALUES:
            if left[value - 2]:
                yield value, left[value - 2] * self.one / cards, without(left, value)

    # What hands are.

    def _total(self, cards: Cards) -> tuple[int, bool]:
        """The best total, and whether an ace counts 11 in it and could count 1."""
        ones = sum(points_of(card) for card in cards)
        if self.rules.ace is Ace.ONE:
            return ones, False
        if self.rules.ace is Ace.ELEVEN:
            return sum(cards), False
        return (ones + 10, True) if ACE in cards and ones + 10 <= 21 else (ones, False)

    def is_natural(self, cards: Cards) -> bool:
        """Whether the first two cards are a natural, where there is such a thing."""
        return self.rules.naturals is not Naturals.EQUAL and len(cards) == 2 and self.total(cards)[0] == 21

    def finished(self, cards: Cards, stake: int = 1, *, is_split: bool = False) -> Finished:
        """A hand with which nothing more is done."""
        total, _ = self.total(cards)
        return Finished(total if total <= 21 else 0, stake, not is_split and self.is_natural(cards))

    # What may be done with them.

    def is_asked(self, cards: Cards) -> bool:
        """Whether a hand as dealt is asked anything: not if it is a natural paid at a ratio, or over 21."""
        is_paid = self.rules.naturals.is_ratio and self.is_natural(cards)
        return not is_paid and self.total(cards)[0] <= 21

    def peeks(self, upcard: int) -> bool:
        """Whether the dealer looks at the hole card before play."""
        return self.rules.hole_card is HoleCard.PEEK and upcard in (10, ACE)

    def asks_first(self, upcard: int) -> bool:
        """Whether surrender is asked for before the dealer looks, and then not in play."""
        return self.rules.surrender is Surrender.EARLY and self.peeks(upcard)

    def allowed(self, cards: Cards, upcard: int, pair: int = 0, hands: int = 1) -> Options:
        """What may be done with a hand of two cards or more in its turn; nothing if it is over.

        Args:
            cards: the hand.
            upcard: the upcard.
            pair: the value of the cards that were split; 0 for a hand as dealt.
            hands: how many hands the seat has.
        """
        is_split = pair > 0
        if self.total(cards)[0] > 21 or (not is_split and not self.is_asked(cards)):
            return ()
        may_split = self._may_split(cards, pair, hands)
        if pair == ACE and self.rules.split_aces is not SplitAces.PLAY:
            return (STAND, SPLIT) if may_split else ()
        options = [HIT, STAND]
        if self._may_double(cards) and (not is_split or self.rules.double_after_split):
            options.append(DOUBLE)
        if may_split:
            options.append(SPLIT)
        if self._may_surrender(cards, upcard) and not is_split:
            options.append(SURRENDER)
        return tuple(options)

    def _may_double(self, cards: Cards) -> bool:
        total, is_soft = self.total(cards)
        match self.rules.double:
            case Double.NONE:
                return False
            case Double.ANY:
                return len(cards) == 2
            case Double.NINE_TO_ELEVEN:
                return len(cards) == 2 and not is_soft and 9 <= total <= 11
            case Double.TEN_TO_ELEVEN:
                return len(cards) == 2 and not is_soft and 10 <= total <= 11
            case Double.ALWAYS:
                return True

    def _may_split(self, cards: Cards, pair: int, hands: int) -> bool:
        if len(cards) != 2 or cards[0] != cards[1] or hands >= self.rules.split:
            return False
        return not (pair == ACE and self.rules.split_aces is SplitAces.ONCE)

    def _may_surrender(self, cards: Cards, upcard: int) -> bool:
        return len(cards) == 2 and self.rules.surrender is not Surrender.NONE and not self.asks_first(upcard)

    # What comes of them.

    def dealer_has_natural(self, upcard: int, hole: int) -> bool:
        """Whether the dealer's first two cards are a natural."""
        return self.is_natural(with_card((upcard,), hole))

    def _settled(self, hands: tuple[Finished, ...], upcard: int, hole: int, left: Left) -> Number:
        """What the hands of a seat pay together, on average over the dealer's cards."""
        if self.dealer_has_natural(upcard, hole):
            if self.rules.hole_card is HoleCard.OBO:
                return 0 * self.one if hands[0].is_natural else -self.one
            return sum((0 if hand.is_natural else -hand.stake) * self.one for hand in hands)
        payoff = 0 * self.one
        for hand in hands:
            if hand.total == 0:
                payoff -= hand.stake
            elif hand.is_natural:
                payoff += self._natural_pays()
            else:
                for total, chance in self._dealer_ends(with_card((upcard,), hole), left).items():
                    payoff += chance * hand.stake * ((hand.total > total) - (hand.total < total))
        return payoff

    def _natural_pays(self) -> Number:
        text = self.rules.naturals.value
        if ":" not in text:
            return self.one
        paid, staked = text.split(":")
        return int(paid) * self.one / int(staked)

    def _dealer_ends_from(self, cards: Cards, left: Left) -> Mapping[int, Number]:
        """The chance of each total that the dealer ends with, where 0 is a bust."""
        total, is_soft = self.total(cards)
        draws_to_17 = is_soft and self.rules.dealer_stands is DealerStands.HARD17
        if total > 17 or (total == 17 and not draws_to_17):
            return {total if total <= 21 else 0: self.one}
        ends: dict[int, Number] = {}
        for card, chance, after in self.draws(left):
            for end, share in self._dealer_ends(with_card(cards, card), after).items():
                ends[end] = ends.get(end, 0) + chance * share
        return ends

    # What is best.

    def options(self, cards: Cards, upcard: int, pair: int = 0) -> dict[Decision, Number]:
        """What each option is worth for a hand in its turn, with the best play after it.

        This is given the cards, the upcard and, if the dealer has looked, that there is no natural. A natural
        that is paid at a ratio has STAND alone.

        Args:
            cards: the hand.
            upcard: the upcard.
            pair: the value of the cards that were split; 0 for a hand as dealt. The hand is then one of two,
                of which the other is not seen, and SPLIT is worth what the first split is.
        """
        values = self._values_of(cards, upcard, pair > 0)
        allowed = self.allowed(cards, upcard, pair, hands=2 if pair else 1) or (STAND,)
        known = self._weight(cards, upcard)
        return {option: values[option] / known for option in allowed}

    def before_peek(self, cards: Cards, upcard: int) -> dict[Decision, Number]:
        """What surrender is worth before the dealer looks, and what it is worth to play on."""
        natural = 0 * self.one
        known = self._weight(cards, upcard)
        play = max(self._first_options(cards, upcard).values())
        for hole, weight, left in self._holes(cards, upcard, False):
            if self.dealer_has_natural(upcard, hole):
                known += weight
                natural += weight * self.settled((self.finished(cards),), upcard, hole, left)
        return {SURRENDER: -self.one / 2, DECLINE: (play + natural) / known}

    def decide_best(self, cards: Cards, upcard: int, is_split: bool, options: Options) -> Decision:
        """The best composition-dependent policy.

        The hand as dealt is played by the best of all that is allowed. After a split every pair that may be
        split is; else a hand is played as the same cards would be that no split made, by the best of HIT,
        STAND and DOUBLE, this only where a hand made by a split may be doubled. An ace and a ten are then 21
        like any other.
        """
        if DECLINE in options:
            values = self.before_peek(cards, upcard)
        elif not is_split and len(cards) == 2:
            values = self._first_options(cards, upcard)
        elif SPLIT in options:
            return SPLIT
        else:
            values = self._play_on(cards, upcard, is_split)
            if is_split and _are_as_good(values, self._weight(cards, upcard)):
                self.ties.add((cards, upcard))
        return max(values, key=values.__getitem__)

    def _best_round_from(self, upcard: int, hole: int) -> _Rounds:
        return _Rounds(self, lambda *seen: {self.decide_best(*seen[:4]): 1}, upcard, hole)

    def _first_options_of(self, cards: Cards, upcard: int) -> dict[Decision, Number]:
        values = self._values_of(cards, upcard, False)
        return {option: values[option] for option in self.allowed(cards, upcard) or (STAND,)}

    def _values_of(self, cards: Cards, upcard: int, is_split: bool) -> dict[Decision, Number]:
        """What everything is worth that can be done with a hand, times the chance of what is seen."""
        values = dict(self._play_on(cards, upcard, is_split))
        values[SURRENDER] = -self._weight(cards, upcard) / 2
        if self._may_split(cards, 0, 1):
            values[SPLIT] = sum(
                hole.weight * self._best_round(upcard, hole.card).split(cards[0], hole.left)
                for hole in self._holes(cards, upcard)
            )
        return values

    def _best_play_on(self, cards: Cards, upcard: int, is_split: bool) -> dict[Decision, Number]:
        """What STAND, HIT and DOUBLE are worth for a hand by itself, times the chance of what is seen."""
        values = {STAND: self._ended(self.finished(cards, is_split=is_split), cards, upcard)}
        if not is_split and not self.is_asked(cards):
            return values
        drawn = [with_card(cards, card) for card in VALUES if self._holes(with_card(cards, card), upcard)]
        values[HIT] = sum(self._best_after(hand, upcard, is_split) for hand in drawn)
        if self._may_double(cards) and (not is_split or self.rules.double_after_split):
            values[DOUBLE] = sum(self._ended(self.finished(hand, 2), hand, upcard) for hand in drawn)
        return values

    def _best_after(self, cards: Cards, upcard: int, is_split: bool) -> Number:
        """The best play of a hand of three cards or more, times the chance of what is seen."""
        if self.total(cards)[0] > 21:
            return self._ended(self.finished(cards), cards, upcard)
        return max(self._play_on(cards, upcard, is_split).values())

    def _ended(self, hand: Finished, cards: Cards, upcard: int) -> Number:
        """What one hand pays that is over, times the chance of what is seen."""
        return sum(
            weight * self.settled((hand,), upcard, hole, left)
            for hole, weight, left in self._holes(cards, upcard)
        )

    def _weight(self, cards: Cards, upcard: int) -> Number:
        return sum(hole.weight for hole in self._holes(cards, upcard))

    def _holes_of(self, cards: Cards, upcard: int, after_peek: bool = True) -> tuple[Hole, ...]:
        """Each card that may be the hole card, given the others: none that the dealer has seen is not."""
        weight, left = self._drawn(self.one, self.shoe, (*cards[:2], upcard))
        holes = []
        for hole in VALUES:
            if after_peek and self.peeks(upcard) and self.dealer_has_natural(upcard, hole):
                continue
            chance, after = self._drawn(weight, left, (hole, *cards[2:]))
            if chance:
                holes.append(Hole(hole, chance, after))
        return tuple(holes)

    def _drawn(self, chance: Number, left: Left, cards: Cards) -> tuple[Number, Left]:
        """The chance that the next cards are these, times another, and what is left then."""
        for card in cards:
            if not left[card - 2]:
                return 0 * self.one, left
            chance = chance * left[card - 2] / sum(left)
            left = without(left, card)
        return chance, left


def _are_as_good(values: Mapping[Decision, Number], weight: Number) -> bool:
    """Whether the two best values may be the same."""
    *_, second, first = (float("-inf"), *sorted(values.values()))
    return first - second < AS_GOOD * weight


class _Rounds:
    """All rounds with one policy, one upcard and one hole card, which the player does not see."""

    def __init__(self, game: Brute, play: Play, upcard: int, hole: int) -> None:
        self._game = game
        self._play = play
        self._upcard = upcard
        self._hole = hole
        self._hand = cache(self._hand_from)

    def payoff(self, cards: Cards, left: Left) -> Number:
        """What a round pays on average, from the seat's two cards on."""
        game, upcard, given_up = self._game, self._upcard, 0 * self._game.one
        if game.is_asked(cards) and game.asks_first(upcard):
            given_up += self._play(cards, upcard, False, (SURRENDER, DECLINE), 1).get(SURRENDER, 0)
        if game.peeks(upcard) and game.dealer_has_natural(upcard, self._hole):
            played = game.settled((game.finished(cards),), upcard, self._hole, left)
        else:
            played = self._hand((), cards, 0, 0, left)
        return given_up * -game.one / 2 + (1 - given_up) * played

    def split(self, pair: int, left: Left) -> Number:
        """What a round pays on average, from the split of a pair of this value on."""
        return self._hand((), (pair,), pair, 1, left)

    def _hand_from(
        self, done: tuple[Finished, ...], cards: Cards, pair: int, waiting: int, left: Left
    ) -> Number:
        """What a round pays on average, from a turn of a hand on.

        Args:
            done: the hands before it, sorted.
            cards: the hand itself; one card if its turn has just come.
            pair: the value of the cards that were split; 0 if none were.
            waiting: how many hands come after it, each one card of a pair.
            left: the cards left.
        """
        if len(cards) == 1:
            return self._drawn(done, cards, pair, waiting, left)
        hands = len(done) + 1 + waiting
        options = self._game.allowed(cards, self._upcard, pair, hands)
        chances = self._play(cards, self._upcard, pair > 0, options, hands) if options else {STAND: 1}
        assert not set(chances) - set(options) or not options
        return sum(
            chance * self._after(decision, done, cards, pair, waiting, left)
            for decision, chance in chances.items()
            if chance
        )

    def _after(
        self,
        decision: Decision,
        done: tuple[Finished, ...],
        cards: Cards,
        pair: int,
        waiting: int,
        left: Left,
    ) -> Number:
        """The same, when it is decided what is done with the hand."""
        game = self._game
        if decision is SURRENDER:
            return -game.one / 2
        if decision is SPLIT:
            return self._hand(done, cards[:1], cards[0], waiting + 1, left)
        if decision is HIT:
            return self._drawn(done, cards, pair, waiting, left)
        if decision is DOUBLE:
            return sum(
                chance * self._over(done, with_card(cards, card), 2, pair, waiting, after)
                for card, chance, after in game.draws(left)
            )
        return self._over(done, cards, 1, pair, waiting, left)

    def _drawn(self, done: tuple[Finished, ...], cards: Cards, pair: int, waiting: int, left: Left) -> Number:
        """The same, when the hand gets a card."""
        return sum(
            chance * self._hand(done, with_card(cards, card), pair, waiting, after)
            for card, chance, after in self._game.draws(left)
        )

    def _over(
        self, done: tuple[Finished, ...], cards: Cards, stake: int, pair: int, waiting: int, left: Left
    ) -> Number:
        """The same, when the hand is over: the next has its turn, or the dealer."""
        game = self._game
        done = tuple(sorted((*done, game.finished(cards, stake, is_split=pair > 0))))
        if waiting:
            return self._hand(done, (pair,), pair, waiting - 1, left)
        return game.settled(done, self._upcard, self._hole, left)
