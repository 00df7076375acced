"""Action values by true count and hand: play by them, which layer holds, and their file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import HIT_OR_STAND, PRESETS, Decision
from twentyone.policies import table_files
from twentyone.policies.action_values import (
    ACTIONS,
    SHAPE,
    TRUE_COUNTS,
    TRUSTED,
    ActionValues,
    Origin,
)
from twentyone.policies.counting import HI_LO, SYSTEMS, System, system_named
from twentyone.policies.files import kind_of_file
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.names import PolicyNameError, parse
from twentyone.policies.policy import Observation
from twentyone.policies.table_files import HOW_COUNTED, QTableError

HIT, STAND = Decision.HIT, Decision.STAND
ORIGIN = Origin(PRESETS["vegas"], "qlearning", 1000, 7)
HEADER = (
    f"# format: 1\n# rules: {PRESETS['vegas']}\n# method: qlearning\n# rounds: 1000\n# seed: 7\n"
    f"# count: hi-lo\n# true-count: {HOW_COUNTED}\n"
    "# columns: true_count hand upcard action value count\n"
)
SIXTEEN = Observation(16, False, 10, 0, HIT_OR_STAND)


def empty(system: System = HI_LO) -> ActionValues:
    return ActionValues(np.zeros(SHAPE), np.zeros(SHAPE, np.int64), ORIGIN, system)


def learned(table: ActionValues, true_count: int, visits: int, **values: float) -> None:
    """Note what was learned of 16 against a ten at a true count."""
    at = TRUE_COUNTS.index(true_count), HANDS.index("H16"), UPCARDS.index(10)
    for name, value in values.items():
        column = ACTIONS.index(Decision[name])
        table.values[*at, column], table.counts[*at, column] = value, visits


def test_play_is_by_the_layer_of_the_true_count_and_the_ends_hold_all_beyond() -> None:
    table = empty()
    assert table.policy(4)(SIXTEEN) is STAND  # what was never met
    for count in TRUE_COUNTS:
        learned(table, count, TRUSTED, HIT=-0.5, STAND=-0.5 + 0.01 * count)
    for count in (*TRUE_COUNTS, -30, 30):
        assert table.policy(count)(SIXTEEN) is (STAND if count >= 0 else HIT)


def test_a_hand_with_too_few_visits_is_played_as_in_the_next_layer_towards_zero() -> None:
    table = empty()
    learned(table, 0, 1, HIT=-0.5, STAND=-0.6)
    learned(table, 1, TRUSTED, HIT=-0.5, STAND=-0.4)
    learned(table, 2, TRUSTED // 2 - 1, HIT=-0.5, STAND=-0.9)  # two actions together, just too few
    learned(table, 3, TRUSTED // 2, HIT=-0.5, STAND=-0.9)
    learned(table, -1, TRUSTED // 2 - 1, HIT=-0.9, STAND=-0.1)
    counts = (-10, -1, 0, 1, 2, 3, 4, 10)
    decided = [table.policy(count)(SIXTEEN) for count in counts]
    assert decided == [HIT, HIT, HIT, STAND, STAND, HIT, HIT, HIT]
    places = table.trusted()[:, HANDS.index("H16"), UPCARDS.index(10)]
    assert [TRUE_COUNTS[place] for place in places] == [*(0,) * 11, 1, 1, *(3,) * 8]


# The file.

ROWS = st.dictionaries(
    st.tuples(*(st.integers(0, size - 1) for size in SHAPE)),
    st.tuples(st.floats(-10, 10), st.integers(1, 2**62)),
    max_size=12,
)


@settings(max_examples=15)
@given(ROWS, st.sampled_from([*SYSTEMS.values(), system_named("tags:-1,1,1,1,1,1,0,0,0,-1")]))
def test_a_table_reads_back_as_it_was(rows: dict[tuple[int, ...], tuple[float, int]], system: System) -> None:
    table = empty(system)
    for place, (value, count) in rows.items():
        table.values[place], table.counts[place] = value, count
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counted.txt"
        table_files.save(table, path)
        found = table_files.load_counted(path)
        assert kind_of_file(str(path)) == "counted"
        text = path.read_text()
        table_files.save(found, path)
        assert path.read_text() == text
    assert found.values.tobytes() == table.values.tobytes()
    assert found.counts.tolist() == table.counts.tolist()
    assert (found.system, found.origin) == (system, ORIGIN)


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(QTableError, match=path.name) as raised:
        table_files.load_counted(path)
    return str(raised.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("11 H16 10 HIT -0.5 3", "line 9: '11' is not a true count: expected -10 to 10"),
        ("+1 H16 10 HIT -0.5 3", "'+1' is not a true count: expected -10 to 10"),
        ("0 H22 10 HIT -0.5 3", "'H22' is not a hand: expected H2 to H21"),
        ("0 H16 1 HIT -0.5 3", "'1' is not an upcard: expected 2 to 11"),
        ("0 H16 10 DECLINE -0.5 3", "'DECLINE' is not an action: expected HIT"),
        ("0 H16 10 HIT nan 3", "'nan' is not a value: expected a finite number"),
        ("0 H16 10 HIT -0.5 -3", "'-3' is not a count: expected 0 or more"),
        ("0 H16 10 HIT -0.5 0", "has no visit: expected a count of 1 or more"),
        ("H16 10 HIT -0.5 3", "is not a row: expected true_count hand upcard action value count"),
        ("0 H9 2 HIT 0.1 1\n0 H9 2 HIT 0.1 1", "0 H9 2 HIT has a row already: expected one"),
    ],
)
def test_a_damaged_row_is_refused_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    assert problem in refusal(tmp_path / "counted.txt", f"{HEADER}{line}\n".encode())


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("# count: hi-lo\n", "", "its header does not give the count"),
        ("count: hi-lo", "count: lo-hi", "names no way to count: there is no system 'lo-hi'"),
        ("from -10 to 10", "from -5 to 5", "as its true-count: expected 'by decks not seen"),
        ("0.25 3\n", "0.25 3", "may be cut: expected its last row to end in a line feed"),
        ("rounds: 1000", "rounds: many", "gives 'many' as its rounds: expected a whole number"),
        ("hi-lo", "\udcff\udcfe", "it is not text"),
    ],
)
def test_a_damaged_header_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    whole = f"{HEADER}0 H16 10 HIT 0.25 3\n"
    assert old in whole
    damaged = whole.replace(old, new).encode(errors="surrogateescape")
    assert problem in refusal(tmp_path / "counted.txt", damaged)


def test_it_is_named_only_where_cards_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "counted.txt"
    path.write_text(HEADER)
    for text in (f"counted:{path}", str(path)):
        assert parse(text, ("basic", "counted")).kind == "counted"
        with pytest.raises(PolicyNameError, match="cannot be used here: expected basic"):
            parse(text)
