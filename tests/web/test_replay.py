"""Rounds seen again in a real browser: of a file that a dealer has written, and of a running table."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from cards import PRESETS
from tests.helpers.browser import Page
from tests.helpers.house import House
from tests.helpers.peer import LOCALHOST
from tests.web.archive import ROUNDS
from tests.web.conftest import Open, Visit

pytestmark = pytest.mark.check

PIECE: Final = 4 * 2**20
"""The bytes of a file that the page reads at once."""


@pytest.fixture
def house(opened: Open) -> House:
    """A table at which every round begins with the same question, whatever the cards."""
    return opened(rules=PRESETS["course"])


def at_replay(visit: Visit, house: House, query: str = "") -> Page:
    page: Page = visit(house)
    page.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html{query}")
    return page


def written(folder: Path, *lines: dict[str, Any]) -> Path:
    """A file of rounds."""
    file = folder / "rounds.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def open_file(page: Page, file: Path) -> None:
    page.find("#file").send_keys(str(file))
    page.until("text('#status').includes(arguments[0]) && one('#progress').hidden", file.name)


def title(round_: int) -> str:
    return f"Table 1, round {round_},"


def play_a_round(page: Page) -> None:
    """Stand, and go on to the next question."""
    page.press("s")
    page.until_results()
    page.press("x")
    page.until_asked()


def test_a_file_of_a_dealer_is_played_by_keys(
    history: list[dict[str, Any]], house: House, visit: Visit, tmp_path: Path
) -> None:
    page = at_replay(visit, house)
    open_file(page, written(tmp_path, *history))
    page.until_text("#now", title(1))
    first = history[0]
    steps = len(first["records"])
    assert (
        page.text(".replay-place") == f"{steps} of {steps}"
    )  # nothing is known of costs: it opens at its end
    page.click("#view .replay-bar button:first-child")
    assert page.text(".replay-place") == f"0 of {steps}"
    page.press(Keys.ARROW_RIGHT)
    assert page.text(".replay-text").startswith(f"bot-1 gets the {first['records'][0]['card']}")
    page.press(*[Keys.ARROW_RIGHT] * (steps + 5))
    assert page.text(".replay-place") == f"{steps} of {steps}"
    told = [seat["hands"] for seat in first["seats"]]
    shown = page.ask("all('.replay-seat').map((seat) => all('.replay-hand', seat).map(cards))")
    assert shown == [[hand["cards"] for hand in hands] for hands in told]
    page.press(Keys.ARROW_LEFT)
    assert page.text(".replay-place") == f"{steps - 1} of {steps}"
    page.press(Keys.ARROW_DOWN)
    page.until_text("#now", title(2))
    page.press(Keys.END)
    page.until_text("#now", title(ROUNDS))
    page.press(Keys.ARROW_UP)
    page.until_text("#now", title(ROUNDS - 1))
    page.press(Keys.HOME)
    page.until_text("#now", title(1))


def test_the_list_is_filtered_sorted_and_turned_over(
    history: list[dict[str, Any]], house: House, visit: Visit, tmp_path: Path
) -> None:
    lines = deepcopy(history)
    lines[4]["seats"][0]["name"] = lines[4]["names"][0] = "ada"
    lines[7]["seats"][1]["hands"][0]["decisions"] = [{"options": ["HIT"], "decision": "HIT", "cost": 0.5}]
    page = at_replay(visit, house)
    open_file(page, written(tmp_path, *lines))
    assert page.text("#count") == "130 rounds, 1 to 100 shown"
    page.click("#later")
    page.until_text("#now", title(101))
    assert page.ask("all('#rows tr').length") == 30
    page.write("#filter", "ADA")
    page.until_text("#now", title(5))
    assert page.text("#count") == "1 of 130 rounds"
    page.write("#filter", "nobody")
    assert page.text("#count") == "No round has that name."
    page.write("#filter", "")
    page.click("#by-cost")
    page.until_text("#now", title(8))
    assert page.ask("text('td:last-child', one('#rows tr'))") == "0.5000"
    page.click("#rows tr:nth-child(2) button")
    page.until_text("#now", title(1))


def test_a_table_that_is_not_there_and_a_faulty_file_are_told(
    house: House, visit: Visit, tmp_path: Path
) -> None:
    page = at_replay(visit, house, "?table=77")
    page.until_text("#status", "The dealer says: there is no table 77")
    open_file(page, written(tmp_path, {}))
    keys = "version, names, rules, records, payoffs, seats"
    refused = f"This is not a round of a history. A round has these keys: {keys}."
    page.until_text("#status", f"rounds.jsonl cannot be shown. Line 1: {refused}")


def test_a_large_file_is_read_in_pieces(
    history: list[dict[str, Any]], house: House, visit: Visit, tmp_path: Path
) -> None:
    text = written(tmp_path, *history).read_bytes()
    file = tmp_path / "large.jsonl"
    file.write_bytes(text * (4 * PIECE // len(text)))
    assert file.stat().st_size > 3 * PIECE
    page = at_replay(visit, house)
    page.ask(
        """(() => {
          window.parts = new Set();
          const look = () => one("#progress").hidden || parts.add(one("#progress").value);
          new MutationObserver(look).observe(one("#progress"), { attributes: true });
        })()"""
    )
    page.find("#file").send_keys(str(file))
    page.until("text('#status').startsWith('large.jsonl is open.')")
    assert page.ask("[...parts].filter((part) => part > 0 && part < 1).length") >= 3
    page.press(Keys.END)
    page.until_text("#now", title(ROUNDS))


def test_the_table_leads_to_its_last_rounds(house: House, visit: Visit) -> None:
    """With what each decision cost; a round that ends while they are looked at comes to them."""
    page = visit(house)
    page.sit()
    page.until_asked()
    page.press("s")
    page.until_results()
    link = page.ask("one('#replay').href")
    assert link == f"http://{LOCALHOST}:{house.port}/replay.html?table=1"
    replay = at_replay(visit, house, "?table=1")
    replay.until_text("#now", title(1))
    assert replay.text("#count") == "1 round"
    replay.press(*[Keys.ARROW_RIGHT] * 40)
    replay.until("text('.replay-cost').startsWith('Mistakes so far cost ')")
    page.press("x")
    page.until_asked()
    play_a_round(page)
    replay.until_text("#count", "2 rounds")
    assert title(1) in replay.text("#now")  # what is looked at stays


def test_a_table_without_rounds_waits_for_the_first_and_gives_way_to_a_file(
    history: list[dict[str, Any]], house: House, visit: Visit, tmp_path: Path
) -> None:
    page = visit(house)
    page.sit()
    page.until_asked()
    replay = at_replay(visit, house, "?table=1")
    replay.until_text("#status", "No round of this table has ended")
    play_a_round(page)
    replay.until_text("#count", "1 round")
    assert replay.status == "The last rounds of table 1."
    open_file(replay, written(tmp_path, *history))
    replay.until_text("#status", "rounds.jsonl is open. It does not say what decisions cost: “replay FILE")
    for _ in range(2):
        play_a_round(page)
    assert replay.text("#count").startswith(f"{ROUNDS} rounds")


@pytest.mark.parametrize(
    ("theme", "system", "paper"),
    [("light", "dark", "rgb(238, 240, 232)"), ("dark", "light", "rgb(12, 23, 17)")],
)
def test_it_has_the_theme_that_was_chosen_at_the_table(
    house: House, visit: Visit, theme: str, system: str, paper: str
) -> None:
    page = visit(house, chosen={"theme": theme})
    page.media(prefers_color_scheme=system)
    page.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html")
    page.until("one('#view.replay')")
    assert page.ask("getComputedStyle(document.body).backgroundColor") == paper
