"""Who may import whom: every import of every package, wherever it stands, beside one table.

Packages look down only, and what an import reaches is visible from the folder names alone. Imports inside
functions, under `TYPE_CHECKING` and by `import_module("name")` count like any other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
EVERYTHING: Final = "everything"

MAY_IMPORT: Final[Mapping[str, frozenset[str]]] = {
    package: frozenset(names.split())
    for package, names in {
        "cards": "",
        "protocol": "cards websockets",
        "support": "cards typer rich uvloop matplotlib numba",
        "support.splitmix": "numpy",
        "dealer": "cards protocol support typer",
        "dealer.bots": "player.policies player.qtable",
        "dealer.hints": "analysis.decisions analysis.exact analysis.showdown player.policies player.qtable",
        "player": "cards protocol support typer numpy",
        "player.curve": "analysis.exact",
        "player.score": "analysis.chart analysis.decisions analysis.exact analysis.grades analysis.heatmap"
        " analysis.heatmap_plots analysis.lost",
        "analysis": "cards player.curve player.learning player.policies player.qtable support typer numpy"
        " numba distributed dask matplotlib rich",
        "analysis.commands.learn": "player.options player.report player.resuming player.score",
        "devs": "cards support typer matplotlib",
        "mancala": "support typer z3 numpy numba rich",
        "qtables": "",
        "environments": "cards protocol support player.policies numpy gymnasium",
        "environments.kernels": "analysis.hand_tables",
        "examples": "gymnasium",
        "tests": EVERYTHING,
        "benchmarks": EVERYTHING,
    }.items()
}
"""What a package may import beside itself and the standard library; a module's row adds to its package's."""

WHEN_FIRST_USED: Final = {
    "dealer.bots": "player",
    "dealer.hints": "analysis",
    "player.curve": "analysis",
    "player.score": "analysis",
}
"""What a module imports within a function only, so that a dealer or a player starts without it."""

NOT_FOR_OTHERS: Final = frozenset({"tests", "benchmarks"})
GENERATED: Final = frozenset({"build", "dist"})


class Import(NamedTuple):
    """An import of a module: where it stands and what it names."""

    line: int
    module: str
    in_function: bool


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """Every import in a module's source, relative ones under their full name."""
    package = module if is_package else module.rpartition(".")[0]
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while pending:
        node, in_function = pending.pop()
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield Import(node.lineno, name.name, in_function)
            case ast.ImportFrom(module=base, names=names, level=level):
                up = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                origin = ".".join([*up, *([base] if base else [])])
                for name in names:
                    yield Import(node.lineno, member_of(origin, name.name), in_function)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield Import(node.lineno, name, in_function)
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        pending += [(child, inside) for child in ast.iter_child_nodes(node)]


def member_of(origin: str, name: str) -> str:
    """The module that `from origin import name` reaches: a module of the project, or the origin itself."""
    folder = ROOT.joinpath(*origin.split("."))
    is_module = (folder / f"{name}.py").exists() or (folder / name).is_dir()
    return f"{origin}.{name}" if is_module else origin


