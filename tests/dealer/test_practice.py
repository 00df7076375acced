"""HINT, REVIEW and REVEAL on real sockets: what is the best decision, and what others cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from cards import PRESETS, Bets, Decision, Rules, Surrender
from tests.dealer.conftest import Open
from tests.dealer.seen import CASINO, look
from tests.helpers.house import House, deal, kinds, room, sit, stand
from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer
from twentyone.exact.hand_advice import HandAdviser, adviser_for
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Situation

# Tables without double, split and the rest.


def test_a_hint_is_the_better_decision_and_the_cost_of_the_other(opened: Open) -> None:
    house = opened(rules=replace(PRESETS["course"], seats=2), practice=True, rounds=1)
    deal(house, "Ten of Spades, Six of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds")
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    decision, cost = hinted(ann)
    assert decision == "STAND"  # hard 16 against a six
    assert 0.2 < cost < 0.6
    bob.say("HINT")
    refusal = "ERROR a hint is for a decision, and you are not asked for one"
    assert bob.hear_until("ERROR")[-1].startswith(refusal)


def test_cards_are_revealed_to_who_asks_and_everybody_is_told(opened: Open) -> None:
    house = opened(rules=CASINO, practice=True, rounds=2)
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds")
    ann, bob = sit(house, "ann", "bob")
    ann.answer("WATCH")
    bob.say("WATCH")
    first = look(ann)
    assert not first["revealed"]
    look(bob)
    ann.say("REVEAL", "REVEAL")  # the second one is answered without a word to the others
    cards = ["Six of Clubs", "Ten of Diamonds"]
    for shown in (look(ann), look(ann)):
        assert shown["revealed"]
        assert shown["dealer"] == {"upcard": cards[0], "cards": cards, "total": 16}
        assert shown["sequence"] == first["sequence"] + 1
    others = look(bob)
    assert not others["revealed"]
    assert others["dealer"]["cards"] == ["Six of Clubs", None]
    assert others["log"][-1] == "ann looks at all cards"
    assert [note for _, note in room(house).table.notes.kept] == ["bob sits down", "ann looks at all cards"]
    ann.say("STAND")
    stand(bob)
    while (shown := look(ann))["round"] == 1:
        pass
    assert not shown["revealed"]


def test_who_only_watches_a_practice_table_may_see_all_cards_too(opened: Open) -> None:
    house = opened(rules=CASINO, practice=True, rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds")
    sit(house, "ann", "bob")
    somebody = house.join("WATCH 1", "REVEAL")
    shown = [look(somebody), look(somebody)]
    assert [each["dealer"]["cards"][1] for each in shown] == [None, "Ten of Diamonds"]
    assert shown[1]["log"][-1] == "somebody looks at all cards"


def test_who_has_bust_sees_all_cards_on_a_practice_table(opened: Open) -> None:
    house = opened(rules=PRESETS["showdown"], practice=True, rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, King of Clubs")
    ann, _bob = sit(house, "ann", "bob")
    ann.answer("WATCH", "HIT")
    assert look(ann)["seats"][1]["cards"] == [None, None]
    assert look(ann)["seats"][1]["cards"] == ["Ten of Hearts", "Eight of Hearts"]


def test_no_hints_and_no_cards_where_nobody_practises(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann, _bob = sit(house, "ann", "bob")
    ann.answer("WATCH", "HINT")
    hint = "REFUSED no-hint hints are for practice tables"
    assert ann.hear_until("REFUSED")[-1].startswith(hint)
    ann.say("REVEAL")
    reveal = "REFUSED no-reveal cards are revealed to those who watch a practice table"
    assert ann.hear_until("REFUSED")[-1].startswith(reveal)
    ann.say("STAND")
    assert "null" in ann.hear_until("TABLE")[-1]


def test_a_round_is_reviewed_against_basic_strategy(opened: Open) -> None:
    house = opened(rounds=2)
    cards = "Ten of Spades, Two of Spades, Ten of Clubs, Ten of Diamonds, Four of Clubs, Ten of Hearts"
    deal(house, f"{cards}, Nine of Hearts, Seven of Clubs, Ten of Diamonds")
    ann = house.seat("JOIN ann")
    ann.say("REVIEW")
    assert ann.hear().startswith("ERROR no round of yours is over yet")
    ann.say("HIT", "REVIEW", "STAND", "REVIEW")  # the last one crosses the next round
    # Hitting 12 against a ten is right; standing on 16 is wrong by a little.
    assert ann.hear_until("REVIEW")[-1] == "REVIEW 1 0 0.000000"
    *said, cost = ann.hear_until("REVIEW")[-1].split()
    assert said == ["REVIEW", "2", "1"]
    assert 0.0 < float(cost) < 0.1


def test_in_a_round_only_a_player_who_is_alone_is_told_how_it_was_decided(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1)
    deal(
        house, "Five of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds"
    )
    ann, _bob = sit(house, "ann", "bob")
    ann.answer("HIT", "REVIEW")
    assert ann.hear_until("ERROR")[-1].startswith("ERROR no round of yours is over yet")


def test_a_bust_can_be_reviewed_while_the_others_play(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1)
    cards = "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds"
    deal(house, f"{cards}, King of Clubs")
    ann, _bob = sit(house, "ann", "bob")
    ann.answer("HIT")
    ann.hear_until("RESULT BUST")
    ann.say("REVIEW")
    assert ann.hear().split()[:3] == ["REVIEW", "1", "1"]  # 12 against a six stands


# Tables that tell payoffs.

VEGAS: Final = PRESETS["vegas"]
EARLY: Final = replace(VEGAS, surrender=Surrender.EARLY)

NINETEEN: Final = "Ten of Spades, Nine of Spades, Seven of Clubs, Ten of Clubs"
EIGHTS: Final = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs"


def at_a_table(
    opened: Open, cards: str, rules: Rules = VEGAS, join: str = "JOIN ann", **options: Any
) -> tuple[House, BlockingPeer]:
    """A player who has just been asked for a first decision, at a dealer of these cards."""
    house = opened(rules=rules, **options)
    deal(house, cards)
    return house, house.seat(join)


def asked(cards: str, upcard: int, options: str, *, is_split: bool = False) -> Situation:
    words = tuple(Decision(word) for word in options.split())
    return Situation(tuple(map(int, cards.split())), upcard, is_split, words)


PLAY: Final = "HIT STAND DOUBLE"
NINETEEN_AGAINST_SEVEN: Final = asked("9 10", 7, f"{PLAY} SURRENDER")


def hinted(peer: BlockingPeer) -> tuple[str, float]:
    peer.say("HINT")
    verb, decision, cost = peer.hear().split()
    assert verb == "HINT"
    return decision, float(cost)


def advised(asked: Situation, rules: Rules = VEGAS) -> tuple[str, float]:
    decision, cost = adviser_for(rules).advise(asked)
    return decision.value, float(f"{cost:.6f}")


def test_each_decision_of_a_round_is_hinted_and_reviewed_by_exact_values(opened: Open) -> None:
    _, ann = at_a_table(opened, f"{EIGHTS}, Three of Clubs, Ten of Hearts, Ten of Spades", practice=True)
    assert hinted(ann) == advised(asked("8 8", 6, f"{PLAY} SPLIT SURRENDER"))
    ann.say("SPLIT")
    ann.hear_until("DECISION")
    eleven = asked("3 8", 6, PLAY, is_split=True)
    assert hinted(ann) == advised(eleven)
    ann.say("HIT")
    ann.hear_until("DECISION")
    assert hinted(ann)[0] == "STAND"
    cost = adviser_for(VEGAS).cost(eleven, Decision.HIT)
    ann.say("REVIEW")
    assert ann.hear() == f"REVIEW 2 1 {cost:.6f} SPLIT 0.000000 SPLIT HIT {cost:.6f} DOUBLE"
    ann.say("STAND")
    ann.hear_until("DECISION")
    assert hinted(ann) == advised(asked("8 10", 6, PLAY, is_split=True))
    ann.say("STAND", "REVIEW")
    assert ann.hear_until("REVIEW")[-1] == (
        f"REVIEW 4 1 {cost:.6f} SPLIT 0.000000 SPLIT HIT {cost:.6f} DOUBLE"
        " STAND 0.000000 STAND STAND 0.000000 STAND"
    )


def test_insurance_and_surrender_before_the_peek_are_hinted_and_reviewed(opened: Open) -> None:
    sixteen = "Ten of Spades, Six of Spades, Ace of Clubs, Nine of Clubs"
    _, ann = at_a_table(opened, sixteen, EARLY, practice=True)
    assert hinted(ann) == advised(asked("6 10", 11, "INSURE DECLINE"), EARLY)
    ann.say("INSURE")
    ann.hear_until("DECISION")
    decision, _ = hinted(ann)
    assert decision == "SURRENDER"
    ann.say("SURRENDER", "REVIEW")
    words = ann.hear_until("REVIEW")[-1].split()
    assert words[:3] == ["REVIEW", "2", "1"]
    assert words[4:] == ["INSURE", words[3], "DECLINE", "SURRENDER", "0.000000", "SURRENDER"]
    assert float(words[3]) == pytest.approx(0.04, abs=0.01)  # half the house edge of insurance, about 7.4 %


def test_a_round_without_a_decision_is_reviewed_as_one(opened: Open) -> None:
    natural = "Ace of Spades, King of Spades, Seven of Clubs, Ten of Clubs"
    _, ann = at_a_table(opened, f"{natural}, {NINETEEN}")  # she is asked in the second round
    ann.say("HINT")
    assert "hints are for practice tables" in ann.hear()
    ann.say("REVIEW")
    assert ann.hear() == "REVIEW 0 0 0.000000"


def test_what_a_clock_has_decided_is_reviewed_too(opened: Open) -> None:
    house, ann = at_a_table(opened, "Five of Spades, Six of Spades, Seven of Clubs, Ten of Clubs")
    house.let_the_clock_run_out()
    ann.hear_until("RESULT")
    ann.say("REVIEW")
    words = ann.hear_until("REVIEW")[-1].split()
    assert (words[:3], words[4:]) == (["REVIEW", "1", "1"], ["STAND", words[3], "DOUBLE"])


def test_without_chips_for_more_a_hint_is_one_of_what_is_offered(opened: Open) -> None:
    rules = replace(VEGAS, bets=Bets(10, 80), bankroll=15)
    _, ann = at_a_table(
        opened, "Five of Spades, Six of Spades, Six of Clubs, Ten of Clubs", rules, practice=True
    )
    ann.say("BET 15")
    assert ann.hear_until("DECISION")[-1] == "DECISION HIT STAND SURRENDER"
    assert hinted(ann) == advised(asked("5 6", 6, "HIT STAND SURRENDER"))


def test_the_first_hint_loads_the_values_for_all_upcards(opened: Open) -> None:
    rules = replace(VEGAS, decks=1)
    _, ann = at_a_table(opened, NINETEEN, rules, practice=True)
    hinted(ann)
    adviser = adviser_for(rules)
    assert eventually(lambda: all(map(adviser.knows, UPCARDS)))
    assert adviser.unknown == []


def test_what_is_said_after_a_hint_waits_for_its_answer(opened: Open) -> None:
    """SPEC.md: after the peer's FIN everything already received is carried out and answered."""
    rules = replace(VEGAS, decks=4)
    _, ann = at_a_table(opened, NINETEEN, rules, "JOIN ann 1", practice=True)
    ann.say("HINT", "STAND")
    ann.close_side()
    hint, *told = ann.rest()
    assert hint == "HINT {} {:.6f}".format(*advised(NINETEEN_AGAINST_SEVEN, rules))
    assert kinds(told) == ["DEALER", "RESULT", "QUIT"]


