"""`analysis heatmap`: a table cell by cell, in the terminal, as a document and as a picture."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Ace, Rules
from tests.helpers.inside import inside
from tests.helpers.learned import empty_table
from tests.helpers.processes import Finished, command
from twentyone.analysis.cli import main
from twentyone.exact import solving
from twentyone.exact.report import qtables
from twentyone.exact.report.heatmap import Heatmap, Truth, as_json, heatmap, heatmap_lines
from twentyone.learning import figure as figure_module
from twentyone.learning.curve import Curve, Point, curve_file
from twentyone.learning.grading import grade_table
from twentyone.policies.action_values import ActionValues
from twentyone.policies.qtable import HIT, STAND
from twentyone.policies.table_files import save
from twentyone.support.command import CommandError


def table(rules: Rules | None = None) -> ActionValues:
    """A table with the exact values of some rules, except that it stands on hard 16 against 10."""
    learned = qtables.as_qtable(solving.solve(rules or Rules()))
    learned.values[16, 10, STAND] = learned.values[16, 10, HIT] + 0.01
    return learned


def with_origin(table: ActionValues, **changes: Any) -> ActionValues:
    """A table of another origin."""
    return replace(table, origin=table.origin._replace(**changes))


@cache
def mapped() -> tuple[Heatmap, Truth]:
    shown = heatmap(table(), "table.txt")
    assert isinstance(shown.truth, Truth)
    return shown, shown.truth


@cache
def figure() -> Any:
    return figure_module.heatmap_figure(*mapped(), CURVE)


def texts_of(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


# What is known of a table.


def test_the_costs_of_the_cells_add_up_to_the_gap() -> None:
    shown, truth = mapped()
    assert truth.costs.sum() == pytest.approx(truth.gap, abs=1e-12)
    assert np.argwhere(shown.differs).tolist() == [[16, 10]]
    assert truth.costs[16, 10] == pytest.approx(truth.gap, abs=1e-12)
    assert shown.margins[16, 10] == pytest.approx(-0.01)


def test_it_can_be_held_against_other_rules_which_have_another_limit_of_random_play() -> None:
    truth = heatmap(table(), "table", Rules(decks=None)).truth
    assert isinstance(truth, Truth)
    assert truth.solution.value == pytest.approx(-0.0465559771, abs=5e-11)
    assert truth.limit == pytest.approx(0.1129531809 - 0.0465559771, abs=1e-9)


def test_a_cell_that_was_never_visited_is_blank() -> None:
    learned = empty_table(Rules(), None)
    learned.counts[14, 5, STAND] = 3
    shown = heatmap(with_origin(learned, rules=PRESETS["showdown"]), "table")  # no exact value
    assert np.argwhere(~np.isnan(shown.figures)).tolist() == [[14, 5]]
    assert len(heatmap_lines(shown)) == 4  # the legend, a blank line, the upcards, one total


def test_where_nothing_was_learned_a_wrong_decision_has_its_star_all_the_same() -> None:
    learned = empty_table(Rules(), None)
    learned.counts[14, 5, STAND] = 3
    shown = heatmap(learned, "table")
    lines = ["".join(piece.text for piece in line) for line in heatmap_lines(shown)]
    assert sum(line.count("*S") for line in lines) == shown.differs.sum() > 0
    assert "  11" + "*S     " * 10 in lines  # standing on 11 is never right
    assert next(line for line in lines if line.startswith("  14")).count("S") == 6  # 2 to 6 are right


# In the terminal.


def test_the_chart_has_the_learned_values_and_a_star_where_they_mislead() -> None:
    shown, _ = mapped()
    lines = ["".join(piece.text for piece in line) for line in heatmap_lines(shown)]
    assert len(lines) == 1 + 2 + 18 + 2 + 10
    assert max(map(len, lines)) <= 80
    (sixteen,) = [line for line in lines if line.startswith("  16") and "*" in line]
    value = shown.table.values[16, 10, STAND]
    assert f"*S{value:+.3f}".replace("0.", ".") in sixteen
    assert sum(line.count("*") for line in lines[1:]) == 1


def test_a_table_that_knows_nothing_says_so() -> None:
    for rules in (PRESETS["showdown"], Rules()):
        (line,) = heatmap_lines(heatmap(empty_table(rules, None), "empty.txt"))
        assert line[0].text == "empty.txt has learned nothing against an upcard yet"


# As a document.


def test_the_document_has_learned_and_exact_values() -> None:
    shown, truth = mapped()
    document = as_json(shown)
    assert document["gap"] == truth.gap > 0
    assert document["no_exact_value"] is None
    cells = {(cell["hand"], cell["total"], cell["upcard"]): cell for cell in document["cells"]}
    assert len(cells) == 280
    sixteen = cells["hard", 16, 10]
    assert (sixteen["decision"], sixteen["better"]) == ("S", "H")
    assert sixteen["cost"] == pytest.approx(truth.gap, abs=1e-12)
    assert sixteen["hit"] - sixteen["stand"] == pytest.approx(-0.01)
    assert sixteen["exact_margin"] > 0
    assert (sixteen["hit_count"], sixteen["stand_count"]) == (1, 1)
    assert sum(cell["cost"] for cell in document["cells"]) == pytest.approx(truth.gap, abs=1e-12)


def test_without_an_exact_form_the_document_has_what_was_learned() -> None:
    learned = with_origin(table(), rules=PRESETS["showdown"])
    document = as_json(heatmap(learned, "table"))
    assert document["value"] is document["best_chart"] is document["gap"] is None
    assert "showdown has no short exact form" in document["no_exact_value"]
    assert len(document["cells"]) == 280 and "better" not in document["cells"][0]


# As a picture.


CURVE = ((100, 0.2), (1000, 0.01), (10_000, 0.0))


def test_there_are_three_panels_for_hard_and_for_soft_hands_two_keys_and_the_curve() -> None:
    panels = figure().axes
    assert [axes.get_title(loc="left") for axes in panels[:6]] == [
        f"{kind} hands: {what}" for kind in ("hard", "soft") for what in ("learned", "best", "EV lost")
    ]
    assert len(panels) == 9
    assert "H hit, S stand" in panels[6].get_xlabel() and "initial bets" in panels[6].get_xlabel()
    assert "millionths of an\ninitial bet per round" in panels[7].get_xlabel()


def test_the_panels_show_decisions_and_what_the_wrong_one_costs() -> None:
    learned, best, lost = figure().axes[:3]
    _, truth = mapped()
    assert len(learned.texts) == len(best.texts) == 2 * 180
    # Standing on 20 against 10 is worth +0.44 (`analysis solve`).
    assert "+.44" in texts_of(best) and "+.44" in texts_of(learned)
    cells = texts_of(lost)
    assert cells.count("\u00b7") == 179
    assert [text for text in cells if text != "\u00b7"] == ["S", f"{truth.gap * 1e6:.0f}"]


def test_the_learning_curve_is_drawn_on_two_logarithmic_scales_with_the_limit_of_random_play() -> None:
    curve = figure().axes[8]
    assert (curve.get_xscale(), curve.get_yscale()) == ("log", "log")
    learned, limit = curve.get_lines()
    assert learned.get_xydata().tolist() == [[100, 0.2], [1000, 0.01], [10_000, figure_module.LEAST]]
    assert set(limit.get_ydata()) == {mapped()[1].limit}
    assert learned.get_linestyle() != limit.get_linestyle()
    assert "initial bets per round" in curve.get_ylabel() and curve.get_xlabel() == "rounds learned"
    assert "drawn there" in curve.get_title(loc="left")


@pytest.mark.check
def test_nothing_is_cut_off_and_no_panel_lies_upon_another() -> None:
    drawn = figure()
    drawn.get_layout_engine().execute(drawn)
    whole = drawn.get_tightbbox()
    assert whole.x0 >= 0 and whole.y0 >= 0
    assert whole.x1 <= drawn.get_figwidth() and whole.y1 <= drawn.get_figheight()
    boxes = [axes.get_window_extent() for axes in drawn.axes]
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])


@pytest.mark.check
def test_without_soft_hands_there_are_three_panels() -> None:
    shown = heatmap(table(Rules(decks=None, ace=Ace.ONE)), "table")
    assert isinstance(shown.truth, Truth)
    assert len(figure_module.heatmap_figure(shown, shown.truth, []).axes) == 3 + 2


def test_costs_fit_their_cells() -> None:
    costs = (2.1e-5, 0.012, 3e-7, -2e-5)
    assert [figure_module.millionths(cost) for cost in costs] == ["21", "12k", "<1", "\u221220"]


# The command.


def test_the_command_shows_the_table_and_its_grade(tmp_path: Path) -> None:
    save(table(), tmp_path / "table.txt")
    done = command("analysis", "heatmap", "table.txt", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    grade = grade_table(table(), "table.txt")
    assert done.out.startswith("rules: course\n")
    assert done.out.endswith(f"{grade.text}\n")
    document = json.loads(analysis(tmp_path, "table.txt", "--json").out)
    assert document["gap"] == pytest.approx(grade.members["grade"]["gap"], abs=1e-15)
    assert len(document["cells"]) == 280


@pytest.mark.check
def test_the_command_draws_the_curve_next_to_the_table_if_it_is_of_these_rules(tmp_path: Path) -> None:
    save(with_origin(table(), rounds=1000), tmp_path / "table.txt")
    Curve(None, [Point(100, 0.2, -0.24, 0.1), Point(1000, 0.01, -0.05, 1.0)]).save(
        curve_file(tmp_path / "table.txt")
    )
    done = analysis(tmp_path, "table.txt", "--plot", "table.svg")
    assert (done.status, done.out, done.err) == (0, "", "analysis: the picture is table.svg\n")
    drawn = (tmp_path / "table.svg").read_text()
    assert all(
        text in drawn for text in ("soft hands: EV lost", "learning curve", "limit of the method random-play")
    )
    assert figure_module.load_curve(tmp_path / "table.txt", 1000) == [(100, 0.2), (1000, 0.01)]
    assert analysis(tmp_path, "table.txt", "--ace", 1, "--plot", "other.svg").status == 0
    assert "learning curve" not in (tmp_path / "other.svg").read_text()


@pytest.mark.check
def test_a_table_without_an_exact_form_is_drawn_alone(tmp_path: Path) -> None:
    save(with_origin(table(), rules=PRESETS["showdown"]), tmp_path / "table.txt")
    assert analysis(tmp_path, "table.txt", "--plot", "table.svg").status == 0
    drawn = (tmp_path / "table.svg").read_text()
    assert "no exact value" in drawn and "EV lost" not in drawn
    assert "no exact value: showdown has" in analysis(tmp_path, "table.txt").out


def test_what_cannot_be_drawn_is_refused_in_a_sentence(tmp_path: Path) -> None:
    empty = heatmap(empty_table(Rules(), None), "empty.txt")
    with pytest.raises(CommandError, match="nothing against an upcard yet"):
        figure_module.draw(empty, tmp_path / "empty.txt", tmp_path / "empty.png")
    (tmp_path / "table.txt.curve.csv").write_text("no curve\n")
    with pytest.raises(CommandError, match="is not a learning curve: expected "):
        figure_module.draw(mapped()[0], tmp_path / "table.txt", tmp_path / "table.png")
    assert not (tmp_path / "table.png").exists()
    for options, status in ((("none.txt",), 1), (("none.txt", "--plot", "table.gif"), 2)):
        done = analysis(tmp_path, *options)
        assert (done.status, done.out, done.err.count("\n")) == (status, "", 1)


def analysis(folder: Path, *options: object) -> Finished:
    return inside(main, "analysis", "heatmap", *options, cwd=folder)
