"""The situations that a dealer is taken through, as a black box."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from protocol import (
    MAX_LINE,
    MAX_VIOLATIONS,
    MAX_VIOLATIONS_UNSEATED,
    BetRequest,
    DealerQuit,
    DecisionRequest,
    Error,
    HelpReply,
    Result,
    RulesReply,
    SideRequest,
    encode,
)
from tournament.check.dealer_check import NAME, DealerCheck
from tournament.check.fault import Fault, NothingToCheck
from tournament.check.trial_player import TrialPlayer

ROUNDS: Final = 200
"""Rounds that are played with any decisions."""

SEED: Final = 1
PAUSE: Final = 0.02
TRIES: Final = 3
"""Attempts at the classic wire format: a busy machine may read two messages at once."""

Act = Callable[[DealerCheck], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class DealerSituation:
    """Something that a dealer is to cope with.

    Attributes:
        name: its name.
        title: what it is.
        act: plays it; may return a note.
        alone: whether it is only for tables with one seat.
        voice: whether it is about another way to speak, which a dealer may leave out.
        bytes: whether it is about the bytes of lines.
    """

    name: str
    title: str
    act: Act
    alone: bool = False
    voice: bool = False
    bytes: bool = False


async def one_round(check: DealerCheck) -> None:
    """JOIN for one round: RESULT, QUIT, and the connection is closed."""
    player = await check.join(f"JOIN {NAME} 1")
    played = await check.play(player, 1, shows=False, chance=random.Random(SEED))
    if not played:
        raise Fault("it sent QUIT before the round that the JOIN asked for")
    message = await player.hear("QUIT, after the one round that the JOIN asked for")
    if not isinstance(message, DealerQuit):
        said = "it closed the connection" if message is None else f"it sent {encode(message).decode()}"
        raise Fault(f"{said} after the one round that the JOIN asked for: expected QUIT")
    await player.end()


async def many_rounds(check: DealerCheck) -> str:
    """Many rounds with any decisions; each follows from its cards as far as they are seen."""
    player = await check.join(f"JOIN {NAME} {ROUNDS}")
    played = await check.play(player, ROUNDS, shows=False, chance=random.Random(SEED))
    return "" if played == ROUNDS else f"it dealt {played} of {ROUNDS}"


async def shown_rounds(check: DealerCheck) -> str:
    """The same with the dealer's cards shown, so that each result can be worked out."""
    if not check.is_certain:
        raise NothingToCheck("its rules are not known, so no result can be worked out")
    player = await check.connect()
    await player.say("SHOW", "HELP")
    answer = await player.hear("HELP")
    if not isinstance(answer, HelpReply):
        raise NothingToCheck("it does not know SHOW")
    await player.close()
    player = await check.join("SHOW", f"JOIN {NAME} {ROUNDS}")
    played = await check.play(player, ROUNDS, shows=True, chance=random.Random(SEED + 1))
    return "" if played == ROUNDS else f"it dealt {played} of {ROUNDS}"


async def rules(check: DealerCheck) -> str:
    """RULES, with a seat and without; a dealer that does not tell them refuses that."""
    player = await check.connect()
    await player.say("RULES")
    message = await player.hear("RULES, or ERROR")
    if isinstance(message, Error):
        return "it does not tell its rules"
    if not isinstance(message, RulesReply):
        raise Fault("it did not answer RULES: expected RULES <key>=<value> ..., or ERROR")
    await player.close()
    player = await check.join()
    await check.question(player)
    await player.say("RULES")
    if not isinstance(await player.hear("RULES"), RulesReply):
        raise Fault("it did not answer RULES at a seat as it did before")
    await check.stand(player)
    return ""


async def unknown_verb(check: DealerCheck) -> None:
    """An unknown verb, before JOIN and while it waits: ERROR, and nothing changes."""
    player = await check.join("DANCE", f"JOIN {NAME}")
    await player.refusal("the unknown message DANCE")
    await check.question(player)
    await player.say("HITT")
    await player.refusal("the unknown message HITT")
    await check.stand(player)


