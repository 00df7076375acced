"""What a dealer remembers: a tally for each seat, under a name that tells it from others of that name."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cards import PRESETS, Decision, Outcome, Round, Rules, StackedShoe
from dealer.tables import ledger
from dealer.tables.ledger import OTHERS, Ledger
from dealer.tables.seat import Seat
from tests.helpers.house import stacked
from tests.helpers.rounds import played


def seats(*names: str) -> list[Seat]:
    return [Seat(name) for name in names]


def shown(book: Ledger) -> list[tuple[str, int]]:
    return [(row.name, row.tally.rounds) for row in book.rows()]


def test_every_hand_is_counted_at_its_seat_and_in_all() -> None:
    book = Ledger()
    ann, bob, second, third = seats("ann", "bob", "ann", "ann")
    book.add(played(Rules(seats=3), 4, "h"), [ann, bob, second])
    book.add(played(Rules(), 5), [ann])
    book.add(played(Rules(), 6), [third])
    # Nobody plays into another's row. Rows are sorted by their rounds and then by the alphabet.
    assert shown(book) == [("ann", 2), ("ann (2)", 1), ("ann (3)", 1), ("bob", 1)]
    assert [seat.label for seat in (ann, bob, second, third)] == ["ann", "bob", "ann (2)", "ann (3)"]
    assert [seat.name for seat in (ann, bob, second)] == ["ann", "bob", "ann"]
    tallies = [row.tally for row in book.rows()]
    assert book.everybody.counts == {
        outcome: sum(tally.counts[outcome] for tally in tallies) for outcome in Outcome
    }


def test_so_many_seats_have_rows_and_the_others_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_ROWS", 2)
    book = Ledger()
    ann, bob, carl, dora = seats("ann", "bob", "carl", "dora")
    for seat in (ann, bob, carl, dora, ann):
        book.add(played(Rules(), 1), [seat])
    assert shown(book) == [("ann", 2), (OTHERS, 2), ("bob", 1)]
    assert book.everybody.rounds == 5


def test_payoffs_of_parts_of_a_bet_are_counted_exactly() -> None:
    book = Ledger()
    (ann,) = seats("ann")
    natural = "Ace of Spades, Ten of Spades, Nine of Hearts, Nine of Clubs"
    sixteen = "Ten of Spades, Six of Spades, Ten of Hearts, Nine of Clubs"
    for cards in (natural, sixteen):
        round_ = Round(PRESETS["vegas"], StackedShoe(stacked(cards)))
        round_.deal()
        if round_.turn is not None:
            round_.decide(0, Decision.SURRENDER)
        book.add(round_, [ann])
    (row,) = book.rows()
    assert row.tally.total_payoff == 1  # 3/2 and -1/2
    assert row.tally.counts[Outcome.SURRENDER] == 1
    assert row.bankroll is None  # nobody has asked for bets


def test_the_chips_of_a_seat_are_those_after_its_last_round() -> None:
    book = Ledger()
    ann, bob = seats("ann", "bob")
    ann.buy_in(500)
    ann.stake(10)
    ann.pay(Fraction(3, 2))
    book.add(played(Rules(seats=2), 4), [ann, bob])
    assert [(row.name, row.bankroll) for row in book.rows()] == [("ann", 515), ("bob", None)]
