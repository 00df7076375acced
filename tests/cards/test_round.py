"""Rounds: the order of the cards, turns, the dealer's play, outcomes, errors, replays, expected values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, repeat
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import (
    CARDS,
    PRESETS,
    Ace,
    Card,
    CardDealt,
    Cutoff,
    DealerDrew,
    DealerStands,
    Decision,
    DecisionAsked,
    DecisionTaken,
    HoleCardDealt,
    HoleCardRevealed,
    Naturals,
    Outcome,
    Record,
    Round,
    RoundError,
    Rules,
    SeatForfeited,
    SeatSettled,
    SeatState,
    Shoe,
    StackedShoe,
    Tally,
    UpcardDealt,
    parse_card,
    seeded,
    shoe_for,
)
from tests.helpers.strategies import any_rules, is_soft_by_force, seated_presets, seeds, total_by_force

HIT, STAND = Decision.HIT, Decision.STAND
WIN, LOSE, PUSH, BUST = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.BUST

Action = Decision | int
"""The next action: the decision of the seat that is asked, or the number of a seat that forfeits."""

actions_of_a_round = st.lists(st.sampled_from([HIT, HIT, STAND]) | st.integers(0, 8), max_size=60)
every_rules = seated_presets() | any_rules()


def play(round_: Round, actions: Sequence[Action]) -> list[Record]:
    """Play a round to its end, standing once the actions are used up; return all records that it returned."""
    returned = round_.deal()
    for action in chain(actions, repeat(STAND)):
        if round_.turn is None:
            return returned
        if isinstance(action, Decision):
            returned += round_.decide(round_.turn, action)
        elif round_.can_forfeit(action % round_.rules.seats):
            returned += round_.forfeit(action % round_.rules.seats)
    raise AssertionError("unreachable")


def play_out(round_: Round, decisions: Sequence[Decision]) -> list[Outcome | None]:
    """Answer for each seat that is asked; return the outcomes."""
    for decision in decisions:
        assert round_.turn is not None
        round_.decide(round_.turn, decision)
    assert round_.is_over
    return round_.outcomes


def cards_of(records: Sequence[Record]) -> list[Card]:
    """The cards in the order in which they left the shoe."""
    leaving = CardDealt | UpcardDealt | HoleCardDealt | DealerDrew
    return [record.card for record in records if isinstance(record, leaving)]


def stacked(text: str) -> StackedShoe:
    """A shoe of ranks in a row, in suits that do not matter."""
    return StackedShoe([parse_card(f"{rank} of Clubs") for rank in text.split()])


def snapshot(round_: Round) -> object:
    """Everything that can be seen of a round."""
    dealer = None if round_.dealer is None else round_.dealer.cards[:]
    hands = [hand.cards[:] for hand in round_.hands]
    return hands, round_.states[:], dealer, round_.turn, round_.outcomes[:], round_.records[:]


# What happens, record by record


def test_the_round_of_the_protocol() -> None:
    """The worked round of the protocol's description, with a dealer that draws to 26."""
    texts = (
        "Ten of Spades,Two of Hearts,Six of Clubs,Ten of Clubs,Seven of Hearts,King of Clubs,Ace of Spades"
    )
    ten, two, six, hole, seven, king, unused = cards = [parse_card(text) for text in texts.split(",")]
    round_ = Round(PRESETS["course"], StackedShoe(cards))
    assert round_.deal() == [
        CardDealt(0, ten),
        CardDealt(0, two),
        UpcardDealt(six),
        HoleCardDealt(hole),
        DecisionAsked(0),
    ]
    assert (round_.turn, round_.upcard, round_.is_over) == (0, six, False)
    assert round_.decide(0, HIT) == [DecisionTaken(0, HIT), CardDealt(0, seven), DecisionAsked(0)]
    assert round_.decide(0, STAND) == [
        DecisionTaken(0, STAND),
        HoleCardRevealed(hole),
        DealerDrew(king),
        SeatSettled(0, WIN),
    ]
    assert (round_.turn, round_.outcomes, round_.is_over) == (None, [WIN], True)
    assert unused not in cards_of(round_.records)


