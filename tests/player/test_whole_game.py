"""Players of the whole game: the client against scripted dealers, the commands against real ones."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from cards import PRESETS, Card, Decision, Hand, Outcome, Payoff, Rules
from exact.whole.advice import adviser_for
from player.client import Client, connect
from policies.policy import Observation, Situation
from protocol import BetRequest, HandResult, OtherHand
from tests.helpers.peer import WIRE_FORMATS, AsyncPeer
from tests.helpers.processes import command, command_beside, dealing
from tests.helpers.scripted import scripted
from tests.player.test_client import Recorder, ended

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision
VEGAS = "preset=vegas decks=6 reshuffle=penetration:0.75 ace=either dealer-stands=hard17 naturals=3:2 seats=1"
WHOLE = (
    " double=any double-after-split=yes split=4 split-aces=again surrender=late insurance=yes hole-card=peek"
)


class Player(Recorder):
    """Writes down the rest of the whole game too, and bets what it was given."""

    def __init__(self, decisions: tuple[Decision, ...], bets: tuple[int, ...] = ()) -> None:
        super().__init__(decisions)
        self.paid: list[tuple[Payoff | None, Payoff | None]] = []
        self.seen: list[Observation] = []
        self.client: Client
        self._bets = list(bets)

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        self.seen.append(observation)
        return super().asked(observation, hand)

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        super().settled(outcome, hand)
        self.paid.append((self.client.payoff, self.client.chips))

    def asked_for_bet(self, request: BetRequest) -> int | None:
        self.events.append(f"bet {request.minimum} to {request.maximum} of {request.bankroll}")
        return self._bets.pop(0)

    def shuffled(self) -> None:
        self.events.append("shuffled")

    def hand_begun(self, number: int, hands: int) -> None:
        totals = [each.total for each in self.client.hands]
        self.events.append(f"hand {number} of {hands}: {totals}")

    def saw_dealer(self, card: Card) -> None:
        self.events.append(f"dealer {card}")

    def saw_other(self, message: OtherHand) -> None:
        self.events.append(f"other {message.name}")

    def hand_settled(self, message: HandResult) -> None:
        self.events.append(f"hand {message.hand} {message.outcome.value} {message.payoff}")


async def sat_down(address: tuple[str, int], player: Player, rules: Rules | None = None) -> Client:
    host, port = address
    websocket = host if host.startswith("ws:") else None
    player.client = Client(player, "a", address=websocket, rules=rules or Rules(), whole=player)
    await connect(player.client, "127.0.0.1", port)
    return player.client


@pytest.mark.parametrize("wire_format", [each for each in WIRE_FORMATS if each != "classic"])
async def test_a_round_of_splits(wire_format: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say("SHUFFLE", "DECISION BET 10 80 1000", "NEWS of something to come")
        assert await peer.hear() == "BET 20"
        await peer.say("BEGIN", "CARD Eight of Spades", "CARD Eight of Hearts", "DEALER Six of Clubs")
        await peer.say("DECISION HIT STAND DOUBLE SPLIT SURRENDER")
        assert await peer.hear() == "SPLIT"
        await peer.say("HAND 1 2", "CARD Eight of Clubs", "DECISION HIT STAND DOUBLE SPLIT")
        assert await peer.hear() == "SPLIT"
        await peer.say("HAND 1 3", "CARD Three of Clubs", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD Ten of Clubs", "HAND 2 3", "CARD Ten of Hearts", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "STAND"
        await peer.say("HAND 3 3", "CARD King of Hearts", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "STAND"
        await peer.say("DEALER Ten of Diamonds", "DEALER Three of Spades")
        await peer.say(
            "HAND 1 3 WIN +40", "HAND 2 3 LOOSE -20", "HAND 3 3 LOOSE -20", "RESULT PUSH 0", "QUIT"
        )

    player = Player((SPLIT, SPLIT, DOUBLE, STAND, STAND), (20,))
    async with scripted(dealer, wire_format) as address:
        client = await sat_down(address, player, PRESETS["vegas"])
        assert await ended(client) is None
    assert player.events == [
        "shuffled",
        "bet 10 to 80 of 1000",
        "began",
        "dealt Eight of Spades",
        "dealt Eight of Hearts",
        "saw Six of Clubs",
        "asked hard 16 against 6",
        "hand 0 of 2: [8, 8]",
        "dealt Eight of Clubs",
        "asked hard 16 against 6",
        "hand 0 of 3: [8, 8, 8]",
        "dealt Three of Clubs",
        "asked hard 11 against 6",
        "dealt Ten of Clubs",
        "hand 1 of 3: [21, 8, 8]",
        "dealt Ten of Hearts",
        "asked hard 18 against 6",
        "hand 2 of 3: [21, 18, 8]",
        "dealt King of Hearts",
        "asked hard 18 against 6",
        "dealer Ten of Diamonds",
        "dealer Three of Spades",
        "hand 0 WIN 40",
        "hand 1 LOSE -20",
        "hand 2 LOSE -20",
        "settled PUSH with 21",
    ]
    assert [seen.pair for seen in player.seen] == [8, 8, 0, 0, 0]
    first = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
    assert client.decided == [
        (Situation((8, 8), 6, False, first), SPLIT),
        (Situation((8, 8), 6, True, first[:-1]), SPLIT),
        (Situation((3, 8), 6, True, first[:-2]), DOUBLE),
        (Situation((8, 10), 6, True, first[:-2]), STAND),
        (Situation((8, 10), 6, True, first[:-2]), STAND),
    ]
    assert player.seen[0].options == (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
    assert player.paid == [(0, 0)]


async def test_insurance_a_natural_and_chips_that_are_not_whole() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say("DECISION BET 5 80 1000")
        assert await peer.hear() == "BET 5"
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD King of Hearts", "DEALER Ace of Clubs")
        await peer.say("DECISION INSURE DECLINE")
        assert await peer.hear() == "INSURE"
        await peer.say("DEALER Nine of Clubs", "RESULT WIN +5")
        await peer.say("DECISION BET 5 80 1005")
        assert await peer.hear() == "BET 7"
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD King of Hearts", "DEALER Two of Clubs")
        await peer.say("DEALER Nine of Clubs", "RESULT WIN +10.5", "QUIT")

    player = Player((INSURE,), (5, 7))
    async with scripted(dealer) as address:
        assert await ended(await sat_down(address, player)) is None
    assert player.seen == [Observation(21, True, 11, 0, (INSURE, DECLINE))]
    assert player.paid == [(1, 5), (Fraction(3, 2), Fraction(21, 2))]


async def test_a_pair_is_seen_where_it_may_be_given_up_before_the_peek() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN a"
        await peer.say("BEGIN", "CARD Eight of Spades", "CARD Eight of Hearts", "DEALER Ace of Clubs")
        await peer.say("DECISION SURRENDER DECLINE")
        assert await peer.hear() == "SURRENDER"
        await peer.say("RESULT SURRENDER -0.5", "QUIT")

    player = Player((SURRENDER,))
    async with scripted(dealer) as (_, port):
        player.client = Client(player, "a", rules=PRESETS["vegas"], whole=player)
        await connect(player.client, "127.0.0.1", port)
        assert await ended(player.client) is None
    assert player.seen == [Observation(16, False, 11, 8, (SURRENDER, DECLINE))]


# The command.


async def test_a_person_plays_the_whole_game(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("DECISION BET 10 80 1000")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE} bets=10-80")
        assert await peer.hear() == "SHOW"
        assert await peer.hear() == "BET 20"
        await peer.say("BEGIN", "CARD Eight of Spades", "CARD Eight of Hearts", "DEALER Ace of Clubs")
        await peer.say("DECISION INSURE DECLINE")
        assert await peer.hear() == "DECLINE"
        await peer.say("DECISION HIT STAND DOUBLE SPLIT SURRENDER")
        assert await peer.hear() == "SPLIT"
        await peer.say("HAND 1 2", "CARD Ten of Spades", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "STAND"
        await peer.say("HAND 2 2", "CARD Three of Spades", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD Nine of Diamonds", "DEALER Eight of Clubs")
        await peer.say("HAND 1 2 LOOSE -20", "HAND 2 2 WIN +40", "RESULT WIN +20", "DECISION BET 10 80 1020")
        assert await peer.hear() == "BET 20"
        await peer.say("BEGIN", "CARD Ace of Spades", "CARD King of Hearts", "DEALER Two of Clubs")
        await peer.say("DEALER Nine of Clubs", "RESULT WIN +30", "DECISION BET 10 80 1050")
        assert await peer.hear() == "BET 80"
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
        await peer.say("DECISION HIT STAND DOUBLE SURRENDER")
        assert await peer.hear() == "QUIT"

    typed = "5\n20\ns\nn\n?\np\ns\nd\n\n80\nq\n"
    async with scripted(dealer) as (host, port):
        done = await command_beside("player", host, port, "--policy=human", cwd=tmp_path, typed=typed)
    assert (done.status, done.err) == (0, "")
    said = iter(done.out.splitlines())
    for expected in (  # in this order, with other lines between them
        "Your bet, 10 to 80 of 1000 chips: Enter for 10, [q]uit or ? 5",
        "'5' is not an answer: expected 10 to 80, q or ?",
        "Round 1",
        "Your hand: Eight of Spades, Eight of Hearts: hard 16.",
        "[i]nsure, [n]o, [q]uit or ? s",
        "'s' is not an answer: expected i, n, q or ?",
        "[i]nsure, [n]o, [q]uit or ? n",
        "[h]it, [s]tand, [d]ouble, s[p]lit, su[r]render, [q]uit or ? ?",
        "p  SPLIT: two hands of this pair, each with a stake of its own.",
        "Hand 1 of 2: Eight of Spades.",
        "You get the Ten of Spades.",
        "[h]it, [s]tand, [d]ouble, [q]uit or ? s",
        "Hand 2 of 2: Eight of Hearts.",
        "You get the Nine of Diamonds.",
        "The dealer has the Ace of Clubs and the Eight of Clubs: 19.",
        "Hand 1, Eight of Spades, Ten of Spades: hard 18: lose, -20 chips.",
        "Hand 2, Eight of Hearts, Three of Spades, Nine of Diamonds: hard 20: win, +40 chips.",
        "You win. Payoff +20 chips. Score: 1 won, 0 pushed, 0 lost. In all +20 chips.",
        "Your bet, 10 to 80 of 1020 chips: Enter for 20, [q]uit or ? ",
        "Your hand: Ace of Spades, King of Hearts: soft 21.",
        "The dealer has the Two of Clubs and the Nine of Clubs: 11.",
        "You win with a natural. Payoff +30 chips.",
        "You leave an open hand, which is lost.",
        "won in all: -30 chips",
    ):
        assert any(expected in line for line in said), expected


async def test_every_decision_of_a_person_counts_in_the_ev_lost(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("BEGIN")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE}")
        assert await peer.hear() == "SHOW"
        await peer.say("CARD Eight of Spades", "CARD Eight of Hearts", "DEALER Ace of Clubs")
        await peer.say("DECISION INSURE DECLINE")
        assert await peer.hear() == "INSURE"
        await peer.say("DECISION HIT STAND DOUBLE SPLIT SURRENDER")
        assert await peer.hear() == "SPLIT"
        await peer.say("HAND 1 2", "CARD Ten of Spades", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "HIT"
        await peer.say("CARD Two of Spades", "DECISION HIT STAND")
        assert await peer.hear() == "STAND"
        # In one message, so that the next line that was typed is no answer to this question.
        await peer.say(
            *("HAND 2 2", "CARD Three of Spades", "DECISION HIT STAND DOUBLE"),
            *("ERROR no answer came in time: your hand stands as it is", "DEALER Eight of Clubs"),
        )
        await peer.say("HAND 1 2 WIN +1", "HAND 2 2 LOOSE -1", "RESULT LOOSE -0.5")
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
        await peer.say("DECISION HIT STAND DOUBLE SURRENDER")
        assert await peer.hear() == "SURRENDER"
        await peer.say("DEALER Eight of Clubs", "RESULT SURRENDER -0.5", "QUIT")

    options = ("--policy=human", "--json")
    async with scripted(dealer) as (host, port):
        typed = "i\np\nh\ns\nr\n"
        done = await command_beside("player", host, port, *options, cwd=tmp_path, typed=typed)
    play = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
    costs = [
        adviser_for(PRESETS["vegas"]).cost(Situation(cards, upcard, is_split, allowed), decision)
        for cards, upcard, is_split, allowed, decision in (
            ((8, 8), 11, False, (INSURE, DECLINE), INSURE),
            ((8, 8), 11, False, play, SPLIT),
            ((8, 10), 11, True, play[:3], HIT),
            ((2, 8, 10), 11, True, play[:2], STAND),
            ((3, 8), 11, True, play[:3], STAND),
            ((6, 10), 10, False, (*play[:3], SURRENDER), SURRENDER),
        )
    ]
    assert [cost > 0 for cost in costs] == [True, True, True, False, True, False]
    lost = json.loads(done.out)["ev_lost"]
    assert (lost["rounds"], lost["decisions"]) == (2, 6)
    assert lost["per_decision"] == pytest.approx(sum(costs) / 6, abs=1e-15)
    assert lost["per_round"] == pytest.approx(sum(costs) / 2, abs=1e-15)


async def test_a_planned_bet_and_a_hand_that_busts_are_told(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("DECISION BET 10 80 1000")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE} bets=10-80")
        assert [await peer.hear(), await peer.hear()] == ["SHOW", "BET 20"]
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Nine of Hearts", "DEALER Ten of Clubs")
        await peer.say("DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD King of Hearts", "RESULT BUST -40", "QUIT")

    options = ("--policy=human", "--bet=20")
    async with scripted(dealer) as (host, port):
        done = await command_beside("player", host, port, *options, cwd=tmp_path, typed="d\n")
    assert "You bet 20 of 1000 chips.\n" in done.out
    assert "You get the King of Hearts. 29: bust.\n" in done.out
    assert "won in all: -40 chips\n" in done.out


@pytest.mark.parametrize("typed", ["10\ns\n10\n", ""])
async def test_who_cannot_pay_the_least_bet_any_more_is_told_so(tmp_path: Path, typed: str) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("DECISION BET 10 15 15")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE} bets=10-80")
        assert [await peer.hear() for _ in range(1 + bool(typed))][-1] == "BET 10"
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
        await peer.say("DECISION HIT STAND")
        assert await peer.hear() == "STAND"
        await peer.say("RESULT LOOSE -10", "QUIT")

    policy = "--policy=human" if typed else "--policy=threshold:12"
    async with scripted(dealer) as (host, port):
        done = await command_beside("player", host, port, policy, cwd=tmp_path, typed=typed)
    told = "player: your 5 chips do not cover the least bet of 10: the dealer ends the game\n"
    assert (done.status, done.err) == (0, told)


@pytest.mark.parametrize(
    ("cards", "dealer_card", "result", "told"),
    [
        ("Five Four", "King", "PUSH 0", "You lose with 9. The insurance wins: +20. Payoff 0 chips."),
        ("Ace King", "King", "WIN +20", "Push with a natural: nobody wins. The insurance wins: +20."),
        ("King Queen", "Nine", "LOOSE -10", "Push with 20: nobody wins. The insurance loses: -10."),
        ("King Queen", "Eight", "WIN +10", "You win with 20. The insurance loses: -10. Payoff +10 chips."),
    ],
)
async def test_the_hand_and_its_insurance_are_told_each(
    tmp_path: Path, cards: str, dealer_card: str, result: str, told: str
) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("DECISION BET 10 80 1000")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE} bets=10-80")
        assert [await peer.hear(), await peer.hear()] == ["SHOW", "BET 20"]
        await peer.say("BEGIN", *(f"CARD {rank} of Spades" for rank in cards.split()), "DEALER Ace of Clubs")
        await peer.say("DECISION INSURE DECLINE")
        assert await peer.hear() == "INSURE"
        await peer.say(f"DEALER {dealer_card} of Clubs", f"RESULT {result}", "QUIT")

    async with scripted(dealer) as (host, port):
        done = await command_beside("player", host, port, "--policy=human", cwd=tmp_path, typed="20\ni\n")
    assert told in done.out


@pytest.mark.parametrize("options", [(), ("--bets=10-80", "--bet=count:1-8"), ("--bets=5-50", "--bet=15")])
@pytest.mark.parametrize(
    ("preset", "policy"),
    [("vegas", "basic"), ("reno", "basic"), ("europe", "basic"), ("vegas", "random"), ("vegas", "qtable")],
)
def test_policies_play_at_a_real_dealer(
    tmp_path: Path, preset: str, policy: str, options: tuple[str, ...]
) -> None:
    given = (f"--rules={preset}", f"--policy={policy}", *options)
    done = command("player", "--local", "--seed=1", "--rounds=60", "--json", *given, cwd=tmp_path)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert (document["rounds"], document["rules"]["preset"]) == (60, preset)
    assert document["no_exact_value"] is None
    assert document["ev_lost"]["rounds"] == 60, "no round was one that the rules do not allow"
    assert -0.4 < document["exact"]["value"] < 0
    assert (document["exact"]["gap"] == 0) == (policy == "basic")
    assert ("chips" in document) == bool(options)
    assert document["mean_payoff"] * 120 == pytest.approx(round(document["mean_payoff"] * 120))
    if options[-1:] == ("--bet=15",):
        assert document["chips"] == pytest.approx(15 * 60 * document["mean_payoff"])
    assert ("playing by the table" in done.err) == (policy == "qtable")


@pytest.mark.parametrize(
    "options",
    [
        ("--rules=vegas", "--surrender=early", "--split-aces=play", "--double=always", "--decks=1"),
        ("--rules=europe", "--hole-card=obo", "--insurance=yes", "--surrender=early", "--decks=inf"),
    ],
)
def test_random_decisions_cost_what_random_play_is_worth_less(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    given = ("--local", "--seed=1", "--rounds=400", "--json", "--policy=random", "--reshuffle=round")
    done = command("player", *given, *options, cwd=tmp_path)
    assert done.status == 0, done
    document = json.loads(done.out)
    lost = document["ev_lost"]
    assert lost["rounds"] == 400, "no round was one that the rules do not allow"
    gap = document["exact"]["composition_dependent"] - document["mean_payoff"]
    assert abs(lost["per_round"] - gap) < 4 * (document["standard_error"] + lost["standard_error"])


def test_a_person_is_told_what_the_dealer_has_at_an_older_table_too(tmp_path: Path) -> None:
    options = ("--local", "--seed=3", "--rounds=1")
    said = command("player", *options, cwd=tmp_path, typed="s\n").out
    assert re.search(
        r"\n  The dealer has the Three of Spades, [^:]* and [^:]*: 26, bust\.\n  You win with 15\.", said
    )


def test_a_bet_where_none_is_asked_is_refused(tmp_path: Path) -> None:
    done = command("player", "--local", "--bet=5", "--policy=random", cwd=tmp_path)
    assert (done.status, done.out) == (1, "")
    assert "--bet 5 makes no sense at this table: it asks for no bets" in done.err
    done = command("player", "--local", "--bet=five", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")


async def test_a_bet_that_the_dealer_does_not_ask_for_ends_the_game_before_it_begins(tmp_path: Path) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN player1"
        await peer.say("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs")
        await peer.say("DECISION HIT STAND DOUBLE SURRENDER")
        assert await peer.hear() == "RULES"
        await peer.say(f"RULES {VEGAS}{WHOLE}")
        assert await peer.hear() == "QUIT"

    async with scripted(dealer) as (host, port):
        options = ("--bet=count:1-8", "--policy=threshold:12")
        done = await command_beside("player", host, port, *options, cwd=tmp_path)
    assert done.status == 1
    assert "--bet count:1-8 makes no sense at this table" in done.err


def test_training_learns_by_hand_at_a_table_with_bets(tmp_path: Path) -> None:
    with_bets = ("--rules=vegas", "--bets=10-80", "--bankroll=1000000")
    with dealing(tmp_path, 0, *with_bets) as port:
        options = ("--connections=2", "--seed=1", "--json", "--method=random-play")
        done = command("training", "127.0.0.1", port, 300, *options, cwd=tmp_path)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert (document["end"], document["rounds"], document["table_rounds"]) == ("done", 300, 300)
    assert document["grade"]["gap"] > 0
    assert abs(document["mean_payoff"]) <= 3
    text = (tmp_path / "qtables/qtable.txt").read_text()
    assert "# columns: hand upcard action value count" in text
    assert " DOUBLE " in text and " SPLIT " in text
