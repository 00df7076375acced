"""Imports that the contracts in `pyproject.toml` cannot state; `lint-imports` holds those."""

from __future__ import annotations

import sys
import tomllib
from typing import Final

from tests.helpers.imports import ROOT, files_of_the_project, folders_with_python, imports_of_module

OUTSIDE: Final = {
    folder: set(names.split())
    for folder, names in {
        "cards": "",
        "twentyone.support": "typer rich uvloop matplotlib numba platformdirs",
        "protocol": "websockets",
        "twentyone.policies": "numpy",
        "twentyone.kernels": "numpy numba",
        "twentyone.exact": "numpy rich matplotlib",
        "twentyone.learning": "numpy typer matplotlib",
        "dealer": "typer prometheus_client",
        "dealer.lobby": "",
        "dealer.network": "",
        "dealer.tables": "",
        "dealer.watch": "prometheus_client",
        "dealer.web": "segno",
        "player": "typer numpy",
        "twentyone.environments": "gymnasium numpy PIL",
        "twentyone.analysis": "numpy typer rich",
        "twentyone.analysis.work": "typer distributed dask",
        "twentyone.analysis.figures": "numpy matplotlib",
        "tournament": "numpy typer rich pyarrow",
        "tournament.check": "",
        "twentyone.devs": "typer matplotlib",
        "twentyone.mancala": "typer z3 numpy rich",
        "twentyone.mancala.core": "",
        "twentyone.mancala.model": "",
        "twentyone.mancala.solving": "numpy numba",
        "twentyone.mancala.proofs": "z3",
        "qtables": "",
        "twentyone": "",
        "examples": "gymnasium numpy",
    }.items()
}
"""The outside packages that the files of a folder may import; a file belongs to the longest folder here."""

WHEN_FIRST_USED: Final = {
    "dealer": ("twentyone.policies", "twentyone.exact"),
    "player": ("twentyone.exact",),
}
"""Packages that a folder imports within functions only: a dealer and a player start without exact values."""


def test_folders_import_only_the_outside_packages_that_they_may() -> None:
    ours = set(folders_with_python()) - {"tests", "benchmarks", "docs", "examples"}
    found = []
    for module in files_of_the_project():
        if module.partition(".")[0] in ("benchmarks", "docs"):
            continue
        folder = max((each for each in OUTSIDE if f"{module}.".startswith(f"{each}.")), key=len)
        known = OUTSIDE[folder] | sys.stdlib_module_names
        if folder != "examples":
            known |= {*ours, "mypy_extensions"}  # it says something to the compiler, and does nothing
        for line, target, _ in imports_of_module(module):
            if target.partition(".")[0] not in known:
                found.append(f"{module}, line {line}: {folder} may not import {target}")
    assert found == []


def test_exact_values_are_loaded_when_first_used() -> None:
    for module in files_of_the_project():
        late = WHEN_FIRST_USED.get(module.partition(".")[0], ())
        early = [target for _, target, is_late in imports_of_module(module) if not is_late]
        assert [target for target in early if target.startswith(late)] == [], module


def test_the_contracts_have_every_package_that_is_installed() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    packages = tools["importlinter"]["root_packages"]
    assert {*packages, "tests", "benchmarks", "docs", "examples"} == set(folders_with_python())
    assert tools["setuptools"]["packages"]["find"]["include"] == [f"{name}*" for name in packages]
    assert [path.name for path in ROOT.glob("*.py")] == ["setup.py"], "Python beside the packages"
