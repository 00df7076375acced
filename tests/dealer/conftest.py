"""Dealers for the tests of this folder, ended after each of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from tests.dealer.running import Dealer
from tests.helpers.hand_turned import HandTurned
from tests.helpers.house import RUNS, House, open_house

Open = Callable[..., House]
"""Opens a dealer with these fields of its configuration."""

on_each_loop: Final = pytest.mark.parametrize(
    "opened", ["uvloop", pytest.param("asyncio", marks=pytest.mark.check)], indirect=True
)
"""For what a loop does itself: reading and writing that is held up, sides that are closed, turns."""


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens dealers on the loop that the command uses, or on the one that is asked for."""
    run = RUNS[getattr(request, "param", "uvloop")]
    with ExitStack() as stack:

        def open_one(**options: Any) -> House:
            return stack.enter_context(open_house(run, **options))

        yield open_one


@pytest.fixture
def loop() -> Iterator[HandTurned]:
    """A loop for the test to turn."""
    loop = HandTurned()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def classic_player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in for such a player, compiled."""
    source = Path(__file__).with_name("classic_player.c")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("classic") / "player"
    subprocess.run([compiler, "-Wall", "-Werror", "-o", program, source], check=True)
    return program


Start = Callable[..., Dealer]
"""Starts the command with this number of rounds and these options."""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Start]:
    """Starts dealers in an empty folder, on a free port that they write to a file."""
    with ExitStack() as stack:

        def start_one(rounds: int, *options: object, **how: Any) -> Dealer:
            dealer = Dealer(tmp_path, rounds, *options, **how)
            stack.callback(dealer.close)
            return dealer

        yield start_one
