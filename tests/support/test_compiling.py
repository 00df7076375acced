"""Where machine code is kept: a folder for each version of all that a kernel is compiled from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.whole.rounds import play_batches, play_rounds
from support import compiling
from support.compiling import (
    compiled,
    digest_of,
    files_of,
    is_compiled,
    is_first_use,
    part,
    source_of,
)
from tests.test_layers import files_of_the_project, imported_files

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("cards", "dealer", "kernels", "mancala", "policies", "support")
KERNELS = sorted(
    module
    for module, path in files_of_the_project().items()
    if "from support.compiling import" in path.read_text(encoding="utf-8")
)

PROBE = """
from kernels.rounds import WIN
from support.compiling import compiled, kernel_folder

@compiled
def first_outcome() -> int:
    return WIN

if __name__ == "__main__":
    from pathlib import Path
    print(first_outcome(), sum(first_outcome.stats.cache_hits.values()), kernel_folder(Path(__file__)).name)
"""

TWINS = """
import sys

from support.compiling import compiled, part

@part
def add(number: int) -> int:
    return number + 7

@part
def triple(number: int) -> int:
    return 3 * number

def compile_long(step):
    @part
    def long(number: int) -> int:
        BLOCKS
        return number

    return long

by_adding, by_tripling = compile_long(add), compile_long(triple)

@compiled
def first(number: int) -> int:
    return by_adding(number) + by_adding(number + 1) + by_adding(number + 2)

@compiled
def second(number: int) -> int:
    return by_tripling(number) + by_tripling(number + 1) + by_tripling(number + 2)

for kernel in [{"first": first, "second": second}[name] for name in sys.argv[1:]]:
    print(kernel(50), sum(kernel.stats.cache_hits.values()))
""".replace("BLOCKS", "number += step(number % 10007) * (number % 3)\n        " * 60)
"""Two functions of one name, made with different ones, and too long to be put in the place of their calls."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of some packages, whose files a test may change."""
    root = tmp_path / "project"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def change(file: Path, old: str = "", new: str = "# Another version.\n") -> None:
    """Change a source file, and forget what was read of the sources."""
    source = file.read_text(encoding="utf-8")
    assert old in source
    file.write_text(source.replace(old, new, 1), encoding="utf-8")
    forget()


def forget() -> None:
    """Have the sources read again, as in a process that starts now."""
    for function in (compiling._imported, compiling._is_own, digest_of, files_of, source_of):
        function.cache_clear()


@pytest.mark.parametrize(
    "changed",
    [
        "kernels/rounds.py",
        "kernels/streams.py",
        "kernels/hand_tables.py",
        "kernels/__init__.py",
        "policies/policy.py",
        "cards/rules.py",
        "cards/round.py",
        "support/compiling.py",
    ],
)
def test_a_kernel_has_another_folder_when_anything_that_it_imports_changes(copy: Path, changed: str) -> None:
    before = digest_of(copy / "kernels/rounds.py", copy)
    change(copy / changed)
    assert digest_of(copy / "kernels/rounds.py", copy) != before


@pytest.mark.parametrize("changed", ["kernels/interleaved.py", "dealer/console.py", "mancala/cli.py"])
def test_a_kernel_keeps_its_folder_when_something_else_changes(copy: Path, changed: str) -> None:
    before = digest_of(copy / "kernels/rounds.py", copy)
    change(copy / changed)
    assert digest_of(copy / "kernels/rounds.py", copy) == before


def test_the_kernel_of_mancala_does_not_depend_on_cards(copy: Path) -> None:
    kernel = copy / "mancala/solving/kernel.py"
    before = digest_of(kernel, copy)
    change(copy / "cards/rules.py")
    change(copy / "dealer/console.py")
    assert digest_of(kernel, copy) == before
    change(kernel)
    assert digest_of(kernel, copy) != before


