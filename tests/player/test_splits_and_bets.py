"""Players who split and bet: the client and a person at scripted dealers, the command at real ones."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from cards import HIT_OR_STAND, PRESETS, Bets, Decision, EveryRound, HoleCard, Rules, Surrender
from player.bets import better_for, parse_bet
from player.human import MAX_AHEAD
from tests.helpers.house import open_house
from tests.helpers.patience import eventually
from tests.helpers.peer import AsyncPeer
from tests.helpers.remote import following, on_a_thread
from tests.player.playing import (
    A_HAND,
    COURSE,
    DECLINE,
    DOUBLE,
    HIT,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    VEGAS,
    Person,
    Player,
    dialogue,
    plays_at,
)
from tests.player.typed import play, player, sentence
from twentyone.policies.policy import Observation, Situation

PLAY = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)

STOOD = "ERROR no answer came in time: your hand stands as it is"

EUROPE = replace(PRESETS["europe"], decks=None, reshuffle=EveryRound())
"""The rules with splits whose exact values take the least time."""

ASKS_FIRST = replace(EUROPE, hole_card=HoleCard.PEEK, insurance=True, surrender=Surrender.EARLY)
"""The same with questions before the hands are played, whose answers cost something too."""


# The client.


ROUND_OF_SPLITS = """
    > JOIN a
    SHUFFLE; DECISION BET 10 80 1000; NEWS of something to come > BET 20
    BEGIN; CARD Eight of Spades; CARD Eight of Hearts; DEALER Six of Clubs
    DECISION HIT STAND DOUBLE SPLIT SURRENDER > SPLIT
    HAND 1 2; CARD Eight of Clubs; DECISION HIT STAND DOUBLE SPLIT > SPLIT
    HAND 1 3; CARD Three of Clubs; DECISION HIT STAND DOUBLE > DOUBLE
    CARD Ten of Clubs; HAND 2 3; CARD Ten of Hearts; DECISION HIT STAND DOUBLE > STAND
    HAND 3 3; CARD King of Hearts; DECISION HIT STAND DOUBLE > STAND
    DEALER Ten of Diamonds; DEALER Three of Spades
    HAND 1 3 WIN +40; HAND 2 3 LOOSE -20; HAND 3 3 LOOSE -20; RESULT PUSH 0; QUIT
"""


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
async def test_a_round_of_splits(wire_format: str) -> None:
    player = Player((SPLIT, SPLIT, DOUBLE, STAND, STAND), (20,))
    client = await plays_at(dialogue(ROUND_OF_SPLITS), player, PRESETS["vegas"], wire_format)
    assert client.over.result() is None
    assert player.events == [
        *("shuffled", "bet 10 to 80 of 1000", "began"),
        *("dealt Eight of Spades", "dealt Eight of Hearts", "saw Six of Clubs", "asked hard 16 against 6"),
        *("hand 0 of 2: [8, 8]", "dealt Eight of Clubs", "asked hard 16 against 6"),
        *("hand 0 of 3: [8, 8, 8]", "dealt Three of Clubs", "asked hard 11 against 6"),
        "dealt Ten of Clubs",
        *("hand 1 of 3: [21, 8, 8]", "dealt Ten of Hearts", "asked hard 18 against 6"),
        *("hand 2 of 3: [21, 18, 8]", "dealt King of Hearts", "asked hard 18 against 6"),
        *("dealer Ten of Diamonds", "dealer Three of Spades"),
        *("hand 0 WIN 40", "hand 1 LOSE -20", "hand 2 LOSE -20"),
        "settled PUSH with 21",
    ]
    assert [seen.pair for seen in player.seen] == [8, 8, 0, 0, 0]
    assert client.decided == [
        (Situation((8, 8), 6, False, PLAY), SPLIT),
        (Situation((8, 8), 6, True, PLAY[:-1]), SPLIT),
        (Situation((3, 8), 6, True, PLAY[:-2]), DOUBLE),
        *[(Situation((8, 10), 6, True, PLAY[:-2]), STAND)] * 2,
    ]
    assert player.seen[0].options == PLAY
    assert player.paid == [(0, 0)]


async def test_insurance_a_natural_and_chips_that_are_not_whole() -> None:
    dealer = dialogue("""
        > JOIN a
        DECISION BET 5 80 1000 > BET 5
        BEGIN; CARD Ace of Spades; CARD King of Hearts; DEALER Ace of Clubs; DECISION INSURE DECLINE > INSURE
        DEALER Nine of Clubs; RESULT WIN +5; DECISION BET 5 80 1005 > BET 7
        BEGIN; CARD Ace of Spades; CARD King of Hearts; DEALER Two of Clubs
        DEALER Nine of Clubs; RESULT WIN +10.5; QUIT
    """)
    player = Player((INSURE,), (5, 7))
    assert (await plays_at(dealer, player)).over.result() is None
    assert player.seen == [Observation(21, True, 11, 0, (INSURE, DECLINE))]
    assert player.paid == [(1, 5), (Fraction(3, 2), Fraction(21, 2))]


async def test_a_pair_is_seen_where_it_may_be_given_up_before_the_peek() -> None:
    dealer = dialogue("""
        > JOIN a
        BEGIN; CARD Eight of Spades; CARD Eight of Hearts; DEALER Ace of Clubs
        DECISION SURRENDER DECLINE > SURRENDER
        RESULT SURRENDER -0.5; QUIT
    """)
    player = Player((SURRENDER,))
    await plays_at(dealer, player, PRESETS["vegas"])
    assert player.seen == [Observation(16, False, 11, 8, (SURRENDER, DECLINE))]


# A person.

BEHIND_A_BET = f"""
    > JOIN a
    DECISION BET 10 80 1000 > RULES
    RULES {VEGAS} bets=10-80 > SHOW
    > BET 20
