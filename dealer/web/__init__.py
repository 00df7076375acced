"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import served, sources
from protocol.websocket import Page, Site


def site_for(names: AbstractSet[str]) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later."""
    return Site(_pages(), names, {PATH: qr_page})


@cache
def _pages() -> Mapping[str, Page]:
    return served(sources())
