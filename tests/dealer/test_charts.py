"""CHART: the values of hands of two cards against an upcard, on real sockets.

That such values are right is tested in tests/twentyone/exact.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from threading import Event
from typing import Any, Final

import pytest

from cards import PRESETS, Decision, Double, Rules
from dealer.lobby import charts
from dealer.lobby.judging import goes_by_cards
from dealer.network.writer import WRITE_LIMIT
from protocol import MAX_DEALER_LINE
from tests.dealer.conftest import Open
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import BlockingPeer
from twentyone.exact import advice
from twentyone.exact.hand_advice import HandAdviser
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Observation, Situation

VEGAS: Final = PRESETS["vegas"]


def chart(peer: BlockingPeer, question: str) -> dict[str, Any]:
    """What a CHART is answered with."""
    peer.say(question)
    verb, upcard, text = peer.hear_until("CHART")[-1].split(" ", 2)
    told: dict[str, Any] = json.loads(text)
    assert (verb, upcard) == ("CHART", str(told["upcard"]))
    return told


def test_a_chart_of_the_table_that_is_watched(opened: Open) -> None:
    """16 against a ten in six decks is given up; without that it is hit, for a little more than to stand."""
    ann = opened(rules=VEGAS).join("WATCH", "JOIN ann")
    ann.hear_until("TABLE")
    told = chart(ann, "CHART 10")
    assert told["rules"] == VEGAS.fields()
    values = {" ".join([each["hand"], *each["cards"]]): each["values"] for each in told["hands"]}
    assert len(values) == 54, "36 of different ranks below an ace, 8 soft ones, and 10 pairs"
    sixteen, eights = values["hard 16 Ten Six"], values["pair of 8 Eight Eight"]
    assert set(sixteen) == {"HIT", "STAND", "DOUBLE", "SURRENDER"}
    assert sixteen["SURRENDER"] == -0.5
    assert -0.55 < sixteen["STAND"] < sixteen["HIT"] < -0.5
    assert max(eights, key=eights.__getitem__) == "SPLIT"
    assert "SPLIT" not in values["soft 18 Ace Seven"]


def test_a_chart_of_rules_that_are_said_has_their_values_to_six_decimals(opened: Open) -> None:
    """Eric Farmer's combinatorial analyzer 7.6: aces against an ace, given that the dealer has no natural."""
    ann = opened(rules=PRESETS["casino"], lobby=True).connect()
    told = chart(ann, "CHART 11 preset=vegas dealer-stands=all17 split-aces=once")
    (aces,) = (each["values"] for each in told["hands"] if each["hand"] == "pair of A")
    plain = {"STAND": -0.666458, "HIT": -0.022206, "DOUBLE": -0.620239}
    assert aces == {**plain, "SPLIT": 0.127144, "SURRENDER": -0.5}


def test_without_a_lobby_the_dealers_own_rules_are_answered_in_the_middle_of_a_round_and_no_others(
    opened: Open,
) -> None:
    """Neither is a violation."""
    ann = opened(rules=PRESETS["casino"], lobby=False).seat()
    assert chart(ann, "CHART 6")["upcard"] == 6
    assert len(chart(ann, "CHART 7 preset=casino seats=3")["hands"]) == 54
    for _ in range(12):
        ann.say("CHART 7 preset=casino decks=5")
        assert ann.hear_until("REFUSED")[-1].startswith("REFUSED no-chart this dealer was started without")
    ann.say("STAND")
    ann.hear_until("RESULT")


def test_what_is_refused(opened: Open) -> None:
    ann = opened(lobby=True).connect()
    for question, answer in {
        "CHART 10": "REFUSED no-chart CHART without rules is for the table that you watch or sit at",
        "CHART 10 preset=showdown": "REFUSED no-chart there is no chart for a table without a dealer",
        "CHART 10 bots=2": "REFUSED bad-table CHART has no bots, only preset, decks,",
        "CHART 10 decks=9": "REFUSED bad-table CHART: decks is 9",
        "CHART 12": "REFUSED malformed '12' is not an upcard, 2 to 11",
        "CHART": "REFUSED malformed CHART takes an upcard, 2 to 11",
    }.items():
        ann.say(question)
        assert ann.hear().startswith(answer)


