"""What bars the way in a page: what axe-core finds, and what can only be seen by scrolling sideways."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.browser import WIDE, Page

PORTRAIT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)
LAPTOP: Final = (1366, 768)
SCREEN: Final = (1920, 1080)
SIZES: Final = (PORTRAIT, LANDSCAPE, LAPTOP, SCREEN)

IMPACTS: Final = ("minor", "moderate", "serious", "critical")
"""How much a violation matters, in the words of axe-core."""


def axe_core() -> str:
    """The source of axe-core, which checks accessibility; skips the test where it is not installed."""
    installed = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
    path = Path(os.environ.get("AXE_CORE", installed))
    if not path.is_file():
        pytest.skip("axe-core is not installed (npm install, or AXE_CORE=its file)")
    return path.read_text(encoding="utf-8")


def barriers(
    page: Page, axe: str, *, at_every_size: bool = False, scrolls: str = "", may_be_moderate: bool = False
) -> list[str]:
    """All that is found in a page, each with how it was looked at; afterwards it is wide and light.

    Args:
        page: is looked at in all SIZES: nothing may be cut off.
        axe: the source of axe-core.
        at_every_size: whether axe-core looks at every size, and not only on a phone; for what depends on
            colours it looks once in dark, too.
        scrolls: a selector of the parts that may be scrolled sideways, if there are any.
        may_be_moderate: whether only what is serious or critical counts for axe-core.
    """
    look = partial(violations, page, axe, IMPACTS[2 * may_be_moderate :])
    found = []
    for size in SIZES:
        page.resize(*size)
        found += [f"{size}: {element} is cut off" for element in overflowing(page, scrolls)]
        if at_every_size or size == PORTRAIT:
            found += [f"{size}: {violation}" for violation in look()]
        if size == LAPTOP:
            page.media(prefers_color_scheme="dark")
            found += [f"{size}, dark: {violation}" for violation in look("color-contrast")]
            page.media(prefers_color_scheme="light")
    page.resize(*WIDE)
    return found


def violations(page: Page, axe: str, impacts: tuple[str, ...], *rules: str) -> list[str]:
    """What axe-core finds in the page as it is that matters so: against these of its rules, or any."""
    if not page.ask("'axe' in window"):
        page.driver.execute_script(axe)
    found: list[str] = page.run(
        """const options = { resultTypes: ["violations"], preload: false, ...given[0] };
        const { violations } = await axe.run(document, options);
        return violations.filter(({ impact }) => given[1].includes(impact)).flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`));""",
        {"runOnly": {"type": "rule", "values": rules}} if rules else {},
        impacts,
    )
    return [" ".join(violation.split()) for violation in found]


def overflowing(page: Page, scrolls: str = "") -> list[str]:
    """The elements that can only be seen by scrolling sideways, but not only a part that `scrolls`."""
    wide = page.ask(
        """[document.documentElement, ...all("body *:not(svg *)")].filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          const isInPart = arguments[0] && element.parentElement?.closest(arguments[0]);
          return element.checkVisibility() && !isInPart && (left < -0.5 || right > innerWidth + 0.5 ||
            element === document.documentElement && element.scrollWidth > innerWidth);
        }).map((element) => `${element.tagName} ${element.id} ${element.className}`)""",
        scrolls,
    )
    return list(wide)
