"""The page of a game of Mancala (`mancala.commands.page`), without a browser and opened from disk in one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import NARROW, WIDE, Browser, Page
from tests.web.access import barriers
from twentyone.mancala.commands.page import document_of, page_of
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import KALAH, TEXT, Extra, Rules, moves
from twentyone.mancala.solving.games import Game, describe_step, play_game, replay_game
from twentyone.mancala.solving.policies import greedy, random_by
from twentyone.support.sheets import shared_style

ROOT: Final = Path(__file__).parents[2]

RELAY: Final = Rules(extra=Extra.RELAY)

FUNCTIONS: Final = """
/** The number of the board, the marbles in its table in the order of the cells, and the changed cells. */
window.shown = () => {
  const cells = [...document.querySelectorAll("#table td[data-cell]")];
  const numberOf = ({ dataset }) => Number(dataset.cell);
  const changed = cells.filter(({ className }) => className === "changed").map(numberOf);
  const counts = Object.fromEntries(cells.map((cell) => [numberOf(cell), Number(cell.textContent)]));
  const number = document.getElementById("number").textContent;
  return [number, Object.values(counts), changed.sort((a, b) => a - b)];
};
/** The pits, the marbles and the numbers as they lie in the window: each pit in the order of the cells. */
window.places = () => {
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
};
/** What `look` returns now and after each of these keys, as long as there is `more`. */
window.pressed = (look, keys, more = () => true) => {
  const found = [look()];
  while (keys.length > 0 && more()) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: keys.shift(), bubbles: true }));
    found.push(look());
  }
  return found;
};
/** The cells of each player from left to right, in the table and in the picture. */
window.orders = () => {
  const inOrder = (elements) => elements
    .map((element) => [element.getBoundingClientRect().left, Number(element.dataset.cell)])
    .sort(([a], [b]) => a - b)
    .map(([, cell]) => cell);
  const pits = [...document.querySelectorAll(".pit")];
  return [2, 1].map((player) => {
    const row = document.querySelector(`#table tr:nth-of-type(${4 - player})`);
    const boxes = [...row.querySelectorAll("td[data-cell]")];
    const own = boxes.map((box) => box.dataset.cell);
    return [inOrder(boxes), inOrder(pits.filter((pit) => own.includes(pit.dataset.cell)))];
  });
};
/** The players who are to move: beside the picture, in its rows, in their light, and in the table. */
window.toMove = () => {
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
};
"""

Open = Callable[..., Page]


class Shown(NamedTuple):
    """What a page shows of a board."""

    number: str
    cells: list[int]
    changed: list[int]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Open:
    """Opens the page of a game."""

    def open_one(game: Game, rules: Rules = TEXT, size: tuple[int, int] = WIDE) -> Page:
        file = tmp_path / "game.html"
        file.write_text(page_of(game, rules), encoding="utf-8")
        page = browser.blank(size)
        page.driver.get(file.as_uri())
        page.driver.execute_script(FUNCTIONS)
        return page

    return open_one


def a_game() -> Game:
    return play_game(initial(), TEXT, dict.fromkeys(Player, random_by(Random(1))))


def shown(page: Page) -> Shown:
    return Shown(*page.ask("shown()"))


def expected(game: Game, place: int) -> Shown:
    step = game[place]
    return Shown(f"Board {place + 1} of {len(game)}", list(step.board.cells), sorted(step.changed))


# Without a browser.


def test_the_document_has_every_step_of_the_game() -> None:
    game = play_game(initial(3, 3), KALAH, dict.fromkeys(Player, greedy))
    document = json.loads(json.dumps(document_of(game, KALAH)))
    assert document["holes"] == 3
    assert [step["over"] for step in document["steps"]] == [False] * (len(game) - 1) + [True]
    for told, step in zip(document["steps"], game, strict=True):
        assert told["over"] is (not moves(step.board, KALAH))
        assert (told["cells"], told["turn"]) == (list(step.board.cells), step.board.turn.value)
        assert (told["hole"], told["changed"]) == (step.hole, sorted(step.changed))
        assert told["sowings"] == [
            {"hole": sowing.hole, "cells": list(sowing.cells)} for sowing in step.sowings
        ]
        assert told["said"] == describe_step(step, KALAH)


def test_the_page_is_one_file_in_the_colours_of_the_blackjack_table() -> None:
    page = page_of(a_game(), TEXT)
    assert json.dumps(document_of(a_game(), TEXT)) in page
    assert set(re.findall(r"\w+://[^\"\s]*", page)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"<link|src=|@import|url\((?!#)", page) == []
    assert shared_style() in page


# In a browser.


@pytest.mark.check
def test_nothing_bars_the_way_and_every_count_can_be_read(opened: Open, axe: str) -> None:
    page = opened(a_game())
    page.press(Keys.ARROW_RIGHT)
    assert barriers(page, axe, scrolls=".scroll, #felt") == []


@pytest.mark.check
def test_buttons_and_keys_lead_through_the_boards(opened: Open) -> None:
    game = a_game()
    page = opened(game)
    assert page.ask("orders()") == [[[7, 6, 5, 4]] * 2, [[0, 1, 2, 3]] * 2]
    assert shown(page) == expected(game, 0)
    assert not page.is_usable("#back")
    page.click("#forward")
    assert shown(page) == expected(game, 1)
    for key, place in (
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, len(game) - 1),
        (Keys.HOME, 0),
    ):
        page.press(key)
        assert shown(page) == expected(game, place)
    assert page.text("#said") == "Player 1 to move."
    page.click("#play")
    page.until("text('#number') === arguments[0]", expected(game, 1).number)
    page.click("#play")
    assert page.text("#play-text") == "Play"


@pytest.mark.check
@pytest.mark.parametrize(("holes", "size"), [(6, WIDE), (3, NARROW)])
def test_every_marble_lies_in_its_hole_and_apart_from_the_others(
    opened: Open, holes: int, size: tuple[int, int]
) -> None:
    """Captures and the sweep at the end included, and while a hole is sown: so they can be counted."""
    marbles = 4
    game = play_game(initial(holes, marbles), KALAH, dict.fromkeys(Player, greedy))
    page = opened(game, KALAH, size)
    boards = page.ask(
        """pressed(() => [...places(), text("#said")], Array.from({ length: 9999 }, () => "."),
             () => !one("#drop").disabled)"""
    )
    complete = 0
    for *places, said in boards:
        in_hand = 2 * holes * marbles - sum(check_marbles(*places))
        assert (f": {in_hand} marble" in said) == ("is sown" in said), said
        complete += "is sown" not in said
    assert complete == len(game)
    assert max(boards[-1][2]) > marbles * 3, "a store is full"
    assert page.ask("document.documentElement.scrollWidth") <= size[0]


def check_marbles(pits: list[Any], marbles: list[Any], counts: list[int]) -> list[int]:
    """Compare the marbles in each pit with its number; return the numbers."""
    inside = [0] * len(pits)
    for x, y, radius, _ in marbles:
        for cell, (middle, height, half_width, half_height) in enumerate(pits):
            if abs(x - middle) + radius <= half_width and abs(y - height) + radius <= half_height:
                inside[cell] += 1
    # The numbers stand in the picture in the order of the cells, as the pits do.
    assert inside == counts
    for (x, y, radius, _), (other_x, other_y, other, _) in combinations(marbles, 2):
        assert dist((x, y), (other_x, other_y)) > 0.9 * (radius + other)
    return counts


@pytest.mark.check
def test_more_marbles_than_can_be_drawn_have_their_number(opened: Open) -> None:
    board = Board((40, 1, 90, 1, 1, 0), Player.ONE)
    page = opened(replay_game(board, TEXT, [0]))
    _, marbles, counts = page.ask("places()")
    assert counts == list(board.cells)
    assert 60 < len(marbles) < 133
    assert "At most 19 marbles are drawn in a hole and 65 in a store: where" in page.text(".note")
    page.press(".")
    assert "40 marbles in the hand" in page.text("#said")
    for cells, is_said in (
        ((19, 1, 65, 1, 1, 0), False),
        ((20, 1, 65, 1, 1, 0), True),
        ((1, 1, 66, 1, 1, 0), True),
    ):
        page = opened(replay_game(Board(cells, Player.ONE), TEXT, []))
        _, marbles, _ = page.ask("places()")
        assert (len(marbles) < sum(cells)) is is_said, cells
        assert ("drawn" in page.ask("one('.note').innerText")) is is_said, cells


@pytest.mark.check
def test_all_places_say_who_is_to_move_and_nobody_is_once_the_game_is_over(opened: Open) -> None:
    game = play_game(initial(1, 3), KALAH, dict.fromkeys(Player, greedy))
    assert describe_step(game[-1], KALAH).endswith("won.")
    page = opened(game, KALAH)
    assert page.ask("toMove()") == [[1]] * 4
    page.press(Keys.END)
    assert page.ask("toMove()") == [[]] * 4
    unfinished = replay_game(initial(3, 3), TEXT, [1])
    assert unfinished[-1].board.turn is Player.TWO
    page = opened(unfinished)
    page.press(Keys.END)
    assert page.ask("toMove()") == [[2]] * 4


@pytest.mark.check
def test_marbles_fall_one_by_one_where_the_engine_sows_them(opened: Open) -> None:
    board = Board((2, 1, 3, 0, 1, 1, 1, 0), Player.ONE)
    game = replay_game(board, RELAY, [0])
    assert [sowing.hole for sowing in game[1].sowings][:3] == [0, 2, 6]
    page = opened(game, RELAY)
    cells = list(board.cells)
    frames = [expected(game, 0)]
    for sowing in game[1].sowings:
        cells[sowing.hole] = 0
        frames.append(Shown("Board 1 to 2 of 2", list(cells), [sowing.hole]))
        for cell in sowing.cells:
            cells[cell] += 1
            frames.append(Shown("Board 1 to 2 of 2", list(cells), [cell]))
    frames[-1] = expected(game, 1)
    found = page.ask("pressed(shown, arguments[0])", ["."] * (len(frames) - 1) + [","] * (len(frames) - 1))
    assert [Shown(*one) for one in found] == frames + frames[-2::-1]


@pytest.mark.check
def test_forward_sows_and_p_stops_in_the_middle(opened: Open) -> None:
    game = replay_game(initial(3, 3), TEXT, [1, 4])
    page = opened(game)
    page.media(prefers_reduced_motion="no-preference")
    page.ask(
        """(() => {
          window.sentences = [];
          const write = () => sentences.push(text("#said"));
          new MutationObserver(write).observe(one("#said"), { childList: true });
        })()"""
    )
    page.click("#forward")
    page.until("text('#number') === arguments[0]", expected(game, 1).number)
    assert shown(page) == expected(game, 1)
    left = ("3 marbles", "2 marbles", "1 marble")
    in_hand = [f"Hole 1 is sown: {each} in the hand." for each in left]
    assert page.ask("sentences") == [*in_hand, describe_step(game[1], TEXT)]
    # Both keys in one task of the page: no marble can fall between them.
    assert page.ask(
        "pressed(() => [text('#said'), text('#play-text'), timer], ['ArrowRight', 'p']).at(-1)"
    ) == [*("Hole 4 is sown: 4 marbles in the hand.", "Play", None)]
    page.media()
    page.click("#forward")
    assert shown(page) == expected(game, 2), "without motion there is nothing to wait for"
