"""A table without sockets: bets, insurance, surrender, split hands, who is told what."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

import pytest

from cards import PRESETS, Bets, Decision, HoleCard, Rules, Surrender
from dealer.tables.hosts import Hosts, Leading
from dealer.tables.seat import Seat
from dealer.tables.snapshot import Viewer, for_everybody, for_viewer
from dealer.tables.story import story
from dealer.tables.table import Phase
from protocol import encode
from tests.dealer.setting import Setting, setting
from tests.helpers.house import kinds

HIT, STAND, DOUBLE, SPLIT = Decision.HIT, Decision.STAND, Decision.DOUBLE, Decision.SPLIT
SURRENDER, INSURE, DECLINE = Decision.SURRENDER, Decision.INSURE, Decision.DECLINE

VEGAS: Final = PRESETS["vegas"]
BETS: Final = replace(VEGAS, bets=Bets(10, 80), bankroll=500)

LAST: Final = replace(VEGAS, hole_card=HoleCard.LAST, surrender=Surrender.NONE)

NINETEEN: Final = "Ten of Spades, Nine of Spades, Seven of Clubs, Ten of Clubs"
"""Both hands stand as dealt: a player's 19 against a dealer's 17."""


def seated(
    rules: Rules, cards: str = NINETEEN, rounds: int = 1, names: str = "ann"
) -> tuple[Setting, list[Seat]]:
    """A table at which these have just sat down."""
    at, seats = setting(rules, cards, rounds), [Seat(name) for name in names.split()]
    at.sit(*seats)
    return at, seats


def told(at: Setting, name: str = "ann") -> list[str]:
    """What a player was told since this was last asked."""
    return at.news().get(name, [])


def replayed(at: Setting, seat: Seat) -> list[str]:
    """What a player is told who is back."""
    return [encode(message).decode() for message in at.table.replay(seat)]


# Play.


@pytest.mark.parametrize(
    ("hole_card", "decisions", "heard"),
    [
        ("King", [INSURE], ["DEALER King of Clubs", "RESULT PUSH 0", "QUIT"]),
        ("King", [DECLINE], ["DEALER King of Clubs", "RESULT LOOSE -1", "QUIT"]),
        ("King", [HIT], ["DEALER King of Clubs", "RESULT LOOSE -1", "QUIT"]),
        ("Nine", [INSURE], ["DECISION HIT STAND DOUBLE SURRENDER"]),
        ("Nine", [INSURE, STAND], ["DEALER Nine of Clubs", "RESULT LOOSE -1.5", "QUIT"]),
        ("Seven", [STAND, STAND], ["DEALER Seven of Clubs", "RESULT WIN +1", "QUIT"]),
    ],
)
def test_insurance_is_offered_with_an_ace_showing(
    hole_card: str, decisions: list[Decision], heard: list[str]
) -> None:
    at, (ann,) = seated(VEGAS, f"Ten of Spades, Nine of Spades, Ace of Clubs, {hole_card} of Clubs")
    assert told(at)[-1] == "DECISION INSURE DECLINE"
    at.decide(ann, *decisions)
    assert told(at)[-len(heard) :] == heard


def test_a_natural_is_asked_nothing_and_paid_three_to_two() -> None:
    at, _ = seated(VEGAS, "Ace of Spades, King of Spades, Seven of Clubs, Ten of Clubs")
    assert told(at)[-3:] == ["DEALER Ten of Clubs", "RESULT WIN +1.5", "QUIT"]


def test_a_bust_is_told_at_the_end_and_the_hole_card_is_turned() -> None:
    at, (ann,) = seated(VEGAS, "Ten of Spades, Six of Spades, Six of Clubs, Ten of Clubs, King of Hearts")
    told(at)
    at.decide(ann, HIT)
    assert told(at) == ["CARD King of Hearts", "DEALER Ten of Clubs", "RESULT BUST -1", "QUIT"]


def test_early_surrender_is_asked_alone_before_the_dealer_peeks() -> None:
    rules = replace(VEGAS, surrender=Surrender.EARLY, insurance=False)
    at, (ann,) = seated(rules, "Ten of Spades, Six of Spades, Ten of Hearts, Ace of Clubs")
    assert told(at)[-1] == "DECISION SURRENDER DECLINE"
    at.decide(ann, SURRENDER)
    assert told(at) == ["DEALER Ace of Clubs", "RESULT SURRENDER -0.5", "QUIT"]
    assert list(story(at.table))[-1] == "ann gives up half the bet: -0.5"


def test_everybody_is_told_the_results_at_the_end_and_their_own_only() -> None:
    cards = "Ten of Spades, Six of Spades, Nine of Hearts, Nine of Clubs, Six of Clubs, Ten of Clubs,"
    drawn = "Ten of Hearts, Ten of Diamonds, Eight of Hearts, Five of Diamonds"
    at, (ann, bob) = seated(replace(VEGAS, seats=2), cards + drawn, names="ann bob")
    at.news()
    at.decide(ann, HIT)
    assert at.news() == {"ann": ["CARD Ten of Hearts"], "bob": ["DECISION HIT STAND DOUBLE SPLIT SURRENDER"]}
    at.decide(bob, SPLIT, STAND, STAND)
    dealer = ["DEALER Ten of Clubs", "DEALER Five of Diamonds"]
    news = at.news()
    assert news["ann"] == [*dealer, "RESULT BUST -1", "QUIT"]
    assert news["bob"][-6:] == [*dealer, "HAND 1 2 LOOSE -1", "HAND 2 2 LOOSE -1", "RESULT LOOSE -2", "QUIT"]


def test_a_forfeit_is_settled_at_once_and_costs_the_stakes_on_the_table() -> None:
    cards = "Eight of Spades, Eight of Hearts, Ten of Hearts, Nine of Clubs, Six of Clubs, Ten of Clubs,"
    drawn = "Three of Spades, Ten of Diamonds, Five of Diamonds, Five of Hearts"
    at, (ann, bob) = seated(replace(BETS, seats=2), cards + drawn, names="ann bob")
    at.bet(ann, 20)
    at.bet(bob, 10)
    at.decide(ann, SPLIT, DOUBLE)  # 40 on the first hand, 20 on the second, which is asked now
    at.news()
    at.leave(ann)
    assert at.news() == {
        "ann": ["HAND 1 2 LOOSE -40", "HAND 2 2 LOOSE -20", "RESULT LOOSE -60"],
        "bob": ["DECISION HIT STAND DOUBLE SURRENDER"],
    }
    assert ann.bankroll == 440
    at.decide(bob, STAND)
    assert (ann.bankroll, bob.bankroll) == (440, 490)


def test_players_of_the_old_words_are_asked_for_hit_or_stand_only() -> None:
    at, ann = setting(BETS, "Eight of Spades, Eight of Hearts, Ace of Clubs, Six of Clubs", 1), Seat("ann")
    ann.is_plain = True
    at.sit(ann)
    assert told(at)[-1] == "DECISION HIT STAND"
    assert ann.bet == 10


# The shoe.


@pytest.mark.parametrize(
    ("rules", "follows"), [(VEGAS, "BEGIN"), (replace(BETS, bankroll=10_000), "DECISION BET")]
)
def test_a_shoe_that_was_made_fresh_is_told_of_before_the_bets_and_the_round(
    rules: Rules, follows: str
) -> None:
    at, (ann,) = seated(replace(rules, decks=1), "", rounds=0)
    for _ in range(200):
        if ann in at.table.bettors:
            at.bet(ann, 10)
        if at.table.turn is not None:
            at.decide(ann, STAND)
    lines = told(at)
    fresh = [number for number, line in enumerate(lines) if line == "SHUFFLE"]
    assert all(lines[number - 1].startswith("RESULT") for number in fresh)
    assert all(lines[number + 1].startswith(follows) for number in fresh)
    # 39 cards are dealt before the first, and nobody has more than a few of them.
    assert lines[: fresh[0]].count("BEGIN") >= 39 // 11
    assert len(fresh) > 10


def test_a_shoe_that_is_fresh_every_round_is_told_of_never() -> None:
    at, (ann,) = seated(replace(PRESETS["course"], bets=Bets(1, 1)), "", rounds=0)
    for _ in range(20):
        at.bet(ann, 1)
        at.decide(ann, STAND)
    lines = kinds(told(at))
    assert lines.count("BEGIN") == 20
    assert "SHUFFLE" not in lines


# Bets.


def test_a_bet_is_asked_before_each_round_and_paid_in_chips() -> None:
    at, (ann,) = seated(BETS, rounds=2)
    assert told(at) == ["DECISION BET 10 80 500"]
    assert (at.table.phase, at.budget.dealt) == (Phase.BETTING, 0)
    at.bet(ann, 25)
    assert at.budget.dealt == 1
    at.decide(ann, SURRENDER)
    assert told(at)[-3:] == [*("DEALER Ten of Clubs", "RESULT SURRENDER -12.5", "DECISION BET 10 80 487.5")]
    assert ann.bankroll == Fraction(975, 2)


@pytest.mark.parametrize(("first", "second"), [(None, 10), (60, 60)])
def test_hit_and_stand_mean_the_same_bet_as_last_time(first: int | None, second: int) -> None:
    at, (ann,) = seated(BETS, rounds=2)
    at.decide(ann, HIT) if first is None else at.bet(ann, first)
    at.decide(ann, STAND, STAND)
    assert ann.bet == second


def test_the_same_bet_as_last_time_is_at_most_what_the_bankroll_covers() -> None:
    losing = "Ten of Spades, Nine of Spades, Ten of Clubs, Ten of Hearts"
    at, (ann,) = seated(replace(BETS, bankroll=110), losing, rounds=2)
    at.bet(ann, 80)
    at.decide(ann, STAND)
    assert told(at)[-1] == "DECISION BET 10 30 30"
    at.decide(ann, HIT)
    assert ann.bet == 30


def test_what_the_bankroll_does_not_cover_is_not_offered_and_without_a_bet_one_is_sent_away() -> None:
    pair = "Eight of Spades, Eight of Hearts, Ten of Hearts, Nine of Clubs"
    at, (ann,) = seated(replace(BETS, bankroll=15), pair, rounds=2)
    at.bet(ann, 10)
    assert told(at)[-1] == "DECISION HIT STAND SURRENDER"
    at.decide(ann, STAND)
    assert told(at)[-2:] == ["RESULT LOOSE -10", "QUIT"]
    assert at.table.seats == [None]


def test_a_round_waits_for_all_bets_and_who_comes_meanwhile_for_the_next() -> None:
    at, (ann, bob, carl) = seated(replace(BETS, seats=3), names="ann bob carl")
    question = ["DECISION BET 10 80 500"]
    assert at.news() == {"ann": question, "bob": question, "carl": question}
    at.bet(bob, 20)
    at.leave(carl)
    assert carl.bankroll == 500
    dora = Seat("dora")
    at.sit(dora)
    at.leave(dora)
    at.sit(dora)
    assert at.news() == {}
    at.bet(ann, 10)
    assert set(at.news()) == {"ann", "bob"}
    assert [seat.name for seat in at.table.dealt_in] == ["ann", "bob"]


def test_a_round_begins_when_the_last_one_who_was_waited_for_leaves() -> None:
    at, (ann, bob) = seated(replace(BETS, seats=2), names="ann bob")
    at.bet(ann, 10)
    assert at.budget.dealt == 0
    at.leave(bob)
    assert at.budget.dealt == 1


def test_who_leaves_before_the_round_is_charged_none() -> None:
    at, (ann,) = seated(BETS)
    at.leave(ann)
    assert (at.budget.dealt, ann.bankroll, at.table.phase) == (0, 500, Phase.WAITING)
    at.sit(Seat("bob"))
    assert told(at, "bob") == ["DECISION BET 10 80 500"]


def test_who_comes_while_the_last_one_who_was_asked_leaves_is_asked() -> None:
    at, (ann, bob) = seated(replace(BETS, seats=2), names="ann bob")
    at.leave(bob)
    at.sit(Seat("carl"))
    at.news()
    at.leave(ann)
    assert at.news() == {"carl": ["DECISION BET 10 80 500"]}


def test_bots_stake_the_minimum_and_buy_in_again() -> None:
    at = setting(replace(BETS, seats=2, bankroll=10))
    ann, bot = Seat("ann"), Seat("bot-1", is_bot=True)
    at.sit(bot, ann)
    assert at.news() == {"ann": ["DECISION BET 10 10 10"]}
    bot.bankroll = 0
    at.leave(ann)
    at.sit(Seat("bob"))
    assert (bot.bankroll, bot.bet) == (10, 10)


@pytest.mark.parametrize("is_away", [False, True])
def test_who_gives_no_answer_stakes_the_minimum_whatever_the_last_bet_was(is_away: bool) -> None:
    at, (ann, bob) = seated(replace(BETS, seats=2), "", 0, names="ann bob")
    at.bet(ann, 60)
    at.bet(bob, 60)
    while at.table.turn is not None:
        at.decide(at.table.turn, STAND)
    at.read(at.table.go_on(after_pause=True))
    assert (at.table.phase, ann.bet) == (Phase.BETTING, 60)
    ann.mark_away(is_away)
    at.bet(bob, 40)
    assert at.budget.dealt == (2 if is_away else 1)  # nobody waits for who is away
    if not is_away:
        at.read(at.table.time_out(ann))
    assert (ann.bet, bob.bet, at.budget.dealt) == (10, 40, 2)


def test_where_everybody_is_away_the_bet_is_left_to_the_clock() -> None:
    at, (ann,) = seated(BETS)
    ann.mark_away(True)
    at.read(at.table.go_on(after_pause=False))
    assert at.budget.dealt == 0
    assert replayed(at, ann) == ["DECISION BET 10 80 500"]
    at.read(at.table.time_out(ann))
    assert (ann.bet, at.budget.dealt) == (10, 1)


def test_a_budget_that_is_used_up_while_bets_are_asked_ends_the_table() -> None:
    at, (ann,) = seated(BETS)
    at.budget.charge()
    at.bet(ann, 10)
    assert told(at) == ["DECISION BET 10 80 500", "QUIT"]
    assert (at.table.phase, ann.bankroll) == (Phase.CLOSED, 500)


# Being back.


def test_who_is_back_is_told_all_hands_and_what_is_asked() -> None:
    eights = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs, Three of Spades, Ten of Hearts,"
    at, (ann,) = seated(VEGAS, f"{eights} Ten of Diamonds")
    at.decide(ann, SPLIT, DOUBLE)
    assert replayed(at, ann) == [
        *("BEGIN", "CARD Eight of Spades", "CARD Eight of Hearts", "DEALER Six of Clubs"),
        *("HAND 1 2", "CARD Three of Spades", "CARD Ten of Hearts"),
        *("HAND 2 2", "CARD Ten of Diamonds", "DECISION HIT STAND DOUBLE"),
    ]


@pytest.mark.parametrize("leaves", [False, True])
def test_who_is_back_is_asked_for_insurance_again_and_who_leaves_then_loses_one_bet(leaves: bool) -> None:
    at, (ann,) = seated(VEGAS, "Ten of Spades, Nine of Spades, Ace of Clubs, King of Clubs")
    assert replayed(at, ann)[-1] == "DECISION INSURE DECLINE"
    at.read(at.table.leave(ann) if leaves else at.table.time_out(ann))
    assert "RESULT LOOSE -1" in told(at)


def test_at_a_table_of_one_bet_only_the_first_is_taken_back() -> None:
    rules = replace(VEGAS, hole_card=HoleCard.OBO, surrender=Surrender.NONE, insurance=False)
    eights = "Eight of Spades, Eight of Hearts, Ten of Clubs, Ace of Clubs, Ten of Spades, Ten of Hearts"
    at, (ann,) = seated(rules, eights)
    at.decide(ann, SPLIT, STAND, STAND)
    assert told(at)[-4:] == ["HAND 1 2 LOOSE -1", "HAND 2 2 PUSH 0", "RESULT LOOSE -1", "QUIT"]


# The log.


@pytest.mark.parametrize(
    ("rules", "hole_card", "answer", "line"),
    [
        (replace(VEGAS, surrender=Surrender.EARLY), "King", SURRENDER, "wins with the insurance: +0.5"),
        (LAST, "King", HIT, "is even with the insurance: 0"),
        (replace(VEGAS, surrender=Surrender.NONE), "Nine", HIT, "loses with the insurance: -1.5"),
    ],
)
def test_a_hand_and_its_insurance_end_by_their_sum(
    rules: Rules, hole_card: str, answer: Decision, line: str
) -> None:
    cards = f"Ten of Spades, Six of Hearts, Ace of Clubs, {hole_card} of Clubs, Ten of Hearts"
    at, (ann,) = seated(rules, cards)
    at.decide(ann, INSURE, answer)
    assert list(story(at.table))[-1] == f"ann {line}"
    common = for_everybody(at.table, number=1, sequence=1, practice=False, clock=None)
    shown = for_viewer(common, at.table, Viewer(), Hosts(at.table, Leading.NOBODY))
    assert shown["seats"][0]["payoff"] == line.rpartition(": ")[2]
