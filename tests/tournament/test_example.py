"""The example of a tournament: eighteen entrants, and the ranking that their exact values say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.processes import command

pytestmark = pytest.mark.check

EXAMPLE: Final = Path(__file__).parent.parent.parent / "examples" / "tournament"
ROUNDS: Final = 300

EXACT: Final = {
    "basic": "basic",
    "mimic": "mimic",
    "never-bust": "never-bust",
    "thirteen": "threshold:13",
    "random": "random",
    "python-12": "threshold:12",
    "python-15": "threshold:15",
    "python-18": "threshold:18",
    "illegal": "threshold:16",  # what is refused is asked again
}
"""The policies that some of the entrants play by."""


def played(folder: Path) -> dict[str, Any]:
    """What the example's tournament prints after some rounds."""
    copied = folder / "tournament"
    shutil.copytree(EXAMPLE, copied, ignore=shutil.ignore_patterns("cup", "__pycache__"))
    text = (copied / "cup.toml").read_text()
    if shutil.which("cc") is None:  # the entrant in C is compiled by its own command
        text = "[[entrant]]".join(each for each in text.split("[[entrant]]") if 'name = "c"' not in each)
    # They go wrong more often, so that they do within fewer rounds; the clocks are for a busy machine.
    more = (("crash 500", "crash 60"), ("flood 400", "flood 90"), ("hang 3000", "hang 180"))
    for before, after in (*more, ("start = 10", "start = 300"), ("bank = 2.0", "bank = 30.0")):
        assert before in text
        text = text.replace(before, after)
    (copied / "cup.toml").write_text(text)
    options = ("--rounds", ROUNDS, "--seed", 1, "--json")
    finished = command("tournament", "run", "cup.toml", *options, cwd=copied)
    assert finished.status == 0, finished.err
    return dict(json.loads(finished.out))


def exact_values(folder: Path) -> dict[str, float]:
    """The exact values of the policies that the entrants play by."""
    options = ("--rules", "vegas", "--reshuffle", "round", "--json")
    finished = command("analysis", "value", *EXACT.values(), *options, cwd=folder)
    assert finished.status == 0, finished.err
    policies = json.loads(finished.out)["policies"]
    return {name: each["value"] for name, each in zip(EXACT, policies, strict=True)}


def test_the_order_is_that_of_the_exact_values_and_what_went_wrong_is_told(tmp_path: Path) -> None:
    standing = played(tmp_path)
    exact = exact_values(tmp_path)
    for figure in ("payoff", "lost"):
        assert_in_order(standing["pairs"], exact, figure)
    assert (standing["rounds"], standing["is_over"]) == (ROUNDS, True)
    assert_faults({each["name"]: each["faults"] for each in standing["ranking"]})


def assert_in_order(pairs: list[dict[str, Any]], exact: dict[str, float], figure: str) -> None:
    """Who is told apart from whom is on the side that the exact values say."""
    apart = 0
    for pair in pairs:
        first, second = pair["first"], pair["second"]
        if first in exact and second in exact and pair[figure]["is_certain"]:
            is_ahead = pair[figure]["mean"] > 0 if figure == "payoff" else pair[figure]["mean"] < 0
            assert is_ahead == (exact[first] > exact[second]), (first, second, figure)
            apart += 1
    assert apart >= 8, "the random one is apart from everybody"


def assert_faults(faults: dict[str, dict[str, int]]) -> None:
    """Each that goes wrong on purpose has its faults, and nobody else has any."""
    assert len(faults) == 18 - (shutil.which("cc") is None)
    # A round may ask nothing: then it is the next one in which they go wrong.
    crashes = faults["crashes"]
    assert crashes["crashed"] == crashes["forfeited"] in (ROUNDS // 60 - 1, ROUNDS // 60)
    assert ROUNDS // 50 - 3 <= faults["illegal"]["refused"] <= ROUNDS // 50
    assert faults["floods"]["forfeited"] >= 2 and faults["hangs"]["late"] >= 1
    wrong = {"crashes", "illegal", "floods", "hangs"}
    assert not any(faults[name] for name in faults.keys() - wrong)
