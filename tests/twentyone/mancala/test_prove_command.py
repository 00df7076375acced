"""`mancala prove`: theorems and mutants."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.helpers.processes import command
from tests.twentyone.mancala.commands import document, mancala
from twentyone.mancala.core.board import from_line
from twentyone.mancala.core.rules import MODEL, can_move, move
from twentyone.mancala.proofs.claims import BY_HAND, SCHEMES
from twentyone.mancala.proofs.mutants import MUTANTS

NEEDS_Z3 = pytest.mark.skipif(find_spec("z3") is None, reason="z3-solver is not installed")


@NEEDS_Z3
@pytest.mark.check
def test_all_theorems_hold_for_any_size(tmp_path: Path) -> None:
    done = mancala(tmp_path, "prove")
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[-1].startswith("12 of 12 theorems hold, 131 lemmas, ")
    assert sum(not line.startswith(" ") and " holds " in line for line in lines) == 12
    assert lines[2].split()[:2] == ["conservation", "holds"]
    assert lines[2].endswith("every board of any size, also if moves may go round it")
    assert lines[3] == "    A move neither adds nor removes marbles."
    given = lines.index("z3 proved the lemmas. It was given these steps between them:")
    assert [line.split(":")[0].strip() for line in lines[given + 1 : -1]] == [*SCHEMES, "by hand"]
    assert lines[-2] == f"    by hand: {BY_HAND}"


@NEEDS_Z3
def test_the_lemmas_of_a_theorem_and_what_z3_was_given(tmp_path: Path) -> None:
    lines = mancala(tmp_path, "prove rows --lemmas").out.splitlines()
    assert lines[2:5] == [
        "        a hole of the opponent: base (marble by marble)",
        "        a hole of the opponent: step (marble by marble)",
        "        the theorem",
    ]
    assert lines[6] == f"    marble by marble: {SCHEMES['marble by marble']}"
    (entry,) = document(tmp_path, "prove rows")["theorems"]
    assert entry["lemmas"] == 3 and entry["proved"][-1] == {"name": "the theorem", "scheme": None}
    assert entry["schemes"] == {"marble by marble": SCHEMES["marble by marble"]}
    assert entry["by_hand"] == "" and "by hand" not in lines[-2]
    assert document(tmp_path, "prove wraps")["theorems"][0]["by_hand"] == BY_HAND
    assert mancala(tmp_path, "prove wraps").out.splitlines()[-2] == f"    by hand: {BY_HAND}"
    assert "It was given" not in mancala(tmp_path, "prove final").out, "z3 proves all of it"
    assert "It was given" not in mancala(tmp_path, "prove rows --mutant wrong-side").out, "there is no proof"


@NEEDS_Z3
def test_some_theorems_for_one_size(tmp_path: Path) -> None:
    found = document(tmp_path, "prove ends stores ends --holes 4")
    assert (found["holes"], found["mutant"]) == (4, None)
    assert [each["name"] for each in found["theorems"]] == ["ends", "stores"]
    for each in found["theorems"]:
        assert (each["verdict"], each["is_proof"], each["boards"]) == ("holds", True, [])
        assert each["coverage"] == "every board with this many holes and any number of marbles"
        assert each["lemmas"] >= 8 and each["failed"] is None and each["seconds"] > 0


@NEEDS_Z3
def test_a_mutant_is_shown_on_a_board(tmp_path: Path) -> None:
    done = mancala(tmp_path, "prove conservation --mutant no-empty --holes 3")
    assert (done.status, done.err) == (1, "")
    lines = done.out.splitlines()
    assert lines[0] == "no-empty: The chosen hole keeps its marbles."
    assert lines[1].split()[:4] == ["conservation", "does", "not", "hold"]
    assert lines[3] == "    a move from hole 0:"
    assert len(lines) == 4 + 3 + 1 + 3 + 1, "two boards with a line between them"
    assert lines[-1].startswith("0 of 1 theorem holds")


@NEEDS_Z3
def test_a_mutant_for_any_size_is_shown_with_the_lemma_that_fails(tmp_path: Path) -> None:
    (entry,) = document(tmp_path, "prove turn --mutant no-extra", status=1)["theorems"]
    assert entry["verdict"] == "does not hold" and entry["failed"]["lemma"] == "the theorem"
    assert entry["failed"]["values"]["holes a side"] >= 1
    before, after = map(from_line, entry["boards"])
    played = [hole for hole in range(len(before.cells)) if can_move(before, hole, MODEL)]
    assert after.turn is not before.turn
    right = [move(before, hole, MODEL) for hole in played]
    assert any(board.cells == after.cells and board.turn is before.turn for board in right)
    said = mancala(tmp_path, "prove turn --mutant no-extra").out
    assert "    the lemma 'the theorem' fails with holes a side " in said


@NEEDS_Z3
def test_a_mutant_after_the_first_lap_is_shown_on_a_board_with_many_marbles(tmp_path: Path) -> None:
    (entry,) = document(tmp_path, "prove conservation --mutant late-hundred", status=1)["theorems"]
    before, after = map(from_line, entry["boards"])
    assert max(before.cells) > 2 * before.holes
    assert (after.total - before.total) % 99 == 0 and after.total > before.total


@NEEDS_Z3
def test_the_table_of_some_theorems_and_all_mutants(tmp_path: Path) -> None:
    done = mancala(tmp_path, "prove wraps final --mutants")
    lines = done.out.splitlines()
    assert done.status == 0, "with some of the theorems, not every mutant must refute one"
    assert lines[0].split() == ["mutant", "refutes"] and len(lines) == 1 + len(MUTANTS) + 1 + 3 + 2
    assert lines[-4].split(maxsplit=1) == ["wraps", "without-other-store, without-as-many"]
    assert lines[-3].split(maxsplit=1) == ["final", "no-end, without-not-over"]
    assert lines[-1].startswith(f"2 of 2 theorems are refuted by a mutant, and 4 of {len(MUTANTS)} mutants ")
    found = document(tmp_path, "prove final --mutants")
    assert found["refuted_by"] == {"final": ["no-end", "without-not-over"]}
    assert [each["name"] for each in found["mutants"]] == list(MUTANTS)
    (wrong,) = [each for each in found["mutants"] if each["name"] == "no-end"]
    assert wrong["refutes"] == ["final"] and len(wrong["theorems"][0]["boards"]) == 1


def test_the_theorems_are_listed(tmp_path: Path) -> None:
    lines = mancala(tmp_path, "prove --list").out.splitlines()
    assert len(lines) == 12
    assert lines[1] == "conservation   A move neither adds nor removes marbles."
    listed = document(tmp_path, "prove --list")["theorems"]
    assert [each["name"] for each in listed] == [line.split()[0] for line in lines]


def test_without_z3_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "z3.py").write_text("raise ImportError('not here')")
    done = command("mancala", "prove", cwd=tmp_path, is_true=True, PYTHONPATH=str(tmp_path))
    said = "mancala: proofs need z3-solver, which is not installed: pip install 'twentyone[prove]'\n"
    assert done == (1, "", said)
