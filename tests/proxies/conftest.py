"""A certificate and a browser that trusts it, for dealers behind the real programs."""

from __future__ import annotations

import base64
import hashlib
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.authority import Authority
from tests.helpers.browser import Browser, NoBrowserError, open_browser
from tests.helpers.peer import LOCALHOST
from tests.proxies.guide import NAME
from tests.proxies.programs import Certificate, needed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests start programs and a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.check)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for the machine of the guide; the authority's own is in its chain."""
    needed("openssl")
    folder = tmp_path_factory.mktemp("authority")
    authority = Authority(folder)
    own, key = authority.certificate(NAME, "localhost", LOCALHOST)
    chain, both = folder / "chain.pem", folder / "both.pem"
    chain.write_text(own.read_text() + authority.ca.read_text())
    both.write_text(chain.read_text() + key.read_text())
    return Certificate(authority.ca, chain, key, both)


@pytest.fixture(scope="session")
def trusting(certificate: Certificate) -> ssl.SSLContext:
    """For programs that trust the authority of the tests."""
    return ssl.create_default_context(cafile=certificate.ca)


@pytest.fixture(scope="session")
def running_browser(
    certificate: Certificate, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser | NoBrowserError]:
    flags = (
        f"--host-resolver-rules=MAP {NAME} {LOCALHOST}",
        f"--ignore-certificate-errors-spki-list={_pin(certificate.ca)}",
    )
    try:
        with open_browser(tmp_path_factory.mktemp("chromium"), *flags) as browser:
            yield browser
    except NoBrowserError as problem:
        yield problem


@pytest.fixture
def browser(running_browser: Browser | NoBrowserError) -> Iterator[Browser]:
    """A browser that trusts the authority, and finds the machine of the guide here."""
    if isinstance(running_browser, NoBrowserError):
        pytest.skip(str(running_browser))
    yield running_browser
    running_browser.leave_pages()


def _pin(ca: Path) -> str:
    """The key of an authority as chromium names it: the hash of its public half."""
    public = subprocess.run(
        ["openssl", "x509", "-in", ca, "-pubkey", "-noout"], check=True, capture_output=True, text=True
    ).stdout
    body = "".join(line for line in public.splitlines() if not line.startswith("-----"))
    return base64.b64encode(hashlib.sha256(base64.b64decode(body)).digest()).decode()
