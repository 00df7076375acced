"""The answers to CHART: the values of hands of two and three cards against an upcard, and of insurance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cards import Decision, EveryRound, HoleCard, Rules, RulesError, Surrender, best_total, rules_from
from cards.hand import TWENTY_ONE
from cards.presets import OPTIONS
from dealer.lobby.guest import Guest
from dealer.lobby.judging import goes_by_cards
from protocol import ChartRequest, RefusalError, Word

if TYPE_CHECKING:
    from twentyone.exact.advice import Adviser
    from twentyone.exact.hand_advice import HandAdviser

RANKS: Final = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Ace")
"""The ranks of the values 2 to 11; a ten stands for the pictures too."""

ACE: Final = 11
"""The value of an ace."""

LETTERS: Final = "23456789TA"
"""The same ranks, a character each, where an answer has many hands."""

DECIMALS: Final = 6
"""Of a value: a millionth of a bet, as of a cost."""


class Pair(NamedTuple):
    """A hand of two cards.

    Attributes:
        name: such as `hard 16`, `soft 18`, `pair of 8` or `pair of A`.
        cards: the values of its cards, 2 to 11 (an ace), ascending.
        total: its total.
        is_soft: whether an ace counts 11.
    """

    name: str
    cards: tuple[int, int]
    total: int
    is_soft: bool


Values = Mapping[Pair, Mapping[Decision, float]]
"""The expected payoff of each decision, in initial bets, by the hand."""

Cards = tuple[int, ...]
"""The values of some cards, 2 to 11 (an ace), ascending."""

MAX_KEPT: Final = 100
"""Answers that are kept, of about 12 kB each: all upcards of ten tables."""


class Answers:
    """The answers that were asked for last: making one takes milliseconds, in which the loop stands still."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Rules, int], str] = {}  # the one asked for last is the last one

    def get(self, rules: Rules, upcard: int) -> str | None:
        """The answer for these rules and this upcard, 2 to 11; None if it is not kept."""
        text = self._kept.pop((rules, upcard), None)
        if text is not None:
            self._kept[rules, upcard] = text
        return text

    def keep(self, rules: Rules, upcard: int, text: str) -> None:
        """Keep an answer, and drop the one whose last request is the oldest."""
        self._kept[rules, upcard] = text
        if len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]


def rules_of(message: ChartRequest, guest: Guest, own: Rules, *, is_any_allowed: bool) -> Rules:
    """The rules that a CHART is about.

    Args:
        message: what was asked.
        guest: who asks.
        own: the rules of the dealer's own tables.
        is_any_allowed: whether values are worked out for other rules too.

    Raises:
        RefusalError: if there is no chart for them; the text says why.
    """
    rules = _stated(message) if message.options else _of_table(guest)
    if not rules.has_dealer:
        raise _no_chart("there is no chart for a table without a dealer")
    if message.options and not is_any_allowed and in_short(rules) != in_short(own):
        raise _no_chart("this dealer was started without --lobby: expected the rules of one of its tables")
    return rules


def _stated(message: ChartRequest) -> Rules:
    given = dict(message.options)
    if unknown := [key for key in given if key not in OPTIONS]:
        raise RefusalError(Word.BAD_TABLE, f"CHART has no {unknown[0]}, only {', '.join(OPTIONS)}")
    try:
        return rules_from(given)
    except RulesError as error:
        raise RefusalError(Word.BAD_TABLE, f"CHART: {error}") from None


def _of_table(guest: Guest) -> Rules:
    room = guest.watched or guest.room
    if room is None:
        raise _no_chart("CHART without rules is for the table that you watch or sit at")
    return room.setup.rules


def in_short(rules: Rules) -> Rules:
    """Rules as far as they make a difference to a decision from a fresh shoe."""
    return replace(rules, preset="", reshuffle=EveryRound(), seats=1, bets=None, bankroll=None)


def _no_chart(sentence: str) -> RefusalError:
    return RefusalError(Word.NO_CHART, sentence, is_violation=False)


def values_of(adviser: Adviser | HandAdviser, rules: Rules, upcard: int) -> Values:
    """The exact values of all hands of two cards against an upcard, by an adviser that knows it."""
    if goes_by_cards(rules):
        by_cards = cast("HandAdviser", adviser)
        return {hand: _of_hand(by_cards, rules, hand, upcard) for hand in _hands(rules, upcard)}
    from twentyone.policies.policy import Observation

    by_total = cast("Adviser", adviser)
    return {
        hand: by_total.values(Observation(hand.total, hand.is_soft, upcard)) for hand in _hands(rules, upcard)
    }


