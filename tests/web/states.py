"""Every state that the pages can be in, and how a browser gets there.

A walk is a generator: it brings a page from state to state, and yields the state's name and the page. Who
looks at a state may resize the page and change its colours.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from selenium.webdriver import Keys

from cards import PRESETS, Bets
from tests.helpers.browser import INSTANT, WIDE, Browser, Page, open_browser
from tests.helpers.house import House
from tests.helpers.peer import LOCALHOST
from tests.web import archive, evening
from tests.web.conftest import unhurried
from tests.web.evening import CASINO, CHIPS, VEGAS
from tests.web.proxy import Proxy, open_proxy

State = tuple[str, Page]
Walk = Callable[["Scene"], Iterator[State]]


class Scene:
    """Opens what a walk needs; everything is closed when the scene is.

    Args:
        browser: opens its pages.
        history: rounds of `vegas`, for pages that show many.
    """

    def __init__(self, browser: Browser, stack: ExitStack, history: list[dict[str, Any]]) -> None:
        self.browser = browser
        self.cut: list[int] = []  # the ports whose connections end
        self.history = history
        self._stack = stack

    def open(self, cards: str = "", **options: Any) -> House:
        return self._stack.enter_context(unhurried(cards, **options))

    def proxy(self, house: House) -> Proxy:
        proxy = self._stack.enter_context(open_proxy(house.port))
        self.cut.append(proxy.port)
        return proxy

    def visit(self, where: House | Proxy, path: str = "/", chosen: Mapping[str, str] = INSTANT) -> Page:
        page = self.browser.visit(f"http://{LOCALHOST}:{where.port}/", WIDE, chosen)
        if path != "/":
            page.driver.get(f"http://{LOCALHOST}:{where.port}{path}")
        return page

    def file_of_history(self) -> Path:
        """The rounds as a file."""
        file = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "rounds.jsonl"
        file.write_text("".join(f"{json.dumps(line)}\n" for line in self.history), encoding="utf-8")
        return file


@contextmanager
def open_scene(browser: Browser, history: list[dict[str, Any]]) -> Iterator[Scene]:
    """A scene, until the block is left."""
    with ExitStack() as stack:
        yield Scene(browser, stack, history)


# The walks.


def alone(scene: Scene) -> Iterator[State]:
    """One player against a dealer with every option: from the menu to the end of the bankroll."""
    rounds = (
        "8S 8H 6D TD 3S TH 8C TC 2C 9C KC",  # split to three hands
        "TS 9H AD 9D",  # insurance that is lost
        "AS KH 9D 7D",  # a natural
        "TS 9H TD 9D",  # a push
        "TS 6H TD 7D KC",  # a bust
        "TS 6H TD 7D",  # surrender
        "TS 9H KD AD",  # the dealer's natural
        "TS 8H TD 9D",  # all is lost
    )
    rules = replace(CHIPS, bankroll=150, bets=Bets(10, 1000))
    house = scene.open(" ".join(rounds), rules=rules, practice=True)
    page = scene.visit(house)
    page.until("isUsable(one('#play-now'))")
    yield "start", page
    page.show_tables()
    page.until("isUsable(one('#take-seat'))")
    yield "menu", page
    page.sit("ada")
    page.until("isUsable(one('#bet'))")
    yield "betting", page
    evening.bet(page, 20)
    page.until(evening.ASKED)
    yield "turn", page
    page.click("#hint")
    page.until("text('#advice')")
    yield "hint", page
    evening.answer(page, "P")
    yield "split", page
    evening.answer(page, "DP")
    yield "three-hands", page
    evening.answer(page, "SHS")
    page.until_results()
    yield "won", page
    evening.go_on(page)
    evening.bet(page, 20)
    page.until("isUsable(one('#insure'))")
    yield "insurance", page
    evening.answer(page, "IS")
    page.until_results()
    yield "insurance-lost", page
    answered = {"natural": "", "push": "S", "bust": "H", "surrendered": "R", "dealers-natural": ""}
    for name, answers in answered.items():
        evening.go_on(page)
        evening.bet(page, 20)
        evening.answer(page, answers)
        page.until_results()
        yield name, page
    yield from log_and_dialogs(page)
    evening.go_on(page)
    evening.bet(page, int(evening.bankroll(page)))
    evening.answer(page, "S")
    page.until_results()
    yield "all-lost", page
    page.click("#next")
    page.until("isUsable(one('#buy-in'))")
    yield "ended", page


def log_and_dialogs(page: Page) -> Iterator[State]:
    """The log hidden and shown, and each dialog that a button opens, also one of a folded header."""
    press(page, "#log-toggle")
    yield "log-toggled", page
    press(page, "#log-toggle")
    for name in ("help", "settings-open", "rules-open", "chart-open", "new-game"):
        if not page.ask("one(arguments[0])", f"#{name}:enabled:not([hidden])"):
            continue
        press(page, f"#{name}")
        page.until("one('dialog[open]')")
        page.until("!one('#chart-panel[open]') || all('#table-chart td:not(:empty)').length === 330")
        yield f"dialog-{name.removesuffix('-open')}", page
        page.ask("one('dialog[open]').close()")


def press(page: Page, css: str) -> None:
    """Press a button wherever it is: with longer words the header folds at other sizes."""
    page.ask("void one(arguments[0]).click()", css)


def nine(scene: Scene) -> Iterator[State]:
    """A full table of nine, with the cards revealed, and its results."""
    cards = "TS 2S TH 9H TC 6C AC KC 7C 7H 5C 4C 9S 9C AH 2H QH JH 6D TD 3S KH"
    house = scene.open(cards, rules=replace(CASINO, seats=9), bots=8, practice=True)
    page = scene.visit(house)
    page.sit("W" * 32)
    page.until_asked()
    yield "nine", page
    page.click("#reveal")
    page.until("!one('#all-shown').hidden")
    yield "revealed", page
    evening.answer(page, "H")
    evening.until_asked_or_over(page)
    if page.is_usable("#stand"):
        evening.answer(page, "S")
    page.until_results()
    yield "nine-results", page


def friends(scene: Scene) -> Iterator[State]:
    """A table of three people: waiting for them, their turns, one who is away, and who comes too late."""
    house = scene.open("8S 8H TS 9H TC 6C 6D TD 8D 3C TH 9C 2C KC", rules=replace(CHIPS, seats=3), tables=1)
    page = scene.visit(house)
    page.sit("ada")
    page.until("one('#table').dataset.phase === 'waiting'")
    yield "waiting", page
    bob, carl = house.join("JOIN bob"), house.join("JOIN carl")
    late = scene.visit(house)
    late.until_text("#where", "1")
    for peer in (bob, carl):
        peer.hear_until("DECISION BET")
        peer.say("BET 20")
    evening.bet(page, 40)
    bob.say("KEEP " + "b" * 32)
    evening.answer(page, "PPSSS")
    page.until_text("#status", "bob")
    yield "turn-of-another", page
    late.until_text("#status", "bob")
    late.show_tables()
    yield "menu-full-table", late
    late.click("#watch")
    yield "watching", late
    bob.close()
    page.until("all('.seat')[1].dataset.away === 'true'")
    yield "away", page
    house.let_the_clock_run_out()
    page.until_text("#status", "carl")
    carl.hear_until("DECISION")
    carl.say("STAND")
    page.until_results()
    yield "friends-results", page
    late.until_results()
    yield "watching-results", late


def hidden(scene: Scene) -> Iterator[State]:
    """A table without a dealer, where hands are hidden."""
    house = scene.open("TS 2S TH 6H TC 8C 7S KH", rules=replace(PRESETS["showdown"], seats=3), bots=2)
    page = scene.visit(house)
    page.sit("ada")
    page.until_asked()
    yield "showdown", page
    evening.answer(page, "HS")
    page.until_results()
    yield "showdown-results", page


def connection(scene: Scene) -> Iterator[State]:
    """The connection is lost, the seat is taken by another tab, and the dealer ends."""
    house = scene.open("TS 6H 9D TD", rules=replace(CASINO, seats=1), practice=True)
    proxy = scene.proxy(house)
    page = scene.visit(proxy)
    page.sit("ada")
    page.until_asked()
    proxy.cut()
    page.until("document.body.dataset.connection === 'lost'")
    yield "lost", page
    proxy.reconnect()
    page.until_asked()
    tab = scene.browser.duplicate(page)
    tab.until_asked()
    page.until("document.body.dataset.connection === 'taken'")
    yield "taken", page
    page.click("#take-back")
    page.until_asked()
    house.stop()
    page.until("document.body.dataset.connection === 'ended'")
    yield "dealer-ended", page


def refused(scene: Scene) -> Iterator[State]:
    """A link to a table that is not there, at a dealer with an open table."""
    page = scene.visit(scene.open(rules=CASINO, bots=2))
    page.ask("location.hash = '#table=99'")
    page.reload()
    page.until("text('#start-note')")
    yield "refused", page


def lobby(scene: Scene) -> Iterator[State]:
    """The groups of choices, a table of one's own that waits for friends, and a wait for a seat."""
    page = scene.visit(scene.open(rules=CASINO, bots=2))
    page.until_text("#where", "1")
    page.choose_rules()
    for group in ("game", "people", "rules", "shoe", "bets", "pace"):
        page.click(f"#tab-{group}")
        yield f"choose-{group}", page
    page.tick("#opponent [value=vegas]")
    page.write("#seats", "5")
    page.write("#friends", "2")
    page.write("#bots", "0")
    page.open_table()
    page.until_text("#waiting-text", "2")
    yield "waiting-for-friends", page
    full = scene.open(rules=CASINO, bots=3, tables=1, lobby=False)
    late = scene.visit(full)
    late.click("#play-now")
    late.until("isUsable(one('#stop-waiting')) && text('#start-waiting')")
    yield "waiting-for-a-seat", late


