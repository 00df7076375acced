"""The QR code of a link to a table: a picture of this dealer's own address, and of no other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from protocol.site import Page

if TYPE_CHECKING:
    from segno import QRCode

PATH: Final = "/qr.svg"

LONGEST_LINK: Final = 124
"""Characters of a link: ample for a host's name, a port, the name of a dealer and a table's number."""

MASK: Final = 3
"""Which of the standard's eight patterns is laid over a code. Readers take any, and to choose the best one
takes three quarters of the time of drawing, in which the dealer's loop stands still."""

QUIET: Final = 4
"""Modules of empty margin, which the standard asks for."""


_PLACE: Final = "#table={0}|[?]dealer=[0-9A-Za-z]{{1,16}}(?:&table={0})?".format("[1-9][0-9]{0,8}")
"""A table there, and among several dealers the one that has it."""

_LINK: Final = re.compile(rf"(https?://([^/?#]+)/(?:[\w.~-]+/)*)(?:{_PLACE})?", re.ASCII)
_PLAIN_HOST: Final = re.compile(r"(?:\[[^\]]+\]|[^:]+)(?::[1-9][0-9]{0,4})?")
"""A name or an address, and perhaps a port; with zeros before the port links would be longer than needed."""


def qr_page(query: str, host: str, public: Sequence[str] = ()) -> Page | None:
    """The code of the link that a query names as its `text`, as a picture of dark modules on white.

    Args:
        query: the text after the `?`.
        host: the Host header, which the link has to name.
        public: the addresses of its first page by which the world finds the dealer; a link may also begin so.

    Returns:
        None unless it is a link to this dealer's first page, or to a table there (`#table=N`), or at another
        dealer behind the same address (`?dealer=NAME&table=N`). The page may be below a path: a proxy may
        have put the dealer there.
    """
    texts = parse_qs(query).get("text", [])
    if len(texts) != 1 or len(texts[0]) > LONGEST_LINK or not _is_own(texts[0], host, public):
        return None
    return Page("image/svg+xml", _drawn(texts[0]))


def _is_own(link: str, host: str, public: Sequence[str]) -> bool:
    match = _LINK.fullmatch(link)
    if match is None:
        return False
    is_asked_by = match[2].lower() == host.lower() and _PLAIN_HOST.fullmatch(host) is not None
    return is_asked_by or match[1] in public


def code_text(link: str) -> str:
    """The code of a link as lines of blocks: two modules to a character, the light ones drawn."""
    text = StringIO()
    _code(link).terminal(text, border=QUIET, compact=True)
    return text.getvalue()


@lru_cache(maxsize=128)
def _drawn(link: str) -> bytes:
    picture = BytesIO()
    _code(link).save(
        picture, kind="svg", border=QUIET, dark="#000", light="#fff", omitsize=True, xmldecl=False
    )
    return picture.getvalue()


def _code(link: str) -> QRCode:
    import segno  # a dealer whose links are never shown does not need it

    return segno.make_qr(link, error="m", mask=MASK)
