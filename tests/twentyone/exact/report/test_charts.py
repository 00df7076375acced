"""Charts as published ones look: the rows that stand once, the letters and colours, the picture, the page."""

from __future__ import annotations

import struct
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS, Ace
from tests.helpers.published import chart_of, closest
from tests.twentyone.exact.report.terminals import COLOURED, on_a_terminal
from twentyone.exact.report.blocks import COLOURS, MEANINGS, blocks_of, entries_used
from twentyone.exact.report.letters import show
from twentyone.exact.report.lines import Margins, chart_lines
from twentyone.exact.report.page import page_of
from twentyone.exact.report.picture import chart_figure
from twentyone.policies.chart import ENTRIES, Chart, from_text
from twentyone.support import pictures

VEGAS = PRESETS["vegas"]
CHART = chart_of(closest(VEGAS))


def text_of(chart: Chart, rules: Any = VEGAS, margins: Margins | None = None) -> list[str]:
    blocks = blocks_of(chart, rules, merged=margins is None)
    return ["".join(piece.text for piece in line).rstrip() for line in chart_lines(blocks, margins)]


def test_the_chart_of_six_decks_looks_as_it_is_published() -> None:
    """Wizard of Odds, 4 to 8 decks, the dealer hits soft 17: rows that are alike at the ends stand once."""
    lines = text_of(CHART)
    assert lines[:5] == [
        "hard     2   3   4   5   6   7   8   9  10   A",
        "   4-8   H   H   H   H   H   H   H   H   H   H",
        "     9   H  Dh  Dh  Dh  Dh   H   H   H   H   H",
        "    10  Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh   H   H",
        "    11  Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh",
    ]
    labels = {line[:7].strip() for line in lines}
    assert {"17", "18+", "12-14", "20+", "2,2", "10,10", "A,A"} <= labels
    assert "    16   S   S   S   S   S   H   H  Rh  Rh  Rh" in lines
    assert "   8,8   P   P   P   P   P   P   P   P   P  Rp" in lines
    assert " Rp  surrender if that is allowed, otherwise split" in lines
    assert not any(line.startswith(" Pd ") for line in lines), "the legend has the entries that are used"


def test_only_rows_at_the_ends_stand_once() -> None:
    """A chart of one entry is one row; equal rows in the middle stay."""
    rules = PRESETS["course"]
    hits = "H17 H H H H H H H H H H\n"
    assert text_of(from_text(hits + "S19 S S S S S S S S S S\n", "all"), rules)[1] == "    4+" + "   H" * 10
    hard, soft = blocks_of(chart_of(closest(VEGAS)), rules)
    assert [row.label for row in hard.rows] == ["4-8", *map(str, range(9, 18)), "18+"]
    assert [row.entries for row in hard.rows[5:7]] == [hard.rows[5].entries] * 2, "13 and 14 are alike"
    assert [row.hands for row in soft.rows[-1:]] == [("S20", "S21")]


@pytest.mark.parametrize(("ace", "first"), [(Ace.ONE, "2-8"), (Ace.ELEVEN, "4-8")])
def test_there_are_soft_hands_only_where_an_ace_may_count_either(ace: Ace, first: str) -> None:
    (hard,) = blocks_of(CHART, replace(PRESETS["course"], ace=ace))
    assert (hard.name, hard.rows[0].label) == ("hard", first)


def test_a_pair_without_a_row_is_shown_as_its_total() -> None:
    pairs = {row.label: row.entries for row in blocks_of(CHART, VEGAS)[2].rows}
    assert pairs["5,5"] == CHART.rows["H10"]
    assert pairs["10,10"] == ("S",) * 10
    assert [*pairs] == [*(f"{points},{points}" for points in range(2, 11)), "A,A"]


def test_margins_stand_next_to_their_entries() -> None:
    lines = text_of(CHART, margins={("H16", 10): 0.0123, ("P8", 11): 1.25})
    (sixteen,) = [line for line in lines if line.startswith("    16 ") and "Rh.012" in line]
    assert sixteen.split()[1:] == [*"SSSSSHH", "Rh", "Rh.012", "Rh"]
    (eights,) = [line for line in lines if line.startswith("   8,8")]
    assert eights.endswith("Rp1.25")
    assert max(map(len, lines)) <= 80


