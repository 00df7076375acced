"""The names of policies: one grammar for every command, option and bot that takes one.

    basic  total-only  random-play-limit  mimic  never-bust  random  threshold:N  qtable  qtable:FILE  human

Each caller states which kinds it takes; a name means the same everywhere.
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
from policies.kinds import MAX_THRESHOLD, TABLES, expected
from policies.loading import load_table, own_table
from policies.policy import Policy
from policies.qtable import QTable

_OLD_NAMES: Final = {"blind": "total-only", "course-limit": "random-play-limit"}
"""What policies were called before version 0.2; still read, never written."""

Maker = Callable[[Rules], DecisionTable]
"""Computes the table of a policy for some rules."""


class PolicyNameError(ValueError):
    """A name that is not that of a policy, in one sentence that lists the names."""


@dataclass(frozen=True, slots=True)
class PolicyName:
    """A policy, as it was named.

    Attributes:
        text: the name as typed.
        kind: the word before the colon.
        total: the total below which a threshold draws, 0 to 22.
        file: the file of a Q table; None for the user's own, or else the one that comes with the package.
    """

    text: str
    kind: str
    total: int = 0
    file: Path | None = None


def parse(text: str, kinds: Collection[str] = TABLES, *, files: bool = True) -> PolicyName:
    """The policy that a name means.

    Args:
        text: the name.
        kinds: the kinds that may be named here.
        files: whether a table may be named by its file. A name that came over the wire must not name a file.

    Raises:
        PolicyNameError: if there is no such policy, or its kind may not be named here.
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
