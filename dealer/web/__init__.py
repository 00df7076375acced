"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import served, sources
from protocol.public_url import PublicUrl
from protocol.site import Page, Site


def site_for(names: AbstractSet[str], public_urls: Sequence[PublicUrl] = ()) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later.

    Args:
        names: the names.
        public_urls: where the world finds it.
    """
    starts = [str(url) for url in public_urls]
    return Site(_pages(), names, {PATH: lambda query, host: qr_page(query, host, starts)}, public_urls)


@cache
def _pages() -> Mapping[str, Page]:
    return served(sources())
