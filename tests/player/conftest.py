"""What the tests of players share: dealers on threads of this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cards import PRESETS
from player import trainer, tries
from tests.helpers.house import House, open_house
from tests.helpers.patience import PATIENCE


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process `training` waits for a dealer's first round for as long as this machine takes.

    Nobody pauses before a try to come back.
    """
    monkeypatch.setattr(trainer, "BEGIN_TIMEOUT", PATIENCE)
    monkeypatch.setattr(tries, "PAUSES", (0.0,) * len(tries.PAUSES))


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
