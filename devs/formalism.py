"""What a discrete-event system is: atomic models and coupled models, as Parallel DEVS defines them.

Names and symbols are those of Zeigler, Praehofer and Kim, *Theory of Modeling and Simulation* (2nd edition,
2000). Times are whole numbers of ticks (`devs.clock`), so what happens at one time happens at exactly one.
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
    """A model is put together wrongly, or does what it may not; the text names the model and the port."""


@dataclass(frozen=True, eq=False, slots=True)
class Port(Generic[V]):
    """A port, and the type of the values that pass it."""

    name: str
    type: type[V]


Output: TypeAlias = Sequence[tuple[Port[Any], Any]]
"""What leaves a model at one time, y in Y: ports and values, several for one port if need be."""

Bag: TypeAlias = Mapping[Port[Any], Sequence[Any]]
"""What reaches a model at one time, x in X^b: the values on each port that has any."""


class Atomic(Generic[S]):
    """M = <X, Y, S, s0, delta_int, delta_ext, delta_con, lambda, ta>.

    Its methods are pure functions: the simulator keeps the state.

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
        """ta(s): ticks until the internal transition, 0 or more, or `INFINITY`."""
        raise NotImplementedError

    def output(self, state: S) -> Output:
        """lambda(s): what is sent just before the internal transition."""
        raise NotImplementedError

    def internal(self, state: S) -> S:
        """delta_int(s): the state after ta(s), if nothing has come."""
        raise NotImplementedError

    def external(self, state: S, elapsed: int, bag: Bag) -> S:
        """delta_ext(s, e, x): the state after a bag that came `elapsed` ticks into s, 0 <= e <= ta(s)."""
        raise NotImplementedError

    def confluent(self, state: S, bag: Bag) -> S:
        """delta_con(s, x): after a bag that came at ta(s) itself; unless redefined, internal comes first."""
        return self.external(self.internal(state), 0, bag)

    def describe(self, state: S) -> str:
        """The state as a log has it."""
        return str(state)


End: TypeAlias = tuple[str, Port[Any]]
"""An end of a coupling: the name of a component, or "" for the coupled model itself, and a port of it."""


class Coupled:
    """N = <X, Y, D, {M_d}, EIC, IC, EOC>.

    Args:
        components: the models M_d; their names are D.
        couplings: from where to where. An end is `component.port`, or `port` for one of its own:
            `("card", "hand.card")` is one of EIC, `("hand.value", "threshold.value")` of IC and
            `("threshold.value", "score")` of EOC.
        inputs, outputs: its own ports, of X and Y.

    Raises:
        ModelError: for an unknown or duplicate name, and for a coupling that is there twice, or joins ports
            of different types, a component with itself or the model with itself.
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
        """Where couplings lead from an output of a component, or from an input of its own (component "")."""
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
            raise ModelError(f"{what} is there twice")
        targets.append((receiver, entering))

    def _end(self, what: str, text: str, is_source: bool) -> End:
        name, _, port = text.rpartition(".")
        if name and name not in self.components:
            raise ModelError(f"{what}: there is no component {name!r}, only {', '.join(self.components)}")
        owner = self.components[name] if name else self
        # Messages leave a component by its outputs, and enter the model by its own inputs.
        kind, ports = ("output", owner.outputs) if is_source == bool(name) else ("input", owner.inputs)
        for each in ports:
            if each.name == port:
                return name, each
        only = ", ".join(each.name for each in ports) or "none"
        raise ModelError(f"{what}: {owner.name} has no {kind} port {port!r}, only {only}")


Model: TypeAlias = Atomic[Any] | Coupled


def _verify_names(what: str, things: Sequence[Model | Port[Any]]) -> None:
    names = [thing.name for thing in things]
    if len(set(names)) < len(names):
        raise ModelError(f"{what} need different names: {', '.join(names)}")
    if wrong := [name for name in names if not name or "." in name]:
        raise ModelError(f"{what} need names without a dot, unlike {wrong[0]!r}")
