"""The value of rules as it is printed: what is said of a chart that is not proved best."""

from __future__ import annotations

from dataclasses import replace

from cards import Rules
from twentyone.exact.report.letters import Line
from twentyone.exact.report.worth import Worth, worth_lines, worth_of
from twentyone.exact.values.game import seat_game


def said(worth: Worth) -> str:
    """The text, on one line."""
    lines: list[Line] = worth_lines(worth)
    return " ".join(" ".join(piece.text for piece in line) for line in lines)


def test_the_entries_in_doubt_are_named_and_the_bound_is_told() -> None:
    worth = worth_of(seat_game(Rules()))
    assert "in doubt" not in said(worth)
    best = worth.best
    sixth = replace(best.certificates[4], doubt=("H12", "H16"))
    open_ = best._replace(certificates={**best.certificates, 4: sixth}, bound=-0.042)
    yardsticks = worth.yardsticks._replace(proved=open_.proved, bound=open_.bound)
    told = said(worth._replace(best=open_, yardsticks=yardsticks))
    assert "in doubt is hard 12 against 6, hard 16 against 6. The hands that share" in told
    assert "best chart found" in told
    assert "no chart is worth more than" in told
    assert "-0.0420000000" in told
