"""`devs run`: any model, with input events from files."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from twentyone.devs.commands.app import app
from twentyone.devs.commands.options import (
    InputsOption,
    LogOption,
    ModelArgument,
    SetupOptions,
    UntilOption,
    takes_setup,
)
from twentyone.devs.commands.simulation import build_simulator, open_log, run_until, setup_of
from twentyone.support.command import OK, describe
from twentyone.support.options import JsonOption
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.devs.formalism import Port
    from twentyone.devs.kernel import Simulator


@describe(app, example="devs run game")
@takes_setup
def run(
    model: ModelArgument,
    *,
    inputs: InputsOption = None,
    until: UntilOption = None,
    setup: SetupOptions,
    log: LogOption = None,
    json: JsonOption = False,
) -> int:
    """Run a model with input events from files and print its outputs.

    Values are cards (A 2 ... 10 J Q K NO_CARD), HIT or STAND, SHUFFLE or DRAW, CHALLENGER or DEALER, and
    whole numbers. A game is started by the value 1, and starts at time 0 if it has no inputs. Events of the
    same time are one bag. `devs diagram` shows the models and their ports.

    The keys of --json: `model`, `outputs` (each with `time`, `port`, `value`) and `seed` (null if nothing is
    random).
    """
    chosen, seed = setup_of(setup)
    simulator = build_simulator(model, chosen, inputs)
    with open_log(log) as file:
        outputs = _run_with_log(simulator, until, file)
    used_seed = seed if setup.variation or model in ("deck", "game") else None
    tell(text_of.dumps(_document(model, outputs, used_seed)) if json else _text(outputs, used_seed))
    return OK


def _run_with_log(
    simulator: Simulator, until: float | None, log: TextIO | None
) -> list[tuple[int, Port[Any], Any]]:
    from twentyone.devs.log import EventLog

    if log is None:
        return run_until(simulator, until)
    event_log = EventLog(simulator, log)
    event_log.write_states()
    outputs = run_until(simulator, until)
    event_log.write_states()
    return outputs


def _text(outputs: Sequence[tuple[int, Port[Any], Any]], seed: int | None) -> str:
    from twentyone.devs.clock import in_seconds
    from twentyone.devs.values import text_of as spelt

    lines = [f"{in_seconds(time)} {port.name} {spelt(value)}" for time, port, value in outputs]
    return "\n".join([*(lines or ["nothing was sent"]), *([] if seed is None else [f"seed {seed}"])])


def _document(model: str, outputs: Sequence[tuple[int, Port[Any], Any]], seed: int | None) -> dict[str, Any]:
    from twentyone.devs.clock import TICKS
    from twentyone.devs.values import text_of as spelt

    sent = [
        {"time": time / TICKS, "port": port.name, "value": value if isinstance(value, int) else spelt(value)}
        for time, port, value in outputs
    ]
    return {"model": model, "outputs": sent, "seed": seed}
