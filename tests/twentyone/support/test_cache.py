"""The cache of a user: its folder, what is in it, its bound, and the command that shows and clears it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.inside import inside
from twentyone.analysis.cli import main
from twentyone.exact import cache as values
from twentyone.support import cache, compiling
from twentyone.support.cache import MAX_BYTES, entries, mark_used, remove, trim, user_folder

VERSIONS = [f"kernels-{number:016x}" for number in range(5)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty cache of a user."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "twentyone").mkdir()
    return tmp_path / "twentyone"


def make(folder: Path, name: str, used: float, size: int = 1000) -> Path:
    """An entry: a folder with a file in a folder, or a file."""
    path = folder / name
    file = path / "of" / "code.nbc" if name.startswith("kernels") else path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(size))
    os.utime(path, (used, used))
    return path


def test_the_cache_of_a_user_is_where_the_system_has_such_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for unusable in ("", "relative/path"):
        monkeypatch.setenv("XDG_CACHE_HOME", unusable)
        assert user_folder() == tmp_path / ".cache" / "twentyone"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert user_folder() == tmp_path / "other" / "twentyone"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert user_folder() is None


def test_entries_come_in_the_order_of_their_last_use_and_others_are_not_ours(folder: Path) -> None:
    make(folder, VERSIONS[0], used=300)
    make(folder, "stand-6-11-all17-beat.v1.npz", used=100)
    make(folder, ".stand-6-11-all17-beat.v1.npz.k3x_9", used=200)
    make(folder, "letters.txt", used=50)
    assert [(entry.kind, entry.used) for entry in entries(folder)] == [
        ("values", 100),
        ("left over", 200),
        ("machine code", 300),
    ]
    assert entries(folder)[0].size == 1000
    assert entries(folder)[2].size > 1000, "a folder has a size of its own"
    assert entries(folder / "nowhere") == []


def test_what_was_not_used_for_the_longest_time_goes_first(folder: Path) -> None:
    for number, version in enumerate(VERSIONS):
        make(folder, version, used=100 + number)
    mark_used(folder / VERSIONS[0])
    sizes = [entry.size for entry in entries(folder)]
    trim(folder, most=sum(sizes))
    assert len(entries(folder)) == 5
    trim(folder, most=sum(sizes[:3]))
    assert {entry.path.name for entry in entries(folder)} == {VERSIONS[0], *VERSIONS[3:]}


def test_what_was_made_last_stays_however_large_it_is(folder: Path) -> None:
    make(folder, VERSIONS[0], used=100)
    make(folder, VERSIONS[1], used=200)
    trim(folder, most=10)
    assert [entry.path.name for entry in entries(folder)] == [VERSIONS[1]]


def test_a_link_is_removed_and_what_it_points_to_stays(folder: Path, tmp_path: Path) -> None:
    make(tmp_path, VERSIONS[1], used=100)
    (folder / VERSIONS[0]).symlink_to(tmp_path / VERSIONS[1])
    assert [remove(entry) for entry in entries(folder)] == [True]
    assert (tmp_path / VERSIONS[1] / "of" / "code.nbc").exists()
    assert list(folder.iterdir()) == []


def test_keeping_values_keeps_the_bound_and_values_that_are_read_are_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache.trim, "__defaults__", (3000,))
    for number, version in enumerate(VERSIONS):
        make(folder, version, used=100 + number)
    values.keep("some", np.zeros(3))
    kept = folder / values.file_name("some")
    assert kept.exists() and not (folder / VERSIONS[0]).exists()
    os.utime(kept, (100, 100))
    assert values.load("some", (3,)) is not None
    assert kept.stat().st_mtime > 100


def test_a_new_version_of_kernels_keeps_the_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiling.SETTINGS, "CACHE_DIR", "")
    monkeypatch.setattr(cache.trim, "__defaults__", (3000,))
    for number, version in enumerate(VERSIONS):
        make(folder, version, used=100 + number)
    compiling.compiled(make)
    made = compiling.kernel_folder(Path(__file__))
    assert made is not None and made.exists()
    assert not (folder / VERSIONS[0]).exists()
    os.utime(made, (100, 100))
    compiling.compiled(make)
    assert made.stat().st_mtime > 100


# The command.


def test_the_cache_is_shown_and_cleared(folder: Path, tmp_path: Path) -> None:
    make(folder, VERSIONS[0], used=100, size=3 * 2**20)
    make(folder, "stand-6-11-all17-beat.v1.npz", used=200)
    make(folder, "letters.txt", used=50)
    shown = inside(main, "analysis", "cache", cwd=tmp_path)
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.splitlines()[0].split() == ["what", "entries", "size", "longest", "unused"]
    assert shown.out.splitlines()[1].startswith("machine code        1  3.0 MiB ")
    assert shown.out.splitlines()[-1] == f"3.0 MiB of at most {MAX_BYTES / 2**20:.1f} MiB in {folder}"

    document = json.loads(inside(main, "analysis", "cache", "--json", cwd=tmp_path).out)
    assert (document["folder"], document["bound"], document["removed"]) == (str(folder), MAX_BYTES, 0)
    assert document["kinds"]["values"]["entries"] == 1
    assert document["kinds"]["values"]["bytes"] == 1000
    assert document["kinds"]["machine code"]["unused_days"] > 18_000  # since 1970
    assert document["kinds"]["left over"] == {"entries": 0, "bytes": 0, "unused_days": None}

    cleared = inside(main, "analysis", "cache", "--clear", cwd=tmp_path)
    assert (cleared.status, cleared.out) == (0, f"removed from {folder}: 3.0 MiB, entries: 2\n")
    assert [path.name for path in folder.iterdir()] == ["letters.txt"]
    empty = inside(main, "analysis", "cache", cwd=tmp_path)
    assert empty.out == f"0.0 MiB of at most {MAX_BYTES / 2**20:.1f} MiB in {folder}\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may remove anything")
def test_what_cannot_be_removed_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    kept = make(folder, "stand-6-11-all17-beat.v1.npz", used=200)
    folder.chmod(0o500)
    done = inside(main, "analysis", "cache", "--clear", cwd=tmp_path)
    folder.chmod(0o700)
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert done.err.startswith(f"analysis: {kept} could not be removed")
