"""Who may import whom: every import of every file beside one table.

Packages look down only, and so do the folders within them; what an import reaches is visible from the folder
names alone, and no file imports one that imports it, however far round.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Final

from tests.helpers.imports import (
    ROOT,
    Import,
    files_of_the_project,
    folders_with_python,
    imported_files,
    imports_of,
    imports_of_module,
)

EVERYTHING: Final = "everything"

MAY_IMPORT: Final[Mapping[str, frozenset[str]]] = {
    folder: frozenset(names.split())
    for folder, names in {
        "cards": "",
        "support": "cards typer rich uvloop matplotlib numba",
        "protocol": "cards websockets",
        "policies": "cards support numpy",
        "kernels": "cards policies support numpy numba",
        "exact": "cards policies support numpy rich matplotlib",
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
        "tournament.rounds": "cards policies exact support tournament.settings numpy",
        "tournament.replay": "cards protocol policies exact learning dealer support tournament.settings"
        " tournament.rounds typer numpy rich",
        "tournament.results": "cards protocol policies exact support tournament.settings tournament.trust"
        " tournament.entrants tournament.rounds tournament.replay numpy rich pyarrow",
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


def row_of(module: str) -> str:
    """The folder of the table that a module belongs to."""
    return max((row for row in MAY_IMPORT if is_within(module, row)), key=len)


def is_within(module: str, folder: str) -> bool:
    return module == folder or module.startswith(f"{folder}.")


def breaches(module: str, imports: Iterable[Import]) -> list[str]:
    """What is wrong with the imports of a module, one sentence each."""
    row = row_of(module)
    allowed = {row, *MAY_IMPORT[row]}
    found = []
    for line, target, is_late in imports if EVERYTHING not in allowed else ():
        top = target.partition(".")[0]
        if top not in sys.stdlib_module_names and not any(is_within(target, name) for name in allowed):
            found.append(f"{module}, line {line}: {row} may not import {target}")
        elif top in WHEN_FIRST_USED.get(row, ()) and not is_late:
            found.append(f"{module}, line {line}: {target} is to be loaded when first used")
    return found


def test_no_module_imports_what_its_folder_may_not() -> None:
    files = files_of_the_project()
    found = [breach for module in files for breach in breaches(module, imports_of_module(module))]
    assert found == []
    assert len(files) > 200, "hardly any file was found"


def test_no_file_imports_one_that_imports_it() -> None:
    graph = {module: imported_files(module) for module in files_of_the_project()}
    assert sum(map(len, graph.values())) > 500, "hardly any import was found"
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None


def test_the_table_has_a_row_for_every_folder_and_what_is_installed_has_one() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["packages"]["find"]["include"]
    folders = {name for name in MAY_IMPORT if "." not in name}
    assert set(folders_with_python()) <= folders
    assert patterns == sorted(f"{name}*" for name in folders - {"tests", "benchmarks", "docs", "examples"})
    assert [path.name for path in ROOT.glob("*.py")] == [], "Python beside the packages"


def test_what_may_not_be_imported_is_seen_wherever_it_stands() -> None:
    cases = {
        "import os, numpy.linalg as la": "numpy.linalg",
        "from support import files": "support.files",
        "def late():\n    from dealer.tables.table import Table": "dealer.tables.table",
        "async def late():\n    import typer": "typer",
        "if TYPE_CHECKING:\n    from player.client import Client": "player.client",
        "try:\n    import uvloop\nexcept ImportError:\n    pass": "uvloop",
        "class Late:\n    import typer": "typer",
        "from importlib import import_module\nimport_module('numpy')": "numpy",
        "import importlib\nimportlib.import_module('numpy')": "numpy",
        "late = lambda: __import__('numpy')": "numpy",
        "from ..dealer import console": "dealer.console",
        "import cardsharp": "cardsharp",
        "from __future__ import annotations\nimport enum\nfrom cards.hand import Hand": None,
        "from . import hand\nfrom .hand import Hand": None,
    }
    for source, reached in cases.items():
        found = [
            breach.partition(": ")[2] for breach in breaches("cards.card", imports_of(source, "cards.card"))
        ]
        assert found == ([f"cards may not import {reached}"] if reached else []), source
    late = "def policies():\n    from policies import names\n    import exact.named"
    assert breaches("dealer.lobby.bots", imports_of(late, "dealer.lobby.bots")) == []
    (breach,) = breaches("dealer.lobby.bots", imports_of("from exact import named", "dealer.lobby.bots"))
    assert breach == "dealer.lobby.bots, line 1: exact.named is to be loaded when first used"
