"""`tournament check` and `tournament check-dealer` as they are typed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.helpers.authority import Authority
from tests.helpers.house import open_house
from tests.helpers.inside import inside
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import Finished, command, finish, start
from tests.player.typed import player
from tournament.check.situations import SITUATIONS
from tournament.cli import main

BOTS: Final = Path(__file__).parent / "bots"
PYTHON: Final = (sys.executable, "-I", "-S")
ADDRESS: Final = ("{host}", "{port}", "{name}")
PLAIN: Final = ("--", *PYTHON, BOTS / "plain.py", *ADDRESS)
TWICE: Final = ("--", *PYTHON, BOTS / "faulty.py", "Twice", *ADDRESS)


def check(folder: Path, *options: object) -> Finished:
    return inside(main, "tournament", "check", *options, cwd=folder)


def test_one_line_for_each_situation_and_status_0(tmp_path: Path) -> None:
    options = ("--only", "cut", "--only", "round", "--at-once", 2, *PLAIN)
    done = command("tournament", "check", *options, cwd=tmp_path)
    assert done.status == 0, done
    assert done.out.splitlines() == [
        "round  passed  a round, and QUIT",
        "cut    passed  the connection is closed while cards are dealt",
        "all 2 situations passed",
    ]


def test_a_fault_is_told_with_what_was_said_and_status_1(tmp_path: Path) -> None:
    done = check(tmp_path, "--only", "round", *TWICE)
    assert done.status == 1, done
    lines = done.out.splitlines()
    fault = "it sent two answers to one DECISION: HIT, STAND"
    assert lines[:2] == ["round  FAILED  a round, and QUIT", f"    {fault}"]
    said = [line.split(maxsplit=1)[1] for line in lines[2:-1]]
    cards, dealers = ([line for line in said if line.startswith(f"< {verb}")] for verb in ("CARD", "DEALER"))
    assert said == ["> JOIN checked", "< BEGIN", *cards, *dealers, "< DECISION", "> HIT", "> STAND"]
    assert lines[-1] == "1 of 1 situation failed: round"
    done = check(tmp_path, "--only", "round", "--json", "--rules", "casino", *TWICE)
    told = json.loads(done.out)
    assert done.status == 1
    assert (told["passed"], told["voice"], told["rules"]["preset"]) == (False, "lines", "casino")
    (round_,) = told["situations"]
    assert round_["fault"] == fault
    first = round_["transcript"][0]
    assert first == {"seconds": first["seconds"], "sign": ">", "text": "JOIN checked"}
    assert round_["standard_error"] == []


def test_what_a_program_complains_of_is_shown(tmp_path: Path) -> None:
    script = "import sys; sys.exit('no such table')"
    done = check(tmp_path, "--only", "round", "--", *PYTHON, "-c", script, "{port}")
    assert done.status == 1
    assert "it ended with status 1 and did not connect" in done.out
    assert "    | no such table" in done.out


def test_a_program_that_connects_by_itself_is_waited_for(tmp_path: Path) -> None:
    with open_house() as house:  # a port that was free a moment ago
        port = house.port
    waiting = start("tournament", "check", "--listen", port, "--only", "round", "--only", "cut", cwd=tmp_path)
    program = [*PYTHON, str(BOTS / "plain.py"), "127.0.0.1", str(port), "far"]
    deadline = time.monotonic() + PATIENCE
    while waiting.poll() is None and time.monotonic() < deadline:
        subprocess.run(program, capture_output=True)
    done = finish(waiting)
    assert done.status == 0, done
    assert f"situation 1 of 2, round: waiting for the program on port {port}" in done.err
    assert "situation 2 of 2, cut: waiting" in done.err


def test_a_program_that_connects_by_itself_over_tls_is_checked(tmp_path: Path, authority: Authority) -> None:
    with open_house() as house:  # a port that was free a moment ago
        port = house.port
    cert, key = authority.certificate(LOCALHOST)
    options = ("--tls-cert", cert, "--tls-key", key, "--only", "round", "--only", "together")
    waiting = start("tournament", "check", "--listen", port, *options, cwd=tmp_path)
    deadline = time.monotonic() + PATIENCE
    while waiting.poll() is None and time.monotonic() < deadline:
        player(tmp_path, LOCALHOST, port, "--tls", f"--tls-ca={authority.ca}", "--policy=threshold:17")
    done = finish(waiting)
    assert done.status == 0, done
    assert done.out.splitlines()[-1] == "all 2 situations passed"


def test_the_situations_can_be_listed(tmp_path: Path) -> None:
    done = check(tmp_path, "--list")
    assert done.status == 0
    assert [line.split()[0] for line in done.out.splitlines()] == [each.name for each in SITUATIONS]
    dealers = inside(main, "tournament", "check-dealer", "127.0.0.1", 1, "--list", cwd=tmp_path)
    assert "half-close" in dealers.out


def test_a_wrong_command_line_is_told_in_a_sentence(tmp_path: Path) -> None:
    for options, status, sentence in (
        ((), 2, "expected a program to check: -- ./mybot {host} {port} {name}, or --listen PORT"),
        (("--", "true"), 2, "does not say where the program is to connect: expected {port} in it"),
        (("--only", "rond", *PLAIN), 2, "there is no situation 'rond': expected one of round, results"),
        (("--tls-cert", __file__, "--listen", 1), 2, "--tls-cert needs the key of the certificate"),
        (("--tls-cert", __file__, "--tls-key", "k", *PLAIN), 2, "connects by itself: expected --listen PORT"),
        (("--time", "0", *PLAIN), 2, "a time of 0 s is invalid"),
        (("--only", "splits", *PLAIN), 2, "none of these situations can be had under these rules"),
        (("--", "./no-such-bot", "{port}"), 1, "./no-such-bot cannot be started: no such file or directory"),
    ):
        done = check(tmp_path, *options)
        assert done.status == status, done
        assert sentence in done.err


def test_a_dealer_is_checked_from_outside(tmp_path: Path) -> None:
    with open_house() as house:
        place = ("check-dealer", "127.0.0.1", house.port)
        options = ("--only", "round", "--only", "websocket", "--all-voices", "--time", PATIENCE)
        done = command("tournament", *place, *options, cwd=tmp_path)
        told = json.loads(inside(main, "tournament", *place, *options, "--json", cwd=tmp_path).out)
    assert done.status == 0, done
    assert done.out.splitlines()[-1] == "all 2 situations passed"
    assert told["passed"] and told["rules"]["preset"] == "course"
    gone = inside(main, "tournament", *place, cwd=tmp_path)
    assert gone.status == 1
    assert f"cannot connect to 127.0.0.1 port {house.port}: " in gone.err


def check_dealer(folder: Path, *words: object) -> Finished:
    return inside(main, "tournament", "check-dealer", *words, "--time", PATIENCE, cwd=folder)


def test_a_dealer_is_checked_over_tls_by_lines_and_by_a_websocket(
    tmp_path: Path, authority: Authority
) -> None:
    trust = ("--tls-ca", authority.ca, "--all-voices", "--json")
    with open_house(tls=authority.certificate("localhost")) as house:
        lines = check_dealer(tmp_path, "localhost", house.port, "--tls", *trust)
        websocket = check_dealer(tmp_path, f"wss://localhost:{house.port}/ws", *trust)
        refused = check_dealer(tmp_path, LOCALHOST, house.port, "--tls", *trust)
    assert (lines.status, websocket.status, refused.status) == (0, 0, 1)
    left_out = set(tried(lines)) - set(tried(websocket))
    assert left_out == {"not-text", "too-long", "typed", "pieces", "classic"}
    assert {"websocket", "round", "violations"} <= set(tried(websocket))
    assert "its certificate is not for 127.0.0.1: expected a name or an address that it is for" in refused.err


def tried(done: Finished) -> list[str]:
    """The situations that were tried."""
    return [each["name"] for each in json.loads(done.out)["situations"] if each["tried"]]


def test_a_dealer_that_opens_no_websocket_fails_in_every_situation(tmp_path: Path) -> None:
    with open_house() as house:
        address = f"ws://{LOCALHOST}:{house.port}/elsewhere"
        done = check_dealer(tmp_path, address, "--only", "round", "--only", "leaving")
        plain = check_dealer(tmp_path, "localhost", house.port, "--tls")
    assert done.status == plain.status == 1
    assert done.out.splitlines()[-1] == "2 of 2 situations failed, all alike: round, leaving"
    assert "it does not speak TLS: expected a dealer that does" in plain.err


def test_a_dealer_that_speaks_tls_is_not_checked_without(tmp_path: Path, authority: Authority) -> None:
    with open_house(tls=authority.certificate("localhost")) as house:
        done = check_dealer(tmp_path, LOCALHOST, house.port, "--only", "rules")
    where = f"tournament: the dealer at {LOCALHOST} port {house.port} says: this dealer speaks TLS: expected"
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(where)
