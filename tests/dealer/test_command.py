"""The `dealer` command as a person or a script runs it: options, standard streams, signals, statuses."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from cards import Rules
from dealer.tables.ledger import SHOWN_ROWS
from tests.helpers.house import kinds
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer
from tests.helpers.processes import interruptible
from tests.support.test_live import on_screen
from tests.support.test_progress import read_all

COMMAND: Final = [str(Path(sys.executable).with_name("dealer"))]
MODULE: Final = [sys.executable, "-m", "dealer"]
ENDLESS_GRACE: Final = [
    sys.executable,
    "-c",
    "from dealer.network import server; server.DealerServer.stop.__defaults__ = (3600.0,);"
    " from dealer.cli import main; main()",
]
"""The command, with open rounds that get an hour to be finished once it is told to stop."""

Signals = pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)


def by_shell(line: str) -> list[str]:
    """The command as a shell runs it: `$0 "$@"` in the line stands for it."""
    return ["sh", "-c", line, *COMMAND]


class Ended(NamedTuple):
    """What a dealer that has ended left."""

    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The only line on standard error."""
        (line,) = self.err.splitlines()
        return line


class Dealer:
    """The command, running."""

    def __init__(
        self,
        folder: Path,
        *options: object,
        command: list[str] = COMMAND,
        stderr: int = subprocess.PIPE,
    ) -> None:
        self._folder = folder
        self._port_file = folder / "port"
        self._stack = ExitStack()
        self.process = subprocess.Popen(
            interruptible(*command, *options),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
        )

    @property
    def port(self) -> int:
        """The port of its --port-file, which it may still have to write."""
        assert eventually(lambda: self._port_file.exists() or self.process.poll() is not None)
        return int(self._port_file.read_text())

    def read(self, file: str) -> str:
        return (self._folder / file).read_text()

    def connect(self) -> BlockingPeer:
        return self._stack.enter_context(BlockingPeer(self.port))

    def join(self, message: str = "JOIN a") -> BlockingPeer:
        peer = self.connect()
        peer.say(message)
        return peer

    def seat(self, message: str = "JOIN a") -> BlockingPeer:
        peer = self.join(message)
        peer.hear_until("DECISION")
        return peer

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self) -> Ended:
        out, err = self.process.communicate(timeout=PATIENCE)
        ended = Ended(self.process.returncode, out, err or "")
        assert "Traceback" not in ended.out + ended.err, ended.err
        return ended

    def close(self) -> None:
        self._stack.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


