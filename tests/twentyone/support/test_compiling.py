"""Where machine code is kept: a folder for each version of all that a kernel is compiled from."""

from __future__ import annotations

import errno
import os
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.helpers.imports import ROOT, files_of_the_project, imported_files
from tests.helpers.processes import command, finish, start
from twentyone.kernels.simulation import batches_kernel, showdown_kernel
from twentyone.support import compiling
from twentyone.support.compiling import (
    compiled,
    digest_of,
    inlined,
    is_compiled,
    is_first_use,
    part,
    with_own_name,
)

ROUNDS = "twentyone/kernels/rounds.py"
OF_MANCALA = "twentyone/mancala/solving/kernel.py"


def test_machine_code_has_another_folder_when_anything_changes_that_a_kernel_is_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("cards", "dealer", "twentyone"):
        copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))

    def digests() -> list[str]:
        digest_of.cache_clear()
        return [digest_of((tmp_path / kernel).parent, tmp_path) for kernel in (ROUNDS, OF_MANCALA)]

    shared = (
        "twentyone/kernels/tables.py",
        "twentyone/policies/policy.py",
        "cards/rules.py",
        "twentyone/support/compiling.py",
    )
    both, one, none = (True, True), (False, True), (False, False)
    cases = {ROUNDS: both, **dict.fromkeys(shared, both), OF_MANCALA: one, "dealer/console.py": none}
    for changed, expected in cases.items():
        before, file = digests(), tmp_path / changed
        file.write_text(file.read_text(encoding="utf-8") + "# Another version.\n", encoding="utf-8")
        assert tuple(now != then for now, then in zip(digests(), before, strict=True)) == expected, changed
    before = digests()
    monkeypatch.setattr(compiling, "__version__", "0.0.0")
    assert all(now != then for now, then in zip(digests(), before, strict=True)), "numba's version counts"
    digest_of.cache_clear()


def folder_of(module: str) -> str:
    """The folder of a package at the top, or in `twentyone`."""
    first, *rest = module.split(".")
    return f"{first}/{rest[0]}" if first == "twentyone" else first


def test_kernels_take_nothing_from_elsewhere() -> None:
    """But for what only Python calls: types, shards and estimates of the studies."""
    files = files_of_the_project()
    for name, path in files.items():
        if re.search(r"^@(compiled|part|inlined)\b", path.read_text("utf-8"), re.MULTILINE):
            others = [other for other in imported_files(name) if files[other].parent != path.parent]
            packages = {
                folder_of(other) for other in others if not other.startswith("twentyone.analysis.work")
            }
            studies = {"twentyone/exact"} if name.startswith("twentyone.analysis.studies") else set()
            assert packages <= {*compiling.SHARED, "twentyone/support"} | studies, name


def test_functions_of_one_name_get_names_of_their_own_by_what_they_were_made_with() -> None:
    """The linker takes one of a name for the other."""

    def made(*with_what: object, by: Callable[[Any], Any] = with_own_name) -> str:
        def function() -> object:
            return with_what

        by(function)
        return function.__qualname__

    many = [made(each) for each in (1, 2, 1.0, "1", (1, 2), (1, (2, 3)), made, copytree)]
    assert len(set(many)) == len(many)
    assert made(1, copytree) == made(1, copytree) != made(copytree, 1)
    assert many[0] == made(1, by=part) == made(1, by=inlined)
    assert with_own_name(copytree).__qualname__ == "copytree", "nothing was made with it"


COUNTED = """
import os, time
from pathlib import Path
from numba.extending import overload
from twentyone.support.compiling import compiled

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
from twentyone.support.compiling import SETTINGS
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
    modules = ("twentyone.kernels.interleaved", "twentyone.kernels.simulation")
    assert is_first_use(*modules)
    folder = compiling.kernel_folder(ROOT / "twentyone/kernels/simulation.py")
    assert folder is not None
    (folder / "kernels_1f35d7").mkdir(parents=True)
    (folder / "kernels_1f35d7/simulation.batches_kernel-450.py311.nbi").touch()
    assert not is_first_use(*modules)
    assert is_first_use("twentyone.kernels.interleaved")
    assert [is_compiled(kernel) for kernel in (batches_kernel, showdown_kernel)] == [True, False]


def test_without_a_place_for_machine_code_every_use_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", "")
    monkeypatch.setattr(compiling, "user_folder", lambda: None)
    assert compiling.kernel_folder(ROOT / "twentyone/kernels/simulation.py") is None
    assert is_first_use("twentyone.kernels.simulation")
    assert not is_compiled(batches_kernel)


def test_a_part_of_kernels_can_be_called_from_python_too() -> None:
    @part
    def double(number: int) -> int:
        return 2 * number

    @compiled
    def quadruple(number: int) -> int:
        return double(double(number))

    assert (double(3), quadruple(3), double(3)) == (6, 12, 6)
