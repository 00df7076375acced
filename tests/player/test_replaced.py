"""Players whose dealer is replaced while they play: what another one goes on with, and what is void."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import pytest

from cards import Card, Rank, Suit
from player import returning
from player.address import Address
from player.by_policy import PolicyPlayer
from player.client import connect
from player.human import Human
from player.returning import ReturningClient
from player.tries import Notices, ReturnTries
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.scripted import scripted
from tests.helpers.tiers import first_of
from tests.player.dealt import learned_at, plan_for
from tests.player.playing import dialogue
from tests.player.test_returning import (
    BETS,
    COURSE,
    FIRST,
    HAND,
    VEGAS,
    Game,
    betting_at,
    game_at,
    visits,
)
from tests.player.test_training_returns import Listener

ROUNDS: Final = 4

ENDS: Final = "this dealer is being replaced"
OTHER: Final = "BEGIN; CARD Ten of Hearts; CARD Seven of Hearts; DEALER Six of Clubs; DECISION"
NONE_KEPT: Final = "REFUSED no-round none is kept"
VOID: Final = "the open round is void: it is not counted, and its stake is back"


def history(number: int, payoff: str = "+1", bet: str = "null") -> str:
    """A HISTORY 1 of a round that was won."""
    seat = f'{{"payoff":"{payoff}","bet":{bet}}}'
    return f'HISTORY 1 {number} {{"your_round":{number},"you":0,"outcomes":["WIN"],"seats":[{seat}]}}'


def figures(game: Game) -> tuple[int, int, int]:
    """The rounds that were played, those with a result, and those that are lost."""
    return game.client.played, game.player.tally.rounds, game.client.lost


# A stop.


async def test_a_kept_seat_is_taken_back_after_the_dealer_has_said_why_it_closes() -> None:
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND\n RESULT WIN; ERROR {ENDS}",
            f"> RESUME TOKEN\n {history(1)} > HISTORY 1\n {HAND} > STAND\n RESULT WIN; QUIT",
        )
    )
    assert (fault, figures(game)) == (None, (2, 2, 0))
    assert game.notices == [
        "the dealer closed the connection; trying to come back for 0 s",
        "back at the table",
    ]


async def test_a_seat_that_is_not_kept_is_not_taken_back_then() -> None:
    game, fault = await game_at(visits(f"{FIRST}; ERROR KEEP? what > STAND\n RESULT WIN; ERROR {ENDS}"))
    assert (fault, game.notices) == (f"the dealer closed the connection: {ENDS}", [])


@pytest.mark.parametrize("last", [f"REFUSED ended {ENDS}", f"ERROR {ENDS}", f"ERROR {ENDS}; QUIT"])
async def test_a_dealer_that_still_ends_is_asked_again_for_the_same_seat(last: str) -> None:
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND\n RESULT WIN; ERROR {ENDS}",
            f"> RESUME TOKEN\n {last} > HISTORY 1",
            f"> RESUME TOKEN\n {HAND}; {history(1)} > HISTORY 1\n > STAND\n RESULT WIN; QUIT",
        )
    )
    assert (fault, figures(game)) == (None, (2, 2, 0))


async def test_another_dealer_is_joined_for_the_rounds_that_are_left() -> None:
    """The connection before that comes to the one that is drained, and sends everybody away."""
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND\n RESULT WIN; ERROR {ENDS}",
            "> RESUME TOKEN\n REFUSED not-kept no seat is kept under this token > HISTORY 1\n >",
            f"> JOIN ada 1\n ERROR {ENDS}; QUIT",
            f"> JOIN ada 1\n {HAND} > RULES\n RULES {COURSE} > STAND\n RESULT PUSH; QUIT",
        )
    )
    assert (fault, figures(game)) == (None, (2, 2, 0))


async def test_a_dealer_that_does_not_answer_is_asked_over_another_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A socket from outside takes connections while no dealer runs."""
    monkeypatch.setattr(returning, "ANSWER_TIMEOUT", 0.01)
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND",
            "> RESUME TOKEN\n > HISTORY 1\n >",
            f"> RESUME TOKEN\n {HAND}; {NONE_KEPT} > HISTORY 1\n > STAND\n RESULT WIN; QUIT",
        )
    )
    assert (fault, figures(game)) == (None, (1, 1, 0))


# Rounds that are void.


