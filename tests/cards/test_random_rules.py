"""Rounds by random rules, played twice, and what may not be done in them.

`cards.Round` and the second statement of the rules agree card by card, question by question and payoff by
payoff. The checks play 20,000 rounds; FUZZ_EXAMPLES asks for more.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import Final

import pytest

from cards import (
    PRESETS,
    Cutoff,
    Decision,
    Outcome,
    Round,
    RoundError,
    RulesError,
    StackedShoe,
    parse_card,
    rules_from,
    seeded,
    shoe_for,
)
from tests.cards.twice import play_twice
from tests.helpers.drawn import Drawn, draw, old_fields
from tests.helpers.reference import FORFEIT, VALUES, Action, Options, Played, is_legal, tells_payoffs
from tests.helpers.tiers import first_of

ROUNDS: Final = int(os.environ.get("FUZZ_EXAMPLES", "20000"))

CHUNK: Final = 2_500
"""Rounds in one test: enough to meet every value of every rule, every question and every outcome."""

QUESTIONS: Final = 11
"""What a seat can be asked: two before play, one of split aces, and with HIT and STAND any of three more."""

HIT, STAND, SPLIT = Decision.HIT, Decision.STAND, Decision.SPLIT


def action_for(options: Options, seats: int, random: Random) -> Action:
    """Anything that may be done: often a split, seldom a forfeit or an answer that was not offered."""
    chance = random.random()
    if chance < 0.02:
        return (FORFEIT, random.randrange(seats))
    if chance < 0.07:
        return random.choice(("HIT", "STAND"))
    if "SPLIT" in options and chance < 0.6:
        return "SPLIT"
    return random.choice(options)


def check(number: int, *, is_old: bool = False) -> tuple[Drawn, Played]:
    """Play the round of this number twice, and assert that all is the same."""
    random = Random(number)
    drawn = draw(random)
    if is_old:
        drawn = replace(drawn, fields=old_fields(random))
    return drawn, play_twice(drawn, lambda _, __, options: action_for(options, len(drawn.means), random))


@pytest.mark.parametrize("first", first_of(range(0, ROUNDS, CHUNK)))
def test_rounds_by_random_rules(first: int) -> None:
    """A round that fails is `check(number)`, by itself."""
    values: set[tuple[str, str]] = set()
    questions, outcomes, most_hands = set[object](), set[object](), 0
    for number in range(first, first + CHUNK):
        drawn, played = check(number)
        values.update(drawn.fields.items())
        questions.update(event[3] for event in played.events if event[0] == "asked")
        outcomes.update(seat.outcome for seat in played.seats)
        most_hands = max(most_hands, *(len(seat.hands) for seat in played.seats))
    assert values == {(name, value) for name, each in VALUES.items() for value in each}
    assert outcomes == {outcome.name for outcome in Outcome}
    assert (len(questions), most_hands) == (QUESTIONS, 4)


def test_rounds_of_hit_and_stand() -> None:
    for number in range(300):
        check(number, is_old=True)


def test_each_combination_of_rules_is_playable_or_refused() -> None:
    """All of them but for the dealer's 17 and the bets, which go with any others."""
    names = [name for name in VALUES if name not in ("dealer-stands", "bets")]
    for values in product(*(VALUES[name] for name in names)):
        fields = dict(zip(names, values, strict=True))
        if is_legal(fields):
            assert rules_from(fields).tells_payoffs == tells_payoffs(fields), fields
        else:
            with pytest.raises(RulesError):
                rules_from(fields)


def snapshot(round_: Round) -> object:
    """Everything that can be seen of a round."""
    hands = [
        (hand.hand.cards[:], hand.stake, hand.state, hand.is_split, hand.outcome, hand.payoff)
        for seat in range(round_.rules.seats)
        for hand in round_.hands_of(seat)
    ]
    dealer = None if round_.dealer is None else round_.dealer.cards[:]
    asked = round_.turn, round_.turn_hand, round_.options, round_.is_over
    return hands, dealer, asked, round_.outcomes[:], round_.payoffs[:], [*round_.insured], round_.records[:]


