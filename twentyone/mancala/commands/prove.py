"""`mancala prove`: theorems, proved with z3."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from twentyone.mancala.commands.app import app
from twentyone.mancala.commands.options import PANEL
from twentyone.mancala.commands.proof_texts import (
    count_held,
    is_noticed,
    to_document,
    to_list,
    to_list_document,
    to_table,
    to_table_document,
    to_text,
)
from twentyone.mancala.commands.z3_thread import run_with_z3
from twentyone.mancala.core.board import MAX_HOLES
from twentyone.mancala.proofs.claims import THEOREMS
from twentyone.mancala.proofs.mutants import MUTANTS, RULE, Rule
from twentyone.support.command import FAILED, OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.progress import Progress

if TYPE_CHECKING:
    from twentyone.mancala.proofs.theorems import Proof


@describe(app, example="mancala prove conservation")
def prove(
    theorem: Annotated[
        list[str] | None,
        typer.Argument(metavar="THEOREM", help="The theorems. Default: all.", show_default=False),
    ] = None,
    *,
    holes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_HOLES,
            help="Prove them for this number of holes a side instead of for any number.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    mutant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Use a wrong rule, one that --mutants lists: some theorems do not hold."
        ),
    ] = None,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Show which theorems each wrong rule refutes, for any size.")
    ] = False,
    lemmas: Annotated[
        bool, typer.Option("--lemmas", help="Show the lemmas that z3 proved for each theorem.")
    ] = False,
    names: Annotated[bool, typer.Option("--list", help="Only list the theorems.")] = False,
    json: JsonOption = False,
) -> int:
    """Prove theorems about the original model, in which no hole is sown round the whole board, with z3.

    Each holds for any number of marbles, and unless --holes is given also for any number of holes: both are
    unknowns in one proof. z3 proves the lemmas and the step from them to the theorem; a few schemes, such as
    induction, are given to it, and are printed below the theorems that use them, with what is written by hand
    and not checked by it. The status is 1 if a theorem does not hold; a board then shows why.

    A mutant is a wrong rule: of what happens to a marble that is sown, some only after the first lap, or of
    the relation `move`, each without one of its conjuncts. With --mutants, the status is 1 if a theorem is
    refuted by none of them, or one of them refutes no theorem.

    The keys of --json: `holes` (null for any number), `mutant`, `seconds` and `theorems`, each with `name`,
    `statement`, `verdict` ("holds", "does not hold" or "is not proved"), `coverage`, `is_proof`, `lemmas`
    (the number proved), `proved` (each with `name` and the `scheme` that goes on from it, or null), `schemes`
    (what z3 was given), `by_hand` (what it does not check besides, or ""), `seconds`, `failed` (the false
    lemma and its `values`), `boards` (of the counterexample) and `reason` (why there is no verdict). With
    --list, `theorems` have only `name` and `statement`. With --mutants, the keys are `seconds`, `mutants`,
    each with `name`, `sentence`, `refutes` and `theorems`, and `refuted_by`, the mutants that refute each
    theorem.
    """
    chosen = _chosen(theorem or [], list(THEOREMS))
    if mutant is not None and mutant not in MUTANTS:
        raise CommandError(f"there is no mutant {mutant!r}: expected one of {', '.join(MUTANTS)}", USAGE)
    if names:
        print(to_list_document(chosen) if json else to_list(chosen))
        return OK
    started = time.perf_counter()
    if mutants:
        if mutant is not None or holes is not None:
            raise CommandError(
                "--mutants tries all mutants on any size: leave out --mutant and --holes", USAGE
            )
        table = run_with_z3("proofs", lambda: _prove_for_mutants(chosen))
        seconds = time.perf_counter() - started
        print(to_table_document(table, seconds) if json else to_table(table, seconds))
        return OK if is_noticed(table) else FAILED
    rule = RULE if mutant is None else MUTANTS[mutant].rule
    proofs = run_with_z3("proofs", lambda: _prove_all(chosen, holes, rule))
    seconds = time.perf_counter() - started
    print(to_document(proofs, holes, mutant, seconds) if json else to_text(proofs, mutant, seconds, lemmas))
    return OK if count_held(proofs) == len(proofs) else FAILED


def _prove_all(names: Sequence[str], holes: int | None, rule: Rule) -> list[Proof]:
    from twentyone.mancala.proofs.theorems import prove as prove_one

    proofs = []
    with Progress("proof", len(names), "theorems") as progress:
        for name in names:
            proofs.append(prove_one(name, holes, rule))
            progress.show(len(proofs), name)
    return proofs


def _prove_for_mutants(names: Sequence[str]) -> dict[str, list[Proof]]:
    """The proofs of the theorems for each mutant, by its name."""
    from twentyone.mancala.proofs.theorems import prove as prove_one

    table = {}
    with Progress("proof", len(MUTANTS), "mutants") as progress:
        for mutant, wrong in MUTANTS.items():
            table[mutant] = [prove_one(name, None, wrong.rule) for name in names]
            progress.show(len(table), mutant)
    return table


def _chosen(names: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in names:
        if name not in known:
            raise CommandError(f"there is no theorem {name!r}: expected one of {', '.join(known)}", USAGE)
    return list(dict.fromkeys(names)) or list(known)
