"""The port of --admin: its figures, whether the dealer lives and takes players, and its little HTTP."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from dealer.tables.config import Config
from dealer.tables.meter import MEASURED, Histogram, Meter
from dealer.watch import admin, turns
from dealer.watch.admin import Admin
from dealer.watch.turns import EVERY, Turns
from dealer.world import admin_address
from tests.dealer.conftest import Open, Start
from tests.dealer.running import Dealer
from tests.dealer.seen import TOKEN
from tests.helpers.house import serving
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import command
from twentyone.support.command import CommandError

FIGURE: Final = re.compile(r'^twentyone_(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$', re.MULTILINE)
"""A figure of the dealer's own, which has at most one label."""

STARTS_WITHOUT: Final = """
import sys
sys.modules["prometheus_client"] = None
from twentyone.start import dealer
dealer()
"""


def get(port: int, path: str) -> tuple[int, str]:
    """The status and the body of an answer."""
    asking = HTTPConnection(LOCALHOST, port, timeout=PATIENCE)
    asking.request("GET", path)
    answer = asking.getresponse()
    return answer.status, answer.read().decode()


def figures(port: int) -> dict[tuple[str, str], float]:
    """The figures by their names and labels."""
    return {(name, label): float(value) for name, label, value in FIGURE.findall(get(port, "/metrics")[1])}


def admin_port(dealer: Dealer) -> int:
    """The port that the dealer's greeting names."""
    assert dealer.process.stderr is not None
    lines = iter(dealer.process.stderr.readline, "")
    found = next(found for line in lines if (found := re.match(r"admin:  http://127\.0\.0\.1:(\d+)/m", line)))
    return int(found[1])


def test_figures_are_exact_and_a_dealer_that_is_stopping_takes_nobody(started: Start) -> None:
    dealer = started(5, "--admin", "0", "--seed", "1")
    port = admin_port(dealer)
    assert get(port, "/healthz") == (200, "the dealer lives\n")
    assert get(port, "/readyz") == (200, "the dealer takes players\n")
    ann = dealer.join("JOIN ann 3")
    heard = ann.hear_until("DECISION")
    ann.say("FOLD")
    ann.hear_until("ERROR")
    ann.say("STAND")
    heard += ann.play("STAND")
    decided = sum(line == "DECISION" for line in heard)
    assert decided >= 3
    bob = dealer.seat("JOIN bob")
    dealer.connect().say("RULES")
    assert eventually(lambda: figures(port)["connections", "lines"] == 2)
    found = figures(port)
    expected: dict[tuple[str, str], float] = {
        ("connections", "unknown"): 0,
        ("connections_accepted_total", ""): 3,
        ("seats", "player"): 1,
        ("seats", "bot"): 0,
        ("tables", "course"): 1,
        ("tables", "vegas"): 0,
        ("rounds_total", ""): 4,
        ("decisions_total", ""): decided,
        ("decision_seconds_count", ""): decided,
        ("answer_seconds_count", ""): decided + 4,
        ("refusals_total", "malformed"): 1,
        ("refusals_total", "not-allowed"): 0,
        ("events_total", "joined"): 2,
        ("ready", ""): 1,
    }
    assert {key: found[key] for key in expected} == expected
    dealer.signal(signal.SIGINT)
    assert eventually(lambda: get(port, "/readyz") == (503, "this dealer is stopping\n"))
    assert figures(port)["ready", ""] == 0
    bob.say("STAND")
    assert dealer.wait().status == 0


def test_connections_are_told_apart_by_how_they_speak(opened: Open) -> None:
    house = opened(admin=(LOCALHOST, 0))
    house.connect()
    for wire_format in ("lines", "classic", "classic", "websocket", "websocket", "websocket"):
        house.connect(wire_format).say("JOIN a")
    browser = house.connect("lines")
    browser.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert browser.hear().startswith("HTTP/1.1 200")
    assert eventually(lambda: house.server.players == 6)
    spoken = sorted(connection.framing for connection in house.server.connections)
    assert spoken == ["classic"] * 2 + ["http"] + ["lines"] + ["unknown"] + ["websocket"] * 3
    assert house.server.accepted == 8


def test_why_a_dealer_takes_no_players(opened: Open) -> None:
    house = opened(max_connections=2, tables=1, lobby=False)
    assert house.server.why_not_ready is None
    house.seat("JOIN ann").say(f"KEEP {TOKEN}")
    assert house.server.why_not_ready == "the dealer is full: every seat is taken"
    house.connect()
    assert eventually(lambda: len(house.server.connections) == 2)
    assert house.server.why_not_ready == "the dealer is full: every place for a connection is taken"
    over = opened(rounds=1)
    over.seat()
    assert over.server.why_not_ready == "no further round is dealt"


@asynccontextmanager
async def watched() -> AsyncIterator[Admin]:
    """The port of a dealer on the test's own loop."""
    watching = await Admin.bound(LOCALHOST, 0)
    async with serving(Config(port=0, rounds=0, admin=(LOCALHOST, 0))) as server:
        await watching.serve(server)
        yield watching
    watching.close()


