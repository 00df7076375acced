"""What players and onlookers do at a real dealer in these tests, and what they are shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from cards import PRESETS
from dealer.tables.seat import Seat
from tests.helpers.house import House
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer

CASINO: Final = replace(PRESETS["casino"], seats=2)
TOKEN: Final = "0123456789abcdefghijkl"


def facts(line: str) -> dict[str, Any]:
    verb, _, text = line.partition(" ")
    assert verb == "TABLE", line
    found: dict[str, Any] = json.loads(text)
    return found


def tables(lines: list[str]) -> list[dict[str, Any]]:
    """The snapshots among these lines."""
    return [facts(line) for line in lines if line.startswith("TABLE")]


def look(peer: BlockingPeer) -> dict[str, Any]:
    """The next snapshot."""
    return facts(peer.hear_until("TABLE")[-1])


def look_until_seated(peer: BlockingPeer) -> dict[str, Any]:
    """The first snapshot in which the peer has a seat."""
    while (shown := look(peer))["you"] is None:
        pass
    return shown


def keep(house: House, name: str = "ann", token: str = TOKEN, **addresses: Any) -> BlockingPeer:
    """A player who has joined and keeps the seat."""
    peer = house.connect(**addresses)
    peer.say(f"JOIN {name}", f"KEEP {token}")
    return peer


def back(house: House, token: str = TOKEN) -> BlockingPeer:
    """A player who wants a kept seat back."""
    return house.join(f"RESUME {token}")


def lose(house: House, peer: BlockingPeer) -> None:
    """Lose the connection of a player; return once that has been noticed."""
    players = house.server.players
    peer.reset()
    assert eventually(lambda: house.server.players == players - 1)


def seats_of(house: House) -> list[Seat]:
    """All seats that are taken."""
    rooms = list(house.server.rooms.values())  # the dealer's thread may open another meanwhile
    return [seat for room in rooms for seat in room.table.seats if seat is not None]


def websocket(house: House, **options: Any) -> ClientConnection:
    """A WebSocket client that is not of this project."""
    address = f"ws://{LOCALHOST}:{house.port}/ws"
    peer: ClientConnection = connect(address, open_timeout=PATIENCE, proxy=None, **options)
    return peer
