"""Who may import whom: every import of every file, wherever it stands, beside one table.

Packages look down only, and so do the folders within them; what an import reaches is visible from the folder
names alone, and no file imports one that imports it, however far round. Imports inside functions, under
`TYPE_CHECKING` and by `import_module("name")` count like any other.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
EVERYTHING: Final = "everything"

MAY_IMPORT: Final[Mapping[str, frozenset[str]]] = {
    folder: frozenset(names.split())
    for folder, names in {
        "cards": "",
        "support": "cards typer rich uvloop matplotlib numba",
        "protocol": "cards websockets",
        "policies": "cards support numpy",
        "kernels": "cards policies support numpy numba",
        "exact": "cards policies support kernels.hand_tables numpy rich matplotlib",
        "learning": "cards policies kernels exact support numpy typer matplotlib",
        "dealer": "cards protocol support twentyone_start typer",
        "dealer.tables": "cards protocol support",
        "dealer.lobby": "cards protocol support policies exact dealer.tables",
        "dealer.web": "protocol segno",
        "dealer.network": "cards protocol support dealer.tables dealer.lobby dealer.web",
        "player": "cards protocol policies exact learning support typer numpy",
        "environments": "cards protocol policies kernels exact twentyone_start gymnasium numpy PIL",
        "analysis.work": "support typer distributed dask",
        "analysis.studies": "cards policies kernels exact learning support analysis.work numpy",
        "analysis.figures": "cards policies exact support analysis.studies numpy matplotlib",
        "analysis": "cards policies kernels exact learning support numpy typer rich",
        "tournament": "cards protocol policies kernels exact learning dealer player support"
        " numpy typer rich pyarrow",
        "tournament.check": "cards protocol dealer.tables support tournament.playing.confine",
        "tournament.replay": "cards protocol policies exact learning dealer support tournament.settings"
        " tournament.playing.schedule tournament.results.costs typer numpy rich",
        "devs": "cards support typer matplotlib",
        "mancala.core": "support",
        "mancala.model": "support mancala.core",
        "mancala.solving": "support mancala.core numpy numba",
        "mancala.proofs": "support mancala.core mancala.model z3",
        "mancala": "support typer z3 numpy rich",
        "qtables": "",
        "twentyone_start": "",
        "examples": "gymnasium numpy",
        "tests": EVERYTHING,
        "benchmarks": EVERYTHING,
        "docs": EVERYTHING,
    }.items()
}
"""What the files of a folder may import beside their own folder and the standard library.

A file belongs to the longest folder here that its name begins with; a file of a package that lies in none of
the package's folders here may import all of them.
"""

WHEN_FIRST_USED: Final[Mapping[str, frozenset[str]]] = {
    "dealer.lobby": frozenset({"policies", "exact"}),
    "player": frozenset({"exact"}),
}
"""What a folder imports within functions only: a dealer and a player start without the exact values."""

NOT_FOR_OTHERS: Final = frozenset(
    {"player", "dealer", "analysis", "tournament", "devs", "mancala", "tests", "benchmarks", "docs"}
)
"""What nothing imports but tests, benchmarks and the documentation, which is made from the code."""

BUT_FOR: Final[Mapping[str, frozenset[str]]] = {"tournament": frozenset({"player", "dealer"})}
"""Who imports some of it all the same: a tournament brings dealers and players together."""

GENERATED: Final = frozenset({"build", "dist"})


class Import(NamedTuple):
    """An import of a module: where it stands, what it names, and whether loading the file leaves it out."""

    line: int
    module: str
    is_late: bool


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """Every import in a module's source, relative ones under their full name."""
    package = module if is_package else module.rpartition(".")[0]
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while pending:
        node, is_late = pending.pop()
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield Import(node.lineno, name.name, is_late)
            case ast.ImportFrom(module=base, names=names, level=level):
                up = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                origin = ".".join([*up, *([base] if base else [])])
                for name in names:
                    yield Import(node.lineno, member_of(origin, name.name), is_late)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield Import(node.lineno, name, is_late)
        inside = is_late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        inside = inside or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        pending += [(child, inside) for child in ast.iter_child_nodes(node)]


def member_of(origin: str, name: str) -> str:
    """The module that `from origin import name` reaches: a module of the project, or the origin itself."""
    folder = ROOT.joinpath(*origin.split("."))
    is_module = (folder / f"{name}.py").exists() or (folder / name).is_dir()
    return f"{origin}.{name}" if is_module else origin


def row_of(module: str) -> str:
    """The folder of the table that a module belongs to."""
    return max((row for row in MAY_IMPORT if is_within(module, row)), key=len)


def is_within(module: str, folder: str) -> bool:
    """Whether a module is a folder's own, or the folder itself."""
    return module == folder or module.startswith(f"{folder}.")


