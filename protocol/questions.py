"""The answers to each question, the one that a clock gives, and the sentences about late answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cards import Decision
from protocol.messages import (
    ANSWERS,
    PLAYER_KINDS,
    Answer,
    Bet,
    BetRequest,
    DecisionRequest,
    Hit,
    Message,
    PlayerMessage,
    Question,
    SideRequest,
    Stand,
)

ANSWER_KINDS: Final[frozenset[type[Message]]] = frozenset(
    kind for kind in PLAYER_KINDS if issubclass(kind, Answer)
)
"""The messages that answer a question."""

QUESTIONS: Final = (DecisionRequest, SideRequest, BetRequest)
"""The messages that ask one."""

QUESTION_KINDS: Final[frozenset[type[Message]]] = frozenset(QUESTIONS)
"""The same, to look a kind up."""

_ABOUT_CLOCK: Final = re.compile(r"no answer came in time: |\S+( \S+)? came too late: the clock had already ")

_DECISIONS: Final[Mapping[type[Message], Decision]] = {
    type(message): decision for decision, message in ANSWERS.items()
}
_ANY_TIME: Final = (Hit, Stand)
"""Answers to every question, for clients that know no others: to a bet they mean "as last time"."""


def may_answer(question: Question, answer: PlayerMessage) -> bool:
    """Whether this is one of the answers to a question."""
    kind = type(answer)
    if kind is Hit or kind is Stand:
        return True
    if isinstance(question, BetRequest):
        return isinstance(answer, Bet) and question.minimum <= answer.chips <= question.maximum
    return _DECISIONS.get(kind) in question.options


def answers_of(question: Question) -> tuple[type[Message], ...]:
    """The answers that a sentence for a player names."""
    if isinstance(question, BetRequest):
        return (Bet,)
    return tuple(type(ANSWERS[decision]) for decision in question.options) or _ANY_TIME


def form_of(question: Question, answer: type[Message]) -> str | None:
    """The form of an answer where the question says more than the message's own form; otherwise None."""
    if isinstance(question, BetRequest) and answer is Bet:
        return f"BET <chips> from {question.minimum} to {question.maximum}"
    return None


def taken_by_clock(question: Question) -> str:
    """The sentence for a player as soon as the time for its answer is over."""
    match question:
        case BetRequest(minimum):
            taken = f"your bet is {minimum}"
        case SideRequest():
            taken = "that is taken as DECLINE"
        case _:
            taken = "your hand stands as it is"
    return f"no answer came in time: {taken}"


def came_too_late(question: Question) -> str:
    """Why the answer to a question that the clock has taken is refused."""
    match question:
        case BetRequest(minimum):
            taken = f"staked {minimum}"
        case SideRequest():
            taken = "declined"
        case _:
            taken = "made that hand stand"
    return f"came too late: the clock had already {taken}"


def is_about_clock(sentence: str) -> bool:
    """Whether a refusal is about a question that the clock has taken: the connection goes on."""
    return _ABOUT_CLOCK.match(sentence) is not None
