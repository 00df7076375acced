"""The compilation of functions: a few decorators, so that every kernel is compiled the same way.

Machine code is kept on disk. Numba knows it by the kernel's own file alone, and would not compile it again
when a function or a constant from another file changes. So the name of its folder there is a hash of
numba's version and of all sources from which a kernel may take something: those of `SHARED`, and those that
lie beside its own file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from runpy import run_path
from types import BuiltinFunctionType, FunctionType
from typing import IO, Any, Final, TypeVar, cast

from numba import __version__, config, njit
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from twentyone.support.cache import mark_used, trim, user_folder
from twentyone.support.kernel_parts import OPTIONS, KernelCompiler, new_part

try:
    import fcntl
except ImportError:  # not on Windows, where two processes may do the same work
    fcntl = None  # type: ignore[assignment]

FUNCTIONS: Final = (FunctionType, BuiltinFunctionType)

Kernel = TypeVar("Kernel", bound=Callable[..., object])

SETTINGS: Final[dict[str, Any]] = vars(config)
"""Numba's settings, by the names of its environment variables without their prefix."""

ROOT: Final = Path(__file__).parents[2]
"""The folder that holds the packages: a checkout, or the one where they are installed with many others."""

SECONDS: Final = 4
"""The processor time in which a kernel is compiled: 2 to 7 seconds, see `benchmarks/RESULTS.md`."""

SHARED: Final = ("cards", "twentyone/policies", "twentyone/kernels")
"""The packages that kernels are made of, wherever they stand."""


def compiled(function: Kernel) -> Kernel:
    """Compile a kernel when it is first called, with all its parts, and keep the machine code on disk."""
    folder = _existing(kernel_folder(Path(function.__code__.co_filename)))
    given, SETTINGS["CACHE_DIR"] = SETTINGS["CACHE_DIR"], folder  # numba reads it here, and never again
    try:
        dispatcher = njit(cache=bool(folder), pipeline_class=KernelCompiler, **OPTIONS)(function)
    finally:
        SETTINGS["CACHE_DIR"] = given
    if folder:
        dispatcher.__class__ = Kept
        dispatcher.lock = Path(folder, f"{function.__qualname__}.lock")
    return cast(Kernel, dispatcher)


def part(function: Kernel) -> Kernel:
    """Compile a function that kernels are made of.

    It makes no arrays. Kernels make none either where that is no slower: Python makes them. Numba compiles
    what makes an array again for each of its types, which can take as long as the rest of a kernel.
    """
    return new_part(with_own_name(function), {})


def inlined(function: Kernel) -> Kernel:
    """As `part`, but put in the place of its calls, where those would cost as much as the function itself."""
    return new_part(with_own_name(function), {"forceinline": True})


class Kept(CPUDispatcher):
    """A kernel whose machine code is kept: of processes that need it at the same time, one compiles it."""

    lock: Path | None = None
    """The file that is locked. A copy that pickle makes in another process is not kept, and has none."""

    def compile(self, signature: Any) -> Any:
        """As numba's, which takes machine code from the disk where another process has left it by now.

        Numba's own lock comes first in every thread, so two threads never wait for each other.
        """
        with global_compiler_lock, _held(self.lock):
            return super().compile(signature)


_HELD: Final[set[Path]] = set()
"""The locks that this process holds: a kernel may be compiled while another one of its name is."""


@contextmanager
def _held(lock: Path | None) -> Iterator[None]:
    """Hold a lock between processes, which ends with the process at the latest; none where that cannot be."""
    file = None if lock in _HELD else _opened(lock)
    if fcntl is None or lock is None or file is None:
        yield
        return
    with file:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
        _HELD.add(lock)
        try:
            yield
        finally:
            _HELD.discard(lock)
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)  # a process that was forked meanwhile has the file open too


def _opened(lock: Path | None) -> IO[str] | None:
    try:
        return None if lock is None else lock.open("a")
    except OSError:  # the folder was deleted, or is read-only by now
        return None


def with_own_name(function: Kernel) -> Kernel:
    """Give a function that was made by another one a name of its own, by what it was made with.

    Numba tells the functions of a process apart by their names and a number, which counts what was compiled
    before. Machine code from the disk may hold a function of the same name, made with something else, that
    had the same number in another process; then one of the two would be run in the place of both.
    """
    cells = function.__closure__ or ()
    made_with = "\0".join(_described(cell.cell_contents) for cell in cells)
    if made_with:
        function.__qualname__ += f"_{sha256(made_with.encode()).hexdigest()[:12]}"
    return function


