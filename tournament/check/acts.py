"""The acts of a dealer in each situation that a program is taken through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cards import Decision, Outcome
from protocol import QUIT, CardMessage, DealerMessage, DecisionRequest
from tournament.check.fault import NothingToCheck
from tournament.check.game import Game
from twentyone.support.counts import counted

ROUNDS: Final = 200
"""Rounds in a row: more than a program that counts something has room for by chance."""

SLOW: Final = 0.3
"""Seconds before each packet of a slow dealer."""

LONG: Final = 2.0
"""Seconds before one DECISION of it."""

LONG_LINE: Final = 4000
"""Letters of a long line; a dealer may send 65,536 bytes."""

AGAIN: Final = 1.0
"""Seconds that are waited for a second answer where one may be given, or not."""

STIFF: Final = ("Ten Six Ten", "Ten Ten")
TWENTY: Final = ("Ten Queen", "Ten Seven")
SHORT: Final = (("Ten Six Five", "Six Ten Ten"), ("Five Four Ten", "Nine Eight"))
MANY: Final = (
    ("Ace Ace Ace Ace Two Two Two Three", "Seven Ten"),
    ("Two Two Two Two Three Three Three Four", "Ten Seven"),
    ("Ace Two Two Ace Ace Five Three Two", "Ten Seven"),
)


async def play(game: Game, *deals: tuple[str, str]) -> None:
    """Play a round with each of these cards, as long as the program has a seat."""
    for player, dealer in deals:
        if game.is_over:
            return
        await game.round(player, dealer)


async def one_round(game: Game) -> None:
    """A round."""
    await play(game, ("Ten Five Four", "Six Ten Seven"))


async def some_rounds(game: Game) -> None:
    """A few rounds in which something is decided."""
    await play(game, *SHORT, TWENTY)


async def results(game: Game) -> str:
    """Rounds until each result has come that the program lets come."""
    wanted = {
        Outcome.WIN: TWENTY,
        Outcome.LOSE: ("Ten Seven Ten", "Ten Queen"),
        Outcome.PUSH: ("Ten Queen Ten", "Ten King"),
        Outcome.BUST: STIFF,
    }
    seen: set[Outcome] = set()
    for _ in range(2):
        for outcome, deal in wanted.items():
            if outcome not in seen and not game.is_over:
                seen.add(await game.round(*deal))
    await play(game, TWENTY)  # what it does after the last of them
    missing = [each.value for each in wanted if each not in seen]
    return f"by its decisions there was no {' and no '.join(missing)}" if missing else ""


async def early_quit(game: Game) -> None:
    """QUIT before any round."""
    await game.session.say(QUIT)


async def sent_away(game: Game) -> None:
    """The dealer's clock gives the hand up for good: ERROR, RESULT LOOSE, QUIT."""
    session = game.session
    await play(game, TWENTY)
    if game.is_over:
        return
    session.delivery = replace(session.delivery, together=True)
    messages = await _up_to_hand(game, game.messages(game.begin("Ten Five", "Six Ten")))
    session.may_leave = session.is_lenient = True
    session.delivery = replace(session.delivery, pause=0)
    await session.say_and_take_back(*messages)
    await session.say(*game.messages(game.give_up()), QUIT)


async def _up_to_hand(game: Game, messages: Sequence[DealerMessage]) -> Sequence[DealerMessage]:
    """Send all that is due, up to a question about a hand; a bet that may come before it is asked for."""
    while messages and not isinstance(messages[-1], DecisionRequest):
        await game.session.say(*messages)
        messages = game.messages(game.take(await game.session.answer()))
    return messages


async def clock(game: Game) -> None:
    """A decision is taken by the clock while the answer is under way: that answer is refused."""
    session = game.session
    await play(game, TWENTY)
    if game.is_over:
        return
    session.is_lenient = True
    session.delivery = replace(session.delivery, together=True)
    messages = await _up_to_hand(game, game.messages(game.begin("Ten Five", "Six Ten Ten")))
    session.delivery = replace(session.delivery, pause=0)
    await session.say_and_take_back(*messages)
    while game.session.rounds < 2:
        await session.say(*game.messages(game.time_out()))
    session.answers.clear()
    session.hint = (
        "the clock took the question before; what answers that is refused, and is to be given again"
    )
    await play(game, TWENTY)
    session.is_lenient = False
    session.hint = "an ERROR came in the round before"
    await play(game, TWENTY)


