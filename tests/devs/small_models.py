"""Small models for tests, and the atomic model that is equivalent to a coupled one.

A value is a `Note`, which is dropped after some hops, so every coupling is allowed and every run ends. What a
model does never depends on the order within a bag, which Parallel DEVS leaves open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st

from devs.formalism import Atomic, Bag, Coupled, Model, Output, Port
from devs.frame import Source, frame
from devs.kernel import Simulator


class Note(NamedTuple):
    """A number, and how many more hops it may take."""

    number: int
    life: int


IN, OUT = Port("in", Note), Port("out", Note)

Moment: TypeAlias = tuple[int, Counter[tuple[str, Note]]]
"""A time, and the bag of what left at one step: names of ports, and values."""


class Small(Atomic[Any]):
    """A model with one input and one output. The last field of its state counts the notes received."""

    inputs: Sequence[Port[Any]] = (IN,)
    outputs: Sequence[Port[Any]] = (OUT,)


class Delayed(NamedTuple):
    """Notes on their way, each with the ticks that it still has to go."""

    under_way: tuple[tuple[int, Note], ...] = ()
    came: int = 0


class Delay(Small):
    """Sends each note a number of ticks after it arrived. With 0 ticks it is a relay."""

    initial = Delayed()

    def __init__(self, name: str, ticks: int) -> None:
        super().__init__(name)
        self.ticks = ticks

    def time_advance(self, state: Delayed) -> int | None:
        return min((left for left, _ in state.under_way), default=None)

    def output(self, state: Delayed) -> Output:
        now = self.time_advance(state)
        return [(OUT, Note(note.number, note.life - 1)) for left, note in state.under_way if left == now]

    def internal_transition(self, state: Delayed) -> Delayed:
        now = self.time_advance(state)
        assert now is not None
        later = tuple((left - now, note) for left, note in state.under_way if left > now)
        return Delayed(later, state.came)

    def external_transition(self, state: Delayed, elapsed: int, bag: Bag) -> Delayed:
        before = tuple((left - elapsed, note) for left, note in state.under_way)
        new = tuple((self.ticks, note) for note in bag[IN] if note.life)
        return Delayed(before + new, state.came + len(bag[IN]))


class Summed(NamedTuple):
    """A sum, the hops that its note will have left, the age of the last sum, and the notes received."""

    total: int = 0
    life: int = 0
    age: int = 0
    came: int = 0


class Accumulator(Small):
    """Adds up notes. When none has arrived for some ticks, it sends the sum and how long the last one stood.

    Unlike the others, its confluent transition has the external one first.
    """

    initial = Summed()

    def __init__(self, name: str, ticks: int) -> None:
        super().__init__(name)
        self.ticks = ticks

    def time_advance(self, state: Summed) -> int | None:
        return self.ticks if state.life else None

    def output(self, state: Summed) -> Output:
        return ((OUT, Note(state.total * 100 + state.age, state.life - 1)),)

    def internal_transition(self, state: Summed) -> Summed:
        return state._replace(life=0, age=self.ticks)

    def external_transition(self, state: Summed, elapsed: int, bag: Bag) -> Summed:
        notes = bag[IN]
        life = max(state.life, *(note.life for note in notes))
        total = state.total + sum(note.number for note in notes)
        return Summed(total, life, elapsed, state.came + len(notes))

    def confluent_transition(self, state: Summed, bag: Bag) -> Summed:
        return self.internal_transition(self.external_transition(state, self.ticks, bag))


class Generated(NamedTuple):
    """The number of notes sent, the ticks to the next one, and the number of notes received."""

    sent: int
    wait: int
    came: int = 0


class Generator(Small):
    """Sends `count` notes, one in each `period`. An input makes it wait for a whole period again."""

    def __init__(self, name: str, period: int, count: int, life: int = 3) -> None:
        super().__init__(name)
        self.period, self.count, self.life = period, count, life
        self.initial = Generated(0, period)

    def time_advance(self, state: Generated) -> int | None:
        return state.wait if state.sent < self.count else None

    def output(self, state: Generated) -> Output:
        return ((OUT, Note(state.sent + 1, self.life)),)

    def internal_transition(self, state: Generated) -> Generated:
        return Generated(state.sent + 1, self.period, state.came)

    def external_transition(self, state: Generated, elapsed: int, bag: Bag) -> Generated:
        return Generated(state.sent, self.period, state.came + len(bag[IN]))


class Part(NamedTuple):
    """A component's state s_d, and e_d, the ticks since it was entered."""

    state: Any
    elapsed: int


