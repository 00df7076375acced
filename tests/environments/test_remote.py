"""`RemoteBlackjackEnv` at real dealers, and at peers that follow a script or are silent."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from math import inf, nan
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

import environments
from cards import PRESETS, Outcome, Rules, RulesError, shoe_for
from environments.blackjack import BlackjackEnv
from environments.chance import CountedRandom, key_of
from environments.registration import REMOTE_BLACKJACK
from environments.remote import RemoteBlackjackEnv
from environments.wire import DealerGoneError
from support.limits import raise_open_files
from tests.environments.comparing import assert_no_fault, plain
from tests.helpers.house import open_house
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import AsyncPeer
from tests.helpers.scripted import Script, deal_rounds, original_dealer, scripted, unused_port

HIT, STAND = 0, 1
BOTH = {"action_mask": ("int8", [1, 1])}
WITH_DEALER = [name for name, rules in PRESETS.items() if rules.has_dealer and not rules.is_whole]
PAYOFFS = {outcome.value: outcome.payoff for outcome in Outcome}

gymnasium.register_envs(environments)


@contextmanager
def seated(port: int, **options: Any) -> Iterator[RemoteBlackjackEnv]:
    env = gymnasium.make(REMOTE_BLACKJACK, host="127.0.0.1", port=port, timeout=PATIENCE, **options).unwrapped
    assert isinstance(env, RemoteBlackjackEnv)
    try:
        yield env
    finally:
        env.close()


@contextmanager
def on_a_thread(peer: Callable[[], AbstractAsyncContextManager[int]]) -> Iterator[int]:
    """A peer on a separate loop, since the environment blocks; yields its port."""
    ports: list[int] = []
    is_open, is_done = threading.Event(), threading.Event()

    async def serve() -> None:
        async with peer() as port:
            ports.append(port)
            is_open.set()
            await asyncio.to_thread(is_done.wait, PATIENCE)

    faults: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as fault:
            faults.append(fault)
            is_open.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert is_open.wait(PATIENCE) and not faults, faults
    try:
        yield ports[0]
    finally:
        is_done.set()
        thread.join(PATIENCE)
    assert not faults, faults


def saying(
    *lines: str, waits: bool = True, heard: list[str] | None = None
) -> Callable[[], AbstractAsyncContextManager[int]]:
    """A dealer that hears a JOIN, says its rules and these lines, and then waits for the player to leave.

    What it hears after the JOIN is added to `heard`.
    """

    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(*lines)
        while waits and (line := await peer.hear()):
            if heard is not None:
                heard.append(line)

    return following(script)


def following(script: Script) -> Callable[[], AbstractAsyncContextManager[int]]:
    """A dealer that follows a script."""

    @asynccontextmanager
    async def peer() -> AsyncIterator[int]:
        async with scripted(script) as (_, port):
            yield port

    return peer


def test_gymnasium_finds_no_fault() -> None:
    with open_house() as house, seated(house.port) as env:
        assert_no_fault(env)


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_rounds_end_as_the_dealer_counts_them(preset: str) -> None:
    rules = PRESETS[preset]
    counts = dict.fromkeys(PAYOFFS, 0)
    with open_house(rules=rules, seed=8) as house:
        with seated(house.port, name="learner") as env:
            for number in range(200):
                observation, info = env.reset()
                assert (env.rules, plain(info)) == (rules, BOTH)
                is_over = False
                while not is_over:
                    assert observation in env.observation_space
                    before = observation
                    action = HIT if observation[0] < 9 + number % 9 else STAND
                    observation, reward, is_over, _, info = env.step(action)
                    assert observation[1] == before[1]
                    assert reward == (PAYOFFS[info["outcome"]] if is_over else 0)
                    assert observation[0] > 21 or not is_over or action == STAND
                counts[info["outcome"]] += 1
        # The dealer forfeits a hand that was open when the player left.
        assert eventually(lambda: house.tally("learner").rounds == 201)
        tally = house.tally("learner")
    told = {outcome.value: count for outcome, count in tally.counts.items()}
    told["LOSE"] -= 1
    assert told == counts


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_on_the_same_cards_it_is_the_same_as_the_one_here(preset: str) -> None:
    rules, seed = PRESETS[preset], 6
    alone, coin = BlackjackEnv(rules), CountedRandom(key_of(77))
    with open_house(rules=rules) as house:
        house.server.shoes = lambda _, __: shoe_for(rules, CountedRandom(key_of(seed)))
        with seated(house.port) as env:
            for number in range(150):
                assert plain(env.reset()) == plain(alone.reset(seed=None if number else seed))
                is_over = False
                while not is_over:
                    action = coin(2)
                    observation, reward, is_over, is_cut, info = alone.step(action)
                    info.pop("dealer_total", None)  # players do not learn it
                    assert plain(env.step(action)) == plain((observation, reward, is_over, is_cut, info))


def test_a_reset_in_an_open_round_stands() -> None:
    with open_house(seed=4) as house:
        with seated(house.port, name="restless") as env:
            for _ in range(10):
                env.reset(seed=1)
        assert eventually(lambda: house.tally("restless").rounds == 10)
        assert house.tally("restless").counts[Outcome.BUST] == 0


def test_closing_twice_is_fine_and_a_reset_joins_again() -> None:
    with open_house() as house, seated(house.port) as env:
        env.close()
        env.reset()
        env.close()
        env.close()
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
            env.step(STAND)
        env.reset()
        assert env.step(STAND)[2]
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
            env.step(STAND)


def test_it_plays_with_more_files_open_than_select_can_watch() -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if raise_open_files(1_500) < 1_500:
        pytest.skip("the system lets nobody have 1,500 files open")
    try:
        with open_house() as house, ExitStack() as files:
            for _ in range(1_024):
                files.enter_context(Path(os.devnull).open("rb"))
            with seated(house.port) as env:
                for _ in range(10):
                    env.reset()
                    assert env.step(STAND)[2]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_its_cards_are_drawn_as_text() -> None:
    with open_house(seed=1) as house, seated(house.port, render_mode="ansi") as env:
        env.reset()
        assert str(env.render()).count(" of ") == 3
        _, reward, _, _, info = env.step(STAND)
        assert str(env.render()).splitlines()[2] == f"{info['outcome']}: {reward:+.0f}"


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
        async with original_dealer(rounds=3) as port:
            yield port

    with on_a_thread(original) as port, seated(port) as env:
        for _ in range(3):
            env.reset()
            assert env.rules == Rules()
            assert env.step(STAND)[2]
        with pytest.raises(DealerGoneError, match="deals no more rounds"):
            env.reset()


def test_a_dealer_that_does_not_know_rules_gets_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("environments.wire.RULES_TIMEOUT", 0.05)

    @asynccontextmanager
    async def silent_on_rules() -> AsyncIterator[int]:
        async def script(peer: AsyncPeer) -> None:
            assert (await peer.hear()).startswith("JOIN ")
            await peer.say(
                "BEGIN", "CARD Ace of Hearts", "CARD Six of Clubs", "DEALER Ace of Clubs", "DECISION"
            )
            assert await peer.hear() == "RULES"
            assert await peer.hear() == "STAND"
            await peer.say("RESULT PUSH")
            assert await deal_rounds(peer, 1) == 0  # it leaves

        async with scripted(script) as (_, port):
            yield port

    with on_a_thread(silent_on_rules) as port, seated(port) as env:
        assert env.reset()[0] == (17, 11, 1)
        assert plain(env.step(STAND)) == ((17, 11, 1), 0.0, True, False, BOTH | {"outcome": "PUSH"})


def test_a_missing_dealer_is_reported_in_a_sentence() -> None:
    port = unused_port()
    with seated(port) as env, pytest.raises(DealerGoneError) as gone:
        env.reset()
    assert str(gone.value) == f"there is no dealer at 127.0.0.1 port {port}: connection refused"
    with pytest.raises(DealerGoneError, match=r"^there is no dealer at 127\.0\.0\.1 port 70000: "):
        RemoteBlackjackEnv(port=70_000).reset()


@pytest.mark.parametrize("host", ["a" * 300, "a..b"])
def test_an_invalid_host_has_no_dealer(host: str) -> None:
    with pytest.raises(DealerGoneError, match=f"^there is no dealer at {host} port 1: [a-z]"):
        RemoteBlackjackEnv(host, 1).reset()


def test_a_dealer_that_has_dealt_all_its_rounds_is_over_and_can_be_joined_no_more() -> None:
    with open_house(rounds=2) as house, seated(house.port) as env:
        for _ in range(2):
            env.reset()
            env.step(STAND)
        with pytest.raises(DealerGoneError, match="deals no more rounds"):
            env.reset()
        house.wait()
        with pytest.raises(DealerGoneError, match="there is no dealer at"):
            env.reset()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["ERROR too many players"], r"closed the connection: too many players$"),
        (["BEGIN", "BEGIN"], r"broke the protocol: BEGIN is not allowed now: expected "),
        (["BEGIN", "CARD Ten of Cups"], r"broke the protocol: "),
        (["x" * 70_000], r"broke the protocol: a line is longer than 65536 bytes$"),
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
    rules = "RULES preset=showdown seats=2"
    cards = ["CARD Ace of Hearts", "CARD Ace of Clubs"]
    told = "the dealer plays showdown, which has no upcard"
    peer = saying(rules, "BEGIN", *cards, "DECISION")
    with on_a_thread(peer) as port, seated(port) as env, pytest.raises(RulesError, match=told):
        env.reset()


NO_NAME = "a name is 1 to 32 printable characters, no blank at an end and no two in a row"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"name": "two  blanks"}, NO_NAME),
        ({"name": ""}, NO_NAME),
        ({"timeout": 0}, "timeout is 0: expected seconds, more than 0"),
        ({"timeout": -1}, "timeout is -1: expected seconds, more than 0"),
        ({"timeout": nan}, "timeout is nan: expected seconds, more than 0"),
        ({"timeout": inf}, "timeout is inf: expected seconds, more than 0"),
    ],
)
def test_names_and_timeouts_that_are_none_are_refused_before_there_is_a_dealer(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError) as error:
        gymnasium.make(REMOTE_BLACKJACK, **options)
    assert str(error.value) == sentence
