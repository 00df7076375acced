"""Recorded runs: their inputs are replayed, and the outputs are compared with the recorded ones.

A recording is a JSON object with `model`, `name`, `inputs` and `outputs` (each with `t` in seconds, `port`
and `value`), and optionally `params` (`threshold`), `internal_events` (which also have `model` and
`model_id`), and the cards of the deck, drawn from the end: `deck_order_after_shuffle`, the order after every
shuffle, or `deck_orders_after_each_shuffle`, a list with the order after each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from twentyone.devs.blackjack import MODELS, Setup
from twentyone.devs.clock import TICKS, in_seconds, ticks
from twentyone.devs.controller import Controller
from twentyone.devs.events import Event, port_called, sources_of
from twentyone.devs.formalism import Model, ModelError
from twentyone.devs.frame import Source, frame
from twentyone.devs.games import stacked
from twentyone.devs.kernel import Change, Simulator
from twentyone.devs.player import Threshold
from twentyone.devs.values import Card, cards_of, text_of, value_of

UNTIL: Final = 10**6 * TICKS
"""Longer than any recorded run. A replay that does not end on its own is stopped here."""

OURS: Final = frozenset({Controller.RESET.name})
"""Ports that the original does not have, so no recording mentions them."""

EXACT: Final = 1e-6
"""Seconds: recorded times are tenths of a second, up to the rounding of floats."""

ORDERS: Final = "deck_orders_after_each_shuffle"
"""The member with an order of the deck for each shuffle."""


_MEMBERS: Final = "'inputs' and 'outputs' as lists of objects with 't', 'port' and 'value'"
"""The members that every recording has."""


class TraceError(ValueError):
    """A document or a recording that cannot be understood; the text says why."""


class Sent(NamedTuple):
    """A value that was sent: time in ticks, sender ("" for the whole model), port, and text."""

    time: int
    sender: str
    port: str
    value: str

    def __str__(self) -> str:
        sender = f"{self.sender}, " if self.sender else ""
        return f"{sender}{self.port} {self.value}"


@dataclass(frozen=True)
class Verdict:
    """The result of a replay.

    Attributes:
        model, name: the names of the recording.
        events: the number of values that were compared; 0 if the recording cannot be replayed.
        difference: the first difference as a sentence, with its time, port and value, or why the recording
            cannot be replayed; "" if it agrees.
    """

    model: str
    name: str
    events: int
    difference: str


class Orders:
    """The recorded orders of a deck, one for each shuffle. `order_of` shuffles by them.

    Attributes:
        played: how many of them have been used.
    """

    def __init__(self, orders: Sequence[Sequence[Card]]) -> None:
        self._orders = tuple(tuple(order) for order in orders)
        self.played = 0

    def order_of(self, number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The order after the shuffle with this number, counted from 0.

        Raises:
            TraceError: if there is none, or if it is not an order of these cards.
        """
        if number >= len(self._orders):
            raise TraceError(
                f"{ORDERS!r} has no order for shuffle {number + 1}: expected one for every shuffle"
            )
        order = self._orders[number]
        if Counter(order) != Counter(cards):
            raise TraceError(
                f"order {number + 1} of {ORDERS!r} is invalid: expected an order of the {len(cards)} cards"
                " that the deck has before the shuffle"
            )
        self.played = number + 1
        return order

    @property
    def difference(self) -> str:
        """The difference if the replay shuffled less often than the recorded run; "" if nothing does."""
        expected = len(self._orders)
        return "" if self.played == expected else f"expected shuffles: {expected}; found {self.played}"


def recordings_in(document: Any) -> Sequence[Any]:
    """The recordings in a JSON document: a list of them, or an object that has such a list as `traces`.

    Raises:
        TraceError: if it is neither.
    """
    found = document.get("traces") if isinstance(document, dict) else document
    if not isinstance(found, list):
        raise TraceError(
            "it has no recorded runs: expected a list of them, or an object with a list 'traces'"
        )
    return found


def replay(recording: Any, setup: Setup) -> Verdict:
    """Replay the inputs of a recording, and compare the outputs.

    A fault of the recording is its verdict too: it says nothing about others of the same document.
    """
    told = recording if isinstance(recording, dict) else {}
    kind, name = str(told.get("model", "no model")), str(told.get("name", "without a name"))
    try:
        if told is not recording:
            raise TraceError(f"it is no JSON object: expected one with {_MEMBERS}")
        compared, difference = _compared(kind, told, setup)
    except KeyError as error:
        fault = f"{error.args[0]!r} is missing"
    except (AttributeError, TypeError):
        fault = f"a part of it is of another kind than a run's: expected {_MEMBERS}"
    except (ValueError, OverflowError) as error:
        fault = str(error)
    else:
        return Verdict(kind, name, compared, difference)
    return Verdict(kind, name, 0, f"cannot be replayed: {fault}")


def _compared(kind: str, recording: Mapping[str, Any], setup: Setup) -> tuple[int, str]:
    """The number of values that were compared, and the first difference."""
    orders = _orders_of(recording)
    model = _model_of(kind, recording, replace(setup, shuffled=orders.order_of) if orders else setup)
    expected = _outputs_of(kind, model, recording["outputs"])
    inside = _inside_of(recording.get("internal_events", ()))
    sources = sources_of(kind, model, _inputs_of(kind, model, recording["inputs"]))
    outputs, within, fault = _run_model(model, sources)
    if orders and not fault:
        fault = orders.difference
    difference = _first_difference(expected + inside, outputs + (within if inside else Counter()))
    return (expected + inside).total(), difference or fault


