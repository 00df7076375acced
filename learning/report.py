"""What a run of learning came to, as text and as a document: the same of `training` and `analysis learn`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards import Tally
from learning.curve import curve_file
from learning.methods import End
from policies.qtable import QTable
from support.command import FAILED, INTERRUPTED, OK
from support.summary import Report, tally_table

STATUS: Final = {
    End.DONE: OK,
    End.CONVERGED: OK,
    End.GAP: OK,
    End.DEALER: FAILED,
    End.INTERRUPTED: INTERRUPTED,
}
"""The status of the command by why learning ended."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of learning that is over.

    Attributes:
        name: what its rounds are called in the table of results.
        end: why it ended.
        tally: how its rounds ended.
        seconds: how long it took.
        table: what has been learned, in earlier runs too.
        file: the table's file.
        score: how good it is.
    """

    name: str
    end: End
    tally: Tally
    seconds: float
    table: QTable
    file: Path
    score: Report

    @property
    def rate(self) -> float:
        """Rounds per second."""
        return self.tally.rounds / self.seconds

    def as_json(self) -> dict[str, Any]:
        """The document.

        The keys: `end` (done, converged, gap, dealer or interrupted), `rounds` (of this run) with the tally's
        other keys, `seconds`, `rounds_per_second`, `table` (its file), `curve` (the file of its learning
        curve), `table_rounds` (all that it was learned from), `method`, `rules` (every field) and `seed`, and
        those of `learning.grading.of_table`.
        """
        return {
            "end": self.end.value,
            **self.tally.as_json(),
            "seconds": self.seconds,
            "rounds_per_second": self.rate,
            "table": str(self.file),
            "curve": str(curve_file(self.file)),
            "table_rounds": self.table.rounds,
            "method": self.table.method,
            "rules": self.table.rules.fields(),
            "seed": self.table.seed,
            **self.score.members,
        }

    def text(self) -> str:
        """The same for a person."""
        lines = [
            tally_table([(self.name, self.tally)]),
            f"{self.tally.rounds:,} rounds in {self.seconds:.1f} s ({self.rate:,.0f} rounds/s)",
            f"{self.file}: {self.table.method}, {self.table.rounds:,} rounds in all",
        ]
        if self.end is End.CONVERGED:
            lines.append(f"learning has come to rest after {self.table.rounds:,} rounds")
        if self.end is End.GAP:
            lines.append(f"the gap is small enough, after {self.table.rounds:,} rounds")
        return "\n".join([*lines, self.score.text])
