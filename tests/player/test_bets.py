"""Bets of a player program: what may be typed, the count, and the spread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import CARDS, PRESETS, Bets, EveryRound, Hand, Rules, seeded
from player.bets import Better, better_for, parse_bet
from player.by_policy import PolicyPlayer
from player.chosen import ChosenPolicy
from protocol import BetRequest
from twentyone.policies.names import TABLES, parse
from twentyone.support.command import CommandError

RULES = replace(PRESETS["vegas"], bets=Bets(10, 80))
REQUEST = BetRequest(10, 80, 1000)
LOW = [card for card in CARDS if 2 <= card.points <= 6]


def better(text: str, rules: Rules = RULES) -> Better:
    return better_for(parse_bet(text), pytest.fail, rules)


def test_what_is_no_bet_is_refused_in_a_sentence() -> None:
    numbers = ("", "0", "-5", "010", "1.5", "1e3", "9" * 300)
    spreads = ("count", "count:", "count:8", "count:8-1", "count:0-4", "count:1-1001", "count:1-8-9")
    for text in (*numbers, *spreads, "Count:1-8", "hi-lo:8", "ten"):
        with pytest.raises(
            CommandError, match=r"is not a bet: expected N chips, or count:LOW-HIGH in units of"
        ):
            parse_bet(text)


def test_a_flat_bet_is_always_the_same() -> None:
    flat = better("25")
    for card in LOW:
        flat.saw(card)
    assert flat.bet(REQUEST) == 25
    assert flat.bet(BetRequest(10, 15, 15)) == 15  # no more is left


def test_hi_lo_counts_a_whole_deck_to_zero() -> None:
    count = better("count:1-8")
    for card in CARDS:
        count.saw(card)
    assert (count.running, count.seen, count.true_count) == (0, 52, 0)


def test_the_true_count_is_by_the_decks_that_were_not_seen_and_rounded_down() -> None:
    count = better("count:1-8")
    for card in LOW:  # 20 of 312
        count.saw(card)
    assert count.true_count == 20 * 52 // (312 - 20) == 3
    count.shuffled()
    assert (count.running, count.seen, count.bet(REQUEST)) == (0, 0, 10)
    for card in CARDS:
        if card.is_ace:
            count.saw(card)
    assert (count.running, count.true_count) == (-4, -1)


def test_the_spread_grows_in_a_straight_line_from_a_true_count_of_1_to_5() -> None:
    """With these low cards gone from 312 the true count is 0, 0, 1 and so on to 6."""
    for seen, units in ((0, 1), (11, 1), (12, 2), (18, 4), (24, 6), (30, 8), (36, 8)):
        count = better("count:1-8")
        for card in (LOW * 3)[:seen]:
            count.saw(card)
        assert count.bet(REQUEST) == 10 * units, seen


def test_a_spread_stays_within_what_may_be_bet() -> None:
    count = better("count:5-20")
    assert count.bet(REQUEST) == 50
    for card in LOW * 2:
        count.saw(card)
    assert count.bet(REQUEST) == 80
    assert count.bet(BetRequest(10, 35, 35)) == 35


def test_a_player_by_a_policy_bets_by_the_cards_that_it_was_dealt_since_the_shuffle() -> None:
    policy = ChosenPolicy(parse("threshold:12", tuple(TABLES)), None, seeded(1))
    player = PolicyPlayer(policy, None, plan=parse_bet("count:1-8"))
    player.rules_told(RULES)
    assert player.asked_for_bet(REQUEST) == 10
    player.began()
    for card in LOW + LOW:
        player.dealt(card, Hand(RULES.ace))
    assert player.asked_for_bet(REQUEST) == 80
    player.shuffled()
    assert player.asked_for_bet(REQUEST) == 10


def test_a_fresh_shoe_every_round_has_nothing_to_count() -> None:
    said: list[str] = []
    flat = better_for(parse_bet("count:1-8"), said.append, replace(RULES, reshuffle=EveryRound()))
    for card in LOW * 3:
        flat.saw(card)
    assert flat.bet(REQUEST) == 10
    (sentence,) = said
    assert sentence.endswith("fresh for every round, so there is nothing to count: count:1-8 bets its least")


def test_a_table_that_asks_for_no_bets_refuses_one() -> None:
    with pytest.raises(CommandError, match="makes no sense at this table: it asks for no bets"):
        better("count:1-8", PRESETS["vegas"])
    with pytest.raises(CommandError, match=r"^--bet 5 is not a bet of this table: expected 10 to 80$"):
        better("5")