def test_the_first_cards_go_two_to_each_seat_then_to_the_dealer() -> None:
    cards = CARDS[1:9]  # two to nine of clubs
    round_ = Round(replace(PRESETS["course"], seats=3), StackedShoe(cards))
    assert round_.deal() == [
        CardDealt(0, cards[0]),
        CardDealt(0, cards[1]),
        CardDealt(1, cards[2]),
        CardDealt(1, cards[3]),
        CardDealt(2, cards[4]),
        CardDealt(2, cards[5]),
        UpcardDealt(cards[6]),
        HoleCardDealt(cards[7]),
        DecisionAsked(0),
    ]


def test_a_bust_is_settled_at_once_and_the_dealer_does_not_play_for_it() -> None:
    round_ = Round(PRESETS["course"], stacked("Ten Six Five Five King"))
    round_.deal()
    assert round_.decide(0, HIT) == [
        DecisionTaken(0, HIT),
        CardDealt(0, parse_card("King of Clubs")),
        SeatSettled(0, BUST),
    ]
    assert round_.states == [SeatState.BUST]


def test_a_hand_of_21_is_still_asked() -> None:
    round_ = Round(PRESETS["course"], stacked("Ace King Five Five Ten"))
    assert round_.deal()[-1] == DecisionAsked(0)
    assert round_.decide(0, HIT)[-1] == DecisionAsked(0), "21 again, hard this time"


def test_two_aces_of_eleven_are_a_bust_as_dealt() -> None:
    round_ = Round(Rules(ace=Ace.ELEVEN), stacked("Ace Ace Six Five"))
    assert round_.deal()[-1] == SeatSettled(0, BUST)
    assert (round_.turn, round_.is_over) == (None, True)


def test_a_seat_that_is_bust_as_dealt_is_not_asked() -> None:
    round_ = Round(Rules(ace=Ace.ELEVEN, seats=2), stacked("Ace Ace Ten Eight Ten Seven"))
    assert round_.deal()[-2:] == [SeatSettled(0, BUST), DecisionAsked(1)]
    assert play_out(round_, [STAND]) == [BUST, WIN]


def test_with_a_dealer_each_seat_finishes_its_hand_first() -> None:
    round_ = Round(Rules(seats=2), stacked("Two Two Two Three Ten Seven Two Three Four"))
    round_.deal()
    turns = []
    for decision in (HIT, HIT, STAND, HIT, STAND):
        assert round_.turn is not None
        turns.append(round_.turn)
        round_.decide(round_.turn, decision)
    assert turns == [0, 0, 0, 1, 1]


def test_without_a_dealer_the_seats_decide_in_turn() -> None:
    round_ = Round(replace(PRESETS["showdown"], seats=3), stacked("Two Two Ten Ten Two Three Two Ten Two"))
    round_.deal()
    turns = []
    for decision in (HIT, STAND, HIT, HIT, STAND, STAND):
        assert round_.turn is not None
        turns.append(round_.turn)
        round_.decide(round_.turn, decision)
    assert turns == [0, 1, 2, 0, 2, 0]
    assert [hand.total for hand in round_.hands] == [8, 20, 15]
    assert round_.outcomes == [LOSE, WIN, LOSE]


def test_the_only_seat_that_stands_wins_a_showdown() -> None:
    round_ = Round(PRESETS["showdown"], stacked("Two Three Ten Ten"))
    round_.deal()
    round_.forfeit(1)
    assert play_out(round_, [STAND]) == [WIN, LOSE]


def test_a_hand_that_is_forfeited_out_of_turn_is_passed_over() -> None:
    round_ = Round(Rules(seats=3), stacked("Ten Nine Ten Eight Ten Seven Ten Seven"))
    round_.deal()
    assert round_.forfeit(1) == [SeatForfeited(1), SeatSettled(1, LOSE)]
    assert round_.turn == 0
    assert round_.decide(0, STAND)[-1] == DecisionAsked(2)
    assert play_out(round_, [STAND]) == [WIN, LOSE, PUSH]


