"""Small tournaments for tests, with programs that play the same whenever they have the same cards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

BOT: Final = '''
"""Draws below a total; a hand of these points, as it was dealt, makes it do something wrong."""
import os, socket, sys, time
host, port, name, below, fault, *cards = sys.argv[1:]
ranks = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()
with socket.create_connection((host, int(port))) as dealer:
    dealer.sendall(f"JOIN {name}\\n".encode())
    for line in dealer.makefile():
        verb, *words = line.split() or [""]
        if verb == "BEGIN":
            hand = []
        elif verb == "CARD":
            hand.append(min(10, ranks.index(words[0]) + 1))
        elif verb == "DECISION":
            if hand == [int(card) for card in cards]:
                if fault == "crash":
                    os._exit(3)
                dealer.sendall(b"JUMP\\n")
            time.sleep(0.012 if fault == "slow" else 0.001)
            total = sum(hand) + (10 if 1 in hand and sum(hand) <= 11 else 0)
            dealer.sendall(b"HIT\\n" if total < int(below) else b"STAND\\n")
        elif verb == "QUIT":
            break
'''


def entrant(name: str, *lines: str) -> str:
    """An entrant of a file."""
    return "\n".join(("", "[[entrant]]", f'name = "{name}"', *lines, ""))


def program(name: str, below: int, *fault: object) -> str:
    """An entrant that is the program of `write_bot`."""
    words = [sys.executable, "bot.py", "{host}", "{port}", "{name}", below, *(fault or ["none"])]
    return entrant(name, f"command = {[str(word) for word in words]}")


def policy(name: str, text: str | None = None) -> str:
    """An entrant that is a policy."""
    return entrant(name, f'policy = "{text or name}"')


def write(folder: Path, *entrants: str, head: str = "rounds = 100\nseed = 1\n") -> Path:
    """A file of a tournament, beside its program."""
    (folder / "bot.py").write_text(BOT)
    file = folder / "cup.toml"
    file.write_text(head + "".join(entrants))
    return file


def children(process: int) -> list[Path]:
    """The files in which Linux tells the command lines of the processes that a process has started."""
    told = (Path("/proc") / str(process) / "task" / str(process) / "children").read_text()
    return [Path("/proc") / child / "cmdline" for child in told.split()]
