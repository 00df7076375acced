"""A training run: many connections to one dealer, and one learner that all of them fill."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cards import Outcome, Payoff, RandBelow, Rules, Tally, seeded
from player.actor import Actor
from player.address import Address
from player.client import CONNECT_TIMEOUT, Client, connect
from player.returning import ReturningClient
from player.tries import Notices, ReturnTries
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import Learner
from twentyone.learning.methods import Convergence, End
from twentyone.support.counts import counted

NAME: Final = "training"

JOIN_PAUSE: Final = 0.25
"""Seconds to wait for a connection's first BEGIN before the next one joins: so they join in their order."""

BEGIN_TIMEOUT: Final = 2.0
"""Seconds for a connection's first BEGIN in all; a dealer that seats one player never sends it to others.

The first connection gets them before another one joins: what it hears tells how the dealer is to be treated.
"""

FURTHER_TIMEOUT: Final = 2.0
"""Seconds for each connection after the first to be made; a lost first packet is sent again after 1 s.

A dealer whose queue of connections is full does not refuse the next one: its system drops the packets.
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run.

    Attributes:
        address: the dealer.
        rounds: how many rounds to play in all.
        connections: over how many connections at once.
        seed: of the chance in the play; each connection has a stream of its own.
        change: stop when no action value changes by more than this; None to play all rounds.
    """

    address: Address
    rounds: int
    connections: int
    seed: int
    change: float | None = None

    @property
    def shares(self) -> list[int]:
        """The rounds of each connection, as even as they can be; connections without any are left out."""
        share, more = divmod(self.rounds, self.connections)
        return [share + (number < more) for number in range(self.connections) if share + (number < more)]


class TrainingError(Exception):
    """Training could not begin, or could not go on, in one sentence."""


