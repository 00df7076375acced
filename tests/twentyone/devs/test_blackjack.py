"""The blackjack model: its times, what the original leaves undefined, and the two timings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import Decision
from tests.twentyone.devs.games import played, random_deck
from twentyone.devs.blackjack import MODELS, Setup, game
from twentyone.devs.clock import TICKS, ticks
from twentyone.devs.controller import TIMINGS
from twentyone.devs.events import sources_of
from twentyone.devs.formalism import ModelError
from twentyone.devs.frame import Source, frame
from twentyone.devs.games import Games, shuffled_by, stacked, varied_by
from twentyone.devs.kernel import Simulator
from twentyone.devs.values import ORDERED_DECK, Card, Command, Outcome, Player, cards_of

DECKS = st.permutations(ORDERED_DECK)

Events = Sequence[tuple[float, object]]


def outputs(kind: str, setup: Setup | None = None, **events: Events) -> list[tuple[float, str, object]]:
    """What leaves a model, in seconds, for input events by port."""
    model = MODELS[kind](setup or Setup())
    fed = {port: [(ticks(time), value) for time, value in of] for port, of in events.items()}
    left = Simulator(frame(model, sources_of(kind, model, fed))).run()
    return [(time / TICKS, port.name, value) for time, port, value in left]


def outcomes(
    deck: Sequence[Card], starts: Sequence[float] = (0,), **options: str
) -> list[tuple[float, object]]:
    timing = TIMINGS[options.get("timing", "reference")]
    start = Source("start", int, [(ticks(time), 1) for time in starts])
    whole = game(Setup(shuffled=stacked(deck), timing=timing))
    left = Simulator(frame(whole, {"start": start})).run()
    return [(time / TICKS, value) for time, _, value in left]


@settings(max_examples=30)
@given(DECKS)
def test_the_closed_form_of_a_games_times_holds(deck: list[Card]) -> None:
    result, hands = played(deck)
    k, d = len(hands.challenger), len(hands.dealer)
    expected = [(ticks(12) + k * ticks(2.2), Outcome.CONTINUE if d else Outcome.LOSE)]
    if d:
        expected.append((ticks(13) + (k + d) * ticks(2.2), result.outcome))
    assert [(ticks(time), value) for time, value in outcomes(deck)] == expected


@settings(max_examples=30)
@given(DECKS)
def test_the_closed_form_of_the_specification_holds_and_its_outcomes_are_the_same(deck: list[Card]) -> None:
    result, hands = played(deck)
    specified, _ = played(deck, timing=TIMINGS["specification"])
    k, d = len(hands.challenger), len(hands.dealer)
    time = ticks(12) + (k + d) * ticks(1.2) if d else ticks(11) + k * ticks(1.2)
    assert (specified.time, specified.outcome) == (time, result.outcome)
    assert len(outcomes(deck, timing="specification")) == 1, "only WIN, LOSE and TIE leave the game"


@settings(max_examples=30)
@given(DECKS)
def test_thresholds_and_outcome_are_those_of_the_rules(deck: list[Card]) -> None:
    result, hands = played(deck)
    for cards, stands in ((hands.challenger, 15), (hands.dealer, 17)):
        if cards:
            total = sum(card.points for card in cards)
            assert total >= stands > total - cards[-1].points
    challenger, dealer = result.challenger_score, result.dealer_score
    assert challenger == sum(card.points for card in hands.challenger)
    assert dealer == sum(card.points for card in hands.dealer)
    if challenger > 21:
        assert (result.outcome, dealer) == (Outcome.LOSE, 0)
    elif dealer > 21:
        assert result.outcome is Outcome.WIN
    else:
        by_sign = {1: Outcome.WIN, 0: Outcome.TIE, -1: Outcome.LOSE}
        assert result.outcome is by_sign[(challenger > dealer) - (challenger < dealer)]


def test_drawing_from_an_empty_deck_names_the_deck_and_the_time() -> None:
    with pytest.raises(ModelError, match=r"^top\.game\.deck at 15\.2 s: a card .* drawn: the deck is empty$"):
        outcomes(cards_of(["5"]))


FIRST = cards_of(["10", "10", "9", "10"])
"""The challenger draws 10 and 9, the dealer 10 and 10: LOSE at 21.8 s."""


def test_a_second_start_at_any_time_gives_a_whole_game_from_there() -> None:
    """However much of the first is over: it is dealt the same cards."""
    assert outcomes(FIRST) == [(16.4, Outcome.CONTINUE), (21.8, Outcome.LOSE)]
    for tenths in (*range(1, 240), 1000):
        found = [each for each in outcomes(FIRST, starts=[0, tenths / 10]) if each[0] > tenths / 10]
        after = [(round(at - tenths / 10, 6), value) for at, value in found]
        assert after == [(16.4, Outcome.CONTINUE), (21.8, Outcome.LOSE)], tenths


def test_a_second_start_has_all_52_cards_shuffled() -> None:
    orders: list[Sequence[Card]] = []

    def shuffled(number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        orders.append(cards)
        return random_deck(number)

    start = Source("start", int, [(0, 1), (ticks(60), 1)])
    simulator = Simulator(frame(game(Setup(shuffled=shuffled)), {"start": start}))
    assert [value for _, _, value in simulator.run()][-1] is not Outcome.CONTINUE
    assert orders == [ORDERED_DECK, ORDERED_DECK]


def test_games_are_the_same_for_a_seed_and_others_for_other_numbers() -> None:
    games = Games(Setup(shuffled=shuffled_by(7)))

    def hands_of(number: int) -> object:
        games.reset(number)
        games.play()
        return games.hands()

    assert [hands_of(number) for number in (0, 1, 0)] == [hands_of(number) for number in (0, 1, 0)]
    assert len({str(hands_of(number)) for number in range(10)}) == 10


@settings(max_examples=20)
@given(DECKS, st.integers(0, 2**32))
def test_a_variation_lengthens_each_answer_by_at_most_as_much(deck: list[Card], seed: int) -> None:
    plain, hands = played(deck)
    varied, same = played(deck, variation_of=varied_by(seed, ticks(0.5)))
    answers = 2 * (len(hands.challenger) + len(hands.dealer))
    assert (varied.outcome, same) == (plain.outcome, hands)
    assert 0 < varied.time - plain.time <= answers * ticks(0.5)
    assert played(deck, variation_of=varied_by(seed, ticks(0.5)))[0] == varied
    assert played(deck, variation_of=varied_by(seed, 0))[0] == plain


def test_any_threshold_is_one_class_with_its_threshold_as_an_argument() -> None:
    left = outputs("threshold", Setup(challenger_stands=4), valueIn=[(1, 3), (2, 4)])
    stand = [(2.1, "decisionOut", Decision.STAND), (2.1, "valueOut", 4)]
    assert left == [(1.1, "decisionOut", Decision.HIT), *stand]


def test_of_what_comes_while_another_is_pending_the_later_one_counts() -> None:
    assert outputs("hand", card=[(1, Card.KING), (1.05, Card.TWO)]) == [(1.15, "handValueOut", 2)]
    both = [(1.1, "handValueOut", 10), (1.2, "handValueOut", 12)]
    assert outputs("hand", card=[(1, Card.KING), (1.1, Card.TWO)]) == both  # it comes as one is sent
    hit = [(1.15, "decisionOut", Decision.HIT)]
    assert outputs("threshold-c", valueIn=[(1, 20), (1.05, 0)]) == hit  # 0 is answered
    commands = [(0, Command.SHUFFLE), (4, Command.DRAW)]
    drawn = [(5, "dealerCardOutPort", Card.KING)]
    assert outputs("deck", command=commands, player=[(4, Player.DEALER)]) == drawn
    left = outputs("controller", startInPort=[(0, 1)], decisionInPort=[(0.5, Decision.HIT)])
    assert left == [(1.5, "commandOutPort", Command.DRAW), (1.5, "playerOutPort", Player.CHALLENGER)]


def test_half_of_an_input_does_nothing_but_start_the_time_again() -> None:
    assert outputs("deck", command=[(0, Command.DRAW)]) == []  # without a player
    later = outputs("deck", command=[(0, Command.SHUFFLE), (4, Command.DRAW)])
    assert later == [(14, "hitOutPort", Decision.HIT)]
    assert outputs("controller", decisionInPort=[(0, Decision.STAND)]) == []
    assert outputs("controller", handValueInPort=[(0, 20)]) == []
