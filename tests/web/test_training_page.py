"""The page of `training --show-in-browser` in a real browser, while a dealer is learned from."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.helpers.browser import Browser
from tests.helpers.processes import dealing, finish
from tests.helpers.training_page import ENDLESS, no_window, shown
from tests.web.access import SIZES, barriers, overflowing
from tests.web.conftest import leave

__all__ = ["no_window"]  # a fixture

pytestmark = pytest.mark.check

pytest.importorskip("matplotlib")


@pytest.mark.usefixtures("no_window")
def test_the_page_shows_what_grows_until_ctrl_c(browser: Browser, axe: str, tmp_path: Path) -> None:
    with dealing(tmp_path) as port:
        run, address = shown(tmp_path, port, ENDLESS)
        page = browser.visit(address)
        assert page.status in ("Waiting for the dealer's first round.", "Training goes on.")
        page.until("all('#grids table').length === 6 && one('path.value')?.getTotalLength() > 0")
        assert "are the best." in page.text("#words")
        rounds = page.text("#figures dd")
        page.until("text('#figures dd') !== arguments[0]", rounds)
        for size in SIZES:
            page.resize(*size)
            assert overflowing(page) == []
        run.send_signal(signal.SIGINT)
        page.until("document.body.dataset.last === 'true'")
        assert page.status == "Training has ended: it was interrupted."
        assert finish(run).status == 130
        # The last picture stays without the server.
        assert page.ask("one('#picture').naturalWidth") > 1000
        assert barriers(page, axe, may_be_moderate=True) == []
    leave(browser)
