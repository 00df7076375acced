"""A lost connection: the client comes back, and its result has all rounds (SPEC, Coming back)."""

from __future__ import annotations

import asyncio
import ssl
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
from tests.helpers.authority import Authority
from tests.helpers.cutting import Cut, cutting
from tests.helpers.house import NEVER, serving
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.scripted import Script, scripted
from tests.helpers.tiers import first_of
from tests.player.playing import A_HAND, dialogue
from twentyone.policies.names import parse
from twentyone.support.tls import trusting

COURSE = Rules()
VEGAS = replace(PRESETS["vegas"], reshuffle=Penetration(0.5), bets=Bets(10, 80), bankroll=100_000)
ROUNDS = 12


class Game:
    """A policy that plays at a dealer over connections that may be cut, and what it was told meanwhile."""

    def __init__(
        self,
        port: int,
        rounds: int | None,
        policy: str = "threshold:15",
        bet: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.notices: list[str] = []
        self.has_said = asyncio.Event()
        chosen = ChosenPolicy(parse(policy), None, seeded(1))
        self.player = PolicyPlayer(chosen, None, None, None if bet is None else parse_bet(bet))
        tries = ReturnTries(Address(LOCALHOST, port, tls=tls), Notices(self._note))
        self.client = ReturningClient(self.player, "ada", rounds, None, tries=tries)
        self.player.sit_down(self.client)
        self._port, self._tls = port, tls

    async def finish(self) -> str | None:
        await connect(self.client, LOCALHOST, self._port, tls=self._tls)
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


CUTS_WITH_SPLITS = [
    *CUTS,
    *(
        Cut(side, verb, number, passed)
        for passed in (0, None)
        for number in (2, 3)
        for side, verb in (("<", "HAND"), (">", "BET"), (">", "DOUBLE"), ("<", "SHUFFLE"), (">", "SPLIT"))
    ),
]


@pytest.mark.parametrize("cut", first_of([(cut,) for cut in reversed(CUTS_WITH_SPLITS)], 6), ids=str)
async def test_all_rounds_and_all_chips_are_counted(cut: Cut) -> None:
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
        f"{reason}; trying to come back for 0 s",
        "back at the table",
    ]


async def test_a_connection_over_tls_comes_back_over_tls(authority: Authority) -> None:
    cuts = [Cut("<", "DECISION", 5), Cut("<", "RESULT", 3)]
    config = Config(port=0, rounds=0, seed=3, decision_clock=NEVER)
    tls = authority.certificate(LOCALHOST)
    async with serving(config) as server, cutting(server.port, cuts, tls) as port:
        game = Game(port, ROUNDS, tls=trusting(authority.ca))
        assert await game.finish() is None
    assert (game.client.played, game.client.lost) == (ROUNDS, 0)
    assert sum(notice.startswith("back at the table") for notice in game.notices) == len(cuts)


async def test_a_dealer_that_keeps_no_seat_is_joined_again_for_the_rounds_that_are_left() -> None:
    game, counted = await played_at(COURSE, [Cut("<", "DECISION", 5)], "threshold:15", keeps_seats=False)
    assert (game.client.played, game.client.lost, counted.rounds) == (ROUNDS, 1, ROUNDS)


async def test_the_open_round_is_counted_where_all_tries_have_failed() -> None:
    config = Config(port=0, rounds=0, seed=3, decision_clock=NEVER)
    cuts = [Cut("<", "DECISION", 3), *[Cut("<", "BEGIN")] * len(tries.PAUSES)]
    async with serving(config) as server, cutting(server.port, cuts) as port:
        game = Game(port, ROUNDS)
        assert await game.finish() == "the dealer closed the connection without QUIT"
    assert (game.client.lost, game.player.lost) == (1, 1)
    assert game.client.played == game.player.tally.rounds + 1 > 1


