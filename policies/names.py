"""The names of policies: one grammar for every command, option and bot that takes one.

    basic  total-only  random-play-limit  mimic  never-bust  random  threshold:N  qtable  qtable:FILE  human

Each place says which kinds it takes; what a name means is the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
from policies.policy import Policy
from policies.qtable import QTable

MAX_THRESHOLD: Final = 22
"""The highest total to draw below: every hand is then drawn until it is bust."""

TABLES: Final = (
    "basic",
    "total-only",
    "random-play-limit",
    "mimic",
    "never-bust",
    "random",
    "threshold",
    "qtable",
)
"""The kinds that are tables of decisions; `human` is the one that is none."""

_FORMS: Final = {
    "threshold": f"threshold:N (N from 0 to {MAX_THRESHOLD})",
    "qtable": "qtable:FILE (or just the file)",
}

_OLD_NAMES: Final = {"blind": "total-only", "course-limit": "random-play-limit"}
"""What they were called before version 0.2; still read, never written."""

Maker = Callable[[Rules], DecisionTable]
"""Computes the table of a policy for some rules."""


class PolicyNameError(ValueError):
    """No policy goes by a name, in one sentence that lists those that there are."""


@dataclass(frozen=True, slots=True)
class PolicyName:
    """A policy, as it was named.

    Attributes:
        text: the name as typed.
        kind: the word before the colon.
        total: the total that a threshold draws below, 0 to 22.
        file: the file of a Q table; None for the user's own, or the one that comes with the package.
    """

    text: str
    kind: str
    total: int = 0
    file: Path | None = None


def parse(text: str, kinds: Collection[str] = TABLES, *, files: bool = True) -> PolicyName:
    """The policy that a name means.

    Args:
        text: the name.
        kinds: those that may be named here.
        files: whether a table may be named by its file. A name that came over the wire names no file.

    Raises:
        PolicyNameError: if there is none of that name, or its kind may not be named here.
    """
    kind, colon, rest = text.partition(":")
    kind = _OLD_NAMES.get(kind, kind)
    name = None
    if kind == "threshold":
        if re.fullmatch("[0-9]{1,2}", rest) and int(rest) <= MAX_THRESHOLD:
            name = PolicyName(text, kind, total=int(rest))
    elif kind == "qtable" and rest and files:
        name = PolicyName(text, kind, file=Path(rest))
    elif not colon and kind in kinds:
        name = PolicyName(text, kind)
    elif files and Path(text).is_file():
        name = PolicyName(text, "qtable", file=Path(text))
    if name is None or name.kind not in kinds:
        raise PolicyNameError(f"there is no policy {text!r}: expected {expected(kinds, files=files)}")
    return name


def expected(kinds: Collection[str] = TABLES, *, files: bool = True) -> str:
    """The names that may be typed, for the end of a sentence."""
    forms = [kind if kind == "qtable" and not files else _FORMS.get(kind, kind) for kind in kinds]
    return f"{', '.join(forms[:-1])} or {forms[-1]}"


def table_of(name: PolicyName, rules: Rules, makers: Mapping[str, Maker]) -> DecisionTable:
    """The decisions of a policy under some rules.

    Args:
        name: the policy.
        rules: what is played.
        makers: computes the policies that have to be: `exact.named.MAKERS`.

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
        rand_below: decides where the policy leaves it to chance.

    Raises:
        CommandError: if the file of a Q table cannot be read.
    """
    if name.kind == "random":  # one coin for a decision, where a table would draw a number of 32 bits
        return policy.at_random(rand_below)
    if name.kind == "threshold":
        return policy.threshold(name.total)
    return as_policy(table_of(name, rules, makers), rand_below)


def _q_table(name: PolicyName) -> QTable:
    return own_table()[0] if name.file is None else load_table(name.file)