"""


def without_bets(rules: str) -> str:
    """How a game begins at a table that asks for no bets, with somebody who asks for the dealer's cards."""
    return f"""
    > JOIN a
    BEGIN > RULES
    RULES {rules} > SHOW
"""


async def test_a_person_plays_a_round_of_hit_and_stand() -> None:
    dealer = dialogue("""
        > JOIN a
        BEGIN; CARD Ace of Spades; CARD Two of Hearts; DEALER Six of Clubs; DECISION > HIT
        CARD Nine of Clubs; DECISION > STAND
        RESULT WIN; BEGIN; CARD Ten of Spades; CARD Two of Hearts; DEALER Six of Clubs; DECISION > QUIT
    """)
    person = Person()
    person.types("\ufeff?", " H ", "perhaps", "stand", "q")
    await person.plays_at(dealer, "classic")
    person.was_told(
        *("Round 1", "The dealer shows the Six of Clubs."),
        "Your hand: Ace of Spades, Two of Hearts: soft 13.",
        "h  HIT: one more card.",
        *("You get the Nine of Clubs.", "Nine of Clubs: hard 12."),
        "'perhaps' is not an answer: expected h, s, q or ?",
        "You win with 12. Score: 1 won, 0 pushed, 0 lost.",
        *("Round 2", "You leave an open hand, which is lost."),
    )
    assert person.human.tally.rounds == 2


