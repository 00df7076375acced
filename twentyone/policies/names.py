"""The names of policies: one grammar for every command, option and bot that takes one.

    basic  total-only  random-play-limit  mimic  never-bust  random  threshold:N  chart:FILE  actions:FILE
    counted:FILE  qtable  qtable:FILE  human  MODULE:NAME  FILE.py:NAME

Each caller states which kinds it takes. A name means the same everywhere, except that a bot plays `qtable` by
the table that comes with the package, and never by a file. `twentyone.policies.makers` makes what is
named. This module loads nothing heavy.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from twentyone.policies.files import kind_of_file
from twentyone.support.counts import one_of

MAX_THRESHOLD: Final = 22
"""The highest total to draw below: every hand is then drawn until it is bust."""

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "basic": "basic (basic strategy for these rules)",
    "total-only": "total-only (the best that cannot tell soft hands from hard ones)",
    "random-play-limit": "random-play-limit (what the learning method random-play converges to)",
    "mimic": "mimic (as the dealer)",
    "never-bust": "never-bust",
    "random": "random",
    "threshold": "threshold:N (draws below N)",
    "chart": "chart:FILE (a chart of basic strategy)",
    "actions": "actions:FILE (action values by hand)",
    "qtable": "qtable:FILE (a Q table; of each kind of file, just the file will do)",
}
"""The description of each kind that is a table of decisions, for help texts."""

TABLES: Final = tuple(DESCRIPTIONS)
"""The kinds that are tables of decisions. `human` is the only one that is not."""

FUNCTION: Final = "function"
"""The kind of a policy that is a Python object of the user's own, `MODULE:NAME`. It runs the user's code."""

GRADED: Final = (*TABLES, FUNCTION)
"""The kinds that have an exact value."""

COMPUTED: Final = ("basic", "total-only", "random-play-limit")
"""The kinds that are computed for the rules, by exact values: it takes a second the first time."""

DEFAULTS: Final[Mapping[str, str]] = {
    "study": "threshold:16",
    "devs": "threshold:15",
    "showdown": "threshold:16",
}
"""The default policies of presets, those of the systems that they come from; for all others it is `basic`."""

COUNTED: Final = "counted"
"""The kind of a table that has a layer for each true count, `counted:FILE`: for players who count cards."""

_KINDS: Final = {*TABLES, FUNCTION, COUNTED, "human"}

_OBJECT: Final = re.compile(r"(?P<where>.+\.py|[^\W\d]\w*(\.[^\W\d]\w*)*):[^\W\d]\w*(\.[^\W\d]\w*)*")
"""`module:name` or `file.py:name`."""

_FILES: Final = {"chart", "actions", COUNTED, "qtable"}
"""The kinds that are read from a file."""

_FORMS: Final = {
    "threshold": f"threshold:N (N from 0 to {MAX_THRESHOLD})",
    "chart": "chart:FILE",
    "actions": "actions:FILE",
    COUNTED: "counted:FILE",
    "qtable": "qtable:FILE (or just the file)",
    FUNCTION: "MODULE:NAME (a function of your own)",
}


class PolicyNameError(ValueError):
    """A name that is not that of a policy, in one sentence that lists the names."""


@dataclass(frozen=True, slots=True)
class PolicyName:
    """A policy, as it was named.

    Attributes:
        text: the name as typed.
        kind: the word before the colon; `function` for a Python object.
        total: the total below which a threshold draws, 0 to 22.
        file: the file of a chart or a table; of a Q table, None is the user's own, or the one that comes
            with the package.
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
        files: whether a table may be named by its file, and a function by its module. A name that came over
            the wire must name neither.

    Raises:
        PolicyNameError: if there is no such policy, or its kind may not be named here.
    """
    kind, colon, rest = text.partition(":")
    name = None
    if kind == "threshold":
        if re.fullmatch("[0-9]{1,2}", rest) and int(rest) <= MAX_THRESHOLD:
            name = PolicyName(text, kind, total=int(rest))
    elif kind in _FILES and rest and files:
        name = PolicyName(text, kind, file=Path(rest))
    elif not colon and kind in kinds and kind not in _FILES - {"qtable"}:
        name = PolicyName(text, kind)
    elif files and FUNCTION in kinds and text.endswith(".py") and os.path.isfile(text):  # noqa: PTH113
        raise PolicyNameError(f"{text} is a file of Python: expected {text}:NAME, such as {text}:policy")
    elif files and os.path.isfile(text):  # noqa: PTH113 - of a name that is too long, `Path` makes an error
        name = PolicyName(text, kind_of_file(text), file=Path(text))
    elif files and FUNCTION in kinds and kind not in _KINDS and _OBJECT.fullmatch(text):
        name = PolicyName(text, FUNCTION)
    if name is None or name.kind not in kinds:
        is_known = name is not None or (kind in _KINDS and kind not in kinds)
        problem = f"the policy {text!r} cannot be used here" if is_known else f"there is no policy {text!r}"
        raise PolicyNameError(f"{problem}: expected {expected(kinds, files=files)}")
    return name


def expected(kinds: Collection[str] = TABLES, *, files: bool = True) -> str:
    """The names that may be typed, for the end of a sentence.

    Args:
        kinds: the kinds that may be named.
        files: whether a table may be named by its file.
    """
    return one_of(kind if kind == "qtable" and not files else _FORMS.get(kind, kind) for kind in kinds)


def descriptions() -> str:
    """All kinds that are tables of decisions, each with its description, for a help text."""
    return one_of(DESCRIPTIONS.values())


def defaults() -> str:
    """The default policies by preset, for a help text."""
    return ", ".join([*(f"{name} for {preset}" for preset, name in DEFAULTS.items()), "otherwise basic"])
