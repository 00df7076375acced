"""What is told of a check: each fault once."""

from __future__ import annotations

from tournament.check.report import line, summary
from tournament.check.running import Found


def test_a_fault_that_comes_again_is_not_told_again() -> None:
    late = "it did not answer DECISION within 5 s"
    found = [
        Found("round", "a round", late, errors=["oh"]),
        Found("soft", "soft hands"),
        Found("bust", "a bust", late, errors=["oh"]),
    ]
    told = [line(each, 5, found[:number]) for number, each in enumerate(found)]
    assert told == [
        f"round  FAILED  a round\n    {late}\n    standard error:\n    | oh",
        "soft   passed  soft hands",
        "bust   FAILED  a bust: the same fault as in round",
    ]
    assert summary(found) == "2 of 3 situations failed, all alike: round, bust"
    assert summary([*found, Found("slow", "a slow dealer", "it ended")]).startswith(
        "3 of 4 situations failed, with 2 different faults: round, "
    )
    assert summary(found[:2]) == "1 of 2 situations failed: round"
