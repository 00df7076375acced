"""The work of `benchmarks.devs` for the package `xdevs`: the game, ping-pong and DEVStone.

xdevs is under the GPL: nothing else imports it or this module, and no command needs it. The models are
written as its own examples are, with attributes that transitions change, and do for each event what those of
`devs` do. Times are whole ticks here too.
"""

# ruff: noqa: D102 - the methods of xdevs' own classes

# mypy: allow-subclassing-any, disable-error-code="import-untyped,import-not-found,no-untyped-call"

from __future__ import annotations

from time import process_time
from typing import Any, Final

from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Atomic, Coupled, Port
from xdevs.sim import Coordinator

from cards import Decision
from devs.blackjack import CHALLENGER_STANDS, DEALER_STANDS
from devs.clock import TICKS
from devs.deck import Shuffled
from devs.games import Result
from devs.player import TENTH
from devs.values import ORDERED_DECK, Card, Command, Outcome, Player, outcome_of

IDLE: Final = "IDLE"


class Ported(Atomic):
    """An atomic model whose ports are attributes."""

    def __init__(self, name: str) -> None:
        super().__init__(name)

    def _in(self, name: str, kind: type[Any]) -> Any:
        self.add_in_port(port := Port(kind, name))
        return port

    def _out(self, name: str, kind: type[Any]) -> Any:
        self.add_out_port(port := Port(kind, name))
        return port

    def exit(self) -> None:
        """Nothing is left open."""


def last(port: Any) -> Any:
    """The last value of a bag that has any."""
    *_, value = port.values
    return value


class Start(Ported):
    """Sends 1 at the start."""

    def __init__(self) -> None:
        super().__init__("start")
        self.out = self._out("out", int)

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.out.add(1)

    def deltint(self) -> None:
        self.passivate()

    def deltext(self, e: int) -> None:
        pass


class Controller(Ported):
    """Leads the game."""

    def __init__(self) -> None:
        super().__init__("controller")
        self.start = self._in("startInPort", int)
        self.decision = self._in("decisionInPort", Decision)
        self.value = self._in("handValueInPort", int)
        self.command = self._out("commandOutPort", Command)
        self.player_out = self._out("playerOutPort", Player)
        self.outcome_out = self._out("outcomeOutPort", Outcome)
        self.reset = self._out("resetOutPort", int)

    def initialize(self) -> None:
        self.player, self.challenger_score, self.dealer_score = Player.CHALLENGER, 0, 0
        self.has_started = False
        self.passivate(IDLE)

    @property
    def outcome(self) -> Outcome:
        """The state of the game."""
        return outcome_of(self.challenger_score, self.dealer_score)

    def lambdaf(self) -> None:
        if self.phase == "HIT":
            self.command.add(Command.DRAW)
            self.player_out.add(self.player)
        elif self.phase == "START":
            self.command.add(Command.SHUFFLE)
        elif self.phase == "RESET":
            self.reset.add(1)
        else:
            self.outcome_out.add(self.outcome)

    def deltint(self) -> None:
        if self.phase == "RESET":
            self.hold_in("START", TICKS)
        elif self.phase == "START":
            self.player, self.challenger_score, self.dealer_score = Player.CHALLENGER, 0, 0
            self.passivate(IDLE)
        elif self.phase == "STAND" and self.outcome is Outcome.CONTINUE:
            self.player = Player.DEALER
            self.hold_in("HIT", TICKS)
        else:
            self.passivate(IDLE)

    def deltext(self, e: int) -> None:
        if self.start:
            if self.has_started:
                self.hold_in("RESET", 0)
            else:
                self.hold_in("START", TICKS)
            self.has_started = True
            return
        decision = last(self.decision) if self.decision else None
        if decision is Decision.HIT:
            self.hold_in("HIT", TICKS)
        elif decision is not None and self.value:
            if self.player is Player.CHALLENGER:
                self.challenger_score = last(self.value)
            else:
                self.dealer_score = last(self.value)
            self.hold_in("STAND", TICKS)


