"""Docstrings as autodoc takes them: Google's sections, and plain text with code between backticks."""

from __future__ import annotations

import re
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.util.docstrings import prepare_docstring

_VALUES: Final = ("attribute", "data", "property")
"""Their docstrings have no sections, though a colon may stand in them."""

_CODE: Final = re.compile(r"(``.+?``|`[^`]+`)(?=(\w?))")
_ARRAY: Final = re.compile(r"[\w.~]*ndarray\[tuple\[[^]]*\], [\w.~]*dtype\[([^]]*)\]\]")
_MARKUP: Final = re.compile(r"[*|\\]|(?<=\w)_(?!\w)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-process-signature", _shorten)
    app.connect("doctree-read", _punctuate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process(app: Sphinx, what: Any, name: str, item: object, options: Any, lines: list[str]) -> None:
    """Turn a docstring into markup."""
    if what in _VALUES and _is_of_its_type(item, lines):
        lines.clear()
    lines[:] = _escaped("\n".join(lines)).split("\n")
    if what not in _VALUES:
        config: Any = Config(napoleon_use_ivar=True, napoleon_attr_annotations=False)
        lines[:] = GoogleDocstring(lines, config, app, what, name, item, options).lines()


def _is_of_its_type(item: object, lines: list[str]) -> bool:
    """Whether a text is the docstring of a value's type, which says nothing of the value."""
    of_the_type = type(item).__doc__
    return isinstance(of_the_type, str) and _words(lines) == _words(prepare_docstring(of_the_type))


def _words(lines: list[str]) -> list[str]:
    return " ".join(lines).split()


def _escaped(text: str) -> str:
    """The text with everything that would be markup outside of code escaped."""
    parts, end = [], 0
    for code in _CODE.finditer(text):
        # Markup ends before a letter, as in "`Round`s", only with a break that is not seen.
        parts += [_MARKUP.sub(r"\\\g<0>", text[end : code.start()]), code[1], "\\ " if code[2] else ""]
        end = code.end()
    return "".join([*parts, _MARKUP.sub(r"\\\g<0>", text[end:])])


def _shorten(
    app: Sphinx, what: str, name: str, item: object, options: Any, arguments: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Write the type of an array without its shape, of which types say nothing: `ndarray[float64]`."""
    shorter = [text and _ARRAY.sub(r"ndarray[\1]", text) for text in (arguments, returned)]
    return shorter[0], shorter[1]


def _punctuate(app: Sphinx, doctree: nodes.document) -> None:
    """Put a colon between an argument or an error and its meaning, where Sphinx puts two hyphens."""
    for text in list(doctree.findall(nodes.Text)):
        if text.astext() == " -- ":
            text.parent.replace(text, nodes.Text(": "))
