"""A line of a history, played again: what it has to say if its cards and decisions are as it tells.

Lines are those of `dealer --history`, of HISTORY, or of a tournament.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final

from cards import (
    CARDS,
    Card,
    Decision,
    DecisionAsked,
    DecisionTaken,
    NumberedShoes,
    QueuedShoe,
    Round,
    RoundError,
    Rules,
    RulesError,
    Shoe,
    ShoeError,
    StackedShoe,
    parse_card,
    rules_stated,
)
from dealer.tables.history import HIDDEN, VERSION, hide_unseen, record_as_json, round_as_json
from protocol.names import NAME_FORM, is_name
from tournament.replay.judged import correct
from twentyone.support.counts import counted

NOT_JSON: Final = "it is not JSON: it was cut or damaged"
NOT_OBJECT: Final = "it is not an object of JSON: it was cut or damaged"

LONGEST: Final = 1 << 20
"""Bytes of a line. The longest round, nine seats of four hands each, has a twentieth of that."""

_FROM_SHOE: Final = frozenset({"card", "upcard", "hole card", "drew"})
"""The records of cards that came from the shoe."""

_PLAIN: Final = [card for card in CARDS if 2 <= card.points <= 9 and not card.is_ace]
"""Stand-ins for a hole card that was never turned over, and that made no natural."""

_DECISIONS: Final = {decision.value: decision for decision in Decision}
_SLOW: Final = ("STAND", "DECLINE")
"""The decisions of a clock."""

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_BET: Final = re.compile(r"[1-9][0-9]{0,12}")
_CHIPS: Final = re.compile(r"[0-9]{1,18}(\.[0-9]{1,12})?")
_SHOWN: Final = 120


class LineError(Exception):
    """The fault of a line, as one sentence without a full stop."""


@dataclass(slots=True)
class Player:
    """A player who was dealt in, as a line tells.

    Attributes:
        name: the name.
        connection: the number of the connection; None for a bot, and in a tournament.
        bet: the chips staked; None where no bets are asked.
        late: none: what the clock decided is copied from the line.
    """

    name: str
    connection: int | None = None
    bet: int | None = None
    late: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """A line that was played again.

    Attributes:
        told: what the line says.
        round: the round, which is over.
        expected: what it has to say, except `chain`.
        unverified: the keys whose values do not follow from the rest of the line.
    """

    told: Mapping[str, Any]
    round: Round
    expected: dict[str, Any]
    unverified: frozenset[str]


class Replayer:
    """Plays lines again; shoes are kept from one line to the next, for speed.

    Args:
        working: told the rules before costs are worked out that a line tells, which may take some seconds.
    """

    def __init__(self, working: Callable[[Rules], object] = lambda _: None) -> None:
        self._working = working
        self._rules: Rules | None = None
        self._seed = 0
        self._queued: QueuedShoe | None = None
        self._kept: dict[int, NumberedShoes] = {}  # by table

    def replay(self, told: Mapping[str, Any]) -> Replayed:
        """Play a line again.

        Raises:
            LineError: if its records are no round by its rules, or its costs are not those of its decisions.
        """
        try:
            return self._replay(told)
        except RulesError as error:
            raise LineError(f"rules: {error}") from None
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
            raise LineError("it is not a round as a dealer or a tournament writes it") from None

    def _replay(self, told: Mapping[str, Any]) -> Replayed:
        (rules, fields), records = _rules(tuple(told["rules"].items())), told["records"]
        seats = told["seats"]
        if len(seats) != rules.seats:
            raise LineError(f"it has {counted(len(seats), 'seat')}: expected {rules.seats} by the rules")
        players = [_player(seat, rules) for seat in seats]
        means = [_means(seat) for seat in seats] if rules.bets is not None else None
        plain = [number for number, seat in enumerate(seats) if seat["plain"]]
        round_ = Round(rules, self._shoe(told, rules), means=means, plain=plain)
        _play(round_, records)
        number, table = _count(told, "round", 1), _count(told, "table", 1)
        expected = round_as_json(number, round_, players, table=table, time=_time(told), fields=fields)
        if HIDDEN in records:
            hide_unseen(expected)
        _add_what_is_told(expected, told)
        unverified = _unverified(told)
        if unverified & _COSTS:
            questions = questions_in_order(expected, round_)
            if correct(questions, told, round_, self._working):
                unverified -= _COSTS
            if not all(map(_is_told, questions, questions_in_order(told, round_))):
                bare = {key: value for key, value in told.items() if key != "chain"}
                raise LineError(
                    first_difference(bare, expected) or "the costs are not those of its decisions"
                )
        return Replayed(told, round_, expected, unverified)

    def _shoe(self, told: Mapping[str, Any], rules: Rules) -> Shoe:
        """The source of the cards: the shoe that the line tells, otherwise its cards."""
        shoe = told.get("shoe")
        if shoe is None:
            return StackedShoe(_cards(told["records"], rules))
        seed, number = _count(shoe, "seed"), _count(shoe, "number")
        if rules is not self._rules or seed != self._seed:
            self._rules, self._seed, self._queued = rules, seed, None
            self._kept.clear()
        if "dealt" in shoe:
            return self._kept_shoe(rules, seed, told["table"], number, _count(shoe, "dealt"))
        due = (_count(told, "round", 1) - 1) // (1 if rules.has_dealer else rules.seats)
        if number != due:
            raise LineError(f"shoe.number is {number}: expected {due}, by the number of the round")
        if self._queued is None:
            self._queued = QueuedShoe(rules, seed)
        self._queued.go_to(number)
        return self._queued

    def _kept_shoe(self, rules: Rules, seed: int, table: int, number: int, dealt: int) -> NumberedShoes:
        if dealt + rules.fewest_cards > 52 * (rules.decks or 0):
            raise LineError(f"shoe.dealt is {dealt}: the shoe is not kept so long")
        kept = self._kept.get(table)
        if kept is None:
            kept = self._kept[table] = NumberedShoes(rules, seed, number, dealt)
        else:
            kept.begin_round()
            if (kept.number, kept.dealt) != (number, dealt):
                kept.go_to(number, dealt)
        return kept


def parsed(line: bytes) -> dict[str, Any]:
    """The object of a line.

    Raises:
        LineError: if it is none, or of another version.
    """
    try:
        told = json.loads(line) if len(line) <= LONGEST else None
    except (ValueError, RecursionError):
        raise LineError(NOT_JSON) from None
    if not isinstance(told, dict):
        raise LineError(NOT_OBJECT)
    if "version" not in told:
        raise LineError(f"version is missing: expected {VERSION}")
    version = told["version"]
    if type(version) is not int or version != VERSION:
        raise LineError(f"version is {_shown(version)}: expected {VERSION}")
    return told


def first_difference(told: Any, expected: Any, at: str = "") -> str | None:
    """The first difference between two values of JSON, in a sentence; None if they are equal."""
    if isinstance(told, dict) and isinstance(expected, dict):
        for key in [*expected, *(key for key in told if key not in expected)]:
            place = f"{at}.{key}" if at else key
            if key not in told:
                return f"{place} is missing: expected {_shown(expected[key])}"
            if key not in expected:
                return f"{place} is {_shown(told[key])}: it should not be there"
            if found := first_difference(told[key], expected[key], place):
                return found
        return None
    if isinstance(told, list) and isinstance(expected, list):
        if len(told) != len(expected) and told[: len(expected)] == expected[: len(told)]:
            return f"{at} has {counted(len(told), 'entry')}: expected {len(expected)}"
        pairs = zip_longest(told, expected)
        found_in = (first_difference(*pair, f"{at}[{nth}]") for nth, pair in enumerate(pairs))
        return next(filter(None, found_in), None)
    if type(told) is type(expected) and told == expected:
        return None
    return f"{at} is {_shown(told)}: expected {_shown(expected)}"


def object_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `json.loads`, in which no key may be there twice.

    Raises:
        LineError: if one is.
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise LineError(f"the key {_shown(twice)} is there twice")
    return made


def questions_in_order(told: Mapping[str, Any], round_: Round) -> list[dict[str, Any]]:
    """The questions of a line in the order in which they were asked, by the round that it tells."""
    seats: list[list[list[int]]] = [[[]] for _ in range(round_.rules.seats)]
    asked = 0
    for record in round_.records:
        match record:
            case DecisionAsked(seat, hand):
                seats[seat][hand].append(asked)
                asked += 1
            case DecisionTaken(seat, Decision.SPLIT, hand):
                seats[seat].insert(hand + 1, [])
    found = [
        (number, told["seats"][seat]["hands"][hand]["decisions"][nth])
        for seat, hands in enumerate(seats)
        for hand, numbers in enumerate(hands)
        for nth, number in enumerate(numbers)
    ]
    return [question for _, question in sorted(found, key=lambda one: one[0])]


def _play(round_: Round, records: Sequence[Mapping[str, Any]]) -> None:
    """Decide and forfeit as the records say."""
    try:
        round_.deal()
        for record in records:
            kind = record["record"]
            if kind == "decided":
                round_.decide(record["seat"], _DECISIONS[record["decision"]])
            elif kind == "forfeited":
                if not 0 <= record["seat"] < round_.rules.seats:
                    raise LineError(f"seat {_shown(record['seat'])} is forfeited, which is not there")
                round_.forfeit(record["seat"])
    except (RoundError, ShoeError) as error:
        played = [record_as_json(record) for record in round_.records]
        why = first_difference(list(records[: len(played)]), played, "records")
        raise LineError(why or f"records: {error}") from None
    if not round_.is_over:
        raise LineError(f"records: they end early, where seat {round_.turn} is asked")


@lru_cache(256)
def _rules(fields: tuple[tuple[str, str], ...]) -> tuple[Rules, dict[str, str]]:
    """Rules, and the fields by which they are told."""
    if not all(isinstance(text, str) for pair in fields for text in pair):
        raise TypeError("rules are text")
    rules = rules_stated(dict(fields))
    return rules, rules.fields()


def _cards(records: Sequence[Mapping[str, Any]], rules: Rules) -> list[Card]:
    """The cards that were dealt, none of them more often than the shoe has it."""
    dealt = [record["card"] for record in records if record["record"] in _FROM_SHOE]
    cards = [parse_card(card) for card in dealt if card is not None]
    if len(cards) < len(dealt):  # the unseen hole card: any will do that makes no natural
        unseen = next(card for card in _PLAIN if rules.decks is None or cards.count(card) < rules.decks)
        cards.insert(dealt.index(None), unseen)
    if rules.decks is not None and len(set(cards)) + rules.decks <= len(cards):
        card, count = Counter(cards).most_common(1)[0]
        if count > rules.decks:
            raise LineError(f"the {card} is dealt {count} times, from {counted(rules.decks, 'deck')}")
    return cards


def _player(seat: Mapping[str, Any], rules: Rules) -> Player:
    name, connection, bet = seat["name"], seat["connection"], None
    if not is_name(name):
        raise LineError(f"the name {_shown(name)} is not {NAME_FORM}")
    if connection is not None:
        _count(seat, "connection", 1)
    if rules.bets is not None:
        if not _BET.fullmatch(seat["bet"]):
            raise LineError(f"the bet {_shown(seat['bet'])} is not a whole number of chips")
        bet = int(seat["bet"])
        if not rules.bets.minimum <= bet <= rules.bets.maximum:
            raise LineError(f"the bet of {name} is {bet}: expected {rules.bets}")
    return Player(name, connection, bet)


def _means(seat: Mapping[str, Any]) -> Fraction | None:
    """The initial bets that a seat could stake in all; None for no limit."""
    bankroll = seat["bankroll"]
    if bankroll is None:
        return None
    if not _CHIPS.fullmatch(bankroll):
        raise LineError(f"the bankroll {_shown(bankroll)} is not chips")
    means = Fraction(bankroll) / int(seat["bet"])
    if means < 1:
        raise LineError(f"{seat['name']} staked {counted(seat['bet'], 'chip')}, but had {bankroll}")
    return means


def _time(told: Mapping[str, Any]) -> str | None:
    time = told.get("time")
    if "shoe" in told and time is None:
        return None
    if not isinstance(time, str) or not _TIME.fullmatch(time):
        raise LineError(f"time is {_shown(time)}: expected UTC by ISO 8601, such as 2026-11-23T04:05:06.789Z")
    return time


def _count(told: Mapping[str, Any], key: str, least: int = 0) -> int:
    """A whole number of a line.

    Raises:
        LineError: if it is none.
    """
    value = told[key]
    if type(value) is not int or value < least:
        raise LineError(f"{key} is {_shown(value)}: expected a whole number from {least} on")
    return value


def _add_what_is_told(expected: dict[str, Any], told: Mapping[str, Any]) -> None:
    """Copy what cannot follow from the rules, as far as it is possible, to its place."""
    for seat, of_seat in zip(expected["seats"], told["seats"], strict=True):
        if "entrant" in of_seat:
            seat["entrant"] = _count(of_seat, "entrant", 1)
        for hand, of_hand in zip(seat["hands"], of_seat["hands"], strict=False):
            for question, of_question in zip(hand["decisions"], of_hand["decisions"], strict=False):
                if len(of_question) > 2:
                    _add_to_question(question, of_question)
    if "you" in told:
        if told["you"] is not None and _count(told, "you") >= len(told["seats"]):
            raise LineError(f"you is {told['you']}: expected the place of a seat, from 0, or null")
        expected["you"] = told["you"]
        _add_your_round(expected, told)
    if "shoe" in told:
        shoe = told["shoe"]
        expected["shoe"] = {key: shoe[key] for key in ("seed", "number", "dealt") if key in shoe}


def _add_your_round(expected: dict[str, Any], told: Mapping[str, Any]) -> None:
    """Copy which round of its seat a line of HISTORY is, if it says so: null where `you` is."""
    if "your_round" not in told:
        return
    if told["you"] is None and told["your_round"] is not None:
        raise LineError(f"your_round is {_shown(told['your_round'])} where you is null: expected null too")
    if told["you"] is not None:
        _count(told, "your_round", 1)
    expected["your_round"] = told["your_round"]


def _is_told(question: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Whether a line tells of a question what it should of its cost."""
    return all(question.get(key) == told.get(key) for key in _COSTS)