def faults_of(source: str, module: str, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of a module, one sentence each."""
    package = module.partition(".")[0]
    allowed = MAY_IMPORT[package] | MAY_IMPORT.get(module, frozenset())
    faults = []
    for line, target, in_function in imports_of(source, module, is_package):
        top = target.partition(".")[0]
        if top == package or top in sys.stdlib_module_names or EVERYTHING in allowed:
            is_fine = True
        else:
            is_fine = any(target == name or target.startswith(f"{name}.") for name in allowed)
        if top in NOT_FOR_OTHERS and EVERYTHING not in allowed:
            is_fine = False
        if not is_fine:
            faults.append(f"{module}, line {line}: {package} may not import {target}")
        elif WHEN_FIRST_USED.get(module) == top and not in_function:
            faults.append(f"{module}, line {line}: {target} is to be loaded when first used")
    return faults


def folders_with_python() -> list[str]:
    """The top-level folders of the project that hold Python files."""
    return sorted(
        folder.name
        for folder in ROOT.iterdir()
        if folder.is_dir()
        and not folder.name.startswith(".")
        and folder.name not in GENERATED
        and not (folder / "pyvenv.cfg").exists()
        and next(folder.rglob("*.py"), None)
    )


def modules() -> list[Path]:
    """Every Python file of the packages of the table."""
    packages = [name for name in MAY_IMPORT if "." not in name]
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("path", modules(), ids=module_of)
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert faults_of(source, module_of(path), path.name == "__init__.py") == []


def test_every_folder_with_python_has_a_row() -> None:
    assert [name for name in folders_with_python() if name not in MAY_IMPORT] == []


def test_no_python_lies_beside_the_packages() -> None:
    assert [path.name for path in ROOT.glob("*.py")] == []


@pytest.mark.parametrize(
    ("module", "source", "reached"),
    [
        ("cards.card", "import numpy", "numpy"),
        ("cards.card", "import os, numpy.linalg as la", "numpy.linalg"),
        ("cards.card", "from support import files", "support.files"),
        ("cards.card", "def late():\n    from dealer.table import Table", "dealer.table"),
        ("cards.card", "async def late():\n    import typer", "typer"),
        ("cards.card", "if TYPE_CHECKING:\n    from player.client import Client", "player.client"),
        ("cards.card", "try:\n    import uvloop\nexcept ImportError:\n    pass", "uvloop"),
        ("cards.card", "class Late:\n    import typer", "typer"),
        ("cards.card", "from importlib import import_module\nimport_module('numpy')", "numpy"),
        ("cards.card", "import importlib\nimportlib.import_module('numpy')", "numpy"),
        ("cards.card", "late = lambda: __import__('numpy')", "numpy"),
        ("cards.card", "from ..dealer import table", "dealer.table"),
        ("protocol.codec", "import typer", "typer"),
        ("protocol.codec", "from support.files import write_atomically", "support.files"),
        ("support.rules", "import numpy", "numpy"),
        ("dealer.table", "import websockets", "websockets"),
        ("dealer.table", "from player import policies", "player.policies"),
        ("dealer.bots", "from player import client", "player.client"),
        ("player.client", "import websockets.uri", "websockets.uri"),
        ("player.client", "from dealer import server", "dealer.server"),
        ("player.play", "import analysis", "analysis"),
        ("player.score", "def late():\n    from analysis import montecarlo", "analysis.montecarlo"),
        ("analysis.exact", "from player.client import Client", "player.client"),
        ("analysis.exact", "import player", "player"),
        ("devs.model", "import numpy", "numpy"),
        ("mancala.board", "import cards", "cards"),
        ("environments.course", "from analysis import hand_tables", "analysis.hand_tables"),
        ("examples.agent", "import cards", "cards"),
        ("dealer.table", "import tests.support.apps", "tests.support.apps"),
        ("cards.card", "import benchmarks", "benchmarks"),
        ("cards.card", "import cardsharp", "cardsharp"),
    ],
)
def test_what_may_not_be_imported_is_seen_wherever_it_stands(module: str, source: str, reached: str) -> None:
    (fault,) = faults_of(source, module)
    assert fault.endswith(f"{module.partition('.')[0]} may not import {reached}")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cards.card", "from __future__ import annotations\nimport enum\nfrom cards.hand import Hand"),
        ("cards.card", "from . import hand\nfrom .hand import Hand"),
        ("protocol.websocket", "from websockets.client import ClientProtocol\nimport cards"),
        ("dealer.bots", "def policies():\n    from player import policies, qtable"),
        ("dealer.hints", "def values():\n    from analysis.exact import value"),
        ("analysis.exact", "from player import qtable\nfrom player.qtable import QTable\nimport numba"),
        ("tests.test_any", "import dealer.server, tests.support.apps, hypothesis"),
    ],
)
def test_what_may_be_imported_is_no_fault(module: str, source: str) -> None:
    assert faults_of(source, module) == []


def test_what_is_loaded_when_first_used_is_not_loaded_before() -> None:
    (fault,) = faults_of("from player import policies", "dealer.bots")
    assert fault == "dealer.bots, line 1: player.policies is to be loaded when first used"
