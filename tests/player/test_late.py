"""Players whose dealer's clock ran out: the next answer is refused in the stead of it, and given again."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cards import PRESETS, Decision
from tests.helpers.peer import AsyncPeer
from tests.player.playing import A_HAND, COURSE, DOUBLE, HIT, STAND, VEGAS, Person, Player, dialogue, plays_at
from twentyone.policies.policy import Situation

HAND = "; ".join(A_HAND)
STOOD = "ERROR no answer came in time: your hand stands as it is"
TOO_LATE = "came too late: the clock had already made that hand stand"
BET_MADE = "ERROR no answer came in time: your bet is 10"


class Idle(Player):
    """Leaves its first question open, and answers those after it."""

    def asked(self, *question: object) -> Decision | None:
        decision = super().asked(*question)  # type: ignore[arg-type]
        return None if len(self.seen) == 1 else decision


# Policies.


async def test_a_policy_repeats_its_answer_once_for_each_question_that_was_taken() -> None:
    dealer = dialogue(f"""
        > JOIN a
        {HAND}; {STOOD}; RESULT LOOSE; {HAND} > HIT
        ERROR HIT {TOO_LATE} > HIT
        ERROR HIT {TOO_LATE}; CARD Five of Clubs; DECISION > STAND
        ERROR STAND {TOO_LATE}; RESULT WIN; QUIT
    """)
    client = await plays_at(dealer, Idle((HIT, HIT, STAND)))
    assert (client.over.result(), client.played) == (None, 2)


async def test_an_answer_that_crosses_the_clock_is_not_repeated() -> None:
    dealer = dialogue(f"""
        > JOIN a
        {HAND} > HIT
        {STOOD}; RESULT LOOSE; {HAND} > STAND
        ERROR HIT {TOO_LATE}; RESULT WIN; QUIT
    """)
    assert (await plays_at(dealer, Player((HIT, STAND)))).over.result() is None


# Persons.


async def hear_table_with_payoffs(peer: AsyncPeer, *lines: str) -> None:
    """Let a person join, and be asked for the rules behind these lines."""
    assert await peer.hear() == "JOIN a"
    await peer.say(*lines)
    assert await peer.hear() == "RULES"
    await peer.say(f"RULES {VEGAS} bets=10-80")


async def test_a_person_is_asked_again_and_what_was_typed_ahead_is_dropped() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say("BEGIN")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {COURSE}", *A_HAND[1:], STOOD, "RESULT LOOSE", *A_HAND)
        await person.is_told("Round 2\n  The dealer shows the Ten of Clubs.\n  Your hand")
        person.types("h", "h", "h")
        assert await peer.hear() == "HIT"
        await peer.say(f"ERROR HIT {TOO_LATE}")
        await person.is_told(f"{TOO_LATE}\n[h]it, [s]tand, [q]uit or ? ")
        person.types("s")
        assert await peer.hear() == "STAND"
        await peer.say("RESULT WIN", "QUIT")

    person = Person()
    await person.plays_at(dealer)
    assert person.human.tally.rounds == 2


async def test_a_person_who_was_late_for_insurance_and_a_bet_is_asked_again() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await hear_table_with_payoffs(peer, "DECISION BET 10 80 1000")
        await person.is_told("Your bet, 10 to 80")
        await peer.say(BET_MADE, "BEGIN", *A_HAND[1:3])
        await peer.say("DEALER Ace of Clubs", "DECISION INSURE DECLINE")
        await peer.say("ERROR no answer came in time: that is taken as DECLINE", "DECISION HIT STAND DOUBLE")
        await person.is_told("[d]ouble, [q]uit")
        person.types("d")
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD Ten of Clubs", "RESULT BUST -20", "DECISION BET 10 80 980")
        await person.is_told("of 980 chips: Enter for 10,")
        await peer.say(BET_MADE, "BEGIN", *A_HAND[1:3])
        await peer.say("DEALER Nine of Clubs", "RESULT LOOSE -10", "DECISION BET 10 80 970")
        await person.is_told("of 970 chips: Enter for 10,")
        person.types("20", "s")
        assert await peer.hear() == "BET 20"
        await peer.say("ERROR BET 20 came too late: the clock had already staked 10")
        await person.is_told("already staked 10\nYour bet, 10 to 80 of 970")
        person.types("40")
        assert await peer.hear() == "BET 40"
        await peer.say("BEGIN", *A_HAND[1:3], "DEALER Six of Clubs", "RESULT WIN +40", "QUIT")

    person = Person()
    client = await person.plays_at(dealer)
    assert (client.stakes.staked, client.stakes.payoff, client.stakes.chips) == (40, 1, 40)
    assert person.human.chips == 10


async def test_a_bet_that_is_refused_as_late_is_not_what_was_staked() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await hear_table_with_payoffs(peer, "DECISION BET 10 80 1000")
        await person.is_told("Your bet, 10 to 80")
        person.types("40")
        assert await peer.hear() == "BET 40"
        await peer.say(BET_MADE, "BEGIN")
        await peer.say("ERROR BET 40 came too late: the clock had already staked 10")
        await peer.say("CARD Ace of Spades", "CARD King of Hearts", "DEALER Two of Clubs", "RESULT WIN +15")
        await peer.say("DECISION BET 10 80 1015")
        await person.is_told("of 1015 chips: Enter for 10,")
        await peer.say("QUIT")

    person = Person()
    client = await person.plays_at(dealer)
    assert (client.stakes.payoff, client.stakes.chips, person.human.chips) == (Fraction(3, 2), 15, 15)


async def test_the_one_refusal_of_show_is_passed_over() -> None:
    person = Person(shows=True)
    await person.plays_at(
        dialogue(f"""
        > JOIN a
        BEGIN > RULES
        RULES {COURSE} > SHOW
        ERROR unknown message 'SHOW'; ERROR unknown message 'SHOW' again; RESULT LOOSE; QUIT
        """)
    )
    assert person.said.count("The dealer says") == 1


# What is noted.


LONGER_HAND = f"{HAND} HIT STAND DOUBLE"
ASKED = Situation((6, 10), 10, False, (HIT, STAND, DOUBLE))
LATER = Situation((2, 6, 10), 10, False, (HIT, STAND))


@pytest.mark.parametrize(
    ("player", "game", "noted"),
    [
        (Idle((HIT,)), f"{LONGER_HAND}; {STOOD}; RESULT LOOSE -1; QUIT", [(ASKED, STAND)]),
        (
            Player((HIT,)),
            f"{LONGER_HAND} > HIT\n {STOOD}; RESULT LOOSE -1; ERROR HIT {TOO_LATE}; QUIT",
            [(ASKED, STAND)],
        ),
        (
            Idle((HIT, HIT, STAND)),
            f"""{LONGER_HAND}; {STOOD}; RESULT LOOSE -1; {LONGER_HAND} > HIT
            ERROR HIT {TOO_LATE} > HIT
            CARD Two of Clubs; DECISION HIT STAND > STAND
            RESULT LOOSE -1; QUIT""",
            [(ASKED, HIT), (LATER, STAND)],
        ),
    ],
    ids=["what the clock has decided", "an answer that crosses the clock", "an answer that is given again"],
)
async def test_what_was_carried_out_is_noted_once(
    player: Player, game: str, noted: list[tuple[Situation, Decision]]
) -> None:
    client = await plays_at(dialogue("> JOIN a", game), player, PRESETS["vegas"])
    assert (client.over.result(), client.decided) == (None, noted)
