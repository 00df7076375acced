"""Rules in the words of players."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cards import PRESETS, Bets
from cards.words import rules_in_words, table_in_words
from tests.helpers.played import rules_with_payoffs
from twentyone.analysis.studies.rule_changes import changes_of


def test_the_presets_in_words() -> None:
    assert rules_in_words(PRESETS["europe"]) == (
        "6 decks, dealer stands on soft 17, a natural pays 3:2, double hard 9 to 11, split to 2 hands,"
        " double after a split, one card to each split ace, no surrender, no insurance,"
        " dealer looks at the hole card last"
    )
    assert rules_in_words(PRESETS["course"]).startswith(
        "1 deck, dealer stands on soft 17, a natural is like any 21"
    )
    assert rules_in_words(PRESETS["vegas"], has_shoe=True).startswith("dealer hits soft 17, ")


@pytest.mark.parametrize("seed", range(2))
def test_whatever_makes_a_difference_is_said(seed: int) -> None:
    """All rules that differ in one field have other words."""
    changes = changes_of(rules_with_payoffs(Random(seed)))
    rules = {change.rules for change in changes}
    assert len(changes) > 25
    assert len({rules_in_words(each) for each in rules}) == len(rules)


def test_a_table_is_told_whole_in_sentences() -> None:
    vegas = table_in_words(replace(PRESETS["vegas"], bets=Bets(10, 500)))
    assert vegas.startswith("6 decks, dealer hits soft 17, a natural pays 3:2, ")
    assert vegas.endswith("dealer peeks. Shuffled when 75 % of the cards are dealt. Bets of 10 to 500 chips.")
    assert table_in_words(PRESETS["showdown"]).startswith("1 deck, no dealer: the highest total that is not")
    assert table_in_words(replace(PRESETS["course"], decks=None)).startswith("Infinite deck, ")