def _orders_of(recording: Mapping[str, Any]) -> Orders | None:
    if ORDERS not in recording:
        return None
    if "deck_order_after_shuffle" in recording:
        raise ValueError(f"it has both 'deck_order_after_shuffle' and {ORDERS!r}: expected one of them")
    orders = recording[ORDERS]
    if not isinstance(orders, list) or not all(isinstance(order, list) for order in orders):
        raise ValueError(f"{ORDERS!r} is invalid: expected a list of lists of cards")
    return Orders([cards_of([str(card) for card in order]) for order in orders])


def _model_of(kind: str, recording: Mapping[str, Any], setup: Setup) -> Model:
    if kind not in MODELS:
        raise ValueError(f"there is no model {kind!r}: expected {', '.join(MODELS)}")
    if order := recording.get("deck_order_after_shuffle"):
        setup = replace(setup, shuffled=stacked(cards_of([str(card) for card in order])))
    threshold = recording.get("params", {}).get("threshold")
    if threshold is not None and kind.startswith("threshold"):
        return Threshold(kind, value_of(int, _text(threshold)))
    if threshold is not None:
        setup = replace(setup, challenger_stands=value_of(int, _text(threshold)))
    return MODELS[kind](setup)


def _inputs_of(kind: str, model: Model, entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Event]]:
    events: dict[str, list[Event]] = {}
    for entry in sorted(entries, key=lambda entry: _time(entry["t"])):
        port = port_called(kind, model.inputs, entry["port"])
        value = value_of(port.type, _text(entry["value"]))
        events.setdefault(port.name, []).append((_time(entry["t"]), value))
    return events


def _outputs_of(kind: str, model: Model, entries: Sequence[Mapping[str, Any]]) -> Counter[Sent]:
    found: Counter[Sent] = Counter()
    for entry in entries:
        port = port_called(kind, model.outputs, entry["port"])
        value = text_of(value_of(port.type, _text(entry["value"])))
        found[Sent(_time(entry["t"]), "", port.name, value)] += 1
    return found


def _inside_of(entries: Sequence[Mapping[str, Any]]) -> Counter[Sent]:
    """Values of atomic models. Their numbers depend on the recording's frame: only the order counts."""
    sender = _senders((entry["model_id"], entry["model"]) for entry in entries)
    return Counter(
        Sent(
            _time(entry["t"]), sender(entry["model_id"], entry["model"]), entry["port"], _text(entry["value"])
        )
        for entry in entries
    )


def _senders(numbered: Any) -> Callable[[int, str], str]:
    """Names that distinguish the models: of two called `hand`, the one with the higher number is `hand 2`."""
    places = sorted(set(numbered))

    def sender(number: int, name: str) -> str:
        return f"{name} {[at for at, called in places if called == name].index(number) + 1}"

    return sender


def _run_model(model: Model, sources: Mapping[str, Source]) -> tuple[Counter[Sent], Counter[Sent], str]:
    """The outputs of the model, the outputs of its atomic models, and the error that ended it, or ""."""
    simulator = Simulator(frame(model, sources))
    names = {source.name for source in sources.values()}
    sender = _senders(
        (node.number, node.model.name) for node in simulator.nodes if node.model.name not in names
    )
    within: Counter[Sent] = Counter()
    outputs: Counter[Sent] = Counter()
    fault = ""

    def observe(time: int, changes: Sequence[Change]) -> None:
        for node, sent, _ in changes:
            if node.path[-1] not in names:
                who = sender(node.number, node.model.name)
                within.update(
                    Sent(time, who, port.name, text_of(value))
                    for port, value in sent
                    if port.name not in OURS
                )

    simulator.observers.append(observe)
    try:
        while (time := simulator.next_time) is not None and time <= UNTIL:
            left = simulator.step()
            outputs.update(
                Sent(time, "", port.name, text_of(value)) for port, value in left if port.name not in OURS
            )
    except ModelError as error:
        fault = str(error)
    return outputs, within, fault


def _first_difference(expected: Counter[Sent], found: Counter[Sent]) -> str:
    """The first difference by time, as a sentence. Values of one time are compared as a bag."""
    missing, extra = expected - found, found - expected
    times = [sent.time for sent in (*missing, *extra)]
    if not times:
        return ""
    first = min(times)
    here = [
        ", ".join(str(sent) for sent in sorted(bag.elements()) if sent.time == first) or "nothing"
        for bag in (missing, extra)
    ]
    return f"at {in_seconds(first)} s: expected {here[0]}; found {here[1]}"


def _time(seconds: Any) -> int:
    """A recorded time in ticks: the exact tenth of a second, if it is one up to rounding."""
    try:
        tenths = round(float(seconds) * 10)
    except (TypeError, ValueError, OverflowError):
        return ticks(seconds)  # which says what is wrong with it
    is_tenths = tenths >= 0 and abs(float(seconds) * 10 - tenths) < EXACT * 10
    return tenths * TICKS // 10 if is_tenths else ticks(seconds)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)
