"""The list of what is compiled (`tool.twentyone.compiled` in pyproject.toml), and its reader, `setup.py`."""

from __future__ import annotations

import runpy
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.imports import imports_of_module

ROOT: Final = Path(__file__).parents[1]

GROUPS: Final[Mapping[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "twentyone"
]["compiled"]


@pytest.fixture
def modules_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, Any]], list[str]]:
    """The function of `setup.py` that reads a group; it is not asked to build anything."""
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    monkeypatch.delenv("TWENTYONE_COMPILE", raising=False)
    found: Callable[[Mapping[str, Any]], list[str]] = runpy.run_path(str(ROOT / "setup.py"))["modules_of"]
    return found


def test_every_module_is_compiled_once_for_a_reason(
    modules_of: Callable[[Mapping[str, Any]], list[str]],
) -> None:
    modules = [module for group in GROUPS.values() for module in modules_of(group)]
    assert len(modules) == len(set(modules)) > 0
    assert all(reason for group in GROUPS.values() for part in group.values() for reason in part.values())
    assert {"cards/round.py", "protocol/codec.py", "dealer/tables/table.py", "player/client.py"} <= {*modules}


def test_no_kernel_is_compiled_twice(modules_of: Callable[[Mapping[str, Any]], list[str]]) -> None:
    """What numba compiles stays plain, and so does what draws, since neither waits for the interpreter."""
    for group in GROUPS.values():
        for module in modules_of(group):
            outside = {
                target for _, target, _ in imports_of_module(module.removesuffix(".py").replace("/", "."))
            }
            assert outside.isdisjoint({"numba", "matplotlib", "rich", "typer"}), module


def test_a_name_that_no_file_has_is_said(modules_of: Callable[[Mapping[str, Any]], list[str]]) -> None:
    with pytest.raises(
        ValueError, match=r"cards/\{card,joker\}.py .* expected the names of files that exist"
    ):
        modules_of({"modules": {"cards/{card,joker}.py": "for a trial"}})
