"""The simulator: what happens at one time, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twentyone.devs.small_models import IN, OUT, Accumulator, Delay, Delayed, Generator, Note
from twentyone.devs import clock
from twentyone.devs.clock import TICKS, real_time
from twentyone.devs.formalism import Atomic, Bag, Coupled, Model, ModelError, Output, Port
from twentyone.devs.frame import Source, SourceState, frame
from twentyone.devs.kernel import Change, Simulator

A_NOTE = Note(1, 9)


def source(*times: int, name: str = "source") -> Source:
    """Notes at these times, numbered from 1."""
    return Source(name, Note, [(time, Note(number, 99)) for number, time in enumerate(times, 1)])


def within(model: Model, *times: int) -> Simulator:
    """A model alone, with notes at these times."""
    return Simulator(frame(model, {"in": source(*times)}))


def numbers(left: Sequence[tuple[int, Port[Any], Note]]) -> list[tuple[int, int]]:
    return [(time, note.number) for time, _, note in left]


class Recording(Atomic[tuple[str, ...]]):
    """Records every transition. Its time advance is two ticks, at most three times."""

    inputs = (IN,)
    outputs = (OUT,)
    initial = ()

    def time_advance(self, state: tuple[str, ...]) -> int | None:
        return 2 if len(state) < 3 else None

    def output(self, state: tuple[str, ...]) -> Output:
        return ((OUT, A_NOTE),)

    def internal_transition(self, state: tuple[str, ...]) -> tuple[str, ...]:
        return (*state, "internal")

    def external_transition(self, state: tuple[str, ...], elapsed: int, bag: Bag) -> tuple[str, ...]:
        return (*state, f"external after {elapsed}: {sorted(note.number for note in bag[IN])}")


class Passing(Atomic[int]):
    """Has the time advance of a function, a fixed output, and no input."""

    outputs = (OUT,)
    initial = 0

    def __init__(self, name: str, advance: Callable[[int], int | None], sends: Output = ()) -> None:
        super().__init__(name)
        self.advance, self.sends = advance, sends

    def time_advance(self, state: int) -> int | None:
        return self.advance(state)

    def output(self, state: int) -> Output:
        return self.sends

    def internal_transition(self, state: int) -> int:
        return state + 1


def test_output_comes_at_the_end_of_the_time_advance_and_goes_on_at_once() -> None:
    couplings = (("in", "one.in"), ("one.out", "two.in"), ("two.out", "out"))
    chain = Coupled("chain", (Delay("one", 3), Delay("two", 4)), couplings, (IN,), (OUT,))
    assert numbers(within(chain, 1, 2, 9).run()) == [(8, 1), (9, 2), (16, 3)]


def test_what_comes_at_one_time_is_one_bag() -> None:
    couplings = (("a", "recording.in"), ("b", "recording.in"))
    both = Coupled("both", (Recording("recording"),), couplings, (Port("a", Note), Port("b", Note)))
    simulator = Simulator(frame(both, {"a": source(1, 1, name="one"), "b": source(1, name="two")}))
    simulator.step()
    assert ("external after 1: [1, 1, 2]",) in simulator.states


def test_a_second_way_to_a_port_brings_a_second_copy() -> None:
    """Each port that leads there influences it, and a bag has what each of its influencers brings."""
    inputs, couplings = (Port("a", Note), Port("b", Note)), (("a", "d.in"), ("b", "d.in"), ("d.out", "out"))
    doubled = Coupled("doubled", (Delay("d", 1),), couplings, inputs, (OUT,))
    outer = (("in", "doubled.a"), ("in", "doubled.b"), ("doubled.out", "out"))
    model = Coupled("model", (doubled,), outer, (IN,), (OUT,))
    assert numbers(within(model, 1).run()) == [(2, 1), (2, 1)]


def test_ways_of_different_depth_meet_in_one_model() -> None:
    """A note goes to three models of two levels; at 4 one is due to send as another note comes to it."""
    ways = (("in", "fast.in"), ("in", "slow.in"), ("fast.out", "out"), ("slow.out", "out"))
    inner = Coupled("inner", (Delay("fast", 1), Delay("slow", 3)), ways, (IN,), (OUT,))
    ways = (("in", "inner.in"), ("in", "after.in"), ("inner.out", "after.in"), ("inner.out", "out"))
    outer = Coupled("outer", (inner, Delay("after", 2)), (*ways, ("after.out", "out")), (IN,), (OUT,))
    left = within(outer, 1).run()
    told = sorted((time, note.life) for time, _, note in left)  # each model takes one of 99 hops
    assert told == [(2, 98), (3, 98), (4, 97), (4, 98), (6, 97)]


def test_external_transitions_receive_the_time_since_the_last_transition() -> None:
    inside = "internal"
    expected: dict[tuple[int, ...], tuple[str, ...]] = {
        (): (inside, inside, inside),
        (1,): ("external after 1: [1]", inside, inside),  # due at 3 and 5, no longer at 2
        (3, 3): (inside, "external after 1: [1, 2]", inside),
        (2,): (inside, "external after 0: [1]", inside),  # at the time of the internal one
        (0,): ("external after 0: [1]", inside, inside),
        (9,): (inside, inside, inside, "external after 3: [1]"),  # passive since 6
    }
    for times, transitions in expected.items():
        simulator = within(Recording("recording"), *times)
        simulator.run()
        assert transitions in simulator.states, times


def test_a_model_may_have_its_own_confluent_transition() -> None:
    simulator = within(Accumulator("sum", 2), 1, 3)
    assert numbers(simulator.run()) == [(3, 101)]  # 1 that stood for 1 tick; 2 came as it was sent
    assert simulator.states[1].total == 3


def test_all_outputs_are_made_before_any_transition() -> None:
    """Two models that send each other what they have exchange it."""

    class Swapper(Recording):
        def output(self, state: tuple[str, ...]) -> Output:
            return ((OUT, Note(len(state), 0)),)

    swap = Coupled("swap", (Swapper("a"), Swapper("b")), (("a.out", "b.in"), ("b.out", "a.in")))
    simulator = Simulator(swap)
    simulator.run()
    expected = ("internal", "external after 0: [0]", "internal", "external after 0: [2]")
    assert simulator.states == [expected, expected]


def test_outputs_of_one_time_are_in_the_order_of_the_models_whoever_was_due_first() -> None:
    """The tenth model is due at 4 from the start, the second since 3."""
    silent = [Delay(f"d{number}", 1) for number in range(8)]
    models = (Generator("tenth", 4, 1), *silent[1:], Generator("second", 1, 4), silent[0])
    couplings = (("tenth.out", "out"), ("second.out", "out"))
    simulator = Simulator(Coupled("ten", models, couplings, (), (OUT,)))
    assert [simulator.nodes[place].model.name for place in (1, 9)] == ["second", "tenth"]
    assert numbers(simulator.run()) == [(1, 1), (2, 2), (3, 3), (4, 4), (4, 1)]


def test_an_entry_of_the_heap_that_an_input_made_stale_does_nothing() -> None:
    simulator = within(Recording("recording"), 1, 1)
    steps = [(simulator.next_time, bool(simulator.step())) for _ in range(3)]
    assert steps == [(1, False), (3, True), (5, True)]
    assert (simulator.next_time, simulator.step(), simulator.time) == (None, (), 5)


def test_a_time_that_is_announced_twice_comes_once() -> None:
    """An input at 2 brings the generator's time from 2 to 4, another at 2 from 4 to 4 again."""
    relays = Coupled(
        "late",
        (Generator("g", 2, 1), Delay("relay", 0)),
        (("in", "g.in"), ("in", "relay.in"), ("relay.out", "g.in"), ("g.out", "out")),
        (IN,),
        (OUT,),
    )
    assert numbers(within(relays, 1).run()) == [(3, 1)]


