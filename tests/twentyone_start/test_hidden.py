"""A file or package of the user's that has the name of one of ours is named in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layers import files_of_the_project, imported_files
from twentyone_start import NEEDS, hidden_packages

COMMANDS = ["analysis", "dealer", "devs", "mancala", "player", "replay", "tournament", "training"]
TRAP = "raise SystemExit('the program of the user has run')\n"
MAKE = "import gymnasium\ngymnasium.make('environments:twentyone/Blackjack-v0')\n"
ADVICE = "out of the folders from which Python imports\n"


def packages_behind(modules: set[str]) -> set[str]:
    """The packages of all modules of the project that some modules import, directly or through others."""
    found: set[str] = set()
    pending = set(modules)
    while pending:
        found |= pending
        pending = {target for module in pending for target in imported_files(module)} - found
    return {module.partition(".")[0] for module in found}


def run(*words: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )


@pytest.mark.parametrize("part", NEEDS)
def test_what_a_part_needs_is_what_it_imports(part: str) -> None:
    """The environments are imported by their names when they are made."""
    own = {module for module in files_of_the_project() if module.partition(".")[0] == part}
    assert {*NEEDS[part], "twentyone_start"} == packages_behind(own) | {"twentyone_start"}


@pytest.mark.parametrize("part", NEEDS)
def test_nothing_is_hidden_here(part: str) -> None:
    assert hidden_packages(part) is None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_names_the_file_that_hides_a_package_and_does_not_run_it(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    done = run(Path(sys.executable).with_name(command), "--help", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    said = f"{command}: {tmp_path}/cards.py hides the package cards of twentyone: rename it, or move it "
    assert done.stderr == said + ADVICE


def test_a_dealer_that_is_run_as_a_module_names_the_file_too(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    done = run(sys.executable, "-m", "dealer", "8088", "5", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"dealer: {tmp_path}/cards.py hides the package cards of twentyone")


def test_a_command_is_not_disturbed_by_what_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(TRAP)
    (tmp_path / "qtables").mkdir()  # as `training` makes it
    dealer, analysis = (Path(sys.executable).with_name(name) for name in ("dealer", "analysis"))
    helped = run(dealer, "--help", PYTHONPATH=str(tmp_path))
    assert (helped.returncode, helped.stderr) == (0, "")
    played = run(analysis, "value", "qtable", PYTHONPATH=str(tmp_path))
    assert (played.returncode, played.stderr) == (0, "")


def test_all_that_is_hidden_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    (tmp_path / "devs").mkdir()
    (tmp_path / "devs" / "__init__.py").write_text(TRAP)
    done = run(Path(sys.executable).with_name("devs"), PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        f"devs: {tmp_path}/cards.py and {tmp_path}/devs hide the packages cards and devs of twentyone:"
        f" rename them, or move them {ADVICE}"
    )


def test_an_environment_beside_a_file_of_a_student_says_which_one_it_is(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("class Card: ...\n")
    (tmp_path / "learn.py").write_text(MAKE)
    done = run(sys.executable, tmp_path / "learn.py")
    assert done.returncode == 1
    said = f"ImportError: {tmp_path}/cards.py hides the package cards of twentyone: rename it, or move it "
    assert done.stderr.endswith(said + ADVICE)


def test_a_script_that_has_imported_its_own_module_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "policies.py").write_text("mine = True\n")
    (tmp_path / "learn.py").write_text(f"import policies\n{MAKE}")
    done = run(sys.executable, tmp_path / "learn.py")
    assert f"{tmp_path}/policies.py hides the package policies of twentyone" in done.stderr


def test_a_script_beside_other_files_makes_an_environment(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(TRAP)
    (tmp_path / "learn.py").write_text(MAKE)
    done = run(sys.executable, tmp_path / "learn.py")
    assert (done.returncode, done.stderr) == (0, "")
