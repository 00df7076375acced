"""The client against scripted dealers, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from typing import get_args

import pytest

from cards import PRESETS, Card, Decision, Hand, Outcome, Rules
from player import client as client_module
from player.client import _TAKERS, Client, connect
from policies.policy import Observation
from protocol import MAX_DEALER_LINE, DealerMessage
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import WIRE_FORMATS, AsyncPeer
from tests.helpers.scripted import scripted
from tests.helpers.transcript import follow, parse_transcript

HIT, STAND = Decision.HIT, Decision.STAND

A_ROUND = ["BEGIN", "CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION"]

TWO_ROUNDS = parse_transcript("""
< BEGIN
< CARD Ace of Spades
< CARD Two of Hearts
< DEALER Six of Clubs
< DECISION
> HIT
< CARD Nine of Hearts
< DECISION
> HIT
< CARD King of Clubs
< RESULT BUST
< BEGIN
< CARD Ace of Spades
< CARD Seven of Hearts
< DEALER Ace of Clubs
< DECISION
> STAND
< RESULT LOOSE
< QUIT
""")
TWO_ROUNDS_HEARD = [
    "began",
    "dealt Ace of Spades",
    "dealt Two of Hearts",
    "saw Six of Clubs",
    "asked soft 13 against 6",
    "dealt Nine of Hearts",
    "asked hard 12 against 6",
    "dealt King of Clubs",
    "settled BUST with 22",
    "began",
    "dealt Ace of Spades",
    "dealt Seven of Hearts",
    "saw Ace of Clubs",
    "asked soft 18 against 11",
    "settled LOSE with 18",
]
TWO_ROUNDS_DECIDED = (HIT, HIT, STAND)


class Recorder:
    """Writes down what it is told, and decides what it was given; nothing left means a later answer."""

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        self.events: list[str] = []
        self.told: list[Rules | None] = []
        self.asked_once = asyncio.Event()
        self._decisions = list(decisions)

    def rules_told(self, rules: Rules | None) -> Rules:
        self.told.append(rules)
        return rules or Rules()

    def began(self) -> None:
        self.events.append("began")

    def dealt(self, card: Card, hand: Hand) -> None:
        self.events.append(f"dealt {card}")

    def saw_upcard(self, card: Card) -> None:
        self.events.append(f"saw {card}")

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        kind = "soft" if observation.is_soft else "hard"
        self.events.append(f"asked {kind} {observation.total} against {observation.upcard}")
        self.asked_once.set()
        return self._decisions.pop(0) if self._decisions else None

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        self.events.append(f"settled {outcome.value} with {hand.total}")

    def refused(self, reason: str) -> None:
        self.events.append(f"refused {reason}")


async def started(
    address: tuple[str, int], handler: Recorder, rules: Rules | None = None, rounds: int | None = None
) -> Client:
    """A client that has connected; a ws:// address speaks WebSocket."""
    host, port = address
    websocket = host if host.startswith("ws:") else None
    client = Client(handler, "a", rounds, websocket, rules)
    await connect(client, "127.0.0.1", port)
    return client


async def ended(client: Client) -> str | None:
    """How the client's connection ended."""
    return await asyncio.wait_for(client.over, PATIENCE)


async def played(address: tuple[str, int], handler: Recorder, rules: Rules | None = None) -> str | None:
    return await ended(await started(address, handler, rules))


