"""The check of a dealer: connections, companions at tables of several seats, and rounds."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from cards import Decision, Rules
from protocol import (
    ANSWERS,
    BetRequest,
    DealerQuit,
    DecisionRequest,
    Error,
    Question,
    Result,
    RulesReply,
    SideRequest,
    encode,
)
from tournament.check.fault import Fault, NothingToCheck
from tournament.check.observed_round import ObservedRound
from tournament.check.transcript import Transcript
from tournament.check.trial_player import Place, TrialPlayer

NAME: Final = "checker"


@dataclass
class DealerCheck:
    """The state that the situations share.

    Attributes:
        place: where the dealer is.
        patience: seconds that it has for each message.
        rules: the rules of its tables.
        is_certain: whether these are known.
        transcript: what the connection that matters has said and heard.
        players: the connections that are open.
    """

    place: Place
    patience: float
    rules: Rules
    is_certain: bool
    transcript: Transcript = field(default_factory=Transcript)
    players: list[TrialPlayer] = field(default_factory=list)
    companions: list[asyncio.Task[None]] = field(default_factory=list)

    async def connect(self, **options: Any) -> TrialPlayer:
        """A connection; its transcript is the one that is shown.

        Raises:
            Fault: if there is none.
        """
        self.transcript = Transcript()
        try:
            player = await TrialPlayer.connect(self.place, self.patience, self.transcript, **options)
        except (OSError, TimeoutError):
            raise Fault("it does not take the connection") from None
        self.players.append(player)
        return player

    async def join(self, *lines: str, **options: Any) -> TrialPlayer:
        """A connection that has joined by these lines, and its companions, so that a round begins."""
        for number in range(1, self.rules.seats):
            self.companions.append(asyncio.create_task(self.keep_company(f"companion-{number}")))
            await asyncio.sleep(0.05)
        player = await self.connect(**options)
        await player.say(*(lines or (f"JOIN {NAME}",)))
        return player

    async def question(self, player: TrialPlayer, observed: ObservedRound | None = None) -> Question:
        """The next question about a hand; bets are made on the way there.

        Raises:
            Fault: if there is none.
        """
        while True:
            message = await player.hear("DECISION")
            if message is None:
                raise Fault("it closed the connection without QUIT: expected the next DECISION")
            if isinstance(message, DealerQuit):
                raise NothingToCheck("it has no more rounds")
            if isinstance(message, BetRequest):
                await player.say(f"BET {message.minimum}")
                if observed is not None:
                    observed.bet(message.minimum, message.bankroll)
            elif isinstance(message, DecisionRequest | SideRequest):
                return message

    async def to_result(self, player: TrialPlayer, answer: str = "STAND") -> Result:
        """Answer each question alike, up to RESULT.

        Raises:
            Fault: if it does not come.
        """
        while True:
            message = await player.hear("RESULT")
            if isinstance(message, Result):
                return message
            if isinstance(message, BetRequest | DecisionRequest | SideRequest):
                await player.say(answer)
            elif isinstance(message, Error):
                raise Fault(f"it refused {answer}, which is always allowed as an answer: {message.text}")
            elif message is None:
                raise Fault("it closed the connection without QUIT: expected RESULT")
            elif isinstance(message, DealerQuit):
                raise NothingToCheck("it has no more rounds")

    async def stand(self, player: TrialPlayer) -> Result:
        """Stand in the hand that is asked about, after something was refused: the question is still open.

        Raises:
            Fault: if it is not.
        """
        await player.say("STAND")
        return await self.to_result(player)

    async def play(self, player: TrialPlayer, rounds: int, *, shows: bool, chance: random.Random) -> int:
        """Play rounds with any decisions that are offered, and see that each is right; how many there were.

        Raises:
            Fault: if one is not.
        """
        observed = self._observed(shows)
        played = 0
        while played < rounds:
            message = await player.hear("the next message of the round")
            if message is None:
                raise Fault("it closed the connection without QUIT")
            if isinstance(message, DealerQuit):
                break
            observed.take(message)
            if isinstance(message, Result):
                played += 1
                observed = self._observed(shows)
            elif isinstance(message, BetRequest):
                chips = chance.randint(message.minimum, min(message.maximum, 5 * message.minimum))
                observed.bet(chips, message.bankroll)
                await player.say(f"BET {chips}")
            elif isinstance(message, DecisionRequest | SideRequest):
                decision = chance.choice(message.options or (Decision.HIT, Decision.STAND))
                observed.decide(decision)
                await player.say(encode(ANSWERS[decision]).decode())
            elif isinstance(message, Error):
                raise Fault(f"it refused a line that is allowed: {message.text}")
        return played

    def _observed(self, shows: bool) -> ObservedRound:
        return ObservedRound(self.rules, is_certain=self.is_certain, shows=shows)

    async def keep_company(self, name: str) -> None:
        """Stand in every hand, so that the table has its players."""
        with suppress(Fault, OSError, TimeoutError, asyncio.CancelledError):
            player = await TrialPlayer.connect(self.place, self.patience)
            self.players.append(player)
            await player.say(f"JOIN {name}")
            while (line := await player.line()) is not None:
                if line.startswith(b"DECISION"):
                    await player.say("STAND")

    async def close(self) -> None:
        """End all connections."""
        for task in self.companions:
            task.cancel()
        await asyncio.gather(*self.companions, return_exceptions=True)
        for player in self.players:
            await player.close()
        self.companions.clear()
        self.players.clear()


class SpeaksTlsError(Exception):
    """A dealer that speaks TLS was spoken to without; the text is its own."""


_SPEAKS_TLS: Final = "this dealer speaks TLS"


async def ask_rules(place: Place, patience: float) -> Rules | None:
    """The rules of a dealer's tables; None if it does not tell them.

    Raises:
        OSError: if there is no dealer.
        TimeoutError: if there is no answer.
        SpeaksTlsError: if it says that it has to be spoken to by TLS.
    """
    try:
        player = await TrialPlayer.connect(place, patience)
    except Fault:  # no WebSocket opens, as each situation says
        return None
    try:
        await player.say("RULES")
        message = await player.hear()
        if isinstance(message, Error) and place.tls is None and _SPEAKS_TLS in message.text:
            raise SpeaksTlsError(message.text)
        return message.rules if isinstance(message, RulesReply) else None
    except Fault:
        return None
    finally:
        await player.close()
