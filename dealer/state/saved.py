"""A table, and a record of a seat, as the state file has them: JSON, from the objects and back.

A round that is open is void for whoever goes on: everything is told as before it. Only a seat that has been
told its RESULT already has this round.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from cards import CARDS, Outcome, Payoff, Round, Rules, Tally, rules_from
from cards.rules import exact
from dealer.lobby.seating import Held
from dealer.state.rounds import indices_of, letters_of, round_again
from dealer.tables.config import Setup
from dealer.tables.recent import Facts
from dealer.tables.room import Room
from dealer.tables.seat import Seat

_OUTCOMES: Final = {outcome: outcome.value for outcome in Outcome}


# The rounds of a seat.


def tally_in_words(tally: Tally, more: tuple[Outcome, Payoff] | None = None) -> str:
    """A tally as JSON.

    Args:
        tally: the rounds.
        more: one more round: its outcome and its payoff in initial bets; None for none.
    """
    rows = tally.rows
    if more is not None:
        rows = {**rows, more: rows.get(more, 0) + 1}
    return json.dumps(
        [[_OUTCOMES[outcome], str(payoff), count] for (outcome, payoff), count in rows.items() if count]
    )


def tally_again(words: str) -> Tally:
    """The tally that was told in words.

    Raises:
        ValueError: if they make no sense.
    """
    tally = Tally()
    for outcome, payoff, count in json.loads(words):
        tally.count(Outcome(outcome), exact(Fraction(payoff)), int(count))
    return tally


# A table.


def table_in_words(
    room: Room,
    held: Callable[[Seat], Held | None],
    recent: Iterable[Told],
    label: Callable[[Seat], str],
    *,
    address: str | None,
) -> str:
    """An open table as JSON, with the seats that are bots' or kept for their players.

    Args:
        room: the table.
        held: tells of a seat whether it is kept.
        recent: its last rounds, the oldest first.
        label: of a seat that has a record, the name of this.
        address: from where it was opened; None for one of the dealer's own.
    """
    table = room.table
    seats = table.seats_after_round
    places = {seat: place for place, seat in enumerate(seats) if seat is not None}
    return json.dumps(
        {
            "setup": None if address is None else setup_in_words(room.setup),
            "address": address,
            "stays": room.stays,
            "rounds": table.number - table.is_open_round,
            "started": table.gathering.is_started,
            "shoe": _shoe(room),
            "seats": [None if seat is None else _seat(room, seat, held, label) for seat in seats],
            "recent": [told_in_words(told, places) for told in recent],
        }
    )


def setup_in_words(setup: Setup) -> dict[str, Any]:
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


def setup_again(words: Mapping[str, Any]) -> Setup:
    """The configuration that was told in words."""
    return Setup(
        rules_from(words["rules"]),
        words["bots"],
        words["bot-policy"],
        words["practice"],
        words["pause"],
        words["bot-delay"],
        words["players"],
    )


def _seat(
    room: Room, seat: Seat, held: Callable[[Seat], Held | None], label: Callable[[Seat], str]
) -> dict[str, Any] | None:
    """A seat as it is before the open round, or after it if it has been told its RESULT."""
    keeps = held(seat)
    if keeps is None and not seat.is_bot:
        return None
    rounds, score, bankroll, left = seat.rounds, seat.score, seat.bankroll, seat.rounds_left
    if room.table.is_open_round and (number := room.table.number_in_round(seat)) is not None:
        payoff = early_result(room.table.round, number)
        if payoff is not None:
            rounds, score = rounds + 1, score + payoff[1]
            bankroll = bankroll if seat.bet is None else exact(bankroll + payoff[1] * seat.bet)
        elif left is not None:
            left += 1
    return {
        "name": seat.name,
        "bot": seat.is_bot,
        "gives-way": seat.gives_way,
        "token": None if keeps is None else keeps.token,
        "address": None if keeps is None else keeps.address,
        "led": room.hosts.place_of(seat),
        "left": left,
        "rounds": rounds,
        "score": str(score),
        "bankroll": str(bankroll),
        "bet": seat.bet,
        "plain": seat.is_plain,
        "shows": seat.shows,
        "connection": seat.connection,
        "decisions": seat.decisions,
        "deciding": seat.deciding,
        "refusals": seat.refusals,
        "label": None if seat.tally is None else label(seat),
    }


def early_result(round_: Round | None, number: int) -> tuple[Outcome, Payoff] | None:
    """The outcome and the payoff of a seat of an open round, if it has been told them."""
    if round_ is None:
        return None
    outcome, payoff = round_.outcomes[number], round_.payoffs[number]
    return None if outcome is None or payoff is None else (outcome, payoff)


def seat_again(words: Mapping[str, Any]) -> Seat:
    """The seat that was told in words; a player's is away."""
    seat = Seat(words["name"], words["left"], is_bot=words["bot"], gives_way=words["gives-way"])
    seat.rounds, seat.score = words["rounds"], exact(Fraction(words["score"]))
    seat.bankroll, seat.bet = exact(Fraction(words["bankroll"])), words["bet"]
    seat.is_plain, seat.shows = words["plain"], words["shows"]
    seat.connection = words["connection"]
    seat.decisions, seat.deciding, seat.refusals = words["decisions"], words["deciding"], words["refusals"]
    if not seat.is_bot:
        seat.expect()
    return seat


def _shoe(room: Room) -> Mapping[str, Any] | None:
    """The shoe of a table, where it is kept for several rounds."""
    kept = room.table.kept_shoe
    if kept is None:
        return None
    shoe, dealt, fresh = kept
    cards, here = shoe.cards(before_round=room.table.is_open_round)
    return {"cards": letters_of([card.index for card in cards]), "at": here, "dealt": dealt, "fresh": fresh}


def put_shoe_back(room: Room, words: Mapping[str, Any] | None) -> None:
    """Let a table go on with the shoe that was told in words.

    Raises:
        ValueError: if it has other cards.
    """
    kept = room.table.kept_shoe
    if words is None or kept is None:
        return
    kept[0].put_back([CARDS[index] for index in indices_of(words["cards"])], words["at"])
    room.table.go_on_with_shoe(words["dealt"], words["fresh"])


# The last rounds of a table, which HISTORY tells.


class Told(NamedTuple):
    """A round that is over, as it is kept for the file.

    Attributes:
        number: its number at its table.
        words: the round, in words.
        seats: those that were dealt in.
        facts: of each of them, what `Recent` keeps.
        ended: when it was over, in seconds since 1970.
    """

    number: int
    words: str
    seats: Sequence[Seat]
    facts: Sequence[Facts]
    ended: float


def told_in_words(told: Told, places: Mapping[Seat, int]) -> list[Any]:
    """Such a round as JSON has it.

    Args:
        told: the round.
        places: the seats at the table by their players, who may have sat elsewhere or left since.
    """
    return [
        told.number,
        told.words,
        told.ended,
        [[places.get(seat), seat.name, *facts] for seat, facts in zip(told.seats, told.facts, strict=True)],
    ]


def told_again(words: Sequence[Any], rules: Rules, seats: Sequence[Seat | None]) -> tuple[Told, Round]:
    """The round that was told in words.

    Raises:
        ValueError: if they make no sense.
    """
    number, text, ended, dealt = words
    players = []
    for place, name, *_ in dealt:
        seat = None if place is None else seats[place]
        players.append(Seat(name) if seat is None else seat)
    facts = [(connection, bet, late, rounds) for _, _, connection, bet, late, rounds in dealt]
    round_ = round_again(replace(rules, seats=len(players)), text)
    return Told(number, text, players, facts, ended), round_