@pytest.mark.parametrize("module", KERNELS)
def test_the_imports_found_as_text_are_those_of_the_syntax_tree(module: str) -> None:
    """A superset of them: the packages around a module are loaded with it."""
    files = files_of_the_project()
    by_text = set(compiling.files_behind(files[module], ROOT))
    pending, by_tree = [module], set()
    while pending:
        one = pending.pop()
        if one not in by_tree:
            by_tree.add(one)
            pending += imported_files(one)
    assert len(KERNELS) > 5
    assert {files[one] for one in by_tree} <= by_text


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numpy, cards.rules as rules  # and no more\n", ["numpy", "cards.rules"]),
        ("from cards import Outcome, Rules as _Rules\n", ["cards.Outcome", "cards.Rules"]),
        (
            "from kernels import (\n    rounds,  # played\n    streams,\n)\n",
            ["kernels.rounds", "kernels.streams"],
        ),
        ("def late():\n    from kernels.rounds import WIN\n", ["kernels.rounds.WIN"]),
        ("important = 1\nfrom_here = 2\n", []),
    ],
)
def test_imports_are_found_however_they_are_written(source: str, names: list[str]) -> None:
    assert list(compiling._names_in(source)) == names


def test_among_other_packages_only_those_of_the_distribution_count(tmp_path: Path) -> None:
    """As in `site-packages`, where numpy lies in the same folder."""
    for package in ("cards", "numpy"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    assert files_of("numpy", tmp_path) == (tmp_path / "numpy/__init__.py",)
    forget()
    (tmp_path / "twentyone-1.0.dist-info").mkdir()
    (tmp_path / "twentyone-1.0.dist-info/top_level.txt").write_text("cards\nkernels\n")
    assert files_of("cards.Rules", tmp_path) == (tmp_path / "cards/__init__.py",)
    assert files_of("numpy", tmp_path) == ()
    assert files_of("kernels", tmp_path) == ()


def test_an_order_of_outcomes_that_changes_is_never_met_by_old_machine_code(copy: Path) -> None:
    (copy / "kernels/probe.py").write_text(PROBE, encoding="utf-8")

    def run() -> tuple[str, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "kernels.probe"],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(copy / "cache")},
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        outcome, hits, folder = done.stdout.split()
        return outcome, hits, folder

    outcome, hits, folder = run()
    assert (outcome, hits) == ("0", "0")
    assert run() == ("0", "1", folder)
    win, lose = '    WIN = ("WIN", 1)\n', '    LOSE = ("LOSE", -1)\n'
    change(copy / "cards/rules.py", win + lose, lose + win)
    outcome, hits, other = run()
    assert (outcome, hits) == ("1", "0")
    assert other != folder


def test_functions_of_one_name_are_not_run_in_the_place_of_each_other(tmp_path: Path) -> None:
    """Each is the second function that its process compiles. The linker takes one of a name for the other."""
    (tmp_path / "twins.py").write_text(TWINS, encoding="utf-8")

    def run(*kernels: str) -> list[list[str]]:
        done = subprocess.run(
            [sys.executable, tmp_path / "twins.py", *kernels],
            env=os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return [line.split() for line in done.stdout.splitlines()]

    ((first, hits),) = run("first")
    assert hits == "0"
    (second, _), again = run("second", "first")
    assert again == [first, "1"]
    assert second != first


def test_first_use_is_by_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", str(tmp_path))
    assert is_first_use("kernels.rounds", "kernels.interleaved")
    folder = compiling.kernel_folder(ROOT / "kernels/interleaved.py")
    assert folder is not None
    (folder / "kernels").mkdir(parents=True)
    (folder / "kernels/kernel.nbi").touch()
    assert not is_first_use("kernels.rounds", "kernels.interleaved")
    assert is_first_use("kernels.rounds")


def test_each_kernel_of_a_module_is_compiled_on_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", str(tmp_path))
    folder = compiling.kernel_folder(ROOT / "kernels/whole/rounds.py")
    assert folder is not None
    (folder / "whole").mkdir(parents=True)
    (folder / "whole/rounds.play_rounds-450.py311.nbi").touch()
    assert [is_compiled(kernel) for kernel in (play_rounds, play_batches)] == [True, False]


def test_without_a_place_for_machine_code_every_use_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", "")
    monkeypatch.setattr(compiling, "user_folder", lambda: None)
    assert compiling.kernel_folder(ROOT / "kernels/rounds.py") is None
    assert is_first_use("kernels.rounds")
    assert not is_compiled(play_rounds)


def test_a_part_of_kernels_can_be_called_from_python_too() -> None:
    @part
    def double(number: int) -> int:
        return 2 * number

    @compiled
    def quadruple(number: int) -> int:
        return double(double(number))

    assert (double(3), quadruple(3), double(3)) == (6, 12, 6)
