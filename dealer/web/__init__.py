"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from dealer.web.invitation import PATH, qr_page
from protocol.websocket import Page, Site

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


_TABLE: Final = re.compile(r"^export const TEXTS = (\{\n.*?^\});$", re.MULTILINE | re.DOTALL)
_PLACE: Final = re.compile(r"\{\{([\w.-]+)\}\}")


def site_for(names: AbstractSet[str]) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later."""
    folder = files(__name__)
    table = texts_of((folder / "shared/texts.js").read_text(encoding="utf-8"))
    pages = {
        path: Page(page.content_type, filled(page.body.decode(), table).encode())
        if page.content_type == _TYPES["html"]
        else page
        for path, page in _pages(folder, "/")
    }
    return Site(pages, names, {PATH: qr_page})


def texts_of(script: str) -> dict[str, str]:
    """The texts of the pages by their keys, without those that have a form for each number."""
    found = _TABLE.search(script)
    assert found is not None, "shared/texts.js has the table"
    return {key: text for key, text in json.loads(found[1]).items() if isinstance(text, str)}


def filled(html: str, texts: Mapping[str, str]) -> str:
    """A page with the text of each `{{key}}`."""
    return _PLACE.sub(lambda place: escape(texts[place[1]]), html)


def _pages(folder: Traversable, path: str) -> Iterator[tuple[str, Page]]:
    """Every file of these types in a folder, each under its path here, and the first page as `/`."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _pages(each, f"{path}{each.name}/")
        elif kind := _TYPES.get(each.name.rpartition(".")[2]):
            yield path + each.name.removeprefix("index.html"), Page(kind, each.read_bytes())
