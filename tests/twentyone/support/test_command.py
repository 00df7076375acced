"""How a command ends: one sentence for an error, an exit status for scripts, no traceback."""

from __future__ import annotations

import errno
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.imports import ROOT
from tests.helpers.inside import inside
from tests.helpers.processes import Finished, command
from tests.helpers.tiers import first_of
from tests.twentyone.support.apps import app
from twentyone.support.command import FAILED, INTERRUPTED, OK, USAGE, os_reason, run

MAIN = partial(run, app, "example")

EXAMPLE = """
from twentyone.support.command import run
from tests.twentyone.support.apps import app
run(app, "example")
"""
EXECUTE = (
    "import os, sys;"
    " os.execv(sys.executable, [sys.executable, '-m', 'tests.twentyone.support.apps', *sys.argv[1:]])"
)
GONE = "import os; r, w = os.pipe(); os.close(r); os.dup2(w, 1)"
"""Nobody reads standard output, as after `| head`."""
FULL = "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"


def example(what: str, before: str = "", then: str = EXAMPLE, **how: Any) -> Finished:
    """Run the example as a process, with something that is done in it before."""
    return command("example", what, cwd=ROOT, code=f"{before}\n{then}", **how)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("well", OK, ""),
        ("status", 3, ""),
        ("fail", FAILED, "example: it did not work: expected luck\n"),
        ("misuse", USAGE, "example: nobody does that\n"),
        ("abort", INTERRUPTED, "example: interrupted\n"),
        ("hostile", FAILED, "example: no \\x1b[2J\\x9b\\u202e\\r\\udcff file\n"),
        ("well --decks nine", USAGE, "example: decks is 'nine': expected 1 to 8, or inf\n"),
        ("well too many", USAGE, "example: 'too many' does not belong here: expected WHAT\n"),
        ("", USAGE, "example: WHAT is missing: expected WHAT\n"),
    ],
)
def test_the_status_and_the_sentence_of_each_ending(
    tmp_path: Path, arguments: str, status: int, sentence: str
) -> None:
    """0 is success, 1 is failure, 2 is a wrong command line as for `ls`, and 130 is 128 + SIGINT."""
    assert (OK, FAILED, USAGE, INTERRUPTED) == (0, 1, 2, 130)
    assert inside(MAIN, "example", *arguments.split(), cwd=tmp_path) == (status, "", sentence)


def test_the_help_is_the_docstring_by_paragraphs(tmp_path: Path) -> None:
    status, out, err = inside(MAIN, "example", "--help", cwd=tmp_path)
    assert (status, err) == (OK, "")
    assert "Do one thing or another." in out
    assert "Nobody needs this command." in out
    assert "<float>" in out
    assert "<bool>" not in out  # of --json and --version, which take no value


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["example", "break"])
    with pytest.raises(ZeroDivisionError):
        MAIN()


def test_ctrl_c_ends_it_with_its_status_and_one_word() -> None:
    assert example("interrupt") == (INTERRUPTED, "", "example: interrupted\n")


def test_a_job_in_the_background_ignores_ctrl_c() -> None:
    """Shells start it with SIGINT ignored, and Python leaves it so: the work goes on."""
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    assert example("interrupt", ignore, EXECUTE) == (OK, "", "")


def test_nothing_is_said_when_the_reader_of_the_output_is_gone() -> None:
    """Whether nothing is printed, it stays in the buffer until the end, or it is more than a pipe holds."""
    for what, status in (("status", 3), ("rules", FAILED), ("much", FAILED)):
        assert example(what, GONE) == (status, "", "")
    # Nor is the error, if nobody reads that; the status of the error stays.
    assert example("print and fail", f"{GONE}; os.dup2(w, 2)", PYTHONUNBUFFERED="").status == USAGE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_reported_in_one_sentence() -> None:
    for what in ("rules", "much"):
        assert example(what, FULL) == (FAILED, "", "example: gave up: no space left on device\n")


def test_what_a_stream_cannot_encode_is_escaped() -> None:
    for encoding, suit in (("ascii", "\\u2660"), ("utf-8", "\u2660")):
        encoded = f"import sys; sys.stdout.reconfigure(encoding={encoding!r})"
        assert example("strange", encoded) == (OK, f"\x1b[2J \\udcff {suit}\n", "")


@pytest.mark.parametrize("closed", first_of([[0, 1, 2], [0], [1], [2]]))
def test_no_file_gets_the_number_of_a_stream_that_is_closed(closed: list[int]) -> None:
    close = f"import os; [os.close(number) for number in {closed}]"
    for what, status in (("rules", OK), ("print and fail", USAGE)):
        assert example(what, close, EXECUTE).status == status
    assert example("open", close, EXECUTE).status > 102


def test_the_reason_of_the_system_in_lower_case() -> None:
    assert os_reason(PermissionError(errno.EACCES, "Permission denied", "file")) == "permission denied"
    assert os_reason(OSError("Something else")) == "something else"
    assert os_reason(OSError()) == ""
