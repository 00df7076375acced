"""After a lost connection: which rounds are over whose RESULT did not come, and what the dealer took.

Pure: it knows no connection. `player.client` asks what this wants to know, and acts by what it finds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cards import Outcome, Payoff, Rules, Surrender
from cards.rules import exact
from protocol import (
    Answer,
    Begin,
    BetRequest,
    CardMessage,
    DealerCard,
    Decline,
    Double,
    Event,
    HandTurn,
    HistoryReply,
    HistoryRequest,
    Hit,
    Message,
    Question,
    Result,
    SideRequest,
    Split,
    Stand,
)
from protocol.amounts import parse_payoff
from protocol.messages import MAX_BACK, SIDES
from protocol.questions import QUESTION_KINDS
from twentyone.policies.policy import upcard_value

OF_A_HAND: Final[frozenset[type[Event]]] = frozenset({CardMessage, DealerCard, HandTurn})
"""The messages of a round besides its questions and its end; a RESUME brings them again."""

_EFFECTS: Final[Mapping[type[Message], tuple[type[Message], ...]]] = {
    Hit: (CardMessage,),
    Stand: (HandTurn, CardMessage),
    Double: (CardMessage, HandTurn, CardMessage),
    Split: (HandTurn, CardMessage),
    Decline: (),
}
"""The messages between an answer and the next question, where only that answer explains them; or, of STAND
and DECLINE, where the clock would have given the same."""

_SIDE_UPCARDS: Final = (10, 11)
"""The upcards against which something may be asked before the hands are played."""


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round that was not seen to its end.

    Attributes:
        outcome: how it ended; None if that is not known any more.
        payoff: its payoff in initial bets; None where it is the outcome's, or is not known.
        chips: the same in chips, where bets are asked.
    """

    outcome: Outcome | None = None
    payoff: Payoff | None = None
    chips: Payoff | None = None


class Recovery:
    """Asks a dealer for the rounds of a seat that are over, and holds back what it says meanwhile.

    Args:
        known: how many rounds of this seat have an end that is known.
        resumes: whether a RESUME has been said, which is not granted by a message of its own.
        result: what a RESULT has said that is in doubt; it counts where the dealer says nothing better.

    Attributes:
        held: the dealer's other messages meanwhile, in order.
        resumes: whether it follows a RESUME.
        result: as above.
        over: how many rounds of the seat were over when it was asked; None if the dealer does not say.
        is_over: whether there is nothing more to ask.
        is_turned_away: whether an ERROR has come that may refuse the connection, and not the RESUME.
    """

    def __init__(self, known: int, *, resumes: bool, result: PastRound | None = None) -> None:
        self.held: list[Event] = []
        self.resumes = resumes
        self.result = result
        self.over: int | None = None
        self.is_over = False
        self.is_turned_away = False
        self._known = known
        self._found: dict[int, PastRound] = {}
        self._asked = 0

    def take(self, reply: HistoryReply) -> HistoryRequest | None:
        """Take the answer to a HISTORY; return the next one, or None if there is nothing more to ask."""
        try:
            line = json.loads(reply.json)
            number = line["your_round"]
            past = None if number is None else _past_of(line)
        except (ValueError, KeyError, IndexError, TypeError):
            return None
        if past is None or not isinstance(number, int):
            self.over = self._known if self.over is None else self.over
            return None
        if self.over is None:  # a RESULT that has come by now will be counted in its turn
            self.over = number - sum(type(event) is Result for event in self.held)
        self._found[number] = past
        self._asked += 1
        missing = next((each for each in self._lost if each not in self._found), None)
        if missing is None:
            return None
        back = number + reply.back - missing
        return HistoryRequest(back) if 1 <= back <= MAX_BACK and self._asked < MAX_BACK else None

    def note_no_round(self) -> None:
        """The dealer keeps no round: none is over where none was known to be."""
        self.is_over = True
        if self._known == 0:
            self.over = 0

    @property
    def past(self) -> list[PastRound]:
        """The rounds that are over and were not seen to their end, in order, as far as it is known."""
        if self.result is not None and not self._lost:
            return [self.result]
        return [self._found.get(number, PastRound()) for number in reversed(self._lost)]

    @property
    def _lost(self) -> range:
        """The numbers of these rounds, the last one first."""
        newest = min(self.over or 0, self._known + MAX_BACK)
        return range(newest, self._known, -1)


@dataclass(frozen=True, slots=True)
class Replay:
    """The messages of the open round that a RESUME has brought.

    Attributes:
        has_begun: whether there is one.
        told: its cards and hands, in order.
        question: what is asked now, of the round or before it; None if nothing is.
    """

    has_begun: bool
    told: tuple[Event, ...]
    question: Question | None

    def is_of_first_question(self, rules: Rules) -> bool:
        """Whether a round that was not seen to begin has come to its first question, and no further."""
        kinds = tuple(map(type, self.told))
        if self.question is None or kinds not in (_DEALT, _DEALT[:2]):
            return False
        upcard = self.told[-1]
        is_side_asked = isinstance(upcard, DealerCard) and upcard_value(upcard.card) in _SIDE_UPCARDS
        is_side_possible = rules.insurance or rules.surrender is Surrender.EARLY
        return not (is_side_possible and is_side_asked) or self.question == SideRequest(SIDES[0])


_DEALT: Final = (CardMessage, CardMessage, DealerCard)


def replay_in(held: Sequence[Event]) -> Replay:
    """The replay at the beginning of what was held back."""
    told: list[Event] = []
    has_begun = False
    for event in held:
        kind = type(event)
        if kind in QUESTION_KINDS:
            return Replay(has_begun, tuple(told), event)  # type: ignore[arg-type]
        if kind is Result or (kind is Begin and has_begun):
            break
        has_begun = has_begun or kind is Begin
        if kind in OF_A_HAND:
            told.append(event)
    return Replay(has_begun, tuple(told), None)


def explains(answer: Answer, news: Sequence[Event]) -> bool:
    """Whether an answer was taken for certain, if a round has brought this before its next question."""
    return _EFFECTS.get(type(answer)) == tuple(map(type, news))


def is_same(question: Question | None, other: Question | None) -> bool:
    """Whether a question is asked again."""
    if isinstance(question, BetRequest) or isinstance(other, BetRequest):
        return type(question) is type(other)
    return question is not None and question == other


def _past_of(line: Mapping[str, Any]) -> PastRound:
    """The end of a round of the history, for the seat of the player who asked."""
    you = line["you"]
    seat = line["seats"][you]
    payoff, bet = parse_payoff(seat["payoff"]), seat["bet"]
    chips = None if bet is None else exact(Fraction(payoff) * int(bet))
    return PastRound(Outcome[line["outcomes"][you]], payoff, chips)