class Trainer:
    """One training run.

    Args:
        plan: what to do.
        learner_for: called once, with the dealer's rules or None if it does not tell them; it returns the
            learner to fill and the rules to play by, or raises a `TrainingError`.
        notice: told what a person should know while it runs.
        rounds_before: the rounds of the table that learning goes on from; the chance in the play depends on
            it.
        look: called after every round with the learner and the seconds of this run; returns whether what was
            learned is good enough to stop.

    Attributes:
        learner: the learner, once the rules are known; interrupted before that, a run has none.
        rules: the rules that are played, once they are known.
        played: how many rounds have been learned from in this run.
        passed_over: how many have not been, since the dealer decided without this program, or may have.
        missed: how many have not been, since a lost connection kept them from being seen to their end.
        tally: the results of those that have been learned from.
        end: why it ended.
        fault: what the dealer did wrong, if it did.
    """

    def __init__(
        self,
        plan: Plan,
        learner_for: Callable[[Rules | None], tuple[Learner, Rules]],
        notice: Callable[[str], None],
        rounds_before: int = 0,
        look: Callable[[Learner, float], bool] | None = None,
    ) -> None:
        self.plan = plan
        self.learner: Learner | None = None
        self.rules = Rules()
        self.played = 0
        self.passed_over = 0
        self.missed = 0
        self.tally = Tally()
        self.end = End.DONE
        self.fault: str | None = None
        self.seconds = 0.0
        self.notice = notice
        self._return_notices = Notices(notice)
        self._learner_for = learner_for
        self._clients: list[Client] = []
        self._actors: list[Actor] = []
        self._is_shared_out = False
        self._is_full = False  # the dealer's queue of connections
        self._only: Client | None = None  # the one connection to a classic dealer
        self._rounds_before = rounds_before
        self._refusal: TrainingError | None = None
        self._last_refusal: str | None = None
        self._convergence = None if plan.change is None else Convergence(plan.change)
        self._look = look
        self._started = 0.0
        self._is_stopped = False
        self._has_rules = asyncio.Event()
        self._bankrolls_spent = 0

    async def run(self) -> None:
        """Play all rounds, or until something ends the run before.

        Raises:
            TrainingError: if it could not begin at all.
        """
        self._started = time.monotonic()
        try:
            await self._join_all()
            await self._share_out()
            for client in self._clients:
                await client.over
        finally:
            self.stop()
            self.seconds = time.monotonic() - self._started
            await asyncio.gather(*(client.wait_closed() for client in self._clients))
        if self._refusal is not None:
            raise self._refusal
        faults = [fault for client in self._clients if (fault := client.over.result())]
        self.fault = faults[0] if faults else None
        if self._bankrolls_spent and self.fault is None and self._rounds_left > 0:
            self.fault = "the bankroll is spent, and the dealer began no round after another JOIN"
        if self.learner is None and self.end is End.INTERRUPTED:
            return
        if self.learner is None:
            raise TrainingError(self.fault or f"the dealer at {self.plan.address} dealt no round")
        self._report_missed()
        self._report_passed_over()
        self._report_bankrolls()
        if self._rounds_left > 0 and self.end is End.DONE:
            self.end = End.DEALER

    def stop(self, end: End | None = None) -> None:
        """Leave the dealer; rounds that are open are not learned from."""
        if end is not None and not self._is_stopped:
            self.end = end
        self._is_stopped = True
        for client in self._clients:
            client.leave()

    # What its connections call.

    def take_rules(self, rules: Rules | None) -> Rules:
        """The rules to play by; the first time, the learner is made for them."""
        if self.learner is None and self._refusal is None:
            try:
                self.learner, self.rules = self._learner_for(rules)
            except TrainingError as fault:
                self._refusal = fault
                asyncio.get_running_loop().call_soon(self.stop)
        self._has_rules.set()
        return self.rules

    def play_on_one(self, client: Client) -> None:
        """Play all rounds on this connection, whose dealer is a classic one.

        Such a dealer may serve no other connection, and may wait for an answer only for a short time.
        """
        if self._only is None and len(self.plan.shares) > 1:
            self.notice("the dealer is a classic one: all rounds are played on one connection")
        self._only = client
        client.leave_after(self._rounds_left)
        for other in self._clients:
            if other is not client:
                other.leave()

    def pass_over(self) -> None:
        """Do not learn from a round that a connection has not played itself."""
        if not self._is_stopped:
            self.passed_over += 1

    def miss(self) -> None:
        """Count a round that a connection has not seen to its end: nothing is learned from it."""
        if not self._is_stopped:
            self.missed += 1

    def learn(self, episode: Episode, outcome: Outcome, payoff: Payoff | None, rand_below: RandBelow) -> None:
        """Learn from a round that a connection has played.

        Args:
            episode: the round.
            outcome: its outcome.
            payoff: its payoff; None where it is the outcome's.
            rand_below: the random source of the connection.
        """
        if self.learner is None or self._is_stopped:
            return
        self.learner.learn(episode, rand_below)
        self.tally.add(outcome, payoff)
        self.played += 1
        if self._convergence is not None and self._convergence.check(self.learner):
            self.stop(End.CONVERGED)
        if self._look is not None and self._look(self.learner, time.monotonic() - self._started):
            self.stop(End.GAP)

    @property
    def elapsed(self) -> float:
        """The seconds of this run until now, or until it ended; 0 before it began."""
        if self.seconds or not self._started:
            return self.seconds
        return time.monotonic() - self._started

    def report_refusal(self, reason: str) -> None:
        """Pass on what the dealer refused; once, where it says the same to all connections."""
        if reason != self._last_refusal:
            self._last_refusal = reason
            self.notice(f"the dealer says: {reason}")

    # Its own.

    @property
    def _rounds_left(self) -> int:
        """The number of rounds that have not been played."""
        return self.plan.rounds - self.played - self.passed_over - self.missed

    def _report_missed(self) -> None:
        if self.missed:
            self.notice(f"{counted(self.missed, 'round')} not seen to the end, so not learned from")

    def _report_passed_over(self) -> None:
        if not self.passed_over:
            return
        rounds = f"{self.passed_over:,} round{'s' if self.passed_over > 1 else ''}"
        sentence = f"the dealer decided without us in {rounds}, or may have"
        if not self.played and self.end is not End.INTERRUPTED:
            reason = f": {self.fault}" if self.fault else ""
            raise TrainingError(f"{sentence}; nothing was learned{reason}")
        self.notice(f"{sentence}; what it decided was not learned")

    async def _join_all(self) -> None:
        for share in self.plan.shares:
            if not (self._is_stopped or self._is_full or self._only is not None):
                await self._join(share)

    async def _join(self, share: int) -> Client:
        """Join with a share of the rounds, and let the dealer begin before the others join."""
        is_first = not self._clients
        rand_below = seeded(self.plan.seed, self._rounds_before, len(self._clients))
        actor = Actor(self, rand_below)
        address = self.plan.address
        tries = ReturnTries(address, self._return_notices)
        client = ReturningClient(actor, NAME, share, address.websocket, tries=tries)
        actor.sit_down(client, share, waits=not self._is_shared_out)
        self._clients.append(client)
        self._actors.append(actor)
        try:
            limit = CONNECT_TIMEOUT if is_first else FURTHER_TIMEOUT
            await connect(client, address.host, address.port, limit, tls=address.tls)
        except OSError as error:
            client.leave()
            if is_first:
                raise
            if isinstance(error, TimeoutError):
                self._note_full()
        with suppress(TimeoutError):
            patience = BEGIN_TIMEOUT if is_first else JOIN_PAUSE
            await asyncio.wait_for(_wait_for_begin_or_end(client), patience)
        if is_first and client.has_begun.done():
            await self._wait_for_rules(client)
        return client

    async def _wait_for_rules(self, client: Client) -> None:
        """Let the learner be made before the others join: exact values may take seconds.

        Until then the loop stands still, and a dealer would seem not to take the next connection.
        """
        waiting = asyncio.ensure_future(self._has_rules.wait())
        await asyncio.wait((waiting, client.over), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    def _note_full(self) -> None:
        if not self._is_full:
            before = len(self._clients) - 1
            self.notice(
                f"the dealer took no other connection within {FURTHER_TIMEOUT:g} s after {before}:"
                " no more are made"
            )
        self._is_full = True

    async def _share_out(self) -> None:
        """Give the shares of connections that the dealer does not serve to one that it does."""
        if self._only is None:
            await self._wait_for_late_begins()
        self._is_shared_out = True
        if self._only is not None:
            await self._play_the_rest(self._only, self._rounds_left)
            return
        served = [client for client in self._clients if client.has_begun.done()]
        unserved = [client for client in self._clients if not client.has_begun.done()]
        for client in unserved:
            client.leave()
        shares = dict(zip(self._clients, self.plan.shares, strict=False))
        more = self.plan.rounds - sum(shares[client] for client in served)
        if not served or self._is_stopped:
            more = 0
        if more:
            # Said when it comes to pass: a dealer that is about to end begins no round with anybody either.
            self._actors[self._clients.index(served[0])].announce(
                f"the dealer began no round on {len(self.plan.shares) - len(served)} of"
                f" {len(self.plan.shares)} connections: their {counted(more, 'round')} go to one on which it"
                " did"
            )
        goals = {client: shares[client] + (more if client in served[:1] else 0) for client in self._clients}
        for client, actor in zip(self._clients, self._actors, strict=True):
            actor.go_on(goals[client])
        endings = [self._play_on_when_ruined(client, goals[client]) for client in served]
        if more:
            endings.append(self._play_the_rest(served[0], more))
        await asyncio.gather(*endings)

    async def _wait_for_late_begins(self) -> None:
        waiting = [
            asyncio.ensure_future(_wait_for_begin_or_end(client))
            for client in self._clients
            if not client.has_begun.done() and not client.over.done()
        ]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=BEGIN_TIMEOUT - JOIN_PAUSE)
            for wait in late:
                wait.cancel()

    async def _play_the_rest(self, client: Client, more: int) -> None:
        """Play a connection to its end; join again where the dealer minds the number in a JOIN."""
        actor = self._actors[self._clients.index(client)]
        has_quit = await client.over is None and client.played == actor.own_share
        if has_quit and client.ruin is None and self._rounds_left:
            await self._join_again(min(more, self._rounds_left), actor.announcement)

    async def _join_again(self, share: int, notice: str | None) -> None:
        """Join until a dealer that was full has noticed that others have left, or it seems to stay so."""
        until = time.monotonic() + BEGIN_TIMEOUT
        while not self._is_stopped:
            client = await self._join(share)
            if client.has_begun.done() and notice is not None:
                self.notice(notice)
            if client.has_begun.done() or not client.over.done() or time.monotonic() > until:
                await self._play_on_when_ruined(client, share)
                return
            await asyncio.sleep(JOIN_PAUSE)

    async def _play_on_when_ruined(self, client: Client, goal: int) -> None:
        """Play a connection to its end; join again with a fresh bankroll where too few chips are left.

        A player is not ruined without a round, so there are no more JOINs than rounds.
        """
        await client.over
        if client.ruin is None or self._is_stopped:
            return
        actor = self._actors[self._clients.index(client)]
        if goal > client.played:
            self._bankrolls_spent += 1
            await self._join_again(goal - client.played, actor.announcement)

    def _report_bankrolls(self) -> None:
        if self._bankrolls_spent and self.fault is None:
            times = "once" if self._bankrolls_spent == 1 else f"{self._bankrolls_spent:,} times"
            self.notice(f"the bankroll was spent {times}: joined again with a fresh one")


async def _wait_for_begin_or_end(client: Client) -> None:
    await asyncio.wait((client.has_begun, client.over), return_when=asyncio.FIRST_COMPLETED)
