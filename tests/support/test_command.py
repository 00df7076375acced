"""How a command ends: one sentence for an error, an exit status for scripts, no traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import FAILED, INTERRUPTED, OK, USAGE, CommandError, os_reason, run
from tests.helpers.processes import interruptible
from tests.support.apps import app

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
EXAMPLE = (sys.executable, "-m", "tests.support.apps")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide terminal without colours."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")


def status_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """Run the example with these arguments, as a script would; its exit status."""
    monkeypatch.setattr(sys, "argv", ["example", *arguments])
    with pytest.raises(SystemExit) as ended:
        run(app, "example")
    return ended.value.code


def test_the_statuses_are_those_that_shells_know() -> None:
    """0 is success, 1 is failure, 2 is a wrong command line as for `ls`, and 130 is 128 + SIGINT."""
    assert (OK, FAILED, USAGE, INTERRUPTED) == (0, 1, 2, 130)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["well"], OK, ""),
        (["status"], 3, ""),
        (["fail"], FAILED, "example: it did not work: expected luck\n"),
        (["misuse"], USAGE, "example: nobody does that\n"),
        (["abort"], INTERRUPTED, "example: interrupted\n"),
        (["well", "--wait", "0"], USAGE, None),
        (["well", "--wait", "soon"], USAGE, None),
        (["well", "--seed", "1.5"], USAGE, None),
        (["well", "--nonsense"], USAGE, None),
        (["well", "--decks", "nine"], USAGE, "example: decks is 'nine': expected 1 to 8, or inf\n"),
        (["well", "too", "many"], USAGE, None),
        ([], USAGE, None),
    ],
)
def test_the_status_and_the_sentence_of_each_ending(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, arguments: list[str], status: int, sentence: str | None
) -> None:
    assert status_of(monkeypatch, *arguments) == status
    out, err = capsys.readouterr()
    assert out == ""
    if sentence is not None:
        assert err == sentence
    else:
        assert err.startswith("example: ")
        assert err.count("\n") == 1, "one sentence"


def test_the_help_is_the_docstring_by_paragraphs(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert status_of(monkeypatch, "--help") == OK
    out, err = capsys.readouterr()
    assert "Do one thing or another." in out
    assert "Nobody needs this command." in out
    assert err == ""


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["example", "break"])
    with pytest.raises(ZeroDivisionError):
        run(app, "example")


def test_ctrl_c_ends_it_with_its_status_and_one_word() -> None:
    done = subprocess.run(
        interruptible(*EXAMPLE, "interrupt"), cwd=ROOT, capture_output=True, timeout=150, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, b"", b"example: interrupted\n")


def test_a_job_in_the_background_ignores_ctrl_c() -> None:
    """Shells start it with SIGINT ignored, and Python leaves it so: the work goes on."""
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *EXAMPLE, "interrupt"],
        cwd=ROOT,
        capture_output=True,
        timeout=150,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b"")


@pytest.mark.parametrize(
    ("what", "status"),
    [
        pytest.param("status", 3, id="nothing is printed"),
        pytest.param("rules", FAILED, id="it stays in the buffer until the end"),
        pytest.param("much", FAILED, id="more than a pipe holds"),
    ],
)
def test_nothing_is_printed_when_the_reader_of_the_output_is_gone(what: str, status: int) -> None:
    """As after `| head`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(
            [*EXAMPLE, what], cwd=ROOT, stdout=gone, stderr=subprocess.PIPE, timeout=150, check=False
        )
    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("what", ["rules", "much"])
def test_a_full_disk_is_reported_in_one_sentence(what: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*EXAMPLE, what], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=150, check=False
        )
    assert (done.returncode, done.stderr) == (FAILED, b"example: gave up: no space left on device\n")


def test_the_reason_of_the_system_in_lower_case() -> None:
    assert os_reason(PermissionError(errno.EACCES, "Permission denied", "file")) == "permission denied"
    assert os_reason(OSError("Something else")) == "something else"
    assert os_reason(OSError()) == ""


def test_an_error_has_the_status_of_a_failure_by_default() -> None:
    assert CommandError("no luck").status == FAILED
    assert str(CommandError("no luck", USAGE)) == "no luck"


def test_nothing_that_others_wrote_reaches_a_terminal_raw(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert status_of(monkeypatch, "hostile") == FAILED
    assert capsys.readouterr().err == "example: no \\x1b[2J\\x9b\\u202e\\r\\udcff file\n"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_a_stream_cannot_encode_is_escaped(encoding: str) -> None:
    done = subprocess.run(
        [*EXAMPLE, "strange"],
        cwd=ROOT,
        capture_output=True,
        timeout=150,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    shown = b"\\u2660" if encoding == "ascii" else "\u2660".encode()
    assert (done.returncode, done.stdout) == (OK, b"\x1b[2J \\udcff " + shown + b"\n")
    assert done.stderr == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_no_file_gets_the_number_of_a_stream_that_is_closed(closed: str) -> None:
    for what, status in (("rules", OK), ("fail", FAILED), ("print and fail", USAGE)):
        done = closed_streams(closed, what)
        assert (done.returncode, b"Traceback" in done.stderr) == (status, False)
    assert closed_streams(closed, "open").returncode > 102


def closed_streams(closed: str, what: str) -> subprocess.CompletedProcess[bytes]:
    """Run the example as a shell does that closes some of its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *EXAMPLE, what],
        cwd=ROOT,
        capture_output=True,
        timeout=150,
        check=False,
    )


def test_the_status_of_an_error_stays_when_nobody_reads_the_output_nor_the_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(
            [*EXAMPLE, "print and fail"],
            cwd=ROOT,
            stdout=gone,
            stderr=gone,
            timeout=150,
            check=False,
            env=buffered,
        )
    assert done.returncode == USAGE
