"""The command `analysis` in this process: what it prints, its results as data, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.cli import main
from tests.helpers.inside import inside
from tests.helpers.processes import Finished


def analysis(folder: Path, *words: object) -> Finished:
    """Run `analysis` with these words in a folder."""
    return inside(main, "analysis", *words, cwd=folder)


def document(folder: Path, *words: object) -> Any:
    """The results as `--json` gives them."""
    done = analysis(folder, *words, "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def refusal(folder: Path, *words: object, status: int = 2) -> str:
    """The one sentence with which a command refuses to run."""
    done = analysis(folder, *words)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), done
    assert done.err.startswith("analysis: ")
    return done.err.removeprefix("analysis: ").strip()
