"""The work of `benchmarks.devs` for the package `xdevs`: the game, ping-pong and DEVStone.

xdevs is under the GPL: nothing else imports it or this module, and no command needs it. The models are
written as its own examples are, with attributes that transitions change, and do for each event what those of
`devs` do. Times are whole ticks here too.
"""

# ruff: noqa: D102 - the methods of xdevs' own classes

# mypy: allow-subclassing-any, disable-error-code="import-untyped,import-not-found,no-untyped-call"

from __future__ import annotations

from time import process_time
from typing import Any, ClassVar, Final

from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Atomic, Coupled, Port
from xdevs.sim import Coordinator

from cards import Decision
from twentyone.devs.blackjack import CHALLENGER_STANDS, DEALER_STANDS
from twentyone.devs.clock import TICKS
from twentyone.devs.deck import Shuffled
from twentyone.devs.games import Result
from twentyone.devs.player import TENTH
from twentyone.devs.values import ORDERED_DECK, Card, Command, Outcome, Player, outcome_of

IDLE: Final = "IDLE"

Kinds = dict[str, type[Any]]
"""The types of ports, by name."""


def add_ports(model: Any, inputs: Kinds, outputs: Kinds) -> None:
    """Give a model its ports, as attributes of their names."""
    for kinds, add in ((inputs, model.add_in_port), (outputs, model.add_out_port)):
        for name, kind in kinds.items():
            setattr(model, name, port := Port(kind, name))
            add(port)


class Ported(Atomic):
    """An atomic model that is passive at first."""

    INPUTS: ClassVar[Kinds] = {}
    OUTPUTS: ClassVar[Kinds] = {}

    def __init__(self, name: str) -> None:
        super().__init__(name)
        add_ports(self, self.INPUTS, self.OUTPUTS)

    def initialize(self) -> None:
        self.passivate(IDLE)

    def deltint(self) -> None:
        self.initialize()

    def exit(self) -> None:
        """Nothing is left open."""


def last(port: Any) -> Any:
    """The last value of a bag that has any."""
    *_, value = port.values
    return value


class Start(Ported):
    """Sends 1 at the start."""

    OUTPUTS: ClassVar = {"out": int}

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

    INPUTS: ClassVar = {"start": int, "decision": Decision, "value": int}
    OUTPUTS: ClassVar = {"command": Command, "player_out": Player, "outcome_out": Outcome, "reset": int}

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
            self.hold_in(*(("RESET", 0) if self.has_started else ("START", TICKS)))
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

    INPUTS: ClassVar = {"command": Command, "player": Player, "reset": int}
    OUTPUTS: ClassVar = {"challenger_card": Card, "dealer_card": Card, "hit": Decision}

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("deck")
        self.shuffled, self.shuffles = shuffled, 0

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

    INPUTS: ClassVar = {"card_in": Card, "reset": int}
    OUTPUTS: ClassVar = {"value_out": int}

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

    INPUTS: ClassVar = {"value_in": int, "reset": int}
    OUTPUTS: ClassVar = {"decision": Decision, "value_out": int}

    def __init__(self, name: str, threshold: int) -> None:
        super().__init__(name)
        self.threshold = threshold

    def initialize(self) -> None:
        self.value = 0
        self.passivate()

    def lambdaf(self) -> None:
        self.decision.add(Decision.HIT if self.value < self.threshold else Decision.STAND)
        if self.value >= self.threshold:
            self.value_out.add(self.value)

    def deltext(self, e: int) -> None:
        if self.reset:
            self.initialize()
        else:
            self.value = last(self.value_in)
            self.hold_in("active", TENTH)


class Joined(Coupled):
    """A coupled model that is made in one go.

    Args:
        name: its name.
        inputs: its input ports.
        outputs: its output ports.
        components: the models in it, which become attributes by their names.
    """

    def __init__(self, name: str, inputs: Kinds, outputs: Kinds, *components: Any) -> None:
        super().__init__(name)
        add_ports(self, inputs, outputs)
        for component in components:
            self.add_component(component)
            setattr(self, component.name, component)

    def couple(self, *couplings: tuple[Any, Any]) -> Joined:
        """Join ports; return the model."""
        for one, other in couplings:
            self.add_coupling(one, other)
        return self