def test_every_entry_has_a_meaning_and_letters_that_can_be_read() -> None:
    assert [*MEANINGS] == [*ENTRIES]
    for entry in ENTRIES:
        ink, ground = (_luminance(colour) for colour in COLOURS[entry[0]])
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5, entry


def _luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_terminal_has_colours_and_a_pipe_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    lines = chart_lines(blocks_of(CHART, VEGAS))
    show(lines)
    assert "\x1b" not in capsys.readouterr().out
    red, green, blue = (int(COLOURS["S"][1][at : at + 2], 16) for at in (1, 3, 5))
    assert f"48;2;{red};{green};{blue}m" in on_a_terminal(lambda: show(lines), **COLOURED)


@pytest.mark.parametrize("settings", [{"TERM": "xterm-256color", "NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_has_plain_text(settings: dict[str, str]) -> None:
    shown = on_a_terminal(lambda: show(chart_lines(blocks_of(CHART, VEGAS))), **settings)
    assert "   8,8   P   P   P   P   P   P   P   P   P  Rp" in shown
    assert "\x1b" not in shown


def test_a_picture_has_every_cell_and_the_legend() -> None:
    figure: Any = chart_figure(blocks_of(CHART, VEGAS), "vegas\nworth something")
    assert figure.get_suptitle() == "vegas\nworth something"
    hard, soft, pairs, legend = _axes(figure)
    titles = [axes.get_title(loc="left") for axes in (hard, soft, pairs)]
    assert titles == ["hard hands", "soft hands", "pairs"]
    assert [len(axes.texts) for axes in (hard, soft, pairs)] == [110, 70, 100]
    assert [label.get_text() for label in pairs.get_yticklabels()][-1] == "A,A"
    said = [text.get_text() for text in legend.texts]
    assert said[::2] == entries_used(blocks_of(CHART, VEGAS))
    assert said[1] == "hit"


@pytest.mark.check
def test_a_picture_may_have_margins_and_no_pairs(tmp_path: Path) -> None:
    rules = PRESETS["course"]
    figure: Any = chart_figure(blocks_of(CHART, rules, merged=False), "course", {("H16", 10): 0.5})
    hard, _soft, _legend = _axes(figure)
    assert len(hard.texts) == 18 * 10 + 1
    assert hard.texts[-1].get_text() == "S" and ".500" in [text.get_text() for text in hard.texts]
    pictures.save(figure, tmp_path / "chart.png")
    width, _ = struct.unpack(">II", (tmp_path / "chart.png").read_bytes()[16:24])
    assert width == 1440


def _axes(figure: Any) -> list[Any]:
    return [axes for sub in figure.subfigs for axes in (sub.axes or [a for s in sub.subfigs for a in s.axes])]


class _Page(HTMLParser):
    """Counts what stands in a page, and sees that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(margins: Margins | None = None) -> str:
    blocks = blocks_of(CHART, VEGAS, merged=margins is None)
    return page_of(blocks, "A <chart>", ("rules & more", "decks=6"), [("edge", "0.5 %")], "Exact.", margins)


def test_a_page_has_three_tables_with_heads_and_a_legend() -> None:
    parsed = _Page()
    parsed.feed(page())
    assert parsed.open == []
    heads = [attributes.get("scope") for tag, attributes in parsed.tags if tag == "th"]
    assert (heads.count("col"), heads.count("row")) == (33, 28)
    cells = [attributes["class"] for tag, attributes in parsed.tags if tag == "td"]
    assert len(cells) == 280 and {*cells} == {f"kind-{letter}" for letter in COLOURS}
    assert [tag for tag, _ in parsed.tags].count("caption") == 3
    assert all(
        "<dt class" in page() and f"<dd>{MEANINGS[entry]}</dd>" in page() for entry in ("H", "Ph", "Rp")
    )


def test_a_page_needs_no_other_file_and_shows_what_others_wrote_as_text() -> None:
    text = page()
    assert "A &lt;chart&gt;" in text and "rules &amp; more" in text and "<chart>" not in text
    assert not any(word in text for word in ("http", "src=", "href=", "<script", "url("))
    assert "prefers-color-scheme: dark" in text and "@media print" in text
    assert '<meta name="viewport"' in text and '<html lang="en">' in text


def test_a_page_shows_margins() -> None:
    assert "<small>.012</small>" in page({("H16", 10): 0.0123})