def replay(scene: Scene) -> Iterator[State]:
    """A round seen again, and a file of many."""
    house = scene.open("8S 8H 6D TD 3S TH 8C TC 2C 9C KC", rules=CHIPS)
    page = scene.visit(house)
    page.sit("ada")
    evening.bet(page, 20)
    evening.answer(page, "PDPSHS")
    page.until_results()
    table = page.ask("one('#replay').href")
    page.driver.get(table.partition("?")[0])
    page.until("text('#status') !== 'Loading.' && one('.replay-place')")
    yield "replay-own", page
    page.driver.get(table)
    page.until("all('#rows tr').length >= 1 && one('.replay-place')")
    yield "replay", page
    page.press(*[Keys.ARROW_RIGHT] * 8)
    yield "replay-later", page
    page.find("#file").send_keys(str(scene.file_of_history()))
    page.until("all('#rows tr').length > 1 && one('#progress').hidden")
    page.press(*[Keys.ARROW_RIGHT] * 40)
    yield "replay-file", page


def kept(scene: Scene) -> Iterator[State]:
    """The page of the rounds that this browser has kept, without any and with many."""
    house = scene.open("TS 6H 9D 8D KC", rules=VEGAS)
    page = scene.visit(house, "/hands.html")
    page.until("!one('#none').hidden")
    yield "hands-none", page
    page.driver.get(f"http://{LOCALHOST}:{house.port}/replay.html")
    page.until("one('.replay-place')")
    page.ask("void (one('#rules').open = true)")
    page.until("one('#rules-lines li')")
    yield "replay-example", page
    page.go(f"http://{LOCALHOST}:{house.port}/")
    page.sit("ada")
    evening.answer(page, "H")
    page.until_results()
    archive.until_kept(page, 1)
    archive.fill(page, archive.as_yours(scene.history))
    page.driver.get(f"http://{LOCALHOST}:{house.port}/hands.html")
    page.until_text("#status", str(1 + archive.ROUNDS))
    page.until("one('#mistakes button') || one('#rows button')")
    page.click("#rows tr:nth-child(3) button")
    page.until("one('.replay-text')")
    page.ask("void all('#kept details').forEach((details) => { details.open = true; })")
    page.until("one('#rules-lines li')")
    yield "hands", page
    page.click("#delete")
    page.until("one('#delete-panel').open")
    yield "hands-delete", page


