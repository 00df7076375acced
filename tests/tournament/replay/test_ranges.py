"""Ranges of a long file."""

from __future__ import annotations

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from tournament.replay.lines import LONGEST
from tournament.replay.ranges import line_before, lines_within


@given(text=st.text("ab\n", max_size=60).map(str.encode), size=st.integers(1, 9))
def test_every_line_is_in_one_range_behind_the_line_before_it(text: bytes, size: int) -> None:
    found: list[bytes] = []
    for start in range(0, len(text), size):
        lines = list(lines_within(BytesIO(text), start, start + size))
        if lines:
            before = line_before(BytesIO(text), start, start + size)
            assert before == next((line.strip() for line in reversed(found) if line.strip()), None)
        found += lines
    assert found == text.splitlines(keepends=True)


def test_of_a_line_without_an_end_no_more_is_read_than_its_range() -> None:
    """Else each of the many ranges of a file that is one line would be read to the end of the file."""
    for start in (1, 3 * LONGEST, 6 * LONGEST):
        file = BytesIO(b"x" * (8 * LONGEST))
        end = start + 1000
        assert list(lines_within(file, start, end)) == []
        assert file.tell() <= end + LONGEST
        before = line_before(file, start, end)
        assert before is not None
        assert set(before) == {ord("x")}
        assert file.tell() <= end + LONGEST
