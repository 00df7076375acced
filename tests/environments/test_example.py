"""The example agent runs as a reader would run it, and the result is graded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from policies.qtable import load

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "gymnasium_qlearning.py"
ROUNDS = 50_000


def test_the_example_learns_a_table_that_analysis_value_grades(tmp_path: Path) -> None:
    """Q-learning from 50,000 random rounds loses about 0.0045 a round (see `learning.methods`)."""
    file = tmp_path / "table.txt"
    command = [sys.executable, str(EXAMPLE), str(ROUNDS), str(file), "--seed", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150, check=True)
    assert done.stdout == f"{ROUNDS} rounds learned; grade them by: analysis value {file}\n"
    table = load(file)
    assert (table.rounds, table.seed, table.method, str(table.rules.preset)) == (
        ROUNDS,
        2,
        "qlearning",
        "course",
    )
    assert ROUNDS < table.counts.sum() < 2 * ROUNDS
    assert np.abs(table.values).max() <= 1
    value = ["from analysis.cli import main; main()", "value", str(file), "--json"]
    graded = subprocess.run(
        [sys.executable, "-c", *value], cwd=ROOT, capture_output=True, text=True, timeout=150, check=True
    )
    (grade,) = json.loads(graded.stdout)["policies"]
    assert 0 < grade["gap"] < 0.01


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["9", "nowhere/table.txt"], "cannot write nowhere/table.txt: No such file or directory"),
        (["9", "{folder}"], "cannot write {folder}: Is a directory"),
        (
            ["9", "{folder}/a.txt", "--rules", "poker"],
            "argument --rules: invalid choice: 'poker' ",
        ),
    ],
)
def test_what_it_cannot_do_is_refused_before_it_learns(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    command = [sys.executable, str(EXAMPLE), *(text.format(folder=tmp_path) for text in arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150, check=False)
    complaint = done.stderr.splitlines()[-1]
    assert complaint.startswith(f"gymnasium_qlearning.py: error: {sentence.format(folder=tmp_path)}")
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
