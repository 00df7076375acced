"""Nothing bars the way in any state of the pages: axe-core finds nothing, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.browser import Browser
from tests.web import states
from tests.web.access import barriers
from tests.web.conftest import leave
from tests.web.states import Scene, Walk

pytestmark = pytest.mark.check


@pytest.fixture
def scene(browser: Browser, history: list[dict[str, Any]]) -> Iterator[Scene]:
    """What a walk needs; its pages are left before their dealers end."""
    with states.open_scene(browser, history) as opened:
        yield opened
        leave(browser, *opened.cut)


@pytest.mark.parametrize("walk", states.WALKS, ids=lambda walk: walk.__name__)
def test_nothing_bars_the_way(scene: Scene, walk: Walk, axe: str) -> None:
    found = [f"{name} {barrier}" for name, page in walk(scene) for barrier in barriers(page, axe)]
    assert not found, "\n".join(found)
