"""`mancala prove`: theorems, proved with z3."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mancala.commands.app import app
from mancala.commands.options import PANEL
from mancala.commands.z3_thread import run_with_z3
from mancala.core.board import MAX_HOLES, to_line, to_picture
from mancala.proofs.claims import THEOREMS
from mancala.proofs.mutants import MUTANTS, RULE, Sowing
from support.command import FAILED, OK, USAGE, CommandError, describe
from support.options import JsonOption
from support.progress import Progress

if TYPE_CHECKING:
    from mancala.proofs.lemmas import Counterexample
    from mancala.proofs.theorems import Proof


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
        typer.Option(metavar="|".join(MUTANTS), help="Use a wrong rule: some theorems do not hold for it."),
    ] = None,
    names: Annotated[bool, typer.Option("--list", help="Only list the theorems.")] = False,
    json: JsonOption = False,
) -> int:
    """Prove theorems about the original model, in which no hole is sown round the whole board, with z3.

    Each holds for any number of marbles, and unless --holes is given also for any number of holes: both are
    unknowns in one proof. The status is 1 if a theorem does not hold; a board then shows why.

    The keys of --json: `holes` (null for any number), `mutant`, `seconds` and `theorems`, each with `name`,
    `statement`, `verdict` ("holds", "does not hold" or "is not proved"), `coverage`, `is_proof`, `lemmas`
    (the number proved), `seconds`, `failed` (the false lemma and its `values`), `boards` (of the
    counterexample) and `reason` (why there is no verdict). With --list, `theorems` have only `name` and
    `statement`.
    """
    chosen = _chosen(theorem or [], list(THEOREMS))
    if mutant is not None and mutant not in MUTANTS:
        raise CommandError(f"there is no mutant {mutant!r}: expected one of {', '.join(MUTANTS)}", USAGE)
    if names:
        print(_list_document(chosen) if json else _list(chosen))
        return OK
    sowing = RULE if mutant is None else MUTANTS[mutant].sowing
    started = time.perf_counter()
    proofs = run_with_z3("proofs", lambda: _prove_all(chosen, holes, sowing))
    seconds = time.perf_counter() - started
    print(_document(proofs, holes, mutant, seconds) if json else _text(proofs, mutant, seconds))
    return OK if _count_held(proofs) == len(proofs) else FAILED


def _prove_all(names: Sequence[str], holes: int | None, sowing: Sowing) -> list[Proof]:
    from mancala.proofs.theorems import prove as prove_one

    proofs = []
    with Progress("proof", len(names), "theorems") as progress:
        for name in names:
            proofs.append(prove_one(name, holes, sowing))
            progress.show(len(proofs), name)
    return proofs


def _chosen(names: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in names:
        if name not in known:
            raise CommandError(f"there is no theorem {name!r}: expected one of {', '.join(known)}", USAGE)
    return list(dict.fromkeys(names)) or list(known)


def _list(names: Sequence[str]) -> str:
    width = max(map(len, names))
    return "\n".join(f"{name.ljust(width)}  {THEOREMS[name]}" for name in names)


def _list_document(names: Sequence[str]) -> str:
    return text_of.dumps({"theorems": [{"name": name, "statement": THEOREMS[name]} for name in names]})


def _text(proofs: Sequence[Proof], mutant: str | None, seconds: float) -> str:
    lines = [] if mutant is None else [f"{mutant}: {MUTANTS[mutant].sentence}"]
    for proof in proofs:
        lines += _lines(proof)
    lemmas = sum(proof.lemmas for proof in proofs)
    return "\n".join(
        [*lines, f"{_count_held(proofs)} of {len(proofs)} theorems hold, {lemmas} lemmas, {seconds:.2f} s"]
    )


def _count_held(proofs: Sequence[Proof]) -> int:
    from mancala.proofs.theorems import Verdict

    return sum(proof.verdict is Verdict.HOLDS for proof in proofs)


def _lines(proof: Proof) -> list[str]:
    lines = [
        f"{proof.theorem:14}{proof.verdict.value:14}{proof.seconds:6.2f} s  {proof.coverage.text}",
        f"    {THEOREMS[proof.theorem]}",
    ]
    if proof.reason:
        lines.append(f"    {proof.reason}")
    if proof.failed is not None and proof.failed.values:
        lines.append(f"    the lemma '{proof.failed.lemma}' fails with {_values(proof.failed)}")
    if proof.counterexample is not None:
        lines.append(f"    {proof.counterexample.lemma}:")
        lines += ["\n".join(f"    {line}" for line in picture) for picture in _pictures(proof.counterexample)]
    return lines


def _pictures(counterexample: Counterexample) -> list[list[str]]:
    pictures = [to_picture(board).splitlines() for board in counterexample.boards]
    return [picture if place == 0 else ["", *picture] for place, picture in enumerate(pictures)]


def _values(counterexample: Counterexample) -> str:
    words = {True: "yes", False: "no"}
    return ", ".join(
        f"{name} {words[value] if isinstance(value, bool) else value}"
        for name, value in counterexample.values.items()
    )


def _document(proofs: Sequence[Proof], holes: int | None, mutant: str | None, seconds: float) -> str:
    document = {
        "holes": holes,
        "mutant": mutant,
        "seconds": seconds,
        "theorems": [_entry(proof) for proof in proofs],
    }
    return text_of.dumps(document)


def _entry(proof: Proof) -> dict[str, Any]:
    failed, found = proof.failed, proof.counterexample
    return {
        "name": proof.theorem,
        "statement": THEOREMS[proof.theorem],
        "verdict": proof.verdict.value,
        "coverage": proof.coverage.text,
        "is_proof": proof.coverage.is_proof,
        "lemmas": proof.lemmas,
        "seconds": proof.seconds,
        "failed": None if failed is None else {"lemma": failed.lemma, "values": dict(failed.values)},
        "boards": [] if found is None else [to_line(board) for board in found.boards],
        "reason": proof.reason,
    }
