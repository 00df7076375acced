"""The command `analysis` in this process: its results as data, its refusals, and Ctrl-C at a moment."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.inside import inside
from tests.helpers.processes import Finished
from twentyone.analysis.cli import main
from twentyone.analysis.commands import shared
from twentyone.learning import resuming


def analysis(folder: Path, *words: object) -> Finished:
    """Run `analysis` with these words in a folder."""
    return inside(main, "analysis", *words, cwd=folder)


def document(folder: Path, *words: object) -> Any:
    """The results as `--json` gives them."""
    done = analysis(folder, *words, "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def refusal(folder: Path, *words: object, status: int = 2) -> str:
    """The one sentence with which a command refuses to run."""
    done = analysis(folder, *words)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), done
    assert done.err.startswith("analysis: ")
    return done.err.removeprefix("analysis: ").strip()


def press_when_saved(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
    """Save what is learned all the time, and press Ctrl-C after the first save, which a function does."""
    save, pressed = getattr(owner, name), list[bool]()

    def press(*given: Any) -> None:
        save(*given)
        if not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(resuming, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(owner, name, press)


def press_after(monkeypatch: pytest.MonkeyPatch, parts_done: int) -> None:
    """Press Ctrl-C when so many parts of the next work are done."""
    done, calls = shared.Work.done, 0

    def press(work: shared.Work, units: int) -> None:
        nonlocal calls
        done(work, units)
        calls += 1
        if calls == parts_done:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(shared.Work, "done", press)
