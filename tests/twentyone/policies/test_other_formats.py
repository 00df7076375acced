"""Q tables that other programs wrote: what is read, what is assumed, and what is refused."""

from __future__ import annotations

import os
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Rules
from tests.twentyone.policies.tables import numbered
from twentyone.policies import loading
from twentyone.policies.action_values import ActionValues
from twentyone.policies.other_formats import MAX_BYTES, read
from twentyone.policies.qtable import SHAPE
from twentyone.policies.table_files import QTableError, load, load_by_hand, load_counted, save
from twentyone.support.command import CommandError

CASINO = numbered()
VALUES, COUNTS = CASINO.values, CASINO.counts
ROWS = [(*place, float(VALUES[place]), int(COUNTS[place])) for place in np.ndindex(SHAPE)]


def text_of(rows: list[tuple[float, ...]], separator: str = ",") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def saved(values: object, **more: object) -> bytes:
    """What numpy saves: an archive if there are names."""
    file = BytesIO()
    if more:
        np.savez_compressed(file, values=values, **more)  # type: ignore[arg-type]
    else:
        np.save(file, values)  # type: ignore[arg-type]
    return file.getvalue()


def archive_of(array: object) -> bytes:
    """An archive of one array without a name."""
    file = BytesIO()
    np.savez(file, array)  # type: ignore[arg-type]
    return file.getvalue()


def text_with(row: tuple[object, ...]) -> str:
    """All rows as text, one of them another."""
    return text_of([*ROWS[:7], row, *ROWS[8:]])  # type: ignore[list-item]


SPREADSHEET = "\ufeffPlayer;Dealer;Action;Value;Count\n" + text_of(ROWS, ";")

PAIRS = [tuple(row) for row in VALUES.reshape(484, 2).tolist()]
ONLY_VALUES: dict[str, bytes] = {
    "npy": saved(VALUES),
    "npy, flat": saved(VALUES.ravel()),
    "npy, 484 x 2": saved(VALUES.reshape(484, 2)),
    "npy in the order of Fortran": saved(np.asfortranarray(VALUES)),
    "npz": archive_of(VALUES),
    "text, 22 x 44": text_of([tuple(row) for row in VALUES.reshape(22, 44).tolist()], " ").encode(),
    "text, a column": text_of([(value,) for value in VALUES.ravel().tolist()]).encode(),
    "text, hit and stand": f"hit,stand\n{text_of(PAIRS)}".encode(),
    "csv without counts": text_of([row[:4] for row in ROWS]).encode(),
}

WITH_COUNTS: dict[str, bytes] = {
    "npy of rows": saved(np.array(ROWS)),
    "csv": text_of(ROWS).encode(),
    "csv in another order": text_of(ROWS[::-1]).encode(),
    "csv of a spreadsheet": SPREADSHEET.replace("\n", "\r\n").encode(),
    "our rows without a header": text_of(ROWS, " ").encode(),
}


@pytest.mark.parametrize("name", ONLY_VALUES)
def test_an_array_of_the_right_shape_is_read_in_the_order_of_its_cells(tmp_path: Path, name: str) -> None:
    table, assumed = read_content(tmp_path, ONLY_VALUES[name])
    assert np.array_equal(table.values, VALUES)
    assert not table.counts.any()
    assert (table.rules, table.method, table.rounds, table.origin.seed) == (Rules(), "unknown", 0, None)
    said = "does not give its rules, method, rounds, seed or visit counts: it is read as a table for"
    order = ", its cells in the order [player's total][dealer column][HIT, STAND]"
    assert assumed == f"{said} {Rules()}{'' if name == 'csv without counts' else order}"


@pytest.mark.parametrize("content", WITH_COUNTS.values(), ids=WITH_COUNTS)
def test_rows_that_name_their_cells_are_read_in_any_order(tmp_path: Path, content: bytes) -> None:
    table, assumed = read_content(tmp_path, content)
    assert np.array_equal(table.values, VALUES)
    assert np.array_equal(table.counts, COUNTS)
    assert assumed == f"does not give its rules, method, rounds or seed: it is read as a table for {Rules()}"


def test_counts_of_an_archive_are_read(tmp_path: Path) -> None:
    table, _ = read_content(tmp_path, saved(VALUES, counts=COUNTS))
    assert np.array_equal(table.counts, COUNTS)


def test_a_comma_between_semicolons_is_the_mark_of_a_decimal(tmp_path: Path) -> None:
    for columns in (4, 5):
        rows = text_of([row[:columns] for row in ROWS], ";").replace(".", ",")
        names = ";".join(("player", "dealer", "action", "value", "count")[:columns]) + "\n"
        table, assumed = read_content(tmp_path, (names + rows).encode())
        assert np.array_equal(table.values, VALUES)
        assert ("visit counts" in assumed) == (columns == 4)


def test_a_complete_table_is_read_with_commas_and_with_the_mark_of_a_spreadsheet(tmp_path: Path) -> None:
    save(CASINO, tmp_path / "q.txt")
    lines = (tmp_path / "q.txt").read_text().splitlines()
    header, rows = lines[:6], lines[6:]
    with_commas = "\n".join([*header, *(row.replace(" ", ",") for row in rows), ""])
    for text in ("\n".join([*lines, ""]), with_commas, "\ufeff" + "\n".join([*lines, ""])):
        table, assumed = read_content(tmp_path, text.encode())
        assert assumed == ""
        assert table.origin == CASINO.origin
        assert np.array_equal(table.values, VALUES) and np.array_equal(table.counts, COUNTS)


def test_rows_that_are_cut_are_refused(tmp_path: Path) -> None:
    """The last count, 967, would be read as 96."""
    for separator in (" ", ","):
        (tmp_path / "q.txt").write_text(text_of(ROWS, separator)[:-2])
        with pytest.raises(QTableError, match="may be cut: expected its last row to end in a line feed"):
            read(tmp_path / "q.txt")


