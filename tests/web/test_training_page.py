"""The page of `training --show-in-browser` in a real browser, while a dealer is learned from."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.helpers.browser import NARROW, WIDE, Browser, Page
from tests.helpers.processes import dealing, finish
from tests.player.test_show_in_browser import ENDLESS, no_window, shown
from tests.web.test_page import axe, barriers, overflowing

__all__ = ["axe", "no_window"]

pytest.importorskip("matplotlib")


@pytest.fixture
def page(browser: Browser, tmp_path: Path, no_window: None) -> Iterator[Page]:
    """The page of a run that goes on until its test has ended it by Ctrl-C."""
    with ExitStack() as stack:
        port = stack.enter_context(dealing(tmp_path))
        run, address = shown(tmp_path, port, ENDLESS)
        stack.callback(run.kill)
        page = browser.visit(address)
        yield page
        run.send_signal(signal.SIGINT)
        page.until("document.body.dataset.last === 'true'")
        assert page.status == "Training has ended: it was interrupted."
        assert finish(run).status == 130
        # The last picture stays without the server.
        assert page.ask("one('#picture').naturalWidth") > 1000
    errors, hosts = browser.errors(), browser.hosts()
    browser.leave_pages()
    assert errors == []
    assert hosts == {"127.0.0.1"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_shows_what_grows_and_has_no_barriers(page: Page, axe: str, scheme: str) -> None:
    page.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    assert page.status in ("Waiting for the dealer's first round.", "Training goes on.")
    page.until("all('#grids table').length === 6 && one('path.value')?.getTotalLength() > 0")
    assert "are the best." in page.text("#words")
    rounds = page.text("#figures dd")
    page.until("text('#figures dd') !== arguments[0]", rounds)
    for size in (NARROW, WIDE, (844, 390), (1920, 1080)):
        page.resize(*size)
        assert overflowing(page) == []
    assert barriers(page, axe) == []
