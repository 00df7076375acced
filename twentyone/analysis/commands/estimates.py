"""The values of policies by simulation, where there is no exact form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cards import Rules
from twentyone.analysis.commands.shared import announce_kernels, progress_of
from twentyone.support.command import check_compiler
from twentyone.support.counts import counted

if TYPE_CHECKING:
    from twentyone.analysis.studies.estimate import Estimate
    from twentyone.kernels.decisions import CompiledPolicy


def estimate_json(name: str, rounds: int, estimate: Estimate) -> dict[str, Any]:
    """A simulated policy as a document."""
    return {
        "name": name,
        "rounds": rounds,
        "mean_payoff": estimate.mean,
        "standard_error": estimate.standard_error,
        "interval": estimate.interval(),
    }


def estimates_of(
    rules: Rules, tables: Sequence[CompiledPolicy], rounds: int, seed: int
) -> dict[str, Estimate]:
    """Simulate each policy, on the same cards and at every seat of the table; by its name."""
    check_compiler()
    from twentyone.analysis.studies.montecarlo import kernels_for, simulate
    from twentyone.analysis.work.backend import Backend

    announce_kernels(kernel for table in tables for kernel in kernels_for(rules, [table], rounds))
    with progress_of("simulating", rounds * len(tables), "rounds") as work:
        return {
            table.name: simulate(rules, [table], rounds, seed, work.job(Backend())).estimate()
            for table in tables
        }


def simulated_text(estimates: Mapping[str, Estimate], rounds: int) -> str:
    """The results of simulation, a line for each policy."""
    from twentyone.support.summary import columns

    heading = ("policy", "mean payoff", "standard error", "95 % interval")
    rows = []
    for name, estimate in estimates.items():
        low, high = estimate.interval()
        figures = (
            f"{estimate.mean:+z.6f}",
            f"{estimate.standard_error:z.6f}",
            f"{low:+z.6f} to {high:+z.6f}",
        )
        rows.append((name, *figures))
    return (
        f"{columns([heading, *rows])}\n{counted(rounds, 'round')} each; payoffs are in initial bets per round"
    )
