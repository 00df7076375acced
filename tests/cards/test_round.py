"""Rounds of HIT and STAND: records, showdowns, errors.

Rounds against a dealer are played beside the second statement of the rules in test_random_rules.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

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
    Outcome,
    Record,
    Round,
    RoundError,
    Rules,
    SeatForfeited,
    SeatSettled,
    SeatState,
    StackedShoe,
    UpcardDealt,
    parse_card,
    seeded,
    shoe_for,
)

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


def clubs(rank: str) -> Card:
    """The card of clubs of a rank."""
    return parse_card(f"{rank} of Clubs")


def stacked(text: str) -> StackedShoe:
    """A shoe of ranks in a row, in suits that do not matter."""
    return StackedShoe([*map(clubs, text.split())])


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
    dealt_cards = [CardDealt(0, ten), CardDealt(0, two), UpcardDealt(six), HoleCardDealt(hole)]
    assert round_.deal() == [*dealt_cards, DecisionAsked(0)]
    assert (round_.turn, round_.upcard, round_.is_over) == (0, six, False)
    assert (round_.means, round_.plain) == (None, ())
    assert round_.decide(0, HIT) == [DecisionTaken(0, HIT), CardDealt(0, seven), DecisionAsked(0)]
    played = [HoleCardRevealed(hole), DealerDrew(king), SeatSettled(0, WIN)]
    assert round_.decide(0, STAND) == [DecisionTaken(0, STAND), *played]
    assert (round_.turn, round_.outcomes, round_.is_over) == (None, [WIN], True)


def test_records_of_different_kinds_are_never_equal() -> None:
    card = CARDS[0]
    records: set[Record] = {kind(card) for kind in (UpcardDealt, HoleCardDealt, HoleCardRevealed, DealerDrew)}
    assert len(records | {DecisionAsked(0), SeatForfeited(0)}) == 6


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
    assert (HoleCardRevealed(clubs("Seven")) in round_.records) == (WIN in outcomes)


# Without a dealer.


def test_in_a_showdown_seats_decide_round_the_table_until_all_have_finished() -> None:
    round_ = Round(replace(PRESETS["showdown"], seats=3), stacked("Ten Six Nine Nine Five Five Two King"))
    ten, six, nine, five, two, king = map(clubs, ("Ten", "Six", "Nine", "Five", "Two", "King"))
    assert round_.deal() == [
        *(
            CardDealt(seat, card)
            for seat, card in ((0, ten), (0, six), (1, nine), (1, nine), (2, five), (2, five))
        ),
        DecisionAsked(0),
    ]
    assert round_.decide(0, HIT) == [DecisionTaken(0, HIT), CardDealt(0, two), DecisionAsked(1)]
    assert round_.decide(1, STAND) == [DecisionTaken(1, STAND), DecisionAsked(2)]
    assert round_.decide(2, HIT) == [DecisionTaken(2, HIT), CardDealt(2, king), DecisionAsked(0)]
    assert round_.decide(0, STAND) == [DecisionTaken(0, STAND), DecisionAsked(2)]
    settled = [SeatSettled(0, LOSE), SeatSettled(1, LOSE), SeatSettled(2, WIN)]
    assert round_.decide(2, STAND) == [DecisionTaken(2, STAND), *settled]
    assert round_.is_over and round_.dealer is None
    assert (round_.outcomes, round_.payoffs) == ([LOSE, LOSE, WIN], [-1, -1, 1])
    for seat in range(3):
        (hand,) = round_.hands_of(seat)
        assert (hand.outcome, hand.hand, hand.stake) == (round_.outcomes[seat], round_.hands[seat], 1)


@pytest.mark.parametrize(
    ("actions", "outcomes"),
    [
        ((STAND, STAND, STAND), [PUSH, PUSH, LOSE]),
        ((HIT, STAND, STAND), [BUST, WIN, LOSE]),  # a bust is settled at once
        ((HIT, HIT, STAND), [BUST, BUST, WIN]),
        ((1, STAND, STAND), [WIN, LOSE, LOSE]),  # who forfeits out of turn is passed over
        ((0, STAND, STAND), [LOSE, WIN, LOSE]),
        ((STAND, 0, STAND, STAND), [LOSE, WIN, LOSE]),  # a hand that stands is forfeited until it is settled
        ((0, 1, STAND), [LOSE, LOSE, WIN]),  # the only seat that stands
        ((2, 1, 0), [LOSE, LOSE, LOSE]),
    ],
)
def test_outcomes_of_a_showdown(actions: Sequence[Action], outcomes: list[Outcome]) -> None:
    round_ = dealt(replace(PRESETS["showdown"], seats=3), "Ten Ten King King Nine Nine Five Five")
    assert play_out(round_, actions) == outcomes
    assert [state is SeatState.BUST for state in round_.states] == [each is BUST for each in outcomes]


def test_a_hand_over_21_as_dealt_is_settled_at_once_and_a_natural_beats_another_21_in_a_showdown() -> None:
    round_ = dealt(
        replace(PRESETS["showdown"], ace=Ace.ELEVEN, seats=3), "Ace Ace Ace King Seven Seven Seven"
    )
    assert round_.records[-2:] == [SeatSettled(0, BUST), DecisionAsked(1)]
    assert play_out(round_, [STAND, HIT, STAND]) == [BUST, WIN, LOSE]


# Any round.


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
