"""Each transcript in every wire format: followed by a player at the real dealer, and by a dealer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cards import Decision, Hand, Rules
from dealer.tables.config import MAX_CONNECTIONS, Config
from player.client import Client, connect
from tests.helpers.house import NEVER, let_the_clock_run_out, serving
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import AsyncPeer, connected
from tests.helpers.scripted import scripted
from tests.helpers.transcript import FOLDER, follow, read_transcript
from tests.player.playing import Recorder
from twentyone.policies.policy import Observation

TRANSCRIPTS = {path.stem: read_transcript(path) for path in sorted(FOLDER.glob("*.txt"))}
REFUSED = "ERROR (?!no answer came in time)"
"""What answers a refused line, and not a clock that has run out."""

ALL = [(name, each) for name, transcript in TRANSCRIPTS.items() for each in transcript.wire_formats]
FOR_CLIENTS = [(name, each) for name, each in ALL if TRANSCRIPTS[name].is_for_a_client]


def in_tiers(replays: list[tuple[str, str]]) -> list[Any]:
    """In the classic format, where each message takes its real time, every run has one of them only."""

    def is_slow(name: str, wire_format: str) -> bool:
        return wire_format == "classic" and name != "plain_round"

    return [pytest.param(*each, marks=pytest.mark.check if is_slow(*each) else ()) for each in replays]


class Follower(Recorder):
    """Plays what the player of a transcript plays."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__()
        self.answers = answers
        self.client: Client

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        answer = self.answers.pop(0)
        if answer == "QUIT":
            asyncio.get_running_loop().call_soon(self.client.leave)
            return None
        return Decision(answer)

    def noted(self, kind: str) -> list[str]:
        """What was noted of one kind."""
        return [event.removeprefix(f"{kind} ") for event in self.events if event.startswith(kind)]


def test_there_are_a_dozen_transcripts_and_many_are_for_both_sides() -> None:
    assert len(TRANSCRIPTS) >= 12
    assert len(FOR_CLIENTS) >= 12


@pytest.mark.parametrize(("name", "wire_format"), in_tiers(ALL))
async def test_the_dealer_follows_the_transcript(name: str, wire_format: str) -> None:
    transcript = TRANSCRIPTS[name]
    settings = transcript.settings
    config = Config(
        port=0,
        rounds=int(settings.get("rounds", 0)),
        rules=transcript.rules,
        decision_clock=NEVER,
        max_connections=int(settings.get("connections", MAX_CONNECTIONS)),
    )
    async with serving(config, transcript.cards) as server, connected(server.port, wire_format) as peer:
        await follow(peer, transcript, ">", lambda: let_the_clock_run_out(server))
    assert server.ledger.everybody.rounds == len(transcript.said("<", "RESULT"))
    assert server.refusals == len(transcript.said("<", REFUSED)) - ("connections" in settings)


@pytest.mark.parametrize(("name", "wire_format"), in_tiers(FOR_CLIENTS))
async def test_the_client_follows_the_transcript(name: str, wire_format: str) -> None:
    transcript = TRANSCRIPTS[name]
    join = transcript.said(">", "JOIN")
    rounds = int(join[0].split()[2]) if join and len(join[0].split()) == 3 else None
    knows = "client" not in transcript.settings

    async def dealer(peer: AsyncPeer) -> None:
        if not join:  # the dealer speaks first; what the client says meanwhile is not in the transcript
            await peer.hear()
        await follow(peer, transcript, "<")

    handler = Follower(transcript.said(">", "HIT|STAND|QUIT"))
    async with scripted(dealer, wire_format) as (host, port):
        address = host if wire_format == "websocket" else None
        client = Client(handler, "ada", rounds, address, transcript.rules if knows else None)
        handler.client = client
        await connect(client, "127.0.0.1", port)
        fault = await asyncio.wait_for(client.over, PATIENCE)
    said_quit = bool(transcript.said("<", "QUIT"))
    assert (fault is None) == said_quit, fault
    assert handler.answers == []
    assert handler.told == ([] if knows else [Rules()])
    assert handler.noted("refused") == [text.removeprefix("ERROR ") for text in transcript.said("<", "ERROR")]
    if not transcript.said(">", "QUIT"):  # a player that leaves does not wait for the result
        results = [text.removeprefix("RESULT ") for text in transcript.said("<", "RESULT")]
        settled = [event.split()[0] for event in handler.noted("settled")]
        assert settled == [result.replace("LOOSE", "LOSE") for result in results]
