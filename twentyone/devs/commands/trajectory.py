"""`devs trajectory`: the states of a model over time, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twentyone.devs.commands.app import app
from twentyone.devs.commands.options import (
    InputsOption,
    ModelArgument,
    SetupOptions,
    UntilOption,
    takes_setup,
)
from twentyone.devs.commands.simulation import build_simulator, print_notice, run_until, setup_of
from twentyone.support.command import OK, describe


@describe(app, example="devs trajectory game --plot game.svg")
@takes_setup
def trajectory(
    model: ModelArgument,
    *,
    inputs: InputsOption = None,
    plot: Annotated[
        Path,
        typer.Option(metavar="FILE", help="The picture: a .png, .pdf or .svg file."),
    ],
    until: UntilOption = None,
    setup: SetupOptions,
) -> int:
    """Run a model with input events from files and draw its states over time.

    Every variable that changes has a panel. A number is drawn as a height; a phase or a card has a level of
    its own. Inputs are those of `devs run`. A whole game needs none, and then starts at time 0.
    """
    from twentyone.support.pictures import check_picture, save

    check_picture(plot)
    chosen, seed = setup_of(setup)
    simulator = build_simulator(model, chosen, inputs)

    from twentyone.devs.trajectories import Recorder, trajectory_figure

    recorder = Recorder(simulator)
    run_until(simulator, until)
    save(trajectory_figure(recorder.variables, simulator.time, model), plot)
    print_notice(f"the picture is {plot}" if seed is None else f"the picture is {plot}; seed {seed}")
    return OK
