"""Programs to take part: one that plays well behaved, but for a fault when it holds a certain card."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cards import PRESETS, Decision, Round, Rules, parse_card
from cards.rules import EveryRound
from tournament.settings import Block, Clocks, Entrant, Fault, Limits, Settings, State

BAD_CARD: Final = parse_card("Queen of Hearts")
"""A program that holds it shows its fault: so it is at the same place however often it is started."""

STANDS_ON: Final = 15

RULES: Final = replace(PRESETS["casino"], reshuffle=EveryRound())
VEGAS: Final = replace(PRESETS["vegas"], reshuffle=EveryRound())

PATIENT: Final = Clocks(decision=3600.0, bank=0.0, refill=0.0)
"""Clocks that must not run out."""

PLAYER: Final = """
import os, socket, sys, time
host, port, name, fault = sys.argv[1:5]
POINTS = dict(Ace=11, King=10, Queen=10, Jack=10, Ten=10, Nine=9, Eight=8, Seven=7, Six=6, Five=5, Four=4,
              Three=3, Two=2)
dealer = socket.create_connection((host, int(port)))
dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
lines = dealer.makefile("r")
def parts():
    rest = b""
    while data := dealer.recv(4096):
        *whole, rest = (rest + data).split(b"\\0")
        yield from (line.decode() for line in whole)
def say(line):
    dealer.sendall(line.encode() + b"\\n")
def misbehave():
    if fault == "crash":
        os._exit(3)
    if fault == "hang":
        time.sleep(3600)
    if fault == "quit":
        say("QUIT")
    if fault == "illegal":
        say("FOLD")
    if fault == "flood":
        try:
            while True:
                dealer.sendall(b"FOLD\\n" * 1000)
        except OSError:
            time.sleep(3600)
say("JOIN " + name)
for line in lines:
    words = line.split()
    if words[0] == "BEGIN":
        points, aces, is_bad = 0, 0, False
    elif words[0] == "CARD":
        points += POINTS[words[1]]
        aces += words[1] == "Ace"
        while points > 21 and aces:
            points, aces = points - 10, aces - 1
        is_bad = is_bad or line.strip() == "CARD Queen of Hearts"
    elif words[:2] == ["DECISION", "BET"]:
        say("BET " + words[3 if fault == "bold" else 2])
    elif "DECLINE" in words:
        say("DECLINE")
    elif words[0] == "DECISION":
        if is_bad:
            misbehave()
        say("STAND" if points >= 15 else "HIT")
"""


def player(folder: Path, name: str, fault: str = "none") -> Entrant:
    """An entrant whose program hits below 15, and has a fault."""
    program = folder / "player.py"
    if not program.exists():
        program.write_text(PLAYER)
    words = (sys.executable, "-S", str(program), "{host}", "{port}", "{name}", fault)
    return Entrant(name, command=words)


def settings(entrants: Sequence[Entrant], rules: Rules = RULES, rounds: int = 60, **others: Any) -> Settings:
    """A tournament of them."""
    told: dict[str, Any] = {"clocks": PATIENT, "start": 60.0, "limits": Limits(), "seed": 5, **others}
    return Settings(rules, rounds, entrants=tuple(entrants), **told)


class Played:
    """What has come of a match so far: `add` takes its blocks."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def add(self, block: Block) -> None:
        if self.blocks:
            assert block.before == self.blocks[-1].after
        assert block.after.round - block.before.round == len(block.scripts) == len(block.payoffs)
        self.blocks.append(block)

    @property
    def state(self) -> State:
        return self.blocks[-1].after

    @property
    def scripts(self) -> list[str]:
        return [script for block in self.blocks for script in block.scripts]

    @property
    def payoffs(self) -> list[list[int]]:
        return [list(map(int, row)) for block in self.blocks for row in block.payoffs]

    @property
    def faults(self) -> list[Fault]:
        return [fault for block in self.blocks for fault in block.faults]

    @property
    def seconds(self) -> list[float]:
        return [float(each) for block in self.blocks if block.seconds is not None for each in block.seconds]

    def rounds_of(self, kind: str) -> list[int]:
        """The rounds in which there was a fault of a kind."""
        return [fault.round for fault in self.faults if fault.kind == kind]


def plays_well(round_: Round) -> Decision:
    """What a program does that hits below 15."""
    assert round_.turn is not None
    if Decision.DECLINE in round_.options:
        return Decision.DECLINE
    return Decision.STAND if round_.hands[round_.turn].total >= STANDS_ON else Decision.HIT