class Deck(Ported):
    """Shuffles, and sends the last card to the player that is named."""

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("deck")
        self.shuffled, self.shuffles = shuffled, 0
        self.command, self.player = self._in("command", Command), self._in("player", Player)
        self.reset = self._in("reset", int)
        self.challenger_card = self._out("challengerCardOutPort", Card)
        self.dealer_card = self._out("dealerCardOutPort", Card)
        self.hit = self._out("hitOutPort", Decision)

    def initialize(self) -> None:
        self.cards: list[Card] = [*ORDERED_DECK]
        self.passivate(IDLE)

    def lambdaf(self) -> None:
        if self.phase == "SHUFFLE":
            self.hit.add(Decision.HIT)
        else:
            (self.dealer_card if self.phase == "DRAW_DEALER" else self.challenger_card).add(self.cards[-1])

    def deltint(self) -> None:
        if self.phase == "SHUFFLE":
            self.cards = [*self.shuffled(self.shuffles, self.cards)]
            self.shuffles += 1
        else:
            self.cards.pop()
        self.passivate(IDLE)

    def deltext(self, e: int) -> None:
        if self.reset:
            self.initialize()
        elif self.command and last(self.command) is Command.SHUFFLE:
            self.hold_in("SHUFFLE", 10 * TICKS)
        elif self.command and self.player:
            self.hold_in(f"DRAW_{last(self.player).value}", TICKS)


class Hand(Ported):
    """Adds up cards."""

    def __init__(self) -> None:
        super().__init__("hand")
        self.card_in, self.reset = self._in("card", Card), self._in("reset", int)
        self.value_out = self._out("handValueOut", int)

    def initialize(self) -> None:
        self.value, self.card = 0, Card.NO_CARD
        self.passivate()

    def lambdaf(self) -> None:
        self.value_out.add(self.value + self.card.points)

    def deltint(self) -> None:
        self.value, self.card = self.value + self.card.points, Card.NO_CARD
        self.passivate()

    def deltext(self, e: int) -> None:
        if self.reset:
            self.initialize()
        else:
            self.card = last(self.card_in)
            self.hold_in("active", TENTH)


class Threshold(Ported):
    """Decides."""

    def __init__(self, name: str, threshold: int) -> None:
        super().__init__(name)
        self.threshold = threshold
        self.value_in, self.reset = self._in("valueIn", int), self._in("reset", int)
        self.decision, self.value_out = self._out("decisionOut", Decision), self._out("valueOut", int)

    def initialize(self) -> None:
        self.value = 0
        self.passivate()

    def lambdaf(self) -> None:
        if self.value < self.threshold:
            self.decision.add(Decision.HIT)
        else:
            self.decision.add(Decision.STAND)
            self.value_out.add(self.value)

    def deltint(self) -> None:
        self.initialize()

    def deltext(self, e: int) -> None:
        if self.reset:
            self.initialize()
        else:
            self.value = last(self.value_in)
            self.hold_in("active", TENTH)


class Joined(Coupled):
    """A coupled model that is made in one go."""

    def put_together(
        self, inputs: list[Any], outputs: list[Any], components: list[Any], couplings: list[tuple[Any, Any]]
    ) -> None:
        """Add all ports, components and couplings."""
        for port in inputs:
            self.add_in_port(port)
        for port in outputs:
            self.add_out_port(port)
        for component in components:
            self.add_component(component)
        for one, other in couplings:
            self.add_coupling(one, other)


class Side(Joined):
    """A hand and its threshold."""

    def __init__(self, name: str, threshold: Threshold) -> None:
        super().__init__(name)
        hand = Hand()
        self.card, self.reset = Port(Card, "cardIn"), Port(int, "reset")
        self.decision, self.score = Port(Decision, "decisionOut"), Port(int, "scoreOut")
        self.put_together(
            [self.card, self.reset],
            [self.decision, self.score],
            [threshold, hand],
            [
                (self.card, hand.card_in),
                (self.reset, hand.reset),
                (self.reset, threshold.reset),
                (hand.value_out, threshold.value_in),
                (threshold.decision, self.decision),
                (threshold.value_out, self.score),
            ],
        )


class Players(Joined):
    """Challenger and dealer, side by side."""

    def __init__(self) -> None:
        super().__init__("players")
        dealer = Side("dealer", Threshold("threshold-d", DEALER_STANDS))
        challenger = Side("challenger", Threshold("threshold-c", CHALLENGER_STANDS))
        self.challenger, self.dealer = Port(Card, "challengerIn"), Port(Card, "dealerIn")
        self.reset = Port(int, "reset")
        self.decision, self.score = Port(Decision, "decision"), Port(int, "scoreOut")
        couplings = []
        for side, card in ((dealer, self.dealer), (challenger, self.challenger)):
            couplings += [(card, side.card), (self.reset, side.reset)]
            couplings += [(side.decision, self.decision), (side.score, self.score)]
        ports = [self.challenger, self.dealer, self.reset], [self.decision, self.score]
        self.put_together(*ports, [dealer, challenger], couplings)


