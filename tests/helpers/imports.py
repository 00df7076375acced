"""Every import of every file of the project, wherever it stands.

Imports inside functions, under `TYPE_CHECKING` and by `import_module("name")` count like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]

NOT_OURS: Final = {"build", "dist", "node_modules"}


class Import(NamedTuple):
    """An import of a module: where it stands, what it names, and whether loading the file leaves it out."""

    line: int
    module: str
    is_late: bool


@cache
def folders_with_python() -> tuple[str, ...]:
    """The top-level folders of the project that hold Python files."""
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    own = [path for path in folders if path.name not in NOT_OURS and not (path / "pyvenv.cfg").exists()]
    return tuple(sorted(path.name for path in own if next(path.rglob("*.py"), None)))


@cache
def files_of_the_project() -> Mapping[str, Path]:
    """Every Python file but those of the tests, by the name that it is imported by."""
    folders = [ROOT / name for name in folders_with_python() if name != "tests"]
    return {module_of(path): path for folder in folders for path in sorted(folder.rglob("*.py"))}


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of_module(module: str) -> tuple[Import, ...]:
    """Every import of a file of the project."""
    path = files_of_the_project()[module]
    return tuple(imports_of(path.read_text(encoding="utf-8"), module, path.name == "__init__.py"))


def imported_files(module: str) -> set[str]:
    """The files of the project that a file imports."""
    targets = {each.module for each in imports_of_module(module)}
    return targets & files_of_the_project().keys() - {module}


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
                    yield Import(node.lineno, _member_of(origin, name.name), is_late)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield Import(node.lineno, name, is_late)
        inside = is_late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        inside = inside or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        pending += [(child, inside) for child in ast.iter_child_nodes(node)]


@cache
def _member_of(origin: str, name: str) -> str:
    """The module that `from origin import name` reaches: a module of the project, or the origin itself."""
    folder = ROOT.joinpath(*origin.split("."))
    is_module = (folder / f"{name}.py").exists() or (folder / name).is_dir()
    return f"{origin}.{name}" if is_module else origin