def _described(value: object) -> str:
    """A value of a function's making: a function by its name, anything else by its type and value."""
    if isinstance(value, tuple):
        return "\1".join(map(_described, value))
    function = getattr(value, "py_func", value)
    if callable(function) and hasattr(function, "__qualname__"):
        return f"{function.__module__}.{function.__qualname__}"
    return f"{type(value).__name__} {value!r}"


@cache
def parts_of(module: str) -> Mapping[str, Any]:
    """A module's names, with its plain functions compiled: each is `inlined`, also where they call another.

    So a rule that is written once in Python is part of a kernel too. The module itself stays as it is, and so
    does what is called from the standard library.

    Args:
        module: its name; it has been imported.
    """
    names, package = dict(vars(sys.modules[module])), module.rpartition(".")[0]
    for name, function in _functions_of(module).items():
        names[name] = inlined(FunctionType(function.__code__, names, name, function.__defaults__))
    for name, function in list(names.items()):
        if isinstance(function, FUNCTIONS) and str(function.__module__).rpartition(".")[0] == package:
            names[name] = parts_of(str(function.__module__))[function.__name__]
    return names


def _functions_of(module: str) -> Mapping[str, FunctionType]:
    """The plain functions of a module by their names; from its source, where the module is C."""
    names, file = vars(sys.modules[module]), sys.modules[module].__file__
    if file is not None and file.endswith(tuple(EXTENSION_SUFFIXES)):
        names = run_path(str(Path(file).with_name(f"{module.rpartition('.')[2]}.py")), run_name=module)
    return {
        name: function
        for name, function in names.items()
        if isinstance(function, FunctionType) and function.__module__ == module
    }


def compiling_sentence(kernels: int) -> str:
    """The sentence about a number of kernels that are compiled first."""
    return f"compiling for this machine first: about {SECONDS * kernels} s, and only once"


def is_first_use(*modules: str) -> bool:
    """Whether no kernel of some modules, in this version, has been compiled and kept on this machine.

    Args:
        modules: their names, as in an import. Modules that are not imported yet are not imported here.
    """
    return not any(_has_kept(ROOT.joinpath(*module.split(".")).with_suffix(".py"), "*") for module in modules)


def is_compiled(kernel: Callable[..., object]) -> bool:
    """Whether a kernel, in this version, has been compiled and kept on this machine."""
    return _has_kept(Path(kernel.__code__.co_filename), f"{kernel.__name__}-*")


def _has_kept(file: Path, kernels: str) -> bool:
    """Whether numba has an index of machine code for some kernels of a source file."""
    folder = kernel_folder(file)
    return folder is not None and any(folder.glob(f"{file.parent.name}_*/{file.stem}.{kernels}.nbi"))


def kernel_folder(file: Path) -> Path | None:
    """The folder for the machine code of a source file's kernels; None if there is no place for it."""
    parent = Path(SETTINGS["CACHE_DIR"]) if SETTINGS["CACHE_DIR"] else user_folder()
    return None if parent is None else parent / f"kernels-{digest_of(file.parent, ROOT)}"


@cache
def digest_of(folder: Path, root: Path) -> str:
    """A hash, 16 hexadecimal digits, of all from which the kernels of a folder are made.

    Args:
        folder: the folder, of the project or not.
        root: the folder that holds the packages of the project.
    """
    shared = (file for package in SHARED for file in (root / package).rglob("*.py"))
    compilers = (root / "twentyone" / "support" / name for name in ("compiling.py", "kernel_parts.py"))
    files = sorted({*shared, *folder.glob("*.py"), *compilers})
    return sha256(b"\0".join([__version__.encode(), *map(Path.read_bytes, files)])).hexdigest()[:16]


def _existing(folder: Path | None) -> str:
    """A folder that is there and can be written to, made if need be; empty if that cannot be."""
    if folder is None:
        return ""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    mark_used(folder)
    if is_new and folder.parent == user_folder():  # a folder of NUMBA_CACHE_DIR is not ours to tidy
        trim(folder.parent)
    return str(folder) if os.access(folder, os.W_OK) else ""
