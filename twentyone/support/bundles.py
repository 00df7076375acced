"""The modules of a page in one file, so that a browser asks for one and not for fifty.

Each module becomes a function that is called once, in the order of the imports, and whose exports are kept by
the module's name. A module that is only imported when it is needed stays a file of its own, with what it
imports besides. What a module exports never changes, and no two import each other: the linter and a test hold
that. Comments are left out: scripts are read where they lie.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

_COMMENT: Final = re.compile(r"^ *//[^\n]*\n| */\*\*.*?\*/\n?", re.MULTILINE | re.DOTALL)
_IMPORT: Final = re.compile(r'^import (?:([^"]*?) from )?"(\.{1,2}/[^"]+)";\n', re.MULTILINE | re.DOTALL)
_LATER: Final = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')
_LATER_BY_NAME: Final = re.compile(r'\bimport\("/([^"]+)"\)')
_NAMED: Final = re.compile(r"^export ((?:async )?function\*?|const|let|class) (\w+)", re.MULTILINE)
_LISTED: Final = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)

_KEPT: Final = "globalThis.modules"
"""The exports of all modules of a page, by their names."""


class Imports:
    """Which modules import which.

    Args:
        scripts: the modules by their names, which are paths from one folder.
    """

    def __init__(self, scripts: Mapping[str, str]) -> None:
        self._first = {
            name: [_joined(name, path) for _, path in _IMPORT.findall(text)] for name, text in scripts.items()
        }
        self._later = {
            name: [_joined(name, path) for path in _LATER.findall(text)] for name, text in scripts.items()
        }

    def in_order(self, names: Iterable[str]) -> list[str]:
        """These modules and all that they import at their start, each after those that it imports."""
        found: dict[str, None] = {}

        def add(name: str) -> None:
            if name not in found:
                for each in self._first[name]:
                    add(each)
                found[name] = None

        for name in names:
            add(name)
        return list(found)

    def later(self, name: str) -> set[str]:
        """The modules that this one, or those that come of it, import when they are needed."""
        found: set[str] = set()
        waiting = self.in_order([name])
        while waiting:
            new = {each for one in waiting for each in self._later[one]} - found
            found |= new
            waiting = self.in_order(sorted(new))
        return found


def bundles(entries: Iterable[str], scripts: Mapping[str, str]) -> dict[str, str]:
    """The files for pages that begin with these modules, by the names of the modules that they stand for.

    A file for later leaves out what every page has that may load it.
    """
    scripts = {name: _COMMENT.sub("", script) for name, script in scripts.items()}
    imports = Imports(scripts)
    parts = {name: _part(name, script) for name, script in scripts.items()}
    pages = {entry: imports.in_order([entry]) for entry in entries}
    later = {entry: imports.later(entry) for entry in pages}
    chosen = dict(pages)
    for name in sorted(set().union(*later.values()) - pages.keys()):
        there = set.intersection(*(set(pages[entry]) for entry in pages if name in later[entry]))
        chosen[name] = [each for each in imports.in_order([name]) if each not in there]
    return {name: _bundle(name, [parts[each] for each in names], scripts) for name, names in chosen.items()}


def _bundle(entry: str, parts: Iterable[str], scripts: Mapping[str, str]) -> str:
    """A file that is at the place of a module, and exports the same."""
    text = "".join([f"const modules = ({_KEPT} ??= {{}});\n", *parts])
    text = _LATER_BY_NAME.sub(lambda found: f'import("{_path(entry, found[1])}")', text)
    names = ", ".join(_exported(scripts[entry]))
    return text + (f'export const {{ {names} }} = modules["{entry}"];\n' if names else "")


def _part(name: str, script: str) -> str:
    """A module as a function that returns its exports; what it imports later is named by its name."""

    def imported(found: re.Match[str]) -> str:
        what, module = found[1], f'modules["{_joined(name, found[2])}"]'
        if what is None:
            return ""
        if what.startswith("* as "):
            return f"const {what[5:]} = {module};\n"
        return f"const {what.replace(' as ', ': ')} = {module};\n"

    code = _IMPORT.sub(imported, script)
    code = _LATER.sub(lambda found: f'import("/{_joined(name, found[1])}")', code)
    code = _LISTED.sub("", _NAMED.sub(r"\1 \2", code))
    exports = ", ".join(_exported(script))
    return f'modules["{name}"] ??= (() => {{\n{code}\nreturn {{ {exports} }};\n}})();\n'


def _path(entry: str, name: str) -> str:
    """The path of a module as one imports it from the file at the place of another."""
    path = posixpath.relpath(name, posixpath.dirname(entry))
    return path if path.startswith(".") else f"./{path}"


def _exported(script: str) -> list[str]:
    listed = [name.strip() for found in _LISTED.findall(script) for name in found.split(",") if name.strip()]
    return [name for _, name in _NAMED.findall(script)] + listed


def _joined(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
