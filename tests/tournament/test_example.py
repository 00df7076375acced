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
ROUNDS: Final = 500

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


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("example")
    copied = folder / "tournament"
    shutil.copytree(EXAMPLE, copied, ignore=shutil.ignore_patterns("cup", "__pycache__"))
    text = (copied / "cup.toml").read_text()
    if shutil.which("cc") is None:  # the entrant in C is compiled by its own command
        text = "[[entrant]]".join(each for each in text.split("[[entrant]]") if 'name = "c"' not in each)
    # They go wrong more often, so that they do within fewer rounds; the clocks are for a busy machine.
    more = (("crash 500", "crash 100"), ("flood 400", "flood 150"), ("hang 3000", "hang 300"))
    for before, after in (*more, ("start = 10", "start = 300"), ("bank = 2.0", "bank = 30.0")):
        assert before in text
        text = text.replace(before, after)
    (copied / "cup.toml").write_text(text)
    finished = command("tournament", "run", "cup.toml", "--rounds", ROUNDS, "--json", cwd=copied)
    assert finished.status == 0, finished.err
    return dict(json.loads(finished.out))


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """The exact values of the policies that the entrants play by."""
    folder = tmp_path_factory.mktemp("exact")
    options = ("--rules", "vegas", "--reshuffle", "round", "--json")
    finished = command("analysis", "value", *EXACT.values(), *options, cwd=folder)
    assert finished.status == 0, finished.err
    policies = json.loads(finished.out)["policies"]
    return {name: each["value"] for name, each in zip(EXACT, policies, strict=True)}


@pytest.mark.parametrize("figure", ["payoff", "lost"])
def test_who_is_told_apart_is_in_the_order_of_the_exact_values(
    standing: dict[str, Any], exact: dict[str, float], figure: str
) -> None:
    apart = 0
    for pair in standing["pairs"]:
        first, second = pair["first"], pair["second"]
        if first in exact and second in exact and pair[figure]["is_certain"]:
            is_ahead = pair[figure]["mean"] > 0 if figure == "payoff" else pair[figure]["mean"] < 0
            assert is_ahead == (exact[first] > exact[second]), (first, second)
            apart += 1
    assert apart >= 8, "the random one is apart from everybody"


def test_everybody_has_all_rounds_and_what_went_wrong_is_told(standing: dict[str, Any]) -> None:
    assert (standing["rounds"], standing["is_over"]) == (ROUNDS, True)
    faults = {each["name"]: each["faults"] for each in standing["ranking"]}
    assert len(faults) == 18 - (shutil.which("cc") is None)
    # A round may ask nothing: then it is the next one in which they go wrong.
    crashes = faults["crashes"]
    assert crashes["crashed"] == crashes["forfeited"] in (ROUNDS // 100 - 1, ROUNDS // 100)
    assert ROUNDS // 50 - 3 <= faults["illegal"]["refused"] <= ROUNDS // 50
    assert faults["floods"]["forfeited"] >= 2 and faults["hangs"]["late"] >= 1
    wrong = {"crashes", "illegal", "floods", "hangs"}
    assert not any(faults[name] for name in faults.keys() - wrong)