async def not_asked(check: DealerCheck) -> None:
    """HIT before JOIN, and a second JOIN: ERROR, and nothing changes."""
    player = await check.connect()
    await player.say("HIT")
    await player.refusal("HIT without a seat")
    player = await check.join()
    await check.question(player)
    await player.say(f"JOIN {NAME}")
    await player.refusal("a second JOIN")
    await check.stand(player)


async def not_offered(check: DealerCheck) -> None:
    """An answer that is not offered: ERROR, and nothing changes."""
    player = await check.join()
    question = await check.question(player)
    assert isinstance(question, DecisionRequest | SideRequest)
    offered = {option.value for option in question.options}
    word = next(each for each in ("INSURE", "DECLINE", "SPLIT") if each not in offered)
    await player.say(word)
    await player.refusal(f"{word}, which it had not offered")
    await check.stand(player)


async def bad_joins(check: DealerCheck) -> None:
    """JOIN without a name, with one that is too long, for no rounds: ERROR; then a right one is taken."""
    player = await check.join("JOIN")
    await player.refusal("JOIN without a name")
    await player.say("JOIN " + "x" * 33)
    await player.refusal("a name of 33 characters")
    await player.say(f"JOIN {NAME} 0")
    await player.refusal("a JOIN for 0 rounds")
    await player.say(f"JOIN {NAME}")
    await check.question(player)


async def not_text(check: DealerCheck) -> None:
    """Bytes that are not UTF-8: ERROR, and nothing changes."""
    player = await check.join()
    await check.question(player)
    await player.send(b"\xff\xfe\xfd\n")
    await player.refusal("bytes that are not UTF-8")
    await check.stand(player)


async def too_long(check: DealerCheck) -> None:
    """A line that is too long, without an end: ERROR, RESULT LOOSE, QUIT, and the connection is closed."""
    player = await check.join()
    await check.question(player)
    await player.send(b"x" * (MAX_LINE + 44))
    await player.refusal(f"a line of more than {MAX_LINE} bytes")
    await _thrown_out(player)


async def violations(check: DealerCheck) -> None:
    """Refused lines in a row: the third at a seat is the last; an accepted one sets the count back."""
    player = await check.join()
    await check.question(player)
    for _ in range(2):
        for _ in range(MAX_VIOLATIONS - 1):
            await player.say("DANCE")
            await player.refusal("DANCE")
        await player.say("STAND")
        await check.question(player)
    for _ in range(MAX_VIOLATIONS):
        await player.say("DANCE")
        await player.refusal("DANCE")
    await _thrown_out(player)


async def violations_unseated(check: DealerCheck) -> None:
    """Without a seat it is the tenth."""
    player = await check.connect()
    for _ in range(MAX_VIOLATIONS_UNSEATED):
        await player.say("DANCE")
        await player.refusal("DANCE")
    message = await player.hear("QUIT")
    if isinstance(message, DealerQuit):
        message = await player.hear("it to close the connection")
    if message is not None:
        raise Fault(f"it sent {encode(message).decode()}: expected QUIT and the end of the connection")


async def _thrown_out(player: TrialPlayer) -> None:
    """RESULT LOOSE, for the hand that was open, and QUIT."""
    message = await player.hear("RESULT LOOSE")
    if not isinstance(message, Result) or message.outcome.value != "LOSE":
        said = "it closed the connection" if message is None else f"it sent {encode(message).decode()}"
        raise Fault(f"{said}: expected RESULT LOOSE for the open hand, QUIT, and the end of the connection")
    if not isinstance(await player.hear("QUIT"), DealerQuit):
        raise Fault("it sent no QUIT after RESULT LOOSE: expected QUIT, and the end of the connection")
    await player.end()


