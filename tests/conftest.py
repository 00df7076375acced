"""What all tests share: caches of their own, and patience with kernels, compiled when first called."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.helpers.authority import Authority
from tests.helpers.compiled import skip_what_replaces_compiled_code
from tests.helpers.processes import end_what_runs
from twentyone.support.build import build_name

KEPT = Path(__file__).parent.parent / ".pytest_cache"

# Read when these libraries are imported, here and in every process that a test starts: what takes seconds to
# make, compiled kernels and a list of fonts, is made once for all of them.
os.environ.setdefault("NUMBA_CACHE_DIR", str(KEPT / "numba"))
os.environ.setdefault("MPLCONFIGDIR", str(KEPT / "matplotlib"))

# Hundreds of commands are started: compiling the same sources each time is a quarter of what a start costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if build_name() == "compiled":
    skip_what_replaces_compiled_code()

settings.register_profile("twentyone", deadline=None)
settings.load_profile("twentyone")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are cores: tests wait for browsers, dealers, and kernels that another compiles."""
    return (yield) + 1


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty folder for what is kept between runs, so that tests neither use nor leave anything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A certificate authority that only those trust who are told of it."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.hookimpl(wrapper=True, trylast=True)  # so that pytest's limit for a test that hangs holds here too
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test that fails fails alone: what it has left behind is ended and closed before the next one."""
    failed = item.session.testsfailed
    handled = yield
    end_what_runs()
    if item.session.testsfailed > failed:
        _forget_the_failure()
    return handled


def _forget_the_failure() -> None:
    """Let go of the frames of a failed test, and let what they held be closed without a word."""
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
    said, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        sys.unraisablehook = said
