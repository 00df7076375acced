"""The history of a dealer: each round as a line of JSON, enough to play it again.

`docs/reference/history.schema.json` describes a line, and SPEC.md says what its keys mean.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

from cards import (
    CARDS,
    CardDealt,
    DealerDrew,
    DealerPeeked,
    Decision,
    DecisionAsked,
    DecisionTaken,
    HandBegun,
    HandSettled,
    HoleCardDealt,
    HoleCardRevealed,
    PlayedHand,
    Record,
    Round,
    SeatForfeited,
    SeatSettled,
    UpcardDealt,
)
from cards.rules import exact
from dealer.tables.lines import LinesFile, now
from dealer.tables.seat import Seat
from protocol import chips_text, payoff_text
from protocol.codec import COST_DIGITS

VERSION: Final = 2
"""The version of a line. It grows when a key changes its meaning or its type."""


class Dealt(Protocol):
    """A seat that was dealt in, as a line tells of it: see `Seat`."""

    @property
    def name(self) -> str:
        """The name as it was typed."""

    @property
    def connection(self) -> int | None:
        """The number of the connection; None for a bot."""

    @property
    def bet(self) -> int | None:
        """The chips staked; None where no bets are asked."""

    @property
    def late(self) -> Sequence[int]:
        """The decisions that its clock made, by number from 0 among all of the round."""


class Judged(NamedTuple):
    """The judgement of a decision by exact values.

    Attributes:
        cost: what it lost, in initial bets: 0 or more.
        best: the best decision by the same values.
    """

    cost: float
    best: Decision


class History:
    """Writes each round that is over.

    Args:
        file: where it is written.
    """

    def __init__(self, file: LinesFile) -> None:
        self._file = file
        self._rounds = 0
        self._chain = ""

    def add(self, table: int, round_: Round, seats: Sequence[Seat]) -> None:
        """Write a round, with the number of its table and the seats that were dealt in."""
        self._rounds += 1
        line, self._chain = chained(
            round_as_json(self._rounds, round_, seats, table=table, time=now()), self._chain
        )
        self._file.add_line(line)


def chained(document: Mapping[str, Any], before: str) -> tuple[str, str]:
    """A line of JSON that ends with `chain`, so that a change of any line before it is seen.

    Args:
        document: the line without it.
        before: `chain` of the line before; empty for the first.

    Returns:
        The line, and its `chain`: SHA-256 in hex over `before` and the text of the line without it.
    """
    text = json.dumps(document)
    chain = sha256((before + text).encode()).hexdigest()
    return f'{text[:-1]}, "chain": "{chain}"}}', chain


def round_as_json(
    number: int,
    round_: Round,
    seats: Sequence[Dealt],
    *,
    table: int,
    time: str | None,
    fields: Mapping[str, str] | None = None,
    judged: Sequence[Sequence[Judged]] | None = None,
) -> dict[str, Any]:
    """A round with all that happened in it, enough to deal it again.

    Args:
        number: its number in this run of the dealer.
        round_: the round, which is over.
        seats: those that were dealt in.
        table: the number of its table.
        time: when it was over; None if that is not told.
        fields: those of its rules, for whoever tells of many rounds.
        judged: what is known of each decision of each seat, in the order of play; None if it is not told.
    """
    outcomes = [outcome for outcome in round_.outcomes if outcome is not None]
    decisions = _decisions(round_, [number for seat in seats for number in seat.late], judged)
    return {
        "version": VERSION,
        "round": number,
        "table": table,
        **({} if time is None else {"time": time}),
        "rules": round_.rules.fields() if fields is None else fields,
        "names": [seat.name for seat in seats],
        "records": [_told(record) for record in round_.records],
        "outcomes": [outcome.value for outcome in outcomes],
        "payoffs": [_payoff_text(payoff) for payoff in round_.payoffs if payoff is not None],
        "seats": [_seat(round_, dealt_in, seat, decisions[dealt_in]) for dealt_in, seat in enumerate(seats)],
    }


def hide_unseen(line: dict[str, Any]) -> None:
    """Make a hole card null that was not shown: where the shoe is kept it would tell of the cards to come."""
    records = line["records"]
    if not any(record["record"] == "revealed" for record in records):
        # A new list: rounds share the objects of their records.
        line["records"] = [HIDDEN if record["record"] == "hole card" else record for record in records]


def cost_told(cost: float, digits: int) -> float:
    """A cost, in initial bets, rounded to some decimals; no zero has a minus."""
    return round(float(cost), digits) + 0.0


def _seat(round_: Round, number: int, seat: Dealt, decisions: list[list[dict[str, Any]]]) -> dict[str, Any]:
    bet = None if round_.rules.bets is None else seat.bet
    means = None if round_.means is None else round_.means[number]
    hands, payoff = round_.hands_of(number), round_.payoffs[number]
    assert payoff is not None
    of_hands = sum(hand.payoff for hand in hands if hand.payoff is not None)
    return {
        "connection": seat.connection,
        "name": seat.name,
        "bet": None if bet is None else str(bet),
        "bankroll": None if bet is None or means is None else chips_text(means * bet),
        "insured": round_.insured[number],
        "plain": number in round_.plain,
        "payoff": _payoff_text(payoff),
        "insurance": _payoff_text(exact(payoff - of_hands)) if round_.insured[number] else None,
        "hands": [_hand(hand, decided) for hand, decided in zip(hands, decisions, strict=True)],
    }


def _hand(played: PlayedHand, decisions: list[dict[str, Any]]) -> dict[str, Any]:
    assert played.outcome is not None
    assert played.payoff is not None
    return {
        "cards": [_CARDS[card.index] for card in played.hand.cards],
        "stake": str(played.stake),
        "decisions": decisions,
        "outcome": played.outcome.value,
        "payoff": _payoff_text(played.payoff),
    }


def _decisions(
    round_: Round, late: Container[int], judged: Sequence[Sequence[Judged]] | None
) -> list[list[list[dict[str, Any]]]]:
    """The options and the decisions of each seat, hand by hand; None for a question that was not answered."""
    number = 0
    judged_left = None if judged is None else [iter(each) for each in judged]
    seats: list[list[list[dict[str, Any]]]] = [[[]] for _ in range(round_.rules.seats)]
    for record in round_.records:
        match record:
            case DecisionAsked(seat, hand, options):
                question: dict[str, Any] = {"options": [option.value for option in options], "decision": None}
                seats[seat][hand].append(question)
            case DecisionTaken(seat, decision, hand):
                question = seats[seat][hand][-1]
                question["decision"] = decision.value
                if number in late:
                    question["late"] = True
                if judged_left is not None:
                    cost, best = next(judged_left[seat])
                    question["cost"], question["best"] = cost_told(cost, COST_DIGITS), best.value
                number += 1
                if decision is Decision.SPLIT:
                    seats[seat].insert(hand + 1, [])
    return seats


def _told(record: Record) -> dict[str, Any]:
    """A record as `record_as_json` tells it: nearly all are the same few, which are told only once."""
    known = _TOLD.get(id(record))
    if known is not None:
        return known[1]
    told = record_as_json(record)
    if type(record) is not HandSettled:  # the only one that is made for each round
        _TOLD[id(record)] = record, told
    return told


_TOLD: Final[dict[int, tuple[Record, dict[str, Any]]]] = {}
"""By the identity of a record, which is kept for that, the record as an object."""

HIDDEN: Final[dict[str, Any]] = {"record": "hole card", "card": None}
"""The record of a hole card that was not turned over, for players and watchers."""

_CARDS: Final = tuple(map(str, CARDS))
_payoff_text: Final = lru_cache(1024)(payoff_text)


def record_as_json(record: Record) -> dict[str, Any]:
    """A record as an object: `record` is its kind, and each kind has the same keys under all rules."""
    match record:
        case CardDealt(seat, card, hand):
            return {"record": "card", "seat": seat, "hand": hand, "card": str(card)}
        case UpcardDealt(card):
            return {"record": "upcard", "card": str(card)}
        case HoleCardDealt(card):
            return {"record": "hole card", "card": str(card)}
        case DecisionAsked(seat, hand, options):
            offered = [option.value for option in options]
            return {"record": "asked", "seat": seat, "hand": hand, "options": offered}
        case DecisionTaken(seat, decision, hand):
            return {"record": "decided", "seat": seat, "hand": hand, "decision": decision.value}
        case HandBegun(seat, hand, hands):
            return {"record": "hand", "seat": seat, "hand": hand, "hands": hands}
        case DealerPeeked(has_natural):
            return {"record": "peeked", "natural": has_natural}
        case SeatForfeited(seat):
            return {"record": "forfeited", "seat": seat}
        case HoleCardRevealed(card):
            return {"record": "revealed", "card": str(card)}
        case DealerDrew(card):
            return {"record": "drew", "card": str(card)}
        case HandSettled(seat, hand, outcome, payoff):
            result = {"outcome": outcome.value, "payoff": payoff_text(payoff)}
            return {"record": "hand settled", "seat": seat, "hand": hand, **result}
        case SeatSettled(seat, outcome, payoff):
            won = outcome.payoff if payoff is None else payoff
            return {"record": "settled", "seat": seat, "outcome": outcome.value, "payoff": payoff_text(won)}