async def answer(watching: Admin, request: bytes) -> bytes:
    """All that a request is answered with."""
    reader, writer = await asyncio.open_connection(LOCALHOST, watching.port)
    said = b""
    with suppress(ConnectionError):  # it may be reset
        writer.write(request)
        said = await reader.read()
        writer.close()
        await writer.wait_closed()
    return said


REQUESTS: Final = {
    b"HEAD /healthz HTTP/1.1\r\n\r\n": 200,
    b"GET /metrics?x=1 HTTP/1.0\n\n": 200,
    b"GET / HTTP/1.1\r\n\r\n": 404,
    b"POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc": 405,
    b"JOIN ann\r\n\r\n": 400,
    b"GET /" + b"a" * admin.MAX_HEAD: 431,
}


async def test_requests_are_answered_whole_or_refused_and_none_stays() -> None:
    async with watched() as watching, asyncio.timeout(PATIENCE):
        for request, status in REQUESTS.items():
            head, _, body = (await answer(watching, request)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status), request
            assert (len(body) > 0) == (not request.startswith(b"HEAD"))
        while watching._visitors:  # noqa: ASYNC110 (it has no event)
            await asyncio.sleep(0)


async def test_no_more_than_a_few_may_be_there_and_none_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "MOST", 1)
    async with watched() as watching, asyncio.timeout(PATIENCE):
        first, writer = await asyncio.open_connection(LOCALHOST, watching.port)
        while not watching._visitors:  # noqa: ASYNC110 (it has no event)
            await asyncio.sleep(0)
        assert b"200 OK" in await answer(watching, b"GET /healthz HTTP/1.1\r\n\r\n")  # in its place
        with suppress(ConnectionResetError):
            assert await first.read() == b""
        writer.close()
        monkeypatch.setattr(admin, "LONGEST", 0)
        assert await answer(watching, b"GET /healthz HTTP/1.1\r\n") == b""  # its head does not end


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9121", (LOCALHOST, 9121)),
        ("0.0.0.0:0", ("0.0.0.0", 0)),
        ("[::1]:9121", ("::1", 9121)),
        *((text, None) for text in ("", "x", "65536", ":9121", "::1:9121", "[::1]", "[]:1", "-1", "a b:c")),
    ],
)
def test_an_address_is_a_port_or_a_host_and_a_port(text: str, address: tuple[str, int] | None) -> None:
    if address is not None:
        assert admin_address(text) == address
    else:
        with pytest.raises(
            CommandError, match=r"^--admin is .*: expected a port, 0 to 65535, or a host"
        ) as told:
            admin_address(text)
        assert told.value.status == 2


def test_what_is_missing_or_in_use_is_said_in_one_sentence(started: Start, tmp_path: Path) -> None:
    missing = command("dealer", 0, 1, "--admin", 0, cwd=tmp_path, code=STARTS_WITHOUT)
    sentence = "--admin needs prometheus_client, which is not installed: pip install 'twentyone[metrics]'"
    assert (missing.status, missing.err) == (1, f"dealer: {sentence}\n")
    port = admin_port(started(1, "--admin", "0"))
    taken = command("dealer", 0, 1, "--admin", port, cwd=tmp_path)
    assert taken.status == 1
    assert taken.err.startswith(
        f"dealer: --admin cannot listen on 127.0.0.1 port {port}: address already in use;"
    )


def test_without_the_option_nothing_is_counted_and_its_library_not_loaded(tmp_path: Path) -> None:
    code = "import sys, dealer.console; print({'prometheus_client', 'dealer.watch'} & {*sys.modules})"
    assert command("python", cwd=tmp_path, code=code, is_true=True).out == "set()\n"


def test_a_histogram_counts_a_value_up_to_its_bound() -> None:
    found = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 7.0):
        found.add(value)
    assert (found.counts, found.total) == ([2, 1, 1], 10.0)


class Scripted:
    """A loop that notes what it is to call."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def call_later(self, seconds: float, call: Callable[[], None]) -> None:
        assert seconds == EVERY
        self.calls.append(call)

    def call_soon(self, call: Callable[[], None]) -> None:
        self.calls.append(call)


def test_a_sample_is_how_late_the_loop_is_and_the_length_of_the_turn_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter((10.0, 10.0 + EVERY + 0.3, 20.0, 20.02, 30.0))
    monkeypatch.setattr(turns, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    loop: Any = Scripted()
    meter = Meter()
    samples = Turns(loop, meter)
    for _ in range(MEASURED):
        assert meter.measures
        meter.note_answer(0.1)
    assert not meter.measures
    for _ in range(3):  # the timer, and two turns
        loop.calls.pop()()
    assert samples.delays.total == pytest.approx(0.3)
    assert samples.turns.total == pytest.approx(0.02)
    assert len(loop.calls) == 1  # the next sample
    assert meter.measures
