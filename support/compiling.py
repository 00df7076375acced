"""How functions are compiled: a few decorators, so that every kernel is compiled the same way."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from numba import config, njit

from support.files import user_folder

Kernel = TypeVar("Kernel", bound=Callable[..., object])

SETTINGS: Final[dict[str, Any]] = vars(config)
"""What numba is set to, by the names of its environment variables."""

WITH_KERNELS: Final = (
    "analysis",
    "cards",
    "environments",
    "kernels",
    "learning",
    "mancala",
    "policies",
    "support",
)
"""The packages whose sources the machine code on disk is made of."""

OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "nogil": True}
"""Divisions follow numpy, without a check for zero, and the interpreter is not held while a kernel runs."""


def compiled(function: Kernel) -> Kernel:
    """Compile a kernel when it is first called, with all its parts, and keep the machine code on disk."""
    return cast(Kernel, njit(cache=bool(SETTINGS["CACHE_DIR"]), **OPTIONS)(function))


def part(function: Kernel) -> Kernel:
    """Compile a function that kernels are made of, and that makes no arrays.

    It does not count references to the arrays that it is given, which are its caller's. Counting them for
    every card is twenty times the work of dealing it.
    """
    return cast(Kernel, njit(**OPTIONS | {"_nrt": False})(function))


def inlined(function: Kernel) -> Kernel:
    """Put a function in the place of its calls: one of so few instructions that the call costs as much."""
    return cast(Kernel, njit(inline="always", **OPTIONS)(function))


def maker(function: Kernel) -> Kernel:
    """Compile a function that kernels are made of, and that makes arrays."""
    return cast(Kernel, njit(**OPTIONS)(function))


def is_first_use() -> bool:
    """Whether no kernel of this version has been compiled on this machine, as far as the disk tells."""
    return not (SETTINGS["CACHE_DIR"] and next(Path(SETTINGS["CACHE_DIR"]).rglob("*.nbi"), None))


def _kernel_folder() -> str:
    """A folder of their own for the kernels of this version of the sources; empty if none can be made.

    What is on disk is known by the file of the kernel alone, so it would not be made anew when a part of it
    changes in another file: every package with kernels counts.
    """
    parent = Path(SETTINGS["CACHE_DIR"]) if SETTINGS["CACHE_DIR"] else user_folder()
    if parent is None:
        return ""
    packages = (Path(__file__).parent.parent / name for name in WITH_KERNELS)
    sources = b"".join(path.read_bytes() for package in packages for path in sorted(package.rglob("*.py")))
    own = parent / f"kernels-{sha256(sources).hexdigest()[:16]}"
    try:
        own.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(own) if os.access(own, os.W_OK) else ""


SETTINGS["CACHE_DIR"] = _kernel_folder()
