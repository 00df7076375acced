"""Writing with a pause between messages, on a loop whose time the test moves on."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Final

import pytest

from dealer.network.pacer import Pacer
from tests.helpers.hand_turned import HandTurned

PACE: Final = 0.25


class Transport(asyncio.Transport):
    """Notes what is written, and when."""

    def __init__(self, loop: HandTurned) -> None:
        super().__init__()
        self.written: list[tuple[float, bytes | bytearray | memoryview]] = []
        self._loop = loop

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append((self._loop.time(), data))


@pytest.fixture
def transport(loop: HandTurned) -> Transport:
    return Transport(loop)


@pytest.fixture
def pacer(loop: HandTurned, transport: Transport, monkeypatch: pytest.MonkeyPatch) -> Pacer:
    monkeypatch.setattr("dealer.network.pacer.time", SimpleNamespace(monotonic=loop.time))
    return Pacer(transport, PACE, loop.call_later)


def test_segments_are_written_exactly_a_pause_apart_and_what_is_to_follow_is_called_a_pause_later(
    loop: HandTurned, transport: Transport, pacer: Pacer
) -> None:
    start, called = loop.time(), []
    pacer.write([b"a", b"b"])
    pacer.write([b"c"])
    assert pacer.waiting == 3
    pacer.when_empty(lambda: called.append(loop.time()))
    loop.pass_time(10 * PACE)
    assert transport.written == [(start + PACE, b"a"), (start + 2 * PACE, b"b"), (start + 3 * PACE, b"c")]
    assert pacer.waiting == 0
    assert called == [start + 4 * PACE]


def test_a_segment_that_comes_while_another_waits_is_written_a_pause_after_it(
    loop: HandTurned, transport: Transport, pacer: Pacer
) -> None:
    start = loop.time()
    pacer.write([b"a"])
    loop.pass_time(PACE / 2)
    pacer.write([b"b"])
    loop.pass_time(PACE)
    pacer.write([b"c"])  # it answers something, however long ago the last one was written
    loop.pass_time(5 * PACE)
    assert transport.written == [(start + PACE, b"a"), (start + 2 * PACE, b"b"), (start + 3 * PACE, b"c")]


def test_a_timer_that_is_early_writes_nothing_too_early(
    loop: HandTurned, transport: Transport, pacer: Pacer
) -> None:
    start = loop.time()
    pacer.write([b"a", b"b"])
    (timer,) = loop.timers
    loop.timers.remove(timer)
    loop.now += PACE / 2
    timer._run()
    loop.pass_time(5 * PACE)
    assert transport.written == [(start + PACE, b"a"), (start + 2 * PACE, b"b")]


def test_after_a_stop_nothing_is_written_or_called(
    loop: HandTurned, transport: Transport, pacer: Pacer
) -> None:
    called: list[bool] = []
    pacer.write([b"a", b"b"])
    pacer.when_empty(lambda: called.append(True))
    pacer.stop()
    loop.pass_time(10 * PACE)
    assert (transport.written, called) == ([], [])
