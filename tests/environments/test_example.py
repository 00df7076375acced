"""The examples run as a reader would run them, and what they learn is graded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from policies.qtable import load

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "gymnasium_qlearning.py"
NETWORK = ROOT / "examples" / "neural_network.py"
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
    assert 0 < gap_of(file) < 0.01


def gap_of(file: Path) -> float:
    """The exact gap of a table, by `analysis value`."""
    value = ["from analysis.cli import main; main()", "value", str(file), "--json"]
    graded = subprocess.run(
        [sys.executable, "-c", *value], cwd=ROOT, capture_output=True, text=True, timeout=150, check=True
    )
    (grade,) = json.loads(graded.stdout)["policies"]
    return float(grade["gap"])


def test_a_neural_network_learns_to_lose_less_than_a_two_hundredth_of_a_bet(tmp_path: Path) -> None:
    """Twelve seeds came to at most 0.002; the last digits of its numbers may differ on another machine."""
    file = tmp_path / "network"
    command = [sys.executable, str(NETWORK), str(file), "--seed", "2"]
    one_core = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # tests run side by side
    done = subprocess.run(
        command, cwd=ROOT, env=one_core, capture_output=True, text=True, timeout=300, check=True
    )
    told = "12000 steps of 1024 rounds learned; grade them by: analysis value"
    assert (done.stdout, done.stderr) == (f"{told} {file}\n", "")
    values = np.load(file)
    assert values.shape == (22, 22, 2) and np.isfinite(values).all()
    assert gap_of(file) < 0.005


def test_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.npy", "b.npy", "c.npy")]
    for file, seed in zip(files, "112", strict=True):
        command = [sys.executable, str(NETWORK), str(file), "--steps", "5", "--seed", seed]
        subprocess.run(command, cwd=ROOT, capture_output=True, timeout=150, check=True)
    first, again, other = (file.read_bytes() for file in files)
    assert first == again != other


def test_examples_are_short() -> None:
    assert len(NETWORK.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize(
    ("example", "arguments", "sentence"),
    [
        (EXAMPLE, ["9", "nowhere/table.txt"], "cannot write nowhere/table.txt: No such file or directory"),
        (EXAMPLE, ["9", "{folder}"], "cannot write {folder}: Is a directory"),
        (
            EXAMPLE,
            ["9", "{folder}/a.txt", "--rules", "poker"],
            "argument --rules: invalid choice: 'poker' ",
        ),
        (NETWORK, ["nowhere/a.npy"], "cannot write nowhere/a.npy: No such file or directory"),
    ],
)
def test_what_it_cannot_do_is_refused_before_it_learns(
    example: Path, arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    command = [sys.executable, str(example), *(text.format(folder=tmp_path) for text in arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150, check=False)
    complaint = done.stderr.splitlines()[-1]
    assert complaint.startswith(f"{example.name}: error: {sentence.format(folder=tmp_path)}")
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
