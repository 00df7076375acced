"""`analysis value`: the values of policies, and what they lose to the best one."""

from __future__ import annotations

import json as text_of
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from analysis.commands.app import app
from analysis.commands.parts import announce_compiling, check_compiler, notice, progress_of
from cards import Rules
from policies.names import described
from support.command import OK, USAGE, CommandError, describe
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules
from support.terminal import tell

if TYPE_CHECKING:
    from analysis.studies.estimate import Estimate
    from exact.grades import Grade
    from policies.decisions import DecisionTable

ROUNDS: Final = 10_000_000
"""How many rounds are simulated without an exact form: the standard error is then about 0.0003."""


@describe(app, example="analysis value basic threshold:16 --rules casino")
@takes_rules
def value(
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY",
            help=f"{described()}.",
        ),
    ],
    *,
    rules: Rules | None,
    rounds: Annotated[
        int, typer.Option(min=2, max=10**12, help="Rounds to simulate if there is no exact form.")
    ] = ROUNDS,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> int:
    """Find the exact expected value of a policy, that of the best play, and the cells that cost most.

    For one policy it lists the cells that cost most: how often the policy decides there, and what that costs
    per round. Several policies are compared in one table. Values are in initial bets per round; the gap is
    always to the best total-dependent policy. A table is played greedily. The rules are those of the
    tables, else `course`, unless others are given. If the rules have no exact form the value is simulated.

    The keys of --json: `rules`, `total_dependent` (the value of the best total-dependent policy), `proved`
    (whether it is proved that no such policy is better, see `analysis solve --certificate`),
    `composition_dependent` (that of the best play by every card that is seen) and `policies`, each with
    `name`, `value`, `gap`, `reachable_cells`, `differing_cells` and `costliest_cells`: `hand`, `total`,
    `upcard` (11 is the ace), `decision`, `better`, `reach` (per round) and `cost`. If simulated: `rules`,
    `seed` and `policies`, each with `name`, `rounds`, `mean_payoff`, `standard_error` and `interval` (95 %).
    """
    from exact.grades import grade
    from exact.named import named
    from exact.solving import NoExactFormError

    played_by = rules or _rules_of_tables(policies)
    tables = [named(text, played_by) for text in policies]
    try:
        grades = [grade(played_by, table) for table in tables]
    except NoExactFormError as error:
        notice(f"{error}; so the value is simulated")
        return _simulate(played_by, tables, rounds, seed, json)
    if json:
        print(text_of.dumps(_document(played_by, grades)))
    else:
        tell(_text(played_by, grades))
    return OK


def _rules_of_tables(texts: Sequence[str]) -> Rules:
    """The rules under which all the tables were learned, or `course` if there is no table."""
    from exact.named import parsed
    from policies.makers import source_of
    from policies.qtable import QTable

    sources = {text: source_of(parsed(text)) for text in texts}
    rules = {text: source.rules for text, source in sources.items() if isinstance(source, QTable)}
    names, (first, *others) = [*rules], [*rules.values()] or [Rules()]
    for name, other in zip(names[1:], others, strict=True):
        if not other.plays_like(first):
            raise CommandError(
                f"{names[0]} is a table for {first}, {name} one for {other}: expected --rules to choose",
                USAGE,
            )
    return first


def _document(rules: Rules, grades: Sequence[Grade]) -> dict[str, Any]:
    return {
        "rules": rules.fields(),
        **grades[0].best_values(),
        "policies": [grade.as_json() for grade in grades],
    }


def _text(rules: Rules, grades: Sequence[Grade]) -> str:
    from exact.chart import rules_in_short
    from exact.grades import comparison_text, grade_text

    text = grade_text(grades[0]) if len(grades) == 1 else comparison_text(grades)
    return f"rules: {rules_in_short(rules)}\n{text}"


def _simulate(
    rules: Rules, tables: Sequence[DecisionTable], rounds: int, seed: int | None, as_json: bool
) -> int:
    """Simulate each policy, on the same cards and at every seat of the table, and print the results."""
    from exact.chart import rules_in_short

    seed = seed_or_new(seed)
    estimates = _estimates(rules, tables, rounds, seed)
    if as_json:
        policies = [
            {
                "name": name,
                "rounds": rounds,
                "mean_payoff": estimate.mean,
                "standard_error": estimate.standard_error,
                "interval": estimate.interval(),
            }
            for name, estimate in estimates.items()
        ]
        print(text_of.dumps({"rules": rules.fields(), "seed": seed, "policies": policies}))
    else:
        tell(f"rules: {rules_in_short(rules)}\n{_simulated_text(estimates, rounds)}\nseed {seed}")
    return OK


def _estimates(rules: Rules, tables: Sequence[DecisionTable], rounds: int, seed: int) -> dict[str, Estimate]:
    check_compiler()
    from analysis.studies.montecarlo import simulate
    from analysis.work.backend import Backend

    announce_compiling("kernels.rounds", "kernels.interleaved")
    with progress_of("simulating", rounds * len(tables), "rounds") as work:
        return {
            table.name: simulate(rules, [table], rounds, seed, Backend(), done=work.done).estimate()
            for table in tables
        }


def _simulated_text(estimates: Mapping[str, Estimate], rounds: int) -> str:
    from support.summary import columns

    heading = ("policy", "mean payoff", "standard error", "95 % interval")
    rows = []
    for name, estimate in estimates.items():
        low, high = estimate.interval()
        figures = (f"{estimate.mean:+.6f}", f"{estimate.standard_error:.6f}", f"{low:+.6f} to {high:+.6f}")
        rows.append((name, *figures))
    return f"{columns([heading, *rows])}\n{rounds:,} rounds each; payoffs are in initial bets per round"
