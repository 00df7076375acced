"""Atomic models and coupled models, as Parallel DEVS defines them.

Names and symbols are those of Zeigler, Praehofer and Kim, *Theory of Modeling and Simulation* (2nd edition,
2000). Times are integer numbers of ticks (`twentyone.devs.clock`), so events of the same time have exactly
the same time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

S = TypeVar("S")
V = TypeVar("V")

INFINITY: Final = None
"""The time advance of a passive state."""


class ModelError(ValueError):
    """A model that is put together wrongly or misbehaves. The text names the model and the port."""


@dataclass(frozen=True, eq=False, slots=True)
class Port(Generic[V]):
    """A port, and the type of its values."""

    name: str
    type: type[V]


Output: TypeAlias = Sequence[tuple[Port[Any], Any]]
"""The output of a model at one time, y in Y: ports and values. A port may have several."""

Bag: TypeAlias = Mapping[Port[Any], Sequence[Any]]
"""The input of a model at one time, x in X^b: the values of each port that has any."""


class Atomic(Generic[S]):
    """M = <X, Y, S, s0, delta_int, delta_ext, delta_con, lambda, ta>.

    Its methods are pure functions. The simulator keeps the state.

    Attributes:
        inputs, outputs: the ports of X and Y.
        initial: s0, the state at time 0.
    """

    inputs: Sequence[Port[Any]] = ()
    outputs: Sequence[Port[Any]] = ()
    initial: S

    def __init__(self, name: str) -> None:
        self.name = name

    def time_advance(self, state: S) -> int | None:
        """ta(s): the ticks until the internal transition, 0 or more, or `INFINITY`."""
        raise NotImplementedError

    def output(self, state: S) -> Output:
        """lambda(s): the output, sent just before the internal transition."""
        raise NotImplementedError

    def internal_transition(self, state: S) -> S:
        """delta_int(s): the state after ta(s) if no input has arrived."""
        raise NotImplementedError

    def external_transition(self, state: S, elapsed: int, bag: Bag) -> S:
        """delta_ext(s, e, x): the state after a bag that arrives `elapsed` ticks into s, 0 <= e <= ta(s)."""
        raise NotImplementedError

    def confluent_transition(self, state: S, bag: Bag) -> S:
        """delta_con(s, x): the state after a bag that arrives at ta(s); by default, internal comes first."""
        return self.external_transition(self.internal_transition(state), 0, bag)

    def describe(self, state: S) -> str:
        """The state as text for a log."""
        return str(state)


End: TypeAlias = tuple[str, Port[Any]]
"""An end of a coupling: the name of a component, or "" for the coupled model itself, and a port of it."""


class Coupled:
    """N = <X, Y, D, {M_d}, EIC, IC, EOC>.

    Args:
        components: the models M_d; their names are D.
        couplings: pairs of a source and a target. An end is `component.port`, or `port` for a port of its
            own: `("card", "hand.card")` belongs to EIC, `("hand.value", "threshold.value")` to IC and
            `("threshold.value", "score")` to EOC.
        inputs, outputs: its own ports, of X and Y.

    Raises:
        ModelError: for an unknown or duplicate name, and for a coupling that occurs twice, or joins ports of
            different types, a component with itself or the model with itself.
    """

    def __init__(
        self,
        name: str,
        components: Sequence[Model],
        couplings: Sequence[tuple[str, str]],
        inputs: Sequence[Port[Any]] = (),
        outputs: Sequence[Port[Any]] = (),
    ) -> None:
        self.name, self.inputs, self.outputs, self.couplings = name, inputs, outputs, couplings
        self.components: Mapping[str, Model] = {each.name: each for each in components}
        _verify_names(f"{name}: its components", components)
        for each in (self, *components):
            _verify_names(f"{each.name}: its input ports", each.inputs)
            _verify_names(f"{each.name}: its output ports", each.outputs)
        self._targets: dict[End, list[End]] = {}
        for source, target in couplings:
            self._couple(f"{name}: the coupling {source} -> {target}", source, target)

    def targets(self, component: str, port: Port[Any]) -> Sequence[End]:
        """The targets of an output of a component, or of an input of its own (component "")."""
        return self._targets.get((component, port), ())

    def _couple(self, what: str, source: str, target: str) -> None:
        sender, leaving = self._end(what, source, is_source=True)
        receiver, entering = self._end(what, target, is_source=False)
        targets = self._targets.setdefault((sender, leaving), [])
        if sender == receiver:
            raise ModelError(f"{what} joins {sender or 'the model'} with itself")
        if leaving.type is not entering.type:
            raise ModelError(f"{what} joins {leaving.type.__name__} with {entering.type.__name__}")
        if (receiver, entering) in targets:
            raise ModelError(f"{what} occurs twice")
        targets.append((receiver, entering))

    def _end(self, what: str, text: str, is_source: bool) -> End:
        name, _, port = text.rpartition(".")
        if name and name not in self.components:
            raise ModelError(f"{what}: there is no component {name!r}: expected {', '.join(self.components)}")
        owner = self.components[name] if name else self
        # Values leave a component by its outputs, and enter the coupled model by its own inputs.
        kind, ports = ("output", owner.outputs) if is_source == bool(name) else ("input", owner.inputs)
        for each in ports:
            if each.name == port:
                return name, each
        others = ", ".join(each.name for each in ports)
        expected = f"expected {others}" if others else f"it has no {kind} ports"
        raise ModelError(f"{what}: {owner.name} has no {kind} port {port!r}: {expected}")


Model: TypeAlias = Atomic[Any] | Coupled


def _verify_names(what: str, things: Sequence[Model | Port[Any]]) -> None:
    names = [thing.name for thing in things]
    if len(set(names)) < len(names):
        raise ModelError(f"{what} are named {', '.join(names)}: expected different names")
    if wrong := [name for name in names if not name or "." in name]:
        raise ModelError(f"{what} have the name {wrong[0]!r}: expected names without a dot")
