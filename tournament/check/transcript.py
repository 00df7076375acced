"""The lines between a program and its check, with times."""

from __future__ import annotations

import time
from typing import Any, Final, NamedTuple

SHOWN: Final = 12
"""Lines of a transcript that are shown below a fault."""

MAX_TEXT: Final = 120
"""Letters of a line that are shown."""

FROM_PROGRAM: Final = ">"
FROM_DEALER: Final = "<"
NOTED: Final = "-"


class Entry(NamedTuple):
    """A line: the seconds since the connection was made, who said it (`>` a player), and what."""

    seconds: float
    sign: str
    text: str

    def __str__(self) -> str:
        return f"{self.seconds:7.3f} {self.sign} {self.text}"

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {"seconds": round(self.seconds, 3), "sign": self.sign, "text": self.text}


class Transcript:
    """The lines of one connection, from both sides."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._start = time.monotonic()

    def add(self, sign: str, line: bytes | str) -> None:
        """Add a line; only the beginning of a long one is kept, as printable ASCII."""
        text = line if isinstance(line, str) else ascii(line.decode("utf-8", "replace"))[1:-1]
        if len(text) > MAX_TEXT:
            text = f"{text[:MAX_TEXT]}... ({len(text):,} characters)"
        self.entries.append(Entry(time.monotonic() - self._start, sign, text))

    def last(self, sign: str) -> str | None:
        """The last line of one side; None before there is one."""
        return next((entry.text for entry in reversed(self.entries) if entry.sign == sign), None)

    def tail(self) -> list[Entry]:
        """The last lines."""
        return self.entries[-SHOWN:]
