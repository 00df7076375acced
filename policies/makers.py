"""What makes a policy of its name: its table of decisions, or a function of what a seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cards import RandBelow, Rules
from policies import policy
from policies.decisions import (
    DecisionTable,
    as_policy,
    at_random,
    greedy,
    mimic,
    never_bust,
    threshold,
)
from policies.loading import load_table, own_table
from policies.names import PolicyName
from policies.policy import Policy
from policies.qtable import QTable

Maker = Callable[[Rules], DecisionTable]
"""Computes the table of a policy for some rules."""


def table_of(name: PolicyName, rules: Rules, makers: Mapping[str, Maker]) -> DecisionTable:
    """The decisions of a policy under some rules.

    Args:
        name: the policy.
        rules: what is played.
        makers: the functions that compute policies by kind: `exact.named.MAKERS`.

    Raises:
        CommandError: if the file of a Q table cannot be read.
    """
    match name.kind:
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
        CommandError: if the file of a Q table cannot be read.
    """
    if name.kind == "random":  # it draws one bit for a decision, where a table would draw 32
        return policy.at_random(rand_below)
    if name.kind == "threshold":
        return policy.threshold(name.total)
    return as_policy(table_of(name, rules, makers), rand_below)


def _q_table(name: PolicyName) -> QTable:
    return own_table()[0] if name.file is None else load_table(name.file)