# A whole game, in every wire format.


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
async def test_a_game_in_every_wire_format(wire_format: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await follow(peer, TWO_ROUNDS, "<")

    recorder = Recorder(TWO_ROUNDS_DECIDED)
    async with scripted(dealer, wire_format) as address:
        client = await started(address, recorder, rules=Rules())
        assert await ended(client) is None
    assert recorder.events == TWO_ROUNDS_HEARD
    assert client.played == 2
    assert recorder.told == []  # the rules were known


async def test_a_game_byte_by_byte() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        for side, text in TWO_ROUNDS.steps:
            if side == ">":
                assert await peer.hear() == text
                continue
            for byte in f"{text}\r\n".encode():
                await peer.send(bytes([byte]))
                await asyncio.sleep(0)

    recorder = Recorder(TWO_ROUNDS_DECIDED)
    async with scripted(dealer) as address:
        assert await played(address, recorder, Rules()) is None
    assert recorder.events == TWO_ROUNDS_HEARD


async def test_a_last_message_without_its_end() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.send(b"BEGIN\nRESULT WIN\nQUIT")

    recorder = Recorder()
    async with scripted(dealer) as address:
        assert await played(address, recorder, Rules()) is None
    assert recorder.events == ["began", "settled WIN with 0"]


@pytest.mark.parametrize("spelling", ["LOOSE", "LOSE"])
async def test_both_spellings_of_a_loss(spelling: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("BEGIN", f"RESULT {spelling}", "QUIT")

    recorder = Recorder()
    async with scripted(dealer) as address:
        assert await played(address, recorder, Rules()) is None
    assert recorder.events == ["began", "settled LOSE with 0"]


async def test_what_nobody_asked_for_is_passed_over() -> None:
    lines = [
        "TABLES {}",
        "CHART 10 {}",
        "OPENED 3",
        "HELP you may say",
        "HINT STAND 0.1",
        "REVIEW 1 0 0.000000",
    ]

    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say(*lines, "BEGIN", "RESULT LOOSE", "QUIT")

    recorder = Recorder()
    async with scripted(dealer) as address:
        assert await played(address, recorder, Rules()) is None
    assert recorder.events == ["began", "settled LOSE with 0"]


def test_there_is_something_to_do_about_every_message_of_a_dealer() -> None:
    assert set(get_args(DealerMessage)) <= set(_TAKERS)


async def test_an_answer_may_come_later() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say(*A_ROUND)
        assert await peer.hear() == "STAND"
        await peer.say("RESULT WIN", "QUIT")

    recorder = Recorder()
    async with scripted(dealer) as address:
        client = await started(address, recorder, rules=Rules())
        await asyncio.wait_for(recorder.asked_once.wait(), PATIENCE)
        assert client.is_asked
        client.answer(STAND)
        assert not client.is_asked
        assert await ended(client) is None
    assert recorder.events[-1] == "settled WIN with 12"


# The rules.


async def hear_the_question(peer: AsyncPeer, wire_format: str) -> None:
    """Let a player join and ask for the rules; over lines it asks once it has heard a line."""
    if wire_format == "lines":
        assert await peer.hear() == "JOIN a"
        await peer.say(*A_ROUND)
    assert await peer.hear() == "RULES"


async def finish_the_round(peer: AsyncPeer, wire_format: str) -> None:
    if wire_format == "websocket":
        assert await peer.hear() == "JOIN a"
        await peer.say(*A_ROUND)
    assert await peer.hear() == "STAND"
    await peer.say("RESULT WIN", "QUIT")


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (f"RULES {PRESETS['study']} colour=green", PRESETS["study"]),
        ("ERROR unknown message 'RULES'", None),
        (None, None),
    ],
    ids=["told", "refused", "silence"],
)
async def test_the_rules_are_asked_for_before_anything_is_decided(
    monkeypatch: pytest.MonkeyPatch, wire_format: str, answer: str | None, told: Rules | None
) -> None:
    if answer is None:
        monkeypatch.setattr(client_module, "RULES_TIMEOUT", 0.1)

    async def dealer(peer: AsyncPeer) -> None:
        await hear_the_question(peer, wire_format)
        if answer is not None:
            await peer.say(answer)
        await finish_the_round(peer, wire_format)

    recorder = Recorder([STAND])
    async with scripted(dealer, wire_format) as address:
        assert await played(address, recorder) is None
    assert recorder.told == [told]
    assert recorder.events[-2:] == ["asked hard 12 against 6", "settled WIN with 12"]