def test_after_a_forfeit_in_turn_the_next_seat_is_asked() -> None:
    round_ = Round(Rules(seats=2), stacked("Ten Nine Ten Eight Ten Seven"))
    round_.deal()
    assert round_.forfeit(0) == [SeatForfeited(0), SeatSettled(0, LOSE), DecisionAsked(1)]


def test_a_hand_that_stands_can_be_forfeited_until_it_is_settled() -> None:
    round_ = Round(Rules(seats=2), stacked("Ten Nine Ten Eight Ten Seven"))
    round_.deal()
    round_.decide(0, STAND)
    round_.forfeit(0)
    assert play_out(round_, [STAND]) == [LOSE, WIN]


def test_the_dealer_does_not_play_when_all_have_forfeited() -> None:
    round_ = Round(Rules(seats=2), stacked("Ten Nine Ten Eight Two Three"))
    round_.deal()
    round_.forfeit(1)
    assert round_.forfeit(0) == [SeatForfeited(0), SeatSettled(0, LOSE)]
    assert round_.is_over


@pytest.mark.parametrize(("stands", "drawn"), [(DealerStands.ALL17, 0), (DealerStands.HARD17, 1)])
def test_a_dealer_on_a_soft_17(stands: DealerStands, drawn: int) -> None:
    round_ = Round(Rules(dealer_stands=stands), stacked("Ten Nine Ace Six Four"))
    records = play(round_, [STAND])
    assert sum(type(record) is DealerDrew for record in records) == drawn
    assert round_.outcomes == [LOSE if drawn else WIN]


@pytest.mark.parametrize(("naturals", "outcome"), [(Naturals.EQUAL, PUSH), (Naturals.BEAT, WIN)])
def test_a_natural_against_another_21(naturals: Naturals, outcome: Outcome) -> None:
    round_ = Round(Rules(naturals=naturals), stacked("Ace King Seven Seven Seven"))
    play(round_, [STAND])
    assert round_.outcomes == [outcome]


def test_records_of_different_kinds_are_never_equal() -> None:
    card = CARDS[0]
    records: set[Record] = {
        UpcardDealt(card),
        HoleCardDealt(card),
        HoleCardRevealed(card),
        DealerDrew(card),
        DecisionAsked(0),
        SeatForfeited(0),
    }
    assert len(records) == 6


# Properties of every round: all presets, 1 to 9 seats, random decisions and forfeits


@settings(deadline=None, max_examples=300)
@given(every_rules, seeds, actions_of_a_round)
def test_the_order_of_the_cards(rules: Rules, seed: int, actions: list[Action]) -> None:
    """Two to each seat, upcard, hole card; then the hits as they are asked for; then the dealer's cards."""
    deck = list(CARDS) * 2
    Random(seed).shuffle(deck)
    round_ = Round(rules, StackedShoe(deck))
    records = play(round_, actions)
    assert cards_of(records) == deck[: len(cards_of(records))]
    first = [record for record in records if isinstance(record, CardDealt | UpcardDealt | HoleCardDealt)]
    seats = [record.seat for record in first[: 2 * rules.seats] if isinstance(record, CardDealt)]
    assert seats == [seat for seat in range(rules.seats) for _ in range(2)]
    kinds = [type(record) for record in first[2 * rules.seats :]]
    if rules.has_dealer:
        assert kinds[:2] == [UpcardDealt, HoleCardDealt]
        kinds = kinds[2:]
    assert set(kinds) <= {CardDealt}
    dealt_first = 2 * rules.seats + 2 * rules.has_dealer
    for before, record in pairwise(records[dealt_first - 1 :]):
        if isinstance(record, CardDealt):
            assert before == DecisionTaken(record.seat, HIT)
        if isinstance(record, DealerDrew):
            assert isinstance(before, HoleCardRevealed | DealerDrew)


