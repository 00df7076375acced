"""`devs run`: any model, fed from files."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from devs.commands.app import app
from devs.commands.parts import (
    ChallengerOption,
    Chance,
    DeckOption,
    InputsOption,
    LogOption,
    ModelArgument,
    TimingName,
    TimingOption,
    UntilOption,
    VariationOption,
    fed_by,
    log_file,
    run_until,
    setup_of,
)
from support.command import OK, describe
from support.options import JsonOption, SeedOption

if TYPE_CHECKING:
    from devs.formalism import Port
    from devs.kernel import Simulator


@describe(app)
def run(
    model: ModelArgument,
    *,
    inputs: InputsOption = None,
    until: UntilOption = None,
    challenger: ChallengerOption = 15,
    deck: DeckOption = None,
    timing: TimingOption = TimingName.REFERENCE,
    variation: VariationOption = 0.0,
    seed: SeedOption = None,
    log: LogOption = None,
    json: JsonOption = False,
) -> int:
    """Feed a model with events from files and print what it sends.

    Values are cards (A 2 ... 10 J Q K NO_CARD), HIT or STAND, SHUFFLE or DRAW, CHALLENGER or DEALER, and
    whole numbers; the start of a game is 1, and a game without inputs starts at 0. Events of the same time
    are one bag. `devs diagram` shows models and their ports.

    The keys of --json: `model`, `outputs` (each with `time`, `port`, `value`) and `seed` (null if nothing is
    random).
    """
    setup, used_seed = setup_of(challenger, timing, Chance(deck, variation, seed))
    simulator = fed_by(model, setup, inputs)
    with log_file(log) as file:
        outputs = _logged(simulator, until, file)
    uses_seed = used_seed if variation or model in ("deck", "game") else None
    print(text_of.dumps(_document(model, outputs, uses_seed)) if json else _text(outputs, uses_seed))
    return OK


def _logged(
    simulator: Simulator, until: float | None, log: TextIO | None
) -> list[tuple[int, Port[Any], Any]]:
    from devs.log import EventLog

    if log is None:
        return run_until(simulator, until)
    written = EventLog(simulator, log)
    written.states()
    outputs = run_until(simulator, until)
    written.states()
    return outputs


def _text(outputs: Sequence[tuple[int, Port[Any], Any]], seed: int | None) -> str:
    from devs.clock import in_seconds
    from devs.values import text_of as spelt

    lines = [f"{in_seconds(time)} {port.name} {spelt(value)}" for time, port, value in outputs]
    return "\n".join([*(lines or ["nothing was sent"]), *([] if seed is None else [f"seed {seed}"])])


def _document(model: str, outputs: Sequence[tuple[int, Port[Any], Any]], seed: int | None) -> dict[str, Any]:
    from devs.clock import TICKS
    from devs.values import text_of as spelt

    sent = [
        {"time": time / TICKS, "port": port.name, "value": value if isinstance(value, int) else spelt(value)}
        for time, port, value in outputs
    ]
    return {"model": model, "outputs": sent, "seed": seed}
