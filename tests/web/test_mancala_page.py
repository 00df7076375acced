"""The page of a game of Mancala, opened from disk in a real browser."""

from __future__ import annotations

from pathlib import Path
from random import Random

from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from mancala.commands.page import page_of
from mancala.core.board import Player, initial
from mancala.core.rules import TEXT
from mancala.solving.games import Game, play_game
from mancala.solving.policies import random_by
from tests.patience import PATIENCE
from tests.web.browser import Browser

SHOWN = """
const cells = [...document.querySelectorAll("#table tr:nth-of-type(n + 2) td")];
const changed = cells.flatMap((cell, place) => cell.className === "changed" ? [place] : []);
const number = document.getElementById("number").textContent;
return [number, cells.map((cell) => Number(cell.textContent)), changed];
"""


def a_game() -> Game:
    return play_game(initial(), TEXT, dict.fromkeys(Player, random_by(Random(1))))


def opened(browser: Browser, folder: Path, game: Game) -> Chrome:
    path = folder / "game.html"
    path.write_text(page_of(game, TEXT), encoding="utf-8")
    browser.driver.get(path.as_uri())
    return browser.driver


def shown(driver: Chrome) -> tuple[str, list[int], list[int]]:
    """The number of the board, the marbles in its table from player 2's holes on, and the changed ones."""
    number, cells, changed = driver.execute_script(SHOWN)
    return number, cells, changed


def expected(game: Game, place: int) -> tuple[str, list[int], list[int]]:
    step, half = game[place], game[0].board.holes + 1
    order = [*range(half, 2 * half), *range(half)]
    changed = [at for at, cell in enumerate(order) if cell in step.changed]
    return f"Board {place + 1} of {len(game)}", [step.board.cells[cell] for cell in order], changed


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
        ActionChains(driver).send_keys(key).perform()
        assert shown(driver) == expected(game, place)
    assert driver.find_element(By.ID, "said").text == "Player 1 to move."
    driver.find_element(By.ID, "play").click()
    WebDriverWait(driver, PATIENCE, 0.1).until(lambda _: shown(driver) == expected(game, 1))
    driver.find_element(By.ID, "play").click()
    assert driver.find_element(By.ID, "play").text == "Play"
    assert browser.errors() == []