def test_numbers_go_down_first_and_from_the_component_named_last() -> None:
    inner = Coupled("inner", (Delay("c", 1), Delay("d", 1)), ())
    simulator = Simulator(Coupled("top", (Delay("a", 1), inner, Delay("b", 1)), ()))
    told = [(node.number, ".".join(node.path)) for node in simulator.nodes]
    assert told == [(1, "top.b"), (3, "top.inner.d"), (4, "top.inner.c"), (5, "top.a")]
    alone = Simulator(Generator("g", 5, 2))
    assert numbers(alone.run()) == [(5, 1), (10, 2)]
    assert [(node.number, node.path) for node in alone.nodes] == [(0, ("g",))]


def test_run_stops_after_the_time_that_it_is_given_and_goes_on_from_there() -> None:
    simulator = Simulator(Generator("g", 2, 5))
    assert numbers(simulator.run(until=1)) == []
    assert numbers(simulator.run(until=4)) == [(2, 1), (4, 2)]
    assert (simulator.time, simulator.next_time) == (4, 6)
    assert numbers(simulator.run(until=4)) == []
    assert numbers(simulator.run()) == [(6, 3), (8, 4), (10, 5)]
    assert (simulator.next_time, simulator.run()) == (None, [])


def test_reset_goes_back_to_the_start_or_to_other_states() -> None:
    simulator = within(Accumulator("sum", 2), 1, 6)
    first = simulator.run()
    simulator.reset()
    assert (simulator.time, simulator.next_time) == (0, 1)
    assert simulator.run() == first
    simulator.reset()
    simulator.run(until=1)  # left in the middle, with a note that is due
    simulator.reset({("top", "sum"): Accumulator.initial._replace(total=50)})
    assert numbers(simulator.run()) == [(3, 5101), (8, 5303)]


