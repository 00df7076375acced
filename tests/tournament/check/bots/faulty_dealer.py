"""A dealer of the rules `course` with one fault: `faulty_dealer.py FAULT PORT_FILE`. With `none` it has none.

It shares nothing with the project's own dealer, and speaks lines and the classic wire format.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs

import random
import socket
import sys
import threading
import time
from pathlib import Path

FAULT, PORT_FILE = sys.argv[1:3]
RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905
SUITS = "Clubs Diamonds Hearts Spades".split()  # noqa: SIM905
RULES = "preset=course decks=1 reshuffle=round ace=either dealer-stands=all17 naturals=equal seats=1"
MOST = 256


class GoneError(Exception):
    """The player is gone, or is sent away."""


def total(cards):
    """The best total of cards, of which an ace counts 1 or 11."""
    points = sum(min(10, RANKS.index(card.split()[0]) + 1) for card in cards)
    has_ace = any(card.startswith("Ace") for card in cards)
    return points + 10 if has_ace and points + 10 <= 21 else points


class Player:
    """One connection."""

    def __init__(self, wire):
        self.wire, self.held, self.end = wire, b"", None
        self.has_ended = self.shows = self.is_seated = self.in_hand = False
        self.refused = 0

    def say(self, *lines):
        for line in lines:
            if self.end == b"\0":
                time.sleep(0.03)
            data = line.encode() + (self.end or b"\n")
            if FAULT == "split-classic" and self.end == b"\0":
                self.wire.sendall(data[:3])
                time.sleep(0.03)
                data = data[3:]
            self.wire.sendall(data)

    def line(self):
        while True:
            ends = [place for place in (self.held.find(b"\n"), self.held.find(b"\0")) if place >= 0]
            if ends and min(ends) <= MOST:
                line, end = self.held[: min(ends)], self.held[min(ends) : min(ends) + 1]
                self.held = self.held[min(ends) + 1 :]
                self.end = self.end or end
                return line
            if len(self.held) > MOST and FAULT != "long-lines":
                self.send_away("your line is too long")
            if self.has_ended:
                raise GoneError
            heard = self.wire.recv(4096)
            self.has_ended = not heard
            self.held = heard if FAULT == "whole-packets" else self.held + heard

    def send_away(self, why):
        self.say(f"ERROR {why}")
        if self.in_hand:
            self.say("RESULT LOOSE")
        self.say("QUIT")
        raise GoneError

    def refuse(self, why):
        self.refused += 1
        if FAULT == "error-ends":
            self.say(f"ERROR {why}")
            raise GoneError
        if self.refused >= (3 if self.is_seated else 10) and FAULT != "patient":
            self.send_away(why)
        self.say(f"ERROR {why}")

    def word(self, expected):
        """The next line of the player that is expected, as words."""
        while True:
            try:
                words = self.line().decode().split()
            except UnicodeDecodeError:
                self.refuse("that is no text")
                continue
            if not words:
                continue
            verb = words[0] if FAULT == "upper-case" else words[0].upper()
            if verb in ("RULES", "SHOW", "HELP") and len(words) == 1:
                self.refused = 0
                self.aside(verb)
            elif verb == "QUIT":
                raise GoneError
            elif verb in expected and (self.is_join(words) if verb == "JOIN" else len(words) == 1):
                self.refused = 0
                return words
            elif FAULT == "any-word" and "HIT" in expected:
                return ["STAND"]
            else:
                self.refuse(f"expected {' or '.join(expected)}")

    def is_join(self, words):
        has_number = len(words) == 3 and words[2].isdigit() and int(words[2]) > 0
        return (len(words) == 2 or has_number) and len(words[1]) <= 32

    def aside(self, verb):
        if verb == "RULES":
            self.say(f"RULES {RULES}")
        elif verb == "HELP":
            self.say("HELP say JOIN, HIT, STAND or QUIT")
        else:
            self.shows = True


def play(player):
    words = player.word(["JOIN"])
    player.is_seated = True
    rounds = int(words[2]) if len(words) == 3 else 10**6
    chance = random.Random(FAULT)
    for _ in range(rounds + (FAULT == "too-many")):
        play_round(player, chance)
    player.say("QUIT")


def play_round(player, chance):
    shoe = [f"{rank} of {suit}" for suit in SUITS for rank in RANKS]
    chance.shuffle(shoe)
    if FAULT == "card-twice":
        shoe[-3] = shoe[-1]
    hand, dealer = [shoe.pop(), shoe.pop()], [shoe.pop(), shoe.pop()]
    player.in_hand = True
    first, second = (f"CARD {card}" for card in hand)
    if FAULT == "early-decision":
        player.say("BEGIN", first, "DECISION", second, f"DEALER {dealer[0]}")
    else:
        player.say("BEGIN", first, second, f"DEALER {dealer[0]}", "DECISION")
    while player.word(["HIT", "STAND"])[0].upper() == "HIT":
        hand.append(shoe.pop())
        player.say(f"CARD {hand[-1]}")
        if total(hand) > 21 and FAULT != "asks-on":
            break
        player.say("DECISION")
    drawn = []
    while total(hand) <= 21 and total(dealer) < (18 if FAULT == "draws-on" else 17):
        drawn.append(shoe.pop())
        dealer.append(drawn[-1])
    if player.shows and total(hand) <= 21:
        player.say(*(f"DEALER {card}" for card in [dealer[1], *drawn]))
    player.say(f"RESULT {result(total(hand), total(dealer))}")
    player.in_hand = False


def result(mine, dealers):
    if mine > 21:
        return "LOOSE" if FAULT == "no-bust" else "BUST"
    if dealers > 21 or mine > dealers:
        return "WIN"
    if mine == dealers:
        return "LOOSE" if FAULT == "no-push" else "PUSH"
    return "LOSE" if FAULT == "lose" else "LOOSE"


def serve(wire):
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        play(Player(wire))
        wire.shutdown(socket.SHUT_WR)
    except (GoneError, OSError):
        pass
    finally:
        wire.close()


server = socket.create_server(("127.0.0.1", 0))
Path(PORT_FILE).write_text(str(server.getsockname()[1]))
while True:
    threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()
