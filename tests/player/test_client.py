"""The client against scripted dealers, over real sockets."""

from __future__ import annotations

import asyncio
import socket

import pytest

from cards import PRESETS, Rules
from player import client as client_module
from player.client import _TAKERS, Client, connect
from protocol import MAX_DEALER_LINE
from protocol.messages import DEALER_KINDS, Join
from protocol.site import Site
from protocol.websocket import ServerWebSocketFraming
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, WIRE_FORMATS, AsyncPeer, WebSocket
from tests.helpers.scripted import fill_queue, scripted, unused_port
from tests.player.playing import COURSE, HIT, STAND, Recorder, dialogue, ended, plays_at, says, started
from tests.protocol.tape import Wire

A_ROUND = ["BEGIN", "CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION"]
HAND = "; ".join(A_ROUND)

TWO_ROUNDS = dialogue("""
    > JOIN a
    BEGIN; CARD Ace of Spades; CARD Two of Hearts; DEALER Six of Clubs; DECISION > HIT
    CARD Nine of Hearts; DECISION > HIT
    CARD King of Clubs; RESULT BUST
    BEGIN; CARD Ace of Spades; CARD Seven of Hearts; DEALER Ace of Clubs; DECISION > STAND
    RESULT LOOSE; QUIT
""")
TWO_ROUNDS_HEARD = [
    *("began", "dealt Ace of Spades", "dealt Two of Hearts", "saw Six of Clubs", "asked soft 13 against 6"),
    *("dealt Nine of Hearts", "asked hard 12 against 6", "dealt King of Clubs", "settled BUST with 22"),
    *("began", "dealt Ace of Spades", "dealt Seven of Hearts", "saw Ace of Clubs"),
    *("asked soft 18 against 11", "settled LOSE with 18"),
]
TWO_ROUNDS_DECIDED = (HIT, HIT, STAND)


# Games.


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
async def test_a_game_in_every_wire_format(wire_format: str) -> None:
    recorder = Recorder(TWO_ROUNDS_DECIDED)
    client = await plays_at(TWO_ROUNDS, recorder, wire_format=wire_format)
    assert (client.over.result(), client.played) == (None, 2)
    assert recorder.events == TWO_ROUNDS_HEARD
    assert recorder.told == []  # the rules were known


async def test_a_last_message_without_its_end() -> None:
    recorder = Recorder()
    client = await plays_at(says("BEGIN", "RESULT WIN", end="QUIT"), recorder)
    assert client.over.result() is None
    assert recorder.events == ["began", "settled WIN with 0"]


async def test_what_nobody_asked_for_is_passed_over() -> None:
    lines = ("TABLES {}", "CHART 10 {}", "OPENED 3", "HELP you may say", "HINT STAND 0.1")
    recorder = Recorder()
    await plays_at(says(*lines, "REVIEW 1 0 0.000000", "BEGIN", "RESULT LOOSE", "QUIT"), recorder)
    assert recorder.events == ["began", "settled LOSE with 0"]


async def test_what_only_some_tables_tell_leaves_the_rest_as_it_is() -> None:
    dealer = dialogue("""
        > JOIN a
        SHUFFLE; DECISION BET 10 80 1000 > BET 10
        BEGIN; CARD Ten of Spades; CARD Nine of Hearts; DEALER Six of Clubs; DECISION HIT STAND DOUBLE > STAND
        DEALER Ten of Clubs; HAND 1 1 WIN +10; SEAT 2 bob Ten of Hearts, Ten of Diamonds; RESULT WIN +10; QUIT
    """)
    recorder = Recorder([STAND])
    client = await plays_at(dealer, recorder)
    assert (client.over.result(), client.stakes.chips) == (None, 10)
    assert recorder.events[3:] == ["saw Six of Clubs", "asked hard 19 against 6", "settled WIN with 19"]


def test_there_is_something_to_do_about_every_message_of_a_dealer() -> None:
    assert set(DEALER_KINDS) <= set(_TAKERS)


async def test_an_answer_may_come_later() -> None:
    recorder = Recorder()
    dealer = dialogue(f"> JOIN a\n {HAND} > STAND\n RESULT WIN; QUIT")
    async with scripted(dealer) as address:
        client = await started(address, recorder, COURSE)
        await asyncio.wait_for(recorder.asked_once.wait(), PATIENCE)
        assert client.is_asked
        client.answer(STAND)
        assert not client.is_asked
        assert await ended(client) is None
    assert recorder.events[-1] == "settled WIN with 12"


async def test_a_websocket_that_was_open_once_is_not_taken_for_one_that_never_opened() -> None:
    """Its time is over while the player has come back, over another connection."""
    client = Client(Recorder(), "a", address="ws://dealer.example/ws")
    conversation, dealer = client._conversation, ServerWebSocketFraming(Site(hosts={"dealer.example"}))
    conversation.join(Join("a"))
    dealer.receive(b"".join(conversation.data_to_send()))
    conversation.receive(dealer.control())
    assert conversation.is_open
    conversation.receive(dealer.closing())
    assert not conversation.is_open
    client._end_unless_open(conversation, 10.0)
    assert not client.over.done()


