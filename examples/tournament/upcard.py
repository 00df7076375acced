"""Looks at the dealer's upcard, with asyncio: against 2 to 6 it draws below 12, otherwise below 17."""

import asyncio
import sys

POINTS = {
    "Ace": 1, "Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6, "Seven": 7, "Eight": 8, "Nine": 9,
    "Ten": 10, "Jack": 10, "Queen": 10, "King": 10,
}  # fmt: skip


async def main(host: str, port: str, name: str) -> None:
    """Play until the dealer says QUIT."""
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"JOIN {name}\n".encode())
    hand: list[int] = []
    upcard = 0
    while line := await reader.readline():
        match line.decode().split():
            case ["BEGIN", *_]:
                hand, upcard = [], 0
            case ["CARD", rank, *_]:
                hand.append(POINTS[rank])
            case ["DEALER", rank, *_]:
                upcard = upcard or POINTS[rank]
            case ["DECISION", *_]:
                hard = sum(hand)
                total = hard + 10 if 1 in hand and hard <= 11 else hard
                writer.write(b"HIT\n" if total < (12 if 2 <= upcard <= 6 else 17) else b"STAND\n")
            case ["QUIT", *_]:
                break
    writer.close()


asyncio.run(main(*sys.argv[1:]))