def trainer(scene: Scene) -> Iterator[State]:
    """Hands in the trainer, a verdict, the chart, the ten of today, the clock, and the drill of counting."""
    page = scene.visit(scene.open(rules=VEGAS, lobby=True), "/trainer.html?seed=4")
    page.until("isUsable(one('#stand'))")
    yield "trainer", page
    page.click("#stand")
    page.until("text('#verdict')")
    yield "trainer-verdict", page  # with one's mistakes
    page.click("#chart-toggle")
    page.until("all('#chart td:not(:empty)').length === 330")
    yield "trainer-chart", page
    page.click("#chart-toggle")
    page.choose("#mode", "three")
    page.until("all('#hand .card').length === 3")
    page.choose("#mode", "insurance")
    page.until("!one('#insure').hidden")
    yield "trainer-insurance", page
    page.click("#daily")
    page.until("text('#daily-line').includes('··········')")
    yield "trainer-daily", page
    page.choose("#mode", "all")
    page.click("#stand")
    page.click("#forget")
    page.until("one('#forget-panel').open")
    yield "trainer-delete", page
    page.click("#keep-all")
    page.choose("#clock-choice", "60")
    page.click("#next")
    page.until("!one('#time').hidden")
    yield "trainer-clock", page
    page.choose("#mode", "count")
    page.choose("#pace", "0.5")
    page.hurry()
    page.click("#count-start")
    page.until("all('#counted .card').length === 1")
    page.until("isUsable(one('#count-answer'))")
    yield "trainer-counted", page
    page.write("#running", "0")
    page.write("#true", "0")
    page.click("#count-answer")
    page.until("text('#count-verdict')")
    yield "trainer-count-verdict", page


