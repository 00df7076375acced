"""The result of a run of learning, as text and as a document, for `training` and `analysis learn` alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards import Tally
from twentyone.learning.curve import curve_file
from twentyone.learning.methods import End
from twentyone.policies.action_values import ActionValues
from twentyone.support.command import FAILED, INTERRUPTED, OK
from twentyone.support.counts import counted
from twentyone.support.summary import Report, tally_table
from twentyone.support.terminal import printable
from twentyone.support.typed import rest_again, seed_option

FLAGS: Final = ("--fresh", "--json", "--show", "--show-in-browser", "--tls")
"""The options of `training` and `analysis learn` that take no value."""

STATUS: Final = {
    End.DONE: OK,
    End.CONVERGED: OK,
    End.GAP: OK,
    End.DEALER: FAILED,
    End.INTERRUPTED: INTERRUPTED,
}
"""The exit status of the command by the reason why learning ended."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of learning that is over.

    Attributes:
        name: the name of its row in the table of results.
        end: why it ended.
        tally: how its rounds ended.
        seconds: how long it took.
        table: what has been learned, including in earlier runs.
        file: the file of the table.
        grade: how good the table is.
    """

    name: str
    end: End
    tally: Tally
    seconds: float
    table: ActionValues
    file: Path
    grade: Report

    @property
    def rate(self) -> float:
        """Rounds per second."""
        return self.tally.rounds / self.seconds

    def as_json(self) -> dict[str, Any]:
        """The document.

        The keys: `end` (done, converged, gap, dealer or interrupted), `rounds` (of this run) with the tally's
        other keys, `seconds`, `rounds_per_second`, `table` (its file), `curve` (the file of its learning
        curve), `table_rounds` (those of all runs), `method`, `rules` (every field) and `seed`, and those of
        `twentyone.learning.grading.grade_table`.
        """
        origin = self.table.origin
        return {
            "end": self.end.value,
            **self.tally.as_json(),
            "seconds": self.seconds,
            "rounds_per_second": self.rate,
            "table": str(self.file),
            "curve": str(curve_file(self.file)),
            "table_rounds": origin.rounds,
            "method": origin.method,
            "rules": origin.rules.fields(),
            "seed": origin.seed,
            **self.grade.members,
        }

    def text(self) -> str:
        """The result for a person to read."""
        origin = self.table.origin
        lines = [
            tally_table([(self.name, self.tally)]),
            f"{counted(self.tally.rounds, 'round')} in {self.seconds:z.1f} s ({self.rate:,.0f} rounds/s)",
            f"{printable(str(self.file))}: {origin.method}, {counted(origin.rounds, 'round')} in all",
        ]
        if self.end is End.CONVERGED:
            lines.append(f"learning has converged after {counted(origin.rounds, 'round')}")
        if self.end is End.GAP:
            lines.append(f"the gap is small enough after {counted(origin.rounds, 'round')}")
        return "\n".join([*lines, self.grade.text])


def interrupted(name: str, words: int, done: int, rounds: int, seed: int, table: Path) -> str:
    """The sentence after Ctrl-C: how far learning is, where it is kept, and the command that does the rest.

    Args:
        name: the command, and `words` as for `twentyone.support.typed.typed_again`.
        words: see there.
        done: how many rounds this run has learned from.
        rounds: how many it was to play.
        seed: the seed of the run.
        table: where the table is kept.
    """
    line = rest_again(
        name, words, *seed_option(seed), rounds=rounds, left=rounds - done, flags=FLAGS, without="--fresh"
    )
    return (
        f"interrupted after {done:,} of {counted(rounds, 'round')}; what was learned is kept in {table}."
        f" To go on, type: {line}"
    )
