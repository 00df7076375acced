"""Whether it is noticed that a dealer decided without the player."""

from __future__ import annotations

from cards import Decision, Outcome
from player.delayed_answers import DelayedAnswers

ROUNDS = {
    **{rounds: [True] for rounds in ("C C ? S R", "C C ? H C ? S R", "C C ? H C R", "C C R", "C C ? H B")},
    "C C ? H C B": [True],
    # Decided alone: nothing that was answered came of it.
    **{rounds: [False] for rounds in ("C C ? R", "C C ? H R", "C C ? S C ? S R", "C C ? S C R", "C C ? S B")},
    **{rounds: [False] for rounds in ("C C ? H ? S R", "C C ? S ? S R")},
    # Said before it could hear the answer.
    "C C ? S r": [False],
    "C C ? H c R": [False],
    # A question that stays open leaves no answer behind.
    "C C ? R | C C ? S R": [False, True],
    # After an answer that came too late it may be taken for the next one.
    "C C ? H R | C C ? S R | C C ? S R": [False, False, False],
    "C C ? H R | C C ? H C R | C C ? S R": [False, False, False],
    # A HIT that was carried out after a STAND was no older answer; the round after it is no longer in doubt.
    "C C ? H R | C C ? S R | C C ? H C R | C C ? S R": [False, False, False, True],
    "C C ? H R | C C ? S R | C C ? H C R | C C ? H R | C C ? S R": [False, False, False, False, False],
}
"""Rounds as they are followed, and whether each was the player's own. C: card, ?: question, H and S: answers,
R: result, B: bust; small letters for what was said before the last answer was sent."""


def followed(rounds: str) -> list[bool]:
    """Whether each of these rounds was the player's own."""
    delayed = DelayedAnswers()
    own = []
    for round_ in rounds.split(" | "):
        steps = round_.split()
        for step, following in zip(steps, [*steps[1:], ""], strict=True):
            match step:
                case "C" | "c":
                    delayed.dealt(was_sent=step.isupper())
                case "?" if following not in ("H", "S"):
                    delayed.left_open()
                case "H" | "S":
                    delayed.answered(Decision.HIT if step == "H" else Decision.STAND)
                case "R" | "r":
                    own.append(delayed.settled(Outcome.WIN, was_sent=step.isupper()))
                case "B":
                    own.append(delayed.settled(Outcome.BUST, was_sent=True))
    return own


def test_a_round_is_the_players_own_if_its_messages_say_nothing_else() -> None:
    assert {rounds: followed(rounds) for rounds in ROUNDS} == ROUNDS
