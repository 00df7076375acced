"""What the `devs` commands share: options, and the setup that they ask for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

import typer

from support.command import FAILED, USAGE, CommandError, os_reason
from support.options import seed_or_new

if TYPE_CHECKING:
    from devs.blackjack import Setup
    from devs.events import Event
    from devs.formalism import Model, Port
    from devs.kernel import Simulator

MODEL_NAMES: Final = (
    "hand, threshold, threshold-c, threshold-d, deck, controller (atomic),"
    " challenger, dealer, players or game (coupled)"
)


class TimingName(Enum):
    """The timings by name."""

    REFERENCE = "reference"
    SPECIFICATION = "specification"


ModelArgument = Annotated[str, typer.Argument(metavar="MODEL", help=f"{MODEL_NAMES}.", show_default=False)]
ChallengerOption = Annotated[
    int,
    typer.Option("--challenger", min=0, help="The total that the challenger stands on; the dealer's is 17."),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="CARDS",
        help="The order after every shuffle, as in '5 10 K A': 1 to 52 cards, drawn from the end.",
    ),
]
TimingOption = Annotated[
    TimingName,
    typer.Option(
        help="How long the controller takes: 1 s for everything, as the original does, or what its text asks"
        " for, 1 s for STAND alone.",
    ),
]
VariationOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="A random part, 0 to this, of what hands and thresholds take beyond their 0.1 s.",
    ),
]
InputsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--inputs",
        metavar="[PORT=]FILE",
        show_default=False,
        help="Events, one a line: `1.5 HIT` for the port that is named or the model's only one, or"
        " `1.5 decisionInPort HIT`. Once for each file.",
    ),
]
UntilOption = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", show_default=False, help="Stop after this simulated time."),
]
LogOption = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="Write every event, as the original's tool does.")
]


@dataclass(frozen=True)
class Chance:
    """Where chance comes from: a stacked deck or shuffles, and how much the times vary, by a seed."""

    deck: str | None
    variation: float
    seed: int | None


def setup_of(challenger: int, timing: TimingName, chance: Chance) -> tuple[Setup, int | None]:
    """The setup that the options ask for, and the seed, None if nothing is random.

    Raises:
        CommandError: if the deck or the variation is none.
    """
    from devs.blackjack import Setup
    from devs.clock import ticks
    from devs.controller import TIMINGS
    from devs.games import shuffled_by, stacked, varied_by
    from devs.player import no_variation
    from devs.values import cards_of

    seed = seed_or_new(chance.seed)
    try:
        most = ticks(chance.variation)
        shuffled = shuffled_by(seed) if chance.deck is None else stacked(cards_of(chance.deck.split()))
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    variation_of = varied_by(seed, most) if most else lambda _: no_variation
    setup = Setup(challenger, TIMINGS[timing.value], shuffled, variation_of)
    return setup, None if chance.deck is not None and not most else seed


def model_of(kind: str, setup: Setup) -> Model:
    """The model of a name.

    Raises:
        CommandError: if there is none.
    """
    from devs.blackjack import MODELS

    if kind not in MODELS:
        raise CommandError(f"there is no model {kind!r}: expected {MODEL_NAMES}", USAGE)
    return MODELS[kind](setup)


def fed_by(kind: str, setup: Setup, inputs: list[str] | None) -> Simulator:
    """A model with sources for the events of the input files; a whole game without any starts at 0.

    Raises:
        CommandError: if there is no such model, nothing to feed it with, or a file that cannot be read.
    """
    from devs.events import sources_of
    from devs.frame import frame
    from devs.kernel import Simulator

    model = model_of(kind, setup)
    if inputs:
        events = _events_of(kind, model, inputs)
    elif kind == "game":
        events = {"start": [(0, 1)]}
    else:
        raise CommandError(f"nothing to feed {kind} with: expected --inputs FILE", USAGE)
    return Simulator(frame(model, sources_of(kind, model, events)))


def run_until(simulator: Simulator, until: float | None) -> list[tuple[int, Port[Any], Any]]:
    """Run a simulation to its end, or through a time in seconds; return what leaves the model.

    Raises:
        CommandError: if the model does what it may not, such as drawing from an empty deck.
    """
    from devs.clock import ticks
    from devs.formalism import ModelError

    try:
        return simulator.run(None if until is None else ticks(until))
    except ModelError as error:
        raise CommandError(str(error), FAILED) from None
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _events_of(kind: str, model: Model, inputs: list[str]) -> dict[str, list[Event]]:
    from devs.events import read_events

    events: dict[str, list[Event]] = {}
    for text in inputs:
        port, path = _port_and_file(text)
        try:
            found = read_events(
                kind, model, path.read_text(encoding="utf-8", errors="replace").splitlines(), port
            )
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
def log_file(path: Path | None) -> Iterator[TextIO | None]:
    """The file that a log goes to while it is made, if one is asked for.

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


def notice(sentence: str) -> None:
    """Say something on standard error that is no result, after what has been printed so far."""
    sys.stdout.flush()
    print(f"devs: {sentence}", file=sys.stderr, flush=True)
