"""Each transcript in every voice, replayed by a player at the real dealer, by a dealer for the client."""

from __future__ import annotations

import asyncio

import pytest

from cards import Card, Decision, Hand, Outcome, Rules
from dealer.tables.config import DECISION_CLOCK, MAX_CONNECTIONS, Config
from player.client import Client, connect
from policies.policy import Observation
from tests.peer import FOLDER, PATIENCE, Peer, Transcript, dealer_for_one, dealing, player, read_transcript

TRANSCRIPTS = {path.stem: read_transcript(path) for path in sorted(FOLDER.glob("*.txt"))}
REPLAYS = [(name, voice) for name, transcript in TRANSCRIPTS.items() for voice in transcript.voices]
CLIENT_REPLAYS = [(name, voice) for name, voice in REPLAYS if TRANSCRIPTS[name].is_for_a_client]


class Scripted:
    """Plays what the player of a transcript plays."""

    def __init__(self, transcript: Transcript) -> None:
        self.rules = transcript.rules
        self.answers = transcript.said(">", "HIT|STAND|QUIT")
        self.outcomes: list[Outcome] = []
        self.refusals: list[str] = []
        self.told: list[Rules | None] = []
        self.client: Client | None = None

    def rules_told(self, rules: Rules | None) -> Rules:
        self.told.append(rules)
        return rules or Rules()

    def began(self) -> None: ...

    def dealt(self, card: Card, hand: Hand) -> None: ...

    def saw_upcard(self, card: Card) -> None: ...

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        answer = self.answers.pop(0)
        if answer == "QUIT":
            assert self.client is not None
            asyncio.get_running_loop().call_soon(self.client.leave)
            return None
        return Decision(answer)

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        self.outcomes.append(outcome)

    def refused(self, reason: str) -> None:
        self.refusals.append(reason)


def test_a_dozen_at_least_and_both_ends_of_many() -> None:
    assert len(TRANSCRIPTS) >= 12
    assert len(CLIENT_REPLAYS) >= 12


@pytest.mark.parametrize(("name", "voice"), REPLAYS)
async def test_the_dealer_speaks_as_written(name: str, voice: str) -> None:
    transcript = TRANSCRIPTS[name]
    settings = transcript.settings
    config = Config(
        port=0,
        rounds=int(settings.get("rounds", 0)),
        rules=transcript.rules,
        decision_clock=float(settings.get("clock", DECISION_CLOCK)),
        max_connections=int(settings.get("connections", MAX_CONNECTIONS)),
    )
    async with dealing(config, transcript.cards) as server, player(server, voice) as peer:
        await peer.follow(transcript, ">")
    assert server.ledger.everybody.rounds == len(transcript.said("<", "RESULT"))
    assert server.refusals == len(transcript.said("<", "ERROR")) - ("connections" in settings)


@pytest.mark.parametrize(("name", "voice"), CLIENT_REPLAYS)
async def test_the_client_speaks_as_written(name: str, voice: str) -> None:
    transcript = TRANSCRIPTS[name]
    join = transcript.said(">", "JOIN")
    rounds = int(join[0].split()[2]) if join and len(join[0].split()) == 3 else None
    knows = "client" not in transcript.settings

    async def follow(peer: Peer) -> None:
        if not join:  # the dealer has the first word: what the client says meanwhile is no part of it
            await peer.hear()
        await peer.follow(transcript, "<")

    handler = Scripted(transcript)
    async with dealer_for_one(follow, voice) as port:
        address = f"ws://127.0.0.1:{port}/ws" if voice == "websocket" else None
        client = Client(handler, "ada", rounds, address, transcript.rules if knows else None)
        handler.client = client
        await connect(client, "127.0.0.1", port)
        fault = await asyncio.wait_for(client.over, PATIENCE)
    said_quit = bool(transcript.said("<", "QUIT"))
    assert (fault is None) == said_quit, fault
    assert handler.answers == []
    assert handler.told == ([] if knows else [Rules()])
    assert handler.refusals == [text.removeprefix("ERROR ") for text in transcript.said("<", "ERROR")]
    if not transcript.said(">", "QUIT"):  # who leaves does not wait for the result
        results = [text.removeprefix("RESULT ") for text in transcript.said("<", "RESULT")]
        assert [outcome.value for outcome in handler.outcomes] == [
            result.replace("LOOSE", "LOSE") for result in results
        ]
