"""Draws below a total, with a plain socket: `threshold.py HOST PORT NAME TOTAL`."""

import socket
import sys

RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905


def total(points: list[int]) -> int:
    """The best total: an ace counts 11 where that is no bust."""
    hard = sum(points)
    return hard + 10 if 1 in points and hard <= 11 else hard


def main() -> None:
    """Play until the dealer says QUIT."""
    host, port, name, below = sys.argv[1:]
    with socket.create_connection((host, int(port))) as dealer:
        dealer.sendall(f"JOIN {name}\n".encode())
        hand: list[int] = []
        for line in dealer.makefile(encoding="utf-8"):
            verb, *words = line.split() or [""]
            if verb == "BEGIN":
                hand = []
            elif verb == "CARD":
                hand.append(min(10, RANKS.index(words[0]) + 1))
            elif verb == "DECISION":
                dealer.sendall(b"HIT\n" if total(hand) < int(below) else b"STAND\n")
            elif verb == "QUIT":
                return


if __name__ == "__main__":
    main()
