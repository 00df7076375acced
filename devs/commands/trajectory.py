"""`devs trajectory`: the states of a model over time, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from devs.commands.app import app
from devs.commands.parts import (
    ChallengerOption,
    Chance,
    DeckOption,
    InputsOption,
    ModelArgument,
    TimingName,
    TimingOption,
    UntilOption,
    VariationOption,
    fed_by,
    notice,
    run_until,
    setup_of,
)
from support.command import OK, describe
from support.options import SeedOption


@describe(app)
def trajectory(
    model: ModelArgument,
    *,
    inputs: InputsOption = None,
    plot: Annotated[
        Path,
        typer.Option(metavar="FILE", help="The picture: a file whose name ends in .png, .pdf or .svg."),
    ],
    until: UntilOption = None,
    challenger: ChallengerOption = 15,
    deck: DeckOption = None,
    timing: TimingOption = TimingName.REFERENCE,
    variation: VariationOption = 0.0,
    seed: SeedOption = None,
) -> int:
    """Feed a model with events from files and draw its states over time.

    Every variable that changes has a panel: a number as a height, a phase or a card as a level of its own.
    Inputs are those of `devs run`; a whole game needs none, and starts at 0.
    """
    from support.pictures import check_picture, save

    check_picture(plot)
    setup, seed = setup_of(challenger, timing, Chance(deck, variation, seed))
    simulator = fed_by(model, setup, inputs)

    from devs.trajectories import Recorder, trajectory_figure

    recorder = Recorder(simulator)
    run_until(simulator, until)
    save(trajectory_figure(recorder.variables, simulator.time, model), plot)
    notice(f"the picture is {plot}" if seed is None else f"the picture is {plot}; seed {seed}")
    return OK