def _unverified(told: Mapping[str, Any]) -> frozenset[str]:
    """The keys of a line that are told, and copied from it when it is played again."""
    of_questions = [
        key
        for seat in told["seats"]
        for hand in seat["hands"]
        for question in hand["decisions"]
        if len(question) > 2
        for key in question
    ]
    of_seats = [key for seat in told["seats"] for key, value in seat.items() if value is not None]
    return _COPIED.intersection([*told, *of_questions, *of_seats])


def _add_to_question(question: dict[str, Any], told: Mapping[str, Any]) -> None:
    for key, is_possible in _EXTRAS.items():
        if key in told:
            if not is_possible(told[key], question):
                raise LineError(f"{key} of a decision is {_shown(told[key])}, which is not possible")
            question[key] = told[key]


def _is_number(value: object) -> bool:
    return type(value) is float and abs(value) < 1e9


_EXTRAS: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], bool]]] = {
    "late": lambda value, question: value is True and question["decision"] in _SLOW,
    "seconds": lambda value, _: _is_number(value) and value >= 0,
    "cost": lambda value, _: _is_number(value),
    "best": lambda value, question: value in question["options"],
}
"""Further members of a decision, in this order, each with a check of its values."""


_COSTS: Final = frozenset({"cost", "best"})
_COPIED: Final = _COSTS.union(
    _EXTRAS, ("time", "names", "connection", "entrant", "bet", "bankroll", "you", "your_round")
)
"""The keys whose values do not follow from the others; costs do where there are exact values."""


def _shown(value: object) -> str:
    """A value in a sentence."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
