"""The files of the pages, as they are served: scripts and styles under a path that changes with them.

An HTML file names the files beside it from its own folder, such as `table/main.js`. In what is served these
names begin with `v/` and a hash over all files, so that a browser may keep them for ever, and a dealer may
stand under any path of a host. The style sheets of a page are one file, and all modules that it needs at its
start are named in it, so that they load at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final
from urllib.parse import urljoin

from dealer.web.shell import shared_sheets, with_header
from protocol.websocket import Page

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
_REFERENCE: Final = re.compile(
    r'(?<=[ \n](?:src)=")[\w/-]+\.js(?=")|(?<=[ \n]href=")[\w/-]+\.(?:svg|webmanifest)(?=")'
)
_SHEET: Final = re.compile(r'<link rel="stylesheet" href="([\w/.-]+)">\n')
_MODULE: Final = re.compile(r'<script type="module" src="([\w/.-]+)">')
_IMPORT: Final = re.compile(r'^(?:import|export|\}) ?[^;"]*?"(\.{1,2}/[^"]+)";$', re.MULTILINE)


def served_pages() -> dict[str, Page]:
    """All pages by their paths; the first one is `/`."""
    shared = {name: Page(_TYPES["css"], body) for name, body in shared_sheets().items()}
    return served(dict(_files(files("dealer.web"), "")) | shared)


def served(sources: Mapping[str, Page]) -> dict[str, Page]:
    """The pages that come of files, which are named by their paths from the folder of the HTML files."""
    folder = f"v/{_hash(sources)}/"
    texts = texts_of(sources[TEXTS].body.decode())
    pages = {}
    for name, page in sources.items():
        if name.endswith(".html"):
            html, sheets = with_header(page.body.decode()), f"{folder}{name.removesuffix('.html')}.css"
            joined = b"\n".join(sources[each].body for each in _SHEET.findall(html))
            pages[f"/{sheets}"] = Page(_TYPES["css"], joined, is_immutable=True)
            body = _served_html(html, folder, sheets, sources, texts).encode()
            pages[f"/{name.removesuffix('index.html')}"] = replace(page, body=body)
        elif not name.endswith(".css"):
            pages[f"/{folder}{name}"] = replace(page, is_immutable=True)
    return pages


def texts_of(script: str) -> dict[str, str]:
    """The texts of the pages by their keys, without those that have a form for each number."""
    found = _TABLE.search(script)
    assert found is not None, "the table of texts is where it was"
    return {key: text for key, text in json.loads(found[1]).items() if isinstance(text, str)}


def imported(names: Iterable[str], sources: Mapping[str, Page]) -> list[str]:
    """These modules and all that they import at their start, each once."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += [urljoin(name, each) for each in _IMPORT.findall(sources[name].body.decode())]
    return list(found)


def _served_html(
    html: str, folder: str, sheets: str, sources: Mapping[str, Page], texts: Mapping[str, str]
) -> str:
    links = [f'<link rel="stylesheet" href="{sheets}">']
    links += [
        f'<link rel="modulepreload" href="{folder}{each}">'
        for each in imported(_MODULE.findall(html), sources)
    ]
    html = _REFERENCE.sub(lambda name: folder + name[0], _SHEET.sub("", html))
    html = html.replace("</head>", "\n".join([*links, "</head>"]), 1)
    return _PLACE.sub(lambda place: escape(texts[place[1]]), html)


def _hash(sources: Mapping[str, Page]) -> str:
    whole = sha256()
    for name, page in sorted(sources.items()):
        if not name.endswith(".html"):
            whole.update(b"%s\0%d\0%s" % (name.encode(), len(page.body), page.body))
    return whole.hexdigest()[:_HASH_DIGITS]


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Page]]:
    """Every file of these types in a folder and below, by its path from it."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}{each.name}/")
        elif kind := _TYPES.get(each.name.rpartition(".")[2]):
            yield path + each.name, Page(kind, each.read_bytes())
