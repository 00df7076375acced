"""Kernels as plain Python: a few rounds show what they do, without the seconds that compiling takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

from twentyone.support import compiling

ANEW: Final = (
    "twentyone.kernels",
    "twentyone.learning",
    "tests.helpers.kernel_shoe",
    "tests.twentyone.learning.playing",
)
"""The packages and modules that are loaded a second time: those of the kernels, and what plays with them."""

_LOADED: Final[dict[str, ModuleType]] = {}


@cache
def uncompiled(name: str) -> Any:
    """A module whose kernels, and those of all modules that it imports, are not compiled.

    It is not the module that others import, and shares no kernel with it.
    """
    import_module(name)  # first, so that no other module is loaded with what is loaded below
    with pytest.MonkeyPatch.context() as patch, _others():
        for decorator in ("compiled", "part", "inlined"):
            patch.setattr(compiling, decorator, _as_it_is)
        patch.setattr(compiling, "parts_of", lambda module: vars(sys.modules[module]))
        return import_module(name)


def _as_it_is(function: Any) -> Any:
    function.py_func = function
    return function


@contextmanager
def _others() -> Iterator[None]:
    """Let the modules of `ANEW` be those that have been loaded here."""
    usual = _taken_out()
    sys.modules |= _LOADED
    try:
        yield
    finally:
        _LOADED.update(_taken_out())
        sys.modules |= usual


def _taken_out() -> dict[str, ModuleType]:
    names = [
        name for name in sys.modules if name.startswith(tuple(f"{each}." for each in ANEW)) or name in ANEW
    ]
    return {name: sys.modules.pop(name) for name in names}


@contextmanager
def wrapping() -> Iterator[None]:
    """Let products of 64 bits wrap around without a warning, as compiled ones do."""
    with np.errstate(over="ignore"):
        yield