@settings(deadline=None, max_examples=300)
@given(every_rules, seeds, actions_of_a_round)
def test_outcomes_follow_from_the_totals(rules: Rules, seed: int, actions: list[Action]) -> None:
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    records = play(round_, actions)
    assert round_.is_over
    forfeited = {record.seat for record in records if type(record) is SeatForfeited}
    worth = [strength_by_force(hand.cards, rules) for hand in round_.hands]
    dealer = 0 if round_.dealer is None else strength_by_force(round_.dealer.cards, rules)
    in_play = [value for seat, value in enumerate(worth) if seat not in forfeited]
    for seat, outcome in enumerate(round_.outcomes):
        if seat in forfeited:
            expected = LOSE
        elif worth[seat] == 0:
            expected = BUST
        elif round_.dealer is not None:
            expected = PUSH if worth[seat] == dealer else WIN if worth[seat] > dealer else LOSE
        elif worth[seat] < max(in_play):
            expected = LOSE
        else:
            expected = WIN if in_play.count(max(in_play)) == 1 else PUSH
        assert outcome is expected


def strength_by_force(cards: Sequence[Card], rules: Rules) -> int:
    """0 for a bust, else the total, and one more for a natural that beats every other 21."""
    total = total_by_force(cards, rules.ace)
    if total > 21:
        return 0
    return total + (rules.naturals is Naturals.BEAT and total == 21 and len(cards) == 2)


@settings(deadline=None, max_examples=300)
@given(every_rules, seeds, actions_of_a_round)
def test_the_dealer_plays_by_its_stand_rule_if_anybody_stands(
    rules: Rules, seed: int, actions: list[Action]
) -> None:
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    records = play(round_, actions)
    anybody_stands = SeatState.STANDING in round_.states
    revealed = [record.card for record in records if type(record) is HoleCardRevealed]
    if round_.dealer is None:
        assert not revealed
        return
    held = round_.dealer.cards
    assert revealed == ([held[1]] if anybody_stands else [])
    if not anybody_stands:
        assert len(held) == 2
        return
    draws = [must_draw(held[:count], rules) for count in range(2, len(held) + 1)]
    assert draws == [True] * (len(held) - 2) + [False]


def must_draw(cards: Sequence[Card], rules: Rules) -> bool:
    """Below 17, and on a soft 17 if the dealer stands on hard ones only."""
    total = total_by_force(cards, rules.ace)
    on_soft_17 = rules.dealer_stands is DealerStands.HARD17 and is_soft_by_force(cards, rules.ace)
    return total < 17 or (total == 17 and on_soft_17)


@settings(deadline=None, max_examples=300)
@given(every_rules, seeds, actions_of_a_round)
def test_the_records_describe_the_whole_round(rules: Rules, seed: int, actions: list[Action]) -> None:
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    records = play(round_, actions)
    assert records == round_.records, "what the actions returned, one after the other"
    for seat, hand in enumerate(round_.hands):
        dealt = [record.card for record in records if type(record) is CardDealt and record.seat == seat]
        assert dealt == hand.cards
    settled: dict[int, Outcome] = {}
    asked: int | None = None
    for record in records:
        if isinstance(record, CardDealt | DecisionAsked | DecisionTaken | SeatForfeited | SeatSettled):
            assert record.seat not in settled, "nothing happens to a seat that is settled"
        if isinstance(record, DecisionTaken):
            assert record.seat == asked
        if isinstance(record, DecisionAsked):
            asked = record.seat
        elif isinstance(record, SeatSettled):
            settled[record.seat] = record.outcome
    assert [settled[seat] for seat in range(rules.seats)] == round_.outcomes


@settings(deadline=None, max_examples=300)
@given(every_rules, seeds, actions_of_a_round)
def test_the_turns(rules: Rules, seed: int, actions: list[Action]) -> None:
    """With a dealer, seat by seat; in a showdown, always the next seat round the table that still plays."""
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    playing = set(range(rules.seats))
    turn: int | None = None
    for record in play(round_, actions):
        if isinstance(record, SeatSettled):
            playing.discard(record.seat)
        elif isinstance(record, DecisionTaken) and record.decision is STAND:
            playing.remove(record.seat)
        elif isinstance(record, DecisionAsked):
            if rules.has_dealer:
                assert record.seat == min(playing)
            else:
                last = -1 if turn is None else turn
                order = [(last + step) % rules.seats for step in range(1, rules.seats + 1)]
                assert record.seat == next(seat for seat in order if seat in playing)
            turn = record.seat
    assert not playing


