"""Rounds of HIT and STAND: records, showdowns beside a second statement of their rules, errors, known values.

Rounds against a dealer are played beside the second statement of the rules in test_whole_game.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from cards import (
    CARDS,
    PRESETS,
    Ace,
    Card,
    CardDealt,
    DealerDrew,
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
from tests.helpers.strategies import any_rules, seated_presets, seeds, total_by_force

HIT, STAND = Decision.HIT, Decision.STAND
WIN, LOSE, PUSH, BUST = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.BUST

Action = Decision | int
"""The decision of the seat that is asked, or the number of a seat that forfeits."""


def play_out(round_: Round, actions: Sequence[Action]) -> list[Outcome | None]:
    """Act, decisions being those of the seat that is asked; return the outcomes."""
    for action in actions:
        if isinstance(action, Decision):
            assert round_.turn is not None
            round_.decide(round_.turn, action)
        else:
            round_.forfeit(action)
    assert round_.is_over
    return round_.outcomes


def stacked(text: str) -> StackedShoe:
    """A shoe of ranks in a row, in suits that do not matter."""
    return StackedShoe([parse_card(f"{rank} of Clubs") for rank in text.split()])


def dealt(rules: Rules, text: str) -> Round:
    """A round with these cards that has been dealt."""
    round_ = Round(rules, stacked(text))
    round_.deal()
    return round_


def test_the_round_of_the_protocol() -> None:
    """The worked round of the protocol's description, with a dealer that draws to 26."""
    texts = (
        "Ten of Spades,Two of Hearts,Six of Clubs,Ten of Clubs,Seven of Hearts,King of Clubs,Ace of Spades"
    )
    ten, two, six, hole, seven, king, _ = cards = [parse_card(text) for text in texts.split(",")]
    round_ = Round(PRESETS["course"], StackedShoe(cards))
    assert (round_.is_over, round_.upcard, round_.hands_of(0)) == (False, None, [])
    assert round_.deal() == [
        CardDealt(0, ten),
        CardDealt(0, two),
        UpcardDealt(six),
        HoleCardDealt(hole),
        DecisionAsked(0),
    ]
    assert (round_.turn, round_.upcard, round_.is_over) == (0, six, False)
    assert (round_.means, round_.plain) == (None, ())
    assert round_.decide(0, HIT) == [DecisionTaken(0, HIT), CardDealt(0, seven), DecisionAsked(0)]
    assert round_.decide(0, STAND) == [
        DecisionTaken(0, STAND),
        HoleCardRevealed(hole),
        DealerDrew(king),
        SeatSettled(0, WIN),
    ]
    assert (round_.turn, round_.outcomes, round_.is_over) == (None, [WIN], True)


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


def test_against_a_dealer_each_seat_finishes_its_hand_first() -> None:
    round_ = dealt(Rules(seats=2), "Two Two Two Three Ten Seven Two Three Four")
    play_out(round_, (HIT, HIT, STAND, HIT, STAND))
    assert [each.seat for each in round_.records if isinstance(each, DecisionTaken)] == [0, 0, 0, 1, 1]


def test_a_hand_of_21_is_still_asked_and_one_that_is_bust_as_dealt_is_not() -> None:
    assert dealt(Rules(), "Ace King Five Five Ten").decide(0, HIT)[-1] == DecisionAsked(0)
    round_ = dealt(Rules(ace=Ace.ELEVEN, seats=2), "Ace Ace Ten Eight Ten Seven")
    assert round_.records[-2:] == [SeatSettled(0, BUST), DecisionAsked(1)]
    assert play_out(round_, [STAND]) == [BUST, WIN]


@pytest.mark.parametrize(
    ("actions", "outcomes"),
    [
        ((1, STAND, STAND), [WIN, LOSE, PUSH]),  # who forfeits out of turn is passed over
        ((0, STAND, STAND), [LOSE, WIN, PUSH]),  # and in turn, the next one is asked
        ((STAND, 0, STAND, STAND), [LOSE, WIN, PUSH]),  # a hand that stands, until it is settled
        ((2, 1, 0), [LOSE, LOSE, LOSE]),  # and then the dealer does not play
    ],
)
def test_forfeits(actions: Sequence[Action], outcomes: list[Outcome]) -> None:
    round_ = dealt(Rules(seats=3), "Ten Nine Ten Eight Ten Seven Ten Seven")
    assert play_out(round_, actions) == outcomes
    assert (HoleCardRevealed(parse_card("Seven of Clubs")) in round_.records) == (WIN in outcomes)


