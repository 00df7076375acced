"""Messages to the service manager that has started this process: `sd_notify(3)`, and its watchdog.

Without one nothing is sent. What is lost on the way to it is no fault of the program, and is not told.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


class Service:
    """This process, as a service.

    Args:
        environ: the environment; what it says of the service manager is taken out of it.
    """

    def __init__(self, environ: MutableMapping[str, str]) -> None:
        address = environ.pop("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        microseconds, for_whom = environ.pop("WATCHDOG_USEC", ""), environ.pop("WATCHDOG_PID", "")
        is_watched = re.fullmatch("[0-9]{1,15}", microseconds) is not None and for_whom in (
            "",
            str(os.getpid()),
        )
        self._longest_silence = int(microseconds) / 1e6 if is_watched else 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_stopping = False

    def begin(self, loop: asyncio.AbstractEventLoop, status: str) -> None:
        """Say that it is ready, with its status in one line; from now on the loop gives signs of life."""
        self._tell("READY=1", f"STATUS={status}")
        if self._longest_silence > 0:
            self._show_life(loop)

    def stop(self) -> None:
        """Say that it has begun to stop; signs of life go on."""
        if not self._is_stopping:
            self._is_stopping = True
            self._tell("STOPPING=1")

    def close(self) -> None:
        """Give no more signs of life."""
        if self._timer is not None:
            self._timer.cancel()

    def _show_life(self, loop: asyncio.AbstractEventLoop) -> None:
        self._tell("WATCHDOG=1")
        self._timer = loop.call_later(self._longest_silence / 2, self._show_life, loop)

    def _tell(self, *lines: str) -> None:
        if not self._address.startswith(("/", "\0")):
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
            way.setblocking(False)
            way.sendto("\n".join(lines).encode(), self._address)
