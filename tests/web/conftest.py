"""A browser for the tests in this folder, and dealers whose pages it opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest

from tests.helpers.browser import WIDE, Browser, NoBrowserError, Page, open_browser
from tests.helpers.house import House, open_house
from tests.helpers.peer import LOCALHOST

Open = Callable[..., House]
"""Opens a dealer with these configuration fields."""

Visit = Callable[..., Page]
"""Opens the page of a dealer, or the page on this port, for a new visitor."""

UNHURRIED: Final = {"pause": 600.0, "decision_clock": 600.0, "bot_policy": "threshold:17"}
"""No clock runs out during a test, and the bots' policy needs no long computation."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests of a module: it takes seconds to start."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(open_browser(tmp_path_factory.mktemp("chromium")))
        except NoBrowserError as error:
            pytest.skip(str(error))
        yield started


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens dealers whose clocks do not run out during a test."""
    with ExitStack() as stack:

        def open_one(**options: Any) -> House:
            return stack.enter_context(open_house(**{**UNHURRIED, **options}))

        yield open_one


@pytest.fixture
def visit(browser: Browser, opened: Open) -> Iterator[Visit]:
    """Opens pages; afterwards none may have logged an error, or sent a request to another host.

    Where a test cuts the connections of a port, the browser itself logs whatever it was loading from there.
    """
    cut: set[int] = set()

    def visit_one(where: House | int, size: tuple[int, int] = WIDE, *, is_cut: bool = False) -> Page:
        port = where if isinstance(where, int) else where.port
        if is_cut:
            cut.add(port)
        return browser.visit(f"http://{LOCALHOST}:{port}/", size)

    yield visit_one
    errors, hosts = browser.errors(), browser.hosts()
    browser.leave_pages()
    assert [line for line in errors if not any(is_of_network(line, port) for port in cut)] == []
    assert hosts == {LOCALHOST}


def is_of_network(line: str, port: int) -> bool:
    """Whether a line of the console only says that something could not be loaded from this port."""
    here = re.escape(f"{LOCALHOST}:{port}")
    file = rf"http://{here}/\S* - Failed to load resource: net::ERR_\w+"
    socket = rf"http://{here}/\S* [\d:]+ WebSocket connection to 'ws://{here}/\S*' failed: .*"
    return re.fullmatch(f"{file}|{socket}", line.strip()) is not None