def test_who_waits_for_an_answer_that_cannot_be_worked_out_plays_on(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(adviser: HandAdviser, upcard: int) -> None:
        raise MemoryError

    rules = replace(VEGAS, decks=3)
    house, ann = at_a_table(opened, NINETEEN, rules, practice=True)
    with monkeypatch.context() as patch:
        patch.setattr(HandAdviser, "learn", fail)
        ann.say("HINT", "STAND")
        assert ann.hear() == "ERROR the answer could not be worked out"
        ann.hear_until("RESULT")
        assert eventually(lambda: len(house.complaints) == 2)  # the upcard asked for, and one more
        assert all("MemoryError" in complaint for complaint in house.complaints)
    house.complaints.clear()
    ann.hear_until("DECISION")
    hinted(ann)


def test_many_ask_at_once_and_all_are_answered(opened: Open) -> None:
    rules = replace(VEGAS, decks=2)
    house, ann = at_a_table(opened, NINETEEN, rules, practice=True)
    peers = [ann, *(house.seat(f"JOIN p{number}") for number in range(3))]
    for peer in peers:
        peer.say("HINT", "HINT")
    expected = "HINT {} {:.6f}".format(*advised(NINETEEN_AGAINST_SEVEN, rules))
    assert {peer.hear() for peer in peers for _ in range(2)} == {expected}
