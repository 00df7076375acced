"""What the tests of players share: dealers on threads of this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cards import PRESETS
from tests.helpers.house import House, open_house


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """A dealer of the usual rules that many tests share."""
    with open_house() as house:
        yield house


@pytest.fixture
def port(house: House) -> int:
    """Its port."""
    return house.port


@pytest.fixture(scope="session")
def devs_port() -> Iterator[int]:
    """The port of a dealer of other rules than the usual ones."""
    with open_house(rules=PRESETS["devs"]) as house:
        yield house.port
