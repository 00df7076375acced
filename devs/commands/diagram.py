"""`devs diagram`: a model, drawn from itself."""

from __future__ import annotations

import shutil
import subprocess
from enum import Enum
from typing import Annotated

import typer

from devs.commands.app import app
from devs.commands.parts import MODEL_NAMES, Chance, TimingName, TimingOption, model_of, setup_of
from support.command import FAILED, OK, CommandError, describe


class Format(Enum):
    """How a diagram is written."""

    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


@describe(app)
def diagram(
    model: Annotated[str, typer.Argument(metavar="MODEL", help=f"{MODEL_NAMES}.")] = "game",
    *,
    format: Annotated[
        Format, typer.Option(help="Mermaid text, Graphviz text, or a picture, which needs Graphviz.")
    ] = Format.MERMAID,
    timing: TimingOption = TimingName.REFERENCE,
) -> int:
    """Draw a model from itself, to standard output.

    A coupled model is drawn with its ports and couplings, an atomic one with its states and what leads from
    one to another: `port?value` for an input; dotted and `port!value` for what it sends by itself, after the
    time that the state has.
    """
    from devs.diagram import as_dot, as_mermaid, graph_of

    setup, _ = setup_of(15, timing, Chance(None, 0, 0))
    graph = graph_of(model_of(model, setup))
    if format is Format.MERMAID:
        print(as_mermaid(graph))
    else:
        text = as_dot(graph)
        print(text if format is Format.DOT else _drawn(text))
    return OK


def _drawn(text: str) -> str:
    """The picture that Graphviz makes of a text.

    Raises:
        CommandError: if Graphviz is not installed, or fails.
    """
    dot = shutil.which("dot")
    if dot is None:
        raise CommandError(
            "--format svg needs Graphviz, and there is no `dot` here: install it, or use mermaid", FAILED
        )
    done = subprocess.run([dot, "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"Graphviz gave up: {done.stderr}", FAILED)
    return done.stdout
