"""What the tests of environments share: a display without a screen, for windows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a display of Xvfb, which is the one that windows open on."""
    pytest.importorskip("tkinter", reason="this Python was built without tkinter", exc_type=ImportError)
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL)
    try:
        os.close(writes)
        with os.fdopen(reads) as told:
            name = f":{told.readline().strip()}"
        monkeypatch.setenv("DISPLAY", name)
        yield name
    finally:
        process.terminate()
        process.wait()
