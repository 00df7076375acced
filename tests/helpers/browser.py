"""Debian's headless chromium, driven through chromedriver, and pages in it that share no storage."""

from __future__ import annotations

import json
import shutil
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    JavascriptException,
    WebDriverException,
)
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_websocket

from tests.helpers.patience import PATIENCE

WIDE: Final = (1280, 800)
NARROW: Final = (360, 740)
"""Sizes of the window; the second is a small phone's."""

INSTANT: Final = {"speed": "instant"}
"""What a visitor has chosen in the settings, so that there is nothing to wait for while cards are dealt."""

_FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",  # root cannot use the sandbox
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-features=MediaRouter,OptimizationHints,SpareRendererForSitePerProcess,Translate"
    ",PMProcessPriorityPolicy",  # pages in the background are played at, too, and have the same priority
    "--disable-background-networking",
    "--disable-software-rasterizer",  # it would only emulate a graphics card
    # Pages in the background are played at, too.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--force-prefers-reduced-motion",  # no animations, so nothing to wait for
    "--no-proxy-server",
    f"--window-size={WIDE[0]},{WIDE[1]}",
)

_TOOLS: Final = """
const all = (css, within = document) => [...within.querySelectorAll(css)];
const one = (css, within = document) => within.querySelector(css);
const text = (css, within = document) => one(css, within)?.textContent.replace(/\\s+/g, " ").trim() ?? null;
const cards = (within) => all(".card", within).map((card) => card.dataset.card);
const isUsable = (element) => element !== null && !element.disabled && element.checkVisibility();
"""
"""Helpers for every script that runs in a page."""

_WAIT: Final = """
const given = [...arguments], done = given.pop(), end = performance.now() + 10_000;
const look = () => {
  try {
    const found = holds(...given);
    if (found || performance.now() > end) done([found]);
    else setTimeout(look, 5);
  } catch (error) {
    done([null, String(error)]);
  }
};
look();
"""
"""Looks again and again, in the page itself, until `holds` holds; for ten seconds, since a driver does not
wait long for a script."""


class NoBrowserError(Exception):
    """There is no browser; the message says why."""


@dataclass(frozen=True)
class Seat:
    """A seat as the page shows it: its texts and its marks."""

    name: str
    cards: list[str]
    total: str
    state: str
    result: str = ""
    score: str = ""
    turn: bool = False
    own: bool = False


class Browser:
    """A running browser.

    Args:
        driver: drives its pages.
        control: a connection to the browser's own debugging interface, for what concerns more than one page.
    """

    def __init__(self, driver: Chrome, control: ClientConnection) -> None:
        self.driver = driver
        self.current = ""  # the handle of the page that the driver drives
        self._control = control
        self._first = driver.current_window_handle
        self._idle: list[Page] = []
        self._visited: list[Page] = []
        self._tabs: list[Page] = []
        self._calls = 0

    def visit(self, url: str, size: tuple[int, int] = WIDE, chosen: Mapping[str, str] = INSTANT) -> Page:
        """A page for a new visitor: only settings are stored yet, and no other page sees what it stores."""
        page = self.blank(size)
        page.begin_with(chosen)
        page.go(url)
        return page

    def blank(self, size: tuple[int, int] = WIDE) -> Page:
        """A page for a new visitor that is nowhere yet."""
        page = self._idle.pop() if self._idle else self._new_page()
        self._visited.append(page)
        page.resize(*size)
        return page

    def duplicate(self, page: Page) -> Page:
        """A second tab with everything that a page has stored, as when its tab is duplicated."""
        before = set(self.driver.window_handles)
        page.ask("void open(location.href)")
        (handle,) = set(self.driver.window_handles) - before
        tab = Page(self, handle)
        self._tabs.append(tab)
        tab.resize(*WIDE)
        return tab

    def errors(self) -> list[str]:
        """The messages on the pages' consoles since the last call."""
        return [entry["message"] for entry in self._log("browser")]

    def hosts(self) -> set[str | None]:
        """The hosts to which the pages have sent requests since the last call."""
        addresses = set()
        for entry in self._log("performance"):
            record = json.loads(entry["message"])
            event = record["message"]
            if record["webview"] == self._first:  # the browser's own first page
                continue
            if event["method"] == "Network.requestWillBeSent":
                addresses.add(event["params"]["request"]["url"])
            elif event["method"] == "Network.webSocketCreated":
                addresses.add(event["params"]["url"])
        return {urlsplit(address).hostname for address in addresses}

    def leave_pages(self) -> None:
        """Leave all pages, and delete everything that they have stored."""
        while self._tabs:
            self._tabs.pop().driver.close()
            self.show(self._first)
        while self._visited:
            page = self._visited.pop()
            page.ask(
                "location.protocol.startsWith('http') &&"
                " [localStorage.clear(), sessionStorage.clear(), indexedDB?.deleteDatabase('twentyone')] && 0"
            )
            page.leave()
            self._idle.append(page)
        self.errors(), self.hosts()

    def show(self, handle: str) -> None:
        """Make the driver drive this page."""
        if self.current != handle:
            self.driver.switch_to.window(handle)
            self.current = handle

    def _new_page(self) -> Page:
        context = self._call("Target.createBrowserContext", disposeOnDetach=False)["browserContextId"]
        target = self._call(
            "Target.createTarget", url="about:blank", browserContextId=context, newWindow=True
        )
        return Page(self, target["targetId"])

    def _log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.execute("getLog", {"type": kind})["value"]
        return entries

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._calls += 1
        self._control.send(json.dumps({"id": self._calls, "method": method, "params": parameters}))
        while (answer := json.loads(self._control.recv(PATIENCE))).get("id") != self._calls:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


