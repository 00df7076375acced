"""A program that follows the protocol through a WebSocket (RFC 6455), and plays every option at random."""

import random
import socket
import sys

host, port, name = sys.argv[1:4]
chance = random.Random(1)
dealer = socket.create_connection((host, int(port)))
heard = dealer.makefile("rb")


def say(text: str) -> None:
    no_mask = bytes(4)
    dealer.sendall(bytes([0x81, 0x80 | len(text)]) + no_mask + text.encode())


def frame() -> tuple[int, bytes]:
    kind, length = heard.read(2)
    return kind, heard.read(int.from_bytes(heard.read(2), "big") if length == 126 else length)


try:
    dealer.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    while heard.readline() != b"\r\n":
        pass
    say(f"JOIN {name}")
    while (message := frame())[0] == 0x81:
        verb, *words = message[1].decode().split()
        if verb == "QUIT":
            break
        if verb == "DECISION" and words[:1] == ["BET"]:
            say(f"BET {chance.randint(int(words[1]), int(words[2]))}")
        elif verb == "DECISION":
            offered = [word for word in words if word.isupper() and word.isalpha()]
            say(chance.choice(offered or ["HIT", "STAND"]))
except (ConnectionError, ValueError):  # the connection has ended
    sys.exit(0)
