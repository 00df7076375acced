"""The options that several `devs` commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import typer

from twentyone.support.options import SeedOption, option, replace_parameter

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
    typer.Option(
        "--challenger", min=0, help="The total from which the challenger stands; the dealer's is 17."
    ),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="CARDS",
        help="The order after every shuffle, such as '5 10 K A': 1 to 52 cards, drawn from the end.",
    ),
]
TimingOption = Annotated[
    TimingName,
    typer.Option(
        help="How long the controller takes: reference (1 s for everything, as the original does) or"
        " specification (1 s for STAND only, as the original's text asks).",
    ),
]
VariationOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Hands and thresholds take up to this much longer than their 0.1 s, at random.",
    ),
]
InputsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--inputs",
        metavar="[PORT=]FILE",
        show_default=False,
        help="Input events, one a line: `1.5 HIT` for the named port or the only one, or"
        " `1.5 decisionInPort HIT`. Repeat the option for more files.",
    ),
]
UntilOption = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", show_default=False, help="Stop after this simulated time."),
]
LogOption = Annotated[
    Path | None,
    typer.Option("--log", metavar="FILE", help="Write every event, in the format of the original's tool."),
]


@dataclass(frozen=True)
class SetupOptions:
    """The options that choose the setup of a game; their defaults are those of the command line."""

    challenger: int = 15
    deck: str | None = None
    timing: TimingName = TimingName.REFERENCE
    variation: float = 0.0
    seed: int | None = None


def takes_setup(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of a setup in place of its parameter `setup`, which is `SetupOptions`."""
    usual = SetupOptions()
    options = [
        option("challenger", ChallengerOption, usual.challenger),
        option("deck", DeckOption, usual.deck),
        option("timing", TimingOption, usual.timing),
        option("variation", VariationOption, usual.variation),
        option("seed", SeedOption, usual.seed),
    ]
    return replace_parameter(command, "setup", options, SetupOptions)
