"""The value of the rules of a game: the best chart, the best play, insurance, and how rounds scatter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import Any, Final, NamedTuple

import numpy as np

from cards import Decision, Rules
from twentyone.exact import cache
from twentyone.exact.best.basic import fields_text, shoe_name
from twentyone.exact.best.cells import cell_values
from twentyone.exact.best.certificate import Certificate
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.report.blocks import blocks_of
from twentyone.exact.report.grades import cell_name, hand_name, numbers_of, percent, upcard_rows
from twentyone.exact.report.hand_values import values_of_hand
from twentyone.exact.report.letters import UPCARDS, Line, Piece, upcard_name
from twentyone.exact.report.lines import Margins, chart_lines
from twentyone.exact.values.compositions import ACE
from twentyone.exact.values.deviation import Deviation, deviation
from twentyone.exact.values.game import SeatGame, Values, insurance_value
from twentyone.exact.yardsticks import Yardsticks
from twentyone.policies.action_values import ActionValues
from twentyone.support.summary import columns

TEN: Final = 8
"""The index of cards of ten points."""

WIDTH: Final = 80
"""Characters of a line, as in every chart."""

MOST_DOUBTS: Final = 5
"""Of more entries in doubt the number is told."""


class InsuranceWorth(NamedTuple):
    """The value of insurance.

    Attributes:
        always: the expected payoff of the side bet against an ace, in initial bets, on any hand.
        natural: what a natural against an ace is worth without insurance and with it; None if none is paid at
            a ratio, or the shoe has too few cards for it.
    """

    always: float
    natural: tuple[float, float] | None


class Worth(NamedTuple):
    """The value of the rules, in initial bets per round.

    Attributes:
        game: the game.
        best: the best chart.
        best_play: the value of the best play.
        yardsticks: what both are worth.
        cells: what each option is worth by hand and upcard, followed by the chart.
        insurance: where it is offered, and there is an ace.
    """

    game: SeatGame
    best: BestChart
    best_play: Values
    yardsticks: Yardsticks
    cells: ActionValues
    insurance: InsuranceWorth | None


def worth_of(game: SeatGame) -> Worth:
    """The value of the rules of a game. It takes a second or two."""
    best, play = best_chart(game), game.best_play()
    cells = cell_values(game, best.chart)
    return Worth(game, best, play, Yardsticks.of(best, play), cells, _insurance(game))


def _insurance(game: SeatGame) -> InsuranceWorth | None:
    shoe = game.shoe
    if not (game.rules.insurance and shoe.counts[ACE]):
        return None
    chance = shoe.counts[TEN] / (shoe.size - (not shoe.endless))
    natural = None
    if game.rules.naturals.is_ratio and shoe.counts[TEN] and (shoe.endless or shoe.counts[ACE] > 1):
        found = values_of_hand(game, (10, 11), 11).insurance
        natural = None if found is None else found.natural
    return InsuranceWorth(float(insurance_value(np.array(chance))), natural)


def deviation_of(worth: Worth, done: Callable[[int], None] = lambda _: None) -> Deviation:
    """The deviation of rounds by the best chart, kept in the user's cache: it takes some seconds.

    Args:
        worth: what the rules are worth.
        done: called after each upcard.

    Raises:
        NoExactFormError: if two hands may hold too many cards of one kind for exact sums.
    """
    name = f"deviation-{fields_text(worth.game.rules)}{shoe_name(worth.game)}"
    kept = cache.load(name, (2,))
    if kept is None:
        found = deviation(worth.game, worth.best.chart, done)
        cache.keep(name, np.array(found))
        return found
    done(len(UPCARDS))
    return Deviation(*kept.tolist())


MARGINS: Final = "what the best option gains over the next, in initial bets"
"""The meaning of margins."""


def margins_of(worth: Worth) -> Margins:
    """The gain of the best option of each cell over the next."""
    margins = {}
    for cell, row in worth.cells.rows.items():
        values = sorted(each.value for each in row.values())
        if len(values) > 1:
            margins[cell] = values[-1] - values[-2]
    return margins


def worth_lines(worth: Worth, margins: Margins | None = None) -> list[Line]:
    """The value of the rules, and the chart, for a terminal."""
    parts = [_values_text(worth), *_doubt_text(worth), *_insurance_text(worth)]
    parts.append(upcard_rows({"value": worth.best.values.by_upcard}))
    lines: list[Line] = []
    for part in parts:
        lines += [*([Piece(line)] for line in part.splitlines()), []]
    if margins is not None:
        lines += [
            [Piece(f"beside each entry: {MARGINS}")],
            [],
        ]
    missing = [
        name
        for name, count in zip(map(upcard_name, UPCARDS), worth.game.shoe.counts, strict=True)
        if not count
    ]
    if missing:
        lines += [[Piece(f"the shoe has no {', '.join(missing)}: these columns say nothing")], []]
    blocks = blocks_of(worth.best.chart, worth.game.rules, merged=margins is None)
    return [*lines, *chart_lines(blocks, margins)]


def _values_text(worth: Worth) -> str:
    rows = [
        ("expected value", "initial bets per round", "house edge"),
        *((name, f"{value:+z.10f}", percent(-value)) for name, value in worth.yardsticks.values()),
    ]
    return columns(rows)


def _doubt_text(worth: Worth) -> list[str]:
    """The reason why the chart is not proved best, if it is not."""
    cells = [
        cell_name(hand, upcard + UPCARDS[0])
        for upcard, each in worth.best.certificates.items()
        for hand in each.doubt
    ]
    if not cells:
        return []
    more = f" and {len(cells) - MOST_DOUBTS} more" if len(cells) > MOST_DOUBTS else ""
    said = (
        f"It is not proved that no chart is better: in doubt is {', '.join(cells[:MOST_DOUBTS])}{more}. The"
        " hands that share such an entry differ too much in this shoe, in more cases than are tried."
    )
    return [fill(said, WIDTH)]


def _insurance_text(worth: Worth) -> list[str]:
    if worth.insurance is None:
        return []
    rows = [
        ("insurance", "initial bets"),
        ("on every hand, given an ace", f"{worth.insurance.always:+z.10f}"),
        ("where it pays on the cards seen, per round", f"{worth.best_play.insurance:+z.10f}"),
    ]
    if worth.insurance.natural is not None:
        kept, insured = worth.insurance.natural
        rows.append(("a natural against an ace, without insurance", f"{kept:+z.10f}"))
        rows.append((_insured_name(worth), f"{insured:+z.10f}"))
    return [columns(rows)]


def _insured_name(worth: Worth) -> str:
    """The name of a natural with insurance: at 3:2 it wins one bet for certain."""
    return "even money" if worth.game.rules.naturals.value == "3:2" else "the same with insurance"


def deviation_text(found: Deviation, rules: Rules) -> str:
    """The standard deviation in words."""
    splits = ", split hands and resplits included" if rules.split > 1 else ""
    insurance = "; insurance apart" if rules.insurance else ""
    return (
        f"standard deviation of a round: {found.deviation:z.7f} initial bets\n"
        f"by the best chart, exact{splits}{insurance}"
    )


def figures_of(worth: Worth, found: Deviation | None) -> list[tuple[str, str]]:
    """The value of the rules as names and figures, for a page."""
    figures = [("House edge", f"{percent(-worth.yardsticks.best_chart)} of the initial bet")]
    for name, value in worth.yardsticks.values():
        figures.append((name.capitalize(), f"{value:+z.10f} initial bets per round"))
    if found is not None:
        figures.append(("Standard deviation of a round", f"{found.deviation:z.7f} initial bets"))
    if worth.insurance is not None:
        figures.append(
            ("Insurance on every hand, given an ace", f"{worth.insurance.always:+z.7f} initial bets")
        )
        figures.append(
            ("Insurance where it pays", f"{worth.best_play.insurance:+z.10f} initial bets per round")
        )
        if worth.insurance.natural is not None:
            kept, insured = worth.insurance.natural
            name = _insured_name(worth)
            figures.append(("A natural against an ace", f"{kept:+z.7f} initial bets; {name} {insured:+z.7f}"))
    return figures


def options_of(worth: Worth) -> Iterator[Sequence[object]]:
    """A row for each hand, upcard and option, the headings first: what it is worth, followed by the chart."""
    yield "hand", "upcard", "entry", "option", "value"
    for (hand, upcard), row in worth.cells.rows.items():
        entry = worth.best.chart.row(hand)[upcard - UPCARDS[0]]
        for option in Decision:
            if option in row:
                yield hand, upcard, entry, option.value, row[option].value


def certificate_lines(worth: Worth) -> list[Line]:
    """The proof that the chart is best, for a terminal."""
    lines = [
        f"No chart is {'' if worth.best.proved else 'known to be '}better. Against each upcard entries are"
        " closed in passes:",
        "another entry is better under any chart of the entries that earlier passes have",
        "left open. It gains at least this, in initial bets each time that it matters:",
    ]
    heading = ("upcard", "hands settled", "in doubt", "passes", "least gain", "where")
    rows = [
        (
            upcard_name(each["upcard"]),
            str(each["settled"]),
            str(each["in_doubt"]),
            str(each["passes"]),
            "-" if each["least_gain"] is None else f"{each['least_gain']:z.7f}",
            "-" if each["hand"] is None else hand_name(each["hand"]),
        )
        for each in certificate_json(worth)
    ]
    return [[Piece(line)] for line in [*lines, *columns([heading, *rows]).splitlines()]]


def certificate_json(worth: Worth) -> list[dict[str, Any]]:
    """The proof that the chart is best, a document for each upcard."""
    return [_settled(upcard + UPCARDS[0], each) for upcard, each in worth.best.certificates.items()]


def _settled(upcard: int, certificate: Certificate) -> dict[str, Any]:
    """The numbers of hands settled and in doubt, the passes, and the hand where least is gained."""
    hand, gain = min(certificate.gain.items(), key=lambda each: each[1], default=(None, None))
    return {
        "upcard": upcard,
        "settled": len(certificate.gain),
        "in_doubt": len(certificate.doubt),
        "passes": max(certificate.settled_in.values(), default=0),
        "least_gain": gain,
        "hand": hand,
    }


def worth_json(worth: Worth, found: Deviation | None) -> dict[str, Any]:
    """The value of the rules as a document; the help of `analysis solve` lists its keys."""
    best, play, insurance = worth.best, worth.best_play, worth.insurance
    kept, insured = (insurance and insurance.natural) or (None, None)
    return {
        **worth.yardsticks.as_json(),
        "house_edge": -best.values.value,
        "standard_deviation": None if found is None else found.deviation,
        "insurance": insurance
        and {
            "always": insurance.always,
            "where_it_pays": play.insurance,
            "natural": kept,
            "natural_insured": insured,
        },
        "upcards": list(UPCARDS),
        "upcard_chances": worth.game.upcards.tolist(),
        "best_chart_by_upcard": numbers_of(best.values.by_upcard),
        "best_play_by_upcard": numbers_of(play.by_upcard),
        "chart": {hand: list(row) for hand, row in best.chart.rows.items()},
        "cells": [
            {
                "hand": hand,
                "upcard": upcard,
                "entry": best.chart.row(hand)[upcard - UPCARDS[0]],
                "options": {each.value: row[each].value for each in Decision if each in row},
            }
            for (hand, upcard), row in worth.cells.rows.items()
        ],
    }
