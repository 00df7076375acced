"""`analysis hand`: what each option of a hand is worth, and what cannot be asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.twentyone.analysis.laboratory import analysis, document, refusal

TWO_CARDS = (
    *("--rules", "vegas", "--dealer-stands", "all17", "--split-aces", "once", "--insurance", "no"),
    *("--reshuffle", "round"),
)
"""The rules of the hands of two cards in `data/casino_values.json`."""


@pytest.mark.parametrize("words", [("A", "A"), ("A A",), ("AA",), ("As Ah",), ("ace", "ace")])
def test_the_options_of_a_hand_have_their_known_values(tmp_path: Path, words: tuple[str, ...]) -> None:
    """E. Farmer's analyzer, 7.6: two aces against an ace, given that the dealer has no natural."""
    found = document(tmp_path, "hand", *words, "--upcard", "A", *TWO_CARDS)
    assert found["options"] == {
        "HIT": pytest.approx(-0.022205704, abs=1e-9),
        "STAND": pytest.approx(-0.666458249, abs=1e-9),
        "DOUBLE": pytest.approx(-0.620238516, abs=1e-9),
        "SPLIT": pytest.approx(0.127143796, abs=1e-9),
        "SURRENDER": -0.5,
    }
    assert (found["hand"], found["upcard"], found["total"], found["soft"]) == ([11, 11], 11, 12, True)
    assert (found["best"], found["insurance"], found["shoe"]["10"]) == ("SPLIT", None, 96)


def test_the_best_option_comes_first(tmp_path: Path) -> None:
    done = analysis(tmp_path, "hand", "8 8", "--upcard", "K", "--rules", "vegas")
    assert done.status == 0
    assert done.err == ""
    rules, _, named, heading, *rows, said = done.out.splitlines()
    assert (rules, named) == (
        "rules: vegas reshuffle=round (exact values are those of a fresh shoe)",
        "8 8, hard 16, against 10:",
    )
    assert heading.split()[:3] == ["option", "initial", "bets"]
    assert [row.split()[0] for row in rows] == ["split", "surrender", "hit", "stand", "double"]
    assert rows[0].split()[1:] == ["-0.4748937508", "best"]
    assert rows[1].split()[1:] == ["-0.5000000000", "0.0251062492"]
    assert said == "These values are given that the dealer has looked, and has no natural."


def test_even_money_is_one_for_certain_and_less_than_the_natural(tmp_path: Path) -> None:
    """95 tens are among the 309 cards that are left: a push costs 1.5 of them all."""
    found = document(tmp_path, "hand", "10 A", "--upcard", "A", "--rules", "vegas")
    assert found["options"] == {"STAND": 1.5}
    assert found["insurance"] == {
        "INSURE": pytest.approx(1.5 * 95 / 309 - 0.5),
        "DECLINE": 0.0,
        "natural": pytest.approx(1.5 * (1 - 95 / 309)),
        "natural_insured": pytest.approx(1.0),
    }
    text = analysis(tmp_path, "hand", "10 A", "--upcard", "A", "--rules", "vegas").out
    assert "even money         +1.0000000000" in text
    assert "better                decline it" in text
    rich = analysis(tmp_path, "hand", "5 6", "--upcard", "A", "--rules", "reno", "--removed", "2 3 4 7 8 9")
    assert "better            take it\n" in rich.out, "16 tens of 43 cards are more than a third"


def test_early_surrender_is_asked_before_the_dealer_looks(tmp_path: Path) -> None:
    options = ("hand", "10 6", "--upcard", "A", "--rules", "vegas", "--surrender", "early")
    found = document(tmp_path, *options)
    assert "SURRENDER" not in found["options"]
    natural = 95 / 309
    played = max(found["options"].values()) * (1 - natural) - natural
    assert found["early_surrender"] == {"SURRENDER": -0.5, "DECLINE": pytest.approx(played)}
    assert "better         surrender" in analysis(tmp_path, *options).out


def test_a_hand_of_hit_and_stand_and_one_made_by_a_split(tmp_path: Path) -> None:
    simple = analysis(tmp_path, "hand", "10", "6", "--upcard", "6")
    assert (simple.status, simple.err, simple.out.splitlines()[0]) == (0, "", "rules: course")
    assert [line.split()[0] for line in simple.out.splitlines()[4:]] == ["stand", "hit"]
    split = document(tmp_path, "hand", "8 3", "--upcard", "6", "--rules", "reno", "--after-split")
    assert [*split["options"]] == ["HIT", "STAND"], "no doubling after a split in Reno"
    assert split["after_split"] is True


def test_a_shoe_may_be_given(tmp_path: Path) -> None:
    rich = document(tmp_path, "hand", "8 8", "--upcard", "3", "--shoe", "10=90,8=30 3=20", "--removed", "T")
    assert rich["shoe"] == {"3": 20, "8": 30, "10": 89}
    text = analysis(tmp_path, "hand", "8 8", "--upcard", "3", "--removed", "8 8", "--decks", "2").out
    assert text.splitlines()[1] == "shoe: 2=8 3=8 4=8 5=8 6=8 7=8 8=6 9=8 10=32 A=8, 102 cards"


def test_what_is_no_hand_is_said_in_a_sentence(tmp_path: Path) -> None:
    card = "2 to 10, J, Q, K or A, also with a suit (8s) or in words (ten)"
    taken = "the shoe has 4 cards of 2, and the hand and the upcard take 5: expected cards that it has"
    for (hand, upcard), said in {
        ("8", "3"): "a hand of 1 card: expected two or more",
        ("9 8 7", "3"): "the hand has 24 points, so it is bust: expected at most 21",
        ("2 " * 30, "3"): "the hand has 60 points, so it is bust: expected at most 21",
        ("8 8", ""): "the upcard is missing: expected --upcard CARD, such as --upcard 10",
        ("8 x", "3"): f"'x' is no card for a hand: expected {card}",
        ("8 8", "3 4"): f"'3 4' is no card for --upcard: expected one, {card}",
        ("2 2 2 2", "2"): taken,
    }.items():
        words = ["hand", hand, "--upcard", upcard] if upcard else ["hand", hand]
        assert refusal(tmp_path, *words) == said


def test_what_is_no_shoe_for_it_is_said_in_a_sentence(tmp_path: Path) -> None:
    for options, said in {
        "--upcard A --removed A,A,A,A": "the shoe has no cards of A, and the hand and the upcard take 1: ",
        "--removed A,A,A,A,A": "there is no ace left to take out of the shoe: expected other cards after",
        "--decks inf --removed A": "nothing can be taken out of an infinite deck: expected other cards",
        "--after-split": "split is 1, so no hand is made by a split: expected rules that let pairs be",
        "--shoe 3=2,8=3": "a shoe of these 5 cards may run out in a round: expected more cards",
        "--shoe 3=2,8": "'8' is no part of a shoe: expected cards and their numbers, such as '2=24 10=96",
        "--shoe 10=9,K=9": "the shoe says twice how many cards count as 10: expected one number",
        "--shoe 10=1001": "the shoe has 1,001 cards that count as 10: expected at most 1,000",
        "--rules showdown": "showdown has no short exact form: ",
    }.items():
        assert refusal(tmp_path, "hand", "8 8", "--upcard", "3", *options.split()).startswith(said)
