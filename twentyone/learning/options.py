"""The options of learning, which `training` and `analysis learn` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from twentyone.policies.files import METHODS
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import one_of
from twentyone.support.options import option, replace_parameter

PANEL: Final = "Settings of a method (each has those of the textbooks)"
LEARNING: Final = "Learning"

_SETTINGS: Final[Mapping[str, tuple[type, str]]] = {
    "alpha": (float, "The step size, 1e-9 to 1."),
    "alpha_decay": (
        float,
        "The step size is alpha / visits^THIS: 0 keeps it, and 1 makes each value a mean. 0 to 1.",
    ),
    "epsilon": (float, "The chance that an action is picked by chance alone, 0 to 1."),
    "epsilon_decay": (float, "The same for epsilon, by the visits of the state, 0 to 1."),
    "gamma": (float, "The discount for each decision, 0 to 1."),
    "initial": (float, "The value of an action before its first visit, -10 to 10 initial bets."),
    "n": (int, "How many steps ahead n-step-sarsa looks, 1 to 8."),
    "trace": (float, "How much sarsa-lambda trusts what came of it, 0 to 1."),
}
"""The help texts of the settings, by the fields of `twentyone.learning.textbook.Knobs`."""


def takes_knobs(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of the settings of methods in place of its parameter `changes`.

    The command receives those that were given, by the fields of `twentyone.learning.textbook.Knobs`.
    """
    options = [option(name, _annotation(name, kind, text)) for name, (kind, text) in _SETTINGS.items()]
    return replace_parameter(command, "changes", options, _given)


def spelt(name: str) -> str:
    """The option of a setting, by its field of `twentyone.learning.textbook.Knobs`."""
    return "--lambda" if name == "trace" else f"--{name.replace('_', '-')}"


def _annotation(name: str, kind: type, text: str) -> Any:
    return Annotated[
        kind | None,
        typer.Option(spelt(name), help=text, show_default=False, rich_help_panel=PANEL),
    ]


def _given(**values: float | None) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None}


def _verified_method(text: str) -> str:
    if text not in METHODS:
        raise CommandError(f"there is no method {text!r}: expected {one_of(METHODS)}", USAGE)
    return text


MethodOption = Annotated[
    str,
    typer.Option(
        metavar="METHOD",
        callback=_verified_method,
        rich_help_panel=LEARNING,
        help=f"How it learns: {one_of(METHODS)}. qlearning is the project's own.",
    ),
]
"""One of `METHODS`."""

TableOption = Annotated[
    Path,
    typer.Option(
        rich_help_panel=LEARNING, help="The file of the table. If it exists, learning goes on from it."
    ),
]
FreshOption = Annotated[
    bool,
    typer.Option(
        "--fresh", rich_help_panel=LEARNING, help="Begin with an empty table, and replace the file."
    ),
]
UntilChangeOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        rich_help_panel=LEARNING,
        help="Stop once no action value with 100 visits or more has changed by more than this over 10,000"
        " rounds, in initial bets.",
    ),
]
UntilGapOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        rich_help_panel=LEARNING,
        help="Stop at the first point of the learning curve at which greedy play by the table loses no"
        " more than this to the best chart, in initial bets per round.",
    ),
]
SHOWING: Final = "Showing what was learned"

ShowOption = Annotated[
    bool,
    typer.Option("--show", rich_help_panel=SHOWING, help="Show the decisions cell by cell, mistakes marked."),
]
ShowPlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        rich_help_panel=SHOWING,
        help="Draw where it differs from the best chart, what that costs, the visits and the exact margins"
        " (with --compare or --sweep the curves): a file whose name ends in .png, .pdf or .svg.",
    ),
]
ShowInBrowserOption = Annotated[
    bool,
    typer.Option(
        "--show-in-browser",
        rich_help_panel=SHOWING,
        help="Show the picture of --plot and the cells on a page.",
    ),
]


class Showing(NamedTuple):
    """The ways in which a table is to be shown.

    Attributes:
        show: whether it is shown cell by cell.
        plot: the file of its picture; None for none.
        in_browser: whether it is shown on a page.
    """

    show: bool = False
    plot: Path | None = None
    in_browser: bool = False

    def check(self) -> None:
        """Check, before any work, that a picture can be drawn and written.

        Raises:
            CommandError: if not.
        """
        from twentyone.support.pictures import check_installed, check_picture

        if self.plot is not None:
            check_picture(self.plot)
        if self.in_browser:
            check_installed()
