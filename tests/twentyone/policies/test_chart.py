"""Charts: what their entries mean, and their file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cards import HIT_OR_STAND, PRESETS, Decision, Double, Rules
from tests.helpers.published import chart_of, closest
from twentyone.policies import chart
from twentyone.policies.chart import ENTRIES, Chart, ChartError
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.policy import Observation

HIT, STAND, DOUBLE, SPLIT, SURRENDER = list(Decision)[:5]
INSURE, DECLINE = Decision.INSURE, Decision.DECLINE
VEGAS = PRESETS["vegas"]
FIRST = (HIT, STAND, DOUBLE, SURRENDER)
PAIR = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)


def of_entry(entry: str) -> Chart:
    """A chart with one entry everywhere, where it may stand; hits else."""
    hands = {hand: (entry if hand[0] == "P" or SPLIT not in ENTRIES[entry] else "H",) * 10 for hand in HANDS}
    return Chart(entry, hands)


def vegas(**changes: object) -> Rules:
    return replace(VEGAS, **changes)  # type: ignore[arg-type]


# What it decides.


@pytest.mark.parametrize(
    ("entry", "options", "expected"),
    [
        *[(entry, PAIR, STAND if entry == "S" else HIT) for entry in ("H", "S")],
        *[(entry, PAIR, DOUBLE) for entry in ("Dh", "Ds")],
        *[(entry, PAIR, SPLIT) for entry in ("P", "Ph", "Pd")],
        *[(entry, PAIR, SURRENDER) for entry in ("Rh", "Rs", "Rp")],
        *[(entry, HIT_OR_STAND, HIT) for entry in ("Dh", "Rh")],
        *[(entry, HIT_OR_STAND, STAND) for entry in ("Ds", "Rs")],
        ("Rp", (HIT, STAND, DOUBLE, SPLIT), SPLIT),
        ("P", (STAND, SPLIT), SPLIT),
        ("H", (STAND, SPLIT), STAND),
        ("Rs", (SURRENDER, DECLINE), SURRENDER),
        ("H", (SURRENDER, DECLINE), DECLINE),
        ("Rs", (INSURE, DECLINE), DECLINE),
    ],
)
def test_an_entry_is_the_first_of_its_decisions_that_is_allowed(
    entry: str, options: tuple[Decision, ...], expected: Decision
) -> None:
    seen = Observation(16, False, 10, 8 if SPLIT in options else 0, options)
    assert of_entry(entry).decide(seen, VEGAS) is expected


def test_where_no_split_hand_may_be_doubled_some_pairs_are_not_split() -> None:
    seen = Observation(8, False, 5, 4, PAIR)
    for entry, expected in (("Ph", HIT), ("Pd", DOUBLE), ("P", SPLIT)):
        assert of_entry(entry).decide(seen, vegas(double_after_split=False)) is expected


def test_a_pair_that_may_not_be_split_is_played_by_its_total() -> None:
    known = chart_of(closest(VEGAS))
    assert known.decide(Observation(16, False, 7, 8, PAIR), VEGAS) is SPLIT
    assert known.decide(Observation(16, False, 7, 0, FIRST), VEGAS) is HIT
    assert known.decide(Observation(12, True, 7, 1, PAIR), VEGAS) is SPLIT
    assert known.decide(Observation(12, True, 7, 0, FIRST), VEGAS) is HIT


def test_the_ends_of_the_rows_hold_beyond_them() -> None:
    known = chart_of(closest(VEGAS))
    assert (min(hand for hand in known.rows if hand[0] == "H"), "H21" in known.rows) == ("H10", False)
    assert known.decide(Observation(4, False, 6, 0, FIRST), VEGAS) is HIT
    assert known.decide(Observation(21, False, 10, 0, FIRST), VEGAS) is STAND
    assert known.decide(Observation(21, True, 10, 0, FIRST), VEGAS) is STAND


@pytest.mark.parametrize("preset", ["vegas", "reno", "europe"])
def test_what_is_known_of_one_total_does_not_hold_for_those_above_it(preset: str) -> None:
    rules = PRESETS[preset]
    known = chart_of(closest(rules))
    for upcard in UPCARDS:
        for total in range(18, 22):
            assert known.decide(Observation(total, False, upcard, 0, FIRST), rules) is STAND
            assert total < 20 or known.decide(Observation(total, True, upcard, 0, FIRST), rules) is STAND
        for total in range(2, 8):
            assert known.decide(Observation(total, False, upcard, 0, FIRST), rules) is HIT


def test_doubling_on_few_totals_leaves_what_stands_behind_it() -> None:
    rules = vegas(double=Double.TEN_TO_ELEVEN)
    known = chart_of(closest(rules))
    assert known.decide(Observation(18, True, 4, 0, HIT_OR_STAND), rules) is STAND
    assert known.decide(Observation(9, False, 4, 0, HIT_OR_STAND), rules) is HIT


# The file.


def test_a_chart_is_read_back(tmp_path: Path) -> None:
    known = replace(chart_of(closest(VEGAS)), rules=VEGAS)
    chart.save(known, tmp_path / "chart.txt")
    read = chart.load(tmp_path / "chart.txt")
    assert (read.rows, read.rules) == (dict(known.rows), VEGAS)
    assert read.name == str(tmp_path / "chart.txt")


GOOD = [f"{hand} {' '.join(entries)}" for hand, entries in chart_of(closest(VEGAS)).rows.items()]


def refusal(text: str) -> str:
    with pytest.raises(ChartError) as refused:
        chart.from_text(text, "c")
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("H12 H", "c, line 2: H12 has 1 entry: expected 10, against 2 to 11"),
        (f"X12{' H' * 10}", "c, line 2: 'X12' is not a hand: expected H2 to H21, S12 to S21, PA, or P2 to"),
        (f"H22{' H' * 10}", "c, line 2: 'H22' is not a hand"),
        (f"H1{' H' * 10}", "c, line 2: 'H1' is not a hand"),
        (f"H12{' H' * 9} D", "c, line 2: 'D' is not an entry: expected H, S, Dh, Ds, P, Ph, Pd, Rh, Rs or R"),
        (f"H12{' H' * 9} P", "c, line 2: H12 is no pair, so P makes no sense"),
    ],
)
def test_a_bad_row_is_refused_by_its_line(text: str, sentence: str) -> None:
    assert refusal(f"# format: 1\n{text}\n").startswith(sentence)


def test_a_row_that_is_given_twice_or_is_missing_is_refused() -> None:
    assert chart.from_text("\n".join(GOOD), "c").rules is None  # a chart needs no header
    assert refusal("\n".join([GOOD[0], GOOD[0]])) == "c, line 2: H8 has a row already: expected one"
    for kind, said in (
        ("H12", "c has no row H12: expected one between its other rows"),
        ("H", "c has no row for hard hands: expected some, such as"),
        ("S", "c has no row for soft hands: expected some, such as"),
    ):
        assert refusal("\n".join(line for line in GOOD if not line.startswith(kind))).startswith(said)


def test_a_header_that_means_nothing_is_refused() -> None:
    assert refusal("\n".join(["# format: 2", *GOOD])) == "c is of format '2': expected 1"
    assert refusal("\n".join(["# rules: preset=nosuch", *GOOD])).startswith("c names invalid rules: ")


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ChartError, match=r"is not a chart: it is not text$"):
        chart.load(tmp_path / "c")
