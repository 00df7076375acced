"""A table and its seats as the state file has them: texts, from the objects and back.

What a round changes is made again after each, from numbers and without JSON; everything else when somebody
sits down, leaves or comes back.

A round that is open is void for whoever goes on: everything is told as before it. Only a seat that has been
told its RESULT already has this round.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from cards import Outcome, Payoff, Round, Rules, Tally, rules_from
from cards.rules import exact
from dealer.lobby.seating import Held
from dealer.state.file import Played
from dealer.state.rounds import cards_of, letters_of, round_again, round_as_text
from dealer.tables.config import Setup
from dealer.tables.ledger import Ledger
from dealer.tables.recent import Facts
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.tables.table import Table

_OUTCOMES: Final = {outcome: outcome.value for outcome in Outcome}

_PLAIN: Final = tuple(Tally().rows)
"""The outcomes with their own payoffs, in the order of every tally."""

Result = tuple[Outcome, Payoff]
"""The end of a round for a seat: the outcome, and the payoff in initial bets."""


# The setup of a table.


def setup_as_json(setup: Setup) -> dict[str, Any]:
    """The configuration of a table."""
    return {
        "rules": setup.rules.fields(),
        "bots": setup.bots,
        "bot-policy": setup.bot_policy,
        "practice": setup.practice,
        "pause": setup.pause,
        "bot-delay": setup.bot_delay,
        "players": setup.players,
    }


def setup_again(told: Mapping[str, Any]) -> Setup:
    """The configuration of which `setup_as_json` has told.

    Raises:
        KeyError, RulesError: if it makes no sense.
    """
    return Setup(
        rules_from(told["rules"]),
        told["bots"],
        told["bot-policy"],
        told["practice"],
        told["pause"],
        told["bot-delay"],
        told["players"],
    )


# The seats of a table.


def people_and_bots(room: Room) -> list[tuple[int, Seat]]:
    """The seats that are taken once the open round is over, with their places."""
    return [(place, seat) for place, seat in enumerate(room.table.seats_after_round) if seat is not None]


def lasting(room: Room, address: str | None, held: Callable[[Seat], Held | None], ledger: Ledger) -> str:
    """The part of a table that a round does not change, as JSON.

    Args:
        room: the table.
        address: from where it was opened; None for one of the dealer's own.
        held: tells of a seat whether it is kept.
        ledger: has the records of the seats.
    """
    seats = [_lasting_of_seat(room, place, seat, held(seat), ledger) for place, seat in people_and_bots(room)]
    setup = None if address is None else setup_as_json(room.setup)
    return json.dumps({"setup": setup, "address": address, "stays": room.stays, "seats": seats})


def _lasting_of_seat(room: Room, place: int, seat: Seat, held: Held | None, ledger: Ledger) -> dict[str, Any]:
    return {
        "place": place,
        "name": seat.name,
        "bot": seat.is_bot,
        "gives-way": seat.gives_way,
        "token": None if held is None else held.token,
        "address": None if held is None else held.address,
        "led": room.hosts.place_of(seat),
        "plain": seat.is_plain,
        "connection": seat.connection,
        "record": None if seat.tally is None else ledger.row_of(seat).number,
    }


def changing(room: Room, seats: Iterable[Seat]) -> str:
    """The part of the seats of a table that a round changes: numbers, with a line for each.

    Where it is in the open round, it is as before that; or as after it, if it has been told its RESULT.
    """
    table = room.table
    if table.is_open_round:
        return "\n".join([_changing_of_seat(seat, *_of_open_round(room, seat)) for seat in seats])
    return "\n".join([_changing_of_seat(seat, seat.rounds_left, None) for seat in seats])


def _of_open_round(room: Room, seat: Seat) -> tuple[int | None, Result | None]:
    """The rounds that a seat has left, and its result of the open round, if it was told one."""
    left, result = seat.rounds_left, early_result(room.table, seat)
    is_void = result is None and seat in room.table.dealt_in
    return left + 1 if is_void and left is not None else left, result


def early_result(table: Table, seat: Seat) -> Result | None:
    """The result of a seat of the open round, if it has been told it."""
    if not table.is_open_round or table.round is None or seat not in table.dealt_in:
        return None
    number = table.dealt_in.index(seat)
    outcome, payoff = table.round.outcomes[number], table.round.payoffs[number]
    return None if outcome is None or payoff is None else (outcome, payoff)


def _changing_of_seat(seat: Seat, left: int | None, result: Result | None) -> str:
    rounds, score, bankroll, tally = seat.rounds, seat.score, seat.bankroll, seat.tally
    if result is not None:
        rounds, score = rounds + 1, score + result[1]
        bankroll = bankroll if seat.bet is None else exact(bankroll + result[1] * seat.bet)
    told = "" if tally is None else tally_as_text(tally, result)
    return (
        f"{left} {rounds} {score} {bankroll} {seat.bet} {seat.shows:d} {seat.refusals}"
        f" {seat.decisions} {seat.deciding} {told}"
    )


def seat_again(told: Mapping[str, Any], numbers: str) -> tuple[Seat, Tally | None]:
    """The seat of which the functions above have told, and its record; a person is away.

    Raises:
        KeyError, ValueError: if it makes no sense.
    """
    left, rounds, score, bankroll, bet, shows, refusals, decisions, deciding, tally = numbers.split(" ")
    seat = Seat(told["name"], _number(left), is_bot=told["bot"], gives_way=told["gives-way"])
    seat.rounds, seat.score = int(rounds), exact(Fraction(score))
    seat.bankroll, seat.bet = exact(Fraction(bankroll)), _number(bet)
    seat.shows, seat.refusals = bool(int(shows)), int(refusals)
    seat.decisions, seat.deciding = int(decisions), float(deciding)
    seat.is_plain, seat.connection = told["plain"], told["connection"]
    if not seat.is_bot:
        seat.expect()
    return seat, tally_again(tally) if tally else None


def _number(text: str) -> int | None:
    return None if text == "None" else int(text)


def tally_as_text(tally: Tally, more: Result | None = None) -> str:
    """A tally in a short text: `WIN:1:3,LOSE:-1:4`; the counts alone, `3,4,0,2,0`, where those say it all.

    Args:
        tally: the rounds.
        more: the result of one more round; None for none.
    """
    rows = tally.rows
    if more is not None:
        rows = {**rows, more: rows.get(more, 0) + 1}
    if len(rows) == len(_PLAIN):  # each outcome with its own payoff, which every tally has, and nothing else
        return ",".join(map(str, rows.values()))
    return ",".join(
        [f"{_OUTCOMES[outcome]}:{payoff}:{count}" for (outcome, payoff), count in rows.items() if count]
    )


def tally_again(text: str) -> Tally:
    """The tally of which `tally_as_text` has told.

    Raises:
        ValueError: if it makes no sense.
    """
    tally = Tally()
    for number, row in enumerate(text.split(",")):
        if ":" in row:
            outcome, payoff, count = row.split(":")
            tally.count(Outcome(outcome), exact(Fraction(payoff)), int(count))
        elif row:
            tally.count(*_PLAIN[number], int(row))
    return tally


# The shoe of a table.


def shoe_as_text(room: Room) -> str | None:
    """The cards that a shoe has dealt which is kept for several rounds; None for other shoes."""
    kept = room.table.kept_shoe
    if kept is None:
        return None
    shoe, dealt, fresh = kept
    return f"{letters_of(shoe.dealt(before_round=room.table.is_open_round))} {dealt} {fresh}"


def put_shoe_back(room: Room, text: str | None) -> None:
    """Let a table go on with the shoe of which `shoe_as_text` has told.

    Raises:
        ValueError: if it has other cards.
    """
    kept = room.table.kept_shoe
    if text is None or kept is None:
        return
    letters, dealt, fresh = text.split(" ")
    kept[0].deal_these(cards_of(letters))
    room.table.go_on_with_shoe(int(dealt), int(fresh))


# The last rounds of a table, which HISTORY tells.


class Told(NamedTuple):
    """A round that is over, as the file tells of it.

    Attributes:
        number: its number at its table.
        records: the numbers of the records of those who were dealt in.
        facts: of each of them, what `Recent` keeps.
        ended: when it was over, in seconds since 1970.
        round: the round.
    """

    number: int
    records: Sequence[int]
    facts: Sequence[Facts]
    ended: float
    round: Round


def told_as_text(number: int, round_: Round, seats: Sequence[Seat], ledger: Ledger, ended: float) -> str:
    """A round that is over as a line; the arguments are those of `Told`."""
    dealt = [
        f"{ledger.row_of(seat).number} {seat.connection} {seat.bet} {seat.rounds} "
        f"{','.join(map(str, seat.late)) if seat.late else ''}"
        for seat in seats
    ]
    return f"{number}|{round_as_text(round_)}|{ended}|{';'.join(dealt)}"


def told_again(text: str, rules: Rules) -> Told:
    """The round of which `told_as_text` has told.

    Raises:
        ValueError: if it makes no sense.
    """
    number, played, ended, seats = text.split("|")
    records, facts = [], []
    for seat in seats.split(";"):
        record, connection, bet, rounds, late = seat.split(" ")
        records.append(int(record))
        decided = [int(each) for each in filter(None, late.split(","))]
        facts.append((_number(connection), _number(bet), decided, int(rounds)))
    round_ = round_again(replace(rules, seats=len(records)), played)
    return Told(int(number), records, facts, float(ended), round_)


def played_at(room: Room, seats: Iterable[Seat], recent: Iterable[str]) -> Played:
    """The play at a table.

    Args:
        room: the table.
        seats: those of `people_and_bots`.
        recent: its last rounds, the oldest first, each of `told_as_text`.
    """
    table = room.table
    return Played(
        table.number - table.is_open_round,
        table.gathering.is_started,
        changing(room, seats),
        shoe_as_text(room),
        "\n".join(recent),
        room.number,
    )
