"""A tournament that is ended in any way goes on, and comes to the same result to the byte, but for times."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import command as run
from tests.helpers.processes import finish, start
from tests.tournament.cups import children, policy, program, write
from tournament.results.store import Store
from twentyone.support.command import CommandError

pytestmark = pytest.mark.check

ROUNDS = 200


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two policies and three programs: one crashes with 10 and 6, another says a word that is none.

    The third is slow, so that a tournament takes a while whatever the machine.
    """
    return write(
        tmp_path_factory.mktemp("cup"),
        policy("threshold", "threshold:14"),
        policy("random"),
        program("slow", 15, "slow"),
        program("crashes", 16, "crash", 10, 6),
        program("illegal", 17, "illegal", 10, 5),
        head=f"rounds = {ROUNDS}\nseed = 5\n",
    )


@pytest.fixture(scope="module")
def whole(cup: Path) -> str:
    """The rounds of a tournament that nobody stopped."""
    finished = run("tournament", "run", cup, "--folder", "whole", cwd=cup.parent)
    assert finished.status == 0, finished.err
    assert last_of(finished.err) == "tournament: the report is in whole/report.html"
    return exported(cup, "whole")


def last_of(err: str) -> str:
    """The last line on standard error: before it are the hash of the seed, and warnings."""
    return err.splitlines()[-1]


def exported(cup: Path, folder: str, kind: str = "csv") -> str:
    options = ("--folder", folder, "--format", kind, "--no-times")
    finished = run("tournament", "export", cup, *options, cwd=cup.parent)
    assert (finished.status, finished.err) == (0, "")
    return finished.out


def by_match(folder: Path) -> list[int]:
    """How many rounds of each match are in the database of a tournament that runs."""
    with suppress(CommandError), Store(folder / "results.sqlite") as store:
        return [store.played(match) for match in store.settings.matches]
    return [0]


def played(folder: Path) -> int:
    """How many rounds of all matches there are."""
    return sum(by_match(folder))


def stopped(cup: Path, folder: str, at: int, number: signal.Signals) -> str:
    """Run it until so many rounds are kept, and signal it; what it says on standard error."""
    process = start("tournament", "run", cup, "--folder", folder, cwd=cup.parent)
    assert eventually(lambda: process.poll() is not None or played(cup.parent / folder) >= at)
    assert process.poll() is None, "it has ended before it was stopped"
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == (-number if number is signal.SIGKILL else 130)
    return err


def test_killed_or_asked_to_end_at_any_instant_it_goes_on_to_the_same_result(cup: Path, whole: str) -> None:
    stopped(cup, "stopped", 1, signal.SIGKILL)
    for number, at in ((signal.SIGINT, 2 * ROUNDS + 1), (signal.SIGTERM, 3 * ROUNDS)):
        err = stopped(cup, "stopped", at, number)
        assert last_of(err).startswith("tournament: stopped: everybody has ")
        assert last_of(err).endswith(f"to go on: tournament run {cup} --folder stopped")
        assert err.count("tournament: the SHA-256 of the seed and of 128 random bits is") == 1
    stopped(cup, "stopped", 4 * ROUNDS, signal.SIGKILL)
    assert played(cup.parent / "stopped") < 5 * ROUNDS
    assert run("tournament", "run", cup, "--folder", "stopped", cwd=cup.parent).status == 0
    assert exported(cup, "stopped") == whole
    assert exported(cup, "stopped", "history") == exported(cup, "whole", "history")
    assert ",crashed" in whole and ",refused" in whole


def test_more_rounds_may_be_asked_for_later(cup: Path, whole: str) -> None:
    first = run("tournament", "run", cup, "--rounds", 100, "--folder", "more", "--json", cwd=cup.parent)
    assert first.status == 0 and '"rounds": 100' in first.out
    assert run("tournament", "run", cup, "--folder", "more", cwd=cup.parent).status == 0
    assert exported(cup, "more") == whole
    fewer = run("tournament", "run", cup, "--rounds", 100, "--folder", "more", cwd=cup.parent)
    assert fewer.status == 2 and "rounds is 100, but 200 were asked for before" in fewer.err


def test_others_may_look_on_but_not_play_and_a_lost_process_is_a_sentence(cup: Path, whole: str) -> None:
    process = start("tournament", "run", cup, "--folder", "lost", "--at-once", 3, cwd=cup.parent)
    assert eventually(lambda: min(by_match(cup.parent / "lost")) >= 2)  # standings need two of everybody
    workers = [int(each.parent.name) for each in children(process.pid) if "spawn_main" in each.read_text()]
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)  # so that it is at it still when all has been looked at
    again = run("tournament", "run", cup, "--folder", "lost", cwd=cup.parent)
    assert again.status == 1 and "is in use: expected one run of this tournament at a time" in again.err
    assert run("tournament", "standings", cup, "--folder", "lost", "--json", cwd=cup.parent).status == 0
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    finished = finish(process)
    assert finished.status == 1
    assert "a process that played was ended by SIGKILL; what it had handed on is kept" in finished.err
    assert run("tournament", "run", cup, "--folder", "lost", cwd=cup.parent).status == 0
    assert exported(cup, "lost") == whole


def test_a_full_disk_is_a_sentence_and_it_goes_on_when_there_is_room(cup: Path, whole: str) -> None:
    """The limit is on the size of a file, so the database cannot grow beyond it, as on a full disk."""
    process = start("tournament", "run", cup, "--folder", "full", cwd=cup.parent)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (90_000, resource.RLIM_INFINITY))
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "full/results.sqlite cannot be used: " in err and "; to go on: tournament run" in err
    assert err.count("to go on") == 1 and "Traceback" not in err
    assert run("tournament", "run", cup, "--folder", "full", cwd=cup.parent).status == 0
    assert exported(cup, "full") == whole
