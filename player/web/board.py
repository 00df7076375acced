"""The current content of the page, for those who wait for something new."""

from __future__ import annotations

import threading
import time
from typing import Any, Final

Document = dict[str, Any]

EMPTY: Final[Document] = {
    **{"version": 0, "phase": "waiting", "sentence": "Waiting for the dealer's first round.", "done": 0.0},
    **{"figures": [], "rules": "", "points": [], "payoffs": [], "grids": [], "key": "", "words": ""},
    **{"picture": False, "last": False},
}
"""Before the first snapshot."""


class Board:
    """The state and the picture that the page gets; any thread may use it.

    The document has `version`, which grows with every change, `picture`: whether there is one, and `last`:
    nothing comes after this.
    """

    def __init__(self) -> None:
        self.picture = b""
        self._document: Document = {**EMPTY}
        self._changed = threading.Condition()
        self._waiting = 0
        self._asked: float | None = None

    def put(self, **members: object) -> None:
        """Change some members of the document."""
        with self._changed:
            self._document = {**self._document, **members, "version": self._document["version"] + 1}
            self._changed.notify_all()

    def wait(self, version: int, seconds: float) -> Document:
        """The document, as soon as it is newer than a version, or after some seconds."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: self._document["version"] > version, seconds)
            self._waiting -= 1
        return self._document

    def note(self) -> None:
        """Note that a page has asked for something."""
        self._asked = time.monotonic()

    def is_looked_at(self, within: float) -> bool:
        """Whether a page waits for something new, or has asked within the last seconds."""
        asked = self._asked
        return self._waiting > 0 or (asked is not None and time.monotonic() - asked < within)

    @property
    def was_looked_at(self) -> bool:
        """Whether a page has ever asked."""
        return self._asked is not None
