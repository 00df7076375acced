"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import served_pages
from protocol.websocket import Site


def site_for(names: AbstractSet[str]) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later."""
    return Site(served_pages(), names, {PATH: qr_page})