@pytest.mark.parametrize(
    ("after", "notices"),
    [
        (f"{OTHER}; {NONE_KEPT} > HISTORY 1", [VOID]),
        (f"{HAND}; {NONE_KEPT} > HISTORY 1", []),
    ],
    ids=["other cards", "the same cards"],
)
async def test_a_first_round_that_is_void_is_not_counted(after: str, notices: list[str]) -> None:
    game, fault = await game_at(
        visits(f"{FIRST} > STAND", f"> RESUME TOKEN\n {after}\n > STAND\n RESULT WIN; QUIT")
    )
    assert (fault, figures(game)) == (None, (1, 1, 0))
    assert [notice for notice in game.notices if "round" in notice] == notices


async def test_a_round_is_void_as_well_if_the_next_one_begins_later() -> None:
    is_back = asyncio.Event()
    scripts = visits(f"{FIRST} > STAND", f"> RESUME TOKEN\n {NONE_KEPT} > HISTORY 1")

    async def script(peer: AsyncPeer) -> None:
        await scripts(peer)
        if not peer.tokens:
            await asyncio.wait_for(is_back.wait(), PATIENCE)
            await dialogue(f"{OTHER} > HISTORY 1\n {NONE_KEPT} > STAND\n RESULT WIN; QUIT")(peer)

    async with scripted(script) as (_, port):
        game = Game(port, 2, "threshold:15")
        playing = asyncio.ensure_future(game.finish())
        while "back at the table" not in game.notices:
            game.has_said.clear()
            await asyncio.wait_for(game.has_said.wait(), PATIENCE)
        is_back.set()
        assert await playing is None
    assert (figures(game), game.notices[-1]) == ((1, 1, 0), VOID)


@pytest.mark.parametrize(
    ("told", "goes_on", "counted"),
    [
        (history(1), "> HIT\n CARD King of Clubs; RESULT BUST; QUIT", (2, 2, 0)),
        (history(2), "QUIT", (2, 2, 0)),
        (NONE_KEPT, "QUIT", (2, 1, 1)),
    ],
    ids=["none is missing", "its own is missing", "it is not known"],
)
async def test_a_round_of_which_less_is_told_again_is_void_only_if_no_result_is_missing(
    told: str, goes_on: str, counted: tuple[int, int, int]
) -> None:
    hits = "BEGIN; CARD Ten of Spades; CARD Two of Hearts; DEALER Ten of Clubs; DECISION"
    second = f"RESULT WIN; {hits} > HIT\n CARD Two of Clubs; DECISION > HIT"
    game, fault = await game_at(
        visits(f"{FIRST} > STAND\n {second}", f"> RESUME TOKEN\n {hits}; {told} > HISTORY 1\n {goes_on}")
    )
    assert (fault, figures(game)) == (None, counted)


async def test_the_bet_of_a_void_round_is_asked_again_and_a_count_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interruptions: list[PolicyPlayer] = []
    monkeypatch.setattr(PolicyPlayer, "interrupted", lambda player: interruptions.append(player))
    cards = "BEGIN; CARD Ten of Clubs; CARD Nine of Hearts; DEALER Six of Clubs; DECISION HIT STAND"
    again = f"DECISION BET 10 80 1000; {NONE_KEPT} > HISTORY 1\n > BET 30\n {cards} > STAND"
    game, fault = await betting_at(
        visits(f"> JOIN ada 1\n {BETS}\n {cards} > STAND", f"> RESUME TOKEN\n {again}\n RESULT WIN +30; QUIT")
    )
    assert (fault, figures(game), game.player.chips) == (None, (1, 1, 0), 30)
    assert VOID in game.notices
    assert interruptions == [game.player]


async def test_a_person_is_told_of_a_void_round_and_plays_the_next_one() -> None:
    said: list[str] = []
    notices: list[str] = []
    is_asked = asyncio.Event()

    def say(text: str, end: str = "\n") -> None:
        said.append(text)
        if "[h]it" in text:
            is_asked.set()

    script = visits(
        f"{FIRST} > SHOW", f"> RESUME TOKEN\n {OTHER}; {NONE_KEPT} > HISTORY 1\n > STAND\n RESULT WIN; QUIT"
    )
    async with scripted(script) as (_, port):
        human = Human(say, None)
        tries = ReturnTries(Address(LOCALHOST, port), Notices(notices.append))
        client = ReturningClient(human, "ada", 2, None, tries=tries, shows=True)
        human.sit_down(client)
        await connect(client, LOCALHOST, port)
        while "back at the table" not in notices:
            is_asked.clear()
            await asyncio.wait_for(is_asked.wait(), PATIENCE)
        human._type("s\n")
        assert await asyncio.wait_for(client.over, PATIENCE) is None
    assert (human.tally.rounds, human.lost, notices[1:]) == (1, 0, [VOID, "back at the table"])
    assert sum("Round 1" in text for text in said) == 2