async def test_a_person_plays_with_every_option() -> None:
    game = """
        BEGIN; CARD Eight of Spades; CARD Eight of Hearts; DEALER Ace of Clubs
        DECISION INSURE DECLINE > DECLINE
        DECISION HIT STAND DOUBLE SPLIT SURRENDER > SPLIT
        HAND 1 2; CARD Ten of Spades; DECISION HIT STAND DOUBLE > STAND
        HAND 2 2; CARD Three of Spades; DECISION HIT STAND DOUBLE > DOUBLE
        CARD Nine of Diamonds; DEALER Eight of Clubs
        HAND 1 2 LOOSE -20; HAND 2 2 WIN +40; RESULT WIN +20; DECISION BET 10 80 1020 > BET 20
        BEGIN; CARD Ace of Spades; CARD King of Hearts; DEALER Two of Clubs
        DEALER Nine of Clubs; RESULT WIN +30; SHUFFLE; DECISION BET 10 80 1050 > BET 80
        BEGIN; CARD Ten of Spades; CARD Six of Hearts; DEALER Ten of Clubs
        DECISION HIT STAND DOUBLE SURRENDER > QUIT
    """
    person = Person(shows=True)
    person.types("5", "20", "s", "n", "?", "p", "s", "d", "", "80", "q")
    await person.plays_at(dialogue(BEHIND_A_BET, game))
    person.was_told(
        "Your bet, 10 to 80 of 1000 chips: Enter for 10, [q]uit or ? 5",
        "'5' is not an answer: expected 10 to 80, q or ?",
        *("Round 1", "Your hand: Eight of Spades, Eight of Hearts: hard 16."),
        *("[i]nsure, [n]o, [q]uit or ? s", "'s' is not an answer: expected i, n, q or ?"),
        "[i]nsure, [n]o, [q]uit or ? n",
        "[h]it, [s]tand, [d]ouble, s[p]lit, su[r]render, [q]uit or ? ?",
        "p  SPLIT: two hands of this pair, each with a stake of its own.",
        *("Hand 1 of 2: Eight of Spades.", "You get the Ten of Spades."),
        "[h]it, [s]tand, [d]ouble, [q]uit or ? s",
        *("Hand 2 of 2: Eight of Hearts.", "You get the Nine of Diamonds."),
        "The dealer has the Ace of Clubs and the Eight of Clubs: 19.",
        "Hand 1, Eight of Spades, Ten of Spades: hard 18: lose, -20 chips.",
        "Hand 2, Eight of Hearts, Three of Spades, Nine of Diamonds: hard 20: win, +40 chips.",
        "You win. Payoff +20 chips. Score: 1 won, 0 pushed, 0 lost. In all +20 chips.",
        "Your hand: Ace of Spades, King of Hearts: soft 21.",
        "The dealer has the Two of Clubs and the Nine of Clubs: 11.",
        "You win with a natural. Payoff +30 chips.",
        "The cards are shuffled.",
        "Your bet, 10 to 80 of 1050 chips: Enter for 20, [q]uit or ? 80",
        "You leave an open hand, which is lost.",
    )
    assert (person.human.chips, person.human.tally.rounds) == (-30, 3)


async def test_every_decision_of_a_person_is_recorded_the_clocks_too() -> None:
    # The clock runs out in one message, so that the next line that was typed is no answer to this question.
    game = f"""
        CARD Eight of Spades; CARD Eight of Hearts; DEALER Ace of Clubs; DECISION INSURE DECLINE > INSURE
        DECISION HIT STAND DOUBLE SPLIT SURRENDER > SPLIT
        HAND 1 2; CARD Ten of Spades; DECISION HIT STAND DOUBLE > HIT
        CARD Two of Spades; DECISION HIT STAND > STAND
        HAND 2 2; CARD Three of Spades; DECISION HIT STAND DOUBLE; {STOOD}; DEALER Eight of Clubs
        HAND 1 2 WIN +1; HAND 2 2 LOOSE -1; RESULT LOOSE -0.5
        BEGIN; CARD Ten of Spades; CARD Six of Hearts; DEALER Ten of Clubs
        DECISION HIT STAND DOUBLE SURRENDER > SURRENDER
        DEALER Eight of Clubs; RESULT SURRENDER -0.5; QUIT
    """
    person = Person(shows=True)
    person.types("i", "p", "h", "s", "r")
    await person.plays_at(dialogue(without_bets(VEGAS), game))
    first = (
        (Situation((8, 8), 11, False, (INSURE, DECLINE)), INSURE),
        (Situation((8, 8), 11, False, PLAY), SPLIT),
        (Situation((8, 10), 11, True, PLAY[:3]), HIT),
        (Situation((2, 8, 10), 11, True, PLAY[:2]), STAND),
        (Situation((3, 8), 11, True, PLAY[:3]), STAND),
    )
    second = ((Situation((6, 10), 10, False, (*PLAY[:3], SURRENDER)), SURRENDER),)
    assert person.human.record.answered == Counter([first, second])


