"""Dealers for the tests of this folder, ended after each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.dealer.house import RUNS, House, open_house
from tests.hand_turned import HandTurned

Open = Callable[..., House]
"""Opens a dealer with these fields of its configuration."""


@pytest.fixture(params=list(RUNS))
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens dealers, on each of the loops that there are."""
    with ExitStack() as stack:

        def open_one(**options: Any) -> House:
            return stack.enter_context(open_house(RUNS[request.param], **options))

        yield open_one


@pytest.fixture
def loop() -> Iterator[HandTurned]:
    """A loop for the test to turn."""
    loop = HandTurned()
    yield loop
    loop.close()
