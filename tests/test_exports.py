"""The public names of `cards` and `protocol`: exactly `__all__`, sorted, importable, re-exported once."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by the alphabet, as imports are sorted."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def re_exports(package: str) -> list[tuple[str, str]]:
    """The name of everything that `__init__` imports, and the module that it comes from."""
    file = import_module(package).__file__
    assert file is not None
    return [
        (name.asname or name.name, node.module or "")
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]


@pytest.mark.parametrize("package", ["cards", "protocol"])
def test_what_is_public_is_listed_sorted_given_by_a_star_import_and_re_exported_once(package: str) -> None:
    module = import_module(package)
    assert module.__all__ == sorted(set(module.__all__), key=order)
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    given: dict[str, object] = {}
    exec(f"from {package} import *", given)
    assert public == set(module.__all__) == set(given) - {"__builtins__"}
    exports = re_exports(package)
    assert len(dict(exports)) == len(exports), "a name is imported twice"
    for name, source in exports:
        assert source.startswith(f"{package}."), f"{name} is none of {package}'s own"
        value = getattr(import_module(package), name)
        assert value is getattr(import_module(source), name)
        home = getattr(value, "__module__", source)
        assert not home.startswith(package) or home == source, f"{name} comes from {home}"
