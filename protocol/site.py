"""The answers of a dealer to clients of HTTP: its pages, or why there are none. Pure."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.public_url import PublicUrl, without_prefix
from protocol.target import Target

CONTENT_SECURITY_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect", "manifest")),
        *(f"{what} 'none'" for what in ("base-uri", "form-action", "frame-ancestors")),
    ]
)
"""The content policy of this dealer's pages: their own files and socket, and nothing inline."""

IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""A browser may keep what never changes at its path for a year, as long as caches are asked to."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file that a GET can ask for.

    Attributes:
        content_type: its media type.
        body: its bytes.
        is_immutable: whether there is never anything else at its path, so that browsers need not ask again.
    """

    content_type: str
    body: bytes
    is_immutable: bool = False

    @property
    def is_document(self) -> bool:
        """Whether somebody sees it as a page, and not as a part of one."""
        return self.content_type.startswith("text/html")


@dataclass(frozen=True, slots=True)
class Site:
    """The pages and files for HTTP clients.

    Attributes:
        pages: the files by their paths, such as `/`, which `/index.html` is too.
        hosts: the names, besides IP literals and `localhost`, that the host of a request may have.
        made: by their paths, functions that build a page from the query string and the host; they return
            None where these make no sense.
        public_urls: where the world finds the dealer. A proxy may cut off what is before the pages in a path,
            or leave it there.
        name: the dealer's name among several; None if it has none.
        is_encrypted: whether requests come by TLS: those in absolute form may be for `https` then.
    """

    pages: Mapping[str, Page] = field(default_factory=dict)
    hosts: AbstractSet[str] = frozenset()
    made: Mapping[str, Callable[[str, str], Page | None]] = field(default_factory=dict)
    public_urls: Sequence[PublicUrl] = ()
    name: str | None = None
    is_encrypted: bool = False

    def knows(self, target: Target) -> bool:
        """Whether a request is for this dealer, by its host and by the origin of the page it comes from."""
        return target.is_for(self.hosts, [url.origin for url in self.public_urls])

    def is_meant(self, target: Target) -> bool:
        """Whether the query of a WebSocket's address names this one of several dealers, or none."""
        named = parse_qs(target.query).get("dealer")
        return self.name is None or named is None or named == [self.name]

    def paths(self, path: str) -> Iterator[str]:
        """The paths that a request may mean: as it is, and without what a proxy has not cut off."""
        yield path
        if (rest := without_prefix(path, self.public_urls)) != path:
            yield rest

    def folder(self, path: str) -> str | None:
        """The path of the first page where this one lacks only the slash at its end, or None."""
        return next((url.path for url in self.public_urls if url.path == f"{path}/"), None)


@dataclass(frozen=True, slots=True)
class Closed:
    """The reason why nobody is let in by a connection.

    Attributes:
        status: the status of the answer to a client of HTTP.
        sentence: what everybody is told.
        moved_to: where the pages are instead; None for nowhere.
    """

    status: HTTPStatus
    sentence: str
    moved_to: PublicUrl | None = None


Admit = Callable[[Sequence[str]], Closed | None]
"""Told the X-Forwarded-For headers of a request; why it is not answered, or None."""


def admit_all(_: Sequence[str]) -> None:
    """Answer every request."""


def page_response(page: Page, request: Request, *, stays: bool) -> Response:
    """The answer that has a page.

    Args:
        page: the page.
        request: what was asked.
        stays: whether another request may follow.
    """
    is_compressed = _takes_gzip(request.headers.get_all("Accept-Encoding"))
    body = compressed(page.body) if is_compressed else page.body
    headers = Headers(
        [
            ("Content-Type", page.content_type),
            *([("Content-Encoding", "gzip")] if is_compressed else []),
            ("Vary", "Accept-Encoding"),
            ("Content-Length", str(len(body))),
            ("Connection", "keep-alive" if stays else "close"),
            ("Cache-Control", IMMUTABLE if page.is_immutable else "no-cache"),
            ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
            ("X-Content-Type-Options", "nosniff"),
        ]
    )
    return Response(HTTPStatus.OK, "OK", headers, body)


@lru_cache(maxsize=256)
def compressed(body: bytes) -> bytes:
    """A page's bytes as a client gets them that takes gzip: the same bytes each time, made once."""
    return gzip.compress(body, mtime=0)


def _takes_gzip(fields: Sequence[str]) -> bool:
    """Whether an Accept-Encoding names gzip itself, and not with a weight of zero (RFC 9110, 12.5.3)."""
    codings = [coding.replace(" ", "").replace("\t", "").lower() for coding in ",".join(fields).split(",")]
    return any(re.fullmatch(r"gzip(;q=(?!0(\.0*)?$)[0-9.]+)?", coding) for coding in codings)
