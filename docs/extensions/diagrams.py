"""Diagrams drawn by Graphviz while the pages are built, so that no page needs a script to draw them.

There are three: a `mermaid` block with a state diagram, which a forge draws by a script of its own;
`{drawing} COMMAND ...`, which draws what a command of the project prints for Graphviz; and `{packages}`, the
imports between packages. Where Graphviz is missing, the page has the text.
"""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT: Final = Path(__file__).parent.parent.parent

_ARROW: Final = re.compile(r"\s*(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (.*))?")
_WIDTH: Final = 40
"""Characters after which the text of an arrow is broken."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("mermaid", MermaidDirective)
    app.add_directive("drawing", DrawingDirective)
    app.add_directive("packages", PackagesDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class MermaidDirective(SphinxDirective):
    """A state diagram in Mermaid's notation."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the block."""
        lines = list(self.content)
        if lines[0] != "stateDiagram-v2":
            raise self.error(f"a diagram of the kind {lines[0]!r}: expected stateDiagram-v2")
        return [_drawn(_dot_of(lines[1:]), "\n".join(lines))]


class DrawingDirective(SphinxDirective):
    """The output of a command of the project for Graphviz."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the directive."""
        command, *arguments = shlex.split(self.arguments[0])
        script = Path(sys.executable).with_name(command)
        done = subprocess.run([script, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise self.error(done.stderr)
        return [_drawn(done.stdout, done.stdout)]


class PackagesDirective(SphinxDirective):
    """The packages that are installed, and which of them import which."""

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the directive."""
        dot = _dot_of_packages()
        return [_drawn(dot, dot)]


def _drawn(dot: str, text: str) -> nodes.Node:
    """A diagram as a picture within the page, or as text where there is no Graphviz."""
    program = shutil.which("dot")
    if program is None:
        return nodes.literal_block(text, text, language="text")
    svg = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True, check=True).stdout
    picture = svg[svg.index("<svg") :]
    return nodes.raw("", f'<div class="diagram">{picture}</div>', format="html")


def _dot_of(lines: list[str]) -> str:
    """A state diagram for Graphviz; what leaves a state as it is stands within the state's box."""
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in lines:
        arrow = _ARROW.fullmatch(line)
        if arrow is None:
            raise ValueError(f"a line of a state diagram is {line!r}: expected A --> B: text")
        ends = ("start" if arrow[1] == "[*]" else arrow[1], "end" if arrow[2] == "[*]" else arrow[2])
        arrows[ends].append(_broken(arrow[3] or ""))
    within = {one: "".join(texts) for (one, other), texts in arrows.items() if one == other}
    states = dict.fromkeys(state for ends in arrows for state in ends if state not in ("start", "end"))
    boxes = [f'  {state} [label="{state}\\n{within.get(state, "")}"];' for state in states]
    edges = [
        f'  {one} -> {other} [label="{"".join(texts)}"];'
        for (one, other), texts in arrows.items()
        if one != other
    ]
    return "\n".join(
        [
            "digraph states {",
            '  node [shape=box, style=rounded, fontname="sans-serif", fontsize=11, margin="0.2,0.1"];',
            '  edge [fontname="sans-serif", fontsize=11];',
            "  start [shape=point]; end [shape=point];",
            *boxes,
            *edges,
            "}",
        ]
    )


def _dot_of_packages() -> str:
    """The imports between the packages of the layers, without those that follow from others, for Graphviz."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (each["layers"] for each in settings["contracts"] if each["name"].startswith("Packages"))
    packages = [name for layer in layers for name in layer.split(" | ")]
    imports = {package: _imports(package, packages) for package in packages}
    edges = []
    for package in packages:
        reached = set[str]().union(*(_closure(imports, other) for other in imports[package]))
        edges += [f'  "{package}" -> "{other}";' for other in sorted(imports[package] - reached)]
    boxes = [f'  "{package}";' for package in packages if imports[package] or package == "cards"]
    head = 'digraph packages {\n  node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];'
    return "\n".join([head, *boxes, *edges, "}"])


def _imports(package: str, packages: list[str]) -> set[str]:
    """The other packages that the files of a package import."""
    found = set()
    for path in (ROOT / package.replace(".", "/")).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {f"{name.name}." for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {f"{node.module}.{name.name}." for name in node.names}
    return {
        each for each in packages if each != package and any(name.startswith(f"{each}.") for name in found)
    }


def _closure(imports: Mapping[str, set[str]], package: str) -> set[str]:
    """Everything that a package reaches by imports of imports."""
    return imports[package].union(*(_closure(imports, other) for other in imports[package]))


def _broken(text: str) -> str:
    """A text in lines of a fair length, each set flush left."""
    return "".join(f"{line}\\l" for line in wrap(text, _WIDTH))