class Page:
    """One page in a tab of a browser."""

    def __init__(self, browser: Browser, handle: str) -> None:
        self.browser = browser
        self.handle = handle
        self._size = (0, 0)
        self._script = ""
        self._has_wishes = False
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)  # as if it were in the foreground

    @property
    def driver(self) -> Chrome:
        """The driver, made to drive this page."""
        self.browser.show(self.handle)
        return self.browser.driver

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command for this page to the browser's debugging interface."""
        answer: dict[str, Any] = self.driver.execute_cdp_cmd(method, parameters)
        return answer

    def resize(self, width: int, height: int) -> None:
        """Give it a window of this size; a narrow or low one is a phone's.

        Scripts place things for the new size with the next pictures: that is waited for.
        """
        if self._size == (width, height):
            return
        self._size = (width, height)
        is_mobile = min(width, height) < 600
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=is_mobile,
        )
        self.command("Emulation.setTouchEmulationEnabled", enabled=is_mobile)
        self.let_it_be_laid_out()

    def let_it_be_laid_out(self) -> None:
        """Wait until scripts have placed everything, which they do with the next picture."""
        self.run("for (const _ of [1, 2, 3]) await new Promise((next) => requestAnimationFrame(next));")

    def media(self, **features: str) -> None:
        """Let the system wish for this: `prefers_color_scheme="dark"`; nothing else but little motion."""
        wishes = {"prefers_reduced_motion": "reduce"} | features
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in wishes.items()]
        self.command("Emulation.setEmulatedMedia", features=named)
        self._has_wishes = True

    def before_every_load(self, script: str) -> str:
        """Run a script in every document before its own; returns what `never_again` needs."""
        return str(self.command("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"])

    def never_again(self, identifier: str) -> None:
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def begin_with(self, chosen: Mapping[str, str]) -> None:
        """Let these settings be those that were chosen at the first visit."""
        if chosen:
            self._script = self.before_every_load(
                "if (location.protocol.startsWith('http')"
                " && localStorage.getItem('twentyone.settings') === null)"
                f" localStorage.setItem('twentyone.settings', {json.dumps(json.dumps(dict(chosen)))});"
            )

    def hurry(self) -> None:
        """Let each timer that the page sets from now on run out fifty times as soon."""
        self.ask(
            """["setTimeout", "setInterval"].forEach((name) => {
              const real = window[name];
              window[name] = (act, delay = 0) => real(act, delay / 50);
            })"""
        )

    def leave(self) -> None:
        """Go nowhere, and forget what was to be run there or wished for."""
        if self._script:
            self.never_again(self._script)
            self._script = ""
        if self._has_wishes:
            self.media()
            self._has_wishes = False
        self.driver.get("about:blank")

    def go(self, url: str) -> None:
        """Open a dealer's page, and wait until it is connected."""
        self.driver.get(url)
        self.until("document.body.dataset.connection === 'open'")

    def reload(self) -> None:
        self.driver.refresh()
        self.until("document.body.dataset.connection === 'open'")

    # What the page shows.

    def ask(self, expression: str, *arguments: object) -> Any:
        """The value of an expression in the page."""
        return self.driver.execute_script(f"{_TOOLS} return {expression}", *arguments)

    def until(self, condition: str, *arguments: object) -> Any:
        """Wait until a condition holds in the page; return the value that does."""
        end = time.monotonic() + PATIENCE
        script = f"{_TOOLS} const holds = function () {{ return {condition}; }}; {_WAIT}"
        while time.monotonic() < end:
            try:
                found, *errors = self.driver.execute_async_script(script, *arguments)
            except JavascriptException as error:
                if "unload" not in str(error.msg):
                    raise
                continue  # another page was loaded meanwhile
            assert not errors, f"{condition} {arguments}: {errors}"
            if found:
                return found
        status = self.ask("text('#status')")
        raise AssertionError(f"still false: {condition} {arguments}; the status is: {status}")

    def run(self, script: str, *arguments: object) -> Any:
        """The value of a script's promise: the script is the body of an asynchronous function in the page."""
        value, *errors = self.driver.execute_async_script(
            f"""{_TOOLS} const given = [...arguments], done = given.pop();
            (async () => {{ {script} }})()
              .then((value) => done([value]), (error) => done([null, String(error)]));""",
            *arguments,
        )
        assert not errors, errors
        return value

    def until_text(self, css: str, part: str) -> None:
        self.until("text(arguments[0])?.includes(arguments[1])", css, part)

    def until_asked(self) -> None:
        """Wait until the page asks for a decision, and shows the table as it then is."""
        self.until(
            "isUsable(one('#hit')) && isUsable(one('#stand')) && one('[data-own=true][data-turn=true]')"
        )

    def until_results(self) -> None:
        """Wait until a round is over."""
        self.until("one('#table').dataset.phase === 'results'")

    def text(self, css: str) -> str:
        text = self.ask("text(arguments[0])", css)
        assert text is not None, f"there is no {css}"
        return str(text)

    @property
    def status(self) -> str:
        return self.text("#status")

    @property
    def connection(self) -> str:
        return str(self.ask("document.body.dataset.connection"))

    @property
    def focus(self) -> str:
        """The id of the element that has the focus."""
        return str(self.ask("document.activeElement.id"))

    def is_usable(self, css: str) -> bool:
        return bool(self.ask("isUsable(one(arguments[0]))", css))

    @property
    def seats(self) -> list[Seat]:
        shown = self.ask(
            """all(".seat").map((seat) => ({
              name: text(".name", seat), cards: cards(seat), total: text(".total", seat),
              state: seat.dataset.state, result: text(".result", seat), score: text(".score", seat),
              turn: seat.dataset.turn === "true", own: seat.dataset.own === "true",
            }))"""
        )
        return [Seat(**seat) for seat in shown]

    @property
    def own_cards(self) -> list[str]:
        return list(self.ask("cards(one('[data-own=true]'))"))

    @property
    def dealers_cards(self) -> list[str]:
        return list(self.ask("cards(one('#dealer'))"))

    @property
    def log(self) -> list[str]:
        return list(self.ask("all('#log p').map((line) => line.textContent)"))

    @property
    def statistics(self) -> dict[str, str]:
        shown: dict[str, str] = self.ask(
            "Object.fromEntries(all('#statistics div').map((row) => [text('dt', row), text('dd', row)]))"
        )
        return shown

    @property
    def is_menu_open(self) -> bool:
        return bool(self.ask("one('#menu').open"))

    def is_seen(self, css: str) -> bool:
        return bool(self.ask("one(arguments[0]).checkVisibility()", css))

    # What a user does.

    def find(self, css: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def click(self, css: str) -> None:
        """Click an element as soon as that is possible, once more if the page has moved it meanwhile."""
        self.unfold(css)
        element = self.until("isUsable(one(arguments[0])) && one(arguments[0])", css)
        try:
            element.click()
        except ElementClickInterceptedException:
            self.let_it_be_laid_out()
            element.click()

    def unfold(self, css: str) -> None:
        """Open the header's menu, if that is where an element is."""
        self.ask(
            """void one(arguments[0])?.closest("header[data-folded=true]:not([data-open])")
              ?.querySelector(".fold").click()""",
            css,
        )

    def tap(self, css: str) -> None:
        """Touch an element with a finger, as soon as that is possible."""
        self.unfold(css)
        x, y = self.until(
            """isUsable(one(arguments[0])) && ((target) => {
              target.scrollIntoView({ block: "nearest" });
              const { left, top, width, height } = target.getBoundingClientRect();
              return [left + width / 2, top + height / 2];
            })(one(arguments[0]))""",
            css,
        )
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, *keys: str, holding: str = "") -> None:
        """Press keys, wherever the focus is."""
        chain = ActionChains(self.driver)
        if holding:
            chain.key_down(holding)
        chain.send_keys(*keys)
        if holding:
            chain.key_up(holding)
        chain.perform()

    def write(self, css: str, value: str) -> None:
        """Go into a field, and replace its text, or choose the option with this value."""
        self.ask(
            """((field) => {
              field.focus();
              field.value = arguments[1];
              if (field.value !== arguments[1]) throw new Error(`${arguments[0]} takes no ${arguments[1]}`);
              for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
            })(one(arguments[0]))""",
            css,
            value,
        )

    choose = write

    def tick(self, css: str) -> None:
        """Choose a radio button or a check box, wherever the page has scrolled to, once that is possible."""
        self.until("!one(arguments[0]).matches(':disabled')", css)
        self.ask("void one(arguments[0]).click()", css)

    def show_tables(self) -> None:
        """Open the list of tables from the start, unless it is open."""
        if not self.is_menu_open:
            self.click("#show-tables")
        self.until("one('#menu').open")

    def choose_rules(self) -> None:
        """Open the form for a table of one's own, from the start or from the list of tables."""
        self.click("#to-own-table" if self.is_menu_open else "#choose-rules")
        self.until("one('#new-table').open && !one('#own-table').disabled")

    def open_table(self) -> None:
        """Open the table of the form, and wait until there is a seat."""
        self.click("#open-table")
        self.until("!one('#new-table').open")

    def sit(self, name: str = "ada") -> None:
        """Take the seat that the list of tables offers."""
        self.show_tables()
        self.write("#name", name)
        self.click("#take-seat")
        self.until("!one('#menu').open")


@contextmanager
def open_browser(folder: Path, *flags: str) -> Iterator[Browser]:
    """Start a browser whose profile is in a folder, with more flags.

    Raises:
        NoBrowserError: if no browser is installed, or it does not start.
    """
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        missing = "chromium" if chromium is None else "chromedriver"
        raise NoBrowserError(f"{missing} is not installed (Debian: apt install chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"--user-data-dir={folder}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("no_proxy", "*")  # the driver is controlled through HTTP
            driver = Chrome(options, Service(chromedriver))
    except WebDriverException as error:
        raise NoBrowserError(f"chromium does not start: {error.msg}") from error
    try:
        driver.set_script_timeout(PATIENCE)
        driver.get("about:blank")  # its start page is never idle
        # No pings: a busy browser may answer late, and their random payload is drawn while other tests of the
        # process draw theirs.
        with connect_websocket(_control(driver), proxy=None, max_size=None, ping_interval=None) as control:
            yield Browser(driver, control)
    finally:
        driver.quit()


def _control(driver: Chrome) -> str:
    """The address at which a browser itself is spoken to."""
    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://{address}/json/version", timeout=PATIENCE) as answer:
        return str(json.load(answer)["webSocketDebuggerUrl"])
