"""A long file of lines, in ranges of bytes that several processes work through."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from tournament.replay.lines import LONGEST
from twentyone.support.interrupts import kept_from_children

RANGE: Final = 4 << 20
"""Bytes that a process works through at a time: some tenths of a second."""

_Found = TypeVar("_Found")


def over_ranges(
    function: Callable[[Path, int, int], _Found],
    path: Path,
    progress: Callable[[int], object] = lambda _: None,
    processes: int = 1,
    size: int = RANGE,
) -> Iterator[_Found]:
    """The results of a function for each range of a file, in order.

    Args:
        function: called with the file, and the bytes where a range begins and ends.
        path: the file.
        progress: called with the bytes that have been worked through.
        processes: how many may work at once; with one, or a short file, it is this one.
        size: the bytes of a range.

    Raises:
        OSError: if the file cannot be read.
    """
    end_of_file = path.stat().st_size
    starts = range(0, end_of_file, size)
    ends = [min(start + size, end_of_file) for start in starts]
    if min(processes, len(starts)) <= 1:
        for start, end in zip(starts, ends, strict=True):
            yield function(path, start, end)
            progress(end)
        return
    pool = ProcessPoolExecutor(
        min(processes, len(starts)), mp_context=get_context("spawn"), initializer=_ignore_interrupts
    )
    try:
        with kept_from_children():
            all_found = pool.map(function, repeat(path), starts, ends)
        for end, found in zip(ends, all_found, strict=True):
            yield found
            progress(end)
    finally:
        pool.shutdown(cancel_futures=True)


def whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is too long the beginning, which is damaged."""
    while line := file.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = file.readline(LONGEST + 1)


def lines_within(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """The lines that begin within a range of bytes."""
    at = _first_line(file, start, end)
    if at >= end:
        return
    file.seek(at)
    for line in whole_lines(file):
        if at >= end:
            return
        at = file.tell()
        yield line


def _first_line(file: BinaryIO, start: int, end: int) -> int:
    """The first beginning of a line at `start` or later; `end` or more if none is before that."""
    if start == 0:
        return 0
    at = start - 1
    file.seek(at)
    while at < end and (part := file.readline(LONGEST)):
        at += len(part)
        if part.endswith(b"\n"):
            break
    return at


def line_before(file: BinaryIO, start: int, until: int) -> bytes | None:
    """The last line with something in it that begins before `start`; None if there is none.

    Of one that is too long, or that ends after `until`, it may be a part, which is damaged as well.
    """
    end = _first_line(file, start, until)
    reach = 1 << 16
    while start > 0:
        begin = max(0, end - reach)
        file.seek(begin)
        *lines, last = file.read(end - begin).rstrip().split(b"\n")
        if lines or begin == 0 or len(last) > LONGEST:
            return last or None
        reach *= 2
    return None


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
