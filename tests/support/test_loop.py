"""Running a coroutine: on uvloop if it is installed, with its result or its error."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

import pytest

from support.loop import run


async def loop_in_use() -> str:
    """The package of the running loop."""
    return type(asyncio.get_running_loop()).__module__.partition(".")[0]


async def fail() -> None:
    """An error of the work itself."""
    raise LookupError("lost")


def test_uvloop_runs_it_where_it_exists() -> None:
    assert run(loop_in_use()) == ("uvloop" if find_spec("uvloop") else "asyncio")


def test_an_error_comes_out_as_it_is() -> None:
    with pytest.raises(LookupError, match="lost"):
        run(fail())
