"""`analysis solve` for charts: in text, as a picture, a page and files; and what each rule changes."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from cards import PRESETS, Decision, HoleCard, Rules, Surrender, rules_from
from tests.twentyone.analysis.laboratory import analysis, document, press_after, refusal
from twentyone.analysis.studies.rule_changes import Edge, changes_of, edges_of, in_order
from twentyone.exact.comparison import TITLE
from twentyone.exact.values.game import SeatGame
from twentyone.exact.values.shoe import Shoe
from twentyone.policies import chart, table_files
from twentyone.policies.decisions import fresh

RENO = ("--rules", "reno", "--reshuffle", "round")


def test_the_chart_is_shown_with_what_the_rules_are_worth(tmp_path: Path) -> None:
    done = analysis(tmp_path, "solve", *RENO, "--margins")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:2] == [
        "rules: reno reshuffle=round",
        "1 deck, dealer hits soft 17, a natural pays 3:2, double hard 10 and 11, split to",
    ]
    assert max(map(len, lines)) <= 80
    figures = {name: rest.split() for name, _, rest in (line.partition("  ") for line in lines[5:15])}
    assert figures["best chart"] == ["-0.0046368215", "0.4637", "%"]
    assert figures["best play"] == ["-0.0042850077", "0.4285", "%"]
    assert figures["on every hand, given an ace"] == [f"{1.5 * 16 / 51 - 0.5:.10f}"]
    assert figures["a natural against an ace, without insurance"] == [f"+{1.5 * 34 / 49:.10f}"]
    assert figures["even money"] == ["+1.0000000000"]
    assert "beside each entry: what the best option gains over the next, in initial bets" in lines
    (eights,) = [line for line in lines if line.startswith("   8,8")]
    assert [cell[0] for cell in eights.split()[1:]] == ["P"] * 10
    assert f"{TITLE}:" in lines


def test_a_chart_as_a_document_and_as_files(tmp_path: Path) -> None:
    names = ("--plot", "c.png", "--html", "c.html", "--chart", "c.txt", "--table", "t.txt", "--deviation")
    found = document(tmp_path, "solve", *RENO, *names)
    assert found["house_edge"] == -found["best_chart"] == pytest.approx(0.0046368215, abs=5e-11)
    assert found["proved"] is True and found["bound"] == pytest.approx(found["best_chart"], abs=1e-12)
    assert found["standard_deviation"] == pytest.approx(1.0992, abs=1e-4)
    assert found["insurance"]["where_it_pays"] == 0
    by_upcard = sum(
        chance * value
        for chance, value in zip(found["upcard_chances"], found["best_chart_by_upcard"], strict=True)
    )
    assert by_upcard == pytest.approx(found["best_chart"], abs=1e-13)
    saved = chart.load(tmp_path / "c.txt")
    assert {hand: list(row) for hand, row in saved.rows.items()} == found["chart"]
    assert saved.rules == fresh(PRESETS["reno"])
    table = table_files.load_by_hand(tmp_path / "t.txt")
    (cell,) = [each for each in found["cells"] if (each["hand"], each["upcard"]) == ("P8", 10)]
    assert cell["entry"] == "P" and max(cell["options"], key=cell["options"].get) == "SPLIT"
    assert table.rows["P8", 10][Decision.SPLIT].value == cell["options"]["SPLIT"]
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "c.html").read_text()
    assert "<title>Basic strategy: reno</title>" in page
    assert "<dt>House edge</dt><dd>0.4637 % of the initial bet</dd>" in page
    (graded,) = document(tmp_path, "value", "c.txt")["policies"]
    assert graded["value"] == pytest.approx(found["best_chart"], abs=1e-13)


def test_an_infinite_deck_and_a_shoe_without_some_cards(tmp_path: Path) -> None:
    assert document(tmp_path, "solve", "--decks", "inf", "--double", "any")["shoe"] is None
    rich = document(tmp_path, "solve", "--double", "9-11", "--shoe", "10=20 6=20 3=12", "--removed", "3")
    assert rich["shoe"] == {"3": 11, "6": 20, "10": 20}
    by_upcard = rich["best_chart_by_upcard"]
    assert [value is None for value in by_upcard] == [n not in (3, 6, 10) for n in range(2, 12)]
    assert rich["insurance"] is None


def test_what_cannot_be_solved_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, and no folder")
    for options, status, said in (
        ("--rules showdown --compare-rules", 2, "showdown has no short exact form: "),
        ("--rules vegas --shoe 2=4", 2, "a shoe of these 4 cards may run out in a round: "),
        ("--rules vegas --removed Q,Z", 2, "'Z' is no card for --removed: "),
        ("--rules vegas --html taken/c.html", 1, "the page taken/c.html cannot be written: "),
        ("--chart taken/c.txt", 1, "the chart taken/c.txt cannot be written: "),
        ("--rules vegas --plot c.gif", 2, "the picture c.gif has no known format: "),
    ):
        assert refusal(tmp_path, "solve", *options.split(), status=status).startswith(said)


def test_every_option_is_a_row_of_the_file(tmp_path: Path) -> None:
    found = document(tmp_path, "solve", *RENO, "--csv", "options.csv")
    rows = list(csv.DictReader((tmp_path / "options.csv").read_text("utf-8").splitlines()))
    assert len(rows) == sum(len(cell["options"]) for cell in found["cells"])
    of_eights = {
        row["option"]: float(row["value"]) for row in rows if (row["hand"], row["upcard"]) == ("P8", "10")
    }
    (cell,) = [each for each in found["cells"] if (each["hand"], each["upcard"]) == ("P8", 10)]
    assert of_eights == cell["options"]


def test_published_charts_stand_beside_the_best_one(tmp_path: Path) -> None:
    """Both charts of vegas print `surrender, otherwise hit` for 16 against 10; europe has no other entry."""
    vegas = document(tmp_path, "solve", "--rules", "vegas")["published"]
    assert [each["source"] for each in vegas] == ["Wizard of Odds", "Blackjack Apprenticeship"]
    for each in vegas:
        (only,) = each["differences"]
        assert (only["hand"], only["upcard"], only["entry"], only["published"]) == ("H16", 10, "Rs", "Rh")
    text = analysis(tmp_path, "solve", "--rules", "europe").out
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split("\n\n")[-1].split())
    assert said.startswith(
        "Published charts, and the entries that differ from this one: BlackjackInfo (6 decks, "
    )
    assert said.count("any two cards may be doubled there): none") == 2
    assert document(tmp_path, "solve")["published"] is None
    assert document(tmp_path, "solve", "--rules", "europe", "--removed", "A")["published"] is None


# What each rule changes.


PUBLISHED = {
    ("double", "always"): -0.0023,
    ("double-after-split", "no"): 0.0014,
    ("double", "9-11"): 0.0009,
    ("surrender", "late"): -0.0008,
    ("dealer-stands", "hard17"): 0.0022,
    ("hole-card", "last"): 0.0011,
}
"""M. Shackleford, Wizard of Odds, "Rule Variations": what they change with eight decks, in initial bets."""


def edges_under(rules: Rules, wanted: set[tuple[str, str]]) -> list[Edge]:
    changes = [change for change in changes_of(rules) if (change.field, change.value) in wanted]
    return in_order(list(edges_of(rules, changes)))


@pytest.mark.check
def test_the_rules_change_the_house_edge_as_it_is_published() -> None:
    eight = {"decks": "8", "dealer-stands": "all17", "surrender": "none", "split-aces": "once"}
    edges = edges_under(rules_from({"preset": "vegas", **eight}), {*PUBLISHED, ("decks", "8")})
    found = {(edge.change.field, edge.change.value): edge.difference for edge in edges}
    assert found.pop(("decks", "8")) == 0.0
    assert found == pytest.approx(PUBLISHED, abs=1e-4)


def test_one_field_changes_with_what_must_change_with_it() -> None:
    changes = {(change.field, change.value): change for change in changes_of(PRESETS["vegas"])}
    assert changes["split", "1"].others == {"double-after-split": "no", "split-aces": "once"}
    plain = replace(fresh(PRESETS["vegas"]), hole_card=HoleCard.OBO, surrender=Surrender.NONE)
    assert changes["hole-card", "obo"].rules == plain
    assert ("naturals", "equal") not in changes, "there is no natural for insurance then"
    assert [change.value for change in changes.values() if change.field == "decks"] == [*"12345678", "inf"]
    fields = [*dict.fromkeys(field for field, _ in changes)]
    assert [each.field for each in changes.values() if each.is_given] == fields
    deck = Shoe.of(PRESETS["reno"])
    assert not [each for each in changes_of(PRESETS["reno"], deck) if each.field == "decks"]
    few = Shoe((0, 0, 0, 0, 0, 0, 0, 0, 12, 0))
    splits = [each.value for each in changes_of(rules_from({"double": "any"}), few) if each.field == "split"]
    assert splits == ["1", "2", "3"], "four hands of three tens each, and the dealer's two, are 14 cards"


def test_what_has_been_solved_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {("ace", "1"), ("decks", "2"), ("decks", "1")}
    before = edges_under(Rules(), wanted)
    with monkeypatch.context() as forbidden:
        forbidden.setattr(SeatGame, "best_play", lambda _: pytest.fail("it has been solved already"))
        assert edges_under(Rules(), wanted) == before
    assert before[0].edge == pytest.approx(0.0424622758, abs=5e-11)


def test_ctrl_c_shows_and_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    press_after(monkeypatch, 2)
    done = analysis(tmp_path, "solve", "--compare-rules")
    assert done.status == 130
    _, _, table = done.out.partition("what each rule changes  house edge  difference\n")
    rows = [line.split() for line in table.splitlines()[:2]]
    assert rows[0] == ["decks", "1", "4.2462", "%", "as", "it", "is"]
    assert rows[1][:2] == ["decks", "2"]
    last = done.err.splitlines()[-1]
    assert last.startswith("analysis: interrupted after 2 of ")
    assert last.endswith(" rules, which are kept: the same command goes on from there")
