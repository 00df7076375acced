"""Properties of every round of the whole game: any legal rules, cards, means and chains of moves."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, repeat
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import (
    PRESETS,
    Card,
    CardDealt,
    Cutoff,
    DealerDrew,
    Decision,
    DecisionTaken,
    HandSettled,
    HoleCardDealt,
    Record,
    Round,
    RoundError,
    SeatForfeited,
    SeatSettled,
    StackedShoe,
    UpcardDealt,
    parse_card,
    seeded,
    shoe_for,
)
from tests.helpers.drawn import Drawn, draw
from tests.helpers.strategies import seeds

HIT, STAND, DOUBLE, SPLIT = Decision.HIT, Decision.STAND, Decision.DOUBLE, Decision.SPLIT
HALF = Fraction(1, 2)

Move = Decision | int
"""A decision of the seat that is asked, or the number of a seat that forfeits."""

Look = Callable[[Round], None]
"""Looks at a round while it is played, and asserts what holds."""

EXAMPLES = 150
"""Of each property: what the engine does is compared in 20,000 rounds elsewhere."""

tables = seeds.map(lambda seed: draw(Random(seed)))
decisions = st.sampled_from(Decision) | st.sampled_from([DOUBLE, SPLIT])
chains_of_moves = st.lists(decisions | decisions | decisions | st.integers(0, 8), max_size=60)


def deck_of(table: Drawn) -> list[Card]:
    """The cards of a table, three times over, since a chain may hit as long as it can."""
    return table.cards * 3


def new_round(table: Drawn) -> Round:
    """A round with the cards of its table."""
    return table.round(StackedShoe(deck_of(table)))


def do(round_: Round, move: Move) -> list[Record]:
    """Do a move, if it is allowed."""
    if not isinstance(move, Decision):
        seat = move % round_.rules.seats
        return list(round_.forfeit(seat)) if round_.can_forfeit(seat) else []
    if round_.turn is None or not round_.can_decide(round_.turn, move):
        return []
    return list(round_.decide(round_.turn, move))


def play(round_: Round, moves: Sequence[Move], look: Look = lambda _: None) -> list[Record]:
    """Play to the end, standing once the moves are used up, and look after each; return the records."""
    returned = list(round_.deal())
    for move in chain(moves, repeat(STAND)):
        look(round_)
        if round_.turn is None:
            return returned
        returned += do(round_, move)
    raise AssertionError("unreachable")


def cards_of(records: Sequence[Record]) -> list[Card]:
    """The cards in the order in which they left the shoe."""
    leaving = CardDealt | UpcardDealt | HoleCardDealt | DealerDrew
    return [record.card for record in records if isinstance(record, leaving)]


def snapshot(round_: Round) -> object:
    """Everything that can be seen of a round."""
    hands = [
        (hand.hand.cards[:], hand.stake, hand.state, hand.is_split, hand.outcome, hand.payoff)
        for seat in range(round_.rules.seats)
        for hand in round_.hands_of(seat)
    ]
    dealer = None if round_.dealer is None else round_.dealer.cards[:]
    asked = round_.turn, round_.turn_hand, round_.options, round_.is_over
    results = round_.outcomes[:], round_.payoffs[:], list(round_.insured), round_.records[:]
    return hands, dealer, asked, results


def stakes_on_the_table(round_: Round, seat: int) -> Fraction:
    """What a seat has staked, and would lose by a forfeit: the half that a surrender has saved is its own."""
    taken = [record for record in round_.records if type(record) is DecisionTaken and record.seat == seat]
    stakes: Fraction | int = sum(hand.stake for hand in round_.hands_of(seat))
    if any(record.decision is Decision.SURRENDER for record in taken):
        stakes = HALF
    return stakes + HALF * round_.insured[seat]


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_what_is_refused_changes_nothing(table: Drawn, moves: list[Move]) -> None:
    """The same round with everything forbidden tried before each move, and without."""
    disturbed, quiet = new_round(table), new_round(table)
    refuse_all_that_is_forbidden(disturbed)
    play(disturbed, moves, refuse_all_that_is_forbidden)
    play(quiet, moves)
    assert snapshot(disturbed) == snapshot(quiet)


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


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_no_seat_stakes_more_than_it_has(table: Drawn, moves: list[Move]) -> None:
    def look(round_: Round) -> None:
        for seat, limit in enumerate(table.means):
            assert limit is None or stakes_on_the_table(round_, seat) <= limit

    play(new_round(table), moves, look)


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_no_seat_loses_more_than_its_stakes(table: Drawn, moves: list[Move]) -> None:
    round_ = new_round(table)
    play(round_, moves)
    for seat, payoff in enumerate(round_.payoffs):
        assert isinstance(payoff, int | Fraction), "payoffs are exact"
        assert payoff >= -stakes_on_the_table(round_, seat)


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves, st.integers(0, 8))
def test_a_forfeit_costs_exactly_the_stakes_on_the_table(table: Drawn, moves: list[Move], last: int) -> None:
    """Wherever the round is when a seat forfeits: in the middle of split hands, insured, surrendered."""
    round_ = new_round(table)
    round_.deal()
    for move in moves:
        do(round_, move)
    seat = last % table.rules.seats
    if not round_.can_forfeit(seat):
        return
    stakes = stakes_on_the_table(round_, seat)
    returned = list(round_.forfeit(seat))
    assert round_.payoffs[seat] == -stakes
    assert returned[0] == SeatForfeited(seat)
    settled = [record for record in returned if isinstance(record, SeatSettled) and record.seat == seat]
    assert [record.payoff for record in settled] == [-stakes if table.rules.is_whole else None]


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_what_a_seat_has_won_is_what_its_hands_and_its_insurance_have_won(
    table: Drawn, moves: list[Move]
) -> None:
    round_ = new_round(table)
    records = play(round_, moves)
    for seat, payoff in enumerate(round_.payoffs):
        hands = round_.hands_of(seat)
        of_hands = [
            record.payoff for record in records if type(record) is HandSettled and record.seat == seat
        ]
        assert len(of_hands) == (len(hands) if len(hands) > 1 else 0), "one for each hand, after a split"
        assert payoff is not None
        if of_hands:
            insurance = {-HALF, Fraction(1)} if round_.insured[seat] else {Fraction(0)}
            assert payoff - sum(of_hands) in insurance
            assert [hand.payoff for hand in hands] == of_hands


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_every_card_of_the_shoe_is_dealt_once(table: Drawn, moves: list[Move]) -> None:
    round_ = new_round(table)
    records = play(round_, moves)
    dealt = cards_of(records)
    assert dealt == deck_of(table)[: len(dealt)], "in the order of the shoe"
    hands = [hand.hand.cards for seat in range(table.rules.seats) for hand in round_.hands_of(seat)]
    assert round_.dealer is not None
    assert Counter(chain(*hands, round_.dealer.cards)) == Counter(dealt), "and each lies on the table"


@settings(max_examples=EXAMPLES)
@given(tables, st.sampled_from([Cutoff(1), Cutoff(20)]), seeds, chains_of_moves)
def test_no_card_lies_on_the_table_twice_when_the_shoe_is_refilled(
    table: Drawn, reshuffle: Cutoff, seed: int, moves: list[Move]
) -> None:
    rules = replace(table.rules, decks=2, reshuffle=reshuffle)
    shoe = shoe_for(rules, seeded(seed))
    for _ in range(12):
        round_ = Round(rules, shoe, means=table.means, plain=table.plain)
        on_the_table = Counter(cards_of(play(round_, moves)))
        assert max(on_the_table.values()) <= 2


@settings(max_examples=EXAMPLES)
@given(tables, chains_of_moves)
def test_a_recorded_round_can_be_played_again(table: Drawn, moves: list[Move]) -> None:
    """From its cards, decisions and forfeits."""
    recorded = new_round(table)
    play(recorded, moves)
    again = new_round(table)
    again.deal()
    for record in recorded.records:
        if isinstance(record, DecisionTaken):
            assert again.turn_hand == record.hand
            again.decide(record.seat, record.decision)
        elif isinstance(record, SeatForfeited):
            again.forfeit(record.seat)
    assert snapshot(again) == snapshot(recorded)


@settings(max_examples=EXAMPLES)
@given(tables, st.lists(st.sampled_from([HIT, STAND]), max_size=60))
def test_hit_and_stand_are_enough_to_play_every_round(table: Drawn, answers: list[Decision]) -> None:
    """Neither is ever refused, and neither stakes anything."""
    round_ = new_round(table)
    round_.deal()
    for answer in chain(answers, repeat(STAND)):
        if round_.turn is None:
            break
        round_.decide(round_.turn, answer)
    assert round_.is_over
    assert [stakes_on_the_table(round_, seat) for seat in range(table.rules.seats)] == [1] * table.rules.seats


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