def faults_of(source: str, module: str, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of a module, one sentence each."""
    row = row_of(module)
    allowed = MAY_IMPORT[row]
    if EVERYTHING in allowed:
        return []
    faults = []
    for line, target, is_late in imports_of(source, module, is_package):
        top = target.partition(".")[0]
        is_fine = top in sys.stdlib_module_names or any(is_within(target, name) for name in {row, *allowed})
        if top in NOT_FOR_OTHERS - BUT_FOR.get(row.partition(".")[0], frozenset()) and not is_within(
            module, top
        ):
            is_fine = False
        if not is_fine:
            faults.append(f"{module}, line {line}: {row} may not import {target}")
        elif top in WHEN_FIRST_USED.get(row, ()) and not is_late:
            faults.append(f"{module}, line {line}: {target} is to be loaded when first used")
    return faults


@cache
def files_of_the_project() -> Mapping[str, Path]:
    """Every file of every package but tests and benchmarks, by the name that it is imported by."""
    return {module_of(path): path for path in modules() if not path.is_relative_to(ROOT / "tests")}


def imported_files(module: str) -> Iterator[str]:
    """The files of the project that a file imports."""
    files = files_of_the_project()
    path = files[module]
    for _, target, _ in imports_of(path.read_text(encoding="utf-8"), module, path.name == "__init__.py"):
        if target in files and target != module:
            yield target


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


def test_no_file_imports_one_that_imports_it() -> None:
    graph = {module: set(imported_files(module)) for module in files_of_the_project()}
    assert sum(map(len, graph.values())) > 500, "hardly any import was found"
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None


def test_every_folder_with_python_has_a_row() -> None:
    assert [name for name in folders_with_python() if name not in MAY_IMPORT] == []


def test_what_is_installed_is_what_has_a_row() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {name for name in MAY_IMPORT if "." not in name} - {"tests", "benchmarks", "docs", "examples"}
    assert patterns == sorted(f"{name}*" for name in packages)


def test_no_python_lies_beside_the_packages() -> None:
    assert [path.name for path in ROOT.glob("*.py")] == []


@pytest.mark.parametrize(
    ("module", "source", "reached"),
    [
        ("cards.card", "import numpy", "numpy"),
        ("cards.card", "import os, numpy.linalg as la", "numpy.linalg"),
        ("cards.card", "from support import files", "support.files"),
        ("cards.card", "def late():\n    from dealer.tables.table import Table", "dealer.tables.table"),
        ("cards.card", "async def late():\n    import typer", "typer"),
        ("cards.card", "if TYPE_CHECKING:\n    from player.client import Client", "player.client"),
        ("cards.card", "try:\n    import uvloop\nexcept ImportError:\n    pass", "uvloop"),
        ("cards.card", "class Late:\n    import typer", "typer"),
        ("cards.card", "from importlib import import_module\nimport_module('numpy')", "numpy"),
        ("cards.card", "import importlib\nimportlib.import_module('numpy')", "numpy"),
        ("cards.card", "late = lambda: __import__('numpy')", "numpy"),
        ("cards.card", "from ..dealer import console", "dealer.console"),
        ("protocol.codec", "import typer", "typer"),
        ("protocol.codec", "from support.files import write_atomically", "support.files"),
        ("support.rules", "import numpy", "numpy"),
        ("policies.names", "from exact import named", "exact.named"),
        ("exact.solving", "from kernels import rounds", "kernels.rounds"),
        ("exact.solving", "import player", "player"),
        ("dealer.tables.table", "import websockets", "websockets"),
        ("dealer.tables.table", "from dealer.lobby import bots", "dealer.lobby.bots"),
        ("dealer.lobby.bots", "from player import client", "player.client"),
        ("dealer.lobby.bots", "from dealer.network import connection", "dealer.network.connection"),
        ("player.client", "import websockets.uri", "websockets.uri"),
        ("player.client", "from dealer.network import server", "dealer.network.server"),
        ("player.play", "import analysis", "analysis"),
        (
            "player.score",
            "def late():\n    from analysis.studies import montecarlo",
            "analysis.studies.montecarlo",
        ),
        ("analysis.work.shards", "from analysis.studies import learn", "analysis.studies.learn"),
        ("devs.model", "import numpy", "numpy"),
        ("mancala.core.board", "import cards", "cards"),
        ("mancala.core.board", "from mancala.solving import space", "mancala.solving.space"),
        ("environments.blackjack", "from analysis.studies import learn", "analysis.studies.learn"),
        ("examples.agent", "import cards", "cards"),
        ("dealer.tables.table", "import tests.support.apps", "tests.support.apps"),
        ("cards.card", "import benchmarks", "benchmarks"),
        ("cards.card", "import cardsharp", "cardsharp"),
    ],
)
def test_what_may_not_be_imported_is_seen_wherever_it_stands(module: str, source: str, reached: str) -> None:
    (fault,) = faults_of(source, module)
    assert fault.endswith(f"{row_of(module)} may not import {reached}")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cards.card", "from __future__ import annotations\nimport enum\nfrom cards.hand import Hand"),
        ("cards.card", "from . import hand\nfrom .hand import Hand"),
        ("protocol.websocket", "from websockets.client import ClientProtocol\nimport cards"),
        ("dealer.lobby.bots", "def policies():\n    from policies import names\n    import exact.named"),
        ("dealer.lobby.bots", "from dealer.tables.table import Table\nfrom dealer.lobby import opening"),
        ("dealer.console", "from dealer.network import server"),
        ("exact.solving", "from policies.qtable import QTable\nfrom kernels.hand_tables import HandTables"),
        ("mancala.cli", "from mancala.core import board\nimport typer"),
        ("tests.test_any", "import dealer.network.server, tests.support.apps, hypothesis"),
    ],
)
def test_what_may_be_imported_is_no_fault(module: str, source: str) -> None:
    assert faults_of(source, module) == []


def test_what_is_loaded_when_first_used_is_not_loaded_before() -> None:
    (fault,) = faults_of("from exact import named", "dealer.lobby.bots")
    assert fault == "dealer.lobby.bots, line 1: exact.named is to be loaded when first used"
