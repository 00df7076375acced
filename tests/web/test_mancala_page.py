"""The page of a game of Mancala, opened from disk in a real browser."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from mancala.commands.page import page_of
from mancala.core.board import Board, Player, initial
from mancala.core.rules import KALAH, TEXT, Extra, Rules
from mancala.solving.games import Game, describe_step, play_game, replay_game
from mancala.solving.policies import greedy, random_by
from tests.helpers.browser import NARROW, WIDE, Browser
from tests.helpers.patience import PATIENCE

ROOT: Final = Path(__file__).parents[2]

RELAY: Final = Rules(extra=Extra.RELAY)

SHOWN: Final = """
const cells = [...document.querySelectorAll("#table td[data-cell]")];
const changed = cells.filter((cell) => cell.className === "changed").map((cell) => Number(cell.dataset.cell));
const number = document.getElementById("number").textContent;
const counts = Object.fromEntries(cells.map((cell) => [cell.dataset.cell, Number(cell.textContent)]));
return [number, Object.values(counts), changed.sort((a, b) => a - b)];
"""

PLACES: Final = """
const circle = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2, width / 2, height / 2];
};
const all = (css) => [...document.querySelectorAll(css)];
return [
  all(".pit").map(circle),
  all(".marble[data-hidden=false] circle").map(circle),
  all(".count").map((text) => Number(text.textContent)),
];
"""
"""The pits, the marbles and the numbers as they lie in the window: each pit in the order of the cells."""

ORDERS: Final = """
const inOrder = (elements) => elements
  .map((element) => [element.getBoundingClientRect().left, Number(element.dataset.cell)])
  .sort(([a], [b]) => a - b)
  .map(([, cell]) => cell);
