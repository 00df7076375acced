"""A program that knows the cards before they are dealt is told from one that plays well."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import command
from tests.tournament.cups import entrant, policy, program, write

CHEAT: Final = '''
"""Reads the seed in the file of the tournament, deals each round ahead, and hits as often as is best."""
import pathlib, socket, sys, tomllib
host, port, name, packages = sys.argv[1:]
sys.path.insert(0, packages)
from cards import Decision, PRESETS, QueuedShoe, Round
cup = pathlib.Path.cwd().parents[2] / "cup.toml"  # it runs in cup/programs/NAME
seed = tomllib.loads(cup.read_text())["seed"]

def payoff(number, hits):
    round_ = Round(PRESETS["course"], QueuedShoe(PRESETS["course"], seed, number))
    round_.deal()
    while round_.turn is not None:
        round_.decide(round_.turn, Decision.HIT if hits > 0 else Decision.STAND)
        hits -= 1
    return round_.payoffs[0]

number = -1
with socket.create_connection((host, int(port))) as dealer:
    dealer.sendall(f"JOIN {name}\\n".encode())
    for line in dealer.makefile():
        if line.startswith("BEGIN"):
            number += 1
            hits = max(range(9), key=lambda hits: payoff(number, hits))
        elif line.startswith("DECISION"):
            dealer.sendall(b"HIT\\n" if hits > 0 else b"STAND\\n")
            hits -= 1
        elif line.startswith("QUIT"):
            break
'''
PACKAGES: Final = Path(__file__).parents[2]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A tournament of an honest policy, an honest program, and the cheat."""
    (tmp_path / "cheat.py").write_text(CHEAT)
    words = [sys.executable, "cheat.py", "{host}", "{port}", "{name}", str(PACKAGES)]
    cheat = entrant("cheat", f"command = {words}")
    return write(tmp_path, policy("basic"), program("works", 16), cheat, head="rounds = 300\nseed = 5\n")


@pytest.fixture
def unconfined(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine where bubblewrap does not work."""
    bwrap = tmp_path / "bin" / "bwrap"
    bwrap.parent.mkdir()
    bwrap.write_text("#!/bin/sh\nexit 1\n")
    bwrap.chmod(0o755)
    return {"PATH": f"{bwrap.parent}:{os.environ['PATH']}"}


@pytest.mark.check
def test_a_program_that_deals_the_cards_itself_is_marked_and_not_ranked(
    cup: Path, unconfined: dict[str, str]
) -> None:
    finished = command("tournament", "run", cup, "--json", cwd=cup.parent, **unconfined)
    assert finished.status == 0, finished.err
    assert "tournament: not ranked: cheat (better than is possible)\n" in finished.err
    ranking = json.loads(finished.out)["ranking"]
    assert [row["name"] for row in ranking][2] == "cheat"
    assert [row["rank"] for row in ranking] == [1, 1, None]
    found = ranking[2]["better_than_possible"]
    assert ranking[2]["payoff"]["mean"] > max(row["payoff"]["mean"] for row in ranking[:2])
    assert found["mean"] > found["limit"] > found["value"] + 5 / 300**0.5 - 1e-9
    assert found["mean"] == pytest.approx(ranking[2]["payoff"]["mean"] + ranking[2]["lost"]["mean"])
    shown = command("tournament", "standings", cup, cwd=cup.parent)
    assert "cheat is better than is possible, and is not ranked" in shown.out
    assert "cheat is better than is possible" in (cup.parent / "cup" / "report.html").read_text()


@pytest.mark.check
def test_confined_it_does_not_find_the_file_of_the_tournament(cup: Path) -> None:
    finished = command("tournament", "run", cup, "--json", cwd=cup.parent)
    rows = {row["name"]: row for row in json.loads(finished.out)["ranking"]}
    if not rows["works"]["confined"]:
        pytest.skip("bubblewrap does not work here")
    assert finished.status == 1
    assert rows["cheat"]["ended"]["kind"] == "does not start"
    assert "No such file or directory: " in rows["cheat"]["ended"]["errors"][-1]
    assert "cup.toml" in rows["cheat"]["ended"]["errors"][-1]
    assert rows["works"]["rank"] == 1 and rows["works"]["faults"] == {}


def port_of_waiting(folder: Path) -> int:
    """The port for which a program of a folder is about to join, as others can read it too."""
    told = re.compile(re.escape(f"{folder}/bot.py 127.0.0.1 ") + r"(\d+)")
    ports: list[int] = []

    def look() -> bool:
        for words in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has just ended
                if found := told.search(words.read_text(errors="replace")):
                    ports.append(int(found[1]))
        return bool(ports)

    assert eventually(look)
    return ports[0]


@pytest.mark.check
def test_the_seat_of_a_program_that_is_confined_is_taken_by_no_other(tmp_path: Path) -> None:
    wait = "while [ ! -e thief-was-here ]; do sleep 0.05; done"
    line = f"{wait}; exec {sys.executable} {tmp_path}/bot.py {{host}} {{port}} {{name}} 16 none"
    late = entrant("late", f"command = {['sh', '-c', line]}\nsee = ['bot.py']")
    cup = write(tmp_path, late, policy("basic"), head="rounds = 100\nseed = 1\nstart = 300.0\n")
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(command, "tournament", "run", cup, "--json", cwd=tmp_path)
        with socket.create_connection((LOCALHOST, port_of_waiting(tmp_path))) as thief:
            thief.sendall(b"JOIN late\n")
            said = thief.makefile().readline()
        (tmp_path / "cup/programs/late/thief-was-here").touch()
        finished = running.result()
    (row,) = (row for row in json.loads(finished.out)["ranking"] if row["name"] == "late")
    if not row["confined"]:
        pytest.skip("bubblewrap does not work here")
    assert said == "ERROR no seat is free for you\n"
    assert (finished.status, row["faults"]) == (0, {})
