"""A program with one fault: `faulty.py FAULT HOST PORT NAME`. What is not wrong is as in `plain.py`."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs

import contextlib
import os
import signal
import socket
import sys
import time

FAULT, HOST, PORT, NAME = sys.argv[1:5]
RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905
VERBS = ("BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "QUIT", "ERROR")
JOINS = {
    "NoLineEnd": "JOIN {}",
    "NoName": "JOIN\n",
    "AnyPath": "GET / HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
}


class Bot:
    """Stands on 12 and more."""

    def __init__(self, wire):
        self.wire, self.ranks, self.rounds, self.asked = wire, [], 0, 0

    def say(self, text):
        self.wire.sendall(text.encode())

    def join(self):
        self.say(JOINS.get(FAULT, "JOIN {}\n").format(NAME))

    @property
    def total(self):
        return sum(min(10, RANKS.index(rank) + 1) for rank in self.ranks)

    def hear(self, line):
        verb, *words = line.rstrip("\n").split(" ") if FAULT == "KeepsCr" else line.split()
        if verb == "BEGIN":
            self.ranks, self.asked = [], 0
        elif verb == "CARD":
            self.ranks.append(words[0])
        elif verb == "RESULT":
            self.rounds += 1
        elif verb == "DECISION":
            self.asked += 1
        if not self.is_wrong(verb, words, line) and verb == "DECISION":
            self.say("HIT\n" if self.total < 12 else "STAND\n")

    def is_wrong(self, verb, words, line):
        """Whether it does something else here than it should."""
        match FAULT, verb:
            case "TooEarly", "DEALER":  # answers when it sees the upcard
                self.say("STAND\n")
            case "TooEarly", "DECISION":
                pass
            case "Twice", "DECISION":
                self.say("HIT\nSTAND\n")
            case "WholeLines", "DECISION" if words:  # knows DECISION only without anything behind it
                pass
            case "UnknownVerb", _ if verb not in VERBS:
                sys.exit("what is that?")
            case "ShortLines", _:
                assert len(line) <= 128, "what a long line"
                return False
            case "EndsAtError", "ERROR":
                sys.exit(3)
            case "LeavesAtError", "ERROR":
                self.say("QUIT\n")
            case "HangsAtPush", "RESULT" if words[0] == "PUSH":
                time.sleep(1000)
            case "LeavesAfter100", "RESULT" if self.rounds == 100:
                sys.exit(0)
            case "QuitsAfter100", "RESULT" if self.rounds == 100:  # although its JOIN had no number of rounds
                self.say("QUIT\n")
            case "WrongVerb", "DECISION":
                self.say("CARD\n" if self.total < 12 else "STAY\n")
            case ("AfterBust", "DECISION") | ("AfterBust", "RESULT") if words[:1] in ([], ["BUST"]):
                self.say("HIT\n")
            case "AnswersResult", "RESULT":
                self.say("STAND\n")
            case "NeedsDecision", "RESULT":
                return 1 / self.asked < 0
            case "PayoffNumber", "RESULT" if words[1:]:
                int(words[1])
            case "TwoJoins", "RESULT":
                self.join()
            case "LeadingZero", "DECISION" if words[:1] == ["BET"]:
                self.say(f"BET 0{words[1]}\n")
            case "OverMax", "DECISION" if words[:1] == ["BET"]:
                self.say("BET 80\n")
            case "AlwaysInsures", "DECISION" if len(self.ranks) == 2:
                self.say("INSURE\n")
            case "AlwaysSplits", "DECISION" if len(set(self.ranks[:2])) == 1 < len(self.ranks):
                self.say("SPLIT\n")
            case "SilentAt21", "DECISION":
                if self.total != 21:
                    self.say("HIT\n" if self.total < 17 else "STAND\n")
            case "EndsInCr", "DECISION":
                self.say("STAND\r")
            case "Floods", "BEGIN":
                self.say("STAND\n" * 5000)
            case "Kills", "CARD" if len(self.ranks) == 7:  # has room for six cards
                os.kill(os.getpid(), signal.SIGSEGV)
            case _:
                return False
        return True


def lines_of(wire):
    """What it takes for lines."""
    held = b""
    match FAULT:
        case "OneRead":  # what one recv returns is one message
            while heard := wire.recv(4096):
                yield from filter(None, heard.decode().splitlines()[:1])
        case "NoPieces":  # what one recv returns are whole messages
            while heard := wire.recv(4096):
                yield from filter(str.strip, heard.decode().split("\n"))
        case "Spins":  # never looks whether the connection is closed
            while b"QUIT\n" not in held:
                *lines, held = held.split(b"\n")
                yield from map(bytes.decode, lines)
                with contextlib.suppress(ConnectionError):
                    held += wire.recv(4096)
        case _:
            yield from wire.makefile(newline="\n")


with contextlib.suppress(ConnectionError):
    connection = socket.create_connection((HOST, int(PORT)))
    if FAULT == "Impatient":
        connection.settimeout(1)
    bot = Bot(connection)
    bot.join()
    for heard in lines_of(connection):
        bot.hear(heard)
    if FAULT == "StaysAfterQuit":
        time.sleep(1000)
