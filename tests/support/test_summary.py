"""Tallies and tables as text."""

from __future__ import annotations

from cards import Outcome, Tally
from support.summary import columns, tally_table


def test_a_table_of_tallies() -> None:
    tally = Tally({Outcome.WIN: 4000, Outcome.PUSH: 1000, Outcome.LOSE: 2000, Outcome.BUST: 3000})
    # The mean is -0.1; s**2 = (10000 * 0.9 - 10000 * 0.01) / 9999, and s / 100 is the standard error.
    assert tally_table([("anna", tally), ("b", Tally())]).splitlines() == [
        "name  rounds   wins  pushes  losses  by busting  mean payoff  standard error",
        "anna  10,000  4,000   1,000   5,000       3,000      -0.1000          0.0094",
        "b          0      0       0       0           0            -               -",
    ]
    assert "+1.0000" in tally_table([("anna", Tally({Outcome.WIN: 1}))])


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [["a", "long cell", "x"], ["longer", "b", ""]]
    assert columns(rows) == "a       long cell  x\nlonger          b"
    assert columns([]) == ""
