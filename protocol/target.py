"""Targets of HTTP requests: the host that is named, and the path there (RFC 9112, section 3.2). Pure."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from websockets.datastructures import MultipleValuesError
from websockets.http11 import Request

METHODS: Final = ("GET", "HEAD")
"""The methods that are answered; the others are refused by 405."""

SHOWN: Final = 100
"""Characters of a header that a sentence shows: a name of a host has at most 253, few have as many."""

_ABSOLUTE: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<host>[^/?#]*)(?P<path>[^#]*)")
_REQUEST_LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) [!-~]+ HTTP/1\.[01]")


class BadTargetError(Exception):
    """A request that no page can be looked up for.

    Attributes:
        status: the status of the answer.
        sentence: what was expected.
    """

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a request.

    Attributes:
        host: the name or the address of the dealer, and perhaps a port, as the client spells it; None if it
            names none, which HTTP/1.0 allows.
        path: the path, such as `/`.
        query: what stands after the `?`.
        origin: the origin of the page that a handshake comes from; None for other requests.
    """

    host: str | None
    path: str
    query: str
    origin: str | None

    def of_page(self) -> Target:
        """The same, as if it were a handshake of the page whose origin the query names.

        A page is not told why its handshake has failed: it asks in this way.
        """
        named = parse_qs(self.query).get("origin", [])
        return replace(self, origin=named[0]) if named else self

    def is_for(self, names: AbstractSet[str], origins: Sequence[str] = ()) -> bool:
        """Whether the host is one of these names, `localhost` or an IP address, and the origin fits.

        An origin fits that is the host's, or one of these. So no foreign name can be bent to reach this
        dealer, and no foreign page opens its WebSocket.
        """
        if self.host is None:
            return True  # every browser sends it; a program that speaks HTTP/1.0 need not
        name = re.sub(r":[0-9]*$", "", self.host).lower().removesuffix(".")
        if not (name == "localhost" or name in names or _is_ip_literal(name)):
            return False
        origin = None if self.origin is None else self.origin.lower()
        return origin is None or _host_of(origin) == self.host.lower() or origin in origins

    def __str__(self) -> str:
        origin = "" if self.origin is None else f" and Origin {self.origin[:SHOWN]!a}"
        return f"Host {(self.host or '')[:SHOWN]!a}{origin}"


def has_other_method(head: bytes) -> bool:
    """Whether the head of a request begins with a method that is not answered."""
    line = _REQUEST_LINE.fullmatch(head.partition(b"\r\n")[0])
    return line is not None and line[1].decode() not in METHODS


def target_of(request: Request, *, is_encrypted: bool = False) -> Target:
    """The target of a request; where it has the absolute form, by that and not by its Host.

    Args:
        request: the request.
        is_encrypted: whether it came by TLS: then it may be for `https`.

    Raises:
        BadTargetError: if it does not tell.
    """
    try:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
    except MultipleValuesError:
        raise BadTargetError(HTTPStatus.BAD_REQUEST, "expected one Host and at most one Origin") from None
    if host is None and request.protocol != "HTTP/1.0":
        raise BadTargetError(HTTPStatus.BAD_REQUEST, "expected a Host header")
    where = request.path
    if absolute := _ABSOLUTE.fullmatch(where):
        host, where = _absolute(absolute, is_encrypted)
    path, _, query = where.partition("?")
    return Target(host, path or "/", query, origin if is_handshake(request) else None)


def is_handshake(request: Request) -> bool:
    """Whether a request asks to speak something else than HTTP, as that for a WebSocket does."""
    return "Upgrade" in request.headers


def _absolute(found: re.Match[str], is_encrypted: bool) -> tuple[str, str]:
    """The host and the rest of a target in absolute form."""
    scheme, host = found["scheme"].lower(), found["host"]
    is_of_tls = scheme in ("https", "wss")
    if is_of_tls and not is_encrypted:  # RFC 9110, section 7.4: not without a certificate
        raise BadTargetError(HTTPStatus.MISDIRECTED_REQUEST, f"expected http://, not {scheme}://")
    if not (is_of_tls or scheme in ("http", "ws")) or not host or "@" in host:
        raise BadTargetError(HTTPStatus.BAD_REQUEST, "expected http:// and the host of this dealer")
    return host, found["path"]


def _host_of(origin: str) -> str:
    return origin.partition("://")[2]


def _is_ip_literal(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
