"""The project's own `player`, at a dealer that is killed and started again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import finish, start
from tests.proxies.programs import dealing, kept_ports

PROGRAMS, ROUNDS, KILLS = (12, 1000, 10) if "EVERY_KILL" in os.environ else (4, 400, 2)
"""How many programs play, how many rounds each of them, and how often the dealer is killed meanwhile."""

SEED: Final = int(os.environ.get("EVERY_KILL", 40))

TALLY: Final = ("rounds", "wins", "pushes", "losses", "busts", "mean_payoff")


@pytest.mark.check
@pytest.mark.parametrize("seats", [1, 4])
def test_what_players_report_is_what_the_last_dealer_reports(tmp_path: Path, seats: int) -> None:
    state = ("--state", "state", "--history", "history", "--json")
    rules = ("--rules", "vegas", "--bets", "10-500", "--bankroll", "100000", "--seats", str(seats))
    moments = sorted(Random(SEED).sample(range(PROGRAMS, PROGRAMS * ROUNDS // 2 // seats), KILLS))

    def dealt(rounds: int) -> Callable[[], bool]:
        return lambda: (tmp_path / "history").read_bytes().count(b"\n") >= rounds

    with kept_ports(1) as (port,):
        with dealing(tmp_path, port, *state, *rules) as dealer:
            playing = [
                start(
                    *("player", *((f"ws://{LOCALHOST}:{port}/ws",) if number % 2 else (LOCALHOST, port))),
                    *("--name", f"p{number}", "--rounds", ROUNDS, "--policy", "threshold:17", "--json"),
                    cwd=tmp_path,
                )
                for number in range(PROGRAMS)
            ]
            assert eventually(dealt(moments[0]))
            dealer.kill()
        for moment in (*moments[1:], 0):
            with dealing(tmp_path, port, *state, *rules) as dealer:
                if moment:
                    assert eventually(dealt(moment))
                    dealer.kill()
                    continue
                ended = [finish(each) for each in playing]
                dealer.send_signal(signal.SIGTERM)
                done = finish(dealer)
    assert [each.status for each in ended] == [0] * PROGRAMS, ended
    rows = {row["name"]: [row[key] for key in TALLY] for row in json.loads(done.out)["players"]}
    results = [json.loads(each.out) for each in ended]
    assert {f"p{number}": [each[key] for key in TALLY] for number, each in enumerate(results)} == rows
    assert [each.get("without_result", 0) for each in results] == [0] * PROGRAMS
    assert [each["rounds"] for each in results] == [ROUNDS] * PROGRAMS
