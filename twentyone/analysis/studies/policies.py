"""Policies by name for any rules, as the kernels take them, and their exact values."""

from __future__ import annotations

from cards import Rules
from twentyone.exact.best.mixed import evaluate_policy
from twentyone.exact.named import decider, made, no_chance, parsed
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.game import NoExactFormError, seat_game
from twentyone.kernels.decisions import CompiledPolicy, compile_policy, compile_table
from twentyone.policies.chances import of_table, sure
from twentyone.policies.decisions import DecisionTable, fresh
from twentyone.policies.functions import Function
from twentyone.policies.hand_charts import hand_chart
from twentyone.policies.makers import source_of
from twentyone.policies.names import PolicyName
from twentyone.policies.policy import Policy


def policy_named(text: str, rules: Rules) -> CompiledPolicy:
    """A policy for some rules by its name, as typed on a command line.

    Raises:
        CommandError: if there is no such policy, or not for these rules, or a file cannot be read.
    """
    return policy_for(parsed(text), rules)


def policy_for(name: PolicyName, rules: Rules) -> CompiledPolicy:
    """A policy for some rules.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    decide = _decided(name, rules)
    if isinstance(decide, DecisionTable):
        return compile_table(decide, rules)
    return compile_policy(decide, rules, name.text)


def _decided(name: PolicyName, rules: Rules) -> DecisionTable | Policy:
    """A policy as a function, or as a table of chances if it may leave decisions to chance."""
    source = source_of(name)
    if name.kind == "random" or isinstance(source, Function):
        return made(name, rules, source)
    return decider(name, rules, no_chance, source)


def exact_value(policy: CompiledPolicy, rules: Rules) -> float | None:
    """The value of a policy with a fresh shoe every round; None if there is no exact form.

    Insurance is in it as in `twentyone.exact.values.charts.evaluate`; for a policy that no chart can say, its
    own bets.

    Args:
        policy: the policy, by a name as typed on a command line.
        rules: the rules.
    """
    name, rules = parsed(policy.name), fresh(rules)
    try:
        game = seat_game(rules)
    except NoExactFormError:
        return None
    decide = _decided(name, rules)
    if isinstance(decide, DecisionTable):
        return evaluate_policy(game, of_table(decide)).value
    chart = hand_chart(decide, rules, name.text)
    return evaluate_policy(game, sure(decide)).value if chart is None else evaluate(game, chart).value
