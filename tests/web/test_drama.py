"""The order in which things appear in a real browser, what ends it, and the settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import Page
from tests.helpers.house import House
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import CASINO

pytestmark = pytest.mark.check

DRAWS: Final = "TS 2S TH 8H 6D 5D 2C 3C 5C"
"""12 and 18, and a dealer who turns 11 and draws to 13, 16 and 21."""

RECORDED: Final = """(() => {
  window.seen = [];
  const look = () => {
    const now = JSON.stringify({
      cards: [...all('.seat').map((seat) => cards(seat).length), cards(one('#dealer')).length],
      open: cards(one('#dealer')).filter((card) => card !== 'face-down').length,
      total: text('#dealer .total'), result: text('[data-own=true] .result'), log: all('#log p').length,
      rounds: text('#statistics div dd'), asks: isUsable(one('#hit')), title: document.title,
    });
    if (seen.at(-1) !== now) seen.push(now);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
})()"""
"""Keeps what is shown after each change of the document."""


@pytest.fixture
def house(opened: Open) -> House:
    return opened(DRAWS, rules=replace(CASINO, seats=2), bots=1)


def seen(page: Page) -> list[dict[str, Any]]:
    """What was shown since it was recorded, or asked for last."""
    shown: list[dict[str, Any]] = page.ask("seen.splice(0).map((one) => JSON.parse(one))")
    return shown


def in_order(values: Iterable[object]) -> list[object]:
    """Each value that differs from the one before."""
    return [value for value, _ in groupby(values)]


def test_cards_come_one_by_one_and_results_behind_the_last(house: House, visit: Visit) -> None:
    """With sound, which says nothing on the console either."""
    page = visit(house, chosen={"sound": "on"})
    page.ask(RECORDED)
    page.sit("ada")
    page.until_asked()
    dealt = seen(page)
    assert in_order(one["cards"] for one in dealt if sum(one["cards"])) == [
        *([1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [2, 2, 1], [2, 2, 2])
    ]
    assert all(one["cards"] == [2, 2, 2] for one in dealt if one["asks"])
    assert not any(one["title"].startswith("Your turn") for one in dealt if one["cards"] != [2, 2, 2])
    page.click("#stand")
    page.until_results()
    shown = seen(page)
    assert in_order(one["open"] for one in shown) == [1, 2, 3, 4, 5]
    assert in_order(one["total"] for one in shown) == ["", "11", "13", "16", "21"]
    ended = [one for one in shown if one["result"]]
    assert {one["result"] for one in ended} == {"Lost \N{MINUS SIGN}1"}
    assert {one["open"] for one in ended} == {5}
    early = [one for one in shown if one["open"] != 5]
    assert {one["rounds"] for one in early} == {"0"}
    assert page.statistics["Rounds"] == "1"
    assert len({one["log"] for one in early if one["open"] != 1}) == 1  # the log waits, too


def test_a_key_ends_the_dealing_and_answers_nothing(house: House, visit: Visit) -> None:
    page = visit(house, chosen={"speed": "slow"})
    page.ask(
        """new MutationObserver(() => {
          if (cards(document).length !== 2 || window.pressed) return;
          window.pressed = true;
          setTimeout(() => {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
            window.after = [cards(document).length, isUsable(one('#hit'))];
          });
        }).observe(one('#table'), { subtree: true, childList: true })"""
    )
    page.sit("ada")
    assert page.until("window.after") == [6, True]  # all cards at once, and no hit
    page.press("h")
    page.until_text("#status", "you have 14")
    assert len(page.own_cards) == 3


def test_cards_come_at_once_where_that_is_chosen_and_a_click_on_the_felt_ends_the_dealing(
    house: House, visit: Visit
) -> None:
    page = visit(house, chosen={"speed": "instant"})
    page.ask(RECORDED)
    page.sit("ada")
    page.until_asked()
    assert {sum(one["cards"]) for one in seen(page)} <= {0, 6}
    choose(page, "speed", "slow")
    page.click("#close-settings")
    page.ask(
        """new MutationObserver(() => {
          if (cards(one('#dealer')).at(1) === 'face-down' || window.clicked) return;
          window.clicked = true;
          setTimeout(() => {
            one('#table').dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
            window.phase = one('#table').dataset.phase;
          });
        }).observe(one('#table'), { subtree: true, childList: true })"""
    )
    page.click("#stand")
    assert page.until("window.phase") == "results"
    assert len(page.dealers_cards) == 5


def choose(page: Page, name: str, value: str) -> None:
    """Choose a setting in the dialog, with the mouse."""
    if not page.ask("one('#settings')?.open"):
        page.click("#settings-open")
        until_settings(page)
    page.click(f"#settings [name={name}][value={value}]")


def until_settings(page: Page) -> None:
    """Wait until the dialog is open and loaded, which it is only then."""
    page.until("one('#settings')?.open && all('#settings [type=radio]:checked').length === 9")


def test_settings_are_kept_in_the_browser(opened: Open, visit: Visit) -> None:
    house = opened()
    page = visit(house, chosen={})
    assert page.ask("all('#settings :checked').length") == 0  # nothing is loaded before it is opened
    page.press("o")
    until_settings(page)
    chosen = "all('#settings [type=radio]:checked').map(({ name, value }) => `${name} ${value}`).join()"
    rest = "stand on,mistakes on,count {},keys on,read own"
    assert page.ask(chosen) == f"theme system,suits two,speed normal,sound off,{rest.format('off')}"
    assert not page.ask("performance.getEntriesByType('resource').some(({ name }) => /sound/.test(name))")
    night = "getComputedStyle(document.body).backgroundColor"
    choose(page, "theme", "light")
    light = page.ask(night)
    choose(page, "theme", "dark")
    assert page.ask(night) != light
    choose(page, "speed", "fast")
    choose(page, "sound", "on")
    choose(page, "count", "running")
    page.until("performance.getEntriesByType('resource').some(({ name }) => /sound/.test(name))")
    page.reload()
    page.until("document.documentElement.dataset.theme === 'dark'")
    page.press("o")
    until_settings(page)
    assert page.ask(chosen) == f"theme dark,suits two,speed fast,sound on,{rest.format('running')}"


def test_the_choice_of_four_colours_is_remembered(seated: Seated) -> None:
    page = seated("TS 2H TC 8H 6D 5D", rules=replace(CASINO, seats=2), bots=1)
    page.until_asked()
    colours = "new Set(all('.card .pip').map((pip) => getComputedStyle(pip).fill)).size"
    assert page.ask(colours) == 2
    page.press("o")
    until_settings(page)
    page.click("#settings [name=suits][value=four]")
    page.press(Keys.ESCAPE)
    assert page.ask(colours) == 4
    page.reload()
    page.until_asked()
    assert page.ask(colours) == 4


def test_a_key_right_behind_the_menu_is_for_the_table(opened: Open, visit: Visit) -> None:
    page = visit(opened())
    page.ask("document.activeElement.blur()")  # so that nothing gets the focus back
    page.press("n")
    page.until("document.activeElement.id === 'name'")
    # The field of a dialog keeps the focus until the next picture, which takes long on a busy machine.
    focus = page.ask(
        """(() => {
          one("#menu").close();
          const field = document.activeElement;
          field.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
          return field.id;
        })()"""
    )
    assert focus == "name"
    page.until("one('#settings')?.open")
