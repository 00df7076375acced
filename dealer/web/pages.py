"""The pages as they are served: a file of HTML each, and what it needs under a path that changes with it.

An HTML file names the files beside it from its own folder, such as `table/main.js`. What is served for them
is at `v/` and a hash over all files, so that a browser may keep them for ever, and a dealer may stand under
any path of a host. The style sheets of a page are joined into one file, and so are its modules
(`twentyone.support.bundles`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from dealer.web.shell import shared_sheets, with_header
from protocol.site import Page
from twentyone.support.bundles import bundles

TEXTS: Final = "shared/texts.js"
"""The file that has all texts of the pages."""

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_HASH_DIGITS: Final = 12

_TABLE: Final = re.compile(r"^export const TEXTS = (\{\n.*?^\});$", re.MULTILINE | re.DOTALL)
_PLACE: Final = re.compile(r"\{\{([\w.-]+)\}\}")
_SHEET: Final = re.compile(r'<link rel="stylesheet" href="([\w/.-]+)">\n')
_MODULE: Final = re.compile(r'<script type="module" src="([\w/.-]+)">')
_FILE: Final = re.compile(r' (?:src="[\w/-]+\.js|href="[\w/-]+\.(?:css|svg|webmanifest))"')


def sources() -> dict[str, str]:
    """The texts of all files that the pages are made of, by their names from the folder of the HTML files."""
    return dict(_files(files("dealer.web"), "")) | shared_sheets()


def served(found: Mapping[str, str]) -> dict[str, Page]:
    """The pages that are made of these files, by their paths; the first one is `/`."""
    pages = {name: with_header(text) for name, text in found.items() if name.endswith(".html")}
    parts = {_sheet_of(name): _joined_sheets(html, found) for name, html in pages.items()}
    parts |= _scripts(list(pages.values()), found)
    parts |= {name: text for name, text in found.items() if name.endswith((".svg", ".webmanifest"))}
    folder, texts = f"v/{_hash(parts)}/", texts_of(found[TEXTS])
    kept = {f"/{folder}{name}": _page(name, text, is_immutable=True) for name, text in parts.items()}
    return kept | {
        f"/{name.removesuffix('index.html')}": _page(name, _html(name, html, folder, texts))
        for name, html in pages.items()
    }


def texts_of(script: str) -> dict[str, str]:
    """The texts of the pages by their keys, without those that have a form for each number."""
    found = _TABLE.search(script)
    assert found is not None, "the table of texts is where it was"
    return {key: text for key, text in json.loads(found[1]).items() if isinstance(text, str)}


def _scripts(pages: Sequence[str], found: Mapping[str, str]) -> dict[str, str]:
    """The bundles of the pages; and as it is what is no module, and holds up a page until it has run."""
    modules = {name: text for name, text in found.items() if name.endswith(".js")}
    plain = {name for html in pages for name in re.findall(r'<script src="([\w/.-]+)">', html)}
    return {name: modules[name] for name in plain} | bundles(
        [name for html in pages for name in _MODULE.findall(html)], modules
    )


def _joined_sheets(html: str, found: Mapping[str, str]) -> str:
    return "\n".join(found[name] for name in _SHEET.findall(html))


def _sheet_of(name: str) -> str:
    return f"{name.removesuffix('.html')}.css"


def _html(name: str, html: str, folder: str, texts: Mapping[str, str]) -> str:
    """A page with its one style sheet, the paths of its files, and the text of each `{{key}}`."""
    html = _SHEET.sub("", html).replace(
        "</head>", f'<link rel="stylesheet" href="{_sheet_of(name)}">\n</head>', 1
    )
    html = _FILE.sub(lambda file: file[0].replace('="', f'="{folder}', 1), html)
    return _PLACE.sub(lambda place: escape(texts[place[1]]), html)


def _hash(parts: Mapping[str, str]) -> str:
    whole = json.dumps(parts, sort_keys=True).encode()
    return sha256(whole).hexdigest()[:_HASH_DIGITS]


def _page(name: str, text: str, *, is_immutable: bool = False) -> Page:
    return Page(_TYPES[name.rpartition(".")[2]], text.encode(), is_immutable)


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    """Every file of these types in a folder and below, by its name from it."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in _TYPES:
            yield path + each.name, each.read_text(encoding="utf-8")