# Without a dealer.


def showdown(rules: Rules, cards: Sequence[Card], actions: Sequence[Action]) -> list[Record]:
    """What happens in a round without a dealer, once more: seats decide in turn, round the table.

    Once the actions are used up, all stand. Forfeits of seats that are settled are passed over.
    """
    records: list[Record] = []
    left, todo = iter(cards), iter(actions)
    seats = range(rules.seats)
    hands: list[list[Card]] = []
    for seat in seats:
        hands.append([next(left), next(left)])
        records += [CardDealt(seat, card) for card in hands[seat]]
    playing, standing = set(seats), set[int]()

    def end(seat: int, outcome: Outcome) -> None:
        playing.discard(seat)
        standing.discard(seat)
        records.append(SeatSettled(seat, outcome))

    for seat in seats:
        if total_by_force(hands[seat], rules.ace) > 21:
            end(seat, BUST)
    asked = -1
    while playing:
        asked = next(seat for step in seats if (seat := (asked + 1 + step) % rules.seats) in playing)
        records.append(DecisionAsked(asked))
        while isinstance(action := next(todo, STAND), int):
            if (seat := action % rules.seats) in playing | standing:
                records.append(SeatForfeited(seat))
                end(seat, LOSE)
            if asked not in playing:
                break
        else:
            records.append(DecisionTaken(asked, action))
            if action is STAND:
                playing.remove(asked)
                standing.add(asked)
                continue
            hands[asked].append(next(left))
            records.append(CardDealt(asked, hands[asked][-1]))
            if total_by_force(hands[asked], rules.ace) > 21:
                end(asked, BUST)
    worth = {seat: strength(hands[seat], rules) for seat in sorted(standing)}
    for seat, mine in worth.items():
        best = max(worth.values())
        is_alone = [*worth.values()].count(best) == 1
        end(seat, LOSE if mine < best else WIN if is_alone else PUSH)
    return records


def strength(cards: Sequence[Card], rules: Rules) -> int:
    """The total, and one more for a natural that beats every other 21."""
    total = total_by_force(cards, rules.ace)
    return total + (rules.naturals is Naturals.BEAT and total == 21 and len(cards) == 2)


def test_showdowns_are_played_as_they_are_stated() -> None:
    for number in range(400):
        random = Random(number)
        rules = replace(
            PRESETS["showdown"],
            seats=random.randint(2, 9),
            ace=random.choice([*Ace]),
            naturals=random.choice((Naturals.EQUAL, Naturals.BEAT)),
        )
        cards = [random.choice(CARDS) for _ in range(200)]
        actions: list[Action] = [
            random.randrange(9) if random.random() < 0.1 else random.choice((HIT, STAND)) for _ in range(60)
        ]
        expected = showdown(rules, cards, actions)
        round_ = Round(rules, StackedShoe(cards))
        returned = list(round_.deal())
        for action in [*actions, *[STAND] * 9]:
            if round_.turn is None:
                break
            if isinstance(action, Decision):
                returned += round_.decide(round_.turn, action)
            elif round_.can_forfeit(action % rules.seats):
                returned += round_.forfeit(action % rules.seats)
        assert round_.records == returned == expected, number
        assert round_.is_over and round_.dealer is None
        settled = {record.seat: record.outcome for record in expected if isinstance(record, SeatSettled)}
        assert round_.outcomes == [settled[seat] for seat in range(rules.seats)]
        assert round_.payoffs == [outcome.payoff for outcome in round_.outcomes if outcome is not None]
        for seat in range(rules.seats):
            (hand,) = round_.hands_of(seat)
            assert (hand.outcome, hand.hand, hand.stake) == (settled[seat], round_.hands[seat], 1)
            assert (round_.states[seat] is SeatState.BUST) == (settled[seat] is BUST)


def test_the_only_seat_that_stands_wins_a_showdown() -> None:
    assert play_out(dealt(PRESETS["showdown"], "Two Three Ten Ten"), [1, STAND]) == [WIN, LOSE]


# Any round.


