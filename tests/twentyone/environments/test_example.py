"""The examples run as a reader would run them, and what they learn is graded."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cards import Rules
from tests.helpers.inside import inside
from tests.helpers.patience import PATIENCE
from tests.helpers.processes import Finished, command
from tests.twentyone.environments.making import ROOT
from twentyone.exact.solving import evaluate, solve
from twentyone.policies.decisions import greedy
from twentyone.policies.table_files import load

EXAMPLE = ROOT / "examples" / "gymnasium_qlearning.py"
NETWORK = ROOT / "examples" / "neural_network.py"
ROUNDS = 10_000


def example(path: Path, *words: object, cwd: Path) -> Finished:
    """Run an example in this process; one that ends as a program of Python does has the status 0."""

    def main() -> None:
        runpy.run_path(str(path), run_name="__main__")
        sys.exit(0)

    return inside(main, path.name, *words, cwd=cwd)


def test_the_example_learns_a_table_whose_gap_is_small(tmp_path: Path) -> None:
    """Q-learning from 50,000 random rounds loses about 0.0045 a round (see `twentyone.learning.methods`)."""
    done = example(EXAMPLE, ROUNDS, "table.txt", "--seed", "2", cwd=tmp_path)
    assert done.out == f"{ROUNDS} rounds learned; grade them by: analysis value table.txt\n"
    table = load(tmp_path / "table.txt")
    assert (table.rounds, table.origin.seed, table.method, table.rules) == (ROUNDS, 2, "qlearning", Rules())
    assert ROUNDS < table.counts.sum() < 2 * ROUNDS
    assert np.abs(table.values).max() <= 1
    gap = solve(Rules()).value - evaluate(Rules(), greedy(table, "table.txt").hit).value
    assert 0 < gap < 0.03


@pytest.mark.check
def test_a_neural_network_learns_to_lose_less_than_a_fiftieth_of_a_bet(tmp_path: Path) -> None:
    """A quarter of its steps: five seeds came to at most 0.0081; all steps, with twelve seeds, to 0.002."""
    done = subprocess.run(
        [sys.executable, NETWORK, "network", "--steps", "3000", "--seed", "2"],
        cwd=tmp_path,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # tests run side by side
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    told = "3000 steps of 1024 rounds learned; grade them by: analysis value network\n"
    assert (done.stdout, done.stderr) == (told, "")
    values = np.load(tmp_path / "network")
    assert values.shape == (22, 22, 2) and np.isfinite(values).all()
    (graded,) = json.loads(command("analysis", "value", "network", "--json", cwd=tmp_path).out)["policies"]
    assert graded["gap"] < 0.02


def test_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        example(NETWORK, name, "--steps", "5", "--seed", seed, cwd=tmp_path)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize(
    ("path", "words", "sentence"),
    [
        (EXAMPLE, ["9", "no/table.txt"], "cannot write no/table.txt: No such file or directory"),
        (EXAMPLE, ["9", "."], "cannot write .: Is a directory"),
        (EXAMPLE, ["9", "a.txt", "--rules", "poker"], "argument --rules: invalid choice: 'poker' "),
        (NETWORK, ["no/a.npy"], "cannot write no/a.npy: No such file or directory"),
    ],
)
def test_what_it_cannot_do_is_refused_before_it_learns(
    path: Path, words: list[str], sentence: str, tmp_path: Path
) -> None:
    done = example(path, *words, cwd=tmp_path)
    assert done.err.splitlines()[-1].startswith(f"{path.name}: error: {sentence}")
    assert (done.status, done.out, list(tmp_path.iterdir())) == (2, "", [])
