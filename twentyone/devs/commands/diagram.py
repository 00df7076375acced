"""`devs diagram`: a diagram of a model, made from the model."""

from __future__ import annotations

import shutil
import subprocess
from enum import Enum
from typing import Annotated

import typer

from twentyone.devs.commands.app import app
from twentyone.devs.commands.options import MODEL_NAMES, SetupOptions, TimingName, TimingOption
from twentyone.devs.commands.simulation import model_of, setup_of
from twentyone.support.command import FAILED, OK, CommandError, describe


class Format(Enum):
    """The formats of a diagram."""

    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


@describe(app, example="devs diagram game --format mermaid")
def diagram(
    model: Annotated[str, typer.Argument(metavar="MODEL", help=f"{MODEL_NAMES}.")] = "game",
    *,
    format: Annotated[
        Format, typer.Option(help="Mermaid text, Graphviz text, or an SVG picture, which needs Graphviz.")
    ] = Format.MERMAID,
    timing: TimingOption = TimingName.REFERENCE,
) -> int:
    """Write a diagram of a model to standard output.

    The diagram of a coupled model shows its ports and couplings. The diagram of an atomic model shows its
    states and transitions: `port?value` for an external transition and its input, dotted and `port!value` for
    an internal transition and its output. Each state has its time advance.
    """
    from twentyone.devs.diagram import as_dot, as_mermaid, graph_of

    setup, _ = setup_of(SetupOptions(timing=timing, seed=0))
    graph = graph_of(model_of(model, setup))
    if format is Format.MERMAID:
        print(as_mermaid(graph))
    else:
        text = as_dot(graph)
        print(text if format is Format.DOT else _draw(text))
    return OK


def _draw(text: str) -> str:
    """The picture that Graphviz draws of a text.

    Raises:
        CommandError: if Graphviz is not installed, or fails.
    """
    dot = shutil.which("dot")
    if dot is None:
        raise CommandError(
            "--format svg needs Graphviz, and its command `dot` was not found: install it, or use mermaid",
            FAILED,
        )
    done = subprocess.run([dot, "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"Graphviz failed: {done.stderr}", FAILED)
    return done.stdout
