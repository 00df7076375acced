"""Models as graphs: components and couplings of a coupled model, states and transitions of an atomic one.

Both are derived from the model, and written as text for Mermaid or for Graphviz.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import Any, Final, NamedTuple

from twentyone.devs.clock import in_seconds
from twentyone.devs.formalism import Atomic, Coupled, Model, Port
from twentyone.devs.values import Card, text_of

NUMBERS: Final = (1, 16, 20, 22)
"""Values to try on a port for whole numbers: a small one, two near the thresholds, and a bust."""

MOST_STATES: Final = 40
"""The most states to try in each phase: enough for every transition, and fewer than the deck has cards."""


class Box(NamedTuple):
    """A node: its key for edges, its text, whether it is a port, and the boxes within it."""

    key: str
    text: str
    is_port: bool = False
    within: tuple[Box, ...] = ()


class Edge(NamedTuple):
    """An arrow and its label, which is dotted for an internal transition."""

    source: str
    target: str
    text: str
    is_dotted: bool = False


class Graph(NamedTuple):
    """A diagram; `start` is the key of the initial state, if boxes are states."""

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    start: str | None = None


def graph_of(model: Model) -> Graph:
    """The components and couplings of a coupled model, or the states and transitions of an atomic one."""
    if isinstance(model, Atomic):
        return _graph_of_states(model)
    return Graph((_box_of(model, model.name),), tuple(_couplings_of(model, model.name)))


def _box_of(model: Model, key: str) -> Box:
    if isinstance(model, Atomic):
        return Box(key, model.name)
    ports = [Box(f"{key}.{port.name}", port.name, is_port=True) for port in (*model.inputs, *model.outputs)]
    parts = [_box_of(component, f"{key}.{name}") for name, component in model.components.items()]
    return Box(key, model.name, within=(*ports, *parts))


def _couplings_of(model: Coupled, key: str) -> Iterator[Edge]:
    for source, target in model.couplings:
        (start, sent), (end, received) = _end(model, key, source), _end(model, key, target)
        yield Edge(start, end, " to ".join(dict.fromkeys(name for name in (sent, received) if name)))
    for name, component in model.components.items():
        if isinstance(component, Coupled):
            yield from _couplings_of(component, f"{key}.{name}")


def _end(model: Coupled, key: str, end: str) -> tuple[str, str]:
    """The box at an end of a coupling, and the port's name unless the box is the port."""
    name, _, port = end.rpartition(".")
    if name and isinstance(model.components[name], Atomic):
        return f"{key}.{name}", port
    return f"{key}.{end}", ""


def _graph_of_states(model: Atomic[Any]) -> Graph:
    """The phases and the transitions between them, found by trying inputs on states, breadth first."""
    titles: dict[str, str] = {}
    texts: dict[tuple[str, str, bool], dict[str, None]] = {}
    tried: dict[str, int] = {}
    pending, seen = [model.initial], {model.initial}
    for state in pending:
        phase = _phase(model, state)
        titles[phase] = _title(model, state)
        tried[phase] = tried.get(phase, 0) + 1
        if tried[phase] > MOST_STATES:
            continue
        for text, after, is_internal in [*_internal(model, state), *_external(model, state)]:
            texts.setdefault((phase, _phase(model, after), is_internal), {})[text] = None
            if after not in seen:
                seen.add(after)
                pending.append(after)
    edges = (Edge(one, other, "; ".join(of), dotted) for (one, other, dotted), of in texts.items())
    return Graph(tuple(Box(*each) for each in titles.items()), tuple(edges), _phase(model, model.initial))


def _phase(model: Atomic[Any], state: Any) -> str:
    if hasattr(state, "phase"):
        return str(state.phase.value)
    return "passive" if model.time_advance(state) is None else "active"


def _title(model: Atomic[Any], state: Any) -> str:
    advance = model.time_advance(state)
    return f"{_phase(model, state)}, {'for ever' if advance is None else f'{in_seconds(advance)} s'}"


