"""`RemoteBlackjackEnv` at dealers that follow a script, are silent, or are not there."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from gymnasium.error import ResetNeeded

from cards import PRESETS, Rules, RulesError
from tests.helpers.agents import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER
from tests.helpers.peer import AsyncPeer
from tests.helpers.remote import following, on_a_thread, saying, seated
from tests.helpers.scripted import original_dealer, unused_port
from tests.twentyone.environments.comparing import plain
from tests.twentyone.environments.making import BOTH, allowed
from twentyone.environments.connecting import DealerGoneError
from twentyone.environments.remote import RemoteBlackjackEnv

VEGAS = f"RULES {PRESETS['vegas']}"
AGAINST_AN_ACE = [
    "CARD Ten of Hearts",
    "CARD Nine of Clubs",
    "DEALER Ace of Clubs",
    "DECISION INSURE DECLINE",
]
EIGHTS = ["CARD Eight of Hearts", "CARD Eight of Clubs", "DEALER Two of Clubs"]


def test_two_aces_that_count_11_are_bust_before_anything_is_asked() -> None:
    rules = "RULES preset=course decks=1 reshuffle=round ace=11 dealer-stands=all17 naturals=equal seats=1"
    cards = ["CARD Ace of Hearts", "CARD Ace of Clubs", "DEALER Two of Clubs"]
    with on_a_thread(saying(rules, "BEGIN", *cards, "RESULT BUST")) as port, seated(port) as env:
        assert env.reset()[0] == (22, 2, 0)
        assert plain(env.step(HIT)) == ((22, 2, 0), -1.0, True, False, BOTH | {"outcome": "BUST"})


def test_where_the_dealers_clock_decided_the_round_is_over() -> None:
    hand = ["CARD Ten of Hearts", "CARD Nine of Clubs", "DEALER Two of Clubs"]
    next_hand = ["CARD Two of Hearts", "CARD Three of Clubs", "DEALER Four of Clubs"]
    lines = ["ERROR no RULES here", "BEGIN", *hand, "DECISION", "RESULT WIN", "BEGIN", *next_hand, "DECISION"]
    heard: list[str] = []
    with on_a_thread(saying(*lines, heard=heard)) as port, seated(port) as env:
        assert env.reset()[0] == (19, 2, 0)
        assert plain(env.step(HIT)) == ((19, 2, 0), 1.0, True, False, BOTH | {"outcome": "WIN"})
        assert env.reset()[0] == (5, 4, 0)
    assert heard == ["RULES", "QUIT"]  # the HIT would have come too late, in the next hand


def test_the_original_dealer_is_answered_in_its_own_way() -> None:
    @asynccontextmanager
    async def original() -> AsyncIterator[int]:
        async with original_dealer(rounds=2) as port:
            yield port

    with on_a_thread(original) as port, seated(port) as env:
        for _ in range(2):
            env.reset()
            assert env.rules == Rules()
            assert env.step(STAND)[2]
        with pytest.raises(DealerGoneError, match="deals no more rounds"):
            env.reset()


def test_a_dealer_that_does_not_know_rules_gets_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twentyone.environments.wire.RULES_TIMEOUT", 0.05)

    async def silent_on_rules(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say("BEGIN", "CARD Ace of Hearts", "CARD Six of Clubs", "DEALER Ace of Clubs", "DECISION")
        assert await peer.hear() == "RULES"
        assert await peer.hear() == "STAND"
        await peer.say("RESULT PUSH")
        assert await peer.hear() == "QUIT"

    with on_a_thread(following(silent_on_rules)) as port, seated(port, render_mode="ansi") as env:
        assert env.reset()[0] == (17, 11, 1)
        assert str(env.render()).splitlines() == [
            "dealer: Ace of Clubs",
            "player: Ace of Hearts, Six of Clubs (soft 17)",
        ]
        assert plain(env.step(STAND)) == ((17, 11, 1), 0.0, True, False, BOTH | {"outcome": "PUSH"})
        assert str(env.render()).splitlines()[2:] == ["PUSH: +0"]


def test_where_the_dealers_clock_declined_a_step_only_looks_and_a_late_answer_is_given_again() -> None:
    """The dealer takes the first STAND for the answer that it had waited for in vain, and refuses it."""
    clock = ["ERROR no answer came in time: that is taken as DECLINE", "DECISION HIT STAND DOUBLE SURRENDER"]
    refused = "ERROR STAND came too late: the clock had already declined"
    heard: list[str] = []

    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(VEGAS, "BEGIN", *AGAINST_AN_ACE, *clock)
        assert await peer.hear() == "RULES"
        heard.append(await peer.hear())
        await peer.say(refused)
        heard.append(await peer.hear())
        await peer.say("DEALER Eight of Clubs", "RESULT PUSH 0")
        heard.append(await peer.hear())

    with on_a_thread(following(script)) as port, seated(port) as env:
        observation, info = env.reset()
        assert (observation[5], allowed(info)) == (1, [STAND, INSURE])
        with pytest.raises(ValueError, match="the action is 2"):
            env.step(DOUBLE)  # what is not allowed is not sent
        observation, reward, is_over, _, info = env.step(INSURE)  # nor is this
        assert (observation, reward, is_over) == ((19, 11, 0, 0, 1, 0), 0.0, False)
        assert allowed(info) == [HIT, STAND, DOUBLE, SURRENDER]
        assert not env._shown().insured
        observation, reward, is_over, _, info = env.step(STAND)
        assert (observation[0], reward, is_over, info["dealer_total"]) == (19, 0.0, True, 19)
    assert heard == ["STAND", "STAND", "QUIT"]


def test_split_hands_are_drawn_and_the_dealer_s_cards_at_the_end() -> None:
    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(VEGAS, "BEGIN", *EIGHTS, "DECISION HIT STAND SPLIT SURRENDER")
        assert await peer.hear() == "RULES"
        assert await peer.hear() == "SPLIT"
        await peer.say("HAND 1 2", "CARD Three of Hearts", "DECISION HIT STAND DOUBLE")
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD Ten of Hearts", "HAND 2 2", "CARD Ten of Clubs", "DECISION HIT STAND")
        assert await peer.hear() == "STAND"
        await peer.say("DEALER Ten of Diamonds", "DEALER Ten of Spades")
        await peer.say("HAND 1 2 WIN +2", "HAND 2 2 WIN +1", "RESULT WIN +3")
        assert await peer.hear() == "QUIT"

    with on_a_thread(following(script)) as port, seated(port, render_mode="ansi") as env:
        assert env.reset()[0] == (16, 2, 0, 8, 1, 0)
        assert env.step(SPLIT)[0] == (11, 2, 0, 0, 2, 0)
        assert env.step(DOUBLE)[0] == (18, 2, 0, 0, 2, 0)
        assert [(one.hand.total, one.stake) for one in env._shown().hands] == [(21, 2), (18, 1)]
        observation, reward, is_over, _, info = env.step(STAND)
        assert (observation, reward, is_over) == ((18, 2, 0, 0, 2, 0), 3.0, True)
        assert (info["outcome"], info["dealer_total"], allowed(info)) == ("WIN", 22, [STAND])
        assert str(env.render()).splitlines() == [
            "dealer: Two of Clubs, Ten of Diamonds, Ten of Spades",
            "player, hand 1 of 2: Eight of Hearts, Three of Hearts, Ten of Hearts (hard 21)",
            "player, hand 2 of 2: Eight of Clubs, Ten of Clubs (hard 18)",
            "WIN: +3",
        ]


def test_a_missing_dealer_is_reported_in_a_sentence() -> None:
    port = unused_port()
    with seated(port) as env, pytest.raises(DealerGoneError) as gone:
        env.reset()
    assert str(gone.value) == f"there is no dealer at 127.0.0.1 port {port}: connection refused"
    for host, number in (("127.0.0.1", 70_000), ("a" * 300, 1), ("a..b", 1)):
        with pytest.raises(DealerGoneError, match=f"^there is no dealer at {host} port {number}: [a-z]"):
            RemoteBlackjackEnv(host, number).reset()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["ERROR too many players"], r"closed the connection: too many players$"),
        (["BEGIN", "BEGIN"], r"broke the protocol: BEGIN is not allowed now: expected "),
        (["BEGIN", "CARD Ten of Cups"], r"broke the protocol: "),
        (["x" * 70_000], r"broke the protocol: a line is longer than 65536 bytes$"),
        ([VEGAS, "BEGIN", *EIGHTS, "HAND 1 3"], r"broke the protocol: HAND has 3 hands: expected 1$"),
        ([], r"closed the connection$"),
    ],
)
def test_a_dealer_that_goes_wrong_is_left_with_a_sentence(lines: list[str], sentence: str) -> None:
    with on_a_thread(saying(*lines, waits=False)) as port, seated(port) as env:
        with pytest.raises(DealerGoneError, match=sentence):
            env.reset()
        with pytest.raises(ResetNeeded):
            env.step(STAND)


def test_a_dealer_that_says_nothing_is_not_waited_for_without_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        env = RemoteBlackjackEnv(port=server.getsockname()[1], timeout=0.1)
        with pytest.raises(DealerGoneError, match=r"says nothing for 0\.1 s$"):
            env.reset()


def test_a_table_without_a_dealer_is_refused() -> None:
    lines = ("RULES preset=showdown seats=2", "BEGIN", "CARD Ace of Hearts", "CARD Ace of Clubs", "DECISION")
    told = "the dealer plays showdown, which has no upcard"
    with on_a_thread(saying(*lines)) as port, seated(port) as env, pytest.raises(RulesError, match=told):
        env.reset()
