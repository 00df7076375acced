"""The work of `benchmarks.devs` for the package `xdevs`: ping-pong and DEVStone.

xdevs is under the GPL: nothing else imports it or this module, and no command needs it. The models are
written as its own examples are, with attributes that transitions change, and do for each event what those of
`devs` do. Times are whole ticks here too.
"""

# ruff: noqa: D102 - the methods of xdevs' own classes

# mypy: allow-subclassing-any, disable-error-code="import-untyped,import-not-found,no-untyped-call"

from __future__ import annotations

from time import process_time
from typing import Any

from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Atomic, Coupled, Port
from xdevs.sim import Coordinator


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


class Paddle(Atomic):
    """Sends the ball back a tick after it came."""

    def __init__(self, name: str, has_ball: bool) -> None:
        super().__init__(name)
        self.has_ball = has_ball
        self.ball_in, self.ball_out = Port(int, "ball_in"), Port(int, "ball_out")
        self.add_in_port(self.ball_in)
        self.add_out_port(self.ball_out)

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

    def exit(self) -> None:
        """Nothing is left open."""


class PingPong:
    """Two models that send each other one ball."""

    def __init__(self) -> None:
        ping, pong = Paddle("ping", True), Paddle("pong", False)
        top = Coupled("table")
        top.add_component(ping)
        top.add_component(pong)
        top.add_coupling(ping.ball_out, pong.ball_in)
        top.add_coupling(pong.ball_out, ping.ball_in)
        self._coordinator = started(top)

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
