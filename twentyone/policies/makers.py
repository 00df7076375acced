"""Policies from their names: tables of decisions, or functions of what a seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cards import RandBelow, Rules
from twentyone.policies import action_values, chart, policy
from twentyone.policies.action_values import ActionValues
from twentyone.policies.chart import Chart
from twentyone.policies.decisions import (
    DecisionTable,
    as_policy,
    at_random,
    greedy,
    mimic,
    never_bust,
    of_policy,
    threshold,
)
from twentyone.policies.functions import Function
from twentyone.policies.loading import load_action_values, load_chart, load_object, load_table, own_table
from twentyone.policies.names import FUNCTION, PolicyName
from twentyone.policies.policy import Policy
from twentyone.support.command import USAGE, CommandError

Maker = Callable[[Rules], DecisionTable | Chart]
"""Computes a policy for some rules: a table, or a chart where they have more than HIT and STAND."""

Source = ActionValues | Chart | Function
"""The content of a policy's file, or a Python object."""


def source_of(name: PolicyName) -> Source | None:
    """The table or function of a policy, from its file or its module; None for a policy without one.

    Raises:
        CommandError: if the file cannot be read, or the object is no policy.
    """
    if name.kind == FUNCTION:
        return load_object(name.text)
    match name.kind, name.file:
        case "chart", Path() as file:
            return load_chart(file)
        case "actions", Path() as file:
            return load_action_values(file)
        case "qtable", file:
            return own_table()[0] if file is None else load_table(file)
    return None


def table_of(
    name: PolicyName, rules: Rules, makers: Mapping[str, Maker], source: Source | None = None
) -> DecisionTable:
    """The decisions of a policy under some rules.

    Args:
        name: the policy.
        rules: what is played.
        makers: the functions that compute policies by kind: `twentyone.exact.named.MAKERS`.
        source: what it plays by, if its file has been read already.

    Raises:
        CommandError: if a file cannot be read, or says nothing about these rules.
    """
    source = source_of(name) if source is None else source
    if isinstance(source, ActionValues) and source.is_by_total:
        return greedy(source, name.text)
    if isinstance(source, Function):
        return source.table(rules)
    if source is not None:
        return of_policy(_of_file(source, name, rules), name.text)
    match name.kind:
        case "threshold":
            return threshold(name.total)
        case "random":
            return at_random()
        case "mimic":
            return mimic(rules)
        case "never-bust":
            return never_bust()
    made = makers[name.kind](rules)
    return made if isinstance(made, DecisionTable) else of_policy(chart.policy_of(made, rules), name.text)


def policy_of(
    name: PolicyName,
    rules: Rules,
    makers: Mapping[str, Maker],
    rand_below: RandBelow,
    source: Source | None = None,
) -> Policy:
    """A policy as a function of what a seat sees.

    Args:
        name: the policy.
        rules: what is played.
        makers: as in `table_of`.
        rand_below: the random source, for policies that leave a decision to chance.
        source: as in `table_of`.

    Raises:
        CommandError: if a file cannot be read, or says nothing about these rules.
    """
    source = source_of(name) if source is None else source
    if isinstance(source, Chart | ActionValues):
        return _of_file(source, name, rules)
    if name.kind == "basic" and isinstance(made := makers[name.kind](rules), Chart):
        return chart.policy_of(made, rules)
    return policy.hit_or_stand(_of_totals(name, rules, makers, rand_below, source))


def _of_totals(
    name: PolicyName,
    rules: Rules,
    makers: Mapping[str, Maker],
    rand_below: RandBelow,
    source: Source | None,
) -> Policy:
    """A policy of HIT and STAND."""
    if name.kind == "random":  # it draws one bit for a decision, where a table would draw 32
        return policy.at_random(rand_below)
    if name.kind == "threshold":
        return policy.threshold(name.total)
    return as_policy(table_of(name, rules, makers, source), rand_below)


def _of_file(source: Chart | ActionValues, name: PolicyName, rules: Rules) -> Policy:
    """The policy of a chart or of a table."""
    is_by_total = isinstance(source, ActionValues) and source.is_by_total
    if not (rules.has_dealer or is_by_total):
        raise CommandError(
            f"{name.text} says what to do against an upcard, and {rules.preset} has no dealer", USAGE
        )
    return chart.policy_of(source, rules) if isinstance(source, Chart) else action_values.policy_of(source)