async def refused(game: Game) -> str:
    """An answer is refused, and may be given again: once. Without another the hand stands as it is."""
    session = game.session
    await play(game, TWENTY)
    if game.is_over:
        return ""
    await session.say(*await _up_to_hand(game, game.messages(game.begin("Ten Five Two", "Six Ten Ten"))))
    session.hint = ""
    await session.answer()
    session.ask_again()
    await session.say_lines(
        *session.complain("that came too late: the clock had already made the hand before stand")
    )
    note = ""
    if await session.has_answered(AGAIN):
        answer = session.answers.popleft()
        await session.rest(AGAIN / 4)
        await session.say(*game.messages(game.take(answer)))
        await game.finish()
    else:
        note = "it does not answer again after ERROR, and leaves that to the clock"
        session.answers.clear()
        session.go_on()
        await session.say(*game.messages(game.time_out()))
        await game.finish()
    await play(game, TWENTY)
    return note


async def aside(game: Game) -> None:
    """An ERROR that has nothing to do with the hand."""
    session = game.session
    await play(game, TWENTY)
    if game.is_over:
        return
    session.is_lenient = True
    messages = game.messages(game.begin("Ten Five Two", "Six Ten Ten"))
    for message in messages:
        await session.say(message)
        if isinstance(message, CardMessage):
            await session.say_lines(b"ERROR the dealer has dropped a card")
    session.hint = "an ERROR came before the DECISION"
    await game.finish()
    await play(game, TWENTY)


async def slow(game: Game) -> None:
    """Pauses before everything."""
    session = game.session
    mail = game.messages(game.begin("Ten Five Four", "Six Ten Seven"))
    for message in mail:
        if isinstance(message, DecisionRequest):
            await session.rest(LONG)
        await session.say(message)
    await game.finish()
    await session.rest(LONG)
    await play(game, ("Ten Queen", "Six Ten Seven"))


async def many_rounds(game: Game) -> str:
    """Many rounds of any cards, as fast as the program plays."""
    game.settles = False
    game.session.delivery = replace(game.session.delivery, pause=0)
    while game.session.rounds < ROUNDS and not game.is_over:
        await game.round()
    rounds, join = game.session.rounds, game.session.join
    if rounds == ROUNDS:
        return ""
    is_asked_for = join is not None and join.rounds == rounds
    return f"its JOIN asked for {rounds:,}" if is_asked_for else f"its chips lasted for {rounds:,}"


async def bust(game: Game) -> str:
    """A HIT that takes the hand over 21: CARD and RESULT BUST, without another DECISION."""
    seen = []
    for deal in (STIFF, ("Five Seven Ten", "Ten Ten"), ("Five Four Seven Ten Ten", "Ten Ten")):
        if not game.is_over:
            seen.append(await game.round(*deal))
            await game.session.rest(SLOW)
    await play(game, TWENTY)
    return "" if Outcome.BUST in seen else "by its decisions no hand went over 21"


async def dealt_bust(game: Game) -> None:
    """Two aces that count 11 each: RESULT BUST without a DECISION."""
    await play(game, ("Ace Ace", "Six Ten Ten"))
    await game.session.rest(SLOW)
    await play(game, TWENTY, ("Ace Ace", "Six Ten Ten"), TWENTY)


async def natural(game: Game) -> None:
    """An ace and a ten: asked like any other 21, or paid at once where the rules pay a ratio."""
    await play(game, ("Ace King", "Seven Ten"), TWENTY, ("Queen Ace Five", "Six Ten Ten"), TWENTY)


async def exactly_21(game: Game) -> str:
    """A hand of 21 in three cards is asked like any other; so is the hand of one who hits it."""
    seen = []
    for deal in (
        ("Five Six Ten", "Ten Nine"),
        ("Ten Six Five Ten", "Ten Nine"),
        ("Two Three Six Ten", "Ten Nine"),
    ):
        if not game.is_over:
            await game.round(*deal)
            seen.append(game.most_cards)
    await play(game, TWENTY)
    return "" if game.most_cards > 2 else "by its decisions no hand came to 21 in three cards"


async def soft(game: Game) -> None:
    """Hands in which an ace counts 11, and then 1."""
    await play(
        game,
        ("Ace Six Ten Five", "Ten Seven"),
        ("Ace Two Nine King", "Nine Ten"),
        ("Ace Ace Nine", "Six Ten Ten"),
    )