# The rules.


@pytest.mark.parametrize(
    ("wire_format", "answer", "told"),
    [
        ("lines", f"RULES {PRESETS['study']} colour=green", PRESETS["study"]),
        ("lines", "ERROR unknown message 'RULES'", None),
        ("lines", None, None),
        ("websocket", f"RULES {PRESETS['study']}", PRESETS["study"]),
        ("websocket", None, None),
    ],
)
async def test_the_rules_are_asked_for_before_anything_is_decided(
    monkeypatch: pytest.MonkeyPatch, wire_format: str, answer: str | None, told: Rules | None
) -> None:
    """Over WebSocket before the JOIN; over lines once the client has heard a line."""
    if answer is None:
        monkeypatch.setattr(client_module, "RULES_TIMEOUT", 0.1)

    async def dealer(peer: AsyncPeer) -> None:
        if wire_format == "lines":
            assert await peer.hear() == "JOIN a"
            await peer.say(*A_ROUND)
        assert await peer.hear() == "RULES"
        if answer is not None:
            await peer.say(answer)
        if wire_format == "websocket":
            assert await peer.hear() == "JOIN a"
            await peer.say(*A_ROUND)
        assert await peer.hear() == "STAND"
        await peer.say("RESULT WIN", "QUIT")

    recorder = Recorder([STAND])
    client = await plays_at(dealer, recorder, None, wire_format)
    assert (client.over.result(), recorder.told) == (None, [told])
    assert recorder.events[-2:] == ["asked hard 12 against 6", "settled WIN with 12"]


async def test_a_classic_dealer_is_not_asked_for_rules() -> None:
    recorder = Recorder(TWO_ROUNDS_DECIDED)
    client = await plays_at(TWO_ROUNDS, recorder, None, "classic")
    assert (client.over.result(), client.is_classic, recorder.told) == (None, True, [None])


async def test_the_rules_decide_what_an_ace_counts() -> None:
    dealer = dialogue(f"""
        > JOIN a
        BEGIN; CARD Ace of Spades; CARD Two of Hearts; DEALER Six of Clubs; DECISION > RULES
        RULES {PRESETS["devs"]} > STAND
        RESULT WIN; QUIT
    """)
    recorder = Recorder([STAND])
    await plays_at(dealer, recorder, None)
    assert "asked hard 3 against 6" in recorder.events


@pytest.mark.parametrize(
    ("end", "fault"), [("QUIT\n", None), ("", "the dealer closed the connection without QUIT")]
)
async def test_what_a_dealer_said_before_it_ended_counts_although_the_rules_were_never_told(
    end: str, fault: str | None
) -> None:
    recorder = Recorder()
    client = await plays_at(says("BEGIN", "RESULT WIN", end=end), recorder, None)
    assert client.over.result() == fault
    assert recorder.events == ["began", "settled WIN with 0"]


# Dealers that break the protocol.


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["HIT"], "'HIT' is not a message of a dealer: expected BEGIN, "),
        (["RULES decks=0"], "decks is 0: expected 1 to 8"),
        ([*A_ROUND, "HAND 1 4"], "HAND has 4 hands: expected 1"),
        (["BEGIN", *A_ROUND[1:2] * 3, "DECISION"], "is asked of a hand of 30: expected DEALER <Rank>"),
        (["BEGIN", "\udcff\udcfe"], "is not UTF-8 text: expected CARD"),
        (["ERROR " + "x" * (MAX_DEALER_LINE - 5)], "a line is longer than 65536 bytes"),
    ],
    ids=["a verb", "rules", "hands", "a bust hand", "no text", "too long"],
)
async def test_a_dealer_that_breaks_the_protocol_is_left_with_a_sentence(lines: list[str], said: str) -> None:
    client = await plays_at(says(end="".join(f"{line}\n" for line in lines)), Recorder())
    fault = client.over.result()
    assert fault is not None
    assert fault.startswith("the dealer broke the protocol: ")
    assert said in fault


@pytest.mark.parametrize("piece", [b"x" * 999, b"ERROR no\n" + b"x" * 999])
async def test_no_more_is_kept_of_an_unfinished_line_than_a_line_may_have(piece: bytes) -> None:
    client = Client(Recorder(), "a", rules=COURSE)
    client.data_received(piece)
    while not client.over.done():
        assert 0 < client._conversation.bytes_held <= MAX_DEALER_LINE
        client.data_received(b"x" * 999)
    assert client.over.result() == "the dealer broke the protocol: a line is longer than 65536 bytes"
    assert client._conversation.bytes_held == 0


async def test_a_line_of_64_kib_is_read() -> None:
    text = "x" * (MAX_DEALER_LINE - len("ERROR "))
    recorder = Recorder()
    await plays_at(says(f"ERROR {text}", "QUIT"), recorder)
    assert recorder.events == [f"refused {text}"]


