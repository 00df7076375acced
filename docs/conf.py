"""The settings of the documentation: `make docs` builds it, and takes every warning for an error."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent / "extensions"))
sys.path.insert(0, str(ROOT))  # the packages of this checkout, wherever the build is started

from twentyone import __version__  # noqa: E402

project = "twentyone"
author = "The twentyone engineers"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docstrings",
    "diagrams",
    "command_pages",
    "package_pages",
]
exclude_patterns = ["_build", "extensions"]

# Markdown. A `mermaid` block, which a forge draws, is drawn by `diagrams` here.
myst_enable_extensions = ["deflist"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 3
smartquotes = False  # two hyphens before an option stay two hyphens

# Python. Docstrings put code between single backticks.
default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
python_maximum_signature_line_length = 88

# Everything that a page needs is beside it: the theme uses the reader's own fonts, and no page loads anything
# from elsewhere.
html_theme = "furo"
html_title = "twentyone"
html_static_path = ["static"]
html_favicon = "../dealer/web/favicon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