async def many_cards(game: Game) -> str:
    """Hands of seven cards and more, as far as the program draws them."""
    await play(game, *MANY, TWENTY)
    most = game.most_cards
    return "" if most >= 7 else f"by its decisions no hand had more than {most} cards"


async def unasked(game: Game) -> None:
    """Send a program what a dealer sends on request only."""
    session = game.session
    await play(game, SHORT[0])
    if game.is_over:
        return
    messages = game.messages(game.begin(*SHORT[1]))
    for number, message in enumerate(messages):
        await session.say(message)
        if number == 0:
            await session.say_lines(b"HELP you may say QUIT, RULES, SHOW or HELP now")
        if number == 1:
            await session.say_lines(b"RULES " + str(game.rules).encode())
    await game.finish()
    await play(game, TWENTY)


async def long_line(game: Game) -> None:
    """An unknown message, far longer than others."""
    session = game.session
    await play(game, SHORT[0])
    if not game.is_over:
        messages = game.messages(game.begin(*SHORT[1]))
        await session.say(*messages[:-1])
        await session.say_lines(b"NEWS " + b"x" * LONG_LINE)
        await session.say(*messages[-1:])
        await game.finish()
    await play(game, TWENTY)


async def cut(game: Game) -> None:
    """The connection is closed while cards are dealt."""
    session = game.session
    await play(game, TWENTY)
    if not game.is_over:
        messages = game.messages(game.begin("Ten Five", "Six Ten"))
        await session.say(*[each for each in messages if not isinstance(each, DecisionRequest)])
        session.may_leave = True
        await session.cut()


async def reset(game: Game) -> None:
    """The connection is reset while the dealer waits."""
    session = game.session
    if not game.is_over:
        await session.say(*game.messages(game.begin("Ten Five", "Six Ten")))
        session.may_leave = True
        await session.cut(reset=True)


async def bets(game: Game) -> None:
    """Bets are asked before each round, and paid in chips."""
    await play(game, TWENTY, STIFF, ("Ace King", "Seven Ten"), TWENTY)


async def few_chips(game: Game) -> str:
    """The chips become fewer, and the largest bet with them, until there are too few."""
    for _ in range(20):
        await play(game, ("Ten Seven Ten", "Ten Queen"))
        if game.is_over:
            return ""
    return "it still had chips after 20 rounds"


async def insurance(game: Game) -> str:
    """With an ace showing insurance is offered; the dealer has a natural, and has none."""
    await play(
        game, ("Ten Nine", "Ace King"), ("Ten Queen", "Ace Six Ten"), ("Ace King", "Ace Queen"), TWENTY
    )
    took = Decision.INSURE in game.decisions
    return "" if took else "it never took insurance"


async def surrender(game: Game) -> str:
    """Hands that one may give up."""
    await play(game, ("Ten Six Ten", "Ten Seven"), ("Ten Five Ten", "Ace Seven"), TWENTY)
    return "" if Decision.SURRENDER in game.decisions else "it never surrendered"


async def splits(game: Game) -> str:
    """Pairs, up to four hands where the program splits."""
    await play(
        game,
        ("Eight Eight Eight Eight Ten Three Five Queen Ten", "Six Ten Two"),
        ("Ace Ace Ace Nine Ten Five", "Six Ten Two"),
        ("Seven Seven Ten Nine Ten", "Five Ten Ten"),
        TWENTY,
    )
    return f"it had at most {counted(game.most_hands, 'hand')}" if game.most_hands < 4 else ""


async def doubles(game: Game) -> str:
    """Hands that one may double; with three cards that is over."""
    await play(game, ("Six Five Two Ten", "Six Ten Ten"), ("Five Five Two Ten", "Five Ten Ten"), TWENTY)
    return "" if Decision.DOUBLE in game.decisions else "it never doubled"


async def classic_dealer(game: Game) -> str:
    """A dealer that ends its lines with NUL, as one of the course does, after a JOIN in a line."""
    session = game.session
    session.speak_classic()
    game.sit_again()
    session.is_lenient = session.may_leave = True
    messages = game.messages(game.begin("Ten Five Four", "Six Ten Seven"))
    await session.say(*messages)
    if not await session.has_answered(min(session.patience, LONG)):
        raise NothingToCheck("it does not speak the classic wire format, which it need not")
    session.may_leave = False
    await game.finish()
    await play(game, TWENTY)
    return "" if session.heard_nul else "it answers with LF, which some classic dealers do not read"
