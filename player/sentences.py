"""Sentences for a person at the table: prompts, help, hands, results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cards import Card, Decision, Hand, Naturals, Outcome, Payoff, Rules
from protocol import BetRequest, chips_text, payoff_text
from twentyone.support.counts import counted

PROMPTS: Final[Mapping[Decision, str]] = {
    Decision.HIT: "[h]it",
    Decision.STAND: "[s]tand",
    Decision.DOUBLE: "[d]ouble",
    Decision.SPLIT: "s[p]lit",
    Decision.SURRENDER: "su[r]render",
    Decision.INSURE: "[i]nsure",
    Decision.DECLINE: "[n]o",
}
"""The answers to type for each decision: the letter in brackets, or the full word."""

KEYS: Final[Mapping[str, Decision]] = {
    key: decision
    for decision, prompt in PROMPTS.items()
    for key in (prompt[prompt.index("[") + 1], prompt.replace("[", "").replace("]", ""))
} | {"decline": Decision.DECLINE}

_HELP: Final[Mapping[Decision, str]] = {
    Decision.HIT: "HIT: one more card. Over 21 you are bust and have lost at once.",
    Decision.STAND: "STAND: no more cards. The dealer draws to 17; the higher total not over 21 wins.",
    Decision.DOUBLE: "DOUBLE: twice the stake, and exactly one more card.",
    Decision.SPLIT: "SPLIT: two hands of this pair, each with a stake of its own.",
    Decision.SURRENDER: "SURRENDER: half the stake is lost, and the hand is over.",
    Decision.INSURE: "INSURE: half the stake that the dealer has a natural; it pays 2 to 1.",
    Decision.DECLINE: "DECLINE: no, play on.",
}

_QUIT_HELP: Final = "q  QUIT: leave the table. An open hand is lost."

_CARDS_HELP: Final = (
    "Jacks, queens and kings count 10. A hand is soft while an ace counts 11 in it and could still count 1."
)

_BET_HELP: Final = """A number is the stake of the next round, in chips. Enter alone bets as last time.
q  QUIT: leave the table."""


def prompt_of(question: Sequence[Decision] | BetRequest, last: int | None = None) -> str:
    """The question, at the end of a line: only what is allowed."""
    if isinstance(question, BetRequest):
        bankroll = chips_text(question.bankroll)
        again = f"Enter for {last}, " if last is not None else ""
        most = f"{question.maximum} of {counted(bankroll, 'chip')}"
        return f"Your bet, {question.minimum} to {most}: {again}[q]uit or ? "
    return f"{', '.join(PROMPTS[decision] for decision in question)}, [q]uit or ? "


def help_of(question: Sequence[Decision] | BetRequest) -> str:
    """The meanings of the answers."""
    if isinstance(question, BetRequest):
        return _BET_HELP
    lines = [f"{key_of(decision)}  {_HELP[decision]}" for decision in question]
    return "\n".join([*lines, _QUIT_HELP, _CARDS_HELP])


def key_of(decision: Decision) -> str:
    """The letter that is typed for a decision."""
    prompt = PROMPTS[decision]
    return prompt[prompt.index("[") + 1]


def expected_of(question: Sequence[Decision] | BetRequest) -> str:
    """The answers that may be typed, for the end of a sentence."""
    if isinstance(question, BetRequest):
        return f"{question.minimum} to {question.maximum}, q or ?"
    return f"{', '.join(map(key_of, question))}, q or ?"


def total_of(hand: Hand, naturals: Naturals = Naturals.EQUAL) -> str:
    """`18`, `a natural` where that is more than 21, or `25, bust`."""
    if hand.is_bust:
        return f"{hand.total}, bust"
    return "a natural" if hand.is_natural and naturals is not Naturals.EQUAL else str(hand.total)


def held(cards: Sequence[Card]) -> str:
    """`the Ten of Clubs and the Nine of Hearts`."""
    *most, last = [f"the {card}" for card in cards]
    return f"{', '.join(most)} and {last}" if most else last


def shown_of(hand: Hand) -> str:
    """`Ten of Clubs, Nine of Hearts: hard 19`."""
    kind = "soft" if hand.is_soft else "hard"
    return f"{', '.join(map(str, hand.cards))}: {kind} {hand.total}"


def dealer_of(cards: Sequence[Card], rules: Rules) -> str:
    """The sentence about the dealer's hand at the end."""
    return f"The dealer has {held(cards)}: {total_of(Hand(rules.ace, cards), rules.naturals)}."


def result_of(outcome: Outcome, hand: Hand | None, rules: Rules) -> str:
    """The sentence about the end of a round; without a hand, that of a seat with several."""
    whose = "" if hand is None else f" with {total_of(hand, rules.naturals)}"
    match outcome:
        case Outcome.WIN:
            return f"You win{whose}."
        case Outcome.LOSE:
            return f"You lose{whose}."
        case Outcome.PUSH:
            return f"Push{whose}: nobody wins."
        case Outcome.SURRENDER:
            return "You have surrendered."
    return "Bust: you lose." if hand is None else f"Bust with {hand.total}: you lose."


def insurance_of(payoff: Payoff) -> str:
    """The sentence about the end of an insurance."""
    return f"The insurance {'wins' if payoff > 0 else 'loses'}: {payoff_text(payoff)}."


def hand_result_of(number: int, hand: Hand, outcome: Outcome, payoff: Payoff, unit: str = "") -> str:
    """The sentence about the end of one of several hands, its number counted from 0."""
    return f"Hand {number + 1}, {shown_of(hand)}: {outcome.value.lower()}, {payoff_text(payoff)}{unit}."


def paid(payoff: Payoff, chips: Payoff | None) -> str:
    """The payoff of a round: in chips where bets are asked, otherwise in initial bets."""
    return f"Payoff {payoff_text(payoff) if chips is None else counted(payoff_text(chips), 'chip')}"
