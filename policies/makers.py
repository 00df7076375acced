"""What makes a policy of its name: its table of decisions, or a function of what a seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cards import RandBelow, Rules
from policies import action_values, chart, policy
from policies.decisions import (
    DecisionTable,
    as_policy,
    at_random,
    greedy,
    mimic,
    never_bust,
    of_policy,
    threshold,
)
from policies.known import chart_of, closest
from policies.loading import load_action_values, load_chart, load_table, own_table
from policies.names import PolicyName
from policies.policy import Policy
from policies.qtable import QTable
from support.command import USAGE, CommandError

Maker = Callable[[Rules], DecisionTable]
"""Computes the table of a policy for some rules."""


def table_of(name: PolicyName, rules: Rules, makers: Mapping[str, Maker]) -> DecisionTable:
    """The decisions of a policy under some rules.

    Args:
        name: the policy.
        rules: what is played.
        makers: the functions that compute policies by kind: `exact.named.MAKERS`.

    Raises:
        CommandError: if a file cannot be read, or says nothing about these rules.
    """
    match name.kind:
        case "chart" | "actions":
            return of_policy(_read(name, rules), name.text)
        case "threshold":
            return threshold(name.total)
        case "qtable":
            return greedy(_q_table(name), name.text)
        case "random":
            return at_random()
        case "mimic":
            return mimic(rules)
        case "never-bust":
            return never_bust()
    return makers[name.kind](rules)


def q_table_of(name: PolicyName) -> QTable | None:
    """The Q table that a policy plays by; None for one of another kind.

    Raises:
        CommandError: if its file cannot be read.
    """
    return _q_table(name) if name.kind == "qtable" else None


def policy_of(name: PolicyName, rules: Rules, makers: Mapping[str, Maker], rand_below: RandBelow) -> Policy:
    """A policy as a function of what a seat sees.

    Args:
        name: the policy.
        rules: what is played.
        makers: as in `table_of`.
        rand_below: the random source, for policies that leave a decision to chance.

    Raises:
        CommandError: if a file cannot be read, or says nothing about these rules.
    """
    if name.kind in ("chart", "actions"):
        return _read(name, rules)
    if not rules.is_whole:
        return _older(name, rules, makers, rand_below)
    if name.kind == "basic":
        return basic_chart(rules)
    return policy.hit_or_stand(_older(name, rules, makers, rand_below))


def basic_chart(rules: Rules) -> Policy:
    """Basic strategy for a whole game: the closest chart that is known, of which `about_basic` tells."""
    return chart.policy_of(chart_of(closest(rules)), rules)


def about_basic(rules: Rules) -> str:
    """What whoever plays a whole game by `basic_chart` should know, in a sentence."""
    return f"basic strategy for these rules cannot be computed yet: playing the chart for {closest(rules)}"


def _older(name: PolicyName, rules: Rules, makers: Mapping[str, Maker], rand_below: RandBelow) -> Policy:
    """A policy of HIT and STAND."""
    if name.kind == "random":  # it draws one bit for a decision, where a table would draw 32
        return policy.at_random(rand_below)
    if name.kind == "threshold":
        return policy.threshold(name.total)
    return as_policy(table_of(name, rules, makers), rand_below)


def _read(name: PolicyName, rules: Rules) -> Policy:
    """The policy of a chart or of a table by hand."""
    assert name.file is not None, "these kinds always have a file"
    if not rules.has_dealer:
        raise CommandError(
            f"{name.text} says what to do against an upcard, and {rules.preset} has no dealer", USAGE
        )
    if name.kind == "chart":
        return chart.policy_of(load_chart(name.file), rules)
    return action_values.policy_of(load_action_values(name.file))


def _q_table(name: PolicyName) -> QTable:
    return own_table()[0] if name.file is None else load_table(name.file)
