"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache
from html import escape
from typing import Final

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import served, sources
from protocol.public_url import PublicUrl
from protocol.site import Page, Site

_NO_ADDRESSES: Final = b'<meta name="public-urls" content="">'
"""Stands in each page that makes links for others: the public addresses of the dealer are put there."""


def site_for(names: AbstractSet[str], public_urls: Sequence[PublicUrl] = (), name: str | None = None) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later.

    Args:
        names: the names.
        public_urls: where the world finds it.
        name: its name among several dealers; None if it has none.
    """
    starts = [str(url) for url in public_urls]
    made = {PATH: lambda query, host: qr_page(query, host, starts)}
    return Site(_with_addresses(_pages(), starts), names, made, public_urls, name)


def _with_addresses(pages: Mapping[str, Page], addresses: Sequence[str]) -> dict[str, Page]:
    """The pages, told the public addresses; what browsers keep for ever stays as it is."""
    told = _NO_ADDRESSES.replace(b'""', f'"{escape(" ".join(addresses))}"'.encode())
    return {
        path: page if page.is_immutable else replace(page, body=page.body.replace(_NO_ADDRESSES, told))
        for path, page in pages.items()
    }


@cache
def _pages() -> Mapping[str, Page]:
    return served(sources())
