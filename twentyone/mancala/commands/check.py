"""`mancala check`: answers to the checks of the original model."""

from __future__ import annotations

import json as text_of
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from twentyone.mancala.commands.app import app
from twentyone.support.command import FAILED, OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twentyone.mancala.model.checks import Check
    from twentyone.mancala.model.checks.answer import Answer

HEADINGS: Final = ("check", "claims", "verdict", "", "", "covers")


@describe(app, example="mancala check init")
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Groups of checks, or single ones: init, init.stores. Default: all."
        ),
    ] = None,
    *,
    boards: Annotated[
        int,
        typer.Option(
            min=2, max=64, help="The most boards in a game, for the check that holds for short games only."
        ),
    ] = 8,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Show a wrong predicate for each check, which it notices.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Answer the 92 checks that the original makes of its predicates: three holes a side, 4-bit counts.

    A claim about a board or a step is decided by a complete search, which includes malformed boards. A
    verdict is either proved, or bounded by the length of games. It is vacuous if its assumptions can never
    hold. If checks are named, their sentences are printed too, with the boards that decided them. The status
    is 1 if a verdict is not the expected one. With --boards 9, one is not, since a cell then reaches 7.

    With --mutants, each check is answered for a wrong predicate, and must then have another verdict; for a
    few, none is possible. Below the table is a wrong predicate that no check notices. The six about games are
    not answered for it, since games are played with the moves of the rules; an argument stands there instead.

    The keys of --json: `as_expected` (the number of expected verdicts) and `checks`, each with `name`,
    `kind`, `sentence`, `holds`, `expected`, `vacuous`, `proved`, `covers`, `remark` and `boards` (drawn).
    With --mutants they are `checks`, each with `name`, `mutant` (null if none is possible), `sentence` and
    `noticed`, and `unnoticed`, with `sentence`, `noticed_by`, `argued` (the checks that are not answered for
    it), `argument` (why they do not notice it), and the `theorem` of `mancala prove` that finds it and the
    name of its `mutant` there.
    """
    from twentyone.mancala.model.checks.answer import answer
    from twentyone.support.progress import Progress

    chosen = _chosen(names or [])
    if mutants:
        return _try_mutants(chosen, json)
    answers = []
    with Progress("check", len(chosen), "checks") as progress:
        for each in chosen:
            answers.append(answer(each, boards))
            progress.show(len(answers))
    as_expected = sum(each.is_as_expected for each in answers)
    if json:
        print(text_of.dumps({"as_expected": as_expected, "checks": [*map(_document, answers)]}))
    else:
        print(_text(answers, is_full=bool(names)))
    return OK if as_expected == len(answers) else FAILED


def _try_mutants(chosen: Sequence[Check], json: bool) -> int:
    from twentyone.mancala.commands.check_mutants import to_document, to_table, try_mutants

    table = try_mutants(chosen)
    print(to_document(table) if json else to_table(table))
    return OK if table.is_as_expected else FAILED


def _chosen(names: Sequence[str]) -> list[Check]:
    from twentyone.mancala.model.checks import CHECKS

    for name in names:
        if name not in {part for each in CHECKS for part in (each.group, each.full_name)}:
            groups = ", ".join(dict.fromkeys(each.group for each in CHECKS))
            raise CommandError(
                f"there is no check {name!r}: expected a check, such as init.stores, or one of the groups"
                f" {groups}",
                USAGE,
            )
    return [each for each in CHECKS if not names or each.group in names or each.full_name in names]


def _document(answer: Answer) -> dict[str, Any]:
    return {
        "name": answer.check.full_name,
        "kind": answer.check.kind.value,
        "sentence": answer.check.sentence,
        "holds": answer.holds,
        "expected": answer.check.expected,
        "vacuous": answer.is_vacuous,
        "proved": answer.coverage.is_proof,
        "covers": answer.coverage.text,
        "remark": answer.remark,
        "boards": answer.boards,
    }


def _text(answers: Sequence[Answer], is_full: bool) -> str:
    rows = [HEADINGS, *map(_cells, answers)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    for each in answers:
        lines += _details(each) if is_full or not each.is_as_expected else _remark(each)
    return "\n".join([*lines, "", _summary(answers)])


def _cells(answer: Answer) -> tuple[str, ...]:
    return (
        answer.check.full_name,
        answer.check.kind.value,
        "holds" if answer.holds else "fails",
        "proved" if answer.coverage.is_proof else "bounded",
        "vacuous" if answer.is_vacuous else "",
        answer.coverage.text,
    )


def _remark(answer: Answer) -> list[str]:
    return [f"{answer.check.full_name}: {answer.remark}"] if answer.remark else []


def _details(answer: Answer) -> list[str]:
    sentence = f"{answer.check.full_name}: {answer.check.sentence}"
    drawn = "\n\n".join(answer.boards)
    return ["", f"{sentence} ({answer.remark})" if answer.remark else sentence, *([drawn] if drawn else [])]


def _summary(answers: Sequence[Answer]) -> str:
    hold = sum(each.holds for each in answers)
    vacuous = sum(each.is_vacuous for each in answers)
    surprises = [each.check.full_name for each in answers if not each.is_as_expected]
    known = f"not as expected: {', '.join(surprises)}" if surprises else "all as expected"
    return f"{hold} of {len(answers)} hold, {vacuous} of them vacuously; {known}"