def test_observers_see_each_step_with_who_did_what_by_number() -> None:
    couplings = (("in", "a.in"), ("in", "b.in"), ("b.out", "out"))
    simulator = within(Coupled("both", (Delay("b", 1), Delay("a", 1)), couplings, (IN,), (OUT,)), 1)
    seen: list[tuple[int, list[Any]]] = []

    def observe(time: int, changes: Sequence[Change]) -> None:
        seen.append((time, [(node.number, node.model.name, sent, state) for node, sent, state in changes]))

    simulator.observers += [observe, observe]
    simulator.run()
    on_its_way, gone = Delayed(((1, Note(1, 99)),), 1), Delayed((), 1)
    given = [(simulator.nodes[0].model.outputs[0], Note(1, 99))]
    sent = [(OUT, Note(1, 98))]
    came = (1, "source", given, SourceState(1, None))
    first = (1, [came, (3, "a", (), on_its_way), (4, "b", (), on_its_way)])
    second = (2, [(3, "a", sent, gone), (4, "b", sent, gone)])
    assert seen == [first, first, second, second]


def test_run_waits_for_each_time_before_its_step() -> None:
    simulator = Simulator(Generator("g", 2, 3))
    waits: list[tuple[int, int]] = []
    simulator.run(wait_for=lambda time: waits.append((time, simulator.time)))
    assert waits == [(2, 0), (4, 2), (6, 4)]


