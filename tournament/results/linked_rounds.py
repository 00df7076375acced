"""The rounds that the page links to: as lines of a history, as rows of its table, and as steps to be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import escape

from cards import (
    CardDealt,
    DealerDrew,
    DealerPeeked,
    DecisionTaken,
    HandBegun,
    HoleCardRevealed,
    Record,
    Round,
    SeatForfeited,
    SeatSettled,
    UpcardDealt,
)
from protocol import payoff_text
from tournament.replay.history import lines
from tournament.results.errors import CostlyRound, Errors, chips_before, picked_from, rounds_again
from tournament.results.statistics import Standing
from tournament.settings import Block, Results


def row(results: Results, standing: Standing, costly: CostlyRound) -> str:
    """A row of the table of the hands that cost most."""
    hand = " ".join("A" if card == 11 else str(card) for card in costly.cards) or "-"
    upcard = "A" if costly.upcard == 11 else str(costly.upcard)
    name = escape(standing.rows[costly.entrant].name)
    link = f'<a href="#{_anchor(costly)}">{costly.round + 1:,}<span class="unseen"> of {name}</span></a>'
    return (
        f'<tr><th scope="row">{name}</th><td>{link}</td><td>{hand}</td><td>{upcard}</td>'
        f'<td class="words">{costly.decided}</td><td class="words">{costly.best or "-"}</td>'
        f"<td>{costly.cost:z.4f}</td></tr>"
    )


def _anchor(costly: CostlyRound) -> str:
    """The target of a link to a round: the numbers of its table and of its round, from 1, as in its line."""
    return f"round={costly.entrant + 1}.{costly.round + 1}"


def history(results: Results, errors: Errors | None) -> str:
    """The lines of the linked rounds, safe within a script element; none without exact values.

    As long as the tournament is not over they leave out the seed.
    """
    if errors is None:
        return ""
    wanted = {
        number: sorted(each.round for each in errors.dearest if each.entrant == number)
        for number in range(len(results.settings.entrants))
    }
    narrowed = replace(results, blocks=lambda match: list(_narrowed(results, match, wanted[match])))
    told = "\n".join(lines(narrowed, shoes=results.is_over))
    return told.replace("<", "\\u003c")


def _narrowed(results: Results, match: int, numbers: list[int]) -> Iterator[Block]:
    """A block for each of these rounds, with nothing else in it."""
    rules = results.settings.rules
    for block, nth in picked_from(results.blocks(match), numbers):
        chips = () if rules.bets is None else (payoff_text(chips_before(rules, block, nth)),)
        before = replace(block.before, round=block.before.round + nth, bankrolls=chips)
        yield replace(
            block,
            before=before,
            scripts=[block.scripts[nth]],
            payoffs=block.payoffs[nth : nth + 1],
            lost=None if block.lost is None else block.lost[nth : nth + 1],
            seconds=None,
        )


def folded(results: Results, standing: Standing, errors: Errors) -> str:
    """The linked rounds as lists of steps, each folded."""
    found = {}
    for number in range(len(results.settings.entrants)):
        rounds = sorted(each.round for each in errors.dearest if each.entrant == number)
        found.update({(number, place): played for place, played in rounds_again(results, number, rounds)})
    return "".join(_steps(standing, each, found[each.entrant, each.round]) for each in errors.dearest)


def _steps(standing: Standing, costly: CostlyRound, round_: Round) -> str:
    name = standing.rows[costly.entrant].name
    told = filter(None, map(partial(_said, name=name), round_.records))
    steps = "".join(f"<li>{escape(step)}</li>" for step in told)
    return (
        f"<details><summary>Round {costly.round + 1:,} of {escape(name)}</summary>"
        f'<ol class="steps" id="{_anchor(costly)}">{steps}</ol></details>'
    )


def _said(record: Record, name: str) -> str | None:
    """The sentence about a record; None for one that says nothing new."""
    match record:
        case CardDealt(_, card):
            return f"{name} is dealt {card}."
        case UpcardDealt(card):
            return f"The dealer shows {card}."
        case DecisionTaken(_, decision):
            return f"{name} decides {decision.value}."
        case HandBegun(_, hand, hands):
            return f"{name} plays hand {hand + 1} of {hands}."
        case DealerPeeked(has_natural):
            return f"The dealer looks at the hole card: {'a' if has_natural else 'no'} natural."
        case SeatForfeited():
            return f"{name} forfeits the round."
        case HoleCardRevealed(card):
            return f"The dealer turns over {card}."
        case DealerDrew(card):
            return f"The dealer draws {card}."
        case SeatSettled(_, outcome, payoff):
            gets = "" if payoff is None else f", {payoff_text(payoff)} initial bets"
            return f"{name}: {outcome.value}{gets}."
    return None