@settings(deadline=None)
@given(every_rules, seeds, actions_of_a_round)
def test_the_same_cards_and_decisions_give_the_same_round(
    rules: Rules, seed: int, actions: list[Action]
) -> None:
    one, other = (Round(rules, shoe_for(rules, seeded(seed))) for _ in range(2))
    assert play(one, actions) == play(other, actions)
    assert snapshot(one) == snapshot(other)


@settings(deadline=None, max_examples=200)
@given(every_rules, seeds, actions_of_a_round)
def test_a_recorded_round_can_be_dealt_again(rules: Rules, seed: int, actions: list[Action]) -> None:
    """From its records alone: the cards in a stacked shoe, the decisions and forfeits in their order."""
    recorded = play(Round(rules, shoe_for(rules, seeded(seed))), actions)
    again = Round(rules, StackedShoe(cards_of(recorded)))
    again.deal()
    for record in recorded:
        if isinstance(record, DecisionTaken):
            again.decide(record.seat, record.decision)
        elif isinstance(record, SeatForfeited):
            again.forfeit(record.seat)
    assert again.records == recorded
    assert [type(record) for record in again.records] == [type(record) for record in recorded]


@settings(deadline=None, max_examples=200)
@given(every_rules, seeds, actions_of_a_round)
def test_a_refused_action_changes_nothing(rules: Rules, seed: int, actions: list[Action]) -> None:
    """The same round with every forbidden action tried before each allowed one, and without."""
    disturbed, quiet = (Round(rules, shoe_for(rules, seeded(seed))) for _ in range(2))
    refuse_all_that_is_forbidden(disturbed)
    disturbed.deal()
    quiet.deal()
    for action in chain(actions, repeat(STAND)):
        refuse_all_that_is_forbidden(disturbed)
        turn = disturbed.turn
        if turn is None:
            break
        if isinstance(action, Decision):
            assert disturbed.decide(turn, action) == quiet.decide(turn, action)
        elif quiet.can_forfeit(action % rules.seats):
            assert disturbed.forfeit(action % rules.seats) == quiet.forfeit(action % rules.seats)
    assert disturbed.is_over
    assert snapshot(disturbed) == snapshot(quiet)


def refuse_all_that_is_forbidden(round_: Round) -> None:
    """Decide out of turn, forfeit a hand that is settled or not dealt yet, deal twice: nothing changes."""
    before = snapshot(round_)
    for seat, outcome in enumerate(round_.outcomes):
        assert round_.can_decide(seat) == (seat == round_.turn)
        if seat == round_.turn:
            round_.verify_decide(seat)
        else:
            assert_refused(partial(round_.verify_decide, seat))
            assert_refused(partial(round_.decide, seat, HIT))
        assert round_.can_forfeit(seat) == (outcome is None and round_.records != [])
        if round_.can_forfeit(seat):
            round_.verify_forfeit(seat)
        else:
            assert_refused(partial(round_.verify_forfeit, seat))
            assert_refused(partial(round_.forfeit, seat))
    if round_.records:
        assert_refused(round_.deal)
    assert snapshot(round_) == before


def assert_refused(action: Callable[[], object]) -> None:
    """Assert that the rules of the round do not allow an action."""
    with pytest.raises(RoundError):
        action()


def test_refusals_say_why() -> None:
    round_ = Round(Rules(seats=2), stacked("Ten Nine Ten Eight Ten Seven"))
    with pytest.raises(RoundError, match="no cards have been dealt yet"):
        round_.decide(0, STAND)
    with pytest.raises(RoundError, match="no cards have been dealt yet"):
        round_.forfeit(0)
    round_.deal()
    with pytest.raises(RoundError, match="the cards of this round have already been dealt"):
        round_.deal()
    with pytest.raises(RoundError, match="it is the turn of seat 0, not of seat 1"):
        round_.decide(1, STAND)
    play_out(round_, [STAND, STAND])
    with pytest.raises(RoundError, match="the round is over"):
        round_.decide(0, STAND)
    with pytest.raises(RoundError, match="seat 1 is settled: there is nothing left to forfeit"):
        round_.forfeit(1)


