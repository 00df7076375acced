"""Values of standing on the disk: kept, found again, and ignored if damaged or of other rules."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cards import Ace, DealerStands, Naturals
from exact import cache
from exact.game import Kind, game_of, name_of
from tests.helpers.strategies import UNPAID

SMALL = Kind(1, Ace.ELEVEN, DealerStands.ALL17, Naturals.EQUAL)
"""Rules with few hands, quick to compute."""

VALUES = np.linspace(-1, 1, 30).reshape(3, 10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty user cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "twentyone"


def fresh_stand(kind: Kind) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The values of standing as a new process would find them."""
    return game_of.__wrapped__(kind).stand


def test_other_values_are_computed_once_and_kept(folder: Path) -> None:
    computed = fresh_stand(SMALL)
    assert [path.name for path in folder.iterdir()] == [cache.file_name(name_of(SMALL))]
    marked = computed + 1e-3
    cache.write(folder, name_of(SMALL), marked)
    assert np.array_equal(fresh_stand(SMALL), marked)


def test_an_infinite_deck_needs_no_file(folder: Path) -> None:
    fresh_stand(SMALL._replace(decks=None))
    assert not folder.exists()


def test_a_broken_file_is_computed_again_and_mended(folder: Path) -> None:
    computed = fresh_stand(SMALL)
    path = folder / cache.file_name(name_of(SMALL))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert np.array_equal(fresh_stand(SMALL), computed)
    assert path.read_bytes() == whole


def test_a_file_with_a_changed_bit_never_gives_other_values(folder: Path) -> None:
    cache.write(folder, "some", VALUES)
    path = folder / cache.file_name("some")
    content = path.read_bytes()
    refused = 0
    for place in range(0, len(content), 11):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        found = cache.load("some", VALUES.shape)
        assert found is None or np.array_equal(found, VALUES)
        refused += found is None
    assert refused > VALUES.nbytes // 11  # each flip in the numbers, and more


def test_a_file_of_something_else_is_passed_over(folder: Path) -> None:
    cache.write(folder, "other", VALUES)
    path = folder / cache.file_name("some")
    (folder / cache.file_name("other")).rename(path)
    assert cache.load("some", VALUES.shape) is None  # its name is another
    cache.write(folder, "some", VALUES)
    assert cache.load("some", (2, 10)) is None
    cache.write(folder, "some", np.full((3, 10), np.nan))
    assert cache.load("some", VALUES.shape) is None
    with path.open("wb") as file:
        np.save(file, VALUES)  # an array, not an archive of arrays
    assert cache.load("some", VALUES.shape) is None
    path.write_text("not numbers")
    assert cache.load("some", VALUES.shape) is None
    path.unlink()
    path.mkdir()
    assert cache.load("some", VALUES.shape) is None


def test_a_folder_that_cannot_be_written_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert fresh_stand(SMALL).shape[1] == 10


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    cache.keep("some", VALUES)
    assert cache.load("some", VALUES.shape) is None


def test_every_kind_of_rules_has_a_different_name() -> None:
    kinds = [Kind(*fields) for fields in product(range(1, 9), Ace, DealerStands, UNPAID)]
    assert len({cache.file_name(name_of(kind)) for kind in kinds}) == len(kinds) == 96
