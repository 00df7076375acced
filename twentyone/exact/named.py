"""Policies by name, including the three that have to be computed by exact values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NoReturn

from cards import RandBelow, Rules
from twentyone.exact import showdown, solving
from twentyone.exact.best.basic import basic_chart
from twentyone.exact.values.game import NoExactFormError
from twentyone.policies import makers, names
from twentyone.policies.chart import Chart
from twentyone.policies.decisions import DecisionTable, at_random, fresh
from twentyone.policies.makers import Maker, Source
from twentyone.policies.names import PolicyName, PolicyNameError
from twentyone.policies.policy import Policy
from twentyone.policies.qtable import HIT, STAND
from twentyone.support.command import USAGE, CommandError


def basic(rules: Rules) -> DecisionTable | Chart:
    """Basic strategy: the best chart for these rules.

    For a shoe with a cut card it is that of a fresh shoe of the same decks. Without a dealer it is a pair of
    stand thresholds for the number of seats, see `twentyone.exact.showdown`.
    """
    return basic_chart(rules) if rules.has_dealer else DecisionTable("basic", showdown.pair_for(rules).hit)


def total_only(rules: Rules) -> DecisionTable:
    """The best policy found that sees totals only, not softness; for a cut card as in `basic`.

    Raises:
        NoExactFormError: for rules without a dealer.
    """
    return DecisionTable("total-only", solving.solve_total_only(fresh(rules)))


def random_play_limit(rules: Rules) -> DecisionTable:
    """The policy to which the learning method `random-play` converges; for a cut card as in `basic`.

    The method averages the payoffs of random play, so its values converge to those of random play. Greedy
    play by them is a single step of policy improvement from random play.

    Raises:
        NoExactFormError: for rules without a dealer.
    """
    values = solving.evaluate(fresh(rules), at_random().hit).action_values
    hit = (values[:, :, HIT] > values[:, :, STAND]).astype(float)
    return DecisionTable("random-play-limit", hit)


MAKERS: Final[Mapping[str, Maker]] = {
    "basic": basic,
    "total-only": total_only,
    "random-play-limit": random_play_limit,
}
"""The functions that compute policies, by the kinds of the policies."""


def default_for(rules: Rules) -> str:
    """The name of the default policy for rules: that of their preset, or basic strategy."""
    return names.DEFAULTS.get(rules.preset, "basic")


def parsed(text: str, kinds: Collection[str] = names.TABLES) -> PolicyName:
    """The policy that a name means, as typed on a command line.

    Args:
        text: the name.
        kinds: the kinds that may be named here.

    Raises:
        CommandError: if there is no such policy.
    """
    try:
        return names.parse(text, kinds)
    except PolicyNameError as error:
        raise CommandError(str(error), USAGE) from None


def named(text: str, rules: Rules, kinds: Collection[str] = names.TABLES) -> DecisionTable:
    """The decisions of a policy, by its name as typed on a command line.

    Args:
        text: the name.
        rules: what is played.
        kinds: as in `parsed`.

    Raises:
        CommandError: if there is no such policy, or not for these rules, or a file cannot be read.
    """
    return made(parsed(text, kinds), rules)


def made(name: PolicyName, rules: Rules, source: Source | None = None) -> DecisionTable:
    """The decisions of a policy for some rules, which may have to be computed.

    Args:
        name: the policy.
        rules: what is played.
        source: what its file says, if it has been read.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    try:
        return makers.table_of(name, rules, MAKERS, source)
    except NoExactFormError as error:
        raise _none(name, error) from None


def decider(name: PolicyName, rules: Rules, rand_below: RandBelow, source: Source | None = None) -> Policy:
    """A policy for some rules as a function of what a seat sees.

    Args:
        name: the policy.
        rules: what is played.
        rand_below: the random source, for a policy that leaves a decision to chance.
        source: what its file says, if it has been read.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    try:
        return makers.policy_of(name, rules, MAKERS, rand_below, source)
    except NoExactFormError as error:
        raise _none(name, error) from None


def no_chance(below: int) -> NoReturn:
    """The random source of a policy that leaves nothing to chance."""
    raise AssertionError(f"a policy that leaves nothing to chance asked for a number below {below}")


def computed(name: PolicyName, rules: Rules) -> DecisionTable | Chart:
    """A policy that has to be computed: a table, or a chart.

    Raises:
        CommandError: if there is no such policy for these rules.
    """
    try:
        return MAKERS[name.kind](rules)
    except NoExactFormError as error:
        raise _none(name, error) from None


def _none(name: PolicyName, error: NoExactFormError) -> CommandError:
    return CommandError(f"there is no policy {name.text} for these rules: {error}", USAGE)
