"""The rounds that a browser keeps, in a real browser: kept, listed, seen again, exported and deleted."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from cards import Rules
from tests.helpers.browser import Page
from tests.helpers.house import House
from tests.helpers.processes import command
from tests.web import evening
from tests.web.archive import as_yours, fill, in_archive, kept_in, until_kept
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import CHIPS, VEGAS
from twentyone.exact.hand_advice import adviser_for

pytestmark = pytest.mark.check

SIXTEEN: Final = "TS 6H TC TD TH 6D 9C 9D 2C 3C 4C"
"""16 against a ten and 20; then 16 against a nine and 18."""


def cost_of_standing(rules: Rules, upcard: int) -> tuple[float, str]:
    """What it costs to stand on ten and six, and the best decision, by exact values."""
    adviser = adviser_for(rules)
    options = adviser.game.options((6, 10), upcard, is_split=False)
    best = max(options, key=lambda each: options[each])
    standing = next(value for decision, value in options.items() if decision.value == "STAND")
    return options[best] - standing, best.value


def play(page: Page, key: str = "s") -> None:
    """Answer, and go on to the next round."""
    page.until_asked()
    page.press(key)
    page.until_results()
    page.click("#next")


def your_hands(page: Page) -> None:
    page.driver.get(page.ask("location.origin") + "/hands.html")
    page.until("text('#status') !== 'Loading.'")


@pytest.fixture
def house(opened: Open) -> House:
    return opened(SIXTEEN, rules=VEGAS)


@pytest.fixture(scope="module")
def lines(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rounds that a page is told."""
    return as_yours(history)


def test_a_mistake_is_kept_with_its_cost_and_seen_again_by_keys(house: House, visit: Visit) -> None:
    page = visit(house)
    page.sit("ada")
    play(page)
    play(page)
    until_kept(page, 2)
    page.driver.get(page.ask("one('nav a[data-page=hands]').href"))
    page.until_text("#status", "2 rounds kept in this browser")
    (ten, best), (nine, best_of_nine) = cost_of_standing(VEGAS, 10), cost_of_standing(VEGAS, 9)
    assert (best, best_of_nine) == ("SURRENDER", "SURRENDER")
    assert min(ten, nine) > 0.01
    shown = page.ask("all('#mistakes tr').map((row) => all('td', row).map((cell) => cell.textContent))")
    expected = [("Ten", ten), ("Nine", nine)]
    assert shown == [
        [f"hard 16 against {upcard}", "stood once", "Surrender", f"{cost:.4f}"]
        for upcard, cost in sorted(expected, key=lambda one: -one[1])
    ]
    costs = page.ask("all('#rows tr').map((row) => text('td:nth-child(4)', row))")
    assert costs == [f"{nine:.4f}", f"{ten:.4f}"]
    facts = page.ask(
        "Object.fromEntries(all('#summary div').map((row) => [text('dt', row), text('dd', row)]))"
    )
    assert facts["Won / pushed / lost"] == "0 / 0 / 2"
    assert facts["Payoff, in bets"] == "\u22122"
    assert facts["Mistakes"] == "2 of 2"
    assert facts["Cost of mistakes, in bets"] == f"{ten + nine:.3f}"

    page.click("#mistakes tr:first-child button")
    page.until_text(".replay-text", "ada stands. A mistake, which costs")
    assert page.text(".replay-text").endswith("the best decision: surrender.")
    assert page.text("#decided li").endswith(f"Surrender was best: cost {max(ten, nine):.4f}.")
    page.press(Keys.ARROW_LEFT)
    page.until_text(".replay-text", "is asked")
    page.press(Keys.HOME)
    page.until("one('#rows tr:first-child').getAttribute('aria-current') === 'true'")
    page.press(Keys.ARROW_DOWN)
    page.until("one('#rows tr:nth-child(2)').getAttribute('aria-current') === 'true'")
    assert page.text("#replay-title").endswith("table 1, round 1")
    page.click("nav a[data-page='table']")
    page.until("document.body.dataset.connection === 'open'")


def test_chips_are_plotted_where_bets_are_asked(seated: Seated) -> None:
    page = seated(SIXTEEN, rules=CHIPS)
    evening.bet(page, 20)
    page.until_asked()
    page.press("s")
    page.until_results()
    until_kept(page, 1)
    (kept,) = kept_in(page)
    assert (kept["payoff"], kept["chips"], kept["bankroll"]) == (-1, -20, 480)
    your_hands(page)
    page.choose("#course", "bankroll")
    page.until_text("#plot p", "Bankroll, in chips: 480")
    assert "over 1 round: it ends at 480" in page.ask("one('#plot svg').getAttribute('aria-label')")


@pytest.mark.parametrize("is_of_bankroll", [False, True], ids=["of the dealer", "of a bankroll"])
def test_the_last_round_is_kept(seated: Seated, is_of_bankroll: bool) -> None:
    """The dealer says QUIT at once behind its result."""
    if is_of_bankroll:
        page = seated(SIXTEEN, rules=replace(CHIPS, bankroll=10))
        evening.bet(page, 10)
    else:
        page = seated(SIXTEEN, rules=VEGAS, rounds=1)
    page.until_asked()
    page.press("s")
    until_kept(page, 1)
    (kept,) = kept_in(page)
    assert kept["payoff"] == -1
    assert (kept["chips"], kept["bankroll"]) == ((-10, 0) if is_of_bankroll else (None, None))


