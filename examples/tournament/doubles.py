"""Doubles 10 and 11 where it can, otherwise draws below 16: a generator of answers to lines."""

import socket
import sys
from collections.abc import Generator

RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()  # noqa: SIM905


def answers() -> Generator[str | None, str, None]:
    """The answer to each line."""
    hard, has_ace, answer = 0, False, None
    while True:
        verb, *words = (yield answer).split() or [""]
        answer = None
        if verb == "BEGIN":
            hard, has_ace = 0, False
        elif verb == "CARD":
            hard += min(10, RANKS.index(words[0]) + 1)
            has_ace = has_ace or words[0] == "Ace"
        elif verb == "DECISION":
            total = hard + 10 if has_ace and hard <= 11 else hard
            if "DOUBLE" in words and hard in (10, 11) and not has_ace:
                answer = "DOUBLE"
            else:
                answer = "HIT" if total < 16 else "STAND"


def main(host: str, port: str, name: str) -> None:
    """Play until the dealer says QUIT."""
    player = answers()
    next(player)
    with socket.create_connection((host, int(port))) as dealer:
        dealer.sendall(f"JOIN {name}\n".encode())
        for line in dealer.makefile():
            if line.startswith("QUIT"):
                break
            if answer := player.send(line):
                dealer.sendall(f"{answer}\n".encode())


main(*sys.argv[1:])
