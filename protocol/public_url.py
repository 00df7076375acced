"""The address by which the world finds a dealer, apart from where it listens. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

EXPECTED: Final = (
    "expected http:// or https:// with a host, and perhaps a port and a path of letters, digits and . _ ~ -"
)

_PORTS: Final = {"http": 80, "https": 443}
_PATH: Final = re.compile(r"/(?:(?!\.{1,2}/)[\w.~-]+/)*", re.ASCII)
_NAME: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_IPV6: Final = re.compile(r"[0-9a-f:.]+")


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """A public address of a dealer.

    Attributes:
        scheme: `http` or `https`.
        name: the name or the address of its host, in small letters, an IPv6 address in brackets.
        port: the port; None for the usual one.
        path: the path of its first page, which ends in a slash.
    """

    scheme: str
    name: str
    port: int | None
    path: str

    @property
    def origin(self) -> str:
        """The origin of its pages, as browsers write it (RFC 6454, 6.2)."""
        return f"{self.scheme}://{self.name}" + ("" if self.port is None else f":{self.port}")

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers come by TLS."""
        return self.scheme == "https"

    def at(self, path: str, query: str) -> str:
        """The address of a path from the first page on."""
        return f"{self}{with_query(path.lstrip('/'), query)}"

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"


def parse_public_url(text: str) -> PublicUrl:
    """The public address that a text states; a slash at its end may be left out.

    Raises:
        ValueError: if it states none; the text is one sentence.
    """
    wrong = ValueError(f"{text!r} is no public address: {EXPECTED}, such as https://example.org/blackjack/")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise wrong from None
    name, path = _host_of(parts.hostname or ""), f"{parts.path.rstrip('/')}/"
    if parts.scheme not in _PORTS or name is None or not _PATH.fullmatch(path) or port == 0:
        raise wrong
    if parts.username is not None or parts.password is not None or "?" in text or "#" in text:
        raise wrong
    return PublicUrl(parts.scheme, name, None if port == _PORTS[parts.scheme] else port, path)


def _host_of(host: str) -> str | None:
    """A host as browsers write it; None if it can be none."""
    if ":" in host:
        return f"[{host}]" if _IPV6.fullmatch(host) else None
    try:
        name = host.encode("idna").decode().lower()
    except UnicodeError:
        return None
    return name if _NAME.fullmatch(name) else None


def with_query(path: str, query: str) -> str:
    """A path and a query as they may stand in an address."""
    where = f"{path}?{query}" if query else path
    return quote(where.encode("ascii", "surrogateescape"), safe=string.punctuation)


def without_prefix(path: str, urls: Iterable[PublicUrl]) -> str:
    """The path of a request from the first page on, where a proxy has not cut off what is before it."""
    for prefix in sorted((url.path for url in urls), key=len, reverse=True):
        if f"{path}/".startswith(prefix):
            return path[len(prefix) - 1 :] or "/"
    return path
