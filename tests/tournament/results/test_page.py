"""The result of a tournament as a web page: it says what the results say, and needs nothing else."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from datetime import date
from hashlib import sha256
from html.parser import HTMLParser
from importlib import metadata

import numpy as np
import pytest

from cards import PRESETS, Bets, EveryRound
from tests.helpers.tournaments import played, played_by
from tests.tournament.results.made import results_of
from tournament.results import errors as errors_module
from tournament.results.errors import errors_of
from tournament.results.page import page
from tournament.results.statistics import standing
from tournament.results.viewer import viewer_script, viewer_style
from tournament.settings import Fault, Results

EMPTY = {"meta", "path", "line", "use"}


class Outline(HTMLParser):
    """Checks that elements are closed in order, and collects addresses, names and classes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.names += [value or "" for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in EMPTY:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown_of(results: Results) -> str:
    return page(results, standing(results), "cup", date(2026, 2, 3))


@pytest.fixture(scope="module")
def results() -> Results:
    return played("vegas", 1_500, "basic", "mimic", "random")


@pytest.fixture(scope="module")
def shown(results: Results) -> str:
    return shown_of(results)


def test_it_needs_no_other_file_and_lets_nothing_else_in(shown: str) -> None:
    outline = Outline(shown)
    assert outline.open == []
    assert all(link.startswith("#") for link in outline.links)
    assert not outline.attributes & {"style", "onclick", "src"}
    named = re.findall(r"https?:[^\"]*", shown)
    assert set(named) == {"http://www.w3.org/2000/svg"}, "a namespace is a name: nothing is fetched by it"
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', shown)
    assert policy.startswith("default-src 'none'")
    for text in re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", shown, re.DOTALL):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy


def test_every_link_leads_somewhere_and_no_name_is_there_twice(shown: str) -> None:
    outline = Outline(shown)
    assert len(outline.names) == len(set(outline.names))
    assert {link[1:] for link in outline.links} <= set(outline.names)
    assert sum(link.startswith("#round=") for link in outline.links) == 15  # five each


def test_linked_rounds_are_there_as_lines_of_a_history(shown: str, results: Results) -> None:
    (kept,) = re.findall(r'id="rounds">(.*?)</script>', shown, re.DOTALL)
    told = {(line["table"], line["round"]): line for line in map(json.loads, kept.splitlines())}
    linked = re.findall(r'href="#round=(\d+)\.(\d+)"', shown)
    assert {(int(table), int(number)) for table, number in linked} == told.keys()
    assert results.lost is not None
    for (table, number), line in told.items():
        (seat,) = line["seats"]
        costs = [each["cost"] for hand in seat["hands"] for each in hand["decisions"]]
        assert sum(costs) == pytest.approx(results.lost[table - 1][number - 1, 0], abs=1e-6)


def test_it_says_which_tournament_it_is_and_how_to_play_it_again(results: Results) -> None:
    text = page(replace(results, rounds=1_499), standing(results), "<a> & b", date(2026, 2, 3))
    assert "<h1>&lt;a&gt; &amp; b: a tournament of 3 entrants</h1>" in text
    version = metadata.version("twentyone")
    about = f"1,499 of 1,500 rounds for each, seed 3. Made on 2026-02-03 by twentyone {version}."
    assert f"<p>{about}</p>" in text


def test_names_cannot_break_out_of_it(results: Results) -> None:
    names = ("</script><b>", "a&b", "SCRIPT")
    entrants = tuple(
        replace(entrant, name=name) for entrant, name in zip(results.settings.entrants, names, strict=True)
    )
    changed = replace(results, settings=replace(results.settings, entrants=entrants))
    text = shown_of(changed)
    assert Outline(text).open == []
    assert "<b>:" not in text.replace("<summary><b>", "")


def test_heatmaps_add_up_to_the_ev_lost(results: Results) -> None:
    found = errors_of(results)
    assert found is not None and results.lost is not None
    for heatmap, lost in zip(found.heatmaps, results.lost, strict=True):
        assert heatmap.replayed == heatmap.costly
        assert sum(heatmap.costs.values()) + heatmap.forfeits == pytest.approx(lost.mean(), abs=1e-6)


def test_a_sample_of_the_rounds_is_about_the_same(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors_module, "MOST_REPLAYED", 900)
    found = errors_of(results)
    assert found is not None and results.lost is not None
    heatmap = found.heatmaps[2]
    assert heatmap.replayed <= 300 < heatmap.costly
    assert sum(heatmap.costs.values()) == pytest.approx(results.lost[2].mean(), rel=0.25)


def test_the_dearest_rounds_are_those_that_cost_most(results: Results) -> None:
    found = errors_of(results)
    assert found is not None and results.lost is not None
    worst = [each for each in found.dearest if each.entrant == 2]
    assert {each.round for each in worst} == set((-results.lost[2][:, 0]).argsort(kind="stable")[:5].tolist())
    assert all(each.decided != each.best for each in worst)


def test_every_kind_of_tournament_has_a_page() -> None:
    bets = replace(PRESETS["vegas"], seats=1, reshuffle=EveryRound(), bets=Bets(10, 80), bankroll=200)
    for results, said in (
        (played("course", 300, "mimic", "random"), ""),
        (played_by(bets, 400, "mimic", "random"), "in chips per round"),
        (results_of([[[10, -10]] * 60, [[-10, 10]] * 60, [[0, 0]] * 60], entrants=3), "values do not hold"),
        (results_of([[10], [-10]]), ""),
    ):
        text = shown_of(results)
        assert said in text and Outline(text).open == []


def test_times_and_faults_have_a_table_where_there_are_any() -> None:
    assert "Nothing went wrong" in shown_of(results_of([[10] * 50, [0] * 50]))
    seconds = [np.full(10, 0.002, np.float32), np.zeros(0, np.float32)]
    faults = [Fault(1, 1, 3, "crashed", ".")]
    text = shown_of(results_of([[10] * 50, [0] * 50], faults=faults, thinking=seconds))
    assert '<th scope="row">player0</th><td>2.00 ms</td><td>2.00 ms</td><td>0</td>' in text
    assert '<th scope="row">player1</th><td>-</td><td>-</td><td>1</td>' in text


def test_the_script_of_the_viewer_stands_alone() -> None:
    script = viewer_script()
    assert not any(word in script for word in ("\nimport ", "\nexport ", "</script"))
    assert "</style" not in viewer_style()


def test_the_seed_is_told_only_at_the_end() -> None:
    """The rounds that are linked to tell it too."""
    for is_over in (True, False):
        shown = shown_of(replace(played("vegas", 400, "basic", "random"), is_over=is_over))
        assert ("seed 3" in shown) == ('"seed":3' in shown.replace(" ", "")) == is_over
