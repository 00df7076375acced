"""What `benchmarks.devs` measures, for the package `xdevs`: the game with its log, ping-pong and DEVStone.

xdevs is under the GPL: nothing else imports it or this module, and no command needs it. The models are
written as its own examples are, with attributes that transitions change, and do for each event what those of
`devs` do. Times are whole ticks here too.
"""

# ruff: noqa: D102 - the methods of xdevs' own classes

# mypy: allow-subclassing-any, disable-error-code="import-untyped,import-not-found,no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any, Final, TextIO

from xdevs.abc.transducer import Transducer
from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Atomic, Component, Coupled, Port
from xdevs.sim import Coordinator

from cards import Decision
from devs.blackjack import CHALLENGER_STANDS, DEALER_STANDS
from devs.clock import TICKS, in_seconds
from devs.deck import Shuffled
from devs.games import Result
from devs.log import HEADER
from devs.player import TENTH
from devs.values import ORDERED_DECK, Card, Command, Outcome, Player, outcome_of, text_of

IDLE: Final = "IDLE"


class Ported(Atomic):
    """An atomic model whose ports are attributes; `describe` is its state as the log has it."""

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

    def describe(self) -> str:
        """The state as the log has it."""
        raise NotImplementedError


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

    def describe(self) -> str:
        return "0" if self.sigma == 0 else "inf"


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
        """How the game stands."""
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

    def describe(self) -> str:
        return (
            f"State(controller): Player Score= {self.challenger_score}, Dealer Score= {self.dealer_score}\n"
            f" Current player: {self.player.value}\n"
        )


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

    def describe(self) -> str:
        order = "".join([f"{card.text}," for card in self.cards])
        return f"State: {self.phase}, cards remaining: {len(self.cards)}\nCurrent Order: [{order}]\n"


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

    def describe(self) -> str:
        return f"{{value: {self.value}, card: {self.card.text}}}"


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

    def describe(self) -> str:
        return f"{{threshold: {self.threshold}, comparisonValue: {self.value}}}"


class Side(Coupled):
    """A hand and its threshold."""

    def __init__(self, name: str, threshold: Threshold) -> None:
        super().__init__(name)
        hand = Hand()
        for component in (threshold, hand):
            self.add_component(component)
        self.card, self.reset = Port(Card, "cardIn"), Port(int, "reset")
        self.decision, self.score = Port(Decision, "decisionOut"), Port(int, "scoreOut")
        self.add_in_port(self.card)
        self.add_in_port(self.reset)
        self.add_out_port(self.decision)
        self.add_out_port(self.score)
        self.add_coupling(self.card, hand.card_in)
        self.add_coupling(self.reset, hand.reset)
        self.add_coupling(self.reset, threshold.reset)
        self.add_coupling(hand.value_out, threshold.value_in)
        self.add_coupling(threshold.decision, self.decision)
        self.add_coupling(threshold.value_out, self.score)


class Players(Coupled):
    """Challenger and dealer, side by side."""

    def __init__(self) -> None:
        super().__init__("players")
        dealer = Side("dealer", Threshold("threshold-d", DEALER_STANDS))
        challenger = Side("challenger", Threshold("threshold-c", CHALLENGER_STANDS))
        self.challenger, self.dealer = Port(Card, "challengerIn"), Port(Card, "dealerIn")
        self.reset = Port(int, "reset")
        self.decision, self.score = Port(Decision, "decision"), Port(int, "scoreOut")
        for port in (self.challenger, self.dealer, self.reset):
            self.add_in_port(port)
        for port in (self.decision, self.score):
            self.add_out_port(port)
        for side, card in ((dealer, self.dealer), (challenger, self.challenger)):
            self.add_component(side)
            self.add_coupling(card, side.card)
            self.add_coupling(self.reset, side.reset)
            self.add_coupling(side.decision, self.decision)
            self.add_coupling(side.score, self.score)


