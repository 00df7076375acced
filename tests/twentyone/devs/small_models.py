"""Small models for tests. A value is a `Note`, which is dropped after some hops, so every run ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from twentyone.devs.formalism import Atomic, Bag, Output, Port


class Note(NamedTuple):
    """A number, and how many more hops it may take."""

    number: int
    life: int


IN, OUT = Port("in", Note), Port("out", Note)


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