async def test_a_message_that_is_cut_off_is_not_taken_for_a_whole_one() -> None:
    """`RESULT WIN +30` is not `RESULT WIN +3`."""
    cut = Cut("<", "RESULT", 3, passed=len("RESULT WIN +3"))
    game, counted = await played_at(VEGAS, [cut], "basic", "30")
    assert game.player.tally.total_payoff == counted.total_payoff


async def test_rules_that_are_cut_off_before_the_first_round_are_asked_for_again() -> None:
    """Where bets are asked they are told before a round has begun."""
    for passed in (30, 160, 230):
        game, counted = await played_at(VEGAS, [Cut("<", "RULES", 1, passed)], "basic", "30")
        assert (game.client.played, game.client.lost, counted.rounds) == (ROUNDS, 0, ROUNDS)


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


async def test_a_question_that_the_clock_has_taken_meanwhile_is_not_answered() -> None:
    """All that comes together with the answer to HISTORY is looked at before."""
    past = '{"your_round":1,"you":0,"outcomes":["WIN"],"seats":[{"payoff":"+1","bet":null}]}'
    taken = "ERROR no answer came in time: your hand stands as it is; RESULT WIN"
    low = "BEGIN; CARD Ten of Clubs; CARD Two of Hearts; DEALER Ten of Clubs; DECISION"
    game, fault = await game_at(
        visits(
            f"{FIRST} > STAND",
            f"> RESUME TOKEN\n {HAND} > HISTORY 1\n {taken}; HISTORY 1 1 {past}; {low} > HISTORY 1\n"
            f" HISTORY 1 1 {past} > HIT\n CARD Nine of Clubs; DECISION > STAND\n RESULT LOOSE; QUIT",
        )
    )
    assert (fault, game.client.played, game.client.lost) == (None, 2, 0)


BETS = f"DECISION BET 10 80 1000 > RULES\n RULES {VEGAS} > BET 30"
TAKEN = "no answer came in time: your bet is 10"
TWENTY = (
    "BEGIN; CARD Ten of Clubs; CARD Ten of Hearts; DEALER Six of Clubs;"
    " DECISION HIT STAND DOUBLE SPLIT SURRENDER"
)


async def betting_at(script: Script) -> tuple[Game, str | None]:
    async with scripted(script) as (_, port):
        game = Game(port, 1, "basic", "30")
        return game, await game.finish()


async def test_a_bet_that_the_clock_has_staked_meanwhile_is_in_doubt() -> None:
    past = '{"your_round":1,"you":0,"outcomes":["WIN"],"seats":[{"payoff":"+1","bet":"10"}]}'
    game, fault = await betting_at(
        visits(
            f"> JOIN ada 1\n {BETS}",
            "> RESUME TOKEN\n DECISION BET 10 80 1000 > HISTORY 1\n"
            f" REFUSED time-over {TAKEN}; {TWENTY}; REFUSED no-round none is kept > STAND\n"
            f" RESULT WIN +10 > HISTORY 1\n HISTORY 1 1 {past}; QUIT",
        )
    )
    assert (fault, game.player.tally.total_payoff, game.player.chips) == (None, 1, 10)


async def test_what_is_said_of_the_clock_is_no_answer_to_keep() -> None:
    late = "ERROR BET 30 came too late: the clock had already staked 10"
    game, fault = await betting_at(
        visits(
            f"> JOIN ada 1\n {BETS}\n ERROR {TAKEN}; {late}",
            f"> RESUME TOKEN\n {TWENTY} > HISTORY 1\n REFUSED no-round none is kept > STAND\n"
            " RESULT WIN +10; QUIT",
        )
    )
    assert (fault, game.client.played, game.client.lost) == (None, 1, 0)


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


async def test_an_error_of_the_players_own_ends_it_and_is_no_lost_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where its output cannot be written: it would fail again at each next connection."""
    async with serving(Config(port=0, rounds=0, seed=3)) as server:
        game = Game(server.port, ROUNDS)

        def cannot_print(*_: object) -> None:
            raise BrokenPipeError

        monkeypatch.setattr(game.player, "settled", cannot_print)
        with pytest.raises(BrokenPipeError):
            await game.finish()
    assert game.notices == []
