"""`analysis simulate`: many rounds of any rules and policies, counted."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import PRESETS, Outcome, Rules, Surrender, Tally
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import (
    CsvOption,
    PoliciesOption,
    SeatsOption,
    announce_kernels,
    check_files,
    notice,
    policies_for,
    progress_of,
    write_csv,
)
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.support.command import OK, check_compiler, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import seated, takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.montecarlo import Result
    from twentyone.kernels.decisions import CompiledPolicy

ROUNDS: Final = 1_000
"""Rounds of the original study."""

MOST: Final = 10**12

ENDINGS: Final = (
    ("wins", (Outcome.WIN,)),
    ("pushes", (Outcome.PUSH,)),
    ("losses", (Outcome.LOSE, Outcome.BUST, Outcome.SURRENDER)),
    ("busts", (Outcome.BUST,)),
    ("surrenders", (Outcome.SURRENDER,)),
)
"""The names of what is reported, and the outcomes that each includes: busts and surrenders are losses, and
counted again."""


@describe(app, example="analysis simulate 1M --rules casino")
@partial(takes_rules, preset="study")
@takes_backend
def simulate(
    rounds: Annotated[
        int, typer.Argument(metavar="ROUNDS", min=1, max=MOST, help="How many rounds to play.")
    ] = ROUNDS,
    *,
    rules: Rules | None,
    policy: PoliciesOption = None,
    seats: SeatsOption = None,
    seed: SeedOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    backend: Backend,
    checkpoint: CheckpointOption = None,
) -> int:
    """Play many rounds, and count how they end.

    Without options it is the original study: 1,000 games under the rules `study`, where the player draws
    below 16, the house draws below 17, and the deck is shuffled when fewer than 26 cards are left. The same
    seed gives the same counts, wherever the work is done.

    Any rules are played: analysis simulate 10M --rules vegas --surrender none. Payoffs are exact sums.

    Intervals cover the true value with a chance of 95 %.

    The keys of --json: `rules`, `policies`, `seed`, `rounds`, `mean_payoff` (per round and seat, in initial
    bets), `standard_error`, `interval`, `seconds`, and `seats`, each with `wins`, `pushes`, `losses`
    (busts and surrenders included), `busts` and `surrenders`, each with `count`, `share` and `interval`. In
    --csv the last rows of a seat are `by busting`, a part of the losses, and with surrender `by surrender`,
    another.
    """
    check_compiler()
    from twentyone.analysis.studies.montecarlo import kernels_for
    from twentyone.analysis.studies.montecarlo import simulate as play

    chosen = seated(rules or PRESETS["study"], seats)
    policies, seed = policies_for(policy, chosen), seed_or_new(seed)
    check_files(csv, None)
    announce_kernels(kernels_for(chosen, policies, rounds))
    started = time.monotonic()
    with progress_of("simulating", rounds, "rounds", checkpoint, seed) as work:
        result = play(chosen, policies, rounds, seed, work.job(backend))
    seconds = time.monotonic() - started
    if csv:
        write_csv(csv, _rows(result, chosen))
    if json:
        print(text_of.dumps(_document(chosen, policies, seed, result, seconds)))
    else:
        tell(_text(chosen, policies, seed, result))
        notice(work.summary("rounds"))
    return OK


def _document(
    rules: Rules, policies: Sequence[CompiledPolicy], seed: int, result: Result, seconds: float
) -> dict[str, Any]:
    estimate = result.estimate()
    return {
        "rules": rules.fields(),
        "policies": [each.name for each in policies],
        "seed": seed,
        "rounds": result.rounds,
        "mean_payoff": estimate.mean,
        "standard_error": estimate.standard_error,
        "interval": estimate.interval(),
        "seconds": seconds,
        "seats": [
            {
                name: {"count": count, "share": share, "interval": [low, high]}
                for name, count, share, low, high in _endings(result.tally(seat))
            }
            for seat in range(rules.seats)
        ],
    }


def _text(rules: Rules, policies: Sequence[CompiledPolicy], seed: int, result: Result) -> str:
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.summary import columns

    rows = [("", "rounds", "share", "95 % interval")]
    for seat in range(rules.seats):
        prefix = "" if rules.seats == 1 else f"seat {seat + 1} "
        for name, count, share, low, high in _shown(result.tally(seat), rules):
            rows.append((prefix + _label(name), f"{count:,}", f"{share:z.2%}", f"{low:z.2%} to {high:z.2%}"))
    estimate = result.estimate()
    low, high = estimate.interval()
    names = ", ".join(each.name for each in policies)
    return "\n".join(
        (
            f"rules: {rules_in_short(rules)}",
            f"policy: {names}; seed {seed}",
            columns(rows),
            f"mean payoff {estimate.mean:+z.6f}, standard error {estimate.standard_error:z.6f},"
            f" 95 % {low:+z.6f} to {high:+z.6f}",
            f"in initial bets per round{'' if rules.seats == 1 else ' and seat'}",
        )
    )


def _rows(result: Result, rules: Rules) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [("seat", "outcome", "rounds", "share", "low", "high")]
    for seat in range(len(result.outcomes)):
        rows += [(seat + 1, _label(name), *figures) for name, *figures in _shown(result.tally(seat), rules)]
    return rows


def _label(name: str) -> str:
    """The name of an ending where all are listed, so that a part is not added to the losses."""
    from twentyone.support.summary import PARTS

    return PARTS.get(name, name)


def _endings(tally: Tally) -> list[tuple[str, int, float, float, float]]:
    """Name, count, share and 95 % interval of each way in which a round can end."""
    from twentyone.analysis.studies.estimate import proportion_interval

    found = []
    for name, outcomes in ENDINGS:
        count = sum(tally.counts[outcome] for outcome in outcomes)
        found.append((name, count, count / tally.rounds, *proportion_interval(count, tally.rounds)))
    return found


def _shown(tally: Tally, rules: Rules) -> list[tuple[str, int, float, float, float]]:
    """The same without surrenders, where the rules have none."""
    can_surrender = rules.surrender is not Surrender.NONE
    return [ending for ending in _endings(tally) if can_surrender or ending[0] != "surrenders"]