async def test_a_planned_bet_and_a_hand_that_busts_are_told() -> None:
    game = """
        BEGIN; CARD Ten of Spades; CARD Nine of Hearts; DEALER Ten of Clubs
        DECISION HIT STAND DOUBLE > DOUBLE
        CARD King of Hearts; RESULT BUST -40; QUIT
    """
    person = Person(shows=True, better_for=partial(better_for, parse_bet("20"), pytest.fail))
    person.types("d")
    await person.plays_at(dialogue(BEHIND_A_BET, game))
    person.was_told("You bet 20 of 1000 chips.", "You get the King of Hearts. 29: bust.")
    assert person.human.chips == -40


@pytest.mark.parametrize(
    ("cards", "dealer_card", "result", "told"),
    [
        ("Five Four", "King", "PUSH 0", "You lose with 9. The insurance wins: +20. Payoff 0 chips."),
        ("Ace King", "King", "WIN +20", "Push with a natural: nobody wins. The insurance wins: +20."),
        ("King Queen", "Nine", "LOOSE -10", "Push with 20: nobody wins. The insurance loses: -10."),
        ("King Queen", "Eight", "WIN +10", "You win with 20. The insurance loses: -10. Payoff +10 chips."),
    ],
)
async def test_the_hand_and_its_insurance_are_told_each(
    cards: str, dealer_card: str, result: str, told: str
) -> None:
    first, second = cards.split()
    game = f"""
        BEGIN; CARD {first} of Spades; CARD {second} of Spades; DEALER Ace of Clubs
        DECISION INSURE DECLINE > INSURE
        DEALER {dealer_card} of Clubs; RESULT {result}; QUIT
    """
    person = Person(shows=True)
    person.types("20", "i")
    await person.plays_at(dialogue(BEHIND_A_BET, game))
    person.was_told(told)


async def test_a_person_is_told_what_the_dealer_has_at_a_table_of_hit_and_stand_too() -> None:
    game = """
        CARD Ten of Spades; CARD Six of Hearts; DEALER Ten of Clubs; DECISION > STAND
        DEALER Six of Clubs; DEALER Ten of Hearts; RESULT WIN; QUIT
    """
    person = Person(shows=True)
    person.types("s")
    await person.plays_at(dialogue(without_bets(str(COURSE)), game))
    person.was_told(
        "The dealer has the Ten of Clubs, the Six of Clubs and the Ten of Hearts: 26, bust.",
        "You win with 16. Score: 1 won, 0 pushed, 0 lost.",
    )
    stood = Situation((6, 10), 10, False, HIT_OR_STAND), Decision.STAND
    assert person.human.record.answered == {(stood,): 1}


@pytest.mark.parametrize("typed", [(), ("h",), None], ids=["nothing", "h", "Ctrl-C"])
async def test_the_end_of_input_and_ctrl_c_leave_an_open_hand(typed: tuple[str, ...] | None) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say(*A_HAND)
        if typed:
            assert await peer.hear() == "HIT"
            await peer.say("CARD Two of Clubs", "DECISION")
        if typed is None:
            await person.is_told("Your hand")
            person.human.interrupt()
        assert await peer.hear() == "QUIT"

    person = Person()
    if typed is not None:
        person.types(*typed)
        person.types_no_more()
    await person.plays_at(dealer, "classic")
    person.was_told("You leave an open hand, which is lost.")
    assert (person.human.tally.rounds, person.human.tally.losses) == (1, 1)


async def test_after_the_end_of_input_no_further_round_begins() -> None:
    dealer = dialogue(f"""
        > JOIN a
        {"; ".join(A_HAND)} > STAND
        RESULT WIN > QUIT
    """)
    person = Person()
    person.types("s")
    person.types_no_more()
    await person.plays_at(dealer, "classic")
    assert (person.human.tally.rounds, person.human.tally.losses) == (1, 0)


class EndlessInput:
    """A pipe that has no end until it is closed; counts the lines that are read from it."""

    def __init__(self) -> None:
        self.read = 0
        self.is_closed = False

    def __iter__(self) -> Iterator[str]:
        while not self.is_closed:
            self.read += 1
            yield "s\n"


