"""Commands that are called in this process: what they print, or the sentence by which they refuse."""

from __future__ import annotations

from typer import rich_utils  # noqa: F401  (loaded before its time is counted)
