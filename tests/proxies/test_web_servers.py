"""nginx and Caddy in front of a real dealer, by its name and under a path, with the files of the guide."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.helpers.browser import Browser
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.proxies import guide
from tests.proxies.by_hand import played_by_command, visited_by_curl
from tests.proxies.guide import NAME
from tests.proxies.programs import SECOND, Certificate, Ports, caddy, dealing, kept_ports, needed, nginx

THIRD: Final = "127.0.0.3"

MOST: Final = 12
"""Connections from one address: more than a browser has while it loads a page."""

CASES: Final = [
    pytest.param("nginx", "", id="nginx"),
    pytest.param("nginx", "blackjack/", id="nginx under a path"),
    pytest.param("caddy", "", id="caddy"),
    pytest.param("caddy", "blackjack/", id="caddy under a path"),
]


UNDER_PATH: Final = {"location / {": guide.UNDER_PATH, "proxy_set_header Host            $host;": ""}
"""What is put in for a path; there the Host is nginx's own, as the guide says that it may be."""


@dataclass(frozen=True)
class Site:
    """A dealer behind a proxy.

    Attributes:
        folder: where both write.
        page: the address of its page.
        port: where the proxy listens.
        path: what is before the pages in a path.
    """

    folder: Path
    page: str
    port: int
    path: str

    def socket(self, trusting: ssl.SSLContext, address: str, **headers: str) -> ClientConnection:
        """A WebSocket of a visitor who comes from this address."""
        return connect(
            f"wss://localhost:{self.port}/{self.path}ws",
            ssl=trusting,
            source_address=(address, 0),
            additional_headers={name.replace("_", "-"): text for name, text in headers.items()},
            proxy=None,
        )

    @property
    def log(self) -> list[dict[str, Any]]:
        """What the dealer has noted."""
        return [json.loads(line) for line in (self.folder / "people.jsonl").read_text().splitlines()]


@contextmanager
def site(folder: Path, certificate: Certificate, program: str, path: str) -> Iterator[Site]:
    """A dealer behind this program, both as the guide says."""
    needed(program)
    with kept_ports(3) as (https, http, port), ExitStack() as stack:
        page = f"https://{NAME}:{https}/{path}"
        usual = f"https://{NAME}/{path}"
        (command,) = guide.dealers("8088", f"--public-url {usual} ")
        options = [page if word == usual else word for word in command[2:]]
        stack.enter_context(dealing(folder, port, *options, "--max-per-address", str(MOST)))
        stack.enter_context(in_front(folder, Ports(https, http), port, certificate, program, path))
        yield Site(folder, page, https, path)


def in_front(
    folder: Path, ports: Ports, dealer: int, certificate: Certificate, program: str, path: str
) -> AbstractContextManager[None]:
    if program == "caddy":
        return caddy(folder, ports, dealer, certificate, is_under_path=bool(path))
    return nginx(folder, ports, dealer, certificate, UNDER_PATH if path else {})


@pytest.mark.parametrize(("program", "path"), CASES)
def test_people_and_programs_come_and_are_told_apart(
    program: str,
    path: str,
    tmp_path: Path,
    certificate: Certificate,
    trusting: ssl.SSLContext,
    browser: Browser,
) -> None:
    with site(tmp_path, certificate, program, path) as found, ExitStack() as stack:
        page = browser.visit(found.page)
        page.sit("ada")
        page.until_asked()
        assert page.ask("location.href").startswith(found.page)
        assert visited_by_curl(tmp_path, found.page, certificate.ca) == {"200": 200, "426": 426}
        forged = [
            stack.enter_context(found.socket(trusting, SECOND, X_Forwarded_For=f"203.0.113.{number}"))
            for number in range(MOST)
        ]
        with pytest.raises(InvalidStatus, match="429"):
            found.socket(trusting, SECOND, X_Forwarded_For="203.0.113.99")
        other = stack.enter_context(found.socket(trusting, THIRD))
        for socket, name in ((forged[0], "bob"), (other, "carl")):
            socket.send(f"JOIN {name}")
            assert str(socket.recv(PATIENCE)).startswith("BEGIN")
        assert played_by_command(tmp_path, found.page, certificate.ca, "dora") == 3
        joined = {entry["name"]: entry["address"] for entry in found.log if entry["event"] == "joined"}
        assert joined == {"ada": LOCALHOST, "bob": SECOND, "carl": THIRD, "dora": LOCALHOST}
        page.leave()
    assert browser.hosts() == {NAME}
    assert browser.errors() == []
