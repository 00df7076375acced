"""The policy that a player has chosen on the command line."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from cards import RandBelow, Rules, seeded
from twentyone.policies import chances, makers, names
from twentyone.policies.action_values import ActionValues
from twentyone.policies.chances import MixedPolicy
from twentyone.policies.chart import Chart
from twentyone.policies.decisions import DecisionTable, at_random
from twentyone.policies.files import kind_of_file
from twentyone.policies.hand_charts import hand_chart
from twentyone.policies.loading import load_counted, load_learned, own_table
from twentyone.policies.makers import Source
from twentyone.policies.names import PolicyName, PolicyNameError
from twentyone.policies.policy import Policy
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import seed_or_new
from twentyone.support.terminal import notice

KINDS: Final = (*names.TABLES, names.COUNTED, "human")
_notice: Final = partial(notice, "player")


class ChosenPolicy:
    """A policy that was chosen to play by; what it decides may depend on the rules, and so come later.

    Args:
        name: the policy.
        source: what it plays by, if that is in a file.
        rand_below: the random source of a policy that leaves decisions to chance.
        counted: the table by true count that it is, in place of a source.
    """

    def __init__(
        self,
        name: PolicyName,
        source: Source | None,
        rand_below: RandBelow,
        counted: ActionValues | None = None,
    ) -> None:
        self.name = name
        self.source = source
        self.counted = counted
        self._rand_below = rand_below
        self._makers = dict.fromkeys(names.COMPUTED, self._computed)
        self._made: dict[Rules, DecisionTable | Chart] = {}

    def played(self, rules: Rules) -> Chart | MixedPolicy | None:
        """The policy for rules with a dealer, to be valued exactly: a chart, or its chances.

        A table by hand decides on insurance itself, which no chart does. None for a table by true
        count, which has no such value. One that is computed takes a second the first time.

        Raises:
            CommandError: if there is no such policy for these rules.
        """
        if self.counted is not None:
            return None
        if self.name.kind == "random":
            return chances.of_table(at_random())
        decide = self.decide(rules)
        is_by_hand = isinstance(self.source, ActionValues) and not self.source.is_by_total
        chart = None if is_by_hand else hand_chart(decide, rules, self.name.text)
        return chances.sure(decide) if chart is None else chart

    def decide(self, rules: Rules) -> Policy:
        """The policy as a function under these rules, without a count.

        Raises:
            CommandError: as `played`.
        """
        return makers.policy_of(self.name, rules, self._makers, self._rand_below, self.source)

    def about_rules(self, rules: Rules) -> str | None:
        """The notice where the policy is one for other rules than those that are played."""
        source = self.source
        made_for = self.counted.origin.rules if self.counted else source.rules if source else None
        if made_for is None or made_for.plays_like(rules):
            return None
        others = f"other rules ({made_for}) than those played ({rules})"
        if isinstance(source, Chart):
            return f"the chart is made for {others}"
        if self.counted is not None:
            return f"the table was learned under {others}: `analysis learn --count` makes one for them"
        is_learned = isinstance(source, ActionValues)
        more = ": `training` with another --table makes one for them" if is_learned else ""
        return f"the table was learned under {others}{more}"

    def _computed(self, rules: Rules) -> DecisionTable | Chart:
        from twentyone.exact.named import computed

        if rules not in self._made:
            self._made[rules] = computed(self.name, rules)
        return self._made[rules]


def chosen_policy(
    policy: str, table: Path | None, rules: Rules | None, seed: int | None
) -> ChosenPolicy | None:
    """The policy that decides; None for a person.

    Args:
        policy: its name, as typed.
        table: the table of action values that was given, if any.
        rules: the rules that were given; None for those of the default preset.
        seed: that of a policy that leaves decisions to chance; None for a new one.

    Raises:
        CommandError: if there is no such policy, or its table cannot be read.
    """
    try:
        name = names.parse(policy, KINDS)
    except PolicyNameError as error:
        raise CommandError(str(error), USAGE) from None
    if name.kind == "human":
        return None
    if name.file is not None and table is not None:
        raise CommandError(
            f"--policy {name.text} and --table {table} are two tables: expected one of them", USAGE
        )
    rand_below = seeded(seed_or_new(seed))
    if (counted := _counted(name, table)) is not None:
        return ChosenPolicy(name, None, rand_below, counted)
    source = _table(name.file or table) if name.kind == "qtable" else makers.source_of(name)
    chosen = ChosenPolicy(name, source, rand_below)
    if name.kind in (*names.COMPUTED, "chart", "actions"):
        # For the likely rules it is made now: a dealer that does not tell its own may not wait for it either.
        chosen.decide(rules or Rules())
    return chosen


def _table(path: Path | None) -> ActionValues:
    """The table that was asked for, or the user's own, or the one that comes with the package."""
    table, called = own_table() if path is None else (load_learned(path), str(path))
    _notice(f"playing by the table {called}")
    return table


def _counted(name: PolicyName, table: Path | None) -> ActionValues | None:
    """The table by true count that was asked for, if it is one."""
    path = name.file or (table if name.kind == "qtable" else None)
    if path is None or name.kind not in (names.COUNTED, "qtable"):
        return None
    is_counted = kind_of_file(str(path)) == names.COUNTED
    if not is_counted and name.kind == "qtable":
        return None
    counted = load_counted(path)
    _notice(f"playing by the table {path}, and counting by {counted.system.name}")
    return counted