class KilledError(Exception):
    """The dealer ends without a word."""


class Replaced:
    """A dealer that is killed at some moments, and of which the next one has the file.

    Whatever is asked is answered at once; a round is in the file as soon as its decision is made.

    Args:
        kills: at which moments, counted from when the seat is kept. There is one before each line.
        bets: whether bets are asked.

    Attributes:
        payoffs: of the rounds in the file.
    """

    def __init__(self, kills: Sequence[int], *, bets: bool) -> None:
        self.payoffs: list[int] = []
        self._kills = kills
        self._bets = bets
        self._is_kept = False
        self._moments = itertools.count()
        self._deals = itertools.cycle(itertools.product(Suit, Suit))

    async def serve(self, peer: AsyncPeer) -> None:
        """Play with whoever comes, until it is killed."""
        with suppress(KilledError):
            assert (await peer.hear()).startswith("RESUME " if self._is_kept else "JOIN ")
            if len(self.payoffs) == ROUNDS:
                await self._tell(peer, await peer.hear())
            while len(self.payoffs) < ROUNDS:
                await self._play(peer)
            await self._say(peer, "QUIT")

    async def _play(self, peer: AsyncPeer) -> None:
        if self._bets:
            await self._say(peer, f"DECISION BET 10 80 {1000 + sum(self.payoffs)}")
            assert await self._answer(peer) == "BET 30"
        first, second = next(self._deals)
        await self._say(peer, "BEGIN")
        await self._say(peer, f"CARD {Card(Rank.TEN, first)}")
        await self._say(peer, f"CARD {Card(Rank.EIGHT, second)}")
        await self._say(peer, "DEALER Six of Clubs")
        await self._say(peer, "DECISION HIT STAND" if self._bets else "DECISION")
        is_bust = await self._answer(peer) == "HIT"
        if is_bust:
            await self._say(peer, "CARD King of Clubs")
        self._pass()
        outcome = "BUST" if is_bust else "WIN"
        self.payoffs.append((-1 if is_bust else 1) * (30 if self._bets else 1))
        await self._say(peer, f"RESULT {outcome}{f' {self.payoffs[-1]:+}' if self._bets else ''}")

    async def _answer(self, peer: AsyncPeer) -> str:
        """The answer to a question; what else is asked before it is answered."""
        while True:
            line = await peer.hear()
            self._is_kept = self._is_kept or bool(peer.tokens)
            if line == "RULES":
                await self._say(peer, f"RULES {VEGAS if self._bets else COURSE}")
            elif line.startswith("HISTORY "):
                await self._tell(peer, line)
            elif line:
                return line
            else:
                raise KilledError  # the player is gone

    async def _tell(self, peer: AsyncPeer, request: str) -> None:
        number = len(self.payoffs) + 1 - int(request.removeprefix("HISTORY "))
        if number < 1:
            await self._say(peer, NONE_KEPT)
            return
        payoff = self.payoffs[number - 1]
        outcome = "WIN" if payoff > 0 else "BUST"
        seat = {"payoff": f"{payoff // abs(payoff):+}", "bet": "30" if self._bets else None}
        told = {"your_round": number, "you": 0, "outcomes": [outcome], "seats": [seat]}
        await self._say(peer, f"{request} {number} {json.dumps(told)}")

    async def _say(self, peer: AsyncPeer, line: str) -> None:
        self._pass()
        await peer.say(line)

    def _pass(self) -> None:
        if self._is_kept and next(self._moments) in self._kills:
            raise KilledError


@pytest.mark.parametrize("first", first_of(range(7, 47), 16))
async def test_the_rounds_and_the_chips_are_those_in_the_file_wherever_the_dealer_is_killed(
    first: int,
) -> None:
    """Once, and again while the player has just come back."""
    for second in (1, 6, 100):
        dealer = Replaced((first, first + second), bets=True)
        async with scripted(dealer.serve) as (_, port):
            game = Game(port, ROUNDS, "basic", "30")
            assert await game.finish() is None, game.notices
        assert (figures(game), game.player.chips) == ((ROUNDS, ROUNDS, 0), sum(dealer.payoffs)), second


@pytest.mark.parametrize("kill", range(0, 24, 3))
async def test_nothing_is_learned_from_a_void_round(kill: int) -> None:
    learner, dealer = Listener(), Replaced((kill, kill + 7), bets=False)
    async with scripted(dealer.serve) as (_, port):
        trainer = await learned_at(plan_for(port, ROUNDS), learner)
    assert trainer.played + trainer.missed == len(dealer.payoffs) == ROUNDS
    assert trainer.passed_over == 0
    assert learner.learned.total() == trainer.played
