"""Running a coroutine: on uvloop if it is installed, with its result or its error."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

import pytest

from twentyone.support.loop import run


async def loop_in_use(error: str = "") -> str:
    """The package of the running loop, or an error of the work itself."""
    if error:
        raise LookupError(error)
    return type(asyncio.get_running_loop()).__module__.partition(".")[0]


def test_uvloop_runs_it_where_it_exists_and_an_error_comes_out_as_it_is() -> None:
    assert run(loop_in_use()) == ("uvloop" if find_spec("uvloop") else "asyncio")
    with pytest.raises(LookupError, match="lost"):
        run(loop_in_use("lost"))
