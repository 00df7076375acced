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
    "other-table": str(EXAMPLE / "europe.chart"),
    "mimic": "mimic",
    "never-bust": "never-bust",
    "thirteen": "threshold:13",
    "random": "random",
    "python-12": "threshold:12",
    "python-15": "threshold:15",
    "python-18": "threshold:18",
    "illegal": "threshold:16",  # what is refused is asked again
    "upcard": "bots.py:upcard",
    "soft": "bots.py:soft",
    "doubles": "bots.py:doubles",
    "c": "bots.py:hard12",
    "shell": "bots.py:hard14",
}
"""The policy that each entrant without forfeits plays by."""

BOTS: Final = """
# total, upcard, soft, points of a pair, whether it may be doubled, ...: 0 is hit, 1 stand, 2 double

def stand_if(wanted, mask):
    return 1 if wanted or not mask[0] else 0  # one card only is dealt to split aces, which no bot here has

def upcard(observation, mask):
    total, shown = observation[:2]
    return stand_if(total >= (12 if 2 <= shown <= 6 else 17), mask)

def soft(observation, mask):
    return stand_if(observation[0] >= (19 if observation[2] else 17), mask)

def doubles(observation, mask):
    if mask[2] and not observation[2] and observation[0] in (10, 11):
        return 2
    return stand_if(observation[0] >= 16, mask)

def hard(observation):
    return observation[0] - 10 * observation[2]

def hard12(observation, mask):
    return stand_if(hard(observation) >= 12, mask)

def hard14(observation, mask):
    return stand_if(hard(observation) >= 14, mask)
"""


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
    (folder / "bots.py").write_text(BOTS)
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
    assert apart >= (10 if figure == "payoff" else 30), "the random one is apart from everybody"


def test_everybody_has_all_rounds_and_what_went_wrong_is_told(standing: dict[str, Any]) -> None:
    assert (standing["rounds"], standing["is_over"]) == (ROUNDS, True)
    faults = {each["name"]: each["faults"] for each in standing["ranking"]}
    assert len(faults) == 18 - (shutil.which("cc") is None)
    # A round may ask nothing: then it is the next one in which they go wrong.
    crashes = faults["crashes"]
    assert crashes["crashed"] == crashes["forfeited"] in (ROUNDS // 100 - 1, ROUNDS // 100)
    assert ROUNDS // 50 - 3 <= faults["illegal"]["refused"] <= ROUNDS // 50
    assert faults["floods"]["forfeited"] >= 2 and faults["hangs"]["late"] >= 1
    assert not any(faults[name] for name in EXACT if name != "illegal" and name in faults)
