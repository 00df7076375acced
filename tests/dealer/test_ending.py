"""How the `dealer` command ends: signals, streams that are closed, and a status for scripts."""

from __future__ import annotations

import json
import os
import signal

import pytest

from tests.dealer.conftest import Start
from tests.dealer.running import by_shell
from tests.helpers.house import kinds

OWN_TERMINAL = "import fcntl, os, termios; fcntl.ioctl({}, termios.TIOCSCTTY, 0); "
"""Gives a command a controlling terminal: without one SIGHUP does not end a dealer."""

COMMAND = OWN_TERMINAL.format("os.openpty()[1]") + "from dealer.cli import main; main()"

ENDLESS_GRACE = (
    f"from dealer.network import server; server.DealerServer.stop.__defaults__ = (3600.0,); {COMMAND}"
)
"""The command, with open rounds that get an hour to be finished once it is told to stop."""

SIGNALS = [signal.SIGINT, signal.SIGTERM]
Signals = pytest.mark.parametrize("number", [*SIGNALS, signal.SIGHUP], ids=lambda number: number.name)


@Signals
def test_a_signal_lets_an_open_round_be_finished(started: Start, number: int) -> None:
    dealer = started(0, "--json", code=ENDLESS_GRACE)
    playing, idle = dealer.seat(), dealer.connect()
    dealer.signal(number)
    dealer.wait_until_it_says("no new rounds")
    assert dealer.join("JOIN late").rest() == ["QUIT"]
    playing.say("STAND")
    assert kinds(playing.rest()) == ["RESULT", "QUIT"]
    assert idle.rest() == ["QUIT"]
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"]) == (0, 1)


@Signals
def test_a_signal_without_an_open_round_ends_it_at_once(started: Start, number: int) -> None:
    dealer = started(0, "--json", code=COMMAND)
    idle = dealer.connect()
    idle.say("RULES")
    assert idle.hear().startswith("RULES")
    dealer.signal(number)
    assert idle.rest() == ["QUIT"]
    ended = dealer.wait()
    told = json.loads(ended.out)
    assert (ended.status, told["rounds"], told["players"]) == (0, 0, [])
    assert (told["all"]["rounds"], told["all"]["mean_payoff"]) == (0, None)


@Signals
def test_a_second_signal_ends_it_at_once(started: Start, number: int) -> None:
    dealer = started(0, "--json", code=ENDLESS_GRACE)
    peer = dealer.seat()
    dealer.signal(number)
    dealer.wait_until_it_says("no new rounds")
    dealer.signal(number)
    assert peer.rest() == ["RESULT LOOSE", "QUIT"]
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["all"]["losses"]) == (0, 1)


@pytest.mark.check
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_a_signal_ends_it_where_its_standard_streams_are_closed(
    started: Start, number: int, closed: str
) -> None:
    dealer = started(0, command=by_shell(f'exec "$0" "$@" {closed}'))
    peer = dealer.join()
    heard = peer.hear_until("DECISION")
    dealer.signal(number)
    peer.say("STAND")
    heard += peer.play()
    assert set(kinds(heard)) == {"BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "QUIT"}
    assert kinds(heard)[-2:] == ["RESULT", "QUIT"]
    ended = dealer.wait()
    assert (ended.status, bool(ended.out)) == (0, closed == "2>&-")  # the summary


@Signals
def test_a_signal_ends_it_when_its_terminal_is_gone(started: Start, number: int) -> None:
    ours, theirs = os.openpty()
    is_hung_up = number == signal.SIGHUP  # the system sends it when the controlling terminal is gone
    code = OWN_TERMINAL.format(2) + "from dealer.cli import main; main()" if is_hung_up else ""
    dealer = started(0, stderr=theirs, code=code)
    os.close(theirs)
    peer = dealer.seat()
    os.close(ours)
    if not is_hung_up:
        dealer.signal(number)
    peer.say("STAND")
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    assert dealer.wait().status == 0


@pytest.mark.check
def test_nobody_reads_the_summary_nor_what_it_says(started: Start) -> None:
    dealer = started(0, "--strict", command=by_shell('{ "$0" "$@"; echo $? > status; } 2>&1 | true'))
    peer = dealer.seat()
    peer.say("HALT")
    assert kinds(peer.rest())[-1] == "QUIT"
    assert (dealer.wait().out, dealer.read("status")) == ("", "1\n")


@pytest.mark.check
def test_under_nohup_the_end_of_its_terminal_is_not_its_own(started: Start) -> None:
    dealer = started(0, command=by_shell('trap "" HUP; exec "$0" "$@"'))
    peer = dealer.seat()
    for _ in range(2):  # a second one would end it at once
        dealer.signal(signal.SIGHUP)
        peer.say("STAND")
        peer.hear_until("DECISION")
    dealer.signal(signal.SIGTERM)
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    assert dealer.wait().status == 0


def test_a_strict_dealer_ends_with_status_1_and_says_why(started: Start) -> None:
    dealer = started(0, "--strict", "--quiet", "--json")
    peer = dealer.seat()
    peer.say("HALT")
    assert kinds(peer.rest()) == ["ERROR", "RESULT", "QUIT"]
    ended = dealer.wait()
    assert ended.status == 1
    assert len(ended.err.splitlines()) == 1
    assert ended.err.startswith("dealer: a player's line was refused: unknown message 'HALT'")
    assert json.loads(ended.out)["all"]["losses"] == 1


@pytest.mark.parametrize("lines_read", [0, 5], ids=["not even the greeting", "no more than the greeting"])
def test_it_does_not_end_when_nobody_reads_what_it_says(started: Start, lines_read: int) -> None:
    dealer = started(0, "--json")
    assert dealer.process.stderr is not None
    for _ in range(lines_read):
        assert dealer.process.stderr.readline()
    dealer.process.stderr.close()
    dealer.process.stderr = None
    peer = dealer.join("JOIN a 3")
    assert kinds(peer.play()).count("RESULT") == 3
    open_round = dealer.seat("JOIN b")
    dealer.signal(signal.SIGTERM)  # about which it says something, since a round is open
    open_round.say("STAND")
    assert kinds(open_round.play())[-2:] == ["RESULT", "QUIT"]
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"] >= 4) == (0, True)
