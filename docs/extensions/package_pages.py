"""The reference of a package, made from its docstrings: `{package} NAME`, or with some of its modules.

A package that lists its public names in `__all__` is shown under these, by the module that defines each.
Of any other package, the modules are shown that the block names, one a line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from types import ModuleType
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FENCE: Final = "```"
LONG: Final = 60
"""Characters of a constant's value that are shown."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("package", PackageDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class PackageDirective(SphinxDirective):
    """The public names of a package, in a section for each module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the directive."""
        package = import_module(self.arguments[0])
        names = list(self.content)
        text = _modules(names) if names else _exports(package)
        return self.parse_text_to_nodes("\n".join(text), allow_section_headings=True)


def _modules(names: list[str]) -> Iterator[str]:
    """Each module with everything that it defines."""
    for name in names:
        yield from (f"## {name}", "", f"{FENCE}{{eval-rst}}", f".. automodule:: {name}", FENCE, "")


def _exports(package: ModuleType) -> Iterator[str]:
    """The names that a package exports, by the module that each comes from."""
    homes: dict[str, list[str]] = {}
    for name in package.__all__:
        homes.setdefault(_home(package, name), []).append(name)
    for home, names in sorted(homes.items()):
        yield from (f"## {home}", "", f"{FENCE}{{eval-rst}}", cleandoc(sys.modules[home].__doc__ or ""), "")
        for name in names:
            value = getattr(package, name)
            kind = "class" if isinstance(value, type) else "function" if callable(value) else "data"
            # What is said of a constant stands where it is defined.
            place = home if kind == "data" else package.__name__
            yield f".. auto{kind}:: {place}.{name}"
            if len(repr(value)) > LONG:
                yield "   :no-value:" if kind == "data" else ""
            yield ""
        yield from (FENCE, "")


def _home(package: ModuleType, name: str) -> str:
    """The module of a package that defines a name that it exports."""
    prefix = f"{package.__name__}."
    home = getattr(getattr(package, name), "__module__", "")
    if home.startswith(prefix) and getattr(sys.modules[home], name, None) is getattr(package, name):
        return home
    return next(
        module
        for module, loaded in sorted(sys.modules.items())
        if module.startswith(prefix) and getattr(loaded, name, None) is getattr(package, name)
    )
