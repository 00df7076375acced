"""PROXY headers, as HAProxy's doc/proxy-protocol.txt has them, and what is none."""

from __future__ import annotations

import struct
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.network.proxy_header import LONGEST_BINARY, HeaderError, ProxyHeader
from tests.dealer.ways import SIGNATURE, binary_header

LONGEST: Final = b"PROXY TCP6 ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n".replace(
    b"f...f", b"ffff:" * 5 + b"ffff"
)
"""The longest header of a version 1 that names addresses (section 2.1)."""

IPV6: Final = struct.pack("!16s16sHH", bytes(15) + b"\x01", bytes(16), 1, 2)

NAMED: Final[dict[bytes, str | None]] = {
    b"PROXY TCP4 192.0.2.7 198.51.100.1 40000 8088\r\n": "192.0.2.7",
    b"PROXY TCP6 2001:DB8::7 2001:db8::1 40000 8088\r\n": "2001:db8::7",
    LONGEST: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    b"PROXY UNKNOWN\r\n": None,
    b"PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n": None,
    binary_header("192.0.2.7"): "192.0.2.7",
    binary_header("192.0.2.7", more=b"\x04\x00\x05noise"): "192.0.2.7",
    SIGNATURE + struct.pack("!BBH", 0x21, 0x21, len(IPV6)) + IPV6: "::1",
    SIGNATURE + struct.pack("!BBH", 0x20, 0x00, 0): None,  # the proxy itself, to see whether all is well
    SIGNATURE + struct.pack("!BBH", 0x20, 0x11, 12) + bytes(12): None,
    SIGNATURE + struct.pack("!BBH", 0x21, 0x31, 216) + bytes(216): None,
}


@given(st.sampled_from(list(NAMED)), st.sampled_from([b"", b"JOIN a\n", b"\x16\x03\x01"]), st.data())
def test_a_header_is_the_same_in_any_pieces_and_leaves_what_comes_behind_it(
    header: bytes, behind: bytes, data: st.DataObject
) -> None:
    taken, rest = ProxyHeader(), header + behind
    while not taken.is_whole:
        size = data.draw(st.integers(1, len(rest)))
        taken.receive(rest[:size])
        rest = rest[size:]
    assert (taken.address, taken.rest + rest) == (NAMED[header], behind)


@pytest.mark.parametrize(
    "data",
    [
        b"JOIN ann\n",
        b"GET / HTTP/1.1\r\n",
        b"\x16\x03\x01\x02\x00",
        b"\r\n\r\nJOIN",
        b"proxy TCP4 192.0.2.7 198.51.100.1 1 2\r\n",
        b"PROXY TCP4 192.0.2.7 198.51.100.1 1\r\n",
        b"PROXY TCP4  192.0.2.7 198.51.100.1 1 2\r\n",
        b"PROXY TCP4 192.0.2.7 198.51.100.1 1 70000\r\n",
        b"PROXY TCP4 192.0.2.007 198.51.100.1 1 2\r\n",
        b"PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n",
        b"PROXY TCP6 192.0.2.7 198.51.100.1 1 2\r\n",
        b"PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n",
        b"PROXY UNKNOWN\nJOIN a\r\n",
        b"PROXY " + b"x" * 102,
        SIGNATURE + struct.pack("!BBH", 0x11, 0x11, 12) + bytes(12),  # version 1 in the form of version 2
        SIGNATURE + struct.pack("!BBH", 0x22, 0x11, 12) + bytes(12),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x12, 12) + bytes(12),  # of datagrams
        SIGNATURE + struct.pack("!BBH", 0x21, 0x11, 11) + bytes(11),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x11, LONGEST_BINARY),
    ],
)
def test_nothing_else_is_taken_for_one(data: bytes) -> None:
    with pytest.raises(HeaderError):
        ProxyHeader().receive(data)