def refuse_all_that_is_forbidden(round_: Round) -> None:
    """What may be done agrees with what is verified, and what may not be is refused and changes nothing."""
    before = snapshot(round_)
    for seat in range(round_.rules.seats):
        is_asked = seat == round_.turn
        for decision in (None, *Decision):
            allowed = is_asked and decision in (None, HIT, STAND, *round_.options)
            assert round_.can_decide(seat, decision) == allowed
            assert_verified(partial(round_.verify_decide, seat, decision), allowed)
            if decision is not None and not allowed:
                assert_verified(partial(round_.decide, seat, decision), False)
        forfeits = round_.records != [] and round_.outcomes[seat] is None
        assert round_.can_forfeit(seat) == forfeits
        assert_verified(partial(round_.verify_forfeit, seat), forfeits)
        if not forfeits:
            assert_verified(partial(round_.forfeit, seat), False)
    if round_.records:
        assert_verified(round_.deal, False)
    assert snapshot(round_) == before


def assert_verified(action: Callable[[], object], allowed: bool) -> None:
    """Assert that an action is refused exactly if it is not allowed."""
    if allowed:
        action()
        return
    with pytest.raises(RoundError) as caught:
        action()
    assert str(caught.value) and "\n" not in str(caught.value)


def play_on(round_: Round, random: Random, look: Callable[[Round], object] = lambda _: None) -> None:
    """Play a round to its end by chance, forfeits included, and look before each move."""
    look(round_)
    round_.deal()
    while round_.turn is not None:
        look(round_)
        if random.random() < 0.05:
            round_.forfeit(round_.turn)
        else:
            round_.decide(round_.turn, random.choice(round_.options))
    look(round_)


def test_what_is_refused_changes_nothing() -> None:
    """The same round with everything forbidden tried before each move, and without."""
    for number in range(120):
        drawn = draw(Random(number))
        disturbed, quiet = (drawn.round(StackedShoe(drawn.cards)) for _ in range(2))
        play_on(disturbed, Random(number), refuse_all_that_is_forbidden)
        play_on(quiet, Random(number))
        assert snapshot(disturbed) == snapshot(quiet), number


def test_no_card_lies_on_the_table_twice_when_the_shoe_is_refilled() -> None:
    for number in range(60):
        drawn = draw(Random(number))
        rules = replace(drawn.rules, decks=2, reshuffle=Cutoff((1, 20)[number % 2]))
        shoe = shoe_for(rules, seeded(number))
        for at in range(12):
            round_ = Round(rules, shoe, means=drawn.means, plain=drawn.plain)
            play_on(round_, Random(12 * number + at))
            assert round_.dealer is not None
            hands = [hand.hand.cards for seat in range(rules.seats) for hand in round_.hands_of(seat)]
            on_the_table = Counter(card for hand in (*hands, round_.dealer.cards) for card in hand)
            assert max(on_the_table.values()) <= 2, number


@pytest.mark.parametrize("again", [deepcopy, lambda round_: pickle.loads(pickle.dumps(round_))])
def test_a_copy_in_the_middle_of_a_round_goes_on_independently(again: Callable[[Round], Round]) -> None:
    eights = ["Eight of Hearts", "Eight of Clubs", "Six of Spades", "Ten of Clubs", "Ten of Hearts"]
    shoe = StackedShoe([parse_card(text) for text in [*eights, "Three of Clubs", "Nine of Spades"]])
    round_ = Round(PRESETS["vegas"], shoe)
    round_.deal()
    round_.decide(0, SPLIT)
    copied = again(round_)
    for one in (round_, copied):
        one.decide(0, STAND)
        one.decide(0, STAND)
    assert type(copied) is type(round_)
    assert copied.records == round_.records
    assert copied.payoffs == [2]