def side(name: str, threshold: int) -> Joined:
    """A hand and its threshold."""
    hand, decides = Hand("hand"), Threshold(f"threshold-{name[0]}", threshold)
    joined = Joined(name, {"card": Card, "reset": int}, {"decision": Decision, "score": int}, decides, hand)
    return joined.couple(
        (joined.card, hand.card_in),
        (joined.reset, hand.reset),
        (joined.reset, decides.reset),
        (hand.value_out, decides.value_in),
        (decides.decision, joined.decision),
        (decides.value_out, joined.score),
    )


def game(shuffled: Shuffled) -> Joined:
    """Controller, deck and players, who are side by side."""
    dealer, challenger = side("dealer", DEALER_STANDS), side("challenger", CHALLENGER_STANDS)
    cards_in = {"challenger_card": Card, "dealer_card": Card, "reset": int}
    players = Joined("players", cards_in, {"decision": Decision, "score": int}, dealer, challenger)
    for one, card in ((dealer, players.dealer_card), (challenger, players.challenger_card)):
        players.couple((card, one.card), (players.reset, one.reset))
        players.couple((one.decision, players.decision), (one.score, players.score))
    controller, deck = Controller("controller"), Deck(shuffled)
    joined = Joined("game", {"start": int}, {"outcome": Outcome}, controller, deck, players)
    return joined.couple(
        (joined.start, controller.start),
        (controller.command, deck.command),
        (controller.player_out, deck.player),
        (controller.reset, deck.reset),
        (controller.reset, players.reset),
        (deck.challenger_card, players.challenger_card),
        (deck.dealer_card, players.dealer_card),
        (deck.hit, controller.decision),
        (players.decision, controller.decision),
        (players.score, controller.value),
        (controller.outcome_out, joined.outcome),
    )


def started(model: Any) -> Any:
    """A coordinator of a model, at time 0."""
    coordinator = Coordinator(model)
    coordinator.initialize()
    return coordinator


def restart(coordinator: Any) -> None:
    """Back to time 0; xdevs itself would build all its simulators again."""
    coordinator.clock.time = 0
    for inner in coordinator.coordinators:
        restart(inner)
    for simulator in coordinator.simulators:
        simulator.initialize()
    coordinator.time_last, coordinator.time_next = 0, coordinator.ta()


def seconds_of(coordinator: Any, *limit: int) -> float:
    """The processor time of a run from time 0."""
    restart(coordinator)
    began = process_time()
    coordinator.simulate(*limit)
    return process_time() - began


class Games:
    """Games as `twentyone.devs.games.Games` plays them: the n-th has the n-th shuffle."""

    def __init__(self, shuffled: Shuffled) -> None:
        self._game, start = game(shuffled), Start("start")
        top = Joined("top", {}, {"outcome": Outcome}, self._game, start)
        top.couple((start.out, self._game.start), (self._game.outcome, top.outcome))
        self._coordinator = started(top)

    def play(self, number: int) -> Result:
        """Play the game of that number."""
        self._game.deck.shuffles = number
        restart(self._coordinator)
        self._coordinator.simulate()
        end = self._game.controller
        return Result(end.outcome, self._coordinator.time_last, end.challenger_score, end.dealer_score)


class Paddle(Ported):
    """Sends the ball back a tick after it came."""

    INPUTS: ClassVar = {"ball_in": int}
    OUTPUTS: ClassVar = {"ball_out": int}

    def __init__(self, name: str, has_ball: bool) -> None:
        super().__init__(name)
        self.has_ball = has_ball

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
        ping, pong = Paddle("ping", True), Paddle("pong", False)
        top = Joined("table", {}, {}, ping, pong)
        self._coordinator = started(top.couple((ping.ball_out, pong.ball_in), (pong.ball_out, ping.ball_in)))

    def play(self, messages: int) -> tuple[int, float]:
        """Send a number of messages; return it, and the seconds that they took."""
        took = seconds_of(self._coordinator, messages)
        return self._coordinator.time_last, took


class DevStone:
    """The HI model of xdevs' own DEVStone."""

    def __init__(self, width: int, depth: int, counts: bool = False) -> None:
        self._top = DEVStone("DEVStone", "HI", width, depth, 0, 0, counts)
        self._coordinator = started(self._top)

    def play(self) -> float:
        """The seconds that one run takes."""
        return seconds_of(self._coordinator)

    @property
    def internal_transitions(self) -> int:
        """The number of internal transitions, if they have been counted."""
        return int(self._top.n_internals)