def test_to_hit_and_to_stand_are_worth_what_a_hint_says() -> None:
    rules = PRESETS["casino"]
    adviser = advice.adviser_for(rules)
    for upcard in (2, 10, 11):
        for hand, values in charts.values_of(adviser, rules, upcard).items():
            best, cost = adviser.advise(Observation(hand.total, hand.is_soft, upcard))
            assert values[best] - min(values.values()) == pytest.approx(cost, abs=1e-12)


THREE_TENS_LESS: Final = 162
"""The hands of three cards below 21, of 10 ranks."""


def test_hands_of_three_cards_have_the_values_of_a_hint(opened: Open) -> None:
    ann = opened(lobby=True).connect()
    told = chart(ann, "CHART 10 preset=vegas")["three"]
    assert told["options"] == ["HIT", "STAND"]
    assert len(told["hands"]) == THREE_TENS_LESS
    assert set("".join(told["hands"])) == set(charts.LETTERS)
    adviser = HandAdviser(VEGAS)
    for cards in ((4, 5, 7), (2, 4, 10), (3, 3, 11)):
        asked = Situation(cards, 10, False, (Decision.HIT, Decision.STAND))
        values = adviser.values(asked)
        letters = "".join(charts.LETTERS[each - 2] for each in cards)
        assert told["hands"][letters] == [round(value, 6) for value in values.values()]
    assert told["hands"]["457"][0] < told["hands"]["457"][1], "16 of three cards stands"
    assert told["hands"]["33T"][0] > told["hands"]["33T"][1], "with a ten and threes in it, it is hit"
    assert chart(ann, "CHART 10 preset=vegas double=always")["three"]["options"] == ["HIT", "STAND", "DOUBLE"]


def test_insurance_is_worth_what_the_cards_leave_of_the_tens(opened: Open) -> None:
    """Of 309 cards 96 are tens, less those in the hand; the insurance pays 2 to 1 for half a bet."""
    ann = opened(lobby=True).connect()
    told = chart(ann, "CHART 11 preset=vegas")["insurance"]
    assert len(told) == 55
    assert [told["99"], told["9T"], told["TT"]] == [
        round((3 * tens / 309 - 1) / 2, 6) for tens in (96, 95, 94)
    ]
    assert "TA" in told, "a natural may be insured too"
    for question in ("CHART 10 preset=vegas", "CHART 11 preset=europe", "CHART 11 preset=casino"):
        assert "insurance" not in chart(ann, question)


@pytest.mark.parametrize("preset", [name for name, rules in PRESETS.items() if rules.has_dealer])
def test_every_answer_is_short_enough_for_a_peer_that_does_not_read_at_once(preset: str) -> None:
    rules = PRESETS[preset]
    for more in (rules, replace(rules, double=Double.ALWAYS, double_after_split=True, split=4)):
        by_cards = goes_by_cards(more)
        adviser: Any = HandAdviser(more) if by_cards else advice.adviser_for(more)
        for upcard in UPCARDS:
            text = charts.as_json(adviser, more, upcard)
            three = json.loads(text)["three"]
            assert {len(values) for values in three["hands"].values()} == {len(three["options"])}
            assert len(text) < min(WRITE_LIMIT, MAX_DEALER_LINE) / 2


def test_early_surrender_is_valued_before_the_dealer_looks() -> None:
    """With 16 against an ace of six decks, the hole card is one of 95 tens among 309 cards."""
    rules = replace(VEGAS, surrender=type(VEGAS.surrender).EARLY)
    adviser = HandAdviser(rules)
    adviser.learn(11)
    found = charts.values_of(adviser, rules, 11)
    (values,) = [each for hand, each in found.items() if hand.cards == (6, 10)]
    after = adviser.game.options((6, 10), 11)
    natural = 95 / 309
    assert values[Decision.SURRENDER] == -0.5
    for decision, value in after.items():
        assert values[decision] == pytest.approx(-natural + (1 - natural) * value, abs=1e-9)


