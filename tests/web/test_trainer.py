"""The trainer and the count in a real browser, with a real dealer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cards import PRESETS, Rules
from tests.helpers.browser import INSTANT, Page
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import VEGAS

pytestmark = pytest.mark.check

Train = Callable[..., Page]
"""Opens a dealer with these rules, and its trainer."""


def train(page: Page, query: str = "?seed=4") -> None:
    page.go(page.ask("location.origin") + f"/trainer.html{query}")
    page.until("text('#question').startsWith('You have')")


@pytest.fixture
def training(opened: Open, visit: Visit) -> Train:
    def open_trainer(rules: Rules = PRESETS["course"], lobby: bool = True) -> Page:
        page = visit(opened(rules=rules, lobby=lobby))
        train(page)
        return page

    return open_trainer


def values_in(page: Page) -> list[float]:
    """What each decision is worth, as the verdict lists them."""
    values: list[Any] = page.ask("all('#values td').map((one) => one.textContent)")
    return [float(value.replace("\N{MINUS SIGN}", "-")) for value in values]


def test_an_answer_is_graded_and_kept(training: Train) -> None:
    page = training(VEGAS)
    question = page.ask("text('#question')")
    page.press("s")
    page.until("text('#verdict') !== ''")
    values = values_in(page)
    assert values == sorted(values, reverse=True) and len(values) >= 3
    assert page.ask("text('#values [data-best=true] th')") in page.ask("text('#verdict')")
    assert page.ask("text('#progress dd')") == "1"
    assert page.is_seen("#heat") and not page.is_seen("#chart")
    mark = "getComputedStyle(one('#verdict'), '::before').content"
    assert page.ask(mark) != "none"
    page.press("x")
    page.until("text('#verdict') === ''")
    assert page.ask(mark) == "none", "the next question has no mark of the last answer"
    train(page)
    assert page.ask("text('#progress dd')") == "1", "it is kept in the browser"
    page.click("#forget")
    page.click("#keep-all")
    assert page.ask("text('#progress dd')") == "1", "nothing is deleted before that was asked"
    page.click("#forget")
    page.click("#forget-all")
    page.until("text('#progress dd') === '0'")
    train(page, "?seed=5")
    train(page)
    assert page.ask("text('#question')") == question, "the same seed asks the same"


def test_the_chart_is_that_of_basic_strategy(training: Train) -> None:
    """Six decks, the dealer hits soft 17: the usual chart has these letters."""
    page = training(VEGAS)
    page.until("all('#chart td:not(:empty)').length === 330")
    left_out = page.ask("all('#chart td').filter((cell) => cell.textContent === '?').length")
    assert left_out == 10, "without mistakes there is the chart, without the row of the hand"
    page.click("#chart-toggle")
    page.until("all('#chart td').every((cell) => cell.textContent !== '?')")
    for hand, letters in {
        "hard 16": {10: "R"},
        "hard 12": {3: "H", 5: "S"},
        "hard 11": {11: "D"},
        "soft 18": {2: "D", 9: "H"},
        "pair of 8": {10: "P"},
        "pair of A": {6: "P"},
        "pair of 10": {6: "S"},
    }.items():
        for upcard, letter in letters.items():
            assert page.text(f'#chart [data-hand="{hand}"][data-upcard="{upcard}"]') == letter, (hand, upcard)
    page.click('#chart [data-hand="hard 16"][data-upcard="10"]')
    page.until("text('#cell-said').startsWith('hard 16 against Ten: Surrender \N{MINUS SIGN}0.5000')")


def test_hands_of_three_cards_and_insurance_are_drilled_with_buttons_that_stay_where_they_are(
    training: Train,
) -> None:
    page = training(VEGAS)
    page.resize(360, 640)
    places = []
    pressed = {"all": ["#stand", "#next"], "three": ["#hit", "#next", "#stand"], "insurance": ["#insure"]}
    for mode, buttons in pressed.items():
        page.choose("#mode", mode)
        for button in buttons:
            page.until("isUsable(one(arguments[0]))", button)
            places.append(page.ask("one('#next').getBoundingClientRect().top + scrollY"))
            page.click(button)
    page.until("text('#verdict').startsWith('Wrong. The best decision is: Decline.')")
    assert max(places) - min(places) < 1, places
    assert page.ask("all('#heat td').length") == 330
    page.choose("#mode", "three")
    page.until("all('#hand .card').length === 3")
    assert not page.is_usable("#double") and not page.is_seen("#insure")


def test_the_ten_of_today_are_played_once_and_shared_as_text(training: Train) -> None:
    page = training(PRESETS["casino"])
    page.click("#daily")
    for number in range(10):
        page.until(f"text('#daily-line').includes('{number} of 10 hands')")
        page.until("text('#question').startsWith('You have') && text('#verdict') === ''")
        assert not page.is_usable("#chart-toggle")
        assert page.is_seen("#sheet") == (number > 0)  # there is nothing on it before the first answer
        page.press("s")
        page.until("text('#verdict') !== ''")
        if number == 4:
            page.go(page.ask("location.origin") + "/trainer.html#today")
        else:
            page.press("x")
    page.until("text('#question').startsWith(`You have played today's ten: `)")
    page.click("#share-daily")
    page.until("one('#share-panel').open")
    shared, marks = page.ask("one('#share-text').value").split("\n")
    assert shared.startswith("twentyone, the ten hands of ")
    right = int(shared.split(": ")[1].split()[0])
    assert (len(marks), marks.count("✓")) == (10, right)
    assert page.ask("text('#share-said')").startswith("The text is ")
    page.click("#close-share")
    assert page.is_usable("#chart-toggle")
    page.click("#share-streak")
    page.until("one('#share-text').value.startsWith('My best streak')")


def test_rules_that_the_dealer_does_not_work_out_give_way_to_its_own(training: Train) -> None:
    page = training(PRESETS["casino"], lobby=False)
    assert page.ask("one('#rules-choice').value") == "dealer"
    assert page.ask("text('#notice')").startswith("The dealer has no chart")
    page.click("#daily")
    page.until("text('#notice').startsWith(`Today's ten are played by Vegas rules`)")
    page.until("isUsable(one('#hit'))")
    assert page.ask("one('#mode').value") == "all"
    assert page.ask("one('#hit').disabled || one('#stand').disabled") is False
    assert page.ask("one('#double').disabled") is True


def test_the_count_is_asked_after_a_round(seated: Seated) -> None:
    """20 against 19: ten, ten, ten and nine count -3."""
    page = seated("TS KS TC 9H", chosen={**INSTANT, "count": "true"}, rules=VEGAS)
    page.until_asked()
    assert not page.is_usable("#count-panel button")
    page.click("#stand")
    page.until_results()
    page.until("isUsable(one('#count-panel button'))")
    page.write("#count-panel label:nth-child(1) input", "-3")
    page.write("#count-panel label:nth-child(2) input", "1")
    page.click("#count-panel button")
    page.until("text('#count-panel [role=status]').startsWith('Running count right: 0 before this round')")
    verdict = page.text("#count-panel [role=status]").replace("\N{MINUS SIGN}", "-")
    assert "True count wrong: -3 divided by the 5.9 decks that you have not seen is -0.51" in verdict
    assert "1 of 2 answers were right" in verdict
    assert page.is_usable("#next"), "the game goes on meanwhile"


def test_the_first_hand_is_against_any_upcard(training: Train) -> None:
    """Twelve visits without a seed: that all get the same of ten upcards has a chance of 10^-11."""
    page = training()
    seen: set[str] = set()
    for _ in range(12):
        train(page, "")
        seen.add(page.ask("text('#question').split('The dealer shows ')[1]"))
        if len(seen) == 2:
            return
    pytest.fail(f"twelve hands are all against {seen}")


def test_the_drill_of_counting_is_graded(training: Train) -> None:
    """The cards that were shown are counted here by Hi-Lo; six decks are in the shoe."""
    page = training()
    page.choose("#mode", "count")
    page.until("isUsable(one('#count-start'))")
    assert not page.is_usable("#count-answer")
    page.choose("#pace", "0.5")
    page.hurry()
    page.ask(
        """(window.dealt = [], new MutationObserver((changes) =>
             changes.forEach(({ addedNodes }) => addedNodes.forEach((card) => dealt.push(card.dataset.card))))
           .observe(one('#counted'), { childList: true }))"""
    )
    page.click("#count-start")
    page.until("isUsable(one('#count-answer'))")
    dealt = page.ask("dealt")
    low, high = ("Two", "Three", "Four", "Five", "Six"), ("Ten", "Jack", "Queen", "King", "Ace")
    running = sum(card.startswith(low) - card.startswith(high) for card in dealt)
    true = running / ((6 * 52 - len(dealt)) / 52)
    assert 15 <= len(dealt) <= 40
    page.write("#running", str(running))
    page.write("#true", str(round(2 * true) / 2 + 2))
    page.click("#count-answer")
    page.until("text('#count-verdict').startsWith('Running count right')")
    assert "True count wrong" in page.ask("text('#count-verdict')")
    assert "1 of 2 answers were right" in page.ask("text('#count-verdict')")


def test_counting_is_not_shown_if_another_drill_was_chosen_before_it_was_loaded(training: Train) -> None:
    page = training()
    page.ask(
        """["count", "all"].forEach((chosen) => {
             one('#mode').value = chosen;
             one('#mode').dispatchEvent(new Event('change'));
           })"""
    )
    page.run(
        """await import(new URL('counting.js', one('script[type=module]').src));
           await new Promise((then) => setTimeout(then));"""
    )
    assert page.is_seen("#drill") and not page.is_seen("#count-drill")
    assert page.is_usable("#hit")
    page.choose("#mode", "count")
    page.until("isUsable(one('#count-start'))")


def test_counting_that_cannot_be_loaded_says_so_and_is_loaded_again(training: Train) -> None:
    page = training()
    page.command("Network.setBlockedURLs", urls=["*/counting.js"])
    page.choose("#mode", "count")
    page.until("one('#reload-panel')?.open")
    page.click("#close-reload")
    page.choose("#mode", "all")
    page.until("isUsable(one('#hit'))")
    page.command("Network.setBlockedURLs", urls=[])
    page.choose("#mode", "count")
    page.until("isUsable(one('#count-start'))")


def test_a_hand_that_the_clock_ends_costs_what_the_worst_decision_would(training: Train) -> None:
    page = training()
    page.choose("#clock-choice", "3")
    page.until("text('#time') !== '' && !one('#time').hidden")
    page.until("text('#verdict').startsWith(`Time's up.`)")
    assert not page.is_usable("#hit") and page.is_usable("#next")
    values = values_in(page)
    if max(values) - min(values) > 0.0002:
        cost = float(page.ask("text('#verdict')").split(" costs ")[1].split()[0])
        assert abs(cost - (max(values) - min(values))) < 0.0002
    assert page.ask("one('#time').hidden")
