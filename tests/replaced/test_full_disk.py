"""A dealer with a state file whose disk is full, and then has room again."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.dealer.running import Dealer
from tests.helpers.peer import BlockingPeer

pytestmark = pytest.mark.check

VEGAS: Final = ("--rules", "vegas", "--bets", "10-500", "--bankroll", 5000, "--seed", 2)
"""Each player's first two rounds may be surrendered at once."""

TOKEN: Final = "x7Rk2mQ9vTz4LbW1cYp8Ns"

MOUNTED: Final = 'mount -t tmpfs -o size=1000000 none small && exec "$@"'
"""Runs a command with a small disk of its own."""

UNSHARED: Final = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNTED, "sh")
"""The same without the rights of root, where the system allows that."""


@dataclass(frozen=True)
class Disk:
    """A dealer, and the disk on which its state is."""

    dealer: Dealer
    fill: Callable[[], object]
    empty: Callable[[], object]


def limited(folder: Path, stack: ExitStack) -> Disk:
    """A dealer that may write to no file for a while: it is the same to SQLite, and needs no disk."""
    dealer = Dealer(folder, 0, *VEGAS, "--json", "--state", "state")
    stack.callback(dealer.close)
    assert dealer.port

    def limit(size: int) -> None:
        resource.prlimit(dealer.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return Disk(dealer, lambda: limit(0), lambda: limit(resource.RLIM_INFINITY))


def mounted(folder: Path, stack: ExitStack) -> Disk:
    """A dealer on a small disk of its own."""
    (folder / "small").mkdir()
    can = shutil.which("unshare") and subprocess.run([*UNSHARED, "true"], cwd=folder, check=False)
    if not can or can.returncode:
        pytest.skip("no disk can be mounted for a process: expected `unshare --user --mount`")
    program = str(Path(sys.executable).with_name("dealer"))
    dealer = Dealer(folder, 0, *VEGAS, "--json", "--state", "small/state", command=[*UNSHARED, program])
    stack.callback(dealer.close)
    assert dealer.port
    filler = Path(f"/proc/{dealer.process.pid}/root{folder}/small/filler")

    def fill() -> None:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4096):
                pass

    return Disk(dealer, fill, filler.unlink)


@pytest.fixture(params=[limited, mounted])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """A dealer whose disk can be filled."""
    with ExitStack() as stack:
        yield request.param(tmp_path, stack)


def asked(dealer: Dealer, token: str = TOKEN) -> BlockingPeer:
    """A player with a kept seat who is asked about a hand."""
    peer = dealer.join("JOIN a")
    peer.say(f"KEEP {token}")
    peer.answer("BET 10")
    assert peer.hear_until("DECISION")[-1].endswith("SURRENDER")
    return peer


def fill(disk: Disk, peer: BlockingPeer) -> None:
    """Fill the disk, and let a player's round end; return once the dealer says what is wrong."""
    disk.fill()
    peer.say("SURRENDER")
    disk.dealer.wait_until_it_says("no new round begins")


def told(peer: BlockingPeer) -> list[str]:
    """All that a player was told by now."""
    peer.socket.setblocking(False)
    with suppress(BlockingIOError):
        peer.receive(peer.socket.recv(65_536))
    peer.socket.setblocking(True)
    return list(iter(peer.next_line, ""))


def test_nobody_is_told_what_is_not_written_and_it_goes_on_by_itself(disk: Disk) -> None:
    playing, betting = asked(disk.dealer), disk.dealer.join("JOIN b")
    betting.hear_until("DECISION BET")
    fill(disk, playing)
    betting.say("BET 20", "RULES")
    assert betting.hear().startswith("RULES ")  # and no BEGIN
    new = disk.dealer.join("RULES")
    assert new.hear().startswith("RULES ")
    assert [told(peer) for peer in (playing, betting, new)] == [[], [], []]

    disk.empty()
    disk.dealer.wait_until_it_says("can be written again")
    assert playing.hear_until("DECISION BET")[-2:] == ["RESULT SURRENDER -5", "DECISION BET 10 500 4995"]
    assert betting.hear() == "BEGIN"
    new.say("JOIN c")
    assert new.hear().startswith("DECISION BET")


def test_what_was_told_before_it_was_full_is_true_after_a_kill(disk: Disk, tmp_path: Path) -> None:
    playing = asked(disk.dealer)
    playing.say("SURRENDER")
    playing.answer("BET 100")
    assert playing.hear_until("DECISION")[-1].endswith("SURRENDER")
    fill(disk, playing)
    copied = Path(f"/proc/{disk.dealer.process.pid}/root{tmp_path}")
    state = next(each for each in (copied / "small" / "state", copied / "state") if each.exists())
    disk.dealer.signal(signal.SIGSTOP)
    for end in ("", "-wal"):
        shutil.copy(f"{state}{end}", tmp_path / f"left{end}")
    disk.dealer.signal(signal.SIGKILL)
    disk.dealer.wait()
    next_one = Dealer(tmp_path, 0, *VEGAS, "--state", "left")
    try:
        back = next_one.join(f"RESUME {TOKEN}")
        assert back.hear() == "DECISION BET 10 500 4995"
    finally:
        next_one.close()


def test_told_to_stop_it_says_what_is_not_written(disk: Disk) -> None:
    playing = asked(disk.dealer)
    fill(disk, playing)
    disk.dealer.signal(signal.SIGTERM)
    assert not [line for line in playing.rest() if line.startswith("RESULT")]
    done = disk.dealer.wait()
    assert done.status == 1
    assert "and nobody was told of it" in done.err