async def test_a_dealer_that_is_no_websocket() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("GET /ws HTTP/1.1")
        await peer.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    async with scripted(dealer) as (host, port):
        fault = await ended(await started((f"ws://{host}:{port}/ws", port), Recorder(), None))
    assert fault is not None
    assert fault.startswith("no WebSocket opened: ")
    assert "404" in fault


async def test_a_handshake_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "HANDSHAKE_TIMEOUT", 0.1)
    with socket.create_server((LOCALHOST, 0)) as silent:
        port = silent.getsockname()[1]
        client = await started((f"ws://{LOCALHOST}:{port}/ws", port), Recorder(), None)
        assert await ended(client) == "no WebSocket opened within 0.1 s"


# Dealers that go.


@pytest.mark.parametrize("said", [0, len(A_ROUND)])
async def test_a_dealer_that_closes_without_quit(said: int) -> None:
    client = await plays_at(says(*A_ROUND[:said]), Recorder())
    assert client.over.result() == "the dealer closed the connection without QUIT"


async def test_a_dealer_that_vanishes() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        await peer.hear()
        await peer.say(*A_ROUND)
        assert await peer.hear() == "HIT"
        peer.reset()

    fault = (await plays_at(dealer, Recorder([HIT]))).over.result()
    assert fault is not None
    assert fault.startswith("the dealer is gone: ") and "Errno" not in fault


@pytest.mark.parametrize("rules", [None, COURSE], ids=["rules unknown", "rules known"])
async def test_a_full_dealer_is_quoted(rules: Rules | None) -> None:
    client = await plays_at(says("ERROR dealer is full"), Recorder(), rules)
    assert client.over.result() == "the dealer closed the connection: dealer is full"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([], "the dealer closed the connection without QUIT"),
        (["ERROR enough"], "the dealer closed the connection: enough"),
        (["QUIT"], None),
        (["HIT"], "the dealer broke the protocol: 'HIT' is not a message of a dealer: expected BEGIN"),
    ],
)
async def test_a_close_frame_is_answered_and_ends_the_connection(lines: list[str], fault: str | None) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        assert isinstance(peer.format, WebSocket)
        wrapped = [peer.format.wrap(line.encode()) for line in lines]
        peer.format.protocol.send_close(1001)
        await peer.send(b"".join(wrapped) + peer.format.due())
        while await peer.hear():
            pass
        assert peer.format.protocol.close_rcvd is not None

    said = (await plays_at(dealer, Recorder(), wire_format="websocket")).over.result()
    assert said == fault if fault is None else str(said).startswith(fault)


async def test_rules_that_come_after_the_end_change_nothing() -> None:
    recorder = Recorder()
    dealer = dialogue("> RULES\n QUIT; RULES ace=1 >")  # and hears no JOIN
    client = await plays_at(dealer, recorder, None, "websocket")
    assert (client.over.result(), recorder.events) == (None, [])


# Leaving.


async def test_after_its_rounds_a_player_leaves_a_dealer_that_goes_on() -> None:
    dealer = dialogue(f"""
        > JOIN a 2
        {HAND} > STAND
        RESULT PUSH; {HAND} > STAND
        RESULT PUSH; {HAND} > QUIT
        >
    """)
    recorder = Recorder([STAND] * 3)
    client = await plays_at(dealer, recorder, rounds=2)
    assert (client.over.result(), client.played, recorder.events.count("began")) == (None, 2, 2)


async def test_who_leaves_says_quit_and_has_left() -> None:
    recorder = Recorder()
    async with scripted(dialogue(f"> JOIN a\n {HAND} > QUIT"), "websocket") as address:
        client = await started(address, recorder, COURSE)
        await asyncio.wait_for(recorder.asked_once.wait(), PATIENCE)
        client.leave()
        client.leave()  # again does no harm
        assert await ended(client) is None
    assert client.played == 0


async def test_who_leaves_does_not_wait_for_a_connection() -> None:
    with socket.create_server((LOCALHOST, 0), backlog=0) as full:
        waiting = await fill_queue(full)
        client = Client(Recorder(), "a")
        connecting = asyncio.ensure_future(connect(client, LOCALHOST, full.getsockname()[1], PATIENCE))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not connecting.done()
        client.leave()
        await asyncio.wait_for(connecting, PATIENCE)
        assert await ended(client) is None
        for other in waiting:
            other.close()


async def test_who_left_while_it_connected_says_nothing_once_it_is_connected() -> None:
    client, wire = Client(Recorder(), "a"), Wire()
    client.leave()
    client.connection_made(wire)
    client.eof_received()
    client.connection_lost(None)
    assert (wire.has_ended, wire.take(), client.over.result()) == (True, b"", None)


async def test_no_dealer_is_an_error_of_the_system() -> None:
    with pytest.raises(ConnectionRefusedError):
        await connect(Client(Recorder(), "a"), LOCALHOST, unused_port())
