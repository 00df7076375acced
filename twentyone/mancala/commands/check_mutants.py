"""The output of `mancala check --mutants`: a wrong predicate for each check, which the check notices."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from dataclasses import dataclass

from twentyone.mancala.model.checks import Check
from twentyone.mancala.model.checks.answer import answer, is_answered_for
from twentyone.mancala.model.checks.mutants import (
    MUTANTS,
    NOTICES,
    NOTICES_NONE,
    UNNOTICED,
    UNNOTICED_IN_PROOFS,
    WHY_GAMES_PASS,
)
from twentyone.support.progress import Progress


@dataclass(frozen=True, slots=True)
class Row:
    """A check and the mutant that it notices.

    Attributes:
        check: the name of the check.
        mutant: the name of the mutant; None if there can be none.
        is_noticed: whether the check has another verdict for the mutant.
    """

    check: str
    mutant: str | None
    is_noticed: bool

    @property
    def words(self) -> str:
        """The fault of the mutant, or the reason why there is none."""
        return NOTICES_NONE[self.check] if self.mutant is None else MUTANTS[self.mutant].sentence


@dataclass(frozen=True, slots=True)
class Table:
    """The mutants that checks notice.

    Attributes:
        rows: a row for each check.
        noticed_by: the checks that notice `UNNOTICED`: none of the 92.
        argued: the checks that are not answered for `UNNOTICED`; that they do not notice it is argued.
    """

    rows: tuple[Row, ...]
    noticed_by: tuple[str, ...]
    argued: tuple[str, ...]

    @property
    def is_as_expected(self) -> bool:
        """Whether each check notices its mutant, and none the relaxation that is known to pass."""
        return not self.noticed_by and all(row.is_noticed or row.mutant is None for row in self.rows)


def try_mutants(checks: Sequence[Check]) -> Table:
    """Answer each check for its mutant, and for the relaxation that none of them notices."""
    rows, noticed_by, argued = [], [], []
    with Progress("check", len(checks), "checks") as progress:
        for check in checks:
            rows.append(_row(check))
            if not is_answered_for(check, UNNOTICED.meaning):
                argued.append(check.full_name)
            elif not answer(check, meaning=UNNOTICED.meaning).is_as_expected:
                noticed_by.append(check.full_name)
            progress.show(len(rows))
    return Table(tuple(rows), tuple(noticed_by), tuple(argued))


def _row(check: Check) -> Row:
    mutant = NOTICES.get(check.full_name)
    if mutant is None:
        return Row(check.full_name, None, False)
    return Row(check.full_name, mutant, not answer(check, meaning=MUTANTS[mutant].meaning).is_as_expected)


def to_table(table: Table) -> str:
    """The table as text."""
    cells = [("check", "notices", "")]
    cells += [(row.check, _verdict(row), row.words) for row in table.rows]
    widths = [max(len(row[column]) for row in cells) for column in (0, 1)]
    lines = [f"{one.ljust(widths[0])}  {two.ljust(widths[1])}  {words}".rstrip() for one, two, words in cells]
    able = [row for row in table.rows if row.mutant is not None]
    noticed = sum(row.is_noticed for row in able)
    none = len(table.rows) - len(able)
    verb = "notices" if len(table.rows) == 1 else "notice"
    return "\n".join(
        [
            *lines,
            "",
            UNNOTICED.sentence,
            f"{_passes(table)}; the theorem `relation` does:"
            f" mancala prove relation --mutant {UNNOTICED_IN_PROOFS}",
            *_argued(table),
            f"{noticed} of {_checks(len(table.rows))} {verb} a mutant, {none} can notice none",
        ]
    )


def _verdict(row: Row) -> str:
    if row.mutant is None:
        return "none"
    return row.mutant if row.is_noticed else f"not {row.mutant}"


def _passes(table: Table) -> str:
    if table.noticed_by:
        return f"Noticed by {', '.join(table.noticed_by)}"
    return f"Noticed by none of {_checks(len(table.rows))}"


def _argued(table: Table) -> list[str]:
    """The number of checks that are answered for the relaxation, if not all are."""
    if not table.argued:
        return []
    answered = len(table.rows) - len(table.argued)
    return [
        f"Answered for it: {answered}. Argued, since games are played with the moves of the rules:"
        f" {len(table.argued)}. {WHY_GAMES_PASS}"
    ]


def _checks(number: int) -> str:
    return "1 check" if number == 1 else f"{number} checks"


def to_document(table: Table) -> str:
    """The table as one JSON document."""
    rows = [
        {"name": row.check, "mutant": row.mutant, "sentence": row.words, "noticed": row.is_noticed}
        for row in table.rows
    ]
    unnoticed = {
        "sentence": UNNOTICED.sentence,
        "noticed_by": table.noticed_by,
        "argued": table.argued,
        "argument": WHY_GAMES_PASS if table.argued else "",
        "theorem": "relation",
        "mutant": UNNOTICED_IN_PROOFS,
    }
    return text_of.dumps({"checks": rows, "unnoticed": unnoticed})
