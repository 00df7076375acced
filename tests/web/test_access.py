"""axe-core finds nothing at all, in any state of the pages, at any size, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.helpers.browser import Browser, Page
from tests.web import states
from tests.web.states import LANDSCAPE, LAPTOP, PORTRAIT, SCREEN, Scene, Walk
from tests.web.test_page import axe, overflowing

__all__ = ["axe"]  # the fixture

AT_EVERY_SIZE: Final = frozenset({"menu", "betting", "three-hands", "won", "nine"})
"""The states that people see most; the others are looked at on a phone and on a laptop."""


@pytest.fixture
def scene(browser: Browser) -> Iterator[Scene]:
    """What a walk needs; afterwards no page may have logged an error."""
    with states.open_scene(browser) as opened:
        yield opened
        errors = browser.errors()
        browser.leave_pages()
    assert errors == []


@pytest.mark.parametrize("walk", states.WALKS, ids=lambda walk: walk.__name__)
def test_nothing_is_found_in_any_state(scene: Scene, walk: Walk, axe: str) -> None:
    found = []
    for name, page in walk(scene):
        sizes = (PORTRAIT, LANDSCAPE, LAPTOP, SCREEN) if name in AT_EVERY_SIZE else (PORTRAIT, LAPTOP)
        for look in states.looks(page, sizes):
            is_first_look = look.endswith(states.THEMES[0])
            found += [f"{name} {look}: {finding}" for finding in violations(page, axe, is_first_look)]
            if is_first_look:
                found += [f"{name} {look}: {element} is cut off" for element in overflowing(page)]
    assert not found, "\n".join(found)


def violations(page: Page, axe: str, is_first_look: bool) -> list[str]:
    """All that axe-core finds in the page as it is; at a second look only what depends on colours."""
    if not page.ask("'axe' in window"):
        page.driver.execute_script(axe)
    found: list[str] = page.driver.execute_async_script(
        """const [options, done] = arguments;
        axe.run(document, { resultTypes: ["violations"], ...options }).then(
          ({ violations }) => done(violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`))),
          (error) => done([`axe does not run: ${error}`]),
        );""",
        {} if is_first_look else {"runOnly": {"type": "rule", "values": ["color-contrast"]}},
    )
    return [" ".join(finding.split()) for finding in found]
