"""Where machine code is kept: a folder for each version of all that a kernel is compiled from."""

from __future__ import annotations

import errno
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernels.simulation import play_batches, play_rounds
from support import compiling
from support.compiling import (
    compiled,
    digest_of,
    distinct,
    files_of,
    inlined,
    is_compiled,
    is_first_use,
    maker,
    part,
    source_of,
)
from tests.helpers.imports import ROOT, files_of_the_project, imported_files
from tests.helpers.processes import command, finish, start


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of some packages, whose files a test may change."""
    root = tmp_path / "project"
    for package in ("cards", "dealer", "kernels", "mancala", "policies", "support"):
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


ROUNDS = "kernels/rounds.py"
OF_MANCALA = "mancala/solving/kernel.py"


def test_a_kernel_has_another_folder_when_anything_that_it_imports_changes_and_only_then(copy: Path) -> None:
    cases = {
        ROUNDS: {
            *(ROUNDS, "kernels/streams.py", "kernels/tables.py", "kernels/__init__.py"),
            *("policies/policy.py", "cards/rules.py", "cards/round.py", "support/compiling.py"),
        },
        OF_MANCALA: {OF_MANCALA, "support/compiling.py"},
    }
    for changed in (*cases[ROUNDS], "kernels/interleaved.py", "dealer/console.py", OF_MANCALA):
        before = {kernel: digest_of(copy / kernel, copy) for kernel in cases}
        change(copy / changed)
        for kernel, others in cases.items():
            has_changed = digest_of(copy / kernel, copy) != before[kernel]
            assert has_changed == (changed in others), (kernel, changed)


def test_the_imports_found_as_text_are_those_of_the_syntax_tree() -> None:
    """A superset of them: the packages around a module are loaded with it."""
    files = files_of_the_project()
    kernels = [name for name, path in files.items() if b"from support.compiling import" in source_of(path)]
    assert len(kernels) > 5
    for kernel in kernels:
        pending, by_tree = [kernel], set[str]()
        while pending:
            if (one := pending.pop()) not in by_tree:
                by_tree.add(one)
                pending += imported_files(one)
        assert {files[one] for one in by_tree} <= set(compiling.files_behind(files[kernel], ROOT)), kernel


def test_imports_are_found_however_they_are_written() -> None:
    cases = {
        "import numpy, cards.rules as rules  # and no more\n": ["numpy", "cards.rules"],
        "from cards import Outcome, Rules as _Rules\n": ["cards.Outcome", "cards.Rules"],
        "from kernels import (\n    one,  # played\n    other,\n)\n": ["kernels.one", "kernels.other"],
        "def late():\n    from kernels.rounds import WIN\n": ["kernels.rounds.WIN"],
        "important = 1\nfrom_here = 2\n": [],
    }
    for source, names in cases.items():
        assert list(compiling._names_in(source)) == names, source


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


def test_functions_of_one_name_get_names_of_their_own_by_what_they_were_made_with() -> None:
    """The linker takes one of a name for the other."""

    def made(*with_what: object, by: Callable[[Any], Any] = distinct) -> str:
        def function() -> object:
            return with_what

        by(function)
        return function.__qualname__

    many = [made(each) for each in (1, 2, 1.0, "1", (1, 2), (1, (2, 3)), change, forget)]
    assert len(set(many)) == len(many)
    assert made(1, change) == made(1, change) != made(change, 1)
    assert many[0] == made(1, by=part) == made(1, by=inlined) == made(1, by=maker)
    assert distinct(change).__qualname__ == "change", "nothing was made with it"


COUNTED = """
import os, time
from pathlib import Path
from numba.extending import overload
from support.compiling import compiled

HERE = Path(__file__).parent

def add_one(number): ...

@overload(add_one)
def compile_add_one(number):
    # Numba asks for it when it compiles, and the other process must have come as far by then.
    (HERE / f"compiles-{os.getpid()}").touch()
    while len(list(HERE.glob("begins-*"))) < 2:
        time.sleep(0.001)
    return lambda number: number + 1

def kernel(number):
    return add_one(number)

inner = compiled(kernel)

def kernel(number):
    return inner(number)

outer = compiled(kernel)
"""
"""Two kernels of one name, of which one calls the other."""

USE = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:]
from support.compiling import SETTINGS
SETTINGS["CACHE_DIR"] = "machine code"
import counted
Path(f"begins-{os.getpid()}").touch()
found = counted.outer(1), *counted.outer.stats[1:]
print(*(sum(each.values()) if isinstance(each, dict) else each for each in found))
"""


def test_of_two_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path: Path) -> None:
    (tmp_path / "counted.py").write_text(COUNTED, encoding="utf-8")
    processes = [start("python", tmp_path, ROOT, cwd=tmp_path, code=USE) for _ in range(2)]
    assert sorted(finish(process).out for process in processes) == ["2 0 1\n", "2 1 0\n"]
    assert len(list(tmp_path.glob("compiles-*"))) == 1


UNPICKLE = """
import pickle, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:]
print(pickle.loads(Path("kernel").read_bytes())(4))
"""


def test_a_kernel_works_without_its_folder_and_as_a_copy_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", str(tmp_path / "machine code"))

    @compiled
    def square(number: int) -> int:
        return number * number

    shutil.rmtree(tmp_path / "machine code")
    assert square(3) == 9
    (tmp_path / "kernel").write_bytes(pickle.dumps(square))
    assert command("python", ROOT, cwd=tmp_path, code=UNPICKLE) == (0, "16\n", "")


def test_the_lock_is_free_afterwards_though_a_process_that_was_forked_has_the_file_open_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    opened, inherited = compiling._opened, list[int]()

    def open_and_fork(lock: Path) -> Any:
        file = opened(lock)
        assert file is not None
        inherited.append(os.dup(file.fileno()))
        return file

    monkeypatch.setattr(compiling, "_opened", open_and_fork)
    lock = tmp_path / "lock"
    for _ in range(2):  # a lock that is left would be waited for
        with lock.open("a") as other:
            with compiling._held(lock), compiling._held(lock), pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert len(inherited) == 2, "once each: the lock within the lock is the same"
    for handle in inherited:
        os.close(handle)


def test_a_file_system_without_locks_compiles_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", fail)
    done = []
    for lock in (tmp_path / "lock", tmp_path / "nowhere" / "lock", None):
        with compiling._held(lock):
            done.append(lock)
    assert len(done) == 3


def test_first_use_is_by_module_and_each_kernel_is_compiled_on_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", str(tmp_path))
    modules = ("kernels.interleaved", "kernels.simulation")
    assert is_first_use(*modules)
    folder = compiling.kernel_folder(ROOT / "kernels/simulation.py")
    assert folder is not None
    folder.mkdir(parents=True)
    (folder / "simulation.play_rounds-450.py311.nbi").touch()
    assert not is_first_use(*modules)
    assert is_first_use("kernels.interleaved")
    assert [is_compiled(kernel) for kernel in (play_rounds, play_batches)] == [True, False]


def test_without_a_place_for_machine_code_every_use_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", "")
    monkeypatch.setattr(compiling, "user_folder", lambda: None)
    assert compiling.kernel_folder(ROOT / "kernels/simulation.py") is None
    assert is_first_use("kernels.simulation")
    assert not is_compiled(play_rounds)


def test_a_part_of_kernels_can_be_called_from_python_too() -> None:
    @part
    def double(number: int) -> int:
        return 2 * number

    @compiled
    def quadruple(number: int) -> int:
        return double(double(number))

    assert (double(3), quadruple(3), double(3)) == (6, 12, 6)
