"""The signals that end a program, and Ctrl-C held back."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT
from tests.helpers.processes import command, keyboard_interrupts
from twentyone.support.interrupts import ending_signals, kept_from_children, reopening_signals, uninterrupted

IGNORES = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
IN_THE_BACKGROUND = f"""
import signal, subprocess, sys
from twentyone.support.interrupts import uninterrupted
signal.signal(signal.SIGINT, signal.SIG_IGN)
with uninterrupted():
    signal.raise_signal(signal.SIGINT)
    subprocess.run([sys.executable, "-c", {IGNORES!r}], check=True)
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""
INTERRUPTIBLE = f"""
import signal, subprocess, sys
sys.path.insert(0, {str(ROOT)!r})
from tests.helpers.processes import interruptible
signal.signal(signal.SIGINT, signal.SIG_IGN)
subprocess.run(interruptible(sys.executable, "-c", {IGNORES!r}), check=True)
"""


def test_ctrl_c_waits_for_the_end_of_the_context() -> None:
    done = []
    with keyboard_interrupts(), pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        done.append("work")
    assert done == ["work"]


def test_ctrl_c_waits_and_never_reaches_what_was_started_meanwhile(tmp_path: Path) -> None:
    """As a terminal sends it to all: before the process has begun, while it runs, and after the context."""
    told = tmp_path / "told"
    code = f"import signal; signal.raise_signal(signal.SIGINT); open({str(told)!r}, 'w').write('whole')"
    with keyboard_interrupts(), pytest.raises(KeyboardInterrupt), kept_from_children():
        signal.raise_signal(signal.SIGINT)
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert told.read_text() == "whole"


def test_the_handler_is_restored_and_on_another_thread_nothing_is_done() -> None:
    handlers = []

    def work() -> None:
        with uninterrupted():
            handlers.append(signal.getsignal(signal.SIGINT))

    with keyboard_interrupts():
        before = signal.getsignal(signal.SIGINT)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert handlers == [before]
        work()
        assert handlers[1] is not before
        assert signal.getsignal(signal.SIGINT) is before


def test_in_the_background_it_stays_ignored_also_for_processes_started_meanwhile(tmp_path: Path) -> None:
    assert command("python", cwd=tmp_path, code=IN_THE_BACKGROUND) == (0, "True\n", "")
    assert command("python", cwd=tmp_path, code=INTERRUPTIBLE) == (0, "False\n", ""), "of tests not"


def test_a_program_that_was_told_to_outlive_its_terminal_does_not_end_with_it() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        assert ending_signals() == [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert ending_signals() == [signal.SIGINT, signal.SIGTERM]
        assert reopening_signals() == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGHUP, before)
