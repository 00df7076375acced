"""Tests on the compiled build: what is compiled cannot be replaced, so a test that does it is skipped."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, Final

import pytest

OURS: Final = frozenset({"cards", "dealer", "player", "protocol", "tournament", "twentyone"})
"""The packages of which modules are compiled."""


def skip_what_replaces_compiled_code() -> None:
    """Let `monkeypatch.setattr` skip its test where what it would replace is compiled.

    C code calls the function that it was compiled with, and has the values of constants in it: what is put in
    their place is never looked at, and such a test would say something about the wrong thing.
    """
    replace = pytest.MonkeyPatch.setattr

    def setattr_or_skip(self: pytest.MonkeyPatch, target: Any, *rest: Any, **options: Any) -> None:
        owner = _module_named_in(target) if isinstance(target, str) else _module_of(target)
        if _is_compiled(owner):
            pytest.skip(f"{owner} is compiled: nothing of it can be replaced")
        replace(self, target, *rest, **options)

    pytest.MonkeyPatch.setattr = setattr_or_skip  # type: ignore[method-assign]


def _module_named_in(path: str) -> str:
    """The module of a dotted path to something in it."""
    name = path
    while name not in sys.modules and "." in name:
        name = name.rpartition(".")[0]
    return name


def _module_of(owner: Any) -> str:
    """The name of a module, or of the one in which a class or a function was defined."""
    return str(owner.__name__ if isinstance(owner, type(sys)) else getattr(owner, "__module__", ""))


def _is_compiled(name: str) -> bool:
    path = getattr(sys.modules.get(name), "__file__", None) or ""
    return name.split(".")[0] in OURS and path.endswith(tuple(EXTENSION_SUFFIXES))
