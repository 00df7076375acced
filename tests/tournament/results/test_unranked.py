"""Entrants that are not ranked: those that knew too much, and those that took no part to the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Bets, EveryRound
from tests.helpers.tournaments import played
from tests.tournament.results.made import results_of
from tournament.results import report
from tournament.results.certain import certain
from tournament.results.page import page
from tournament.results.sequential import is_certain
from tournament.results.statistics import standing
from tournament.results.unranked import FEWEST, SPLIT_OFF, Excess, ended, excesses, unranked
from tournament.rounds.costs import costs_for
from tournament.settings import Block, Fault, Results, first_state

VALUE = -0.0428061253  # of the best chart of `course`: docs/reference/values


def honest(rounds: int, entrants: int = 2) -> Any:
    """Payoffs in tenths of play that is as good as the best, shape (entrants, rounds)."""
    return np.random.default_rng(7).choice([10, 0, -10], (entrants, rounds), p=[0.43, 0.09, 0.48])


def steady(rounds: int, mean: float) -> Excess | None:
    """The mark of an entrant that has so much in each round, all of it as EV lost, beside an honest one."""
    lost = [np.zeros(rounds), np.full(rounds, mean)]
    return excesses(results_of([honest(rounds)[0], np.zeros(rounds)], lost)).get(1)


def with_scripts(results: Results, scripts: list[str]) -> Results:
    """These results, where each entrant has these scripts."""
    state = first_state(results.settings, results.settings.matches[0])
    block = Block(0, state, state, scripts, np.zeros((len(scripts), 1), np.int32))
    return replace(results, blocks=lambda _: [block])


def test_who_is_five_standard_errors_above_the_value_is_marked() -> None:
    """The error is 1 / sqrt(rounds) here, since nothing varies: 0.1 of 100 rounds, 0.05 of 400."""
    for rounds, error in ((100, 0.1), (400, 0.05)):
        limit = VALUE + 5 * error
        assert steady(rounds, limit - 0.001) is None
        found = steady(rounds, limit + 0.001)
        assert found is not None
        assert found == Excess(*map(pytest.approx, (limit + 0.001, VALUE, error, limit)))  # type: ignore[arg-type]
    assert steady(FEWEST - 1, 1.0) is None


def test_an_error_that_is_seen_is_not_taken_for_less() -> None:
    """Payoffs of -1 and 7 in turn: the deviation is 4, so 100 rounds have an error of 0.4."""
    payoffs = np.tile([-10, 70], 50)
    found = excesses(results_of([payoffs, payoffs + 10]))
    assert found == {}  # without costs nothing is known
    found = excesses(results_of([payoffs - 12, payoffs], np.zeros((2, 100))))
    assert list(found) == [1]  # 1.8 is below, and 3 above, -0.043 + 5 x 0.402
    assert found[1].error == pytest.approx(4 * np.sqrt(100 / 99) / 10)


def test_nobody_is_marked_where_not_every_round_has_its_costs() -> None:
    wins, lost = [[10] * 1000, [10] * 1000], np.zeros((2, 1000))
    assert unranked(results_of(wins, lost)) == {0, 1}
    assert unranked(results_of(wins)) == set()
    kept = results_of(wins, kept_shoe=True)
    study = replace(kept.settings, rules=PRESETS["study"])
    assert unranked(replace(kept, settings=study)) == set()
    assert unranked(results_of([[[10, -10]] * 1000], entrants=2)) == set()


def test_bets_that_know_the_cards_are_seen_and_others_change_nothing() -> None:
    """Each round is fair; whoever bets more on those that it wins has more than is possible."""
    rules = replace(PRESETS["course"], bets=Bets(10, 100))
    signs = np.tile([1, -1], 500)
    for bets, is_marked in (
        (np.where(signs > 0, 100, 10), True),
        (np.full(1000, 100), False),
        (np.repeat([10, 100], 500), False),
    ):
        results = results_of([signs * bets * 10, signs * 100], np.zeros((2, 1000)))
        results = replace(results, settings=replace(results.settings, rules=rules))
        own = with_scripts(results, [f"B{bet}S" for bet in bets]).blocks
        other = with_scripts(results, ["B10S"] * 1000).blocks
        results = replace(results, blocks=lambda number: (other if number else own)(number))  # noqa: B023
        assert (0 in excesses(results)) == is_marked
        assert 1 not in excesses(results)


def test_rounds_with_a_split_are_given_what_their_values_leave_out() -> None:
    lost = np.zeros((2, 400))
    results = results_of([honest(400)[0], [2] * 400], lost)
    rules = replace(PRESETS["vegas"], reshuffle=EveryRound())
    results = replace(results, settings=replace(results.settings, rules=rules))
    best = costs_for(rules)
    assert best is not None
    for splits in (0, 100):
        found = excesses(
            with_scripts(
                replace(results, lost=[each + 0.3 for each in results.lost or ()]),
                ["PSS"] * splits + ["S"] * (400 - splits),
            )
        )
        assert found[1].limit == pytest.approx(best.best + 5 * 0.05 + SPLIT_OFF * splits / 400)


def test_no_honest_policy_is_ever_marked() -> None:
    """Whatever it loses: the mean of payoff plus EV lost is the same for all, after each number of rounds."""
    results = played("course", 4000, "basic", "random", "mimic", "threshold:20", "never-bust")
    assert_never_marked(results)


@pytest.mark.check
def test_no_honest_policy_is_marked_where_hands_are_split_and_doubled() -> None:
    assert_never_marked(played("vegas", 4000, "basic", "random", "mimic", "never-bust"))


def assert_never_marked(results: Results) -> None:
    assert results.lost is not None
    costs = costs_for(results.settings.rules)
    assert costs is not None
    for number in range(len(results.settings.entrants)):
        sums = results.payoffs[number][:, 0] / 10 + results.lost[number][:, 0]
        error = sums.std(ddof=1) / np.sqrt(len(sums))
        assert abs(sums.mean() - costs.best) < 4 * error, results.settings.entrants[number].name
    for rounds in range(FEWEST, results.rounds + 1, 300):
        first = replace(
            results,
            rounds=rounds,
            payoffs=[each[:rounds] for each in results.payoffs],
            lost=[each[:rounds] for each in results.lost],
            blocks=lambda _: (),
        )
        assert excesses(first) == {}


def test_the_ranking_is_that_of_the_others_and_says_why() -> None:
    """The second has won each round, and is marked; the fourth has not come, and the errors of a start."""
    faults = [
        Fault(3, 3, 40, "left", "it left with QUIT, and it did not come back within 10 s"),
        Fault(3, 3, 2, "does not start", "its program ended\nTraceback\nKeyError: <b>\x1b"),
    ]
    payoffs = honest(1000, 4)
    payoffs[1] = 10
    results = results_of(payoffs, np.zeros((4, 1000)), faults=faults)
    found = standing(results)
    assert [row.rank for row in found.rows] == [1, None, 1, None]
    assert [row.rank_by_lost for row in found.rows] == [1, None, 1, None]
    assert set(found.order[:2]) == {0, 2} and set(found.order[2:]) == {1, 3}
    assert [row.mark for row in found.rows] == ["", "better than is possible", "", "does not start"]
    assert found.rows[3].faults == {"left": 960, "does not start": 998}  # rounds that were not played

    told = report.text(found)
    plain = " ".join(told.split())
    assert (
        "player1 is better than is possible, and is not ranked: its mean payoff plus its EV lost is" in plain
    )
    assert "+1.00000 initial bets per round. In the long run this is -0.04281 for everybody" in plain
    assert "It is 33.0 standard errors of 0.03162 above that, and more than 5 are not luck." in plain
    assert (
        "player3 does not start in round 3, and is not ranked: its program ended.\n    Traceback\n    Key"
        in told
    )
    assert "player1" not in " ".join(certain(found))
    shown = page(results, found, "cup", date(2026, 2, 3))
    assert "player1 is better than is possible" in shown
    assert "Traceback\nKeyError: &lt;b&gt;\\x1b</pre>" in shown
    assert "<td>None</td>" not in shown

    by_name = {row["name"]: row for row in found.as_json()["ranking"]}
    assert by_name["player1"]["rank"] is None
    assert by_name["player1"]["better_than_possible"]["limit"] == pytest.approx(VALUE + 5 / np.sqrt(1000))
    assert by_name["player3"]["ended"]["errors"] == ["Traceback", "KeyError: <b>\x1b"]
    assert by_name["player0"]["ended"] is by_name["player0"]["better_than_possible"] is None


def test_a_program_that_went_wrong_too_often_is_ranked_with_its_reason() -> None:
    why = "its connection ended; it was restarted 100 times, and may not be again"
    results = results_of(honest(100, 2), faults=[Fault(1, 1, 60, "out", why)])
    found = standing(results)
    assert [row.rank for row in found.rows] == [1, 1]
    assert f"player1 is out in round 61: {why}." in " ".join(report.text(found).split())
    assert found.as_json()["ranking"][found.order.index(1)]["ended"]["kind"] == "out"


def test_the_order_of_those_that_are_ranked_is_certain_without_the_others() -> None:
    """Two that never came forfeit alike, and are never told apart."""
    lost = np.array([[0.0] * 500, [0.3] * 500, [1.0] * 500, [1.0] * 500])
    faults = [Fault(number, number, 0, "did not come", ".") for number in (2, 3)]
    results = results_of(honest(500, 4), lost, faults=faults)
    assert set(ended(results)) == {2, 3}
    assert not is_certain(results.settings, results.payoffs, results.lost)
    assert is_certain(results.settings, results.payoffs, results.lost, unranked=set(ended(results)))