def test_where_an_ace_counts_one_no_hand_is_soft() -> None:
    for preset in ("study", "devs"):
        rules = PRESETS[preset]
        hands = charts.values_of(advice.adviser_for(rules), rules, 10)
        assert not any(hand.is_soft for hand in hands)
        assert {hand.total for hand in hands} == set(range(2, 21))


def test_an_answer_that_was_made_is_not_made_again(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many questions in a row would keep everybody else waiting."""
    made = []
    as_json = charts.as_json

    def counted(adviser: Any, rules: Rules, upcard: int) -> str:
        made.append((rules.preset, upcard))
        return as_json(adviser, rules, upcard)

    monkeypatch.setattr(charts, "as_json", counted)
    house = opened(lobby=True)
    ann, bob = house.connect(), house.connect()
    first = chart(ann, "CHART 10 preset=casino")
    assert all(chart(peer, "CHART 10 preset=casino") == first for peer in (ann, bob, ann, bob))
    assert chart(bob, "CHART 9 preset=casino")["upcard"] == 9
    assert chart(bob, "CHART 10 preset=casino seats=2")["rules"]["seats"] == "2"
    assert made == [("casino", 10), ("casino", 9), ("casino", 10)]


def test_of_the_answers_those_are_kept_that_were_asked_for_last() -> None:
    answers = charts.Answers()
    tables = [replace(PRESETS["casino"], seats=1 + each % 9, decks=1 + each // 9) for each in range(72)]
    asked = [(rules, upcard) for rules in tables for upcard in (10, 11)][: charts.MAX_KEPT]
    for rules, upcard in asked:
        answers.keep(rules, upcard, f"{rules.seats} {rules.decks} {upcard}")
    assert answers.get(*asked[0]) == "1 1 10"
    answers.keep(VEGAS, 2, "new")
    assert [answers.get(*each) for each in (asked[0], asked[1], (VEGAS, 2))] == ["1 1 10", None, "new"]


def test_many_wait_for_charts_and_hints_wait_for_one_of_them(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes to a full line is told so, which is no violation. Who waits still gets a sign by RULES."""
    monkeypatch.setattr("dealer.lobby.practice.MAX_CHARTS", 3)
    begun, go_on = [], Event()
    learn = HandAdviser.learn

    def slow(self: HandAdviser, upcard: int) -> None:
        begun.append(upcard)
        if len(begun) == 1:
            assert go_on.wait(PATIENCE)
        learn(self, upcard)

    monkeypatch.setattr(HandAdviser, "learn", slow)
    monkeypatch.setattr(
        "twentyone.exact.hand_advice.adviser_for", lru_cache(HandAdviser)
    )  # none knows anything yet
    house = opened(lobby=True)
    peers = [house.connect() for _ in range(5)]
    peers[0].say("CHART 2 preset=reno decks=2")
    assert eventually(lambda: begun == [2])
    for upcard, peer in enumerate(peers[1:4], 3):
        peer.say(f"CHART {upcard} preset=reno decks=2")
    for _ in range(2):  # which everything else waits for
        peers[0].say("RULES")
        assert peers[0].hear().startswith("RULES ")
    late, line = peers[4], house.server._reception._practice._charts_in_line
    assert eventually(lambda: line.is_full)
    for _ in range(12):
        late.say("CHART 6 preset=reno decks=2")
        assert late.hear_until("REFUSED")[-1].startswith("REFUSED busy many wait for their charts")
    go_on.set()
    for upcard, peer in enumerate(peers[:4], 2):
        assert peer.hear_until("CHART")[-1].startswith(f"CHART {upcard} ")
    assert sorted(begun) == [2, 3, 4, 5]  # each once, in whichever order they were asked for
    assert chart(late, "CHART 6 preset=reno decks=2")["upcard"] == 6