Start = Callable[..., Dealer]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts dealers in an empty folder, by default on a free port that they write to a file."""
    with ExitStack() as stack:

        def start_one(rounds: int, *options: object, **process: Any) -> Dealer:
            dealer = Dealer(tmp_path, 0, rounds, "--port-file", "port", *options, **process)
            stack.callback(dealer.close)
            return dealer

        yield start_one


def run(folder: Path, *arguments: object) -> Ended:
    """The command, with arguments with which it ends on its own."""
    dealer = Dealer(folder, *arguments)
    try:
        return dealer.wait()
    finally:
        dealer.close()


# What it says.


def test_it_says_where_it_listens_the_rules_and_what_to_type(start: Start) -> None:
    dealer = start(1)
    port = dealer.port
    dealer.join().play()
    ended = dealer.wait()
    assert ended.status == 0
    assert ended.err.splitlines() == [
        f"dealer: listening on {LOCALHOST}:{port}, dealing 1 round",
        f"rules:  {Rules()}",
        f"play:   nc {LOCALHOST} {port}",
        "        then type JOIN yourname, and answer DECISION with HIT or STAND",
        f"        or open http://{LOCALHOST}:{port}/ in a browser",
    ]


@pytest.mark.parametrize(
    ("options", "said", "asked"),
    [
        (["--rules", "vegas"], "DECISION with a word that it names", "DECISION HIT STAND"),
        (
            ["--rules", "vegas", "--bets", "10-80"],
            "DECISION BET with BET 10, any other DECISION with a word that it names",
            "DECISION BET 10 80",
        ),
    ],
)
def test_it_says_how_to_answer_at_tables_of_the_whole_game(
    start: Start, options: list[str], said: str, asked: str
) -> None:
    dealer = start(0, *options, "--seed", "3")
    peer = dealer.join()
    assert peer.hear_until("DECISION")[-1].startswith(asked)
    peer.close()
    dealer.process.send_signal(signal.SIGINT)
    assert f"        then type JOIN yourname, and answer {said}" in dealer.wait().err.splitlines()


def test_it_says_in_one_line_that_other_machines_can_reach_it(start: Start) -> None:
    dealer = start(1, "--host", "0.0.0.0")
    dealer.join().play()
    *_, note = dealer.wait().err.splitlines()
    assert note == "note:   other machines can reach this dealer, and anybody who reaches it can play"


def test_bots_alone_play_and_are_counted(start: Start) -> None:
    ended = start(30, "--rules", "showdown", "--seats", "3", "--bots", "3", "--seed", "4", "--json").wait()
    assert ended.status == 0
    summary = json.loads(ended.out)
    assert summary["rules"]["seats"] == "3"
    assert [player["rounds"] for player in summary["players"]] == [30, 30, 30]


def test_it_ends_with_a_summary_per_name_and_in_all(start: Start) -> None:
    dealer = start(5)
    dealer.join("JOIN ann 3").play()
    dealer.join("JOIN bob").play()
    ended = dealer.wait()
    assert ended.status == 0
    rows = [line.split() for line in ended.out.splitlines()]
    rounds = {row[0]: row[1] for row in rows if row and row[0] in ("ann", "bob", "all")}
    assert rounds == {"ann": "3", "bob": "2", "all": "5"}


def test_the_summary_shows_the_seats_with_the_most_rounds(start: Start) -> None:
    names = SHOWN_ROWS + 3
    dealer = start(names + 1)
    dealer.join("JOIN often 2").play()
    for number in range(names - 1):
        dealer.join(f"JOIN name{number} 1").play()
    out = dealer.wait().out
    assert len(re.findall(r"^name[0-9]", out, re.MULTILINE)) == SHOWN_ROWS - 1
    assert re.search(r"^often +2 ", out, re.MULTILINE)
    assert re.search(r"^3 more +3 ", out, re.MULTILINE)


def test_quiet_it_says_nothing_but_the_summary(start: Start) -> None:
    dealer = start(1, "--quiet")
    dealer.join().play()
    ended = dealer.wait()
    assert ended.status == 0
    assert ended.err == ""
    assert "a" in ended.out


def test_its_json_has_the_keys_that_are_promised(start: Start) -> None:
    dealer = start(10, "--json", "--rules", "devs")
    port = dealer.port
    dealer.join("JOIN ann 7").play("HIT")
    bob = dealer.seat("JOIN bob")
    bob.say("NONSENSE", "STAND")
    bob.play()
    ended = dealer.wait()
    told = json.loads(ended.out)
    assert list(told) == [
        "port",
        "rules",
        "rounds",
        "seconds",
        "rounds_per_second",
        "refusals",
        "players",
        "all",
    ]
    assert told["port"] == port
    assert told["rules"]["preset"] == "devs"
    assert told["rounds"] == 10
    assert told["refusals"] == 1
    assert told["rounds_per_second"] == pytest.approx(10 / told["seconds"])
    ann, bob_told = told["players"]
    assert list(ann) == [
        "name", "rounds", "wins", "pushes", "losses", "busts", "mean_payoff", "standard_error",
    ]  # fmt: skip
    assert (ann["name"], ann["rounds"]) == ("ann", 7)
    assert (bob_told["name"], bob_told["rounds"]) == ("bob", 3)
    for tally in (*told["players"], told["all"]):
        results = {key: tally[key] for key in ("wins", "pushes", "losses")}
        assert sum(results.values()) == tally["rounds"]
        assert 0 <= tally["busts"] <= tally["losses"]
        assert tally["mean_payoff"] == pytest.approx((results["wins"] - results["losses"]) / tally["rounds"])


def test_players_of_one_name_have_rows_of_their_own(start: Start) -> None:
    dealer = start(6, "--json")
    dealer.join("JOIN ann 1").play()
    dealer.join("JOIN ann 2").play()
    kept = dealer.seat("JOIN ann 3")
    kept.say("KEEP 0123456789abcdefghijkl", "STAND")
    kept.hear_until("DECISION")
    kept.close()
    back = dealer.join("RESUME 0123456789abcdefghijkl")  # to the same row
    back.play()
    told = json.loads(dealer.wait().out)
    assert [(row["name"], row["rounds"]) for row in told["players"]] == [
        ("ann (3)", 3), ("ann (2)", 2), ("ann", 1),
    ]  # fmt: skip


def test_a_summary_of_no_rounds_is_still_one(start: Start) -> None:
    dealer = start(0, "--json")
    assert dealer.port
    dealer.signal(signal.SIGINT)
    told = json.loads(dealer.wait().out)
    assert told["rounds"] == told["all"]["rounds"] == 0
    assert told["players"] == []
    assert told["all"]["mean_payoff"] is None


def test_the_module_is_the_command(start: Start) -> None:
    dealer = start(1, "--quiet", "--json", command=MODULE)
    dealer.join().play()
    ended = dealer.wait()
    assert ended.status == 0
    assert json.loads(ended.out)["rounds"] == 1


def test_help_names_every_option(tmp_path: Path) -> None:
    ended = run(tmp_path, "--help")
    assert ended.status == 0
    for option in (
        "PORT", "ROUNDS", "--host", "--rules", "--decks", "--reshuffle", "--ace", "--dealer-stands",
        "--naturals", "--seed", "--decision-clock", "--join-timeout", "--max-connections",
        "--max-per-address", "--strict", "--history", "--log", "--tokens", "--port-file", "--quiet", "--json",
    ):  # fmt: skip
        assert option in ended.out


# Files.


def test_the_history_has_a_line_for_each_round(start: Start, tmp_path: Path) -> None:
    dealer = start(4, "--history", "rounds.jsonl")
    dealer.join().play()
    assert dealer.wait().status == 0
    rounds: list[dict[str, Any]] = [
        json.loads(line) for line in (tmp_path / "rounds.jsonl").read_text().splitlines()
    ]
    assert [told["round"] for told in rounds] == [1, 2, 3, 4]
    assert all(told["names"] == ["a"] for told in rounds)


def test_a_seed_repeats_the_cards(start: Start, tmp_path: Path) -> None:
    heard = []
    for _ in range(2):
        (tmp_path / "port").unlink(missing_ok=True)
        dealer = start(20, "--seed", "12")
        heard.append(dealer.join().play("HIT"))
        dealer.wait()
    assert heard[0] == heard[1]


@pytest.mark.parametrize("option", ["--history", "--log", "--port-file"])
def test_a_file_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path, option: str) -> None:
    ended = run(tmp_path, 0, 1, option, tmp_path)  # a folder
    assert ended.status == 1
    assert ended.complaint.startswith("dealer: the ")
    assert str(tmp_path) in ended.complaint


@pytest.mark.parametrize("what", ["history", "log"])
def test_on_a_full_disk_it_says_so_once_and_deals_on(start: Start, what: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    dealer = start(5, f"--{what}", "/dev/full", "--quiet", "--json")
    assert kinds(dealer.join().play()).count("RESULT") == 5
    ended = dealer.wait()
    assert ended.status == 1
    assert ended.complaint == (
        f"dealer: the {what} file /dev/full cannot be written any more: no space left on device;"
        " the dealer plays on without it"
    )
    assert json.loads(ended.out)["rounds"] == 5


def test_the_log_and_the_history_are_two_files(tmp_path: Path) -> None:
    ended = run(tmp_path, 0, 1, "--history", "rounds.jsonl", "--log", "./rounds.jsonl")
    assert ended.status == 2
    assert ended.complaint == (
        "dealer: --history and --log are both rounds.jsonl: expected a file for each of them"
    )
    assert not (tmp_path / "rounds.jsonl").exists()


def test_a_history_that_has_grown_too_large_is_given_up_and_the_next_one_begins_a_new_line(
    start: Start, tmp_path: Path
) -> None:
    """The limit of a file's size cuts a line as a full disk does."""
    history = tmp_path / "rounds.jsonl"
    limited = ["bash", "-c", 'ulimit -f 4 && exec "$0" "$@"', *COMMAND]  # 4 KiB
    dealer = start(30, "--history", history, "--quiet", "--json", command=limited)
    assert kinds(dealer.join().play()).count("RESULT") == 30
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"]) == (1, 30)
    assert ended.complaint.startswith(f"dealer: the history file {history} cannot be written any more: ")
    *whole, cut = history.read_text().split("\n")
    assert 0 < len(whole) < 30
    assert cut

    (tmp_path / "port").unlink()
    dealer = start(2, "--history", history, "--quiet")
    dealer.join().play()
    assert dealer.wait().status == 0
    lines = history.read_text().splitlines()
    assert lines[: len(whole) + 1] == [*whole, cut]
    assert [json.loads(line)["round"] for line in lines[len(whole) + 1 :]] == [1, 2]


