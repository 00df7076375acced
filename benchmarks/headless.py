"""A browser without a window, for what is measured in a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from twentyone.support.command import CommandError

_FLAGS: Final = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server"),
    *("--disable-background-networking", "--disable-extensions"),
)


@contextmanager
def headless_browser(folder: Path, size: tuple[int, int]) -> Iterator[Any]:
    """A browser that keeps its files in a folder, with a window of this size.

    Raises:
        CommandError: if none is installed, or it does not start.
    """
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        raise CommandError("chromium or chromedriver is missing: expected both (Debian: chromium-driver)")
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"--window-size={size[0]},{size[1]}", f"--user-data-dir={folder}"):
        options.add_argument(flag)
    try:
        driver = Chrome(options, Service(chromedriver))
    except WebDriverException as error:
        raise CommandError(f"chromium does not start: {error.msg}") from error
    try:
        yield driver
    finally:
        driver.quit()
