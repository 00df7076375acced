"""A plugin of pytest for `benchmarks.mutants reach`: tells coverage which test runs, and keeps what it takes.

Each line of the file that REACHING_TIMES names is JSON: the test, its seconds by the clock, the processor
seconds of this process and of those that it has started, and how many those were.
"""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Generator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import monotonic
from typing import Any, Final

import pytest

STARTED: Final[list[None]] = []

SETTINGS: Final = "COVERAGE_PROCESS_CONFIG"
"""By this variable coverage tells every process that is started how to measure it."""


def pytest_configure() -> None:
    """Count the processes that are started."""
    start = subprocess.Popen.__init__

    def counted(*given: Any, **options: Any) -> None:
        STARTED.append(None)
        start(*given, **options)

    setattr(subprocess.Popen, "__init__", counted)  # noqa: B010


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The context of all that a test runs here, and, by the environment, in processes that it starts."""
    name = item.nodeid.split("[")[0]
    if (given := os.environ.get(SETTINGS)) is not None:
        settings = json.loads(b64decode(given)) | {"context": name}
        os.environ[SETTINGS] = b64encode(json.dumps(settings).encode()).decode()
    try:
        from coverage import Coverage
    except ImportError:
        measured = None
    else:
        measured = Coverage.current()
    if measured is not None:
        measured.switch_context(name)
    before = _spent()
    handled = yield
    if path := os.environ.get("REACHING_TIMES"):
        row = [item.nodeid, *(round(now - then, 4) for now, then in zip(_spent(), before, strict=True))]
        with Path(path).open("a") as file:
            file.write(json.dumps(row) + "\n")
    return handled


def _spent() -> tuple[float, float, float, int]:
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return (
        monotonic(),
        own.ru_utime + own.ru_stime,
        others.ru_utime + others.ru_stime,
        len(STARTED),
    )
