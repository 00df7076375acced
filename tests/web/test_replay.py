"""Rounds seen again in a real browser: of a file that a dealer has written, and of a running table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from cards import PRESETS
from tests.helpers.browser import NARROW, WIDE, Page
from tests.helpers.house import House
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.web.conftest import Open, Visit
from tests.web.test_page import axe, barriers

__all__ = ["axe"]

ROUNDS: Final = 130


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a dealer writes of a table of bots."""
    file = tmp_path_factory.mktemp("history") / "rounds.jsonl"
    options = "--rules vegas --seats 2 --bots 2 --bot-policy random --pause 0 --bot-delay 0 --seed 1 --quiet"
    command = [sys.executable, "-m", "dealer", "0", str(ROUNDS), *options.split(), "--history", str(file)]
    subprocess.run(command, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
    return file


@pytest.fixture
def house(opened: Open) -> House:
    """A table at which every round begins with the same question, whatever the cards."""
    return opened(rounds=0, rules=PRESETS["course"])


def at_replay(visit: Visit, house: House, size: tuple[int, int] = WIDE) -> Page:
    page = visit(house, size)
    page.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html")
    return page


def open_file(page: Page, file: Path) -> None:
    page.find("#file").send_keys(str(file))
    page.until("text('#status').includes(arguments[0])", file.name)
    page.until("one('#progress').hidden")


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def title(round_: int) -> str:
    return f"Table 1, round {round_},"


def test_a_file_of_a_dealer_is_played_by_keys(history: Path, house: House, visit: Visit) -> None:
    page = at_replay(visit, house)
    open_file(page, history)
    page.until_text("#now", title(1))
    first = lines_of(history)[0]
    steps = len(first["records"])
    assert page.text(".replay-place") == f"0 of {steps}"
    page.press(Keys.ARROW_RIGHT)
    assert page.text(".replay-text").startswith(f"bot-1 gets the {first['records'][0][2]}")
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


def test_the_last_step_of_every_round_shows_the_hands_and_payoffs_of_its_line(
    history: Path, house: House, visit: Visit
) -> None:
    page = at_replay(visit, house)
    lines = lines_of(history)
    page.driver.set_script_timeout(PATIENCE)
    ends = page.driver.execute_async_script(
        """const done = arguments[1];
        import("/replay/replay_view.js").then(({ stepsOf }) =>
          done(arguments[0].map((line) => stepsOf(line).at(-1))))""",
        lines,
    )
    for line, end in zip(lines, ends, strict=True):
        assert [seat["payoff"] for seat in end["seats"]] == [seat["payoff"] for seat in line["seats"]]
        for shown, told in zip(end["seats"], line["seats"], strict=True):
            hands = [(hand["cards"], hand["stake"]) for hand in told["hands"]]
            assert [(hand["cards"], str(hand["stake"])) for hand in shown["hands"]] == hands


def test_the_list_is_filtered_sorted_and_turned_over(
    history: Path, house: House, visit: Visit, tmp_path: Path
) -> None:
    lines = lines_of(history)
    lines[4]["seats"][0]["name"] = lines[4]["names"][0] = "ada"
    lines[7]["seats"][1]["hands"][0]["decisions"] = [{"options": ["HIT"], "decision": "HIT", "cost": 0.5}]
    file = tmp_path / "named.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    page = at_replay(visit, house)
    open_file(page, file)
    assert page.text("#count") == "130 rounds, 1 to 100 shown"
    page.click("#later")
    page.until_text("#now", title(101))
    assert page.ask("all('#rows tr').length") == 30
    page.write("#filter", "ADA")
    page.until_text("#now", title(5))
    assert page.text("#count") == "1 of 130 rounds"
    page.write("#filter", "nobody")
    assert page.text("#count") == "No round has that name."
    page.find("#filter").send_keys(*[Keys.BACKSPACE] * 6)
    page.click("#by-cost")
    page.until_text("#now", title(8))
    assert page.ask("text('td:last-child', one('#rows tr'))") == "0.5000"
    page.click("#rows tr:nth-child(2) button")
    page.until_text("#now", title(1))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file has no round: expected lines as `dealer --history` writes them."),
        ("\n{}\n", "Line 2: This is no round of a history: expected names, rules, records and payoffs."),
        ("hello", "Line 1: This is not a line of JSON: expected a round as `dealer --history` writes it."),
    ],
)
def test_a_faulty_file_is_refused_in_a_sentence(
    house: House, visit: Visit, tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "faulty.jsonl"
    file.write_text(text, encoding="utf-8")
    page = at_replay(visit, house)
    open_file(page, file)
    page.until_text("#status", "cannot be shown")
    assert page.status == f"faulty.jsonl cannot be shown. {sentence}"


def test_the_table_leads_to_its_last_rounds(house: House, visit: Visit) -> None:
    """With what each decision cost; a round that ends while they are looked at comes to them."""
    page = visit(house)
    page.sit()
    page.until_asked()
    page.press("s")
    page.until_results()
    link = page.ask("one('#replay').href")
    assert link == f"http://{LOCALHOST}:{house.port}/replay.html?table=1"
    replay = visit(house)
    replay.driver.get(link)
    replay.until_text("#now", title(1))
    assert replay.text("#count") == "1 round"
    replay.press(*[Keys.ARROW_RIGHT] * 40)
    replay.until("text('.replay-cost').startsWith('Decisions cost ')")
    page.press("x")
    page.until_asked()
    page.press("s")
    page.until_results()
    page.press("x")
    page.until_asked()
    replay.until_text("#count", "2 rounds")
    assert title(1) in replay.text("#now")  # what is looked at stays


def test_a_table_without_rounds_waits_for_the_first_and_gives_way_to_a_file(
    house: House, visit: Visit, history: Path
) -> None:
    page = visit(house)
    page.sit()
    page.until_asked()
    replay = visit(house)
    replay.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html?table=1")
    replay.until_text("#status", "No round of this table is over yet")
    page.press("s")
    page.until_results()
    page.press("x")
    page.until_asked()
    replay.until_text("#count", "1 round")
    assert replay.status == "The last rounds of table 1."
    open_file(replay, history)
    replay.until_text("#status", "rounds.jsonl is open. It does not say what decisions cost: `replay FILE")
    for _ in range(2):
        page.press("s")
        page.until_results()
        page.press("x")
        page.until_asked()
    assert replay.text("#count").startswith(f"{ROUNDS} rounds")


def test_a_table_that_is_not_there_is_told(house: House, visit: Visit) -> None:
    page = visit(house)
    page.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html?table=77")
    page.until_text("#status", "The dealer says: there is no table 77")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barriers(history: Path, house: House, visit: Visit, axe: str, scheme: str) -> None:
    page = at_replay(visit, house)
    page.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    open_file(page, history)
    page.until_text("#now", title(1))
    page.press(*[Keys.ARROW_RIGHT] * 40)
    assert barriers(page, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_has_the_theme_that_was_chosen_at_the_table(house: House, visit: Visit, theme: str) -> None:
    page = at_replay(visit, house)
    page.ask("localStorage.setItem('twentyone.settings', JSON.stringify({ theme: arguments[0] }))", theme)
    page.driver.refresh()
    page.until("one('.replay-page')")
    other = {"light": "dark", "dark": "light"}[theme]
    page.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": other}])
    paper = {"light": "rgb(251, 250, 245)", "dark": "rgb(12, 23, 17)"}[theme]
    assert page.ask("getComputedStyle(document.body).backgroundColor") == paper
    page.ask("localStorage.clear()")


def test_nothing_is_cut_off(history: Path, house: House, visit: Visit) -> None:
    page = at_replay(visit, house, NARROW)
    open_file(page, history)
    page.until_text("#now", title(1))
    for width, height in (NARROW, (390, 844), (844, 390), (1366, 768), (1920, 1080)):
        page.resize(width, height)
        assert page.ask("document.documentElement.scrollWidth <= innerWidth"), width


def test_a_large_file_is_read_in_pieces(history: Path, house: House, visit: Visit, tmp_path: Path) -> None:
    """More than 100 MB, as a tournament writes."""
    file = tmp_path / "large.jsonl"
    text = history.read_bytes()
    with file.open("wb") as large:
        for _ in range(100_000_000 // len(text) + 1):
            large.write(text)
    page = at_replay(visit, house)
    page.find("#file").send_keys(str(file))
    page.until("!one('#progress').hidden && one('#progress').value > 0")
    page.until("text('#status').startsWith('large.jsonl is open.')")
    page.press(Keys.END)
    page.until_text("#now", title(ROUNDS))
    assert file.stat().st_size > 100_000_000
