"""From the options of `devs` commands to setups, models, simulations and logs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from twentyone.devs.commands.options import MODEL_NAMES, SetupOptions
from twentyone.support.command import FAILED, USAGE, CommandError, os_reason
from twentyone.support.files import decoded
from twentyone.support.options import seed_or_new
from twentyone.support.terminal import notice

if TYPE_CHECKING:
    from twentyone.devs.blackjack import Setup
    from twentyone.devs.events import Event
    from twentyone.devs.formalism import Model, Port
    from twentyone.devs.kernel import Simulator


def setup_of(options: SetupOptions) -> tuple[Setup, int | None]:
    """The setup that the options ask for, and its seed; None if nothing is random.

    Raises:
        CommandError: if the deck or the variation is invalid.
    """
    from twentyone.devs.blackjack import Setup
    from twentyone.devs.clock import ticks
    from twentyone.devs.controller import TIMINGS
    from twentyone.devs.games import shuffled_by, stacked, varied_by
    from twentyone.devs.player import no_variation
    from twentyone.devs.values import cards_of

    seed = seed_or_new(options.seed)
    try:
        most = ticks(options.variation)
        shuffled = shuffled_by(seed) if options.deck is None else stacked(cards_of(options.deck.split()))
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    variation_of = varied_by(seed, most) if most else lambda _: no_variation
    setup = Setup(options.challenger, TIMINGS[options.timing.value], shuffled, variation_of)
    return setup, None if options.deck is not None and not most else seed


def model_of(kind: str, setup: Setup) -> Model:
    """The model with a name.

    Raises:
        CommandError: if there is no such model.
    """
    from twentyone.devs.blackjack import MODELS

    if kind not in MODELS:
        raise CommandError(f"there is no model {kind!r}: expected {MODEL_NAMES}", USAGE)
    return MODELS[kind](setup)


def build_simulator(kind: str, setup: Setup, inputs: list[str] | None) -> Simulator:
    """A simulator of a model with sources for the events of its input files.

    A whole game needs no input files: it then starts at time 0.

    Raises:
        CommandError: if there is no such model, no input for it, or a file that cannot be read.
    """
    from twentyone.devs.events import sources_of
    from twentyone.devs.frame import frame
    from twentyone.devs.kernel import Simulator

    model = model_of(kind, setup)
    if inputs:
        events = _read_events(kind, model, inputs)
    elif kind == "game":
        events = {"start": [(0, 1)]}
    else:
        raise CommandError(f"the model {kind} has no input: expected --inputs FILE", USAGE)
    return Simulator(frame(model, sources_of(kind, model, events)))


def run_until(simulator: Simulator, until: float | None) -> list[tuple[int, Port[Any], Any]]:
    """Run a simulation to its end, or through a time in seconds; return what leaves the model.

    Raises:
        CommandError: if the model does something that is not allowed, such as drawing from an empty deck.
    """
    from twentyone.devs.clock import ticks
    from twentyone.devs.formalism import ModelError

    try:
        return simulator.run(None if until is None else ticks(until))
    except ModelError as error:
        raise CommandError(str(error), FAILED) from None
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _read_events(kind: str, model: Model, inputs: list[str]) -> dict[str, list[Event]]:
    from twentyone.devs.events import read_events

    events: dict[str, list[Event]] = {}
    for text in inputs:
        port, path = _port_and_file(text)
        try:
            lines = decoded(path.read_bytes(), "replace").splitlines()
            found = read_events(kind, model, lines, port)
        except OSError as error:
            raise CommandError(f"the file {path} cannot be read: {os_reason(error)}", FAILED) from None
        except ValueError as error:
            raise CommandError(f"the file {path}: {error}", FAILED) from None
        for name, here in found.items():
            events[name] = sorted([*events.get(name, []), *here], key=itemgetter(0))
    return events


def _port_and_file(text: str) -> tuple[str | None, Path]:
    port, equals, file = text.partition("=")
    return (port, Path(file)) if equals and "/" not in port else (None, Path(text))


@contextmanager
def open_log(path: Path | None) -> Iterator[TextIO | None]:
    """The open file of a log; None if no log is asked for.

    Raises:
        CommandError: if it cannot be opened.
    """
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"the log {path} cannot be written: {os_reason(error)}", FAILED) from None
    with file:
        yield file


def print_notice(sentence: str) -> None:
    """Print a sentence that is not part of the result on standard error, after all output so far."""
    sys.stdout.flush()
    notice("devs", sentence)
