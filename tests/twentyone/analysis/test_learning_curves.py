"""Learning curves of several methods over several seeds: one curve is that of a single run, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Rules
from twentyone.analysis.figures.learning_plots import learning_figure, style_of
from twentyone.analysis.figures.learning_report import table
from twentyone.analysis.studies.contenders import ALL, Contender, compared, swept
from twentyone.analysis.studies.learning_curves import Curves, learning_curves, points_to
from twentyone.analysis.work.shards import Job
from twentyone.exact.solving import solve
from twentyone.learning.curve import GreedyValue, NoGapError
from twentyone.learning.memory import MAX_ROUNDS, memory_learner
from twentyone.learning.settings import knobs_for
from twentyone.learning.textbook import Kind
from twentyone.policies.files import METHODS
from twentyone.support.command import USAGE, CommandError

COURSE = Rules()


def names(contenders: list[Contender]) -> list[str]:
    return [each.name for each in contenders]


# The curves.


def test_there_are_three_points_in_a_decade_and_the_last_round() -> None:
    assert points_to(1_000) == (100, 200, 500, 1_000)
    assert points_to(12_000) == (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 12_000)
    assert points_to(7) == (7,)
    assert points_to(MAX_ROUNDS)[-2:] == (2 * 10**12, MAX_ROUNDS)


@pytest.mark.parametrize(
    "method",
    ["qlearning", "random-play", *(pytest.param(m, marks=pytest.mark.check) for m in ("sarsa", "double-q"))],
)
def test_a_curve_is_that_of_one_run_with_its_seed(method: str) -> None:
    """Stopping at points changes nothing: the last gap is that of a learner that never stopped."""
    learner = memory_learner(COURSE, method, seed=3)
    learner.learn_to(4_000)
    greedy = GreedyValue(COURSE)
    last = greedy.best - greedy.value(learner.table())
    (contender,) = compared(method, {})
    curves = learning_curves([contender], COURSE, 4_000, [2, 3])
    assert curves.best == solve(COURSE).value
    assert curves.gaps.shape == (1, 2, len(points_to(4_000)))
    assert curves.gaps[0, 1, -1] == pytest.approx(last, abs=1e-12)
    assert curves.gaps[0, 0, -1] != curves.gaps[0, 1, -1]


def test_finished_curves_are_kept_and_those_of_other_work_are_refused(tmp_path: Path) -> None:
    both, done, kept = compared("qlearning,random-play", {}), list[int](), list[int]()

    def run(seeds: int, contenders: list[Contender] = both, rounds: int = 1_000) -> Curves:
        job = Job(checkpoint=tmp_path / "kept.json", done=done.append, kept=kept.append)
        return learning_curves(contenders, COURSE, rounds, range(1, 1 + seeds), job)

    first = run(2)
    assert (sum(done), kept) == (4_000, [])
    assert (run(2).gaps == first.gaps).all()
    assert (sum(done), kept) == (8_000, [4_000])
    for seeds, rounds in ((3, 1_000), (2, 2_000)):
        with pytest.raises(CommandError, match="is the checkpoint of other work"):
            run(seeds, rounds=rounds)
    with pytest.raises(CommandError, match=r"its method 1 is random-play .*, and here it is sarsa"):
        run(2, compared("qlearning,sarsa", {}))


def test_rules_without_an_exact_form_and_too_many_rounds_are_refused() -> None:
    sarsa = compared("sarsa", {})
    with pytest.raises(NoGapError):
        learning_curves(sarsa, PRESETS["showdown"], 100, [1])
    with pytest.raises(ValueError, match="expected 1 to"):
        learning_curves(sarsa, COURSE, 0, [1])


# Figures, and how they are shown.


def curves_of(gaps: Any, rounds: tuple[int, ...] = (100, 1_000)) -> Curves:
    figures = np.array(gaps, np.float64)
    contenders = [Contender(f"m{place}", "sarsa", knobs_for("sarsa")) for place in range(len(figures))]
    return Curves(contenders, COURSE, range(figures.shape[1]), rounds, -0.04, figures)


def test_the_band_is_from_least_to_most_and_of_many_seeds_leaves_a_tenth_out_at_each_end() -> None:
    curves = curves_of([[[0.3, 0.1], [0.1, 0.2], [0.8, 0.0]]])
    assert curves.band == (0, 100)
    assert curves.medians.tolist() == [[0.3, 0.1]]
    assert curves.bounds.tolist() == [[[0.1, 0.0]], [[0.8, 0.2]]]
    assert curves.means == pytest.approx(np.array([[0.4, 0.1]]))
    assert curves.errors == pytest.approx(np.array([[(0.13 / 3) ** 0.5, (0.01 / 3) ** 0.5]]))
    curves = curves_of([[[float(seed), 0.0] for seed in range(11)]])
    assert curves.band == (10, 90)
    assert curves.bounds[:, 0, 0].tolist() == [1.0, 9.0]
    assert np.isnan(curves_of([[[0.3, 0.1]]]).errors).all(), "a single seed has no error"


def test_under_new_rules_it_is_said_what_the_gap_is_to() -> None:
    kept = replace(curves_of([[[0.3, 0.1]]]), rules=PRESETS["vegas"])
    lines = table(kept, [None]).splitlines()
    assert lines[:2] == [
        "rules: vegas",
        "best chart: -0.0400000000 initial bets per round with a fresh shoe",
    ]
    assert lines[3:] == ["         1,000  limit", "gap", "  m0  0.100000      -"]


# What is compared.


def test_methods_with_their_own_settings_and_with_those_for_all() -> None:
    found = compared("qlearning,sarsa:alpha=0.01:epsilon=0.05,double-q", {"alpha": 0.2})
    assert names(found) == ["qlearning", "sarsa alpha=0.01 epsilon=0.05", "double-q alpha=0.2"]
    assert found[1].knobs == knobs_for("sarsa", {"alpha": 0.01, "epsilon": 0.05})
    (traced,) = compared("sarsa-lambda:lambda=0.3", {})
    assert (traced.knobs.kind, traced.knobs.trace) == (Kind.TAKEN, 0.3)
    assert names(compared(ALL, {})) == list(METHODS)


def test_a_sweep_varies_one_setting() -> None:
    found = swept("alpha:0.1,0.01,1", "sarsa", {"epsilon": 0.3})
    assert names(found) == [f"sarsa epsilon=0.3 alpha={value}" for value in ("0.1", "0.01", "1")]
    assert [each.knobs.alpha for each in found] == [0.1, 0.01, 1.0]
    assert {each.knobs.epsilon for each in found} == {0.3}


def test_what_cannot_be_compared_is_said() -> None:
    twice = "--compare names sarsa twice: expected each method once"
    for text, said in {
        "sarsa,watkins": "there is no method 'watkins': expected qlearning, ",
        "sarsa,": "there is no method '': expected qlearning, ",
        "sarsa:beta=1": "there is no setting 'beta': expected alpha, ",
        "sarsa:lambda=1": "the method sarsa has no lambda: expected alpha, ",
        "qlearning:alpha=1": "the method qlearning has no alpha: it has no settings",
        "sarsa:alpha": "'sarsa:alpha' is not a method with settings: expected such as sarsa:alpha=0.01",
        "sarsa:alpha=x": "alpha is 'x': expected a number",
        "sarsa:alpha=nan": "alpha is nan: expected a number from",
        "sarsa:alpha=2": "alpha is 2: expected a number from",
        "sarsa:alpha=1:alpha=1": "'sarsa:alpha=1:alpha=1' gives alpha twice: expected it once",
        "sarsa,sarsa": twice,
        "sarsa,sarsa:alpha=0.1": twice,
    }.items():
        assert refused(compared, text, {}).startswith(said), text
    said = refused(compared, "qlearning,sarsa", {"trace": 0.5})
    assert said.startswith("--lambda has no effect: none of the compared methods has lambda")


def refused(function: Callable[..., object], *given: object) -> str:
    """The sentence with which a command line is refused."""
    with pytest.raises(CommandError) as caught:
        function(*given)
    assert caught.value.status == USAGE
    return str(caught.value)


def test_what_cannot_be_swept_is_said() -> None:
    for (text, method), said in {
        ("alpha", "sarsa"): "the sweep is 'alpha': expected a setting and its values, as in alpha:0.001,",
        ("beta:1", "sarsa"): "there is no setting 'beta': expected alpha, ",
        ("n:1,2", "sarsa"): "the method sarsa has no n: expected alpha, ",
        ("alpha:1,2", "qlearning"): "--sweep varies a setting, and the method qlearning has none: expected",
        ("alpha:1,", "sarsa"): "alpha is '': expected a number",
        ("alpha:1,1.0", "sarsa"): "the sweep is 'alpha:1,1.0': expected each value once",
        ("gamma:1", "sarsa"): "--sweep varies gamma: expected no --gamma beside it",
        ("n:1,2.5", "n-step-sarsa"): "n is 2.5: expected a whole number from 1 to 8",
    }.items():
        assert refused(swept, text, method, {"gamma": 0.9}).startswith(said), text


# The picture.


def test_the_picture_has_a_line_and_a_band_for_each_method_and_the_limits() -> None:
    curves = curves_of([[[0.3, 0.1], [0.2, 0.0]], [[0.3, 0.0], [0.2, 0.0]], [[0.4, 0.3], [0.2, 0.1]]])
    figure = learning_figure(curves, [(0.05, 0.05), None, (0.05, 0.07)], "title")
    (axes,) = figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["m0", "m1", "m2"]
    assert len(axes.collections) == 3
    assert [text.get_text() for text in axes.texts] == [
        "limit of 2 of them: 0.050000",
        "limit of m2: 0.070000",
        "on this line: below $10^{-2}$, and 0 (the best chart, \u22120.040000)",
    ]
    floor = axes.get_ylim()[0]
    assert floor == pytest.approx(0.01)
    drawn: Any = axes.lines[1].get_ydata()
    assert drawn.tolist() == [0.25, floor]


def test_many_methods_are_drawn_without_bands_and_no_two_lines_alike() -> None:
    curves = curves_of([[[0.3, 0.1], [0.2, 0.1]]] * 12)
    (axes,) = learning_figure(curves, [None] * 12, "title").axes
    assert not axes.collections
    legend = axes.get_legend()
    assert legend is not None and len(legend.get_texts()) == 12
    assert len({style_of(place) for place in range(49)}) == 49
    colours, dashes = zip(*map(style_of, range(len(METHODS))), strict=True)
    assert len(set(colours)) == len(set(dashes)) == len(METHODS)  # those of --compare all
