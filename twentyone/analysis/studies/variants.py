"""The variants that are compared: policies, and changes of the rules, as typed on a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cards import Rules, RulesError, rules_from
from cards.presets import with_source
from twentyone.analysis.studies.policies import policy_named
from twentyone.kernels.decisions import CompiledPolicy
from twentyone.policies.decisions import fresh
from twentyone.support.command import USAGE, CommandError

CUTOFFS: Final = (1, 5, 10, 13, 20, 26, 35, 45, 52)
"""Cards of one deck: from a shoe that is used up completely to one that is fresh every round."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One of the ways to play that are compared.

    Attributes:
        name: a name that no other variant has.
        rules: its rules.
        policy: the policy at every seat.
        place: its place on the axis of a sweep; None if it is not part of one.
    """

    name: str
    rules: Rules
    policy: CompiledPolicy
    place: float | None = None


class Sweep(NamedTuple):
    """A figure of the rules that is varied.

    Attributes:
        field: the field of the rules that it belongs to, as typed, with `{}` in its place.
        usual: the default figures, for some rules.
        label: a description.
    """

    field: str
    usual: Callable[[Rules], Sequence[float]]
    label: str


SWEEPS: Final[Mapping[str, Sweep]] = {
    "cutoff": Sweep(
        "reshuffle=cutoff:{}",
        lambda rules: [cards * (rules.decks or 1) for cards in CUTOFFS],
        "cutoff: the shoe is made fresh when fewer cards than this are left",
    ),
    "penetration": Sweep(
        "reshuffle=penetration:{}",
        lambda _: [tenths / 10 for tenths in range(1, 10)],
        "penetration: the part of the shoe that is dealt before it is made fresh",
    ),
    "decks": Sweep("decks={}", lambda _: range(1, 9), "decks in the shoe"),
}
"""The figures that can be swept, by name."""


def rules_with(base: Rules, change: str, typed: str = "") -> Rules:
    """Rules with some fields changed: `decks=6 reshuffle=cutoff:52`; `preset=NAME` starts from a preset.

    Args:
        base: the rules.
        change: the fields.
        typed: what was typed for them, if it is no variant, to name it if the rules are invalid.

    Raises:
        CommandError: if a field is unknown or given twice, or the rules are invalid.
    """
    usual = base.fields() | base.new_fields()
    changed: dict[str, str] = {}
    for part in change.split():
        name, equals, text = part.partition("=")
        if not equals or name not in usual or name in changed:
            raise CommandError(
                f"the variant {change!r} is invalid: expected FIELD=VALUE, each field once, with the fields"
                f" {', '.join(usual)}",
                USAGE,
            )
        changed[name] = text
    try:
        return rules_from(changed if "preset" in changed else usual | changed)
    except RulesError as error:
        if "preset" not in changed:
            error = with_source(error, base, changed, "the rules that it changes")
        raise CommandError(f"the {typed or f'variant {change!r}'} is invalid: {error}", USAGE) from None


def variants_of(base: Rules, policies: Sequence[str], changes: Sequence[str]) -> list[Variant]:
    """Every policy under every change of the rules, in this order; without changes, under the given rules.

    What is given twice is there once.

    Raises:
        CommandError: if a policy or a change is invalid.
    """
    policies = list(dict.fromkeys(policies))
    rules = {change: rules_with(base, change) for change in changes or [""]}
    table = _tables()
    return [
        Variant(_name(policy, change, len(policies) > 1), changed, table(policy, changed))
        for policy in policies
        for change, changed in rules.items()
    ]


def swept(base: Rules, policies: Sequence[str], sweep: str) -> list[Variant]:
    """Every policy under rules in which one figure is varied: `cutoff`, or `cutoff:10,26,52`.

    Raises:
        CommandError: if there is no such sweep, or a figure in it does not fit the rules.
    """
    policies = list(dict.fromkeys(policies))
    kind, places = _places(base, sweep)
    table = _tables()
    variants = []
    for policy in policies:
        for place in places:
            rules = rules_with(base, SWEEPS[kind].field.format(f"{place:g}"), f"sweep {sweep!r}")
            name = _name(policy, f"{kind}:{place:g}", len(policies) > 1)
            variants.append(Variant(name, rules, table(policy, rules), place))
    return variants


def label_of(sweep: str) -> str:
    """A description of what a sweep varies."""
    return SWEEPS[sweep.partition(":")[0]].label


def _places(base: Rules, sweep: str) -> tuple[str, list[float]]:
    kind, colon, listed = sweep.partition(":")
    if kind not in SWEEPS:
        raise CommandError(f"there is no sweep {kind!r}: expected {', '.join(SWEEPS)}", USAGE)
    if not colon:
        return kind, sorted(SWEEPS[kind].usual(base))
    if not re.fullmatch(r"[0-9]{0,6}\.?[0-9]{1,6}(,[0-9]{0,6}\.?[0-9]{1,6})*", listed):
        raise CommandError(
            f"the sweep is {sweep!r}: expected figures separated by commas, as in {kind}:1,2,3", USAGE
        )
    return kind, sorted({float(place) for place in listed.split(",")})


def _name(policy: str, change: str, names_policy: bool) -> str:
    return ", ".join(part for part in (policy if names_policy or not change else "", change) if part)


def _tables() -> Callable[[str, Rules], CompiledPolicy]:
    """As `policy_named`, but once for all rules that differ only in how the shoe is kept."""
    known: dict[tuple[str, Rules], CompiledPolicy] = {}

    def table(policy: str, rules: Rules) -> CompiledPolicy:
        key = policy, fresh(rules)
        if key not in known:
            known[key] = policy_named(*key)
        return known[key]

    return table