def test_a_history_that_nobody_reads_any_more_does_not_end_it(start: Start, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    dealer = start(0, "--history", pipe, "--quiet")
    with pipe.open() as reader:
        peer = dealer.join("JOIN a 3")
        peer.play(rounds=1)
        assert json.loads(reader.readline())["round"] == 1
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    dealer.signal(signal.SIGTERM)
    ended = dealer.wait()
    assert ended.status == 1
    assert ended.complaint.startswith(f"dealer: the history file {pipe} cannot be written any more: ")


# What it shows while it runs.


ROW: Final = re.compile(
    r"1 players, 2 rounds, [0-9,]+ rounds/s\r\n"
    r"name +kind +table +seat +rounds +mean payoff +per decision +refusals\r\n"
    r"ann +player +1 +1 +1 +[+-][01]\.0000 +[0-9]+\.[0-9]{3} s +1\b"
)
"""What a terminal shows of one player in the second round, who has said something wrong in the first."""


def test_on_a_terminal_it_shows_who_sits_where_until_it_ends(start: Start) -> None:
    ours, theirs = os.openpty()
    try:
        dealer = start(0, stderr=theirs)
        peer = dealer.seat("JOIN ann")
        peer.say("FOLD", "STAND")
        shown = ""
        while not ROW.search(shown):
            shown += os.read(ours, 4096).decode()
        dealer.signal(signal.SIGINT)
        while "no new rounds; open ones have 5 s" not in shown:
            shown += os.read(ours, 4096).decode()
        peer.say("STAND")
        assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
        ended = dealer.wait()
        assert ended.status == 0
        assert re.search(r"^ann +2 ", ended.out, re.MULTILINE)
        os.close(theirs)
        shown += read_all(ours).decode()
        # It has been taken away again, and the cursor is back.
        assert [line for line in on_screen(shown) if line.startswith(("ann", "name", "1 players"))] == []
        assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")
    finally:
        for side in (ours, theirs):
            with suppress(OSError):
                os.close(side)


def test_quiet_it_shows_nothing_on_a_terminal_either(start: Start) -> None:
    ours, theirs = os.openpty()
    dealer = start(1, "--quiet", stderr=theirs)
    os.close(theirs)
    dealer.join().play()
    assert dealer.wait().status == 0
    assert read_all(ours) == b""


# What it cannot do.


def test_it_takes_no_more_connections_than_the_system_allows_it_files(start: Start) -> None:
    limited = ["sh", "-c", 'ulimit -n 70 && exec "$0" "$@"', *COMMAND]
    dealer = start(0, command=limited)
    peers = [dealer.connect() for _ in range(7)]
    assert peers[-1].rest() == ["ERROR dealer is full"]
    peers[0].say("JOIN a")
    assert peers[0].hear() == "BEGIN"
    peers[0].close()
    dealer.signal(signal.SIGTERM)
    assert dealer.wait().err.startswith("dealer: the system allows 70 open files, so 6 connections\n")


def test_a_port_in_use_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server((LOCALHOST, 0)) as other:
        port = other.getsockname()[1]
        ended = run(tmp_path, port, 1)
    assert ended.status == 1
    assert ended.out == ""
    assert ended.complaint.startswith(f"dealer: cannot listen on {LOCALHOST} port {port}: ")
    assert "address already in use" in ended.complaint


def test_an_address_of_another_machine_is_said_in_one_sentence(tmp_path: Path) -> None:
    ended = run(tmp_path, 0, 1, "--host", "203.0.113.1")
    assert ended.status == 1
    assert ended.complaint.startswith("dealer: cannot listen on 203.0.113.1 port 0")


BAD_ARGUMENTS: Final = {
    "nothing": [],
    "no rounds": [8088],
    "a port beyond the last": [65_536, 1],
    "a port that is no number": ["http", 1],
    "rounds that are no number": [0, "many"],
    "fewer rounds than none": [0, "-1"],
    "three arguments": [0, 1, 2],
    "an unknown option": [0, 1, "--fast"],
    "no time to decide": [0, 1, "--decision-clock", 0],
    "a time that is no number": [0, 1, "--decision-clock", "nan"],
    "an endless time to join": [0, 1, "--join-timeout", "inf"],
    "no connections": [0, 1, "--max-connections", 0],
    "no connections from an address": [0, 1, "--max-per-address", 0],
    "unknown rules": [0, 1, "--rules", "poker"],
    "half a deck": [0, 1, "--decks", "0.5"],
    "rules that contradict": [0, 1, "--decks", "inf", "--reshuffle", "cutoff:5"],
    "a showdown of one": [0, 1, "--rules", "showdown", "--seats", "1"],
    "ten seats": [0, 1, "--seats", "10"],
    "more bots than seats": [0, 1, "--seats", "3", "--bots", "4"],
    "bots without seats": [0, 1, "--bots", "2"],
    "unknown bots": [0, 1, "--seats", "3", "--bots", "1", "--bot-policy", "clever"],
    "bots that know no such game": [0, 1, "--rules", "showdown", "--bots", "1", "--bot-policy", "qtable"],
    "no tables": [0, 1, "--tables", "0"],
    "a pause that never ends": [0, 1, "--pause", "inf"],
    "bots before their time": [0, 1, "--bot-delay", "-1"],
    "a negative seed": [0, 1, "--seed", "-1"],
    "no address": [0, 1, "--host", ""],
    "a name that can be none": [0, 1, "--host", "a..b"],
}


@pytest.mark.parametrize("arguments", BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS)
def test_bad_arguments_are_said_in_one_sentence(tmp_path: Path, arguments: list[object]) -> None:
    ended = run(tmp_path, *arguments)
    assert ended.status == 2
    assert ended.out == ""
    assert ended.complaint.startswith("dealer: ")
    assert len(ended.complaint) > len("dealer: ") + 10


# How it ends.


def test_it_ends_with_status_0_while_connections_that_never_joined_are_open(start: Start) -> None:
    dealer = start(2)
    idle = dealer.connect()
    dealer.join().play()
    assert dealer.wait().status == 0
    assert idle.rest() == ["QUIT"]


@Signals
def test_a_signal_lets_an_open_round_be_finished(start: Start, number: int) -> None:
    dealer = start(0, "--json")
    playing, idle = dealer.seat(), dealer.connect()
    dealer.signal(number)
    assert dealer.process.stderr is not None
    lines = iter(dealer.process.stderr.readline, "")
    assert any("no new rounds" in line for line in lines)  # it has noticed
    assert dealer.join("JOIN late").rest() == ["QUIT"]
    playing.say("STAND")
    assert kinds(playing.rest()) == ["RESULT", "QUIT"]
    assert idle.rest() == ["QUIT"]
    ended = dealer.wait()
    assert ended.status == 0
    assert json.loads(ended.out)["rounds"] == 1


@Signals
def test_a_signal_without_an_open_round_ends_it_at_once(start: Start, number: int) -> None:
    dealer = start(0)
    idle = dealer.connect()
    idle.say("RULES")
    assert idle.hear().startswith("RULES")
    dealer.signal(number)
    assert idle.rest() == ["QUIT"]
    assert dealer.wait().status == 0


@Signals
def test_a_second_signal_ends_it_at_once(start: Start, number: int) -> None:
    dealer = start(0, "--json", command=ENDLESS_GRACE)
    peer = dealer.seat()
    dealer.signal(number)
    assert dealer.process.stderr is not None
    assert any("no new rounds" in line for line in iter(dealer.process.stderr.readline, ""))
    dealer.signal(number)
    assert peer.rest() == ["RESULT LOOSE", "QUIT"]
    ended = dealer.wait()
    assert ended.status == 0
    assert json.loads(ended.out)["all"]["losses"] == 1


@Signals
@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_a_signal_ends_it_where_its_standard_streams_are_closed(
    start: Start, number: int, closed: str
) -> None:
    dealer = start(0, command=by_shell(f'exec "$0" "$@" {closed}'))
    peer = dealer.seat()
    dealer.signal(number)
    peer.say("STAND")
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    ended = dealer.wait()
    assert ended.status == 0
    assert bool(ended.out) == (closed == "2>&-")  # the summary


def test_with_closed_streams_it_deals_its_rounds_and_says_nothing_to_players(start: Start) -> None:
    dealer = start(2, command=by_shell('exec "$0" "$@" <&- >&- 2>&-'))
    assert kinds(dealer.join().play())[-2:] == ["RESULT", "QUIT"]
    assert dealer.wait() == (0, "", "")


@Signals
def test_a_signal_ends_it_when_its_terminal_is_gone(start: Start, number: int) -> None:
    ours, theirs = os.openpty()
    dealer = start(0, stderr=theirs)
    os.close(theirs)
    peer = dealer.seat()
    os.close(ours)
    dealer.signal(number)
    peer.say("STAND")
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    assert dealer.wait().status == 0


def test_nobody_reads_the_summary_nor_what_it_says(start: Start) -> None:
    dealer = start(0, "--strict", command=by_shell('{ "$0" "$@"; echo $? > status; } 2>&1 | true'))
    peer = dealer.seat()
    peer.say("HALT")
    assert kinds(peer.rest())[-1] == "QUIT"
    assert (dealer.wait().out, dealer.read("status")) == ("", "1\n")


def test_under_nohup_the_end_of_its_terminal_is_not_its_own(start: Start) -> None:
    dealer = start(0, command=by_shell('trap "" HUP; exec "$0" "$@"'))
    peer = dealer.seat()
    for _ in range(2):  # a second one would end it at once
        dealer.signal(signal.SIGHUP)
        peer.say("STAND")
        peer.hear_until("DECISION")
    dealer.signal(signal.SIGTERM)
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    assert dealer.wait().status == 0


def test_a_strict_dealer_ends_with_status_1_and_says_why(start: Start) -> None:
    dealer = start(0, "--strict", "--quiet", "--json")
    peer = dealer.seat()
    peer.say("HALT")
    assert kinds(peer.rest()) == ["ERROR", "RESULT", "QUIT"]
    ended = dealer.wait()
    assert ended.status == 1
    assert ended.complaint.startswith("dealer: a player's line was refused: unknown message 'HALT'")
    assert json.loads(ended.out)["all"]["losses"] == 1


def test_the_decision_clock_is_that_of_the_option(start: Start) -> None:
    peer = start(0, "--decision-clock", "0.2", "--quiet").seat()
    assert [peer.hear().split()[0] for _ in range(2)] == ["ERROR", "RESULT"]


def test_the_join_timeout_is_that_of_the_option(start: Start) -> None:
    silent = start(0, "--join-timeout", "0.3", "--quiet").connect()
    assert silent.rest()[0].startswith("ERROR no JOIN for 0.3 s")


def test_the_most_connections_are_those_of_the_option(start: Start) -> None:
    dealer = start(0, "--max-connections", "2", "--quiet")
    first, second = dealer.seat(), dealer.seat()
    assert dealer.connect().rest() == ["ERROR dealer is full"]
    for peer in (first, second):
        peer.say("STAND")
        assert peer.hear().startswith("RESULT")


@pytest.mark.parametrize("lines_read", [0, 5], ids=["not even the greeting", "no more than the greeting"])
def test_it_does_not_end_when_nobody_reads_what_it_says(start: Start, lines_read: int) -> None:
    dealer = start(0, "--json")
    assert dealer.process.stderr is not None
    for _ in range(lines_read):
        assert dealer.process.stderr.readline()
    dealer.process.stderr.close()
    peer = dealer.join("JOIN a 3")
    assert kinds(peer.play()).count("RESULT") == 3
    open_round = dealer.seat("JOIN b")
    dealer.signal(signal.SIGTERM)  # about which it says something, since a round is open
    open_round.say("STAND")
    assert kinds(open_round.play())[-2:] == ["RESULT", "QUIT"]
    out, _ = dealer.process.communicate(timeout=PATIENCE)
    assert dealer.process.returncode == 0
    assert json.loads(out)["rounds"] >= 4
