"""What the tests of environments share: a display without a screen, for windows."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def screen() -> Iterator[str]:
    """A display of Xvfb. It outlives the tests, since Tk ends a program whose display has gone."""
    pytest.importorskip("tkinter", reason="this Python was built without tkinter", exc_type=ImportError)
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    reads, writes = os.pipe()
    options = ["-displayfd", str(writes), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"]
    process = subprocess.Popen(
        ["Xvfb", *options], pass_fds=[writes], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        os.close(writes)
        with os.fdopen(reads) as told:
            yield f":{told.readline().strip()}"
    finally:
        gc.collect()  # no window is left
        process.terminate()
        process.wait()


@pytest.fixture
def display(screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows open on that display."""
    monkeypatch.setenv("DISPLAY", screen)
