"""Programs with one fault each: `faulty.py FAULT HOST PORT NAME`. What is not wrong is as in `plain.py`."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs

import contextlib
import os
import signal
import socket
import sys
import time

RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905


class Bot:
    """Follows the protocol; stands on 12 and more."""

    join = "JOIN {}\n"

    def __init__(self, wire, name):
        self.wire, self.name = wire, name
        self.total = self.cards = self.rounds = 0

    def say(self, text):
        self.wire.sendall(text.encode())

    def play(self):
        self.say(self.join.format(self.name))
        for line in self.wire.makefile(newline="\n"):
            self.hear(line)
        self.gone()

    def hear(self, line):
        verb, *words = line.split()
        getattr(self, verb.lower(), self.unknown)(*words)

    def unknown(self, *words):
        pass

    def begin(self, *_):
        self.total = self.cards = 0

    def card(self, rank, *_):
        self.cards += 1
        self.total += min(10, RANKS.index(rank) + 1)

    def decision(self, *options):
        self.say("HIT\n" if self.total < 12 else "STAND\n")

    def result(self, outcome, *_):
        self.rounds += 1

    def gone(self):
        pass


class TooEarly(Bot):
    """Answers when it sees the upcard."""

    def hear(self, line):
        if line.startswith("DEALER"):
            self.say("STAND\n")
        elif not line.startswith("DECISION"):
            super().hear(line)


class Twice(Bot):
    """Answers each DECISION twice."""

    def decision(self, *options):
        self.say("HIT\nSTAND\n")


class OneRead(Bot):
    """Takes what one recv returns for one message."""

    def play(self):
        self.say(self.join.format(self.name))
        while heard := self.wire.recv(4096):
            for line in heard.decode().splitlines()[:1]:
                if line:
                    self.hear(line)


class NoPieces(Bot):
    """Takes what one recv returns for whole messages."""

    def play(self):
        self.say(self.join.format(self.name))
        while heard := self.wire.recv(4096):
            for line in heard.decode().split("\n"):
                if line.strip():
                    self.hear(line)


class KeepsCr(Bot):
    """Takes a CR for a part of a word."""

    def hear(self, line):
        line = line.rstrip("\n")
        verb, *words = line.split(" ")
        getattr(self, verb.lower(), self.unknown)(*words)


class WholeLines(Bot):
    """Knows DECISION only without anything behind it."""

    def hear(self, line):
        if line.startswith("DECISION ") and line.strip() != "DECISION":
            return
        super().hear(line)


class EndsAtError(Bot):
    """Ends when it is told ERROR."""

    def error(self, *_):
        sys.exit(3)


class HangsAtPush(Bot):
    """Waits for ever after a push."""

    def result(self, outcome, *_):
        while outcome == "PUSH":
            time.sleep(1)


class StaysAfterQuit(Bot):
    """Does not end."""

    def gone(self):
        time.sleep(1000)


class LeavesAfter100(Bot):
    """Ends without a word."""

    def result(self, *_):
        super().result(*_)
        if self.rounds == 100:
            sys.exit(0)


class QuitsAfter100(Bot):
    """Says QUIT, although its JOIN had no number of rounds."""

    def result(self, *_):
        super().result(*_)
        if self.rounds == 100:
            self.say("QUIT\n")


class WrongVerb(Bot):
    """Has other words for its answers."""

    def decision(self, *options):
        self.say("CARD\n" if self.total < 12 else "STAY\n")


class NoLineEnd(Bot):
    """Forgets the end of its JOIN."""

    join = "JOIN {}"


class AfterBust(Bot):
    """Answers its own bust too."""

    def decision(self, *options):
        self.say("HIT\n")

    def result(self, outcome, *_):
        if outcome == "BUST":
            self.say("HIT\n")


class Spins(Bot):
    """Never looks whether the connection is closed."""

    def play(self):
        self.say(self.join.format(self.name))
        held = b""
        while True:
            with contextlib.suppress(ConnectionError):
                held += self.wire.recv(4096)
            *lines, held = held.split(b"\n")
            for line in lines:
                if line == b"QUIT":
                    return
                self.hear(line.decode())


class LeadingZero(Bot):
    """Bets 010."""

    def decision(self, *options):
        self.say(f"BET 0{options[1]}\n") if options[:1] == ("BET",) else super().decision()


class OverMax(Bot):
    """Bets the same whatever it is told."""

    def decision(self, *options):
        self.say("BET 80\n") if options[:1] == ("BET",) else super().decision()


class AlwaysInsures(Bot):
    """Takes insurance where none is offered."""

    def decision(self, *options):
        self.say("INSURE\n") if self.cards == 2 else super().decision()


class AlwaysSplits(Bot):
    """Splits where it may not."""

    def begin(self, *_):
        super().begin()
        self.ranks = []

    def card(self, rank, *_):
        super().card(rank)
        self.ranks.append(rank)

    def decision(self, *options):
        is_pair = self.cards >= 2 and self.ranks[0] == self.ranks[1]
        self.say("SPLIT\n") if is_pair else super().decision()


class Floods(Bot):
    """Says far more than it is asked."""

    def begin(self, *_):
        super().begin()
        self.say("STAND\n" * 5000)


class NeedsDecision(Bot):
    """Divides by the number of its decisions in each round."""

    asked = 0

    def begin(self, *_):
        super().begin()
        self.asked = 0

    def decision(self, *options):
        self.asked += 1
        super().decision()

    def result(self, *_):
        self.mean = 1 / self.asked


class UnknownVerb(Bot):
    """Knows the verbs of a round, and gives up at any other."""

    def hear(self, line):
        if line.split()[0] not in ("BEGIN", "CARD", "DEALER", "DECISION", "RESULT", "QUIT", "ERROR"):
            raise SystemExit("what is that?")
        super().hear(line)


class Kills(Bot):
    """Dies of a signal at the fourth card."""

    def card(self, rank, *_):
        super().card(rank)
        if self.cards == 4:
            os.kill(os.getpid(), signal.SIGSEGV)


class Impatient(Bot):
    """Waits for a second at most."""

    def play(self):
        self.wire.settimeout(1)
        super().play()


class SilentAt21(Bot):
    """Hits up to 16, and does not answer with 21."""

    def decision(self, *options):
        if self.total != 21:
            self.say("HIT\n" if self.total < 17 else "STAND\n")


class AnswersResult(Bot):
    """Answers RESULT too."""

    def result(self, *_):
        self.say("STAND\n")


class LeavesAtError(Bot):
    """Says QUIT when it is told ERROR."""

    def error(self, *_):
        self.say("QUIT\n")


class EndsInCr(Bot):
    """Ends its answers with CR."""

    def decision(self, *options):
        self.say("STAND\r")


class NoName(Bot):
    """Joins without a name."""

    join = "JOIN\n"


class AnyPath(Bot):
    """Asks for a page, as a WebSocket at another path does."""

    join = "GET / HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


class TwoJoins(Bot):
    """Joins again after each round."""

    def result(self, *_):
        self.say(self.join.format(self.name))


class ShortLines(Bot):
    """Gives up at a line of more than 128 letters."""

    def hear(self, line):
        assert len(line) <= 128, "what a long line"
        super().hear(line)


class PayoffNumber(Bot):
    """Takes a payoff for a whole number."""

    def result(self, outcome, payoff="0", *_):
        int(payoff)


if __name__ == "__main__":
    kind = {each.__name__: each for each in Bot.__subclasses__()}[sys.argv[1]]
    connection = socket.create_connection((sys.argv[2], int(sys.argv[3])))
    with contextlib.suppress(ConnectionError):
        kind(connection, sys.argv[4]).play()
