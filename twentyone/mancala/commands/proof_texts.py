"""The output of `mancala prove`: proofs, and the table of mutants, as text and as JSON."""

from __future__ import annotations

import json as text_of
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from twentyone.mancala.core.board import to_line, to_picture
from twentyone.mancala.proofs.claims import SCHEMES, THEOREMS
from twentyone.mancala.proofs.mutants import MUTANTS
from twentyone.support.counts import counted

if TYPE_CHECKING:
    from twentyone.mancala.proofs.lemmas import Counterexample
    from twentyone.mancala.proofs.theorems import Proof, Verdict

    Table = Mapping[str, Sequence[Proof]]
    """The proofs of some theorems, the same for each mutant, by the mutant's name."""


def to_list(names: Sequence[str]) -> str:
    """Theorems and their statements, as text."""
    width = max(map(len, names))
    return "\n".join(f"{name.ljust(width)}  {THEOREMS[name]}" for name in names)


def to_list_document(names: Sequence[str]) -> str:
    """Theorems and their statements, as one JSON document."""
    return text_of.dumps({"theorems": [{"name": name, "statement": THEOREMS[name]} for name in names]})


def to_text(proofs: Sequence[Proof], mutant: str | None, seconds: float, is_full: bool) -> str:
    """The proofs as text, with all their lemmas if `is_full`."""
    lines = [] if mutant is None else [f"{mutant}: {MUTANTS[mutant].sentence}"]
    for proof in proofs:
        lines += [*_lines(proof), *(_lemma_lines(proof) if is_full else ())]
    lemmas = sum(len(proof.proved) for proof in proofs)
    held, verb = count_held(proofs), "holds" if len(proofs) == 1 else "hold"
    found = f"{held} of {counted(len(proofs), 'theorem')} {verb}, {counted(lemmas, 'lemma')}"
    total = f"{found}, {seconds:z.2f} s"
    return "\n".join([*lines, *_schemes(proofs), total])


def _lemma_lines(proof: Proof) -> list[str]:
    """The lemmas that z3 proved; those from which a scheme goes on, with its name."""
    names = (f"{each.name} ({each.scheme})" if each.scheme else each.name for each in proof.proved)
    return [f"        {name}" for name in names]


def _schemes(proofs: Sequence[Proof]) -> list[str]:
    """The assumptions given to z3, if any, and those left to the reader: z3 proves every lemma."""
    held = _that_hold(proofs)
    used = dict.fromkeys(scheme for proof in held for scheme in proof.schemes)
    lines = [f"    {name}: {SCHEMES[name]}" for name in used]
    lines += [f"    by hand: {each}" for each in dict.fromkeys(proof.by_hand for proof in held) if each]
    return ["z3 proved the lemmas. It was given these steps between them:", *lines] if lines else []


def count_held(proofs: Sequence[Proof]) -> int:
    """The number of theorems that hold."""
    return len(_that_hold(proofs))


def _that_hold(proofs: Sequence[Proof]) -> list[Proof]:
    return [proof for proof in proofs if proof.verdict is _verdicts().HOLDS]


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


def to_document(proofs: Sequence[Proof], holes: int | None, mutant: str | None, seconds: float) -> str:
    """The proofs as one JSON document."""
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
        "lemmas": len(proof.proved),
        "proved": [{"name": each.name, "scheme": each.scheme or None} for each in proof.proved],
        "schemes": {name: SCHEMES[name] for name in proof.schemes},
        "by_hand": proof.by_hand,
        "seconds": proof.seconds,
        "failed": None if failed is None else {"lemma": failed.lemma, "values": dict(failed.values)},
        "boards": [] if found is None else [to_line(board) for board in found.boards],
        "reason": proof.reason,
    }


def is_noticed(table: Table) -> bool:
    """Whether each theorem is refuted by a mutant, and, of all theorems, each mutant refutes one."""
    theorems = [proof.theorem for proof in next(iter(table.values()))]
    is_all = len(theorems) == len(THEOREMS)
    return all(_refuted_by(table).values()) and not (is_all and _harmless(table))


def to_table(table: Table, seconds: float) -> str:
    """The theorems that each mutant refutes, and the mutants that refute each theorem, as text."""
    refutes = [("mutant", "refutes"), *((name, _row(proofs)) for name, proofs in table.items())]
    refuted = [("theorem", "refuted by")]
    refuted += [(name, ", ".join(by) or "none") for name, by in _refuted_by(table).items()]
    width = max(len(name) for name, _ in (*refutes, *refuted))
    lines = [[f"{name.ljust(width)}  {text}" for name, text in rows] for rows in (refutes, refuted)]
    return "\n".join([*lines[0], "", *lines[1], "", _table_summary(table, seconds)])


def to_table_document(table: Table, seconds: float) -> str:
    """The table as one JSON document."""
    mutants = [
        {
            "name": name,
            "sentence": MUTANTS[name].sentence,
            "refutes": _named(proofs, _verdicts().REFUTED),
            "theorems": [_entry(proof) for proof in proofs],
        }
        for name, proofs in table.items()
    ]
    return text_of.dumps({"seconds": seconds, "mutants": mutants, "refuted_by": _refuted_by(table)})


def _row(proofs: Sequence[Proof]) -> str:
    refuted, undecided = (_named(proofs, each) for each in (_verdicts().REFUTED, _verdicts().OPEN))
    left = f" (not proved: {', '.join(undecided)})" if undecided else ""
    return (", ".join(refuted) or "none") + left


def _table_summary(table: Table, seconds: float) -> str:
    refuted_by = _refuted_by(table)
    refuted, harmful = sum(map(bool, refuted_by.values())), len(table) - len(_harmless(table))
    found = f"{refuted} of {len(refuted_by)} theorems are refuted by a mutant"
    return f"{found}, and {harmful} of {len(table)} mutants refute one, {seconds:z.2f} s"


def _refuted_by(table: Table) -> dict[str, list[str]]:
    """The mutants that refute each theorem."""
    theorems = [proof.theorem for proof in next(iter(table.values()))]
    return {
        theorem: [name for name, proofs in table.items() if theorem in _named(proofs, _verdicts().REFUTED)]
        for theorem in theorems
    }


def _harmless(table: Table) -> list[str]:
    """The mutants that refute nothing."""
    return [name for name, proofs in table.items() if not _named(proofs, _verdicts().REFUTED)]


def _named(proofs: Sequence[Proof], verdict: Verdict) -> list[str]:
    return [proof.theorem for proof in proofs if proof.verdict is verdict]


def _verdicts() -> type[Verdict]:
    from twentyone.mancala.proofs.theorems import Verdict  # it loads z3

    return Verdict
