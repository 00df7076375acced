"""Policies by name, including the three that have to be computed by exact values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from cards import Rules
from exact import showdown, solving
from exact.best.basic import basic_chart
from exact.values.game import NoExactFormError
from policies import makers, names
from policies.chart import Chart
from policies.decisions import DecisionTable, at_random, fresh
from policies.makers import Maker
from policies.names import PolicyName, PolicyNameError
from policies.qtable import HIT, STAND
from support.command import USAGE, CommandError


def basic(rules: Rules) -> DecisionTable:
    """Basic strategy: the best chart for these rules.

    For a shoe with a cut card it is that of a fresh shoe of the same decks. Without a dealer it is a pair of
    stand thresholds for the number of seats, see `exact.showdown`.
    """
    if not rules.has_dealer:
        return DecisionTable("basic", showdown.pair_for(rules).hit)
    return DecisionTable("basic", solving.solve(fresh(rules)).policy)


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


def basic_policy(rules: Rules) -> DecisionTable | Chart:
    """Basic strategy in its form for these rules: a table at HIT and STAND, otherwise a chart."""
    return basic_chart(rules) if rules.is_whole else basic(rules)


MAKERS: Final[Mapping[str, Maker]] = {
    "basic": basic_policy,
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


def made(name: PolicyName, rules: Rules) -> DecisionTable:
    """The decisions of a policy for some rules, which may have to be computed.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    try:
        return makers.table_of(name, rules, MAKERS)
    except NoExactFormError as error:
        raise _none(name, error) from None


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