@settings(max_examples=100)
@given(seated_presets() | any_rules(), seeds)
def test_a_recorded_round_can_be_dealt_again(rules: Rules, seed: int) -> None:
    """From its records alone: the cards in a stacked shoe, the decisions and forfeits in their order."""
    random = Random(seed)
    round_ = Round(rules, shoe_for(rules, seeded(seed)))
    round_.deal()
    while round_.turn is not None:
        if random.random() < 0.1:
            round_.forfeit(round_.turn)
        else:
            round_.decide(round_.turn, random.choice((HIT, STAND)))
    leaving = CardDealt | UpcardDealt | HoleCardDealt | DealerDrew
    cards = [record.card for record in round_.records if isinstance(record, leaving)]
    again = Round(rules, StackedShoe(cards))
    again.deal()
    for record in round_.records:
        if isinstance(record, DecisionTaken):
            again.decide(record.seat, record.decision)
        elif isinstance(record, SeatForfeited):
            again.forfeit(record.seat)
    assert again.records == round_.records


def test_refusals_say_why_and_change_nothing() -> None:
    round_ = Round(Rules(seats=2), stacked("Ten Nine Ten Eight Ten Seven"))

    def refused(action: Callable[[], object], why: str) -> None:
        before = round_.records[:], round_.turn, round_.states[:], round_.outcomes[:]
        with pytest.raises(RoundError, match=why):
            action()
        assert (round_.records, round_.turn, round_.states, round_.outcomes) == before

    for action in (lambda: round_.decide(0, STAND), lambda: round_.forfeit(0)):
        refused(action, r"^no cards have been dealt yet$")
    round_.deal()
    refused(round_.deal, r"^the cards of this round have already been dealt$")
    refused(lambda: round_.decide(1, STAND), r"^it is the turn of seat 0, not of seat 1$")
    refused(lambda: round_.decide(0, Decision.DOUBLE), r"^DOUBLE is not allowed now: expected HIT or STAND$")
    play_out(round_, [STAND, STAND])
    refused(lambda: round_.decide(0, STAND), r"^the round is over$")
    refused(lambda: round_.forfeit(1), r"^seat 1 is settled: there is nothing left to forfeit$")


def test_nine_seats_never_use_up_one_deck() -> None:
    """Nine hands of at most 31 points and two dealer's cards of 20 are 299 of a deck's 340 points."""
    rules = replace(PRESETS["devs"], seats=9)
    for seed in range(50):
        round_ = Round(rules, shoe_for(rules, seeded(seed)))
        round_.deal()
        while round_.turn is not None:
            round_.decide(round_.turn, HIT)
        assert round_.outcomes == [BUST] * 9


# Expected values: long runs beside exact figures.


Policy = Callable[[Round], Decision]

HARD_HIT_BELOW = dict(zip(range(1, 11), (17, 13, 13, 12, 12, 12, 17, 17, 17, 17), strict=True))
SOFT_HIT_BELOW = dict(zip(range(1, 11), (19, 18, 18, 18, 18, 18, 18, 18, 19, 19), strict=True))


def basic_strategy(round_: Round) -> Decision:
    """The best play of an infinite deck, by total, softness and upcard."""
    hand, upcard = round_.hands[0], round_.upcard
    assert upcard is not None
    hit_below = SOFT_HIT_BELOW if hand.is_soft else HARD_HIT_BELOW
    return HIT if hand.total < hit_below[upcard.points] else STAND


def draw_below(threshold: int) -> Policy:
    """Hit below a total."""
    return lambda round_: HIT if round_.hands[0].total < threshold else STAND


INFINITE = Rules(decks=None)


@pytest.mark.check
@pytest.mark.parametrize(
    ("rules", "policy", "exact"),
    [
        pytest.param(Rules(decks=None, ace=Ace.ONE), draw_below(16), -0.0823170951, id="draw below 16"),
        pytest.param(INFINITE, basic_strategy, -0.0465559771, id="infinite, basic strategy"),
        pytest.param(INFINITE, draw_below(0), -0.1863676662, id="infinite, always stand"),
        pytest.param(Rules(), basic_strategy, -0.0428061253, id="52 cards, basic strategy"),
    ],
)
def test_the_mean_payoff_is_the_exact_one_within_4_standard_errors(
    rules: Rules, policy: Policy, exact: float
) -> None:
    """Expected payoffs per round in initial bets, by exact enumeration of these rules and policies."""
    shoe: Shoe = shoe_for(rules, seeded(20))
    tally = Tally()
    for _ in range(50_000):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, policy(round_))
        (outcome,) = round_.outcomes
        assert outcome is not None
        tally.add(outcome)
    assert tally.mean_payoff is not None
    assert tally.standard_error is not None
    assert tally.standard_error < 1 / 50_000**0.5
    assert abs(tally.mean_payoff - exact) < 4 * tally.standard_error