const pits = [...document.querySelectorAll(".pit")];
return [2, 1].map((player) => {
  const row = document.querySelector(`#table tr:nth-of-type(${4 - player})`);
  const boxes = [...row.querySelectorAll("td[data-cell]")];
  const cells = boxes.map((box) => box.dataset.cell);
  return [inOrder(boxes), inOrder(pits.filter((pit) => cells.includes(pit.dataset.cell)))];
});
"""
"""The cells of each player from left to right, in the table and in the picture."""

TO_MOVE: Final = """
const players = [1, 2];
const beside = (player) => document.getElementById(`player-${player}`);
const rows = [...document.querySelectorAll("#picture .row")];
const heads = [...document.querySelectorAll("#table th[scope=row]")].map((head) => head.textContent);
return [
  players.filter((player) => beside(player).querySelector(".turn").textContent === "to move"),
  players.filter((player) => beside(player).dataset.turn === "true"),
  players.filter((player) => rows[player - 1].dataset.turn === "true"),
  players.filter((player) => heads.includes(`Player ${player}, to move`)),
];
"""
"""The players who are to move, in each of the places that say so."""

WRITE_DOWN: Final = """
window.sentences = [];
const said = document.getElementById("said");
new MutationObserver(() => window.sentences.push(said.textContent)).observe(said, { childList: true });
"""


def a_game() -> Game:
    return play_game(initial(), TEXT, dict.fromkeys(Player, random_by(Random(1))))


def opened(browser: Browser, folder: Path, game: Game, rules: Rules = TEXT) -> Chrome:
    path = folder / "game.html"
    path.write_text(page_of(game, rules), encoding="utf-8")
    browser.driver.get(path.as_uri())
    return browser.driver


def resize(driver: Chrome, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def press(driver: Chrome, *keys: str) -> None:
    ActionChains(driver).send_keys(*keys).perform()


def shown(driver: Chrome) -> tuple[str, list[int], list[int]]:
    """The number of the board, the marbles in its table in the order of the cells, and the changed cells."""
    number, cells, changed = driver.execute_script(SHOWN)
    return number, cells, changed


def expected(game: Game, place: int) -> tuple[str, list[int], list[int]]:
    step = game[place]
    return f"Board {place + 1} of {len(game)}", list(step.board.cells), sorted(step.changed)


def test_buttons_and_keys_lead_through_the_boards(browser: Browser, tmp_path: Path) -> None:
    game = a_game()
    driver = opened(browser, tmp_path, game)
    assert shown(driver) == expected(game, 0)
    assert not driver.find_element(By.ID, "back").is_enabled()
    driver.find_element(By.ID, "forward").click()
    assert shown(driver) == expected(game, 1)
    for key, place in (
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, len(game) - 1),
        (Keys.HOME, 0),
    ):
        press(driver, key)
        assert shown(driver) == expected(game, place)
    assert driver.find_element(By.ID, "said").text == "Player 1 to move."
    driver.find_element(By.ID, "play").click()
    WebDriverWait(driver, PATIENCE, 0.1).until(lambda _: shown(driver) == expected(game, 1))
    driver.find_element(By.ID, "play").click()
    assert driver.find_element(By.ID, "play-text").text == "Play"
    assert browser.errors() == []


@pytest.mark.parametrize(("holes", "marbles", "size"), [(6, 4, WIDE), (3, 4, NARROW)])
def test_every_marble_lies_in_its_hole_and_apart_from_the_others(
    browser: Browser, tmp_path: Path, holes: int, marbles: int, size: tuple[int, int]
) -> None:
    """Captures and the sweep at the end included, and while a hole is sown: so they can be counted."""
    game = play_game(initial(holes, marbles), KALAH, dict.fromkeys(Player, greedy))
    driver = opened(browser, tmp_path, game, KALAH)
    resize(driver, *size)
    press(driver, Keys.END)
    assert max(check_marbles(driver)) > marbles * 3, "a store is full"
    press(driver, Keys.HOME)
    boards = 0
    while driver.find_element(By.ID, "drop").is_enabled():
        counts = check_marbles(driver)
        in_hand = 2 * holes * marbles - sum(counts)
        said = driver.find_element(By.ID, "said").text
        assert (f": {in_hand} marble" in said) == ("is sown" in said), said
        boards += "is sown" not in said
        press(driver, ".")
    assert boards == len(game) - 1
    assert driver.execute_script("return document.documentElement.scrollWidth") <= size[0]


def check_marbles(driver: Chrome) -> list[int]:
    """Compare the marbles in each pit with its number; return the numbers."""
    pits, marbles, counts = driver.execute_script(PLACES)
    inside = [0] * len(pits)
    for x, y, radius, _ in marbles:
        for cell, (middle, height, half_width, half_height) in enumerate(pits):
            if abs(x - middle) + radius <= half_width and abs(y - height) + radius <= half_height:
                inside[cell] += 1
    # The numbers stand in the picture in the order of the cells, as the pits do.
    assert inside == counts
    for (x, y, radius, _), (other_x, other_y, other, _) in combinations(marbles, 2):
        assert dist((x, y), (other_x, other_y)) > 0.9 * (radius + other)
    return list(counts)


def test_more_marbles_than_can_be_drawn_have_their_number(browser: Browser, tmp_path: Path) -> None:
    board = Board((40, 1, 90, 1, 1, 0), Player.ONE)
    driver = opened(browser, tmp_path, replay_game(board, TEXT, [0]))
    _, marbles, counts = driver.execute_script(PLACES)
    assert counts == list(board.cells)
    assert 60 < len(marbles) < 133
    assert "At most 19 marbles are drawn in a hole and 65 in a store: where" in note(driver)
    press(driver, ".")
    assert "40 marbles in the hand" in driver.find_element(By.ID, "said").text


@pytest.mark.parametrize(
    ("cells", "is_said"),
    [((19, 1, 65, 1, 1, 0), False), ((20, 1, 65, 1, 1, 0), True), ((1, 1, 66, 1, 1, 0), True)],
)
def test_the_note_on_undrawn_marbles_stands_only_where_there_are_some(
    browser: Browser, tmp_path: Path, cells: tuple[int, ...], is_said: bool
) -> None:
    driver = opened(browser, tmp_path, replay_game(Board(cells, Player.ONE), TEXT, []))
    _, marbles, _ = driver.execute_script(PLACES)
    assert (len(marbles) < sum(cells)) is is_said
    assert ("drawn" in note(driver)) is is_said


def note(driver: Chrome) -> str:
    return driver.find_element(By.CLASS_NAME, "note").text


def to_move(driver: Chrome) -> list[list[int]]:
    """The players who are to move: beside the picture, in its rows, in their light, and in the table."""
    found: list[list[int]] = driver.execute_script(TO_MOVE)
    return found


def test_all_places_say_who_is_to_move_and_nobody_is_once_the_game_is_over(
    browser: Browser, tmp_path: Path
) -> None:
    game = play_game(initial(1, 3), KALAH, dict.fromkeys(Player, greedy))
    assert describe_step(game[-1], KALAH).endswith("won.")
    driver = opened(browser, tmp_path, game, KALAH)
    assert to_move(driver) == [[1]] * 4
    press(driver, Keys.END)
    assert to_move(driver) == [[]] * 4
    unfinished = replay_game(initial(3, 3), TEXT, [1])
    assert unfinished[-1].board.turn is Player.TWO
    driver = opened(browser, tmp_path, unfinished)
    press(driver, Keys.END)
    assert to_move(driver) == [[2]] * 4


def test_marbles_fall_one_by_one_where_the_engine_sows_them(browser: Browser, tmp_path: Path) -> None:
    board = Board((2, 1, 3, 0, 1, 1, 1, 0), Player.ONE)
    game = replay_game(board, RELAY, [0])
    assert [sowing.hole for sowing in game[1].sowings][:3] == [0, 2, 6]
    driver = opened(browser, tmp_path, game, RELAY)
    cells = list(board.cells)
    frames = [shown(driver)]
    for sowing in game[1].sowings:
        cells[sowing.hole] = 0
        frames.append(("Board 1 to 2 of 2", list(cells), [sowing.hole]))
        for cell in sowing.cells:
            cells[cell] += 1
            frames.append(("Board 1 to 2 of 2", list(cells), [cell]))
    frames[-1] = expected(game, 1)
    for frame in frames[1:]:
        press(driver, ".")
        assert shown(driver) == frame
    for frame in reversed(frames[:-1]):
        press(driver, ",")
        assert shown(driver) == frame


def test_forward_sows_and_p_stops_in_the_middle(browser: Browser, tmp_path: Path) -> None:
    game = replay_game(initial(3, 3), TEXT, [1, 4])
    driver = opened(browser, tmp_path, game)
    emulate_motion(driver, "no-preference")
    try:
        driver.execute_script(WRITE_DOWN)
        driver.find_element(By.ID, "forward").click()
        WebDriverWait(driver, PATIENCE, 0.1).until(lambda _: shown(driver) == expected(game, 1))
        left = ("3 marbles", "2 marbles", "1 marble")
        in_hand = [f"Hole 1 is sown: {each} in the hand." for each in left]
        sentences = [*in_hand, describe_step(game[1], TEXT)]
        assert driver.execute_script("return window.sentences") == sentences
        # Both keys in one task of the page: no marble can fall between them.
        driver.execute_script("""for (const key of ["ArrowRight", "p"])
            document.dispatchEvent(new KeyboardEvent("keydown", { key }));""")
        assert driver.find_element(By.ID, "said").text == "Hole 4 is sown: 4 marbles in the hand."
        assert driver.find_element(By.ID, "play-text").text == "Play"
        assert driver.execute_script("return timer") is None
    finally:
        emulate_motion(driver, "reduce")
    driver.find_element(By.ID, "forward").click()
    assert shown(driver) == expected(game, 2), "without motion there is nothing to wait for"
    assert browser.errors() == []


def emulate_motion(driver: Chrome, value: str) -> None:
    feature: dict[str, Any] = {"name": "prefers-reduced-motion", "value": value}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def test_the_table_runs_the_way_the_picture_runs(browser: Browser, tmp_path: Path) -> None:
    driver = opened(browser, tmp_path, a_game())
    upper, lower = driver.execute_script(ORDERS)
    assert upper == [[7, 6, 5, 4]] * 2
    assert lower == [[0, 1, 2, 3]] * 2


def test_the_page_is_one_file_in_the_colours_of_the_blackjack_table() -> None:
    page = page_of(a_game(), TEXT)
    assert set(re.findall(r"\w+://[^\"\s]*", page)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"<link|src=|@import|url\((?!#)", page) == []
    styles = [
        (ROOT / path).read_text(encoding="utf-8")
        for path in ("mancala/commands/page.css", "dealer/web/shared/base.css")
    ]
    colours = [re.findall(r"--[\w-]+: [^;]+;", style[: style.index("}")]) for style in styles]
    assert colours[0] == colours[1] and len(colours[0]) == 11
