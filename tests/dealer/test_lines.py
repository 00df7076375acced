"""Files that grow line by line: what is in them stays, each line is whole, and a full disk ends nothing."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dealer.tables.lines import LinesFile, now
from twentyone.support.command import CommandError


def opened(path: Path) -> tuple[LinesFile, list[str]]:
    """A file, and where its notices go."""
    notices: list[str] = []
    return LinesFile("history", path, notices.append), notices


def numbers(text: str) -> list[int]:
    return [json.loads(line)["number"] for line in text.splitlines()]


@pytest.mark.parametrize("before", ["", "a line\n", "a li", "\n"])
def test_what_is_in_it_stays_and_new_lines_begin_on_one_of_their_own(tmp_path: Path, before: str) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(before)
    begins = before if before in ("", "\n") else f"{before.strip()}\n"
    file, notices = opened(path)
    for number in (1, 2):
        file.add({"number": number})
        text = path.read_text()  # there at once
        assert text.startswith(begins)
        assert numbers(text.removeprefix(begins)) == list(range(1, number + 1))
    file.close()
    file.close()
    assert (notices, file.is_lost) == ([], False)


def test_a_line_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = os.write

    def noted(file: int, data: bytes) -> int:
        written.append(data)
        return write(file, data)

    path = tmp_path / "lines.jsonl"
    path.write_text("cut")
    file, _ = opened(path)
    monkeypatch.setattr(os, "write", noted)
    for number in (1, 2):
        file.add({"number": number, "text": "x" * 10_000})
    monkeypatch.undo()
    file.close()
    assert [data.count(b"\n") for data in written] == [2, 1]  # the first ends the line that was cut
    assert b"cut" + b"".join(written) == path.read_bytes()


def test_where_it_cannot_be_written_that_is_said_once() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    file, notices = opened(Path("/dev/full"))
    for number in (1, 2):
        file.add({"number": number})
    file.close()
    assert file.is_lost
    assert notices == [
        "the history file /dev/full cannot be written any more: no space left on device;"
        " the dealer plays on without it"
    ]


def test_where_nobody_reads_a_pipe_any_more_that_is_said_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    file, notices = opened(pipe)
    file.add({"number": 1})
    assert numbers(os.read(reader, 100).decode()) == [1]
    os.close(reader)
    for number in (2, 3):
        file.add({"number": number})
    file.close()
    assert file.is_lost
    assert notices == [
        f"the history file {pipe} cannot be written any more: broken pipe; the dealer plays on without it"
    ]


def test_a_file_that_was_renamed_is_left_for_a_new_one(tmp_path: Path) -> None:
    path, renamed = tmp_path / "lines.jsonl", tmp_path / "lines.jsonl.1"
    file, notices = opened(path)
    file.add({"number": 1})
    path.rename(renamed)
    file.add({"number": 2})
    file.reopen()
    file.add({"number": 3})
    file.close()
    assert [numbers(each.read_text()) for each in (renamed, path)] == [[1, 2], [3]]
    assert (notices, file.is_lost) == ([], False)


def test_a_file_that_was_emptied_begins_with_the_next_line(tmp_path: Path) -> None:
    """As by copytruncate: without O_APPEND there would be a hole before it."""
    path = tmp_path / "lines.jsonl"
    file, _ = opened(path)
    file.add({"number": 1})
    os.truncate(path, 0)
    file.add({"number": 2})
    file.close()
    assert numbers(path.read_text()) == [2]


def test_a_file_that_cannot_be_opened_again_stays_in_use(tmp_path: Path) -> None:
    """A folder has its name now, or a pipe that nobody reads, for which the dealer must not wait."""
    path, renamed = tmp_path / "lines.jsonl", tmp_path / "lines.jsonl.1"
    file, _ = opened(path)
    path.rename(renamed)
    for make, reason in ((Path.mkdir, "is a directory"), (os.mkfifo, "no such device or address")):
        make(path)
        with pytest.raises(CommandError) as refused:
            file.reopen()
        assert str(refused.value) == f"the history file {path} cannot be opened: {reason}"
        path.rename(tmp_path / make.__name__)
    file.add({"number": 1})
    file.close()
    assert numbers(renamed.read_text()) == [1]


def test_a_disk_that_was_full_is_written_again_after_it_is_opened_again(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = tmp_path / "lines.jsonl"
    path.symlink_to("/dev/full")
    file, _ = opened(path)
    file.add({"number": 1})
    path.unlink()
    file.reopen()
    file.add({"number": 2})
    file.close()
    assert (numbers(path.read_text()), file.is_lost) == ([2], True)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        opened(tmp_path)
    assert str(refused.value) == f"the history file {tmp_path} cannot be opened: is a directory"


def test_the_time_is_in_utc_with_milliseconds() -> None:
    before = datetime.now(UTC)
    time = datetime.fromisoformat(now())
    assert time.tzinfo == UTC
    assert before.timestamp() - 0.001 <= time.timestamp() <= datetime.now(UTC).timestamp()
    assert len(now()) == len("2026-11-23T04:05:06.789Z")