def test_costs_that_are_known_are_not_lost_again(
    house: House, visit: Visit, lines: list[dict[str, Any]]
) -> None:
    """A round may be told twice; the second time, before QUIT, its costs may be missing."""
    page = visit(house)
    line = next(one for one in lines if any(hand["decisions"] for hand in one["seats"][0]["hands"]))
    without, costed = json.dumps(line), deepcopy(line)
    for hand in costed["seats"][0]["hands"]:
        for decision in hand["decisions"]:
            decision.update(cost=0.25, best="STAND")
    for told, known in ((without, False), (json.dumps(costed), True), (without, True)):
        in_archive(page, "archive.add(given[0])", told)
        (kept,) = kept_in(page)
        assert (kept["cost"] is not None) is known
        text = in_archive(page, "archive.lineOf(given[0])", kept["id"])
        assert ('"cost"' in text) is known


def test_the_export_is_a_history_that_can_be_replayed(
    house: House, visit: Visit, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    page = visit(house)
    page.sit("ada")
    play(page)
    until_kept(page, 1)
    fill(page, lines[:20])
    your_hands(page)
    page.command("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.click("#export")
    page.until_text("#status", "21 rounds exported")
    text = in_archive(page, "archive.exported().then((file) => file.text())")
    assert len(text.splitlines()) == 21
    file = tmp_path / "exported.jsonl"
    file.write_text(text, encoding="utf-8")
    done = command("replay", file, cwd=tmp_path)
    assert done.status == 0, done.err
    page.driver.get(page.ask("location.origin") + "/replay.html")
    page.find("#file").send_keys(str(file))
    page.until_text("#status", "exported.jsonl is open")
    page.until_text("#count", "21 rounds")


def test_the_oldest_give_way_and_all_are_deleted_only_after_a_question(
    house: House, visit: Visit, lines: list[dict[str, Any]]
) -> None:
    page = visit(house)
    assert fill(page, lines[:8], most=5) == 5
    times = [round_["time"] for round_ in kept_in(page)]
    assert times == sorted(line["time"] for line in lines[3:8])
    text = in_archive(page, "archive.exported().then((file) => file.text())")
    assert [json.loads(line)["round"] for line in text.splitlines()] == [4, 5, 6, 7, 8]
    your_hands(page)
    page.click("#delete")
    assert page.text("#delete-text").startswith("5 rounds will be gone")
    page.press(Keys.ESCAPE)
    page.until("!one('#delete-panel').open")
    assert in_archive(page, "archive.count()") == 5
    page.click("#delete")
    page.click("#delete-all")
    page.until_text("#status", "All rounds are deleted.")
    assert in_archive(page, "archive.count()") == 0
    assert not page.is_seen("#kept")


def test_two_tabs_keep_every_round_once(house: House, visit: Visit, lines: list[dict[str, Any]]) -> None:
    page = visit(house)
    other = page.browser.duplicate(page)
    page.until("document.body.dataset.connection === 'open'")
    for tab, some in ((page, lines[:40]), (other, lines[20:60])):  # neither waits for the other
        tab.run(
            """const { add } = await import(new URL("archive.js", one("script[src$='theme.js']").src));
            void Promise.all(given[0].map((line) => add(line))).then(() => { window.isDone = true; });""",
            [json.dumps(line) for line in some],
        )
    for tab in (page, other):
        tab.until("window.isDone")
    rounds = [round_["round"] for round_ in kept_in(page)]
    assert sorted(rounds) == list(range(1, 61))


def test_sessions_are_told_apart_by_the_time_between(
    house: House, visit: Visit, lines: list[dict[str, Any]]
) -> None:
    page = visit(house)
    evenings = [
        {**line, "time": f"2026-01-0{1 + number // 10}T20:{number % 10:02}:00.000Z"}
        for number, line in enumerate(lines[:30])
    ]
    fill(page, evenings)
    your_hands(page)
    assert page.ask("all('#sessions tr').map((row) => all('td', row)[1].textContent)") == ["10"] * 3
    assert page.ask("all('#plot .session').length") == 2
    payoff = sum(float(line["seats"][0]["payoff"]) for line in evenings)
    ended = page.text("#plot strong").replace("\u2212", "-")
    assert float(ended) == pytest.approx(payoff)


def test_the_list_is_filtered_and_turned_over(
    house: House, visit: Visit, lines: list[dict[str, Any]]
) -> None:
    page = visit(house)
    told = deepcopy(lines)
    hands = [hand for line in told for hand in line["seats"][0]["hands"]]
    decisions = [decision for hand in hands for decision in hand["decisions"]]
    for decision in decisions:
        decision.update(cost=0, best=decision["decision"])
    decisions[5].update(cost=0.25, best="HIT")
    fill(page, told)
    your_hands(page)
    assert page.text("#count") == "130 rounds, 1 to 100 shown"
    page.click("#older")
    page.until("all('#rows tr').length === 30")
    page.choose("#which", "mistakes")
    page.until_text("#count", "1 of 130 rounds")
    assert page.ask("text('td:nth-child(4)', one('#rows tr'))") == "0.2500"
    page.choose("#which", "")
    page.write("#hand", "nothing like it")
    page.until_text("#count", "No round matches.")


def test_a_browser_that_keeps_nothing_says_so(house: House, visit: Visit) -> None:
    page = visit(house)
    script = page.before_every_load("Object.defineProperty(globalThis, 'indexedDB', { value: undefined });")
    page.reload()
    page.sit("ada")
    play(page)
    page.until_asked()
    your_hands(page)
    page.until_text("#why-none", "This browser keeps nothing")
    page.never_again(script)
