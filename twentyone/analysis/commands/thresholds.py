"""`analysis thresholds`: basic strategy without a dealer, found by simulation."""

from __future__ import annotations

import json as text_of
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import PRESETS, Ace, EveryRound, Rules
from cards.rules import MAX_SEATS
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import announce_compiling, notice, progress_of
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import WorkersOption
from twentyone.support.command import OK, USAGE, CommandError, check_compiler, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.thresholds import Responses
    from twentyone.exact.showdown import Pair

ROUNDS: Final = 1_000_000
MOST: Final = 10**12
ALL: Final = "all"


@describe(app, example="analysis thresholds --seats 2")
@partial(takes_rules, preset="showdown")
def thresholds(
    *,
    rules: Rules | None,
    seats: Annotated[
        str,
        typer.Option(
            metavar="N", help="How many seats play at the table, 2 to 9, or `all` for each of these."
        ),
    ] = ALL,
    rounds: Annotated[
        int, typer.Option(min=2, max=MOST, help="How many rounds to play for each best response.")
    ] = ROUNDS,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> int:
    """Find basic strategy without a dealer: the totals from which a hard and a soft hand stand.

    It is the pair of totals such that no single seat gains by another pair while all others keep to it. The
    search goes from a pair to the best response to it, and so on, until a pair is its own best response,
    within the noise. All pairs are played on the same cards. The search begins with the pair for an infinite
    deck, which is known exactly: the policy `basic` plays by it.

    If the search enters a cycle, no pair is its own best response: then the result is the pair from which the
    best deviation gains least. The rules are `showdown` unless others are given.

    For each number of seats it prints the pair, the payoff of a seat if all play it, and what the best
    deviation of a single seat gains (a loss if it is below 0), each with its standard error (s.e.), in
    initial bets per round.

    The keys of --json: `rules` and `found`, a list, each with `seats`, `hard` and `soft` (the totals),
    `payoff`, `payoff_error`, `deviation` (`hard` and `soft` of the best one), `gain`, `gain_error`, `steady`
    (whether the gain is zero, within the noise), `rounds` and `seed`.
    """
    chosen = rules or PRESETS["showdown"]
    tables = [replace(chosen, seats=number) for number in _numbers(seats, chosen)]
    seed = seed_or_new(seed)
    check_compiler()
    if chosen.reshuffle != EveryRound():
        notice(f"the shoe is treated as fresh every round, not as kept over rounds ({chosen.reshuffle})")
    announce_compiling("twentyone.analysis.studies.thresholds")
    found = [_entry(table, _find(table, rounds, seed, Backend(workers)), seed) for table in tables]
    if json:
        fields = {name: text for name, text in chosen.fields().items() if name != "seats"}
        print(text_of.dumps({"rules": fields, "found": found}))
    else:
        tell(_text(chosen, found))
    return OK


def _numbers(text: str, rules: Rules) -> Sequence[int]:
    """The numbers of seats that were asked for."""
    if rules.has_dealer:
        raise CommandError(
            f"{rules.preset} has a dealer, so every seat plays alone and `analysis solve` finds the best"
            " chart: expected rules without a dealer, such as showdown",
            USAGE,
        )
    if text == ALL:
        return range(2, MAX_SEATS + 1)
    if not re.fullmatch(f"[2-{MAX_SEATS}]", text):
        raise CommandError(f"seats is {text!r}: expected 2 to {MAX_SEATS}, or {ALL}", USAGE)
    return [int(text)]


def _find(rules: Rules, rounds: int, seed: int, backend: Backend) -> Responses:
    from twentyone.analysis.studies.thresholds import responses, search
    from twentyone.exact.showdown import steadiest
    from twentyone.policies.decisions import fresh

    def respond(pair: Pair) -> Responses:
        with progress_of(f"simulating {rules.seats} seats, {pair}", rounds, "rounds") as work:
            return responses(rules, pair, rounds, seed, work.job(backend))

    return search(steadiest(replace(fresh(rules), decks=None)), respond)


def _entry(rules: Rules, found: Responses, seed: int) -> dict[str, Any]:
    """The results for a number of seats, under the keys of --json."""
    payoff, gain = found.payoff, found.gain(found.best)
    return {
        "seats": rules.seats,
        "hard": found.pair.hard,
        "soft": found.pair.soft,
        "payoff": payoff.mean,
        "payoff_error": payoff.standard_error,
        "deviation": found.best._asdict(),
        "gain": gain.mean,
        "gain_error": gain.standard_error,
        "steady": found.is_steady,
        "rounds": found.rounds,
        "seed": seed,
    }


def _text(rules: Rules, found: Sequence[dict[str, Any]]) -> str:
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.summary import columns

    knows_soft = rules.ace is Ace.EITHER
    rows = [("seats", "hard", "soft", "payoff", "s.e.", "best deviation", "gain", "s.e.")]
    for entry in found:
        other = entry["deviation"]
        figures = [f"{entry[name]:+z.5f}" for name in ("payoff", "gain")]
        errors = [f"{entry[name]:z.5f}" for name in ("payoff_error", "gain_error")]
        rows.append(
            (
                str(entry["seats"]),
                str(entry["hard"]),
                str(entry["soft"]) if knows_soft else "-",
                figures[0],
                errors[0],
                f"{other['hard']}/{other['soft']}" if knows_soft else str(other["hard"]),
                figures[1],
                errors[1],
            )
        )
    unsteady = ", ".join(str(entry["seats"]) for entry in found if not entry["steady"])
    last = found[-1]
    lines = [
        f"rules: {rules_in_short(replace(rules, seats=PRESETS[rules.preset].seats))}",
        "basic strategy without a dealer: the totals from which a hand stands",
        columns(rows),
        f"{last['rounds']:,} rounds for each best response; seed {last['seed']}; in initial bets per round",
    ]
    if unsteady:
        lines.append(
            f"at {unsteady} seats no pair is its own best response: a single seat gains least by deviating"
            " from this one"
        )
    return "\n".join(lines)