class Closure(Atomic[Any]):
    """The atomic model that is equivalent to a coupled model, by closure under coupling (Zeigler).

    S is the product of all (s_d, e_d), and ta(s) the least sigma_d = ta_d(s_d) - e_d. Every coupled component
    is replaced by its own closure first.
    """

    def __init__(self, model: Coupled) -> None:
        super().__init__(model.name)
        self.inputs, self.outputs = model.inputs, model.outputs
        self.model = model
        self.parts = {
            name: Closure(each) if isinstance(each, Coupled) else each
            for name, each in model.components.items()
        }
        self.initial = tuple(Part(each.initial, 0) for each in self.parts.values())
        self.couplings = [(self._end(source), self._end(target)) for source, target in model.couplings]

    @staticmethod
    def _end(text: str) -> tuple[str, str]:
        name, _, port = text.rpartition(".")
        return name, port

    def time_advance(self, state: Sequence[Part]) -> int | None:
        return min((sigma for sigma in self._sigmas(state) if sigma is not None), default=None)

    def output(self, state: Sequence[Part]) -> Output:
        sent = self._sent(state)
        ports = {port.name: port for port in self.outputs}
        return [
            (ports[entry], value)
            for (name, port), (receiver, entry) in self.couplings
            if name and not receiver
            for value in sent.get((name, port), ())
        ]

    def internal_transition(self, state: Sequence[Part]) -> Sequence[Part]:
        return self._after(state, self.time_advance(state), {}, is_due=True)

    def external_transition(self, state: Sequence[Part], elapsed: int, bag: Bag) -> Sequence[Part]:
        return self._after(state, elapsed, bag, is_due=False)

    def confluent_transition(self, state: Sequence[Part], bag: Bag) -> Sequence[Part]:
        return self._after(state, self.time_advance(state), bag, is_due=True)

    def _sigmas(self, state: Sequence[Part]) -> list[int | None]:
        advances = [
            each.time_advance(part.state) for each, part in zip(self.parts.values(), state, strict=True)
        ]
        return [
            None if advance is None else advance - part.elapsed
            for advance, part in zip(advances, state, strict=True)
        ]

    def _imminent(self, state: Sequence[Part]) -> set[str]:
        now = self.time_advance(state)
        return {name for name, sigma in zip(self.parts, self._sigmas(state), strict=True) if sigma == now}

    def _sent(self, state: Sequence[Part]) -> dict[tuple[str, str], list[Any]]:
        sent: dict[tuple[str, str], list[Any]] = {}
        imminent = self._imminent(state)
        for (name, each), part in zip(self.parts.items(), state, strict=True):
            for port, value in each.output(part.state) if name in imminent else ():
                sent.setdefault((name, port.name), []).append(value)
        return sent

    def _after(self, state: Sequence[Part], elapsed: int | None, bag: Bag, is_due: bool) -> Sequence[Part]:
        """The state `elapsed` ticks later, after `bag`; `is_due` if this is ta(s), when output is sent."""
        assert elapsed is not None
        sent = self._sent(state) if is_due else {}
        sent |= {("", port.name): [*values] for port, values in bag.items()}
        imminent = self._imminent(state) if is_due else set()
        parts = []
        for (name, each), (inner, age) in zip(self.parts.items(), state, strict=True):
            came: dict[Port[Any], list[Any]] = {}
            for source, (receiver, entry) in self.couplings:
                if receiver == name and source in sent:
                    (port,) = (port for port in each.inputs if port.name == entry)
                    came.setdefault(port, []).extend(sent[source])
            if name in imminent:
                parts.append(
                    Part(
                        each.confluent_transition(inner, came) if came else each.internal_transition(inner), 0
                    )
                )
            elif came:
                parts.append(Part(each.external_transition(inner, age + elapsed, came), 0))
            else:
                parts.append(Part(inner, age + elapsed))
        return tuple(parts)


# Random hierarchies, and how they are run


@st.composite
def hierarchies(draw: st.DrawFn, depth: int = 3) -> Coupled:
    """A coupled model of up to `depth` levels, each with two or three components and any legal couplings.

    As in a flat model, there is at most one path between two ports: a port is coupled with at most one input,
    and at most one output, of the model.
    """
    names = (f"m{number}" for number in range(100))
    return _coupled(draw, names, depth)


def _coupled(draw: st.DrawFn, names: Iterator[str], depth: int) -> Coupled:
    name = next(names)
    components = [_component(draw, names, depth - 1) for _ in range(draw(st.integers(2, 3)))]
    inputs, outputs = (IN, Port("other in", Note)), (OUT, Port("other out", Note))
    couplings = []
    sources = [f"{each.name}.{port.name}" for each in components for port in each.outputs]
    targets = [f"{each.name}.{port.name}" for each in components for port in each.inputs]
    for target in targets:
        if own := draw(st.sampled_from([*inputs, *inputs, None])):
            couplings.append((own.name, target))
    for source in sources:
        if other := draw(st.sampled_from([*outputs, *outputs, None])):
            couplings.append((source, other.name))
        into = [target for target in targets if target.partition(".")[0] != source.partition(".")[0]]
        chosen = draw(st.lists(st.sampled_from(into), unique=True, max_size=2)) if into else []
        couplings += [(source, target) for target in chosen]
    return Coupled(name, components, couplings, inputs, outputs)


def _component(draw: st.DrawFn, names: Iterator[str], depth: int) -> Model:
    kind = draw(st.integers(0, 5 if depth else 2))
    if kind > 2:
        return _coupled(draw, names, depth)
    name, ticks = next(names), draw(st.integers(0, 3))
    if kind == 0:
        return Delay(name, ticks)
    if kind == 1:
        return Accumulator(name, ticks)
    return Generator(name, ticks + 1, draw(st.integers(1, 4)))


def fed(model: Model, times: Sequence[int]) -> Coupled:
    """A model with a source for each input: one note at each of the times, and two at its second input."""
    sources = {
        port.name: Source(
            f"source {place}",
            Note,
            [
                (time, Note(1000 * (n + 1), 3))
                for n, time in enumerate(sorted(times))
                for _ in range(place + 1)
            ],
        )
        for place, port in enumerate(model.inputs)
    }
    return frame(model, sources)


def trajectory(model: Model) -> list[Moment]:
    """What leaves a model, bag by bag, to the end."""
    simulator = Simulator(model)
    moments = []
    while simulator.next_time is not None:
        left = Counter((port.name, value) for port, value in simulator.step())
        moments.append((simulator.time, left))
    return [moment for moment in moments if moment[1]]
