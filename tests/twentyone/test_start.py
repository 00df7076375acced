"""A file or package of the user's that has the name of one of ours is named in one sentence."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import twentyone.start
from tests.helpers.imports import files_of_the_project, imported_files
from tests.helpers.processes import Finished, command, start
from twentyone.start import NEEDS, hidden_packages

COMMANDS = ["analysis", "dealer", "devs", "mancala", "player", "replay", "tournament", "training"]
TRAP = "raise SystemExit('the program of the user has run')\n"
ADVICE = "out of the folders from which Python imports"
MAKE = "import gymnasium\ngymnasium.make('twentyone.environments:twentyone/Blackjack-v0')\n"
RUN = "import runpy, sys; sys.path[0] = sys.argv[1]; runpy.run_path(sys.argv[2], run_name='__main__')"


def packages_behind(modules: set[str]) -> set[str]:
    """The packages of all modules of the project that some modules import, directly or through others."""
    found: set[str] = set()
    pending = set(modules)
    while pending:
        found |= pending
        pending = {target for module in pending for target in imported_files(module)} - found
    return {module.partition(".")[0] for module in found}


def test_what_a_part_needs_is_what_it_imports() -> None:
    """The environments are imported by their names when they are made."""
    for part, needs in NEEDS.items():
        own = {module for module in files_of_the_project() if f"{module}.".startswith(f"{part}.")}
        assert {*needs, "twentyone"} == packages_behind(own) | {"twentyone"}, part
        assert hidden_packages(part) is None, "nothing is hidden here"


def imported(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Put a module of a user in the place of ours, as if it had been imported."""
    name = file.parent.name if file.name == "__init__.py" else file.stem
    spec = spec_from_file_location(name, file)
    assert spec is not None
    monkeypatch.setitem(sys.modules, name, module_from_spec(spec))


def test_every_command_names_the_file_that_hides_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    imported(monkeypatch, tmp_path / "cards.py")
    for name in COMMANDS:
        assert getattr(twentyone.start, name)() == 1
        said = f"{tmp_path}/cards.py hides the package cards of twentyone: rename it, or move it {ADVICE}"
        assert capsys.readouterr() == ("", f"{name}: {said}\n")


def test_all_that_is_hidden_is_named_at_once_and_nothing_that_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "player").mkdir()
    for place in ("cards.py", "player/__init__.py", "dealer.py"):
        (tmp_path / place).write_text(TRAP)
        imported(monkeypatch, tmp_path / place)
    assert hidden_packages("player") == (
        f"{tmp_path}/cards.py and {tmp_path}/player hide the packages cards and player of twentyone:"
        f" rename them, or move them {ADVICE}"
    )


def test_a_module_that_came_from_nowhere_hides_a_package_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cards", ModuleType("cards"))
    assert str(hidden_packages("twentyone.devs")).startswith("cards hides the package cards of twentyone")
    monkeypatch.setattr(sys.modules["cards"], "__file__", "/a\nb/cards.py", raising=False)
    assert str(hidden_packages("twentyone.devs")).startswith("'/a\\nb/cards.py' hides the package cards")


def test_ours_by_another_way_through_the_folders_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine where the home folder is a link."""
    (tmp_path / "link").symlink_to(twentyone.start.HERE)
    imported(monkeypatch, tmp_path / "link" / "cards" / "__init__.py")
    assert hidden_packages("twentyone.devs") is None


# Real starts, with what Python itself finds.


def run(tmp_path: Path, name: str, *options: object) -> Finished:
    return command(name, *options, cwd=tmp_path, is_true=True, PYTHONPATH=str(tmp_path))


def test_a_command_does_not_run_the_file_that_hides_a_package(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    done = run(tmp_path, "dealer", "--help")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"dealer: {tmp_path}/cards.py hides the package cards of twentyone")


@pytest.mark.check
def test_a_dealer_that_is_run_as_a_module_names_the_file_too(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text(TRAP)
    code = "import runpy; runpy.run_module('dealer', run_name='__main__')"
    done = command("dealer", "8088", "5", cwd=tmp_path, code=code, is_true=True)
    assert done.status == 1
    assert done.err.startswith(f"dealer: {tmp_path}/cards.py hides the package cards of twentyone")


@pytest.mark.check
def test_a_command_is_not_disturbed_by_what_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(TRAP)
    (tmp_path / "qtables").mkdir()  # as `training` makes it
    for name, *options in (("dealer", "--help"), ("analysis", "value", "qtable")):
        done = run(tmp_path, name, *options)
        assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize(
    ("hiding", "text", "script"),
    [
        ("cards", "class Card: ...\n", MAKE),
        pytest.param("protocol", "mine = True\n", f"import protocol\n{MAKE}", marks=pytest.mark.check),
        pytest.param("player", TRAP, MAKE, marks=pytest.mark.check),
    ],
    ids=["found first", "imported before", "not needed"],
)
def test_an_environment_beside_a_file_of_a_student_says_which_one_it_is(
    tmp_path: Path, hiding: str, text: str, script: str
) -> None:
    (tmp_path / f"{hiding}.py").write_text(text)
    (tmp_path / "learn.py").write_text(script)
    process = start("learn.py", tmp_path, tmp_path / "learn.py", cwd=tmp_path, code=RUN, is_true=True)
    _, err = process.communicate()
    said = (
        f"ImportError: {tmp_path}/{hiding}.py hides the package {hiding} of twentyone: rename it, or move it "
    )
    if hiding == "player":
        assert (process.returncode, err) == (0, "")
    else:
        assert process.returncode == 1
        assert err.endswith(f"{said}{ADVICE}\n")
