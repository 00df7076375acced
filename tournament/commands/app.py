"""The application that the commands of `tournament` belong to."""

from __future__ import annotations

from typing import Final

from twentyone.support.command import group

app: Final = group("Find out who plays best, fairly, and how sure that is; and whether a program is right.")
