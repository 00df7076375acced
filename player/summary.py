"""The summary of a game, as text and as JSON."""

from __future__ import annotations

from typing import Any

from cards import Payoff
from player.by_policy import PolicyPlayer
from player.chosen import ChosenPolicy
from player.human import Human
from player.score import NO_ROUND, grade_play
from protocol import payoff_text
from twentyone.support.counts import counted
from twentyone.support.summary import Report, tally_table


def report(
    name: str, policy: str, player: Human | PolicyPlayer, seconds: float, score: Report
) -> dict[str, Any]:
    """The result as JSON.

    The keys: `name`, `policy`, `rules` (every field, or null if no round was played), the tally's `rounds`,
    `wins`, `pushes`, `losses` (busts and surrenders included), `busts`, `mean_payoff` and `standard_error`
    (in initial bets), `seconds` and `rounds_per_second`, and those of `player.score.grade_play`. A hand that
    a person leaves open is a loss in the tally, and in no figure of EV lost: it was not played to its end.
    Where bets are asked there is also `chips`, what was won in all. `rounds` has those rounds too of which no
    result is known after a lost connection; if there are any, `without_result` is their number.
    """
    rounds = player.tally.rounds + player.lost
    without_result = {"rounds": rounds, "without_result": player.lost} if player.lost else {}
    chips = {} if player.chips is None else {"chips": _number(player.chips)}
    return {
        "name": name,
        "policy": policy,
        "rules": player.rules.fields() if player.rules else None,
        **player.tally.as_json(),
        **without_result,
        **chips,
        "seconds": seconds,
        "rounds_per_second": rounds / seconds,
        **score.members,
    }


def report_text(name: str, player: Human | PolicyPlayer, seconds: float, score: Report) -> str:
    """The result as a person reads it."""
    rounds = player.tally.rounds + player.lost
    lines = [tally_table([(name, player.tally)])]
    if player.lost:
        lines.append(f"{counted(player.lost, 'round')} more without a result: the connection was lost")
    if player.chips is not None:
        lines.append(f"won in all: {counted(payoff_text(player.chips), 'chip')}")
    if not isinstance(player, Human):
        lines.append(f"{counted(rounds, 'round')} in {seconds:z.1f} s ({rounds / seconds:,.0f} rounds/s)")
    return "\n".join([*lines, score.text] if score.text else lines)


def _number(chips: Payoff) -> int | float:
    return chips if isinstance(chips, int) else float(chips)


def graded(player: Human | PolicyPlayer, name: str, policy: ChosenPolicy | None) -> Report:
    """The grade of the play by a policy of a name; None for a person."""
    if player.rules is None or not player.tally.rounds:
        return NO_ROUND
    rules = player.rules
    played = None if policy is None or not rules.has_dealer else policy.played(rules)
    return grade_play(rules, name, played, player.record)
