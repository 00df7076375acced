"""A player at a table, as the table knows it."""

from __future__ import annotations

from typing import Final, Protocol

from cards import Payoff, Tally
from cards.rules import exact
from protocol import DealerMessage

MAX_MISSED: Final = 3
"""Decisions in a row that the clock took, after which the seat of a player who is away is given up."""


class Outbox(Protocol):
    """The way to a player."""

    @property
    def is_classic(self) -> bool:
        """Whether the player is classic, and gets only the messages that it knows."""

    def send(self, *messages: DealerMessage) -> None:
        """Say messages, in order."""

    @property
    def is_waiting(self) -> bool:
        """Whether what is said waits for `go_on`."""

    def wait(self) -> bool:
        """Write nothing of what is said until `go_on`; False if it waits already."""

    def go_on(self) -> None:
        """Write what has been said meanwhile."""


class Seat:
    """A player at a table.

    Args:
        name: the player's name, which need not be unique.
        rounds: how many rounds may begin for this player; None for no limit.
        is_bot: whether it is one of the dealer's own players.
        gives_way: whether it is a bot that leaves when a person wants its seat.

    Attributes:
        rounds_left: how many rounds may still begin for this player; None for no limit.
        rounds: how many rounds it has finished.
        score: the sum of its payoffs in them, in initial bets.
        is_away: whether the seat is kept for a player whose connection is lost.
        is_expected: whether that was when another dealer was there: no round is dealt to it before the player
            is back.
        missed: decisions in a row that the clock has taken since the player's connection was lost.
        kept: whole seconds of the clock that the table still waits for a player who is away, as of the last
            time that somebody was shown; None if no clock will run, or the player is not away.
        is_ready: whether the player waits for the next round.
        is_plain: whether the player is classic, and is asked only for HIT or STAND.
        bankroll: the player's chips, where bets are asked; what is staked in an open round is among them.
        bet: the chips staked on the round that is open, or was last or comes next; None before the first bet,
            and where no bets are asked.
        connection: the number of the player's connection, or of the last one; None for a bot.
        decisions: how many decisions of the player were timed.
        deciding: the seconds that they took together.
        refusals: how many of the player's lines were refused.
        outbox: the way to the player; None to a bot, and to one whose connection is lost.
        label: what the player is called where players of one name are told apart.
        shows: whether the player gets the dealer's cards before its results.
        tally: where its hands are counted; None before the first.
        late: which decisions of its last round its clock made, by number from 0 among all of that round.
    """

    __slots__ = (
        "bankroll",
        "bet",
        "connection",
        "deciding",
        "decisions",
        "gives_way",
        "is_away",
        "is_bot",
        "is_expected",
        "is_plain",
        "is_ready",
        "kept",
        "label",
        "late",
        "missed",
        "name",
        "outbox",
        "refusals",
        "rounds",
        "rounds_left",
        "score",
        "shows",
        "tally",
    )

    def __init__(
        self, name: str, rounds: int | None = None, *, is_bot: bool = False, gives_way: bool = False
    ) -> None:
        self.name = name
        self.rounds_left = rounds
        self.is_bot = is_bot
        self.gives_way = gives_way
        self.rounds = 0
        self.score: Payoff = 0
        self.is_away = False
        self.is_expected = False
        self.missed = 0
        self.kept: int | None = None
        self.is_ready = False
        self.is_plain = False
        self.bankroll: Payoff = 0
        self.bet: int | None = None
        self.connection: int | None = None
        self.shows = False
        self.decisions = 0
        self.deciding = 0.0
        self.refusals = 0
        self.outbox: Outbox | None = None
        self.label = name
        self.tally: Tally | None = None
        self.late: list[int] = []

    def connect(self, connection: int, outbox: Outbox) -> None:
        """The player is at this connection from now on."""
        self.connection = connection
        self.reach_by(outbox)

    def reach_by(self, outbox: Outbox | None) -> None:
        """Take what is said to the player this way from now on; None for no way."""
        self.outbox = outbox
        if outbox is not None:
            self.is_plain = outbox.is_classic

    def tell_cards(self, shows: bool) -> None:
        """Tell the player the dealer's cards before its results from now on, or do not."""
        self.shows = shows

    def play(self) -> None:
        """Begin a round, which is one of those that it may still have."""
        self.is_ready = False
        self.late = []
        if self.rounds_left is not None:
            self.rounds_left -= 1

    def buy_in(self, chips: Payoff) -> None:
        """Set the bankroll."""
        self.bankroll = chips

    def stake(self, chips: int) -> None:
        """Set the stake for the next round."""
        self.bet = chips

    def told(self, payoff: Payoff) -> Payoff:
        """A payoff in initial bets as it is sent to the player: in chips where bets are asked."""
        return payoff if self.bet is None else exact(payoff * self.bet)

    def settle(self, payoff: Payoff) -> None:
        """Count a round that is over, and pay its payoff in initial bets."""
        self.rounds += 1
        self.score += payoff
        if self.bet is not None:
            self.pay(payoff)

    def pay(self, payoff: Payoff) -> None:
        """Pay out a payoff in initial bets, or take what was lost, where bets are asked."""
        if self.bet is not None:
            self.bankroll = exact(self.bankroll + payoff * self.bet)

    def count_decision(self, seconds: float) -> None:
        """Count a decision, with the seconds that it took."""
        self.decisions += 1
        self.deciding += seconds

    def note_late(self, number: int) -> None:
        """Note that its clock makes a decision of the open round, the one of this number."""
        self.late.append(number)

    def count_refusal(self) -> None:
        """Count a line that was refused."""
        self.refusals += 1

    def count_in(self, tally: Tally, label: str) -> None:
        """Count the hands of this seat there from now on, under this name."""
        self.tally = tally
        self.label = label

    def mark_ready(self) -> None:
        """The player waits for the next round."""
        self.is_ready = True

    def expect(self) -> None:
        """Keep the seat, which another dealer has kept, for a player who will be back."""
        self.is_away = self.is_expected = True

    def mark_away(self, is_away: bool) -> None:
        """The player's connection is lost and its seat kept, or the player is back."""
        self.is_away = is_away
        self.is_expected = False
        self.missed = 0
        self.kept = None

    def miss(self) -> bool:
        """Count a decision that the clock takes for a player who is away; whether the seat is still kept."""
        self.missed += 1
        return self.missed < MAX_MISSED

    def note_kept(self, seconds: int | None) -> None:
        """Note how long the table still waits for a player who is away."""
        self.kept = seconds
