"""No text of the pages escapes the table of texts: shown by a language that the tests make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.browser import Browser
from tests.web import states
from tests.web.conftest import leave
from tests.web.language import escaped, site_in_test_language, translated

WALKS: tuple[states.Walk, ...] = (
    *(states.alone, states.friends, states.hidden, states.refused, states.lobby),
    *(states.replay, states.kept, states.trainer, states.count),
)
"""Those that show what no other does."""


def test_the_language_has_longer_texts_no_plain_letter_and_the_same_places() -> None:
    assert translated("Hit") == "[Ĥîţ~]"
    assert translated("You have {total}, {name}.") == "[Ýöû ĥåṽé {total}, {name}.~~~~]"


@pytest.fixture
def scenes(
    browser: Browser, history: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[states.Scene]]:
    """A scene whose dealers serve their pages in that language."""
    monkeypatch.setattr("dealer.network.server.site_for", site_in_test_language)
    with states.open_scene(browser, history) as opened:
        yield [opened]
        leave(browser, *opened.cut)


@pytest.mark.check
def test_no_text_of_a_page_is_anywhere_else(scenes: list[states.Scene]) -> None:
    (scene,) = scenes
    found: dict[str, str] = {}  # with the first state that shows it
    for walk in WALKS:
        for state, page in walk(scene):
            for text in escaped(page):
                found.setdefault(text, state)
    assert not found, "\n".join(f"{state}: {text}" for text, state in found.items())
