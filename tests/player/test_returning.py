"""A lost connection: the client comes back, and its result has all rounds (SPEC, Coming back)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cards import PRESETS, Bets, Outcome, Penetration, Rules, Tally, seeded
from dealer.tables.config import Config
from player import tries
from player.address import Address
from player.bets import parse_bet
from player.by_policy import PolicyPlayer
from player.chosen import ChosenPolicy
from player.client import connect
from player.human import Human
from player.returning import ReturningClient
from player.tries import Notices, ReturnTries
from policies.names import parse
from tests.helpers.cutting import Cut, cutting
from tests.helpers.house import NEVER, serving
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.scripted import Script, scripted
from tests.helpers.tiers import first_of
from tests.player.playing import A_HAND, dialogue

COURSE = Rules()
VEGAS = replace(PRESETS["vegas"], reshuffle=Penetration(0.5), bets=Bets(10, 80), bankroll=100_000)
ROUNDS = 12


class Game:
    """A policy that plays at a dealer over connections that may be cut, and what it was told meanwhile."""

    def __init__(
        self, port: int, rounds: int | None, policy: str = "threshold:15", bet: str | None = None
    ) -> None:
        self.notices: list[str] = []
        self.has_said = asyncio.Event()
        chosen = ChosenPolicy(parse(policy), None, seeded(1))
        self.player = PolicyPlayer(chosen, None, None, None if bet is None else parse_bet(bet))
        tries = ReturnTries(Address(LOCALHOST, port), Notices(self._note))
        self.client = ReturningClient(self.player, "ada", rounds, None, tries=tries)
        self.player.sit_down(self.client)
        self._port = port

    async def finish(self) -> str | None:
        await connect(self.client, LOCALHOST, self._port)
        return await asyncio.wait_for(self.client.over, PATIENCE)

    def _note(self, sentence: str) -> None:
        self.notices.append(sentence)
        self.has_said.set()

    @property
    def counts(self) -> dict[Outcome, int]:
        return self.player.tally.counts


async def played_at(
    rules: Rules, cuts: Sequence[Cut | None], policy: str, bet: str | None = None, **options: Any
) -> tuple[Game, Tally]:
    """A game at a real dealer whose connections are cut; and what the dealer counted."""
    config = Config(port=0, rounds=0, rules=rules, seed=3, decision_clock=NEVER, **options)
    async with serving(config) as server, cutting(server.port, cuts) as port:
        game = Game(port, ROUNDS, policy, bet)
        assert await game.finish() is None, game.notices
        (row, *others) = server.ledger.rows()
        counted = row.tally
        for other in others:
            counted.merge(other.tally)
    return game, counted


LINES = [
    *(("<", verb) for verb in ("BEGIN", "CARD", "DEALER", "DECISION", "RESULT")),
    *((">", verb) for verb in ("HIT", "STAND")),
]
CUTS = [Cut(*line, number, passed) for line in LINES for number in (5, 6) for passed in (0, None)]
"""After the first round: by then the seat is kept."""


@pytest.mark.parametrize("cut", first_of([(cut,) for cut in CUTS], 6), ids=str)
async def test_a_connection_that_breaks_anywhere_in_a_round_costs_no_result(cut: Cut) -> None:
    """Twice in a row: the second connection is cut at its first line of that kind."""
    game, counted = await played_at(COURSE, [cut, cut._replace(number=1)], "threshold:15")
    assert (game.counts, game.client.played, game.client.lost) == (counted.counts, ROUNDS, 0)
    assert game.notices.count("back at the table") + len([n for n in game.notices if "asked for" in n]) >= 1


WHOLE_CUTS = [
    *CUTS,
    *(
        Cut(side, verb, number, passed)
        for passed in (0, None)
        for number in (2, 3)
        for side, verb in (("<", "HAND"), (">", "BET"), (">", "DOUBLE"), ("<", "SHUFFLE"), (">", "SPLIT"))
    ),
]


@pytest.mark.parametrize("cut", first_of([(cut,) for cut in reversed(WHOLE_CUTS)], 6), ids=str)
async def test_all_rounds_and_all_chips_of_the_whole_game_are_counted(cut: Cut) -> None:
    game, counted = await played_at(VEGAS, [cut], "basic", "30")
    assert (game.counts, game.client.played, game.client.lost) == (counted.counts, ROUNDS, 0)
    assert game.player.tally.total_payoff == counted.total_payoff


async def test_a_count_goes_on_through_a_hand_and_begins_anew_where_cards_were_missed() -> None:
    """Bets by the count tell: where nothing was missed they are those of a game that was not cut."""
    uncut, _ = await played_at(VEGAS, [], "basic", "count:1-8")
    in_a_hand, _ = await played_at(VEGAS, [Cut(">", "STAND", 4)], "basic", "count:1-8")
    between, _ = await played_at(VEGAS, [Cut(">", "BET", 6)], "basic", "count:1-8")
    missed, _ = await played_at(VEGAS, [Cut("<", "RESULT", 6)], "basic", "count:1-8")
    counts = [[count.seen for count in game.player._counts] for game in (uncut, in_a_hand, between, missed)]
    assert counts[0] == counts[1] == counts[2] > counts[3] > [0]
    assert uncut.player.chips == in_a_hand.player.chips == between.player.chips


async def test_a_break_before_the_rules_are_told_costs_the_open_round_and_it_joins_again() -> None:
    """The seat is not kept yet: the dealer forfeits the hand."""
    game, counted = await played_at(COURSE, [Cut("<", "RULES")], "threshold:15")
    assert (game.client.played, game.client.lost, game.player.lost) == (ROUNDS, 1, 1)
    assert game.player.tally.rounds == counted.rounds - 1
    reason = "the dealer closed the connection without QUIT, and the seat is not kept"
    assert game.notices == [
        "1 round cannot be recovered: counted without a result",
        f"{reason}; try 1 of 4 to come back in 0 s",
        "back at the table",
    ]


async def test_a_dealer_that_keeps_no_seat_is_joined_again_for_the_rounds_that_are_left() -> None:
    game, counted = await played_at(COURSE, [Cut("<", "DECISION", 5)], "threshold:15", keeps_seats=False)
    assert (game.client.played, game.client.lost, counted.rounds) == (ROUNDS, 1, ROUNDS)


async def test_a_message_that_is_cut_off_is_not_taken_for_a_whole_one() -> None:
    """`RESULT WIN +30` is not `RESULT WIN +3`."""
    cut = Cut("<", "RESULT", 3, passed=len("RESULT WIN +3"))
    game, counted = await played_at(VEGAS, [cut], "basic", "30")
    assert game.player.tally.total_payoff == counted.total_payoff


async def test_a_last_quit_without_its_end_is_one() -> None:
    game, _ = await played_at(COURSE, [Cut("<", "QUIT", 1, passed=4)], "threshold:15")
    assert (game.client.played, game.client.lost, game.notices) == (ROUNDS, 0, [])


# Dealers that follow a script.


def visits(*texts: str) -> Script:
    """A dealer that follows another script on each connection."""
    left = list(texts)

    async def script(peer: AsyncPeer) -> None:
        await dialogue(left.pop(0).replace("TOKEN", tokens[-1] if tokens else ""))(peer)
        tokens.extend(peer.tokens)

    tokens: list[str] = []
    return script


HAND = "; ".join(A_HAND)
FIRST = f"> JOIN ada 2\n {HAND} > RULES\n RULES {COURSE}"


async def game_at(script: Script, rounds: int | None = 2) -> tuple[Game, str | None]:
    async with scripted(script) as (_, port):
        game = Game(port, rounds, "threshold:15")
        return game, await game.finish()


async def test_where_resume_is_refused_it_joins_again_for_the_rounds_that_are_left() -> None:
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND",
            "> RESUME TOKEN\n REFUSED not-kept no seat is kept under this token > HISTORY 1\n >",
            f"> JOIN ada 1\n {HAND} > RULES\n RULES {COURSE} > STAND\n RESULT PUSH; QUIT",
        )
    )
    assert (fault, game.player.tally.rounds, game.player.lost) == (None, 1, 1)
    assert any("cannot be recovered: counted without a result" in notice for notice in game.notices)


async def test_it_does_not_take_back_a_seat_that_another_connection_has_taken_over() -> None:
    game, fault = await game_at(
        visits(f"{FIRST} > STAND\n RESULT WIN; {HAND}; ERROR your seat was taken over > STAND")
    )
    assert fault == "the dealer closed the connection: your seat was taken over"
    assert game.notices == []


async def test_other_rules_than_before_end_it() -> None:
    """The dealer was started anew, for another game: the results are not of one game."""
    other = f"> JOIN ada 1\n {HAND} > RULES\n RULES {PRESETS['study']} >"
    game, fault = await game_at(visits(f"{FIRST}; ERROR KEEP? what > STAND", other))
    assert fault is not None
    assert fault.startswith("the dealer has other rules than before the connection was lost: preset=study")
    assert game.player.lost == 1


async def test_who_leaves_while_it_waits_to_come_back_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tries, "PAUSES", (NEVER,))
    async with scripted(visits(f"{FIRST} > STAND")) as (_, port):
        game = Game(port, 2, "threshold:15")
        ending = asyncio.ensure_future(game.finish())
        await asyncio.wait_for(game.has_said.wait(), PATIENCE)
        game.client.leave()
        assert await ending is None
    assert game.client.played == 0


async def test_a_person_is_asked_again_after_a_break_and_keeps_what_was_told() -> None:
    said: list[str] = []
    notices: list[str] = []
    script = visits(
        f"{FIRST} > SHOW",
        f"> RESUME TOKEN\n {HAND} > HISTORY 1\n REFUSED no-round none is kept > STAND\n RESULT WIN; QUIT",
    )
    async with scripted(script) as (_, port):
        human = Human(lambda text, end="\n": said.append(text), None)
        tries = ReturnTries(Address(LOCALHOST, port), Notices(notices.append))
        client = ReturningClient(human, "ada", 2, None, tries=tries, shows=True)
        human.sit_down(client)
        await connect(client, LOCALHOST, port)
        while sum("[h]it" in text for text in said) < 2 and not client.over.done():
            await asyncio.wait((client.over,), timeout=0.01)
        human._type("s\n")
        assert await asyncio.wait_for(client.over, PATIENCE) is None
    assert sum("Round 1" in text for text in said) == 1
    assert sum("Ten of Spades" in text and "Your hand" not in text for text in said) <= 1
    assert (human.tally.rounds, notices[-1]) == (1, "back at the table")