def test_a_round_that_was_not_dealt_is_not_over() -> None:
    round_ = Round(PRESETS["course"], stacked("Two"))
    assert not round_.is_over
    assert round_.upcard is None


def test_nine_seats_never_use_up_one_deck() -> None:
    """Nine hands of at most 31 points and two dealer's cards of 20 are 299 of a deck's 340 points."""
    rules = replace(PRESETS["devs"], seats=9)
    for seed in range(200):
        round_ = Round(rules, shoe_for(rules, seeded(seed)))
        play(round_, [HIT] * 100)
        assert round_.outcomes == [BUST] * 9


@settings(deadline=None, max_examples=100)
@given(st.sampled_from([Cutoff(1), Cutoff(20)]), st.integers(1, 9), seeds)
def test_no_card_lies_on_the_table_twice_when_the_shoe_is_refilled(
    reshuffle: Cutoff, seats: int, seed: int
) -> None:
    rules = replace(PRESETS["course"], reshuffle=reshuffle, seats=seats)
    shoe = shoe_for(rules, seeded(seed))
    for _ in range(8):
        table = cards_of(play(Round(rules, shoe), [HIT] * (seed % 40)))
        assert len(set(table)) == len(table)


# Expected values: long runs beside exact figures


Policy = Callable[[Round], Decision]

HARD_HIT_BELOW = dict(zip(range(1, 11), (17, 13, 13, 12, 12, 12, 17, 17, 17, 17), strict=True))
SOFT_HIT_BELOW = dict(zip(range(1, 11), (19, 18, 18, 18, 18, 18, 18, 18, 19, 19), strict=True))


def basic_strategy(round_: Round) -> Decision:
    """The best play of an infinite deck, by total, softness and upcard."""
    hand, upcard = round_.hands[0], round_.upcard
    assert upcard is not None
    rand_below = SOFT_HIT_BELOW if hand.is_soft else HARD_HIT_BELOW
    return HIT if hand.total < rand_below[upcard.points] else STAND


def draw_below(threshold: int) -> Policy:
    """Hit below a total."""
    return lambda round_: HIT if round_.hands[0].total < threshold else STAND


def at_random(seed: int) -> Policy:
    """Hit or stand with equal chance."""
    rand_below = seeded(seed, "policy")
    return lambda _: HIT if rand_below(2) else STAND


def simulate(rules: Rules, policy: Policy, rounds: int, seed: int) -> Tally:
    """The results of one seat over many rounds from one shoe."""
    shoe: Shoe = shoe_for(rules, seeded(seed))
    tally = Tally()
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, policy(round_))
        (outcome,) = round_.outcomes
        assert outcome is not None
        tally.add(outcome)
    return tally


INFINITE = Rules(decks=None)
INFINITE_ONE = Rules(decks=None, ace=Ace.ONE)


@pytest.mark.parametrize(
    ("rules", "policy", "rounds", "exact"),
    [
        pytest.param(INFINITE_ONE, draw_below(16), 100_000, -0.0823170951, id="ace 1, draw below 16"),
        pytest.param(INFINITE_ONE, draw_below(15), 30_000, -0.0740007634, id="ace 1, draw below 15"),
        pytest.param(INFINITE, basic_strategy, 50_000, -0.0465559771, id="infinite, basic strategy"),
        pytest.param(INFINITE, draw_below(0), 30_000, -0.1863676662, id="infinite, always stand"),
        pytest.param(INFINITE, at_random(1), 30_000, -0.3958959928, id="infinite, at random"),
        pytest.param(Rules(), basic_strategy, 50_000, -0.0428061253, id="52 cards, basic strategy"),
    ],
)
def test_the_mean_payoff_is_the_exact_one_within_4_standard_errors(
    rules: Rules, policy: Policy, rounds: int, exact: float
) -> None:
    """Expected payoffs per round in initial bets, by exact enumeration of these rules and policies."""
    tally = simulate(rules, policy, rounds, seed=20)
    assert tally.mean_payoff is not None
    assert tally.standard_error is not None
    assert tally.standard_error < 1 / rounds**0.5
    assert abs(tally.mean_payoff - exact) < 4 * tally.standard_error
