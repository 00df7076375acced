"""`RemoteBlackjackEnv` for the tests, and dealers on a thread of their own that follow a script."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

import gymnasium

from tests.helpers.patience import PATIENCE
from tests.helpers.peer import AsyncPeer
from tests.helpers.scripted import Script, scripted
from twentyone import environments
from twentyone.environments.registration import REMOTE_BLACKJACK
from twentyone.environments.remote import RemoteBlackjackEnv

gymnasium.register_envs(environments)

Dealer = Callable[[], AbstractAsyncContextManager[int]]
"""A dealer to be run on some loop; gives its port."""


@contextmanager
def seated(port: int | None, **options: Any) -> Iterator[RemoteBlackjackEnv]:
    """An environment at a dealer of this machine, which is closed at the end."""
    keywords: dict[str, Any] = {"host": "127.0.0.1", "timeout": PATIENCE} | options
    env = gymnasium.make(REMOTE_BLACKJACK, port=port, **keywords).unwrapped
    assert isinstance(env, RemoteBlackjackEnv)
    try:
        yield env
    finally:
        env.close()


@contextmanager
def on_a_thread(dealer: Dealer) -> Iterator[int]:
    """A dealer on a loop of its own, since the environment blocks; gives its port. Its faults are raised."""
    ports: list[int] = []
    is_open, is_done = threading.Event(), threading.Event()
    faults: list[BaseException] = []

    async def serve() -> None:
        async with dealer() as port:
            ports.append(port)
            is_open.set()
            await asyncio.to_thread(is_done.wait, PATIENCE)

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


def following(script: Script, wire_format: str = "lines") -> Dealer:
    """A dealer that follows a script."""

    @asynccontextmanager
    async def dealer() -> AsyncIterator[int]:
        async with scripted(script, wire_format) as (_, port):
            yield port

    return dealer


def saying(*lines: str, waits: bool = True, heard: list[str] | None = None) -> Dealer:
    """A dealer that hears a JOIN, says these lines, and then waits for the player to leave.

    Args:
        lines: what it says.
        waits: whether it keeps its side open until then.
        heard: where what it hears after the JOIN is added.
    """

    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(*lines)
        if not waits:
            peer.close_side()
        while line := await peer.hear():
            if heard is not None:
                heard.append(line)

    return following(script)
