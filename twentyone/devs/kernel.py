"""The simulator of Parallel DEVS models: a heap of event times, and a step for each time.

It follows the abstract simulators of Zeigler, Praehofer and Kim (*Theory of Modeling and Simulation*, 2nd
edition, 2000), flattened: since DEVS is closed under coupling, simulating all atomic models simulates the
hierarchy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from twentyone.devs.clock import in_seconds
from twentyone.devs.formalism import INFINITY, Atomic, Coupled, Model, ModelError, Output, Port

ZERO_STEPS: Final = 1000
"""The most steps in a row that may take no time. A deep hierarchy legitimately takes one for each of its
levels."""


class Node(NamedTuple):
    """An atomic model, its number in the hierarchy, and the names on the path down to it."""

    number: int
    path: tuple[str, ...]
    model: Atomic[Any]


class Change(NamedTuple):
    """The step of an atomic model: its output, and its state afterwards."""

    node: Node
    sent: Output
    state: Any


class Simulator:
    """Simulates a model that contains the sources of its inputs.

    Attributes:
        nodes: the atomic models. The top model is number 0; numbers go depth-first, the last component first.
        routes: for each of them, the targets of each output port: indices of `nodes`, or -1 for outside.
        states: the state of each of them.
        observers: called after each step with its time and the changes, in the order of their numbers.
        time: the time of the last step, in ticks.
    """

    def __init__(self, model: Model, *, zero_steps: int = ZERO_STEPS) -> None:
        atomic = [(i, *each) for i, each in enumerate(_walk(model)) if isinstance(each[0], Atomic)]
        self.nodes = [Node(number, path, each) for number, each, path, _ in atomic]
        self._models = [node.model for node in self.nodes]
        places = {(): -1} | {node.path: place for place, node in enumerate(self.nodes)}
        self.routes = [
            _Routes({p: [(places[end], q) for end, q in _leaving(above, path, p)] for p in each.outputs})
            for _, each, path, above in atomic
        ]
        self.observers: list[Callable[[int, Sequence[Change]], None]] = []
        self._zero_steps = zero_steps
        self.reset()

    def reset(self, states: Mapping[tuple[str, ...], Any] | None = None) -> None:
        """Go back to time 0 and the initial states, or other states given by path."""
        self.time = self._steps = 0
        self.states = [(states or {}).get(node.path, node.model.initial) for node in self.nodes]
        self._last = [0] * len(self.nodes)
        self._next: list[int | None] = [None] * len(self.nodes)
        self._heap: list[int] = []  # the keys of _due, whose sets may have become empty
        self._due: dict[int, set[int]] = {}
        self._enter(enumerate(self.states), 0)

    @property
    def next_time(self) -> int | None:
        """The time of the next step, in ticks; `INFINITY` if there is none."""
        heap, due = self._heap, self._due
        while heap and not due[heap[0]]:
            del due[heappop(heap)]  # inputs came first, so no internal transition is due at this time
        return heap[0] if heap else INFINITY

    def run(
        self, until: int | None = None, wait_for: Callable[[int], None] | None = None
    ) -> list[tuple[int, Port[Any], Any]]:
        """Step to the end, or through the time `until`.

        Args:
            until: the last time to simulate, in ticks; None for the end.
            wait_for: called before each step with its time in ticks.

        Returns:
            What left the model: times, ports and values.
        """
        left = []
        while (time := self.next_time) is not None and (until is None or time <= until):
            if wait_for is not None:
                wait_for(time)
            if leaving := self._step(time):
                left += [(time, port, value) for port, value in leaving]
        return left

    def step(self) -> Output:
        """Do one step: every output of the next time, then every transition.

        Returns:
            What left the model.

        Raises:
            ModelError: if a model raises it, sends by a port that it does not have, has a negative time
                advance, or takes too many steps in a row at one time. The text has the model's name and the
                time. After this error, call `reset`.
        """
        return () if (time := self.next_time) is None else self._step(time)

    def _step(self, time: int) -> Output:
        models, states, imminent = self._models, self.states, self._imminent(time)
        left: list[tuple[Port[Any], Any]] = []
        sent: dict[int, Output] = {}
        bags: dict[int, dict[Port[Any], list[Any]]] = {}
        try:
            for place in imminent:
                sent[place] = output = models[place].output(states[place])
                routes = self.routes[place]
                for port, value in output:
                    for target, entry in routes[port]:
                        if target < 0:
                            left.append((entry, value))
                        elif target in bags:
                            bags[target].setdefault(entry, []).append(value)
                        else:
                            bags[target] = {entry: [value]}
            after: list[tuple[int, Any]] = []
            for place in imminent:
                state, model = states[place], models[place]
                if place in bags:
                    after.append((place, model.confluent_transition(state, bags[place])))
                else:
                    after.append((place, model.internal_transition(state)))
            for place, bag in bags.items():
                if place not in sent:
                    if (announced := self._next[place]) is not None:
                        self._due[announced].remove(place)
                    elapsed = time - self._last[place]
                    after.append((place, models[place].external_transition(states[place], elapsed, bag)))
        except ModelError as error:
            raise ModelError(f"{self._name(place)} at {in_seconds(time)} s: {error}") from None
        self._enter(after, time)
        if self.observers:
            changes = [
                Change(self.nodes[each], sent.get(each, ()), states[each]) for each in sorted({*sent, *bags})
            ]
            for observer in self.observers:
                observer(time, changes)
        return left

    def _imminent(self, time: int) -> list[int]:
        """IMM(s): the models whose internal transitions are due at this time, the first of the heap."""
        heappop(self._heap)
        due = self._due.pop(time)
        imminent = sorted(due) if len(due) > 1 else [*due]
        if time != self.time:
            self.time, self._steps = time, 0
        self._steps += 1
        if self._steps > self._zero_steps:
            steps = f"more than {self._zero_steps} steps in a row took no time"
            raise ModelError(f"{self._name(imminent[0])} at {in_seconds(time)} s: {steps}")
        return imminent

    def _enter(self, entered: Iterable[tuple[int, Any]], time: int) -> None:
        """Enter states, given with their indices: tL is now, and tN is tL + ta(s)."""
        models, states, due = self._models, self.states, self._due
        for place, state in entered:
            states[place], self._last[place] = state, time
            advance = models[place].time_advance(state)
            if advance is None:
                self._next[place] = None
                continue
            if advance < 0:
                what = f"the time advance is {in_seconds(advance)} s: expected 0 or more"
                raise ModelError(f"{self._name(place)} at {in_seconds(time)} s: {what}")
            self._next[place] = then = time + advance
            if then in due:
                due[then].add(place)
            else:
                due[then] = {place}
                heappush(self._heap, then)

    def _name(self, place: int) -> str:
        return ".".join(self.nodes[place].path)


class _Routes(dict[Port[Any], list[tuple[int, Port[Any]]]]):
    def __missing__(self, port: Port[Any]) -> NoReturn:
        raise ModelError(f"an output is sent by {port.name!r}: expected one of the model's output ports")


Path: TypeAlias = tuple[str, ...]


def _walk(model: Model, above: tuple[Coupled, ...] = (), path: Path = ()) -> Iterator[Any]:
    path = (*path, model.name)
    yield model, path, above
    if isinstance(model, Coupled):
        for component in reversed([*model.components.values()]):
            yield from _walk(component, (*above, model), path)


def _leaving(above: tuple[Coupled, ...], path: Path, port: Port[Any]) -> Iterator[tuple[Path, Port[Any]]]:
    """The ends of a value that leaves the model at a path by a port: atomic models, or () outside."""
    if not above:
        yield (), port
        return
    for name, entry in above[-1].targets(path[-1], port):
        if name:
            yield from _entering(above[-1].components[name], (*path[:-1], name), entry)
        else:
            yield from _leaving(above[:-1], path[:-1], entry)


def _entering(model: Model, path: Path, port: Port[Any]) -> Iterator[tuple[Path, Port[Any]]]:
    if isinstance(model, Atomic):
        yield path, port
        return
    for name, entry in model.targets("", port):
        yield from _entering(model.components[name], (*path, name), entry)
