"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

import ipaddress
from importlib.resources import files
from typing import Final

from protocol.websocket import Page, Site

_FILES: Final = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
}
"""Every path that is served, and nothing else: its file in this folder and its type."""


def site_for(host: str) -> Site:
    """The pages, for a dealer that was told to listen on `host`."""
    here = files(__name__)
    pages = {path: Page(kind, (here / name).read_bytes()) for path, (name, kind) in _FILES.items()}
    return Site(pages, frozenset() if _is_address(host) else frozenset({host.lower()}))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
