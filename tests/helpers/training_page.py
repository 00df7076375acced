"""Runs of `training --show-in-browser`, for the tests of the run and of its page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.processes import start

ENDLESS: Final = 10**9
"""More rounds than a run plays before its test ends it."""


@pytest.fixture
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window opens on the screen of whoever runs the tests."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


def shown(folder: Path, port: int, rounds: int, *options: object) -> tuple[subprocess.Popen[str], str]:
    """A run that shows its page, and the page's address."""
    run = start("training", "127.0.0.1", port, rounds, "--show-in-browser", *options, cwd=folder)
    assert run.stderr is not None
    said = run.stderr.readline()
    address = re.fullmatch(r"training: the page is (http://127\.0\.0\.1:\d+/)\n", said)
    assert address, said
    return run, address[1]
