"""Whatever players do, and whatever happens to them: no chip is made or lost between them and the house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import (
    CARDS,
    PRESETS,
    Bets,
    Decision,
    DecisionTaken,
    FiniteShoe,
    HoleCard,
    Naturals,
    Payoff,
    Rank,
    Round,
    Rules,
    Surrender,
    seeded,
)
from cards.records import HIT_OR_STAND
from cards.rules import HALF, exact
from dealer.lobby.guest import Guest
from dealer.lobby.log import Reason
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.network.outbox import ConnectionOutbox
from dealer.network.turns import Turns
from dealer.network.writer import Writer
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from dealer.tables.seat import Seat
from protocol import ANSWERS, DealerConversation, Life, RefusalError, State, encode
from protocol import messages as m
from tests.helpers.hand_turned import HandTurned
from tests.helpers.patience import PATIENCE
from tests.protocol.tape import Wire

VEGAS: Final = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=150)

TABLES: Final = [
    replace(VEGAS, decks=1),
    replace(VEGAS, surrender=Surrender.EARLY, seats=3),
    replace(VEGAS, naturals=Naturals.SIX_TO_FIVE, bets=Bets(7, 33), seats=2),
    replace(VEGAS, surrender=Surrender.NONE, hole_card=HoleCard.OBO, seats=2),
    replace(PRESETS["course"], bets=Bets(10, 80), bankroll=150, seats=2),
]

OF_PAIRS: Final = [card for card in CARDS if card.rank in (Rank.ACE, Rank.FIVE, Rank.EIGHT, Rank.KING)] * 6
"""Cards of few ranks, so that there is much to split, to insure and to double."""

CLOCK: Final = 30.0

ASKED: Final = (State.ASKED, State.INSURING, State.BETTING)


class Player(ConnectionOutbox):
    """Somebody who is connected, with the dealer's end of the conversation and what it has cost so far.

    Attributes:
        chips: the chips that a player has who has counted what it was told; None after it has missed any.
    """

    def __init__(self, lobby: Lobby, is_classic: bool) -> None:
        self._lobby = lobby
        self._end = b"\0" if is_classic else b"\n"
        self.conversation = DealerConversation(rules=lobby.rules)
        loop = lobby.loop  # which never runs, so nothing is written, and nobody watches
        writer = Writer(Wire(), loop, lambda: None)
        unread = Clock(loop, PATIENCE, ConnectionOutbox.break_off)
        super().__init__(self.conversation, writer, loop, self._go, lambda: None, Turns(loop, 1), unread)
        self.guest = Guest(self, "here", 1)
        self.chips: Payoff | None = None

    def _go(self, reason: Reason) -> None:
        self._lobby.reception.dismiss(self.guest, reason)

    def send(self, *messages: m.DealerMessage) -> None:
        super().send(*messages)
        for message in messages:
            if isinstance(message, m.Result) and message.payoff is not None and self.chips is not None:
                self.chips = exact(self.chips + message.payoff)
            if isinstance(message, m.BetRequest):
                assert self.chips is None or message.bankroll == self.chips
                self.chips = message.bankroll

    def say(self, message: m.PlayerMessage) -> None:
        """Say a message, which is carried out at once."""
        events = self.conversation.receive(encode(message) + self._end)
        while events or self.conversation.waiting:
            for event in events:
                try:
                    self._lobby.reception.handlers[type(event)](self.guest, event)
                except RefusalError as refusal:
                    self.conversation.refuse(refusal)
            events = self.conversation.proceed()

    @property
    def is_gone(self) -> bool:
        return self.conversation.life in (Life.OVER, Life.GONE)

    def answer(self, choice: int) -> None:
        """Answer what is asked by one of the answers that there are."""
        if self.conversation.state not in ASKED:
            return
        question = self.conversation.question
        if isinstance(question, m.BetRequest):
            span = question.maximum - question.minimum + 1
            self.say(m.Bet(question.minimum + choice % span) if choice % 5 else ANSWERS[Decision.HIT])
        else:
            options = question.options or HIT_OR_STAND
            can_split = Decision.SPLIT in options and choice % 2
            self.say(ANSWERS[Decision.SPLIT if can_split else options[choice % len(options)]])

    def quit(self) -> None:
        """Leave: a hand that is open costs exactly what is staked on it, and that is told."""
        seat, room = self.guest.seat, self.guest.room
        if seat is None or room is None:
            return
        after = seat.bankroll
        table, number = room.table, room.table.number_in_round(seat)
        if table.is_open_round and table.round is not None and number is not None:
            assert seat.bet is not None
            after -= staked(table.round, number) * seat.bet
        self._go(Reason.QUIT)
        assert seat.bankroll == after
        assert self.chips is None or self.chips == after

    def vanish(self) -> None:
        """Lose the connection."""
        self.conversation.note_gone()
        self._lobby.reception.forget(self.guest)


COSTS: Final[dict[Decision, Payoff]] = {
    Decision.DOUBLE: 1,
    Decision.SPLIT: 1,
    Decision.INSURE: HALF,
    Decision.SURRENDER: -HALF,
}
"""What a decision adds to what a player has staked, in initial bets."""


def staked(round_: Round, number: int) -> Payoff:
    """What a seat has on the table, in initial bets, from what it has said."""
    said = (record for record in round_.records if isinstance(record, DecisionTaken))
    return 1 + sum(COSTS.get(record.decision, 0) for record in said if record.seat == number)


class Lobby:
    """A dealer without sockets, whose time the test moves on."""

    def __init__(self, rules: Rules, bots: int, seed: int) -> None:
        self.rules = rules
        self.loop = HandTurned()
        self.bought: Payoff = 0
        self.settled: Payoff = 0  # what the rounds that are over have paid to the players
        self.seats: list[Seat] = []
        self.players: list[Player] = []
        self.tokens: list[str] = []
        supplies = Supplies(
            Budget(0),
            Budget(0),
            lambda rules, table: FiniteShoe(OF_PAIRS, seeded(seed, table), len(OF_PAIRS) // 2),
            lambda _, table: seeded(seed + 1, table),
            self._settle,
        )
        config = Config(0, 0, rules=rules, bots=bots, bot_policy="threshold:16", decision_clock=CLOCK)
        self.reception = Reception(config, self.loop, supplies, refused=lambda _: None, over=lambda: None)

    def _settle(self, _: int, round_: Round, seats: Sequence[Seat]) -> None:
        for payoff, seat in zip(round_.payoffs, seats, strict=True):
            assert payoff is not None
            assert seat.bet is not None
            self.settled = exact(self.settled + payoff * seat.bet)

    def buy_in(self, seat: Seat, chips: int) -> None:
        """Note that a seat gets chips, for those that it may still have."""
        self.bought = exact(self.bought + chips - seat.bankroll)
        seat.bankroll = chips
        if seat not in self.seats:
            self.seats.append(seat)

    def connect(self, is_classic: bool) -> Player:
        player = Player(self, is_classic)
        self.players.append(player)
        return player

    def join(self, choice: int) -> None:
        player = self.connect(choice % 4 == 3)
        player.say(m.Join(f"player-{len(self.seats)}", None if choice % 3 else 5))
        if choice % 2 and player.guest.seat is not None:
            self.tokens.append(f"{len(self.tokens):022}")
            player.say(m.Keep(self.tokens[-1]))

    def come_back(self, choice: int) -> None:
        if self.tokens:
            self.connect(choice % 7 == 6).say(m.Resume(self.tokens[choice % len(self.tokens)]))

    def check(self) -> None:
        """House and players sum to nothing, and nobody has lost more than it had."""
        paid = self.settled
        for room in self.reception.rooms.by_number.values():
            if room.table.is_open_round and room.table.round is not None:
                for payoff, seat in zip(room.table.round.payoffs, room.table.dealt_in, strict=True):
                    if payoff is not None:  # a forfeit is settled at once
                        assert seat.bet is not None
                        paid += payoff * seat.bet
        assert sum(seat.bankroll for seat in self.seats) == self.bought + paid
        assert all(seat.bankroll >= 0 for seat in self.seats)

    def move(self, action: str, choice: int) -> None:
        here = [player for player in self.players if not player.is_gone]
        match action:
            case "join":
                self.join(choice)
            case "back":
                self.come_back(choice)
            case "clock":
                self.loop.pass_time(CLOCK * (1 + choice % 3) / 2)
            case _ if not here:
                pass
            case "answer":
                asked = [player for player in here if player.conversation.state in ASKED] or here
                asked[choice % len(asked)].answer(choice // 7)
            case "quit":
                here[choice % len(here)].quit()
            case "vanish":
                here[choice % len(here)].vanish()


MOVES: Final = ["join", *["answer"] * 6, "quit", "vanish", "back", "clock"]


@given(
    rules=st.sampled_from(TABLES),
    bots=st.integers(0, 1),
    seed=st.integers(0, 10**6),
    moves=st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 10**4)), min_size=30, max_size=120),
)
def test_house_and_players_sum_to_nothing(
    rules: Rules, bots: int, seed: int, moves: list[tuple[str, int]]
) -> None:
    lobby = Lobby(rules, bots if rules.seats > 1 else 0, seed)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Seat, "buy_in", lambda seat, chips: lobby.buy_in(seat, chips))
            lobby.move("join", 0)
            for action, choice in moves:
                lobby.move(action, choice)
                lobby.check()
            for player in lobby.players:
                if not player.is_gone:
                    player.quit()
                    lobby.check()
    finally:
        lobby.reception.close()
        lobby.loop.close()
