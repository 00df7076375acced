"""Models: which couplings are allowed, and errors that name the model and the port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.twentyone.devs.small_models import IN, OUT, Accumulator, Delay, Note
from twentyone.devs.formalism import Atomic, Coupled, Model, ModelError, Port

NUMBER = Port("number", int)


class Pair(Delay):
    """A delay with a port of another type beside."""

    inputs = (IN, NUMBER)
    outputs = (OUT, NUMBER)


def pair(*couplings: tuple[str, str]) -> Coupled:
    """Two models with these couplings, within one that has the same ports."""
    return Coupled("both", (Pair("a", 1), Pair("b", 1)), couplings, (IN, NUMBER), (OUT, NUMBER))


def refusal(*couplings: tuple[str, str]) -> str:
    with pytest.raises(ModelError) as refused:
        pair(*couplings)
    return str(refused.value)


def test_each_kind_of_coupling_leads_where_it_says() -> None:
    model = pair(("in", "a.in"), ("in", "b.in"), ("a.out", "b.in"), ("b.out", "out"), ("a.number", "number"))
    assert model.targets("", IN) == [("a", IN), ("b", IN)]
    assert model.targets("a", OUT) == [("b", IN)]
    assert model.targets("b", OUT) == [("", OUT)]
    assert model.targets("a", NUMBER) == [("", NUMBER)]
    assert model.targets("b", NUMBER) == ()


ILLEGAL = {
    ("c.out", "a.in"): ": there is no component 'c': expected a, b",
    ("a.out", "c.in"): ": there is no component 'c': expected a, b",
    ("a.off", "b.in"): ": a has no output port 'off': expected out, number",
    ("a.out", "b.off"): ": b has no input port 'off': expected in, number",
    ("off", "a.in"): ": both has no input port 'off': expected in, number",
    ("a.out", "off"): ": both has no output port 'off': expected out, number",
    ("", "a.in"): ": both has no input port '': expected in, number",
    # In the wrong direction.
    ("a.in", "b.in"): ": a has no output port 'in': expected out, number",
    ("a.out", "b.out"): ": b has no input port 'out': expected in, number",
    ("out", "a.in"): ": both has no input port 'out': expected in, number",
    ("a.out", "in"): ": both has no output port 'in': expected out, number",
    ("a.out", "a.in"): " joins a with itself",
    ("in", "out"): " joins the model with itself",
    ("a.out", "b.number"): " joins Note with int",
    ("number", "b.in"): " joins int with Note",
    ("b.number", "out"): " joins int with Note",
}


def test_an_illegal_coupling_is_refused() -> None:
    for (source, target), why in ILLEGAL.items():
        assert refusal((source, target)) == f"both: the coupling {source} -> {target}{why}"
    assert refusal(("a.out", "b.in"), ("a.out", "b.in")) == "both: the coupling a.out -> b.in occurs twice"
    for inner, coupling, fault in (
        (Delay("a", 1), ("in", "a.in"), r": top has no input port 'in': it has no input ports$"),
        (pair(), ("both.a.out", "both.in"), r": there is no component 'both\.a': expected both$"),
    ):
        with pytest.raises(ModelError, match=fault):
            Coupled("top", (inner,), (coupling,))


def test_ambiguous_names_are_refused() -> None:
    dotted, twice = "expected names without a dot", "expected different names"
    cases: list[tuple[Sequence[str], Any, Any, str]] = [
        (("a", "b", "a"), (), (), f"components are named a, b, a: {twice}"),
        (("a", ""), (), (), f"components have the name '': {dotted}"),
        (("a.b",), (), (), f"components have the name 'a.b': {dotted}"),
        ((), (IN, Port("in", int)), (), f"input ports are named in, in: {twice}"),
        ((), (), (OUT, OUT), f"output ports are named out, out: {twice}"),
        ((), (), (Port("o.o", int),), f"output ports have the name 'o.o': {dotted}"),
    ]
    for components, inputs, outputs, sentence in cases:
        models: list[Model] = [Accumulator(name, 1) for name in components]
        with pytest.raises(ModelError) as refused:
            Coupled("top", models, (), inputs, outputs)
        assert str(refused.value) == f"top: its {sentence}"

    class Twice(Delay):
        outputs = (OUT, Port("out", Note))

    with pytest.raises(ModelError, match=r"^twice: its output ports are named out, out: expected different"):
        Coupled("top", (Twice("twice", 1),), ())
    assert pair(("number", "a.number"), ("a.number", "number")).targets("a", NUMBER) == [("", NUMBER)]
    assert len({IN, Port("in", Note)}) == 2  # a port is itself, whatever it is named


def test_the_methods_of_an_atomic_model_have_no_default() -> None:
    model: Atomic[int] = Atomic("bare")
    assert model.describe(("s", 1)) == "('s', 1)"  # type: ignore[arg-type]
    for call in (
        lambda: model.time_advance(0),
        lambda: model.output(0),
        lambda: model.internal_transition(0),
        lambda: model.external_transition(0, 0, {}),
    ):
        with pytest.raises(NotImplementedError):
            call()


def test_the_confluent_transition_is_internal_and_then_external_without_time() -> None:
    class Recording(Atomic[str]):
        def internal_transition(self, state: str) -> str:
            return f"internal({state})"

        def external_transition(self, state: str, elapsed: int, bag: object) -> str:
            return f"external({state}, {elapsed}, {bag})"

    assert Recording("recording").confluent_transition("s", {}) == "external(internal(s), 0, {})"
