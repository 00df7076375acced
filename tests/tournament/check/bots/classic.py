"""A program that follows the protocol in the classic wire format: one recv is one message.

Where the machine lets it come late, one recv is several.
"""

import socket
import sys

host, port, name = sys.argv[1:4]
dealer = socket.create_connection((host, int(port)))
dealer.sendall(f"JOIN {name}\0".encode())
cards = 0
message = ""
try:
    while message != "QUIT" and (heard := dealer.recv(256)):
        for message in heard.rstrip(b"\0").decode().split("\0"):
            if message == "BEGIN":
                cards = 0
            cards += message.startswith("CARD")
            if message == "DECISION":
                dealer.sendall(b"HIT\0" if cards < 3 else b"STAND\0")
except ConnectionError:
    pass