def _internal(model: Atomic[Any], state: Any) -> Iterator[tuple[str, Any, bool]]:
    """The internal transition of a state, if it has one: the output, and the state after it."""
    if model.time_advance(state) is not None:
        sent = ", ".join(f"{port.name}!{_word(value)}" for port, value in model.output(state))
        yield sent or "no output", model.internal_transition(state), True


def _external(model: Atomic[Any], state: Any) -> Iterator[tuple[str, Any, bool]]:
    """The external transitions: by each input alone, and by two at once if the effect is another."""
    tries = {(port, value): f"{port.name}?{_word(value)}" for port in model.inputs for value in _values(port)}
    alone = {each: model.external_transition(state, 0, {each[0]: [each[1]]}) for each in tries}
    for each, after in alone.items():
        if after != state:
            yield tries[each], after, False
    for one, other in combinations(tries, 2):
        if one[0] is not other[0]:
            after = model.external_transition(state, 0, {one[0]: [one[1]], other[0]: [other[1]]})
            if after not in (state, alone[one], alone[other]):
                yield f"{tries[one]} + {tries[other]}", after, False


def _values(port: Port[Any]) -> Sequence[Any]:
    return list(port.type) if issubclass(port.type, Enum) else NUMBERS


def _word(value: Any) -> str:
    """A value in an edge's label. Numbers and cards are left out, since there are too many of them."""
    return "" if isinstance(value, int | Card) else text_of(value)


def as_mermaid(graph: Graph) -> str:
    """The graph as Mermaid text, which GitHub and many editors draw."""
    names = {box.key: f"n{number}" for number, box in enumerate(_all(graph.boxes))}
    lines = ["flowchart LR", *_mermaid_boxes(graph.boxes, names, "  ")]
    if graph.start is not None:
        lines += ["  start(())", f"  start --> {names[graph.start]}"]
    for edge in graph.edges:
        arrow = "-.->" if edge.is_dotted else "-->"
        label = f'|"{edge.text}"|' if edge.text else ""
        lines.append(f"  {names[edge.source]} {arrow}{label} {names[edge.target]}")
    return "\n".join(lines)


def _mermaid_boxes(boxes: Sequence[Box], names: Mapping[str, str], indent: str) -> Iterator[str]:
    for box in boxes:
        if box.within:
            yield f'{indent}subgraph {names[box.key]}["{box.text}"]'
            yield from _mermaid_boxes(box.within, names, indent + "  ")
            yield f"{indent}end"
        else:
            left, right = ("([", "])") if box.is_port else ("[", "]")
            yield f'{indent}{names[box.key]}{left}"{box.text}"{right}'


def as_dot(graph: Graph) -> str:
    """The graph for Graphviz."""
    names = {box.key: f"n{number}" for number, box in enumerate(_all(graph.boxes))}
    lines = [
        "digraph model {",
        '  graph [rankdir=LR, fontname="sans-serif"];',
        '  node [shape=box, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=10];',
        *_dot_boxes(graph.boxes, names, "  "),
    ]
    if graph.start is not None:
        lines += ["  start [shape=point];", f"  start -> {names[graph.start]};"]
    for edge in graph.edges:
        style = ", style=dashed" if edge.is_dotted else ""
        label = edge.text.replace("; ", "\\n")
        lines.append(f'  {names[edge.source]} -> {names[edge.target]} [label="{label}"{style}];')
    return "\n".join([*lines, "}"])


def _dot_boxes(boxes: Sequence[Box], names: Mapping[str, str], indent: str) -> Iterator[str]:
    for box in boxes:
        if box.within:
            yield f'{indent}subgraph cluster_{names[box.key]} {{ label="{box.text}";'
            yield from _dot_boxes(box.within, names, indent + "  ")
            yield f"{indent}}}"
        else:
            shape = ", shape=oval" if box.is_port else ""
            yield f'{indent}{names[box.key]} [label="{box.text}"{shape}];'


def _all(boxes: Sequence[Box]) -> Iterator[Box]:
    for box in boxes:
        yield box
        yield from _all(box.within)