async def typed(check: DealerCheck) -> None:
    """Lower case, blanks, CR LF and empty lines, as a person types them."""
    player = await check.join(f"join {NAME}", end=b"\r\n")
    await check.question(player)
    await player.send(b"\r\n\n  stand  \r\n", "stand")
    await check.to_result(player)


async def pieces(check: DealerCheck) -> None:
    """A line in pieces, byte by byte."""
    player = await check.join()
    await check.question(player)
    for byte in b"STAND":
        await player.send(bytes([byte]))
        await asyncio.sleep(PAUSE)
    await player.send(b"\n", "STAND")
    await check.to_result(player)


async def early(check: DealerCheck) -> None:
    """JOIN and the answers in one packet."""
    player = await check.connect()
    answers = ["STAND"] * 6
    await player.say(f"JOIN {NAME} 1", *answers)
    while True:
        message = await player.hear("RESULT")
        if isinstance(message, Result):
            return
        if message is None or isinstance(message, Error | DealerQuit):
            raise Fault("it did not take an answer that was sent early: expected the round, and RESULT")


async def two_players(check: DealerCheck) -> None:
    """Two players at once, neither of which waits for the other."""
    first = await check.join()
    await check.question(first)
    second = await check.join()
    await check.question(second)
    await check.stand(second)
    check.transcript = first.transcript
    await check.stand(first)


async def bad_bets(check: DealerCheck) -> None:
    """Bets that are too small, too large, or no numbers: ERROR, and the question stays open."""
    player = await check.join()
    message = await player.hear("DECISION BET")
    while not isinstance(message, BetRequest):
        if message is None or isinstance(message, DecisionRequest | SideRequest | DealerQuit):
            raise NothingToCheck("it asks for no bets")
        message = await player.hear("DECISION BET")
    for chips in (message.minimum - 1, message.maximum + 1):
        await player.say(f"BET {chips}")
        await player.refusal(f"BET {chips}, where {message.minimum} to {message.maximum} are asked for")
    await player.say(f"BET {message.maximum}")
    await check.question(player)


async def half_close(check: DealerCheck) -> None:
    """A player that says all at once and closes its side: everything is carried out and answered."""
    player = await check.connect()
    if not player.can_finish:
        raise NothingToCheck("this check cannot close one side alone over TLS")
    await player.say(f"JOIN {NAME} 1", *["STAND"] * 3)
    player.finish()
    heard = []
    while (message := await player.hear("the round, QUIT and the end")) is not None:
        heard.append(message)
    if not any(isinstance(each, Result) for each in heard):
        raise Fault("it did not play the round of a player that closed its side: expected RESULT and QUIT")
    if not isinstance(heard[-1], DealerQuit):
        raise Fault(f"its last message was {encode(heard[-1]).decode()}: expected QUIT")


async def leaving(check: DealerCheck) -> None:
    """QUIT while it waits: the hand is lost, and the connection is closed."""
    player = await check.join()
    await check.question(player)
    await player.say("QUIT")
    while (message := await player.hear("the end of the connection")) is not None:
        if isinstance(message, Result) and message.outcome.value != "LOSE":
            raise Fault(f"it sent {encode(message).decode()} for a hand that was given up: expected LOOSE")
        if isinstance(message, Error):
            raise Fault(f"it refused QUIT: {message.text}")


async def vanishing(check: DealerCheck) -> None:
    """A player that is gone without a word: the next one plays all the same."""
    player = await check.join()
    await check.question(player)
    await player.close(reset=True)
    await check.close()
    await one_round(check)


async def help_(check: DealerCheck) -> str:
    """HELP is answered, or refused."""
    player = await check.connect()
    await player.say("HELP")
    message = await player.hear("HELP, or ERROR")
    if isinstance(message, Error):
        return "it does not know HELP"
    if not isinstance(message, HelpReply):
        raise Fault("it did not answer HELP: expected HELP <text>, or ERROR")
    return ""


