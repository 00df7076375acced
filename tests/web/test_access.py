"""Nothing bars the way in any state of the pages: axe-core finds nothing, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.helpers.browser import Browser
from tests.web import states
from tests.web.access import barriers
from tests.web.conftest import leave
from tests.web.states import Scene, Walk

pytestmark = pytest.mark.check

AT_EVERY_SIZE: Final = frozenset({"menu", "three-hands", "nine"})
"""The states that people see most, or that differ most with the size."""


@pytest.fixture
def scene(browser: Browser, history: list[dict[str, Any]]) -> Iterator[Scene]:
    """What a walk needs; its pages are left before their dealers end."""
    with states.open_scene(browser, history) as opened:
        yield opened
        leave(browser, *opened.cut)


@pytest.mark.parametrize("walk", states.WALKS, ids=lambda walk: walk.__name__)
def test_nothing_bars_the_way(scene: Scene, walk: Walk, axe: str) -> None:
    found = [
        f"{name} {barrier}"
        for name, page in walk(scene)
        for barrier in barriers(page, axe, at_every_size=name in AT_EVERY_SIZE)
    ]
    assert not found, "\n".join(found)
