"""Action values by hand: play by them, and their file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import HIT_OR_STAND, PRESETS, Decision
from twentyone.policies import table_files
from twentyone.policies.action_values import ACTIONS, ActionValues, Cell, Origin, Row, of_rows
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.policy import Observation
from twentyone.policies.table_files import QTableError

HIT, STAND, DOUBLE, SPLIT, SURRENDER = list(Decision)[:5]
INSURE, DECLINE = Decision.INSURE, Decision.DECLINE
ORIGIN = Origin(PRESETS["vegas"], "qlearning", 1000, 7)
HEADER = (
    f"# format: 1\n# rules: {PRESETS['vegas']}\n# method: qlearning\n# rounds: 1000\n# seed: 7\n"
    "# columns: hand upcard action value count\n"
)
ALL = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)


def table(hand: str, upcard: int, **values: float) -> ActionValues:
    rows: dict[Cell, dict[Decision, Row]] = {
        (hand, upcard): {Decision[name]: Row(value, 1) for name, value in values.items()}
    }
    return of_rows(rows, ORIGIN)


# Play.


def test_the_best_that_is_allowed_is_played() -> None:
    options: tuple[Decision, ...]
    eights = table("P8", 10, HIT=-0.54, STAND=-0.53, SPLIT=-0.48, SURRENDER=-0.5)
    for options in (ALL, (HIT, STAND, SPLIT), (STAND, SPLIT)):
        assert eights.decide(Observation(16, False, 10, 8, options)) is SPLIT
    sixteen = table("H16", 10, HIT=-0.535, STAND=-0.54, DOUBLE=-1.07, SURRENDER=-0.5)
    for options in ((HIT, STAND, DOUBLE), HIT_OR_STAND):
        assert sixteen.decide(Observation(16, False, 10, 0, (*options, SURRENDER))) is SURRENDER
        assert sixteen.decide(Observation(16, False, 10, 0, options)) is HIT


def test_no_row_means_stand_and_so_do_equal_values() -> None:
    empty = of_rows({}, ORIGIN)
    assert empty.decide(Observation(5, False, 10, 0, ALL)) is STAND
    assert empty.decide(Observation(5, False, None)) is STAND
    assert table("H5", 9, HIT=0.5).decide(Observation(5, False, 10, 0, ALL)) is STAND
    assert table("H5", 10, HIT=-0.5).decide(Observation(5, False, 10, 0, ALL)) is HIT
    assert table("H5", 10, HIT=-0.5, STAND=-0.5).decide(Observation(5, False, 10, 0, ALL)) is STAND
    assert table("H5", 10, HIT=-0.5, DOUBLE=-0.5).decide(Observation(5, False, 10, 0, ALL)) is HIT


def test_insurance_is_taken_if_it_pays() -> None:
    seen = Observation(20, False, 11, 0, (INSURE, DECLINE))
    for value, expected in ((0.01, INSURE), (0.0, DECLINE), (-0.04, DECLINE)):
        assert table("H20", 11, INSURE=value, STAND=0.3).decide(seen) is expected
    assert table("H20", 11, STAND=0.3).decide(seen) is DECLINE


def test_before_the_peek_a_hand_is_given_up_if_nothing_later_is_better() -> None:
    seen = Observation(16, False, 11, 0, (SURRENDER, DECLINE))
    assert table("H16", 11, SURRENDER=-0.5, HIT=-0.66, STAND=-0.8).decide(seen) is SURRENDER
    assert table("H16", 11, SURRENDER=-0.5, HIT=-0.4).decide(seen) is DECLINE
    assert table("H16", 11, SURRENDER=-0.5, INSURE=0.2).decide(seen) is SURRENDER
    assert table("H16", 11, HIT=-0.9).decide(seen) is DECLINE


OPTIONS = st.one_of(
    st.sampled_from([(INSURE, DECLINE), (SURRENDER, DECLINE), (STAND, SPLIT)]),
    st.sets(st.sampled_from([DOUBLE, SPLIT, SURRENDER])).map(
        lambda more: tuple(each for each in Decision if each in {HIT, STAND, *more})
    ),
)
VALUES = st.floats(allow_nan=False, allow_infinity=False)
TABLES = st.dictionaries(
    st.tuples(st.sampled_from(HANDS), st.sampled_from(UPCARDS)),
    st.dictionaries(st.sampled_from(ACTIONS), st.builds(Row, VALUES, st.integers(0, 2**63 - 1)), min_size=1),
    max_size=20,
).map(lambda rows: of_rows(rows, ORIGIN))


@given(TABLES, st.integers(2, 21), st.booleans(), st.integers(2, 11), st.integers(1, 10), OPTIONS)
def test_it_never_answers_what_is_not_allowed(
    any_table: ActionValues, total: int, is_soft: bool, upcard: int, pair: int, options: tuple[Decision, ...]
) -> None:
    seen = Observation(total, is_soft, upcard, pair if SPLIT in options else 0, options)
    assert any_table.decide(seen) in options


# The file.


@settings(max_examples=40)
@given(TABLES)
def test_everything_is_read_back(any_table: ActionValues) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table_files.save(any_table, Path(folder) / "a.txt")
        read = table_files.load_by_hand(Path(folder) / "a.txt")
    assert (read.rows, read.origin) == (any_table.rows, any_table.origin)


def test_the_file_as_it_is_documented(tmp_path: Path) -> None:
    rows = {
        ("P8", 10): {SPLIT: Row(-0.4756, 9120)},
        ("H16", 10): {STAND: Row(-0.5404, 18234), HIT: Row(-0.5, 3)},
    }
    table_files.save(of_rows(rows, ORIGIN), tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text() == HEADER + (
        "H16 10 HIT -0.5 3\nH16 10 STAND -0.5404 18234\nP8 10 SPLIT -0.4756 9120\n"
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("H22 10 HIT 0 1", "'H22' is not a hand: expected H2 to H21, S12 to S21, PA, or P2 to P10"),
        ("H16 1 HIT 0 1", "'1' is not an upcard: expected 2 to 11"),
        ("H16 010 HIT 0 1", "'010' is not an upcard"),
        ("H16 10 hit 0 1", "'hit' is not an action: expected HIT, STAND, DOUBLE, SPLIT, SURRENDER or INSURE"),
        ("H16 10 DECLINE 0 1", "'DECLINE' is not an action"),
        ("H16 10 HIT nan 1", "'nan' is not a value: expected a finite number"),
        ("H16 10 HIT inf 1", "'inf' is not a value"),
        ("H16 10 HIT x 1", "'x' is not a value"),
        ("H16 10 HIT 0 -1", "'-1' is not a count: expected 0 or more"),
        ("H16 10 HIT 0 1.5", "'1.5' is not a count"),
        (f"H16 10 HIT 0 {'9' * 300}", "'99"),
        ("H16 10 HIT 0", "'H16 10 HIT 0' is not a row: expected hand upcard action value count"),
        ("H16 10 HIT 0 1 2", "'H16 10 HIT 0 1 2' is not a row"),
        ("P8 10 SPLIT 0.5 1", "P8 10 SPLIT has a row already: expected one"),
    ],
)
def test_a_bad_row_is_refused_by_its_line(tmp_path: Path, row: str, sentence: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{HEADER}P8 10 SPLIT -0.4756 9120\n{row}\n")
    with pytest.raises(QTableError) as refusal:
        table_files.load_by_hand(file)
    assert str(refusal.value).startswith(f"{file}, line 8: {sentence}")


def test_a_file_that_is_cut_or_has_no_header_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{HEADER}P8 10 SPLIT -0.4756 91")
    with pytest.raises(QTableError, match=r"may be cut"):
        table_files.load_by_hand(file)
    file.write_text("# columns: hand upcard action value count\n")
    with pytest.raises(QTableError, match=r"header does not give the format, rules, method, rounds, seed$"):
        table_files.load_by_hand(file)
    file.write_bytes(b"\xff")
    with pytest.raises(QTableError, match=r"is not an action-value table: it is not text$"):
        table_files.load_by_hand(file)
