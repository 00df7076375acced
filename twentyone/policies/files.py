"""The files that policies are read from: which there are, and what a header says. It loads nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cards import Rules, rules_stated
from twentyone.support.files import decoded

DEFAULT_TABLE: Final = Path("qtables/qtable.txt")
"""The table that `training` and `analysis learn` write and `player` plays by."""

COUNTED_TABLE: Final = Path("qtables/counted.txt")
"""The table that `analysis learn --count` writes."""

PACKAGED_TABLE: Final = "course.txt"
"""The trained table that comes with the package, in `qtables`."""

QLEARNING: Final = "qlearning"
RANDOM_PLAY: Final = "random-play"
MODEL: Final = "model"
METHODS: Final = (
    QLEARNING,
    "q-constant",
    "q-decaying",
    "double-q",
    "sarsa",
    "expected-sarsa",
    "n-step-sarsa",
    "sarsa-lambda",
    "monte-carlo",
    "monte-carlo-es",
    RANDOM_PLAY,
    MODEL,
)
"""The learning methods, the project's own first; `twentyone.learning.settings` says what each is."""

CHART_COLUMNS: Final = "hand 2 3 4 5 6 7 8 9 10 11"
"""The columns in the header of a chart, which tell it from the tables."""

ACTION_COLUMNS: Final = "hand upcard action value count"
"""The same of an action-value table by hand."""

COUNTED_COLUMNS: Final = f"true_count {ACTION_COLUMNS}"
"""The same of one that has a layer for each true count."""


def rules_in(text: str) -> Rules:
    """The rules that a header names.

    Raises:
        RulesError: if they are not valid.
    """
    return rules_stated(dict(word.split("=", 1) for word in text.split() if "=" in word))


_HEAD: Final = 8192
"""The first bytes of a file, in which its header is."""


def kind_of_file(path: str) -> str:
    """The kind of policy in a file, by the columns in its header; if they are others, `qtable`."""
    try:
        if not Path(path).is_file():  # a pipe may never end, nor even open
            return "qtable"  # whoever reads it as one says why it cannot be read
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return "qtable"
    kinds = {CHART_COLUMNS: "chart", ACTION_COLUMNS: "actions", COUNTED_COLUMNS: "counted"}
    for line in decoded(head, "replace").splitlines():
        key, _, text = line.partition(":")
        if key == "# columns":
            return kinds.get(text.strip(), "qtable")
    return "qtable"
