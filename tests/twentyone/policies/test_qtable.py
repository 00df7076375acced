"""The Q table's file, and what its cells mean."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Decision
from tests.twentyone.policies.tables import empty, numbered
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import CELLS, HIT, SHAPE, STAND, dealer_column, state_of
from twentyone.policies.table_files import QTableError, load, save

# The file.


def test_numpy_reads_the_file_without_this_project(tmp_path: Path) -> None:
    save(numbered(), tmp_path / "q.txt")
    rows = np.loadtxt(tmp_path / "q.txt")
    assert rows.shape == (968, 5)
    assert np.array_equal(rows[:, 3].reshape(22, 22, 2), numbered().values)
    assert np.array_equal(rows[:, 4].reshape(22, 22, 2), numbered().counts)
    assert np.array_equal(rows[:, :3], np.argwhere(np.ones(SHAPE)))


def test_the_header_says_what_the_table_is(tmp_path: Path) -> None:
    save(numbered(), tmp_path / "q.txt")
    header = "".join((tmp_path / "q.txt").read_text().splitlines(keepends=True)[:7])
    assert header == (
        f"# format: 1\n# rules: {PRESETS['casino']}\n# method: random-play\n# rounds: 123456\n"
        "# seed: 42\n# columns: player dealer action value count\n0 0 0 -1.0 0\n"
    )


def test_the_header_is_read_back(tmp_path: Path) -> None:
    for rules, seed in zip(PRESETS.values(), cycle((None, 0, 2**63))):
        save(empty(rules, seed), tmp_path / "q.txt")
        table = load(tmp_path / "q.txt")
        assert (table.rules, table.method, table.rounds, table.origin.seed) == (rules, "qlearning", 0, seed)


@settings(max_examples=20)
@given(
    st.dictionaries(
        st.integers(0, CELLS - 1),
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2**63 - 1)),
        max_size=40,
    )
)
def test_values_are_read_back_to_the_same_float(cells: dict[int, tuple[float, int]]) -> None:
    table = empty()
    for index, (value, count) in cells.items():
        table.values.flat[index], table.counts.flat[index] = value, count
    with tempfile.TemporaryDirectory() as folder:
        save(table, Path(folder) / "q.txt")
        back = load(Path(folder) / "q.txt")
    # Bytes, since -0.0 == 0.0.
    assert struct.pack("968d", *back.values.flat) == struct.pack("968d", *table.values.flat)
    assert np.array_equal(back.counts, table.counts)


def with_row(number: int, row: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [*lines[: 6 + number], row, *lines[7 + number :]]


def with_header(key: str, text: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [f"# {key}: {text}" if line.startswith(f"# {key}:") else line for line in lines]


Lines = list[str]
RUINED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "empty": (lambda lines: [], "its header does not give the format, rules, method, rounds, seed"),
    "a table of numpy": (lambda lines: ["0.5 0.25"] * 484, "its header does not give the format"),
    "truncated within a row": (lambda lines: [*lines[:500], lines[500][:5]], "has 495 rows: expected 968"),
    "without its last row": (lambda lines: lines[:-1], "has 967 rows: expected 968"),
    "truncated within its last row": (with_row(967, "21 21 1"), "expected '21 21 1 value count'"),
    "with a row too many": (lambda lines: [*lines, lines[-1]], "has 969 rows: expected 968"),
    "with a row twice": (with_row(1, "0 0 0 0.5 1"), "expected '0 0 1 value count'"),
    "with another column": (with_row(0, "0 0 0 0.5 1 7"), "expected '0 0 0 value count'"),
    "of words": (with_row(0, "0 0 0 much 1"), "expected '0 0 0 value count'"),
    "of not a number": (with_row(3, "0 1 1 nan 1"), "expected a finite value"),
    "of beyond infinity": (with_row(3, "0 1 1 1e999 1"), "expected a finite value"),
    "with a negative count": (with_row(3, "0 1 1 0.5 -1"), "a count of 0 or more"),
    "with too large a count": (with_row(3, f"0 1 1 0.5 {2**63}"), "a count of 0 or more"),
    "of half a visit": (with_row(3, "0 1 1 0.5 1.5"), "expected '0 1 1 value count'"),
    "of a later format": (with_header("format", "2"), "is of format '2': expected 1"),
    "of unknown rules": (with_header("rules", "preset=poker"), "there are no rules 'poker'"),
    "of impossible rules": (with_header("rules", "preset=course decks=9"), "decks is 9"),
    "of many rounds": (with_header("rounds", "many"), "gives 'many' as its rounds"),
    "of fewer than no rounds": (with_header("rounds", "-1"), "gives -1 as its rounds: expected 0 or more"),
    "of a seed in words": (with_header("seed", "poppy"), "gives 'poppy' as its seed"),
    "without its method": (lambda lines: [*lines[:2], *lines[3:]], "its header does not give the method"),
}


@pytest.mark.parametrize(("ruin", "said"), RUINED.values(), ids=RUINED)
def test_a_ruined_file_is_one_sentence(tmp_path: Path, ruin: Callable[[Lines], Lines], said: str) -> None:
    path = tmp_path / "q.txt"
    save(empty(), path)
    path.write_text("\n".join([*ruin(path.read_text().splitlines()), ""]))
    with pytest.raises(QTableError) as raised:
        load(path)
    sentence = str(raised.value)
    assert said in sentence
    assert sentence.startswith(str(path))
    assert "\n" not in sentence


def test_a_file_that_is_not_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(QTableError, match="is not a Q table: it is not text"):
        load(path)


# The cells.


@pytest.mark.parametrize(
    ("upcard", "is_soft", "column"),
    [(2, False, 2), (11, False, 11), (2, True, 12), (11, True, 21), (None, False, 0), (None, True, 1)],
)
def test_a_soft_hand_is_ten_columns_further(upcard: int | None, is_soft: bool, column: int) -> None:
    assert dealer_column(upcard, is_soft) == column
    assert state_of(Observation(18, is_soft, upcard)) == 18 * 22 + column


def test_hit_is_chosen_only_if_its_value_is_greater() -> None:
    for hit, stand in ((0.25, 0.0), (0.0, 0.25), (-0.5, -0.5), (0.0, 0.0)):
        table = empty()
        table.values[18, 20, HIT], table.values[18, 20, STAND] = hit, stand
        assert table.decide(Observation(18, True, 10)) is (Decision.HIT if hit > stand else Decision.STAND)
        assert table.decide(Observation(18, False, 10)) is Decision.STAND  # another cell, never visited


def test_a_table_that_is_cut_in_its_last_row_is_refused(tmp_path: Path) -> None:
    """Its last count, 967, is still a number without one of its digits, or two."""
    file = tmp_path / "q.txt"
    save(numbered(), file)
    whole = file.read_bytes()
    for lost in (1, 2, 3):
        file.write_bytes(whole[:-lost])
        with pytest.raises(QTableError, match="may be cut: expected its last row to end in a line feed"):
            load(file)


def test_lines_that_end_as_on_windows_are_read(tmp_path: Path) -> None:
    file = tmp_path / "q.txt"
    save(numbered(), file)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert np.array_equal(load(file).values, numbered().values)


def test_a_header_that_would_act_on_a_terminal_is_refused_and_shown(tmp_path: Path) -> None:
    file = tmp_path / "q.txt"
    save(numbered(), file)
    whole = file.read_text()
    for key in ("format", "rules", "method", "rounds", "seed"):
        file.write_text(whole.replace(f"# {key}: ", f"# {key}: \x1b[2J"))
        with pytest.raises(QTableError, match=rf"gives '\\x1b\[2J.* as its {key}: expected printable text"):
            load(file)
