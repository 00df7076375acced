"""Where things are on the felt, in windows of every size: nothing overlaps, is cut off, or leaves its box.

What breaks is between the sizes of known devices; so nine seats with chips, the hardest table, are looked
at in steps of 20 pixels. `make long` looks at every table at every size.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from typing import Final

import pytest

from tests.helpers.browser import INSTANT, Browser
from tests.helpers.peer import LOCALHOST
from tests.web.conftest import Open
from tests.web.language import site_in_test_language
from tests.web.sweep import Look, faults, looks, open_table, panels

WIDE_FONT, NARROW_FONT = "DejaVu Sans", "DejaVu Sans Condensed"
HEIGHTS: Final = (360, 412, 568, 664, 768, 1080)
WIDTHS: Final = range(320, 1601, 20)
FEW: Final = tuple(product((320, 360, 412, 560, 768, 932, 1024, 1366), (360, 664, 768)))
SOME: Final = tuple(product(WIDTHS, HEIGHTS)) if "EVERY_SIZE" in os.environ else FEW
SIX: Final = ((320, 568), (390, 664), (667, 375), (768, 1024), (1366, 768), (1920, 1080))
HARDEST: Final = ("betting", "split", "split-results", "results")
TABLES: Final = tuple(
    (seats, chips, font)
    for seats, chips, font in product((1, 3, 5, 9), (True, False), (WIDE_FONT, NARROW_FONT))
    if (seats, chips, font) != (9, True, WIDE_FONT)
)


def found_at(
    opened: Open, browser: Browser, sizes: Sequence[tuple[int, int]], states: Sequence[Look], font: str
) -> list[str]:
    page = browser.blank()
    page.begin_with(INSTANT)
    open_table(page, f"http://{LOCALHOST}:{opened().port}/", font)
    return faults(page, sizes, states)


def test_nine_seats_with_chips_hold_at_six_sizes(opened: Open, browser: Browser) -> None:
    states = [look for look in looks(9, chips=True) if look.name in HARDEST]
    assert found_at(opened, browser, SIX, states, "") == []


@pytest.mark.check
@pytest.mark.parametrize("height", HEIGHTS)
def test_nine_seats_with_chips_hold_at_every_width(opened: Open, browser: Browser, height: int) -> None:
    states = [look for look in looks(9, chips=True) if look.name in HARDEST or "EVERY_SIZE" in os.environ]
    sizes = [(width, height) for width in WIDTHS]
    assert found_at(opened, browser, sizes, states, WIDE_FONT) == []


@pytest.mark.check
def test_the_start_the_invitation_the_count_and_a_mistake_hold(opened: Open, browser: Browser) -> None:
    page = browser.blank()
    page.begin_with({**INSTANT, "count": "true"})
    open_table(page, f"http://{LOCALHOST}:{opened().port}/", WIDE_FONT)
    assert faults(page, SOME, [Look("start", ())]) == []
    assert faults(page, SOME, list(panels(9))) == []


@pytest.mark.check
@pytest.mark.parametrize("seats", [1, 9])
def test_the_hardest_states_hold_in_a_language_with_longer_texts(
    opened: Open, browser: Browser, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    monkeypatch.setattr("dealer.network.server.site_for", site_in_test_language)
    assert found_at(opened, browser, FEW, list(looks(seats, chips=True)), WIDE_FONT) == []


@pytest.mark.check
@pytest.mark.parametrize(("seats", "chips", "font"), TABLES)
def test_every_other_table_holds_at_some_sizes(
    opened: Open, browser: Browser, seats: int, chips: bool, font: str
) -> None:
    assert found_at(opened, browser, SOME, list(looks(seats, chips=chips)), font) == []
