"""What a player knows of its rounds and chips, by nothing but the lines of its conversation.

It is written from the specification alone, and shares no code with the dealer or the project's own players.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from tests.replaced.seat import BEFORE_KEEP, EARLY, Ended, Seat, ended_by

CLASSIC_BET: Final = 10
"""The smallest bet at the tables of these tests: a classic player is asked for none, and has this one."""

_TENS: Final = {"Ten", "Jack", "Queen", "King"}


class Account:
    """The conversation of one player over all its connections.

    Each line is checked as it is heard: chips add up, no round is told twice, and none is missing once
    HISTORY was asked for. Whoever speaks for the player tells what it says, too.

    Args:
        chips: those that a player sits down with; None where no bets are asked.
        is_classic: whether it is told bare outcomes, as a player of the classic wire format.
        may_be_forgotten: whether it may come to another dealer, which has no seat for it.

    Attributes:
        seats: those that it has had.
        asked: what may be answered now: the words of DECISION, HIT and STAND for none; empty if nothing.
        is_sent_away: whether it was told QUIT, or has no seat to come back to.
        is_replaced: whether its last connection ended because the dealer is replaced.
        told: how many RESULTs it was told.
        recovered: how many rounds only HISTORY told.
        void: how many rounds had begun for it and did not count.
        returns: how often it came back to its seat.
    """

    def __init__(
        self, chips: int | None, *, is_classic: bool = False, may_be_forgotten: bool = False
    ) -> None:
        self.seats: list[Seat] = []
        self.asked: list[str] = []
        self.is_sent_away = self.is_replaced = False
        self.told = self.recovered = self.void = self.returns = 0
        self._chips = chips
        self._is_classic = is_classic
        self._may_be_forgotten = may_be_forgotten
        self._is_refused = False  # its RESUME, and so HISTORY too
        self._cards: list[str] = []  # of the last round
        self._is_open = False  # a round has begun, and is not over
        self._was_open = False  # when the connection was lost
        self._asks = 0  # which HISTORY it has asked for, 0 for none
        self._lacks: list[int] = []  # the numbers of rounds that it has to ask for
        self._found: dict[int, Ended] = {}  # rounds that HISTORY has told
        self._place = 0  # the last HISTORY that was answered
        self._since: list[Ended] = []  # those that RESULT has told before all this was settled
        self._questions: list[tuple[int, Fraction, str]] = []  # for bets; each after so many of those
        self._orphans: list[Ended] = []  # RESULTs of a connection that was lost before it was settled

    @property
    def seat(self) -> Seat:
        """The one that it has now, or had last."""
        return self.seats[-1]

    @property
    def rounds(self) -> int:
        """The number of rounds that it knows, at all seats."""
        return sum(len(seat.rounds) for seat in self.seats)

    @property
    def is_settled(self) -> bool:
        """Whether it knows every round of its seat."""
        return not (self._asks or self._lacks)

    # Its connections.

    def join(self) -> None:
        """It asks for a new seat."""
        self._begin()
        self.seats.append(Seat(self._chips))
        self._was_open = self.is_sent_away = False
        self._orphans = []

    def resume(self) -> None:
        """It says RESUME, and HISTORY 1."""
        self._begin()
        self.is_replaced = self._is_refused = False
        self.returns += 1
        self._asks = 1

    def lose(self) -> None:
        """Its connection is gone."""
        self._was_open |= self._is_open
        self._orphans += self._since
        self._begin()

    def _begin(self) -> None:
        self.asked, self._is_open, self._asks = [], False, 0
        self._lacks, self._found, self._since, self._questions = [], {}, [], []
        self._place = 0

    def next_history(self) -> int:
        """Which HISTORY it asks for now; 0 for none."""
        if self._asks or not self._lacks:
            return 0
        self._asks = self._place + 1
        return self._asks

    # What it hears.

    def hear(self, line: str) -> None:
        """Take a line.

        Raises:
            AssertionError: if it contradicts what was heard before.
        """
        verb, _, rest = line.partition(" ")
        words = rest.split()
        if verb == "BEGIN":
            assert not self._is_open, "a round begins within another"
            self._is_open, self._cards = True, []
        elif verb == "CARD":
            self._cards.append(rest)
        elif verb == "DECISION":
            self.asked = words or ["HIT", "STAND"]
            if self.asked[0] == "BET":
                self._take_question(Fraction(words[3]), line)
        elif verb == "RESULT":
            self._take_result(words)
        elif verb == "HISTORY":
            self._take_history(int(words[0]), json.loads(rest.split(" ", 2)[2]), line)
        elif verb in ("REFUSED", "ERROR"):
            self._take_refusal(words[0], line)
        elif verb == "QUIT":
            self.is_sent_away = True

    def _take_question(self, bankroll: Fraction, line: str) -> None:
        assert not self._is_open, "a bet is asked within a round"
        if self.is_settled:
            self.seat.verify(bankroll, len(self.seat.rounds), line)
        else:
            self._questions.append((len(self._since), bankroll, line))

    def _take_result(self, words: list[str]) -> None:
        assert self._is_open, "a RESULT without a round"
        self._is_open, self.asked = False, []
        self.told += 1
        outcome = "LOSE" if words[0] == "LOOSE" else words[0]
        payoff = Fraction(words[1]) if len(words) > 1 else self._classic_payoff(outcome)
        ended = Ended(outcome, payoff, tuple(sorted(self._cards)))
        (self.seat.rounds if self.is_settled else self._since).append(ended)

    def _classic_payoff(self, outcome: str) -> Fraction:
        """The payoff of a round of a player who is told no payoffs, and never doubles or splits."""
        if self._chips is None:
            return Fraction()
        ranks = {card.split()[0] for card in self._cards}
        is_natural = len(self._cards) == 2 and "Ace" in ranks and _TENS & ranks
        won = Fraction(3, 2) if is_natural else Fraction(1)
        return CLASSIC_BET * {"WIN": won, "PUSH": Fraction()}.get(outcome, Fraction(-1))

    def _take_refusal(self, word: str, line: str) -> None:
        known = len(self.seat.rounds) + len(self._orphans)
        if word == "no-round" and self._asks:
            assert not known or self._lacks or self._hears_early, f"{line}, and {known} rounds were told"
            self._asks = 0
            self._miss_down_to(0)
            self._settle()
        elif word == "no-round" and self._is_refused:
            self._is_refused = False
        elif word == "not-kept":
            assert not known or self._may_be_forgotten, f"{line}, and {known} rounds were told"
            self._asks = 0
            self.is_sent_away = self._is_refused = True
        else:
            self.is_replaced = True
            assert "is being replaced" in line, line

    @property
    def may_miss(self) -> bool:
        """Whether there may be a round that nobody tells any more.

        Either it is told early to be bust, and then the round of the table is void. Or it is a classic player
        whose first round is over, by a natural, before KEEP is carried out, since no bet is asked.
        """
        return self._hears_early or self._is_classic

    @property
    def _hears_early(self) -> bool:
        """Whether it may be told a RESULT before the round of its table is over."""
        return self._chips is None

    # Rounds whose RESULT was lost.

    def _take_history(self, place: int, round_: dict[str, Any], line: str) -> None:
        assert place == self._asks, line
        self._asks, self._place = 0, place
        number = round_.get("your_round")
        assert number is not None, line
        if place == 1:
            over, known = number - len(self._since), len(self.seat.rounds)
            assert over >= known or self._hears_early, f"{known} rounds were told, and {over} over: {line}"
            self._lacks = list(range(known + 1, over + 1))
            self._compare(number, round_, line)
        self._miss_down_to(number)
        if number in self._lacks:
            self._find(number, ended_by(round_))
        if self.is_settled:
            self._settle()

    def _find(self, number: int, ended: Ended) -> None:
        """A round that it lacks is told; or the last that it knows is, and others before that are untold."""
        known = len(self.seat.rounds)
        if known and self.may_miss and ended == self.seat.rounds[-1]:
            where, untold = (0, BEFORE_KEEP) if self._is_classic and self._chips else (known - 1, EARLY)
            self.seat.rounds[where:where] = [untold] * (number - known)
            self._lacks = [each for each in self._lacks if each > number]
        else:
            self._lacks.remove(number)
            self._found[number] = ended

    def _miss_down_to(self, number: int) -> None:
        """Rounds after this one, of those that it asks for, are not told any more."""
        for missed in [each for each in self._lacks if each > number]:
            is_before_keep = self._is_classic and missed == 1
            assert is_before_keep or self._hears_early, f"round {missed} is not told"
            self._lacks.remove(missed)
            self._found[missed] = BEFORE_KEEP if is_before_keep else EARLY

    def _compare(self, number: int, round_: dict[str, Any], line: str) -> None:
        """A round that was told by RESULT already must be told in the same way."""
        told = [*self.seat.rounds, *([None] * len(self._lacks)), *self._since][number - 1 : number]
        assert told in ([None], [], [ended_by(round_)]), f"{told} was told before {line}"

    def _settle(self) -> None:
        """Every round of the seat is known: they are put in order, and the bankrolls are looked at."""
        found = [self._found[number] for number in sorted(self._found)]
        assert _are_among(self._orphans, found), f"{self._orphans} were told, and not in {found}"
        more = len(found) - len(self._orphans)
        self.recovered += more
        self.void += self._was_open and not more
        before = len(self.seat.rounds) + len(found)
        self.seat.rounds += [*found, *self._since]
        for since, bankroll, line in self._questions:
            self.seat.verify(bankroll, before + since, f"after RESUME {line}")
        self._was_open, self._orphans, self._since, self._questions = False, [], [], []


def _are_among(few: Iterable[Ended], many: Iterable[Ended]) -> bool:
    """Whether all of these are among those, in the same order."""
    rest = iter(many)
    return all(each in rest for each in few)
