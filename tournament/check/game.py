"""The game that a checked program plays: real rounds at a real table, with chosen cards."""

from __future__ import annotations

from typing import Final

from cards import Decision, Outcome, Rules, seeded
from dealer.tables.budget import Budget
from dealer.tables.mail import Mail
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import ANSWERS, Answer, Bet, DealerMessage, Join
from tournament.check.fault import Fault
from tournament.check.session import Session
from tournament.check.shoe import ChosenShoe, ranks

DECISIONS: Final = {type(message): decision for decision, message in ANSWERS.items()}

SETTLE: Final = 0.05
"""Seconds after an answer and after a round, in which a second answer shows itself as one."""

NEVER_MORE: Final = 60
"""Answers in one round: four hands of as many cards as there can be have fewer."""

SEED: Final = 1
"""The choices that a situation leaves open are the same in every check."""


class Game:
    """A program at a table of its own; where no dealer plays, the check has the other seats, and stands.

    Args:
        session: the program.
        rules: the rules of the table.

    Attributes:
        asked: how often the program was asked in the last round.
        most_cards: the most cards of a hand so far.
        most_hands: the most hands of a round so far.
        decisions: all that the program has decided, by decision.
    """

    def __init__(self, session: Session, rules: Rules) -> None:
        self.session = session
        self.rules = rules
        self.asked = 0
        self.most_cards = 0
        self.most_hands = 0
        self.decisions: set[Decision] = set()
        self.settles = True
        self._shoe = ChosenShoe(rules, seeded(SEED))
        self._table = Table(rules, self._shoe, Budget(0), lambda *_: None, pauses=True)
        self._seat = Seat("program")
        self._is_seated = False
        self._join: Join | None = None

    @property
    def is_over(self) -> bool:
        """Whether QUIT was sent to the program."""
        return self.session.has_quit

    def sit(self, join: Join) -> None:
        """Give the program its seat; the first round begins with it."""
        self._join = join
        self._seat = Seat(join.name, join.rounds)
        self._seat.is_plain = self.session.is_classic
        self.session.shows = lambda: self._seat.tell_cards(True)

    def sit_again(self) -> None:
        """Seat the program again, now that it is sent the old words only."""
        if self._join is not None:
            self.sit(self._join)

    async def round(self, player: str = "", dealer: str = "") -> Outcome:
        """Play a round in which these ranks come first to the program and to the dealer.

        Raises:
            Fault: if the program does something wrong.
        """
        await self._tell(self.begin(player, dealer))
        return await self.finish()

    async def finish(self) -> Outcome:
        """Play the round that has begun, and has been told so far, to its end."""
        self.asked = 0
        while self._table.awaits(self._seat):
            self.asked += 1
            if self.asked > NEVER_MORE:
                raise Fault(f"it has given {NEVER_MORE} answers in one round: expected a hand to end")
            answer = await self.session.answer()
            if self.settles:
                await self.session.rest(SETTLE)
            await self._tell(self.take(answer))
        if self.settles:
            await self.session.rest(SETTLE)
        return self.outcome()

    def begin(self, player: str = "", dealer: str = "") -> Mail:
        """The messages to everybody when a round begins; bets may come first."""
        self._shoe.choose(ranks(player), ranks(dealer))
        if self._is_seated:
            return self._moved(self._table.go_on())
        self._is_seated = True
        for number in range(1, self.rules.seats):
            self._table.sit(Seat(f"other-{number}", is_bot=True))
        return self._moved(self._table.sit(self._seat))

    def messages(self, mail: Mail) -> list[DealerMessage]:
        """The messages to the program."""
        return mail.get(self._seat, [])

    async def _tell(self, mail: Mail) -> None:
        messages = self.messages(mail)
        if messages:
            await self.session.say(*messages)

    def take(self, answer: Answer) -> Mail:
        """Carry out an answer of the program."""
        if isinstance(answer, Bet):
            return self._moved(self._table.bet(self._seat, answer.chips))
        if self._seat in self._table.bettors:  # HIT and STAND answer every question
            return self._moved(self._table.bet(self._seat))
        decision = DECISIONS[type(answer)]
        self.decisions.add(decision)
        return self._moved(self._table.decide(self._seat, decision))

    def time_out(self) -> Mail:
        """Answer as the clock does."""
        return self._moved(self._table.time_out(self._seat))

    def give_up(self) -> Mail:
        """Take the seat from the program, whose hand is lost."""
        return self._table.leave(self._seat)

    def outcome(self) -> Outcome:
        """The end of the last round."""
        round_ = self._table.round
        assert round_ is not None
        outcome = round_.outcomes[0]
        assert outcome is not None
        return outcome

    def _moved(self, mail: Mail) -> Mail:
        """The result once the others, who stand, have answered too."""
        while (turn := self._table.turn) is not None and turn is not self._seat:
            for seat, messages in self._table.decide(turn, Decision.STAND).items():
                mail.setdefault(seat, []).extend(messages)
        round_ = self._table.round
        if round_ is not None and round_.hands:
            hands = round_.hands_of(0)
            self.most_hands = max(self.most_hands, len(hands))
            self.most_cards = max(self.most_cards, *(len(each.hand.cards) for each in hands))
        return mail
