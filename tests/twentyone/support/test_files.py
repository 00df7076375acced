"""Atomic writing: the old file or the new one, with the old permissions, and nothing left over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.patience import eventually
from tests.helpers.processes import start
from twentyone.support.command import os_reason
from twentyone.support.files import check_writable, read_whole, write_atomically

KILLS = 12
SIZE = 300_000
WRITER = f"""
import sys
from pathlib import Path
from twentyone.support.files import write_atomically
while True:
    for letter in "AB":
        write_atomically(Path(sys.argv[1]), letter * {SIZE})
"""


def files_in(folder: Path) -> list[str]:
    """The names of all files, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    """A file's permissions."""
    return path.stat().st_mode & 0o777


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "table.txt"
    for text in ("one\n", "zwei ♠\r\n", ""):
        write_atomically(path, text)
        assert path.read_bytes() == text.encode()
    write_atomically(path, everything := bytes(range(256)))
    assert path.read_bytes() == everything
    assert files_in(path.parent) == ["table.txt"]


def test_a_new_file_has_the_permissions_of_any_new_file_and_a_replaced_one_its_own(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o666 & ~0o027
    path = tmp_path / "old"
    path.write_text("old")
    for mode in (0o600, 0o644, 0o666, 0o755):
        path.chmod(mode)
        write_atomically(path, f"new {mode}")
        assert (path.read_text(), mode_of(path)) == (f"new {mode}", mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """A table that is kept elsewhere is updated there."""
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "table.txt", tmp_path / "table.txt"
    link.symlink_to(real)
    for text in ("first", "second"):
        write_atomically(link, text)
        assert link.is_symlink()
        assert real.read_text() == text


def test_what_is_in_its_place_and_no_file_is_left_alone(tmp_path: Path) -> None:
    """Otherwise `--table /dev/null`, run by the superuser, would replace it by an ordinary file."""
    folder, pipe, old = tmp_path / "folder", tmp_path / "pipe", tmp_path / "old"
    folder.mkdir()
    for write in (check_writable, lambda path: write_atomically(path, "text")):
        with pytest.raises(IsADirectoryError) as caught:
            write(folder)
        assert os_reason(caught.value) == "is a directory"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(pipe, "text")
    assert pipe.is_fifo()
    old.write_text("old")
    with pytest.raises(OSError):
        write_atomically(old / "table.txt", "new")
    assert (files_in(tmp_path), old.read_text()) == (["folder", "old", "pipe"], "old")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            write_atomically(tmp_path / "old", "new")
    finally:
        tmp_path.chmod(0o700)
    assert (tmp_path / "old").read_text() == "old"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Half of a surrogate pair cannot be encoded, so writing fails in the middle."""
    path = tmp_path / "table.txt"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new" * SIZE + "\ud800")
    assert path.read_text() == "old"
    assert files_in(tmp_path) == ["table.txt"]


@pytest.mark.check
def test_killed_at_any_instant_the_file_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    path, left = tmp_path / "table.txt", 1

    def is_at_work() -> bool:
        return len(files_in(tmp_path)) > left

    for number in range(KILLS):
        writer = start("python", path, cwd=tmp_path, code=WRITER)
        assert eventually(path.exists)
        if number % 2:  # in the middle of its work, as far as one can tell
            assert eventually(is_at_work)
        writer.kill()
        writer.communicate()
        assert path.read_text() in ("A" * SIZE, "B" * SIZE)
        left = len(files_in(tmp_path))
    assert left > 1, "some kills came in the middle: what was being written is left"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file"
    path.write_bytes("na\u00efve\r\nb\ufeff\n".encode(encoding))
    assert read_whole(path) == "na\u00efve\nb\ufeff\n"


def test_a_file_is_read_as_text_and_a_pipe_or_a_device_refused_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("na\u00efve\n", encoding="utf-8")
    assert read_whole(tmp_path / "file") == "na\u00efve\n"
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "/dev/zero", "link"):
        with pytest.raises(OSError, match="it is not a regular file"):
            read_whole(tmp_path / name)
    with pytest.raises(IsADirectoryError):
        read_whole(tmp_path)