async def test_a_pipe_is_read_only_as_far_as_the_game_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    person, pipe = Person(), EndlessInput()
    monkeypatch.setattr(sys, "stdin", pipe)
    person.human.listen()
    assert await asyncio.to_thread(eventually, lambda: pipe.read == MAX_AHEAD + 1)
    person.human._may_read.release()
    assert await asyncio.to_thread(eventually, lambda: pipe.read == MAX_AHEAD + 2)
    pipe.is_closed = True
    person.human._may_read.release()


# The command.


@pytest.mark.parametrize(("policy", "typed"), [("threshold:12", ""), ("human", "10\ns\n10\n")])
def test_who_cannot_pay_the_least_bet_any_more_is_told_so(tmp_path: Path, policy: str, typed: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("DECISION BET 10 15 15")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {replace(EUROPE, bets=Bets(10, 80), bankroll=1_000)}")
        assert [await peer.hear() for _ in range(1 + bool(typed))][-1] == "BET 10"  # behind SHOW
        await peer.say(*A_HAND[:-1], "DECISION HIT STAND")
        assert await peer.hear() == "STAND"
        await peer.say("RESULT LOOSE -10", "QUIT")

    with on_a_thread(following(dealer)) as port:
        done = play(tmp_path, port, f"--policy={policy}", typed=typed)
    told = "player: you have 5 chips, and the least bet is 10: the dealer ends the game\n"
    assert (done.status, done.err) == (0, told)
    assert "won in all: -10 chips\n" in done.out
    assert "EV lost per decision" in done.out and ("rounds/s" in done.out) == (policy != "human")


@pytest.mark.parametrize(
    ("rules", "policy", "options"),
    [
        (EUROPE, "basic", ()),
        (replace(ASKS_FIRST, bets=Bets(5, 50), bankroll=10_000), "random", ("--bet=15",)),
        pytest.param(PRESETS["vegas"], "qtable", (), marks=pytest.mark.check),
        pytest.param(PRESETS["reno"], "random", (), marks=pytest.mark.check),
    ],
)
def test_policies_play_at_a_real_dealer(
    tmp_path: Path, rules: Rules, policy: str, options: tuple[str, ...]
) -> None:
    with open_house(rules=rules, seed=1) as house:
        done = play(tmp_path, house.port, f"--policy={policy}", "--rounds=60", "--seed=1", "--json", *options)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert (document["rounds"], document["rules"]["preset"]) == (60, rules.preset)
    assert document["no_exact_value"] is None
    assert document["ev_lost"]["rounds"] == 60, "no round was one that the rules do not allow"
    assert -0.4 < document["exact"]["value"] < 0
    assert (document["exact"]["gap"] == 0) == (policy == "basic")
    assert ("chips" in document) == (rules.bets is not None)
    assert document["mean_payoff"] * 120 == pytest.approx(round(document["mean_payoff"] * 120))
    if "--bet=15" in options:
        assert document["chips"] == pytest.approx(15 * 60 * document["mean_payoff"])
    assert ("playing by the table" in done.err) == (policy == "qtable")


def test_a_bet_that_the_dealer_does_not_ask_for_ends_the_game_before_it_begins(tmp_path: Path) -> None:
    dealer = dialogue(f"""
        > JOIN player1
        {"; ".join(A_HAND)} HIT STAND DOUBLE SURRENDER > RULES
        RULES {VEGAS} > QUIT
    """)
    with on_a_thread(following(dealer)) as port:
        done = play(tmp_path, port, "--bet=count:1-8", "--policy=threshold:12")
    assert done.status == 1
    assert "--bet count:1-8 makes no sense at this table" in done.err


def test_a_bet_that_a_table_of_ones_own_does_not_ask_for_is_refused(tmp_path: Path) -> None:
    asks_for_none = "--bet 5 makes no sense at this table: it asks for no bets"
    assert asks_for_none in sentence(player(tmp_path, "--local", "--bet=5", "--policy=random"), 1)
    assert "--bet five is not a bet" in sentence(player(tmp_path, "--local", "--bet=five"), 2)