@pytest.mark.parametrize("scale", [1.0, 10.0, 0.5])
def test_real_time_has_its_scale_and_does_not_add_up_delays(
    monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds + 0.125 / scale  # it wakes late, by an eighth of a simulated second

    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    monkeypatch.setattr(clock, "sleep", sleep)
    Simulator(Generator("g", TICKS, 3)).run(wait_for=real_time(scale))
    assert slept == pytest.approx([1 / scale, 0.875 / scale, 0.875 / scale])
    wait_for = real_time(scale)
    now[0] += 5 / scale
    wait_for(3 * TICKS)
    assert slept[3:] == [0.0]


def refusal(simulator: Simulator) -> str:
    with pytest.raises(ModelError) as refused:
        simulator.run()
    return str(refused.value)


def test_a_negative_time_advance_is_refused() -> None:
    backwards = Passing("back", lambda state: -TICKS if state else 2 * TICKS)
    assert refusal(Simulator(Coupled("top", (backwards,), ()))) == (
        "top.back at 2 s: the time advance is -1 s: expected 0 or more"
    )
    with pytest.raises(ModelError, match=r"^back at 0 s: the time advance is -1 s: expected 0 or more$"):
        Simulator(Passing("back", lambda _: -TICKS))


def test_only_so_many_steps_without_time_are_accepted() -> None:
    restless = Passing("restless", lambda state: 0 if state else TICKS)
    assert refusal(Simulator(Coupled("top", (restless,), ()), zero_steps=7)) == (
        "top.restless at 1 s: more than 7 steps in a row took no time"
    )
    bursts = Passing("bursts", lambda state: int(state % 7 == 0) if state < 70 else None, ((OUT, A_NOTE),))
    times = Counter(time for time, _, _ in Simulator(bursts, zero_steps=7).run())
    assert times == dict.fromkeys(range(1, 11), 7)
    with pytest.raises(ModelError, match=r"6 steps in a row took no time$"):
        Simulator(bursts, zero_steps=6).run()


def test_a_port_of_another_model_is_refused() -> None:
    for port in (Port("out", Note), IN):
        stranger = Passing("stranger", lambda _: TICKS, ((port, A_NOTE),))
        assert refusal(Simulator(Coupled("top", (stranger,), ()))) == (
            f"top.stranger at 1 s: an output is sent by {port.name!r}: expected one of the model's output"
            " ports"
        )


def test_the_error_of_a_model_gets_its_name_and_the_time() -> None:
    def fail(*_: object) -> None:
        raise ModelError("no")

    for method, times, at in (
        ("output", (), 2e-6),
        ("internal_transition", (), 2e-6),
        ("external_transition", (1,), 1e-6),
        ("confluent_transition", (2,), 2e-6),
    ):
        faulty = type("Faulty", (Recording,), {method: fail})
        assert refusal(within(faulty("faulty"), *times)) == f"top.faulty at {at:g} s: no", method


def test_a_run_that_failed_can_be_repeated_after_reset() -> None:
    backwards = Passing("back", lambda state: -TICKS if state else 2, ((OUT, A_NOTE),))
    simulator = Simulator(Coupled("top", (backwards, Generator("g", 2, 2)), (("back.out", "g.in"),)))
    errors = [refusal(simulator)]
    simulator.reset()
    errors.append(refusal(simulator))
    assert errors == ["top.back at 2e-06 s: the time advance is -1 s: expected 0 or more"] * 2


@settings(max_examples=25)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8), st.lists(st.integers(0, 9), max_size=20), st.data()
)
def test_a_chain_of_relays_loses_nothing_and_keeps_the_order(
    delays: list[int], times: list[int], data: st.DataObject
) -> None:
    """However deep its links are nested, what goes in comes out, in order, by the sum of the delays later."""
    links: list[Model] = [Delay(f"d{place}", ticks) for place, ticks in enumerate(delays)]
    while len(links) > 1:
        place = data.draw(st.integers(0, len(links) - 2))
        one, other = links[place : place + 2]
        through = (f"{one.name}.out", f"{other.name}.in")
        couplings = (("in", f"{one.name}.in"), through, (f"{other.name}.out", "out"))
        links[place : place + 2] = [
            Coupled(f"{one.name}-{other.name}", (one, other), couplings, (IN,), (OUT,))
        ]
    left = within(links[0], *sorted(times)).run()
    assert numbers(left) == [(time + sum(delays), number) for number, time in enumerate(sorted(times), 1)]
