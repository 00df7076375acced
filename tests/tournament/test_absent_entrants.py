"""A tournament whose entrants do not start, or do not come, from its command on: the others play on."""

from __future__ import annotations

import json
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import PATIENCE
from tests.helpers.processes import Finished, command, start
from tests.tournament.cups import entrant, policy, program, write

pytestmark = pytest.mark.check

NO_FILE = entrant("nofile", f'command = ["{sys.executable}", "-S", "nofile.py", "{{host}}", "{{port}}"]')


def from_elsewhere(name: str) -> str:
    """An entrant that connects by itself, to a port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return entrant(name, f'listen = "127.0.0.1:{port}"', 'token = "secret"')


def run(cup: Path, *options: str) -> Finished:
    return command("tournament", "run", cup, "--at-once", 1, *options, cwd=cup.parent)


def ranking(finished: Finished) -> dict[str, Any]:
    return {row["name"]: row for row in json.loads(finished.out)["ranking"]}


def test_a_program_that_is_not_there_is_started_three_times_and_told_with_its_error(tmp_path: Path) -> None:
    cup = write(tmp_path, policy("mimic"), program("works", 15), NO_FILE)
    finished = run(cup)
    assert finished.status == 1
    assert "tournament: not ranked: nofile (does not start)\n" in finished.err
    assert (
        "nofile does not start, and is not ranked: its program ended before it took its seat" in finished.out
    )
    assert "[Errno 2] No such file or directory" in finished.out
    assert "nofile.py" in (tmp_path / "cup" / "report.html").read_text()

    again = run(cup, "--json")  # nothing is left to be played
    rows = ranking(again)
    assert again.status == 1
    assert rows["nofile"]["rank"] is None
    assert rows["nofile"]["faults"] == {"crashed": 3, "started": 2, "does not start": 100}
    assert rows["works"]["rank"] is not None and rows["works"]["faults"] == {}
    shown = command("tournament", "standings", cup, "--json", cwd=tmp_path)
    assert (shown.status, shown.out) == (0, again.out)


def test_who_does_not_come_is_waited_for_once_in_all_its_matches(tmp_path: Path) -> None:
    head = 'rounds = 20\nseed = 1\nwait = 0.5\nrules = "showdown"\n'
    cup = write(tmp_path, program("a", 15), from_elsewhere("far"), program("b", 17), head=head)
    finished = run(cup, "--json")
    rows = ranking(finished)
    assert finished.status == 1
    assert finished.err.count("waiting for far") == finished.err.count("far did not come") == 1
    assert rows["far"]["ended"] == {
        "kind": "did not come",
        "round": 1,
        "why": "it did not join within 0.5 s",
        "errors": [],
    }
    assert rows["far"]["faults"] == {"absent": 1, "did not come": 40}
    assert rows["a"]["faults"] == rows["b"]["faults"] == {}
    assert rows["a"]["rounds"] == 40


def test_a_run_is_stopped_while_somebody_is_waited_for_and_waits_again(tmp_path: Path) -> None:
    cup = write(tmp_path, policy("mimic"), from_elsewhere("far"), head="rounds = 20\nseed = 1\n")
    process = start("tournament", "run", cup, cwd=tmp_path)
    assert process.stderr is not None
    while "waiting for far at 127.0.0.1 port" not in (line := process.stderr.readline()):
        assert line, "it has ended"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "stopped: everybody has 0 of 20 rounds" in err and "Traceback" not in err


def test_all_may_be_gone(tmp_path: Path) -> None:
    other = NO_FILE.replace('"nofile"', '"other"')
    finished = run(write(tmp_path, NO_FILE, other), "--json", "--until-sure")
    assert finished.status == 1
    assert {row["rank"] for row in ranking(finished).values()} == {None}
    assert "not ranked: nofile (does not start), other (does not start)" in finished.err
