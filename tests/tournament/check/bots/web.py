"""A program that follows the protocol through a WebSocket, and plays the whole game at random."""

import random
import sys

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

host, port, name = sys.argv[1:4]
chance = random.Random(1)
try:
    with connect(f"ws://{host}:{port}/ws") as dealer:
        dealer.send(f"JOIN {name}")
        for message in dealer:
            verb, *words = message.split()
            if verb == "QUIT":
                break
            if verb == "DECISION" and words[:1] == ["BET"]:
                dealer.send(f"BET {chance.randint(int(words[1]), int(words[2]))}")
            elif verb == "DECISION":
                known = [word for word in words if word.isupper() and word.isalpha()]
                dealer.send(chance.choice(known or ["HIT", "STAND"]))
except ConnectionClosed:
    pass
