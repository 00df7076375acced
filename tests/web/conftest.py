"""A browser for the tests in this folder, and dealers whose pages it opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import pytest

from tests.helpers.browser import INSTANT, WIDE, Browser, NoBrowserError, Page, open_browser
from tests.helpers.house import House, deal, open_house
from tests.helpers.peer import LOCALHOST
from tests.web.access import axe_core
from tests.web.archive import rounds_of_bots
from tests.web.evening import cards_named

Open = Callable[..., House]
"""Opens a dealer whose tables deal these cards first, with these configuration fields."""

Visit = Callable[..., Page]
"""Opens the page of a dealer, or the page on this port, for a new visitor."""

Seated = Callable[..., Page]
"""Opens a dealer as `Open`, and its page in a window of this size for a visitor who sits down."""

UNHURRIED: Final = {"pause": 600.0, "decision_clock": 600.0, "bot_policy": "threshold:17", "seed": 3}
"""No clock runs out during a test, and the bots' policy needs no long computation. The cards are the same
each time: in one of twenty rounds the player has a natural, and is asked nothing."""


class SharedBrowser:
    """One browser for all tests: started when the first needs it, and again behind a test that failed."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._stack = ExitStack()
        self._running: Browser | None = None
        self._problem: NoBrowserError | None = None

    def get(self) -> Browser:
        if self._problem is not None:
            raise self._problem
        if self._running is None:
            try:
                self._running = self._stack.enter_context(open_browser(self._folders.mktemp("chromium")))
            except NoBrowserError as problem:
                self._problem = problem
                raise
        return self._running

    def close(self) -> None:
        self._running = None
        self._stack.close()


@pytest.fixture(scope="session")
def shared_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBrowser]:
    shared = SharedBrowser(tmp_path_factory)
    yield shared
    shared.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest, shared_browser: SharedBrowser) -> Iterator[Browser]:
    """The browser, without a page of another test."""
    failed = request.session.testsfailed
    try:
        running = shared_browser.get()
    except NoBrowserError as problem:
        pytest.skip(str(problem))
    yield running
    if request.session.testsfailed > failed:
        shared_browser.close()
    else:
        leave(running)


def leave(browser: Browser, *cut: int) -> None:
    """Leave all pages: none may have logged an error, or sent a request to another host.

    Where a test has cut a port's connections, the browser itself logs whatever it was loading from there.
    """
    errors, hosts = browser.errors(), browser.hosts()
    browser.leave_pages()
    assert [line for line in errors if not any(is_of_network(line, port) for port in cut)] == []
    assert hosts <= {LOCALHOST, None}  # a file has no host


def is_of_network(line: str, port: int) -> bool:
    """Whether a line of the console only says that something could not be loaded from this port."""
    here = re.escape(f"{LOCALHOST}:{port}")
    file = rf"http://{here}/\S* - Failed to load resource: (net::ERR_\w+|.* status of \d+ .*)"
    socket = rf"http://{here}/\S* [\d:]+ WebSocket connection to 'ws://{here}/\S*' failed: .*"
    return re.fullmatch(f"{file}|{socket}", line.strip()) is not None


@contextmanager
def unhurried(cards: str = "", **options: Any) -> Iterator[House]:
    """A dealer whose clocks do not run out during a test."""
    with open_house(**{**UNHURRIED, **options}) as house:
        if cards:
            deal(house, cards_named(cards))
        yield house


@pytest.fixture
def opened() -> Iterator[Open]:
    with ExitStack() as stack:
        yield lambda cards="", **options: stack.enter_context(unhurried(cards, **options))


@pytest.fixture
def visit(browser: Browser, opened: Open) -> Iterator[Visit]:
    """Opens pages, in which cards come at once unless the visitor has `chosen` other settings.

    They are left before their dealers end.
    """
    cut: list[int] = []

    def visit_one(
        where: House | int,
        size: tuple[int, int] = WIDE,
        *,
        chosen: Mapping[str, str] = INSTANT,
        is_cut: bool = False,
    ) -> Page:
        port = where if isinstance(where, int) else where.port
        cut.extend([port] if is_cut else [])
        return browser.visit(f"http://{LOCALHOST}:{port}/", size, chosen)

    yield visit_one
    leave(browser, *cut)


@pytest.fixture
def seated(opened: Open, visit: Visit) -> Seated:
    def sit_down(
        cards: str = "", size: tuple[int, int] = WIDE, chosen: Mapping[str, str] = INSTANT, **options: Any
    ) -> Page:
        page = visit(opened(cards, **options), size, chosen=chosen)
        page.sit()
        return page

    return sit_down


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    return axe_core()


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Rounds of `vegas` by two bots, as a dealer writes them. Do not change them."""
    return rounds_of_bots(tmp_path_factory.mktemp("history"))
