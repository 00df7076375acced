"""Event files: the input events of a model, the names of its ports, and sources for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from twentyone.devs.clock import ticks
from twentyone.devs.formalism import Model, Port
from twentyone.devs.frame import SOURCES, Source
from twentyone.devs.values import value_of

ALIASES: Final[Mapping[str, Mapping[str, str]]] = {
    "hand": {"cardIn": "card"},
    "threshold": {},
    "threshold-c": {},
    "threshold-d": {},
    "challenger": {"card": "cardIn", "handValueOut": "decisionOut", "valueOut": "scoreOut"},
    "dealer": {"card": "cardIn", "handValueOut": "decisionOut", "valueOut": "scoreOut"},
    "players": {"playerDecisionOut": "decision", "decisionOut": "decision"},
    "deck": {
        "commandInPort": "command",
        "playerInPort": "player",
        "challenger_card": "challengerCardOutPort",
        "dealer_card": "dealerCardOutPort",
        "hit_out": "hitOutPort",
    },
    "controller": {
        "start": "startInPort",
        "decision": "decisionInPort",
        "score": "handValueInPort",
        "command": "commandOutPort",
        "player": "playerOutPort",
        "outcome": "outcomeOutPort",
    },
    "game": {"gameStartInPort": "start", "startInPort": "start", "outcomeOutPort": "outcome"},
}
"""Aliases of port names, by model: the names in recordings of the original."""

Event = tuple[int, Any]
"""A time in ticks, and a value."""


def port_called(kind: str, ports: Iterable[Port[Any]], name: str) -> Port[Any]:
    """The port with a name or an alias.

    Args:
        kind: the name of the model in `twentyone.devs.blackjack.MODELS`.
        ports: the ports to choose from.
        name: the name or alias.

    Raises:
        ValueError: if there is no such port.
    """
    named = {port.name: port for port in ports}
    name_here = name if name in named else ALIASES.get(kind, {}).get(name, name)
    if name_here not in named:
        raise ValueError(f"{kind} has no port {name!r} here: expected {' or '.join(named)}")
    return named[name_here]


def read_events(
    kind: str, model: Model, lines: Iterable[str], port: str | None = None
) -> dict[str, list[Event]]:
    """The events of a file, one a line: `time value` or `time port value`. A # begins a comment.

    Args:
        kind: the name of the model in `twentyone.devs.blackjack.MODELS`.
        model: the model itself.
        lines: the lines of the file.
        port: the port for values without one; None for the model's only port.

    Returns:
        Times and values by port; times never decrease.

    Raises:
        ValueError: if a line is not an event; the text has the number of the line.
    """
    usual = [each for each in model.inputs if each.name in SOURCES[kind]]
    given = port_called(kind, model.inputs, port) if port else usual[0] if len(usual) == 1 else None
    events: dict[str, list[Event]] = {}
    for number, line in enumerate(lines, start=1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            target, time, value = _event(kind, model, words, given)
            here = events.setdefault(target.name, [])
            if here and time < here[-1][0]:
                raise ValueError("the time is earlier than that of the event before")
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        here.append((time, value))
    return events


def _event(kind: str, model: Model, words: list[str], given: Port[Any] | None) -> tuple[Port[Any], int, Any]:
    if len(words) < 2:
        raise ValueError("expected a time and a value, such as 1.5 HIT")
    names = {port.name for port in model.inputs} | set(ALIASES[kind])
    if len(words) > 2 and words[1] in names:
        given, words = port_called(kind, model.inputs, words[1]), [words[0], *words[2:]]
    if given is None:
        ports = ", ".join(port.name for port in model.inputs)
        raise ValueError(f"{kind} has several ports: expected time, port ({ports}) and value")
    return given, ticks(words[0]), value_of(given.type, " ".join(words[1:]))


def sources_of(kind: str, model: Model, events: Mapping[str, list[Event]]) -> dict[str, Source]:
    """A source for each port with events, named and ordered as in the original's test programs."""
    names = SOURCES[kind]
    ports = [*(port for port in names if port in events), *(port for port in events if port not in names)]
    types = {port.name: port.type for port in model.inputs}
    return {port: Source(names.get(port, f"{port} input"), types[port], events[port]) for port in ports}
