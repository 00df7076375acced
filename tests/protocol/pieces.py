"""The pieces in which a network may deliver bytes."""

from __future__ import annotations

from collections.abc import Iterable

from protocol import Framing


def deliveries(data: bytes) -> list[list[bytes]]:
    """The same bytes whole, byte by byte, and in two pieces cut at every place."""
    single = [data[at : at + 1] for at in range(len(data))]
    halves = [[data[:cut], data[cut:]] for cut in range(1, len(data))]
    return [[data], single, *halves]


def received(framing: Framing, pieces: Iterable[bytes]) -> list[bytes]:
    """The lines that come of the pieces."""
    return [line for piece in pieces for line in framing.receive(piece)]
