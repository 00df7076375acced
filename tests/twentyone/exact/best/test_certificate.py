"""The certificate of the best chart: its bounds hold whatever open entries are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np
import pytest

from cards import PRESETS, Ace, DealerStands, Rules, RulesError, rules_from
from tests.helpers.strategies import UNPAID
from tests.helpers.tiers import first_of
from tests.test_every_option import VALUES
from tests.twentyone.exact.games import GAMES, a_game
from twentyone.exact.best.certificate import Certificate, Column, Open
from twentyone.exact.best.chart import best_chart
from twentyone.exact.values.charts import TOTALS, cells_of, evaluate, plan_of, reach_of, value_of
from twentyone.exact.values.game import FIRST, UPCARDS, SeatGame, seat_game
from twentyone.exact.values.hands import HIT, STAND
from twentyone.exact.values.shoe import Shoe
from twentyone.exact.values.upcard import Dealt
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.decisions import fresh

ROUNDED: Final = 1e-12
"""A bound on rounding errors."""

COURSE: Final = Rules()

RULES: Final = [
    PRESETS["reno"],
    COURSE,
    Rules(ace=Ace.ELEVEN, decks=2),
    rules_from({"preset": "vegas", "decks": "1", "split": "3", "split-aces": "play", "surrender": "early"}),
    rules_from({"preset": "europe", "hole-card": "obo"}),
    rules_from({"preset": "devs", "double": "any", "double-after-split": "yes", "split": "4"}),
]

OPEN: Final = 5
"""So many hands are open where every column is tried."""


def strange_game(rules: Rules, upcard: int, seed: int) -> SeatGame:
    """A game in which only low hands are dealt, and standing may be better or worse than hitting.

    In the game itself the hands of a total are so alike that no entry is left in doubt.
    """
    game = SeatGame(fresh(rules), Shoe.of(rules))
    random = np.random.default_rng(seed)
    against = game.against(upcard)
    hit = against.follow(np.where(game.hands.total < 17, HIT, STAND)).hit
    against.stand, against.double = (hit + random.uniform(-1, 1, hit.shape) for _ in range(2))
    rows, chances = against.dealt
    against.dealt = Dealt(rows, np.where(game.hands.total[rows] < 10, chances, 0.0))
    return game


def a_column(column: Column, open_: Open, random: np.random.Generator) -> dict[str, str]:
    """A column of any of the open entries."""
    entries = {
        word: column.entries[random.choice(np.flatnonzero(open_.totals[:, cell]))]
        for cell, word in enumerate(TOTALS)
    }
    return entries | {
        word: pair_entry(int(random.choice(np.flatnonzero(open_.pairs[:, number]))))
        for number, word in enumerate(column.pairs)
    }


def pair_entry(first: int) -> str:
    """An entry by which a pair is decided first as the index of `FIRST` says."""
    return next(entry for entry, decisions in ENTRIES.items() if decisions[0] is FIRST[first])


def value(game: SeatGame, upcard: int, entries: dict[str, str]) -> float:
    """The value of a column given the upcard."""
    return value_of(game, upcard, plan_of(game, upcard, entries))


def entries_of(column: Column, open_: Open, word: str) -> list[str]:
    """The open entries of a hand."""
    if word in TOTALS:
        return [
            column.entries[number] for number in np.flatnonzero(open_.totals[:, TOTALS.index(word)]).tolist()
        ]
    return [
        pair_entry(number) for number in np.flatnonzero(open_.pairs[:, column.pairs.index(word)]).tolist()
    ]


def passes(column: Column) -> Iterator[tuple[Open, Open]]:
    """What is open before and after each pass."""
    before = column.everything()
    while True:
        after, _ = column.narrowed(before)
        if all(np.array_equal(*parts) for parts in zip(before, after, strict=True)):
            return
        yield before, after
        before = after


@pytest.mark.parametrize("rules", first_of(RULES, 1))
@pytest.mark.parametrize("is_strange", [False, True])
def test_no_column_gets_worse_if_a_closed_entry_gives_way_to_an_open_one(
    rules: Rules, is_strange: bool
) -> None:
    random = np.random.default_rng(1)
    compared = 0
    for upcard in (0, 4, 8, 9):
        game = strange_game(rules, upcard, upcard) if is_strange else seat_game(fresh(rules))
        column = Column(game, upcard)
        for before, after in passes(column):
            for word in (*TOTALS, *column.pairs):
                open_, left = entries_of(column, before, word), entries_of(column, after, word)
                closed = [entry for entry in open_ if entry not in left]
                if not closed:
                    continue
                assert left
                entries = a_column(column, before, random)
                values = {entry: value(game, upcard, {**entries, word: entry}) for entry in open_}
                best = max(values[entry] for entry in left)
                assert max(values[entry] for entry in closed) <= best + ROUNDED, (upcard, word)
                compared += 1
    assert compared > 50


@pytest.mark.parametrize("rules", first_of([RULES[0], RULES[2], *RULES[4:]], 1))
def test_where_entries_stay_in_doubt_the_best_of_all_open_columns_is_found(rules: Rules) -> None:
    doubts = 0
    for upcard, seed in product((4, 9), range(5)):
        column, random = (
            Column(game := strange_game(rules, upcard, seed), upcard),
            np.random.default_rng(seed),
        )
        open_ = mostly_decided(column.settled(column.everything()), random)
        certificate = column.settled(open_)
        values = [value(game, upcard, entries) for entries in all_columns(column, open_)]
        best = column.best(open_)
        assert not best.doubt
        assert value(game, upcard, best.column) == pytest.approx(max(values), abs=ROUNDED)
        assert best.bound == pytest.approx(max(values), abs=ROUNDED)
        assert certificate.bound >= max(values) - ROUNDED
        doubts += bool(certificate.doubt)
    assert doubts


def mostly_decided(certificate: Certificate, random: np.random.Generator) -> Open:
    """What is open, less all but one entry of each hand, but for a few that are in doubt."""
    open_ = Open(*(part.copy() for part in certificate.open))
    doubtful = [(part, at) for part in open_ for at in np.flatnonzero(part.sum(axis=0) > 1)]
    random.shuffle(doubtful)
    for part, at in doubtful[OPEN:]:
        number = random.choice(np.flatnonzero(part[:, at]))
        part[:, at] = False
        part[number, at] = True
    return open_


def all_columns(column: Column, open_: Open) -> Iterator[dict[str, str]]:
    """Every column of open entries."""
    words = (*TOTALS, *column.pairs)
    for entries in product(*(entries_of(column, open_, word) for word in words)):
        yield dict(zip(words, entries, strict=True))


def certificates(rules: Rules) -> dict[int, Certificate]:
    """The certificates by the index of the upcard."""
    game = seat_game(fresh(rules))
    return {upcard: Column(game, upcard).best() for upcard in UPCARDS}


@pytest.mark.parametrize("rules", first_of([COURSE, Rules(ace=Ace.ONE), Rules(ace=Ace.ELEVEN, decks=2)], 1))
def test_an_entry_gains_what_the_certificate_says_under_any_column_of_entries_that_were_open(
    rules: Rules,
) -> None:
    game, random = seat_game(fresh(rules)), np.random.default_rng(2)
    cells, compared = cells_of(game), 0
    for upcard, certificate in certificates(rules).items():
        column = Column(game, upcard)
        for before, after in passes(column):
            settled = np.flatnonzero((before.totals.sum(axis=0) > 1) & (after.totals.sum(axis=0) == 1))
            entries = a_column(column, before, random)
            reach = np.bincount(
                cells, reach_of(game, upcard, plan_of(game, upcard, entries)), minlength=len(TOTALS)
            )
            for cell in settled.tolist():
                word = TOTALS[cell]
                mine = certificate.column[word]
                other = {"H": "S", "S": "H"}[mine]
                gain = value(game, upcard, entries | {word: mine}) - value(
                    game, upcard, entries | {word: other}
                )
                assert gain >= reach[cell] * certificate.gain.get(word, 0.0) - ROUNDED
                compared += reach[cell] > 0
    assert compared > 100


def test_an_entry_of_a_later_pass_may_be_worse_if_earlier_ones_are_others() -> None:
    certificate = certificates(COURSE)[2]
    assert (certificate.column["H6"], certificate.settled_in["H6"] > 1) == ("H", True)
    assert certificate.gain["H6"] == pytest.approx(0.0097, abs=1e-4)
    # If all cells hit, hands bust, and hitting on hard 6 against 4 is worth far less than standing.
    game, entries = seat_game(COURSE), dict.fromkeys(TOTALS, "H")
    assert value(game, 2, entries | {"H6": "S"}) > value(game, 2, entries)


def hit_and_stand(decks: int | None) -> Iterator[Rules]:
    """All rules of HIT and STAND with so many decks on which the value of a fresh shoe depends."""
    for ace, stands, naturals in product(Ace, DealerStands, UNPAID):
        yield Rules(decks=decks, ace=ace, dealer_stands=stands, naturals=naturals)


@pytest.mark.parametrize("decks", first_of([None, 1, 2, 3, 4, 5, 6, 7, 8]))
def test_the_best_chart_is_proved_for_all_rules_of_hit_and_stand(decks: int | None) -> None:
    for rules in hit_and_stand(decks):
        best = best_chart(seat_game(rules))
        assert best.proved
        assert best.bound == pytest.approx(best.values.value, abs=ROUNDED)
        # Every entry for a hand that is ever held is better by more than rounding errors.
        assert all(gain > 5e-5 for each in best.certificates.values() for gain in each.gain.values())


@pytest.mark.parametrize("preset", first_of([name for name in PRESETS if name != "showdown"], 2))
def test_the_best_chart_of_every_preset_is_proved(preset: str) -> None:
    best = best_chart(seat_game(fresh(PRESETS[preset])))
    assert best.proved
    assert best.bound == pytest.approx(best.values.value, abs=ROUNDED)


@pytest.mark.check
@pytest.mark.parametrize("preset", ["vegas", "reno", "europe"])
def test_the_best_chart_is_proved_with_each_option_alone(preset: str) -> None:
    proved = 0
    for option, texts in VALUES.items():
        for text in texts[::2] if option not in ("reshuffle", "seats", "bets", "bankroll") else ():
            try:
                rules = rules_from({"preset": preset, "reshuffle": "round", option: text})
            except RulesError:  # it needs another option
                continue
            assert best_chart(seat_game(rules)).proved, (option, text)
            proved += 1
    assert proved > 10


@pytest.mark.parametrize("number", GAMES)
def test_the_best_chart_of_a_small_shoe_is_proved(number: int) -> None:
    best = best_chart(a_game(number))
    assert best.proved
    assert best.bound == pytest.approx(best.values.value, abs=ROUNDED)


STRANGE_SHOES: Final[Sequence[tuple[dict[str, str], tuple[int, ...], bool]]] = [
    (
        {"preset": "europe", "decks": "1", "double": "10-11", "double-after-split": "yes", "split": "3"}
        | {"surrender": "early", "insurance": "yes", "hole-card": "obo"},
        (3, 0, 4, 2, 3, 0, 2, 3, 8, 0),
        True,
    ),
    (
        {"preset": "reno", "naturals": "2:1", "double": "10-11", "double-after-split": "yes"}
        | {"surrender": "early", "insurance": "yes"},
        (1, 3, 0, 1, 4, 0, 0, 3, 10, 1),
        False,
    ),
]
"""Shoes in which bounds leave entries in doubt, or in which changes of single entries end too soon."""


@pytest.mark.parametrize(("fields", "shoe", "is_doubtful"), STRANGE_SHOES)
def test_the_best_chart_of_a_strange_shoe_is_proved(
    fields: dict[str, str], shoe: tuple[int, ...], is_doubtful: bool
) -> None:
    rules = rules_from(fields)
    game = seat_game(rules, Shoe(shoe))
    columns = {upcard: Column(game, upcard) for upcard in UPCARDS if shoe[upcard]}
    alone = {upcard: column.settled(column.everything()) for upcard, column in columns.items()}
    assert any(each.doubt for each in alone.values()) == is_doubtful
    best = best_chart(game)
    assert best.proved
    # No change of one entry helps.
    for upcard, column in columns.items():
        entries = best.certificates[upcard].column
        at_best = value(game, upcard, entries)
        for word in (*TOTALS, *column.pairs):
            for entry in entries_of(column, column.everything(), word):
                assert value(game, upcard, {**entries, word: entry}) <= at_best + ROUNDED


def test_a_column_with_an_entry_in_doubt_is_not_proved() -> None:
    best = best_chart(seat_game(COURSE))
    doubtful = replace(best.certificates[8], doubt=("H16",))
    assert best.proved
    assert not best._replace(certificates={**best.certificates, 8: doubtful}).proved


def test_a_worse_chart_is_worth_less_than_the_bound() -> None:
    game = seat_game(COURSE)
    best = best_chart(game)
    # Hard 12 against 4, the closest decision: HIT costs about 0.0025.
    row = list(best.chart.row("H12"))
    row[2] = {"H": "S", "S": "H"}[row[2]]
    other = Chart("other", {**best.chart.rows, "H12": tuple(row)}, COURSE)
    assert evaluate(game, other).value < best.bound - 1e-6