async def classic(check: DealerCheck) -> None:
    """A player that ends its lines with NUL is sent each message alone, with a NUL."""
    for trial in range(TRIES):
        player = await check.join(f"JOIN {NAME} 1", end=b"\0")
        try:
            await check.to_result(player)
        except Fault:
            if not any(b"\0" in chunk for chunk in player.chunks):
                raise NothingToCheck("it does not speak the classic wire format") from None
            raise
        said = b"".join(player.chunks)
        if b"\0" not in said:
            raise NothingToCheck("it does not speak the classic wire format: its messages end in LF")
        if b"\n" in said:
            raise Fault("it sent an LF to a player that ends its lines with NUL: expected NUL alone")
        if cut := [chunk for chunk in player.chunks if not chunk.endswith(b"\0")]:
            raise Fault(f"it sent {cut[0]!a} in a segment of its own: expected one message, with its NUL")
        joined = [chunk for chunk in player.chunks if chunk.count(b"\0") > 1]
        if not joined:
            return
        if trial == TRIES - 1:
            raise Fault(f"it sent {joined[0]!a} in one segment: expected one message, and 25 ms to the next")
        await check.close()


async def websocket(check: DealerCheck) -> None:
    """The same round through a WebSocket, at /ws unless its address is known."""
    place = check.place
    scheme = "ws" if place.tls is None else "wss"
    host = f"[{place.host}]" if ":" in place.host else place.host
    try:
        player = await check.connect(address=place.websocket or f"{scheme}://{host}:{place.port}/ws")
    except Fault:
        raise NothingToCheck("it does not speak WebSocket") from None
    for _ in range(1, check.rules.seats):
        check.companions.append(asyncio.create_task(check.keep_company("companion")))
    await player.say(f"JOIN {NAME} 1")
    await check.to_result(player)
    if not isinstance(await player.hear("QUIT"), DealerQuit):
        raise Fault("it sent no QUIT after the one round that the JOIN asked for")


SITUATIONS: Final = (
    DealerSituation("round", "a round, QUIT, and the end of the connection", one_round),
    DealerSituation("rounds", f"{ROUNDS} rounds with any decisions", many_rounds),
    DealerSituation("shown", f"{ROUNDS} rounds with the dealer's cards (SHOW)", shown_rounds),
    DealerSituation("rules", "RULES", rules),
    DealerSituation("help", "HELP", help_),
    DealerSituation("unknown-verb", "an unknown message", unknown_verb),
    DealerSituation("not-asked", "messages that are not allowed", not_asked),
    DealerSituation("not-offered", "an answer that is not offered", not_offered),
    DealerSituation("bad-joins", "a JOIN that is wrong, then a right one", bad_joins),
    DealerSituation("not-text", "bytes that are not UTF-8", not_text, bytes=True),
    DealerSituation("too-long", "a line that is too long", too_long, bytes=True),
    DealerSituation("violations", "three refused lines in a row", violations),
    DealerSituation("unseated", "ten refused lines before a JOIN", violations_unseated),
    DealerSituation("typed", "lower case, blanks, CR LF, empty lines", typed, bytes=True),
    DealerSituation("pieces", "a line byte by byte", pieces, bytes=True),
    DealerSituation("early", "JOIN and the answers in one packet", early, alone=True),
    DealerSituation("two-players", "two players at once", two_players, alone=True),
    DealerSituation("bad-bets", "bets that are too small or too large", bad_bets),
    DealerSituation("half-close", "a player that closes its side", half_close, alone=True, bytes=True),
    DealerSituation("leaving", "QUIT in the middle of a hand", leaving),
    DealerSituation("vanishing", "a player that is gone", vanishing),
    DealerSituation("classic", "messages that end in NUL", classic, voice=True, bytes=True),
    DealerSituation("websocket", "a WebSocket", websocket, voice=True),
)
"""In the order in which they are told."""
