"""The options of where work is done: spelt the same on every command, and one `Backend` for the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cards import Rules
from tests.helpers.forking import ROOT
from tests.helpers.processes import command
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.support.command import USAGE, CommandError, describe
from twentyone.support.rules import takes_rules

app = typer.Typer(add_completion=False)


@describe(app)
@takes_rules
@takes_backend
def example(
    rounds: int, *, rules: Rules | None, backend: Backend, checkpoint: CheckpointOption = None
) -> int:
    """Work for a long time."""
    preset = None if rules is None else "some"
    print(json.dumps([rounds, preset, backend.workers, backend.dask, checkpoint and str(checkpoint)]))
    return 0


def given(*options: str) -> Any:
    """The arguments that the command received."""
    result = CliRunner().invoke(app, ["5", *options], catch_exceptions=False)
    assert result.exit_code == 0
    return json.loads(result.stdout)


def test_all_of_them_and_without_them_the_work_is_done_on_every_core_of_this_machine() -> None:
    assert given() == [5, None, None, None, None]
    options = ["--workers", "3", "--dask", "local", "--checkpoint", "a/b"]
    assert given("--rules", "course", *options) == [5, "some", 3, "local", "a/b"]
    assert given("--dask", "tcp://10.0.0.1:8786")[3] == "tcp://10.0.0.1:8786"


def test_an_invalid_number_of_workers_is_a_usage_error() -> None:
    for workers in ("0", "-1", "1.5", "two", "1000000"):
        result = CliRunner().invoke(app, ["5", f"--workers={workers}"])
        assert result.exit_code == USAGE
        assert "--workers" in result.stderr


def test_a_cluster_has_its_own_workers() -> None:
    with pytest.raises(CommandError) as caught:
        given("--workers", "3", "--dask", "tcp://10.0.0.1:8786")
    assert caught.value.status == USAGE
    assert str(caught.value) == (
        "the cluster at tcp://10.0.0.1:8786 has its own workers: expected --workers without it, or --dask"
        " local"
    )


def test_the_help_names_them() -> None:
    result = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    assert all(option in result.stdout for option in ("--workers", "--dask", "--checkpoint", "--rules"))


@pytest.mark.check
def test_they_load_nothing_heavy(tmp_path: Path) -> None:
    # Apart from modules loaded before: a run that measures coverage begins with some.
    code = (
        "import sys; old = {*sys.modules}; import twentyone.analysis.work.options;"
        " print(*{*sys.modules} - old)"
    )
    loaded = command("python", cwd=tmp_path, code=code, is_true=True, PYTHONPATH=str(ROOT)).out.split()
    heavy = {"numpy", "asyncio", "multiprocessing", "distributed", "numba", "rich"}
    assert heavy & {name.partition(".")[0] for name in loaded} == set()
    assert "twentyone.analysis.work.options" in loaded
