"""What a program says, for the transcript of a check."""

from __future__ import annotations

import re
from typing import Final

from protocol import LineFraming, WireFormat, detect
from protocol.websocket import ServerWebSocketFraming, Site

LONGEST_LINE: Final = 1 << 20
"""Bytes that are read of a program that never ends a line."""

_LINE_END: Final = re.compile(rb"[\n\0]")


class Ear:
    """What a program says, line by line and unchanged, for the transcript."""

    def __init__(self) -> None:
        self._first = self._rest = b""
        self._framing: LineFraming | ServerWebSocketFraming | None = None

    @property
    def unended(self) -> bytes:
        """What has come behind the last line end; nothing of a WebSocket."""
        return self._first + self._rest

    def hear(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete."""
        if self._framing is None:
            self._first += data
            wire_format = detect(self._first)
            if wire_format is None:
                return []
            is_http = wire_format is WireFormat.HTTP
            self._framing = ServerWebSocketFraming(Site()) if is_http else LineFraming(max_line=LONGEST_LINE)
            data, self._first = self._first, b""
        if isinstance(self._framing, LineFraming):
            self._rest = _LINE_END.split(self._rest + data)[-1][:LONGEST_LINE]
        return self._framing.receive(data)
