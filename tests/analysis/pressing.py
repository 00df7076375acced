"""Ctrl-C at the moment that a test chooses, in the process of the test."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from analysis.commands import parts
from learning import resuming


def press_when_saved(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
    """Save what is learned all the time, and press Ctrl-C after the first save, which a function does."""
    save = getattr(owner, name)
    pressed: list[bool] = []

    def press(*given: Any) -> None:
        save(*given)
        if not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(resuming, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(owner, name, press)


def press_after(monkeypatch: pytest.MonkeyPatch, parts_done: int) -> None:
    """Press Ctrl-C when so many parts of the next work are done."""
    done, calls = parts.Work.done, 0

    def press(work: parts.Work, units: int) -> None:
        nonlocal calls
        done(work, units)
        calls += 1
        if calls == parts_done:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(parts.Work, "done", press)