def read_content(folder: Path, content: bytes) -> tuple[ActionValues, str]:
    """Read a file of some content; the sentence is returned without the path that it begins with."""
    path = folder / "q"
    path.write_bytes(content)
    table, assumed = read(path)
    return table, assumed.removeprefix(f"{path} ")


def test_a_part_of_the_header_is_used_and_what_it_lacks_is_said(tmp_path: Path) -> None:
    path, rules = tmp_path / "q.txt", PRESETS["casino"]
    save(CASINO, path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(("# method", "# seed"))))
    table, assumed = read(path)
    assert (table.rules, table.method, table.rounds, table.origin.seed) == (rules, "unknown", 123_456, None)
    assert assumed == f"{path} does not give its method or seed: it is read as a table for {rules}"


NO_TABLE = "is not a Q table: it"
A_SENTENCE = b"A sentence about cards.\n"
REFUSED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", f"{NO_TABLE} has no rows; expected 968 rows of player dealer action value [count]"),
    "words": (A_SENTENCE, f"{NO_TABLE} begins with 'A sentence about cards.'; expected 968 rows"),
    "a shape that is not one": (b"1,2,3\n" * 44, "has the shape 44 x 3: expected 968 rows"),
    "too few cells": (text_of(ROWS[:-1]).encode(), "has the shape 967 x 5: expected"),
    "other names": (f"total,upcard,hit\n{text_of(ROWS)}".encode(), f"{NO_TABLE} begins with 'total upcard"),
    "too large": (b"0\n" * MAX_BYTES, f"{NO_TABLE} has more than"),
    "not text": (bytes(range(128, 256)), f"{NO_TABLE} is not text"),
    **{
        name: (text_with(row).encode(), said)
        for name, row, said in [
            ("a cell twice", ROWS[8], "does not have a row for each cell"),
            ("no such cell", (22, 0, 0, 0.5, 1), "does not have a row for each cell"),
            ("half a cell", (0.5, 0, 0, 0.5, 1), "does not have a row for each cell"),
            ("a negative cell", (-1, 0, 0, 0.5, 1), "does not have a row for each cell"),
            ("not a number", (0, 3, 1, "nan", 1), "has a value that is not finite"),
            ("a word", (0, 3, 1, "much", 1), "has a row '0 3 1 much 1': expected 5 numbers"),
            ("a short row", (0, 3, 1), "has a row '0 3 1': expected 5 numbers"),
            ("half a visit", (0, 3, 1, 0.5, 1.5), "has a count that is not a whole number"),
            ("a count below 0", (0, 3, 1, 0.5, -1), "has a count that is not a whole number"),
        ]
    },
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused_in_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(content)
    with pytest.raises(QTableError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path} {said}")
    assert "\n" not in str(raised.value)


ARRAYS: dict[str, tuple[dict[str, object], str]] = {
    "another shape": ({"values": np.zeros((22, 22))}, "has the shape 22 x 22"),
    "infinite": ({"values": np.full(SHAPE, np.inf)}, "has a value that is not finite"),
    "complex": ({"values": np.zeros(SHAPE, complex)}, "holds complex128: expected real numbers"),
    "objects": ({"values": np.full(SHAPE, None)}, "expected an array of numbers as numpy saves it"),
    "other names": ({"q": VALUES, "n": COUNTS}, "holds the arrays q, n: expected 'values'"),
    "half visits": ({"values": VALUES, "counts": VALUES}, "has a count that is not a whole number"),
    "too much": ({"values": np.zeros((1000, 1000))}, "unpacked it has more than"),
}


@pytest.mark.parametrize(("arrays", "said"), ARRAYS.values(), ids=ARRAYS)
def test_arrays_that_are_no_table_are_refused(tmp_path: Path, arrays: dict[str, object], said: str) -> None:
    np.savez_compressed(tmp_path / "q.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(QTableError, match=said):
        read(tmp_path / "q.npz")


@given(st.booleans(), st.integers(0, 2**20), st.binary(min_size=1, max_size=8), st.booleans())
def test_a_damaged_file_is_a_sentence_or_a_table(
    is_array: bool, place: int, damage: bytes, is_cut: bool
) -> None:
    content = saved(VALUES) if is_array else saved(VALUES, counts=COUNTS)
    place %= len(content)
    damaged = content[:place] + damage + (b"" if is_cut else content[place + len(damage) :])
    with tempfile.TemporaryDirectory() as folder:
        try:
            table, _ = read_content(Path(folder), damaged)
        except QTableError as error:
            assert str(error).startswith(folder)
        else:
            assert table.values.shape == SHAPE


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "q")
    for reader in (read, load, load_by_hand, load_counted):
        with pytest.raises(OSError, match="not a regular file"):
            reader(tmp_path / "q")


def test_a_command_says_once_what_it_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "q.npy", VALUES)
    loading.load_table(tmp_path / "q.npy")
    loading.load_table(tmp_path / "q.npy")
    assert capsys.readouterr().err.count("does not give its rules") == 1


def test_a_file_of_another_kind_is_called_by_its_name(tmp_path: Path) -> None:
    for columns, name in {
        "hand 2 3 4 5 6 7 8 9 10 11": "a chart of basic strategy",
        "hand upcard action value count": "a table of action values by hand",
        "true_count hand upcard action value count": "a table by true count",
    }.items():
        (tmp_path / "t.txt").write_text(f"# format: 1\n# columns: {columns}\n")
        with pytest.raises(CommandError, match=f"is {name}: expected a Q table"):
            loading.load_table(tmp_path / "t.txt")
