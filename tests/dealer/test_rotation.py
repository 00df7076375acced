"""Files that are opened again and tokens that are read again on a signal, as for logrotate."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from dealer.rotation import reopen
from tests.dealer.conftest import Open, Start
from tests.helpers.house import kinds
from tests.helpers.patience import eventually
from tournament.replay.verify import verify_lines

FILES = ("--history", "h.jsonl", "--log", "log.jsonl", "--tokens", "tokens.txt")


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGHUP], ids=lambda number: number.name)
def test_after_a_signal_new_lines_go_to_new_files_and_names_have_new_tokens(
    started: Start, tmp_path: Path, number: signal.Signals
) -> None:
    """The open round goes on. There is no controlling terminal, so SIGHUP does not end the dealer."""
    tokens = tmp_path / "tokens.txt"
    tokens.write_text("ann s3cret\n")
    dealer = started(0, "--quiet", *FILES)
    dealer.join("JOIN bob 2").play()
    playing = dealer.seat("JOIN carl 1")
    for name in ("h.jsonl", "log.jsonl"):
        (tmp_path / name).rename(tmp_path / f"{name}.1")
    tokens.write_text("ann s3cret\ndora n3w\n")
    dealer.signal(number)
    assert eventually((tmp_path / "h.jsonl").exists)
    playing.say("STAND")
    assert kinds(playing.rest())[-2:] == ["RESULT", "QUIT"]
    assert kinds(dealer.join("JOIN dora 1").rest()) == ["ERROR"]
    assert kinds(dealer.join("JOIN dora 1 token=n3w").play())[-1] == "QUIT"
    dealer.signal(signal.SIGTERM)
    ended = dealer.wait()
    assert (ended.status, ended.err) == (0, "")
    parts = [(tmp_path / name).read_bytes().splitlines() for name in ("h.jsonl.1", "h.jsonl")]
    for lines, rounds in ((parts[0], 2), (parts[1], 2), (parts[0] + parts[1], 4)):
        verdict = verify_lines(lines)
        assert (verdict.rounds, verdict.faults) == (rounds, [])
    first = dealer.lines("log.jsonl")[0]
    assert (first["event"], first["connection"]) == ("reopened", None)
    named = "the log file log.jsonl, the history file h.jsonl, the tokens file tokens.txt"
    assert first["reason"] == f"{number.name}: {named}"
    assert "reopened" not in [line["event"] for line in dealer.lines("log.jsonl.1")]


def test_what_cannot_be_opened_or_read_again_stays_in_use(opened: Open, tmp_path: Path) -> None:
    history, log, tokens = (tmp_path / name for name in ("h.jsonl", "log.jsonl", "tokens.txt"))
    house = opened(history=history, log=log, tokens={"ann": "s3cret"})
    notices: list[str] = []
    house.server.notice = notices.append
    history.rename(tmp_path / "h.jsonl.1")
    history.mkdir()
    tokens.write_text("ann\n")
    house.each_turn(lambda: reopen(house.server, tokens, "SIGUSR1"))
    assert eventually(lambda: len(notices) == 2)
    assert notices[0] == (
        f"the history file {history} cannot be opened: is a directory; the dealer goes on with what it had"
    )
    assert notices[1].startswith(f"{tokens}, line 1: expected a name")
    assert kinds(house.join("JOIN ann 1").rest()) == ["ERROR"]
    assert kinds(house.join("JOIN ann 1 token=s3cret").play())[-1] == "QUIT"
    assert len((tmp_path / "h.jsonl.1").read_text().splitlines()) == 1
    said = log.read_text()
    assert [said.count(event) for event in ('"reopened"', '"not reopened"')] == [1, 2]
    assert not any(history.iterdir())