class Game(Coupled):
    """Controller, deck and players."""

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("game")
        self.controller, self.deck, players = Controller(), Deck(shuffled), Players()
        controller, deck = self.controller, self.deck
        self.start, self.outcome = Port(int, "start"), Port(Outcome, "outcome")
        self.add_in_port(self.start)
        self.add_out_port(self.outcome)
        for component in (controller, deck, players):
            self.add_component(component)
        self.add_coupling(self.start, controller.start)
        self.add_coupling(controller.command, deck.command)
        self.add_coupling(controller.player_out, deck.player)
        self.add_coupling(controller.reset, deck.reset)
        self.add_coupling(controller.reset, players.reset)
        self.add_coupling(deck.challenger_card, players.challenger)
        self.add_coupling(deck.dealer_card, players.dealer)
        self.add_coupling(deck.hit, controller.decision)
        self.add_coupling(players.decision, controller.decision)
        self.add_coupling(players.score, controller.value)
        self.add_coupling(controller.outcome_out, self.outcome)


class Top(Coupled):
    """A game and what starts it."""

    def __init__(self, shuffled: Shuffled) -> None:
        super().__init__("top")
        self.game, start = Game(shuffled), Start()
        self.outcome = Port(Outcome, "outcome")
        self.add_out_port(self.outcome)
        self.add_component(self.game)
        self.add_component(start)
        self.add_coupling(start.out, self.game.start)
        self.add_coupling(self.game.outcome, self.outcome)


class EventLog(Transducer):
    """Writes the same text as `devs.log.EventLog`."""

    def __init__(self, top: Coupled, file: TextIO) -> None:
        super().__init__(transducer_id="log")
        self.numbers = {each: number for number, each in enumerate(_walk(top)) if isinstance(each, Ported)}
        self.file, self.time = file, 0
        for each in self.numbers:
            self.add_target_component(each)
            for port in each.out_ports:
                self.add_target_port(port)

    def create_known_data_types_map(self) -> list[type]:
        return [str, int, float, bool]

    def initialize(self) -> None:
        self.file.write(HEADER)

    def exit(self) -> None:
        """The file is another's."""

    def states(self) -> None:
        """Write every state."""
        time = in_seconds(self.time)
        for each, number in self.numbers.items():
            self.file.write(f"{time};{number};{each.name};;{each.describe()}\n")

    def bulk_data(self, sim_time: int) -> None:
        self.time = sim_time
        stamp, lines = in_seconds(sim_time), []
        sent: dict[Any, list[Any]] = {}
        for port in self.imminent_ports:
            sent.setdefault(port.parent, []).append(port)
        for each in sorted(self.imminent_components, key=self.numbers.__getitem__):
            place = f"{stamp};{self.numbers[each]};{each.name}"
            for port in sent.get(each, ()):
                lines += [f"{place};{port.name};{text_of(value)}\n" for value in port.values]
            lines.append(f"{place};;{each.describe()}\n")
        self.file.write("".join(lines))


def _walk(model: Component) -> Iterator[Component]:
    yield model
    if isinstance(model, Coupled):
        for component in reversed(model.components):
            yield from _walk(component)


def _restart(coordinator: Any) -> None:
    """Back to time 0; xdevs itself would build all its simulators anew."""
    coordinator.clock.time = 0
    for inner in coordinator.coordinators:
        _restart(inner)
    for simulator in coordinator.simulators:
        simulator.initialize()
    coordinator.time_last, coordinator.time_next = 0, coordinator.ta()


class Games:
    """Games as `devs.games.Games` plays them: the n-th has the n-th shuffle."""

    def __init__(self, shuffled: Shuffled, file: TextIO | None = None) -> None:
        self._top = Top(shuffled)
        self._coordinator = Coordinator(self._top)
        self._log = None if file is None else EventLog(self._top, file)
        if self._log is not None:
            self._coordinator.add_transducer(self._log)
        self._coordinator.initialize()

    def play(self, number: int) -> Result:
        """Play the game of that number."""
        self._top.game.deck.shuffles = number
        _restart(self._coordinator)
        if self._log is not None:
            self._log.time = 0
            self._log.states()
        self._coordinator.simulate()
        if self._log is not None:
            self._log.states()
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
        top = Coupled("table")
        ping, pong = Paddle("ping", True), Paddle("pong", False)
        top.add_component(ping)
        top.add_component(pong)
        for one, other in ((ping, pong), (pong, ping)):
            top.add_coupling(one.ball_out, other.ball_in)
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