def count(scene: Scene) -> Iterator[State]:
    """The question for the running and the true count after a round, and its verdict."""
    page = scene.visit(scene.open("TS 9H KD 9D", rules=CHIPS), chosen={**INSTANT, "count": "true"})
    page.sit("ada")
    evening.bet(page, 20)
    evening.answer(page, "S")
    page.until_results()
    page.until("isUsable(one('#count-panel button'))")
    yield "count", page
    page.write("#count-panel label:nth-child(1) input", "-2")
    page.write("#count-panel label:nth-child(2) input", "0")
    page.click("#count-panel button")
    page.until("text('#count-panel [role=status]')")
    yield "count-verdict", page


WALKS: Final[tuple[Walk, ...]] = (
    *(alone, nine, friends, hidden, connection, refused, lobby, replay, kept, trainer, count),
)


# Looking.


def states(browser: Browser, folder: Path) -> Generator[State]:
    """All states of all walks."""
    history = archive.rounds_of_bots(folder)
    for walk in WALKS:
        with open_scene(browser, history) as scene:
            yield from walk(scene)
        browser.leave_pages()


def picture(file: Path, state: str, size: tuple[int, int], theme: str) -> None:
    """Take a picture of one state, in this size of the window and this theme."""
    with (
        tempfile.TemporaryDirectory() as profile,
        open_browser(Path(profile)) as browser,
        closing(states(browser, Path(profile))) as walked,
    ):
        page = next(page for name, page in walked if name == state)
        page.resize(*size)
        page.media(prefers_color_scheme=theme)
        page.ask("scrollTo(0, 0)")
        page.driver.save_screenshot(str(file))
