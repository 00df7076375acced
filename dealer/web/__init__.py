"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
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


def site_for(names: AbstractSet[str]) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later."""
    return Site(dict(_pages(files(__name__), "/")), names, {PATH: qr_page})


def _pages(folder: Traversable, path: str) -> Iterator[tuple[str, Page]]:
    """Every file of these types in a folder, each under its path here, and the first page as `/`."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _pages(each, f"{path}{each.name}/")
        elif kind := _TYPES.get(each.name.rpartition(".")[2]):
            yield path + each.name.removeprefix("index.html"), Page(kind, each.read_bytes())
