"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import served, sources
from protocol.public_url import PublicUrl
from protocol.site import Page, Site


def site_for(names: AbstractSet[str], public_urls: Sequence[PublicUrl] = (), name: str | None = None) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later.

    Args:
        names: the names.
        public_urls: where the world finds it.
        name: its name among several dealers; None if it has none.
    """
    starts = [str(url) for url in public_urls]
    made = {PATH: lambda query, host: qr_page(query, host, starts)}
    return Site(_pages(), names, made, public_urls, name)


@cache
def _pages() -> Mapping[str, Page]:
    return served(sources())
