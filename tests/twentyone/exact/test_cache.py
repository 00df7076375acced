"""Values on the disk: kept, found again, and ignored if damaged or of something else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from twentyone.exact import cache

VALUES = np.linspace(-1, 1, 30).reshape(3, 10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty user cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "twentyone"


def test_values_are_kept_and_found_by_their_name(folder: Path) -> None:
    assert cache.load("some", VALUES.shape) is None
    cache.keep("some", VALUES)
    assert [path.name for path in folder.iterdir()] == [cache.file_name("some")]
    found = cache.load("some", VALUES.shape)
    assert found is not None and np.array_equal(found, VALUES)
    assert cache.load("other", VALUES.shape) is None


def test_a_broken_file_is_mended(folder: Path) -> None:
    cache.keep("some", VALUES)
    path = folder / cache.file_name("some")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert cache.load("some", VALUES.shape) is None
    cache.keep("some", VALUES)
    assert path.read_bytes() == content


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
    cache.keep("some", VALUES)
    assert cache.load("some", VALUES.shape) is None


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    cache.keep("some", VALUES)
    assert cache.load("some", VALUES.shape) is None
