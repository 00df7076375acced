"""Draws below hard 17 and soft 19, as a class with a method for each message."""

import socket
import sys


class Soft:
    """A hand, and what is said about it."""

    def __init__(self) -> None:
        """No cards yet."""
        self.hard, self.aces = 0, 0

    def on_begin(self, *_: str) -> None:
        """A new round."""
        self.hard, self.aces = 0, 0

    def on_card(self, rank: str, *_: str) -> None:
        """One more card."""
        low = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
        self.aces += rank == "Ace"
        self.hard += 1 if rank == "Ace" else low.index(rank) + 2 if rank in low else 10

    def on_decision(self, *_: str) -> str:
        """The decision."""
        is_soft = self.aces > 0 and self.hard <= 11
        return "HIT" if (self.hard < 9 if is_soft else self.hard < 17) else "STAND"


def main(host: str, port: str, name: str) -> None:
    """Play until the dealer says QUIT."""
    hand = Soft()
    with socket.create_connection((host, int(port))) as dealer, dealer.makefile("rw", newline="\n") as lines:
        print("JOIN", name, file=lines, flush=True)
        for line in lines:
            verb, *words = line.split() or [""]
            if verb == "QUIT":
                break
            answer = getattr(hand, f"on_{verb.lower()}", lambda *_: None)(*words)
            if answer:
                print(answer, file=lines, flush=True)


main(*sys.argv[1:])
