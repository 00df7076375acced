"""Draws below 16, and does something wrong now and then: `faulty.py HOST PORT NAME FAULT EVERY`.

Every EVERY rounds it crashes (`crash`), answers nothing any more (`hang`), sends thousands of lines that
mean nothing (`flood`) or answers with a word that does not exist (`illegal`).
"""

import os
import socket
import sys
import time

RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905


def do_wrong(dealer: socket.socket, fault: str) -> None:
    """Do what it is here for."""
    if fault == "crash":
        os.abort()
    if fault == "hang":
        time.sleep(3600)
    if fault == "flood":
        dealer.sendall(b"AND ANOTHER THING\n" * 100_000)
    dealer.sendall(b"JUMP\n")


def main(host: str, port: str, name: str, fault: str, every: str) -> None:
    """Play until the dealer says QUIT."""
    rounds, hand = 0, [0]
    with socket.create_connection((host, int(port))) as dealer:
        dealer.sendall(f"JOIN {name}\n".encode())
        for line in dealer.makefile():
            verb, *words = line.split() or [""]
            if verb == "BEGIN":
                rounds, hand = rounds + 1, []
            elif verb == "CARD":
                hand.append(min(10, RANKS.index(words[0]) + 1))
            elif verb == "DECISION":
                if rounds >= int(every):
                    rounds = 0
                    do_wrong(dealer, fault)
                total = sum(hand) + (10 if 1 in hand and sum(hand) <= 11 else 0)
                dealer.sendall(b"HIT\n" if total < 16 else b"STAND\n")
            elif verb == "QUIT":
                return


main(*sys.argv[1:])