async def test_a_classic_dealer_is_not_asked_for_rules() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await follow(peer, TWO_ROUNDS, "<")

    recorder = Recorder(TWO_ROUNDS_DECIDED)
    async with scripted(dealer, "classic") as address:
        assert await played(address, recorder) is None
    assert recorder.told == [None]
    assert recorder.events == TWO_ROUNDS_HEARD


async def test_the_rules_decide_what_an_ace_counts() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {PRESETS['devs']}")
        await peer.hear()
        await peer.say("RESULT WIN", "QUIT")

    recorder = Recorder([STAND])
    async with scripted(dealer) as address:
        assert await played(address, recorder) is None
    assert "asked hard 3 against 6" in recorder.events


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
async def test_quit_ends_it_well_although_the_rules_were_never_told(wire_format: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("QUIT")

    recorder = Recorder()
    async with scripted(dealer, wire_format) as address:
        assert await played(address, recorder) is None
    assert recorder.events == []


async def test_what_a_dealer_said_before_it_closed_counts_although_the_rules_were_never_told() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.send(b"BEGIN\nRESULT WIN\n")

    recorder = Recorder()
    async with scripted(dealer) as address:
        assert await played(address, recorder) == "the dealer closed the connection without QUIT"
    assert recorder.events == ["began", "settled WIN with 0"]


# Dealers that break the protocol.

BROKEN = {
    "a player's verb": (["HIT"], "'HIT' is not a message of a dealer", "expected BEGIN, "),
    "shuffling within a round": (
        ["BEGIN", "SHUFFLE"],
        "SHUFFLE is not allowed now",
        "CARD <Rank> of <Suit>",
    ),
    "no such card": (["BEGIN", "CARD Eleven of Hearts"], "'Eleven of Hearts' is not a card", "<Rank>"),
    "no such result": (["BEGIN", "RESULT DRAW"], "'RESULT DRAW' is not a result", "PUSH, BUST or SURRENDER"),
    "no such rules": (["RULES decks=0"], "decks is 0", "1 to 8"),
    "a card before the round": (
        ["CARD Ten of Spades"],
        "CARD Ten of Spades is not allowed now",
        "expected BEGIN",
    ),
    "a question twice": ([*A_ROUND, "DECISION"], "DECISION is not allowed now", "RESULT WIN"),
    "a question without a round": (["BEGIN", "RESULT WIN", "DECISION"], "DECISION is not allowed", "BEGIN"),
    "a hand too many": ([*A_ROUND, "HAND 1 4"], "HAND tells of 4 hands", "expected 1"),
    "a round within a round": (["BEGIN", "BEGIN"], "BEGIN is not allowed now", "DECISION"),
    "a result without a round": (["RESULT WIN"], "RESULT WIN is not allowed now", "expected BEGIN"),
    "a question to a bust hand": (
        ["BEGIN", *["CARD Ten of Spades"] * 3, "DECISION"],
        "DECISION is asked of a hand of 30",
        "expected",
    ),
    "bytes that are no text": (["BEGIN", "\udcff\udcfe"], "is not UTF-8 text", "expected CARD"),
}


@pytest.mark.parametrize(("lines", "got", "expected"), BROKEN.values(), ids=BROKEN)
async def test_a_dealer_that_breaks_the_protocol(lines: list[str], got: str, expected: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.send("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
        while await peer.hear():
            pass  # an answer to a DECISION before; then the player closes

    async with scripted(dealer) as address:
        fault = await played(address, Recorder(), Rules())
    assert fault is not None
    assert fault.startswith("the dealer broke the protocol: ")
    assert got in fault
    assert expected in fault.split(got, 1)[1]


async def test_a_dealer_that_is_no_websocket() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("GET /ws HTTP/1.1")
        await peer.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    async with scripted(dealer) as (host, port):
        fault = await played((f"ws://{host}:{port}/ws", port), Recorder())
    assert fault is not None
    assert fault.startswith("the dealer broke the protocol: no WebSocket opened: ")
    assert "404" in fault


# Long lines.


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
async def test_a_line_of_64_kib_is_read(wire_format: str) -> None:
    text = "x" * (MAX_DEALER_LINE - len("ERROR "))

    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say(f"ERROR {text}", "QUIT")

    recorder = Recorder()
    async with scripted(dealer, wire_format) as address:
        assert await played(address, recorder, Rules()) is None
    assert recorder.events == [f"refused {text}"]


@pytest.mark.parametrize("end", ["\n", ""])
async def test_a_longer_line_is_not(end: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.send(b"ERROR " + b"x" * (MAX_DEALER_LINE - len("ERROR ") + 1) + end.encode())
        assert await peer.hear() == ""

    async with scripted(dealer) as address:
        fault = await played(address, Recorder(), Rules())
    assert fault == "the dealer broke the protocol: a line is longer than 65536 bytes"


# Dealers that go.


@pytest.mark.parametrize("said", range(len(A_ROUND) + 1))
async def test_a_dealer_that_closes_without_quit(said: int) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say(*A_ROUND[:said])

    async with scripted(dealer) as address:
        fault = await played(address, Recorder(), Rules())
    assert fault == "the dealer closed the connection without QUIT"


async def test_a_dealer_that_vanishes() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say(*A_ROUND)
        assert await peer.hear() == "HIT"
        peer.reset()

    async with scripted(dealer) as address:
        fault = await played(address, Recorder([HIT]), Rules())
    assert fault is not None
    assert fault.startswith("the dealer is gone: ") and "Errno" not in fault


@pytest.mark.parametrize("rules", [None, Rules()], ids=["rules unknown", "rules known"])
async def test_a_full_dealer_is_quoted(rules: Rules | None) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say("ERROR dealer is full")

    async with scripted(dealer) as address:
        fault = await played(address, Recorder(), rules)
    assert fault == "the dealer closed the connection: dealer is full"


# Leaving.


async def test_after_its_rounds_a_player_leaves_a_dealer_that_goes_on() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a 2"
        for _ in range(2):
            await peer.say(*A_ROUND)
            assert await peer.hear() == "STAND"
            await peer.say("RESULT PUSH")
        await peer.say(*A_ROUND)
        assert await peer.hear() == "QUIT"
        assert await peer.hear() == ""

    recorder = Recorder([STAND] * 3)
    async with scripted(dealer) as address:
        client = await started(address, recorder, Rules(), rounds=2)
        assert await ended(client) is None
    assert client.played == 2
    assert recorder.events.count("began") == 2


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
async def test_who_leaves_says_quit_and_has_left(wire_format: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say(*A_ROUND)
        assert await peer.hear() == "QUIT"

    recorder = Recorder()
    async with scripted(dealer, wire_format) as address:
        client = await started(address, recorder, Rules())
        await asyncio.wait_for(recorder.asked_once.wait(), PATIENCE)
        client.leave()
        client.leave()  # again does no harm
        assert await ended(client) is None
    assert client.played == 0


async def test_who_leaves_does_not_wait_for_a_connection() -> None:
    # One that is never accepted, and a queue that is full, so that the next connection hangs.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        client = Client(Recorder(), "a")
        connecting = asyncio.ensure_future(connect(client, "127.0.0.1", port))
        await asyncio.sleep(0.05)
        assert not connecting.done()
        client.leave()
        await asyncio.wait_for(connecting, PATIENCE)
        assert await ended(client) is None
        for filler in fillers:
            filler.close()


async def test_no_dealer_is_an_error_of_the_system() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ConnectionRefusedError):
        await connect(Client(Recorder(), "a"), "127.0.0.1", port)