def _of_hand(adviser: HandAdviser, rules: Rules, hand: Pair, upcard: int) -> dict[Decision, float]:
    values = adviser.game.options(hand.cards, upcard)
    is_early = rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.PEEK
    if not is_early or Decision.SURRENDER in values:
        return values
    # Surrender is asked for before the dealer looks, so the others are valued before it too. With p the
    # chance of its natural, a value v becomes -p + (1 - p) v; that of the best one is DECLINE's.
    before = adviser.game.before_peek(hand.cards, upcard)
    scale = (before[Decision.DECLINE] + 1) / (max(values.values()) + 1)
    found = {decision: scale * (value + 1) - 1 for decision, value in values.items()}
    return {**found, Decision.SURRENDER: before[Decision.SURRENDER]}


def values_of_three(
    adviser: Adviser | HandAdviser, rules: Rules, upcard: int
) -> dict[Cards, dict[Decision, float]]:
    """The same of all hands of three cards below 21, by their cards."""
    hands = (cards for cards in _dealt(rules, upcard, 3) if _total(cards, rules)[0] < TWENTY_ONE)
    if goes_by_cards(rules):
        game = cast("HandAdviser", adviser).game
        return {cards: game.options(cards, upcard) for cards in hands}
    from twentyone.policies.policy import Observation

    by_total = cast("Adviser", adviser)
    return {cards: by_total.values(Observation(*_total(cards, rules), upcard)) for cards in hands}


def values_of_insurance(
    adviser: Adviser | HandAdviser, rules: Rules, upcard: int
) -> dict[Cards, float] | None:
    """The expected payoff of insuring each hand of two cards; None if nothing is insured."""
    if not rules.insurance or upcard != ACE:
        return None
    game = cast("HandAdviser", adviser).game
    return {cards: game.before_peek(cards, upcard)[Decision.INSURE] for cards in _dealt(rules, upcard, 2)}


def as_json(adviser: Adviser | HandAdviser, rules: Rules, upcard: int) -> str:
    """The answer to a CHART, by an adviser that knows the upcard."""
    three = values_of_three(adviser, rules, upcard)
    answer = {
        "rules": rules.fields(),
        "upcard": upcard,
        "hands": _told(values_of(adviser, rules, upcard)),
        "three": {
            "options": [decision.value for decision in next(iter(three.values()))],
            "hands": {
                _letters(cards): [_rounded(each) for each in values.values()]
                for cards, values in three.items()
            },
        },
    }
    insured = values_of_insurance(adviser, rules, upcard)
    if insured is not None:
        answer["insurance"] = {_letters(cards): _rounded(value) for cards, value in insured.items()}
    return json.dumps(answer, separators=(",", ":"))


def _letters(cards: Cards) -> str:
    return "".join(LETTERS[value - 2] for value in cards)


def _rounded(value: float) -> float:
    return round(value, DECIMALS)


def _told(found: Values) -> list[dict[str, object]]:
    """Hands of two cards, as an answer has them."""
    return [
        {
            "hand": hand.name,
            "cards": [RANKS[value - 2] for value in reversed(hand.cards)],
            "values": {decision.value: _rounded(value) for decision, value in values.items()},
        }
        for hand, values in found.items()
    ]


def _hands(rules: Rules, upcard: int) -> Iterator[Pair]:
    """Yield each hand of two cards below 21 that the shoe can deal beside the upcard."""
    for first, second in _dealt(rules, upcard, 2):
        hand = _pair((first, second), rules)
        if hand.total < TWENTY_ONE:
            yield hand


def _dealt(rules: Rules, upcard: int, number: int) -> Iterator[Cards]:
    """Yield every so many cards that the shoe can deal beside the upcard."""
    for cards in combinations_with_replacement(range(2, ACE + 1), number):
        if _can_deal(rules, (*cards, upcard)):
            yield cards


def _total(cards: Cards, rules: Rules) -> tuple[int, bool]:
    """The total of some cards, and whether an ace counts 11 in it."""
    aces = cards.count(ACE)
    return best_total(sum(cards) - 10 * aces, aces, rules.ace)


def _can_deal(rules: Rules, values: tuple[int, ...]) -> bool:
    return rules.decks is None or all(
        values.count(value) <= rules.decks * (16 if value == 10 else 4) for value in set(values)
    )


def _pair(cards: tuple[int, int], rules: Rules) -> Pair:
    first, second = cards
    total, is_soft = _total(cards, rules)
    if first == second:
        name = f"pair of {'A' if first == ACE else first}"
    else:
        name = f"{'soft' if is_soft else 'hard'} {total}"
    return Pair(name, cards, total, is_soft)
