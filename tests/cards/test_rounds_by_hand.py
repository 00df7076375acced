"""Rounds that were played by hand, each beside the rule that it shows, played twice."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

import pytest

from cards import Card, Decision, Rank, parse_card
from tests.cards.twice import play_twice
from tests.helpers.drawn import Drawn
from tests.helpers.reference import FORFEIT, Action, Options, Played, is_legal

RANKS: Final = dict(zip("A23456789TJQK", Rank, strict=True))
WORDS: Final = dict(zip("HSDPRIN", (each.name for each in Decision), strict=True))


class Case(NamedTuple):
    """A round of clubs.

    Attributes:
        cards: the ranks in the order in which they are dealt, every one of them.
        rules: those that are not at their first values.
        answers: what is decided, by the letters of `WORDS`; a digit is the number of a seat that forfeits.
        asks: what may be decided at each question, by the same letters.
        gets: the outcome and the payoff of each seat.
        hands: the payoffs of the hands of the only seat that has split.
        ends: what happens last, by the names of events.
        means: what each seat can stake, where that is limited.
        plain: the seats that are offered HIT and STAND only.
    """

    cards: str
    rules: str = ""
    answers: str = ""
    asks: str | None = None
    gets: str | None = None
    hands: str | None = None
    ends: str | None = None
    seats: int = 1
    means: Fraction | int | None = None
    plain: tuple[int, ...] = ()


PEEK: Final = "naturals=3:2 hole-card=peek"
EARLY: Final = f"surrender=early {PEEK}"
INSURE: Final = f"insurance=yes {PEEK}"
SPLIT: Final = "split=2 double=any double-after-split=yes"
FOUR: Final = "split=4 double=any double-after-split=yes"
ACES: Final = "split=3 split-aces=play double=any double-after-split=yes"
MEANS: Final = "insurance=yes naturals=3:2 split=4 double=any"
BOTH: Final = "hand settled, hand settled"
LAST: Final = "revealed, settled"
TURNED: Final = f"peeked, {LAST}"

CASES: Final = {
    "without payoffs a bust is settled at once and the hole card stays down": [
        Case("T 6 5 5 K", "", "H", "HS", "BUST -1", ends="hole card, asked, decided, card, settled")
    ],
    "without payoffs a natural is asked": [
        Case("A K 7 7 7", "", "S", "HS", "PUSH 0"),
        Case("A K 7 7 7", "naturals=beat", "S", "HS", "WIN 1"),
    ],
    "a natural at a ratio is asked nothing, and the dealer does not draw": [
        Case("A K 9 6", f"naturals={ratio}", "", "", f"WIN {paid}", ends="hole card, revealed, settled")
        for ratio, paid in (("1:1", "1"), ("6:5", "6/5"), ("3:2", "3/2"), ("2:1", "2"))
    ],
    "a player's natural pushes a dealer's, which pushes any other 21": [
        Case("A K A K", "naturals=player", "S", "HS", "PUSH 0"),
        Case("7 7 A K 7", "naturals=player", "H S", gets="PUSH 0"),
        Case("T 9 A K", "naturals=player", "S", gets="LOSE -1"),
        Case("A K 7 7 7", "naturals=player", "S", gets="WIN 1"),
        Case("5 6 A K T", "naturals=player double=any", "D", "HSD", "PUSH 0"),
        Case("A A A K K K", "naturals=player split=2", "P", gets="PUSH 0", hands="0 0"),
    ],
    "a natural beats a 21 that the dealer draws to": [
        Case("A K 9 8 7 7 7", "naturals=3:2", "S", gets="WIN 3/2, LOSE -1", seats=2)
    ],
    "two naturals push, under obo too": [
        Case("A K A K", "naturals=3:2", gets="PUSH 0"),
        Case("A K T A", "naturals=3:2 hole-card=obo", gets="PUSH 0"),
        Case("A K T A", "naturals=beat hole-card=obo", "S", gets="PUSH 0"),
    ],
    "a 21 of a split hand is no natural": [
        Case("A A 7 7 K K 7", "naturals=3:2 split=2", "P", gets="PUSH 0"),
        Case("T T 5 6 A 2 T T", "naturals=3:2 split=4", "P S H", hands="0 -1"),
    ],
    "a natural that beats is asked like any other hand": [
        Case("A K 7 7 5 7", "naturals=beat double=any", "D", "HSD", "LOSE -2"),
        Case("A K 7 7 7", "naturals=beat double=any", "S", "HSD", "WIN 1"),
    ],
    "a hand over 21 as dealt is asked nothing and settled at the end": [
        Case("A A A 6", f"ace=11 insurance=yes {EARLY}", "", "", "BUST -1", ends=TURNED)
    ],
    # Doubling.
    "two cards of some totals may be doubled": [
        Case(f"{hand} T 7", f"double={double} surrender=early", "S", f"HS{'D' * (hand in hands)}R")
        for double, hands in {
            "any": ("2 3", "2 6", "2 7", "4 6", "5 6", "5 7", "A 8", "A K"),
            "9-11": ("2 7", "4 6", "5 6"),
            "10-11": ("4 6", "5 6"),
            "none": (),
        }.items()
        for hand in ("2 3", "2 6", "2 7", "4 6", "5 6", "5 7", "A 8", "A K")
    ],
    "more cards may be doubled always alone": [
        *(
            Case("2 3 T 7 5", f"double={double}", "H S", "HS" + "D" * (double == "any") + " HS")
            for double in ("any", "9-11", "10-11")
        ),
        Case("2 3 T 7 5 T", "double=always", "H D", "HSD HSD", "WIN 2"),
    ],
    "an ace that only counts 1 is doubled as a hard 9": [Case("A 8 T 7", "double=9-11 ace=1", "S", "HSD")],
    "a doubled hand gets one card and may bust for two": [
        Case("T 6 T 7 9", "double=any", "D", gets="BUST -2")
    ],
    # Splitting.
    "a pair is split to four hands with a double in one of them": [
        Case(
            "8 8 6 T 8 3 T 8 T T T T 2",
            FOUR,
            "P P D P S S H",
            "HSDP HSDP HSD HSDP HSD HSD HSD",
            "WIN 1",
            "2 0 0 -1",
        )
    ],
    "king and queen are a pair, and no more hands are made than the rules say": [
        Case("K Q T 7 K J", "split=2", "P S S", "HSP HS HS")
    ],
    "a hand of a split is not doubled without the rule and never surrendered": [
        Case("8 8 T 7 3 T", "split=2 double=always surrender=early", "P S S", "HSDPR HS HS")
    ],
    "split aces get one card each": [
        Case("A A T 7 A 9", "split=4 double=always double-after-split=yes", "P", "HSDP", hands="-1 1")
    ],
    "split aces may be split again, and HIT is taken as STAND": [
        Case("A A T 7 A 9 A 5", "split=4 split-aces=again", "P P H", "HSP SP SP", hands="1 -1 -1"),
        Case("A A T 7 A A", "split=2 split-aces=again", "P", "HSP"),
        Case("A A T 7 A A", "split=4 split-aces=again", "P", "HSP", means=2),
    ],
    "split aces may be hands like any other": [
        Case("A A T 7 A 9 5 3 6 2", ACES, "P P S H S D", "HSDP HSDP HSD HSD HS HSD")
    ],
    # Surrender and insurance.
    "late surrender is too late against a natural": [
        Case("T 6 T A", f"surrender=late {PEEK}", "", "", "LOSE -1", ends=TURNED)
    ],
    "late surrender is the first decision and gives up half": [
        Case("T 6 T 6", f"surrender=late {PEEK}", "R", "HSR", "SURRENDER -1/2"),
        Case("T 2 T 7 2", f"surrender=late {PEEK}", "H S", "HSR HS"),
    ],
    "early surrender loses half against a natural, and HIT is taken as DECLINE": [
        Case(f"T 6 T 7 {up} {hole}", EARLY, "R H", "RN RN", "SURRENDER -1/2, LOSE -1", seats=2)
        for up, hole in ("AT", "TA")
    ],
    "early surrender is offered once, and not against an insured or unpaid natural": [
        Case("T 6 T 7", EARLY, "N S", "RN HS"),
        Case("A K T 7", EARLY, "", ""),
        Case("A K T 7", "surrender=early naturals=beat hole-card=peek", "R", "RN"),
    ],
    "early surrender is an ordinary decision where the dealer does not peek": [
        Case("T 6 9 8", EARLY, "R", "HSR"),
        *(
            Case("T 6 A T", f"surrender=early naturals=3:2 hole-card={hole}", "R", "HSR", "SURRENDER -1/2")
            for hole in ("last", "obo")
        ),
    ],
    "insurance pays two to one": [
        *(
            Case(f"T {hand} A 7", f"naturals=3:2 insurance=yes hole-card={hole}", "I S", "IN HS", gets)
            for hole in ("last", "peek", "obo")
            for hand, gets in (("9", "WIN 1/2"), ("8", "LOSE -1/2"), ("7", "LOSE -3/2"))
        ),
        Case("T 9 A T", "naturals=3:2 insurance=yes", "I S", "IN HS", "PUSH 0"),
        Case("T 9 A T", "naturals=3:2 insurance=yes hole-card=obo", "I S", "IN HS", "PUSH 0"),
        Case("T 9 A T", INSURE, "I", "IN", "PUSH 0"),
    ],
    "an insured natural is even money": [
        Case("A K A T", INSURE, "I", gets="WIN 1"),
        Case("A K A 9", INSURE, "I", gets="WIN 1"),
    ],
    "a seat that busts and wins its insurance is bust and loses nothing": [
        Case("T 6 A T T", "insurance=yes naturals=3:2", "I H", gets="BUST 0")
    ],
    "insurance is asked before surrender, and both are paid": [
        Case("T 6 A T", f"insurance=yes {EARLY}", "I R", "IN RN", "SURRENDER 1/2")
    ],
    "there is no insurance against a ten": [Case("T 7 T 7", INSURE, "S", "HS")],
    # The hole card.
    "a natural that is looked at last takes every stake, and under obo the original bet only": [
        Case("8 8 T A 3 T T T", f"naturals=3:2 {SPLIT}", "P D H", gets="LOSE -3"),
        Case("8 8 T A 3 T T T", f"naturals=3:2 hole-card=obo {SPLIT}", "P D H", None, "LOSE -1", "-1 0"),
        Case("8 8 T 7 3 T T T", f"naturals=3:2 hole-card=obo {SPLIT}", "P D H", None, "WIN 1"),
    ],
    "where the dealer does not peek nobody is told of a natural": [
        Case("T 9 A T", f"naturals=3:2 hole-card={hole}", "S", ends=f"hole card, asked, decided, {LAST}")
        for hole in ("last", "obo")
    ],
    "the dealer turns its card in every round, and draws only against a hand that stands": [
        Case("T 6 5 5 T", "surrender=early", "H", ends="card, revealed, settled"),
        Case("T 6 5 5", "surrender=early", "R", ends="decided, revealed, settled"),
        Case("T 6 5 5 T", "surrender=early", "S", ends="decided, revealed, drew, settled"),
    ],
    # Forfeits.
    "a forfeit in the middle of split hands costs the stakes on the table": [
        Case(
            "8 8 T 7 3 T T", SPLIT, "P D 0", None, "LOSE -3", "-2 -1", f"forfeited, {BOTH}, settled, revealed"
        )
    ],
    "insurance is forfeited with the hand": [Case("T 9 A 7", INSURE, "I 0", gets="LOSE -3/2")],
    "a hand that has been given up is forfeited for half, and a bust for all until it is settled": [
        Case("T 6 T 7 T 7", "surrender=early", "R 0 S", gets="LOSE -1/2, PUSH 0", seats=2),
        Case("T 6 T 7 T 7 T", "surrender=early", "H 0 S", gets="LOSE -1, PUSH 0", seats=2),
    ],
    "who has forfeited is asked nothing more": [
        Case("T 6 T 7 A 7", f"insurance=yes {EARLY}", "1 N N S", "IN RN HS", seats=2)
    ],
    # What a seat can pay, and what it understands.
    "nothing is offered that is not covered": [
        Case("8 8 A 7", MEANS, "S", "HS", means=1),
        Case("8 8 A 7", MEANS, "I S", "IN HS", means=Fraction(3, 2)),
        Case("8 8 A 7", MEANS, "I S", "IN HS", means=2),
        Case("8 8 A 7", MEANS, "I S", "IN HSDP", means=Fraction(5, 2)),
        Case("8 8 A 7", MEANS, "I S", "IN HSDP"),
    ],
    "a plain seat is offered HIT and STAND only": [
        Case("8 8 A 7", f"insurance=yes split=4 double=always {EARLY}", "S", "HS", plain=(0,))
    ],
}


def cards_of(text: str) -> list[Card]:
    """Cards of clubs, by the characters of their ranks."""
    return [parse_card(f"{RANKS[rank].title} of Clubs") for rank in text.split()]


def play(case: Case) -> Played:
    """Play a round, in which every card is dealt and every answer is asked for."""
    left = case.answers.split()

    def act(seat: int, hand: int, options: Options) -> Action:
        answer = left.pop(0)
        return (FORFEIT, int(answer)) if answer.isdigit() else WORDS[answer]

    fields = dict(rule.split("=") for rule in case.rules.split())
    assert is_legal(fields)
    cards = cards_of(case.cards)
    played = play_twice(Drawn(fields, [case.means] * case.seats, [*case.plain], cards), act)
    assert (left, played.dealt) == ([], len(cards)), "every answer was asked for, and every card dealt"
    return played


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_a_round_by_hand(cases: list[Case]) -> None:
    for case in cases:
        played = play(case)
        if case.asks is not None:
            asked = [event[3] for event in played.events if event[0] == "asked"]
            assert asked == [tuple(WORDS[letter] for letter in each) for each in case.asks.split()], case
        if case.gets is not None:
            expected = [each.split() for each in case.gets.split(", ")]
            found = [[str(seat.outcome), str(seat.payoff)] for seat in played.seats]
            assert found == expected, case
        if case.hands is not None:
            assert " ".join(str(hand.payoff) for hand in played.seats[0].hands) == case.hands, case
        if case.ends is not None:
            ends = case.ends.split(", ")
            assert [event[0] for event in played.events][-len(ends) :] == ends, case
