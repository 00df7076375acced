"""The files and commands of the guide to a dealer on the internet, with other names and ports put in."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Final

from tests.helpers.pages import ROOT, blocks

GUIDE: Final = ROOT / "docs" / "how-to" / "run-on-the-internet.md"

NAME: Final = "example.org"
"""The machine of the guide."""

NGINX: Final = "/etc/nginx/sites-available/example.org"
CADDY: Final = "/etc/caddy/Caddyfile"
HAPROXY: Final = "/etc/haproxy/haproxy.cfg"

UNDER_PATH: Final = "location /blackjack/ {"
"""The line of nginx's file that the guide puts in place of `location / {`."""


def files(path: str) -> list[str]:
    """The files of the guide that go to a path, which their first lines name."""
    return ["\n".join(block.lines) + "\n" for block in blocks(GUIDE) if block.lines[0] == f"# {path}"]


def for_drained_dealers() -> str:
    """HAProxy's file with the section for dealers that drain in place of the usual one."""
    (whole,), (section,) = files(HAPROXY), files(f"{HAPROXY}, the last section")
    before, _, usual = whole.partition("\nbackend dealers\n")
    assert usual
    return f"{before}\n{section}"


def dealers(*words: str) -> list[list[str]]:
    """The words of the dealers' commands in which all of these words are."""
    lines = [line for block in blocks(GUIDE, "sh") for line in block.lines if line.startswith("dealer ")]
    return [shlex.split(line)[1:] for line in lines if all(word in line for word in words)]


def replaced(text: str, pieces: Mapping[str, str]) -> str:
    """A text of the guide with other pieces in place of these, each of which must be there.

    A piece that ends in a digit is a port: it is replaced where it is a whole number.
    """
    for piece, other in pieces.items():
        pattern = re.escape(piece) + (r"(?!\d)" if piece[-1].isdigit() else "")
        assert re.search(pattern, text), f"{piece} is not in {text}"
        text = re.sub(pattern, lambda _, other=other: other, text)  # type: ignore[misc]
    return text
