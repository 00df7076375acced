"""The process of the page: snapshots come on standard input, its address goes to standard output.

It has a process of its own so that drawing takes no time from training, and no fault of it ends training.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from player.web.board import Board
from player.web.serving import Server
from player.web.snapshot import Snapshot
from twentyone.support.command import CommandError

NICENESS: Final = 5
"""The niceness of the page: on busy processors Linux gives it a third of what training gets."""

SHARE: Final = 0.05
"""The part of a processor's time that the decisions may take, at most; at a table with payoffs their exact
values take a second."""

LOOKED_AT: Final = 15.0
"""Seconds: a page that asked within them is still there. Longer than one that waits for news is silent."""

FIRST_LOOK: Final = 10.0
"""Seconds that a browser may take to ask for the page, if training has ended by then."""

LAST_LOOK: Final = 5.0
"""Seconds that pages may take to get the last picture."""

QUIET: Final = 1.0
"""Seconds: a page that has asked for nothing for so long after the last picture has got all."""

MOST_PAYOFFS: Final = 400
"""Mean payoffs that are kept for the curve."""

CUT_OFF: Final = "Training has ended before its time."

_CONSOLE: Final = "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"


class _Inbox:
    """The newest snapshot.

    Args:
        source: where snapshots come from; each is put up as soon as it comes.
        board: where they are put up.
    """

    def __init__(self, source: BinaryIO, board: Board) -> None:
        from player.web.figures import figures_of

        self._source = source
        self._board = board
        self._figures_of = figures_of
        self._newest: Snapshot | None = None
        self._changed = threading.Condition()
        self._payoffs: list[tuple[int, float]] = []

    def read(self) -> None:
        """Take snapshots until training ends, or has gone."""
        last: Snapshot | None = None
        while last is None or last.end is None:
            try:
                last = pickle.load(self._source)
            except (EOFError, OSError, pickle.UnpicklingError):
                before = last or Snapshot(0, 1, 0.0, None, None, None)
                last = replace(before, end=CUT_OFF)
            self._note_payoff(last)
            self._board.put(**self._figures_of(last), payoffs=list(self._payoffs))
            with self._changed:
                self._newest = last
                self._changed.notify()

    def _note_payoff(self, snapshot: Snapshot) -> None:
        """Keep the mean payoff by rounds learned; of too many, every other."""
        if snapshot.learned is not None and snapshot.mean_payoff is not None:
            self._payoffs.append((snapshot.learned.table.rounds, snapshot.mean_payoff))
        if len(self._payoffs) > MOST_PAYOFFS:
            del self._payoffs[1::2]

    def take(self) -> Snapshot:
        """The newest snapshot, once it has come, which is given once."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None)
            newest, self._newest = self._newest, None
        assert newest is not None
        return newest


def main(file: Path) -> None:
    """Serve the page until training has ended, and those who look have the last picture.

    Args:
        file: the file of the table that is learned.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    board = Board()
    server = Server(board)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.port}/"
    print(address, flush=True)
    is_opened = can_open()
    if is_opened:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    inbox = _Inbox(sys.stdin.buffer, board)
    threading.Thread(target=inbox.read, daemon=True).start()
    while (snapshot := inbox.take()).end is None:
        if board.is_looked_at(LOOKED_AT):
            began = time.thread_time()
            _show(snapshot, board)
            time.sleep((time.thread_time() - began) * (1 / SHARE - 1))
    _end(snapshot, file, board, is_opened)


def can_open() -> bool:
    """Whether there is a browser with a window of its own; one in this terminal would be in the way."""
    if sys.platform in ("darwin", "win32"):
        return True
    if not any(os.environ.get(name) for name in _CONSOLE):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _show(snapshot: Snapshot, board: Board) -> None:
    from player.web.figures import decisions_shown

    if snapshot.learned is not None:
        board.put(**decisions_shown(snapshot.learned))


def _draw(snapshot: Snapshot, file: Path, board: Board) -> None:
    """Draw the picture that `--plot` writes, unless nothing was learned."""
    from player.web.figures import picture_of

    if snapshot.learned is not None:
        with suppress(CommandError):
            board.picture = picture_of(snapshot.learned, file)
            board.put(picture=True)


def _end(snapshot: Snapshot, file: Path, board: Board, is_opened: bool) -> None:
    """Show the last decisions and the picture to those who look, and wait until they have them."""
    until = time.monotonic() + FIRST_LOOK
    while is_opened and not board.was_looked_at and time.monotonic() < until:
        time.sleep(0.05)
    if not board.is_looked_at(LOOKED_AT):
        return
    _show(snapshot, board)
    _draw(snapshot, file, board)
    board.put(last=True)
    until = time.monotonic() + LAST_LOOK
    while board.is_looked_at(QUIET) and time.monotonic() < until:
        time.sleep(0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