class Game(Joined):
    """Controller, deck and players."""

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("game")
        self.controller, self.deck, players = Controller(), Deck(shuffled), Players()
        controller, deck = self.controller, self.deck
        self.start, self.outcome = Port(int, "start"), Port(Outcome, "outcome")
        self.put_together(
            [self.start],
            [self.outcome],
            [controller, deck, players],
            [
                (self.start, controller.start),
                (controller.command, deck.command),
                (controller.player_out, deck.player),
                (controller.reset, deck.reset),
                (controller.reset, players.reset),
                (deck.challenger_card, players.challenger),
                (deck.dealer_card, players.dealer),
                (deck.hit, controller.decision),
                (players.decision, controller.decision),
                (players.score, controller.value),
                (controller.outcome_out, self.outcome),
            ],
        )


class Top(Joined):
    """A game and what starts it."""

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("top")
        self.game, start = Game(shuffled), Start()
        outcome = Port(Outcome, "outcome")
        couplings = [(start.out, self.game.start), (self.game.outcome, outcome)]
        self.put_together([], [outcome], [self.game, start], couplings)


def _restart(coordinator: Any) -> None:
    """Back to time 0; xdevs itself would build all its simulators again."""
    coordinator.clock.time = 0
    for inner in coordinator.coordinators:
        _restart(inner)
    for simulator in coordinator.simulators:
        simulator.initialize()
    coordinator.time_last, coordinator.time_next = 0, coordinator.ta()


class Games:
    """Games as `devs.games.Games` plays them: the n-th has the n-th shuffle."""

    def __init__(self, shuffled: Shuffled) -> None:
        self._top = Top(shuffled)
        self._coordinator = Coordinator(self._top)
        self._coordinator.initialize()

    def play(self, number: int) -> Result:
        """Play the game of that number."""
        self._top.game.deck.shuffles = number
        _restart(self._coordinator)
        self._coordinator.simulate()
        end = self._top.game.controller
        return Result(end.outcome, self._coordinator.time_last, end.challenger_score, end.dealer_score)


class Paddle(Ported):
    """Sends the ball back a tick after it came."""

    def __init__(self, name: str, has_ball: bool) -> None:
        super().__init__(name)
        self.has_ball = has_ball
        self.ball_in, self.ball_out = self._in("in", int), self._out("out", int)

    def initialize(self) -> None:
        if self.has_ball:
            self.hold_in("active", 1)
        else:
            self.passivate()

    def lambdaf(self) -> None:
        self.ball_out.add(1)

    def deltint(self) -> None:
        self.passivate()

    def deltext(self, e: int) -> None:
        self.hold_in("active", 1)


class PingPong:
    """Two models that send each other one ball."""

    def __init__(self) -> None:
        top = Joined("table")
        ping, pong = Paddle("ping", True), Paddle("pong", False)
        couplings = [(ping.ball_out, pong.ball_in), (pong.ball_out, ping.ball_in)]
        top.put_together([], [], [ping, pong], couplings)
        self._coordinator = Coordinator(top)
        self._coordinator.initialize()

    def play(self, messages: int) -> tuple[int, float]:
        """Send a number of messages; return it, and the seconds that they took."""
        _restart(self._coordinator)
        started = process_time()
        self._coordinator.simulate(messages)
        took = process_time() - started
        return self._coordinator.time_last, took


class DevStone:
    """The HI model of xdevs' own DEVStone."""

    def __init__(self, width: int, depth: int, counts: bool = False) -> None:
        self._top = DEVStone("DEVStone", "HI", width, depth, 0, 0, counts)
        self._coordinator = Coordinator(self._top)
        self._coordinator.initialize()

    def play(self) -> float:
        """The seconds that one run takes."""
        _restart(self._coordinator)
        started = process_time()
        self._coordinator.simulate()
        return process_time() - started

    @property
    def counted(self) -> tuple[int, int, int]:
        """Internal transitions, external transitions, and values that came, if they have been counted."""
        return self._top.n_internals, self._top.n_externals, self._top.n_events
