"""The page's JavaScript without a browser: its unit tests, which node runs, its lint and its types.

What is not installed is skipped: node (20 or newer), or the packages of package.json (`npm install`).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from cards import PRESETS
from tests.web.watched import watched_round

ROOT: Final = Path(__file__).parents[2]

UNITS: Final = Path(__file__).with_name("unit")

FEATURES: Final = UNITS / "features.test.js"
"""It reads styles and pages by a package of package.json, and the others need none."""

UNIT_TESTS: Final = sorted(set(UNITS.glob("*.test.js")) - {FEATURES})

OLDEST_NODE: Final = 20

PACKAGES: Final = {"lint": "@biomejs/biome", "types": "typescript"}
"""What each script of package.json needs."""


def run(command: Sequence[str | Path], given: str = "") -> str:
    """What a command prints that is run at the top of the repository; fails with it unless it succeeds."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def node() -> str:
    """The path of node; skips the test if it is not installed or too old."""
    path = shutil.which("node")
    if path is None:
        pytest.skip(f"node is not installed: expected {OLDEST_NODE} or newer")
    version = run([path, "--version"]).strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version} is too old: expected {OLDEST_NODE} or newer")
    return path


def value_in(node: str, script: str, given: object = None) -> Any:
    """The value that a module's last line, an expression, has; it may use what is `given`."""
    *lines, last = script.strip().splitlines()
    read = "import { readFileSync } from 'node:fs';\nconst given = JSON.parse(readFileSync(0, 'utf8'));"
    module = "\n".join([read, *lines, f"console.log(JSON.stringify({last.strip()}));"])
    return json.loads(run([node, "--input-type=module", "-e", module], json.dumps(given)))


@pytest.mark.check
@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("script", PACKAGES)
def test_the_scripts_of_package_json(script: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    if not (ROOT / "node_modules" / PACKAGES[script]).is_dir():
        pytest.skip(f"{PACKAGES[script]} is not installed (npm install)")
    run([npm, "run", "--silent", script])


def test_the_units(node: str) -> None:
    assert UNIT_TESTS
    run([node, "--test", "--test-reporter=spec", *UNIT_TESTS])


def test_the_pages_use_what_old_browsers_know(node: str) -> None:
    if not (ROOT / "node_modules" / "css-tree").is_dir():
        pytest.skip("css-tree is not installed (npm install)")
    run([node, "--test", "--test-reporter=spec", FEATURES])


def test_the_presets_are_those_of_the_rules(node: str) -> None:
    """What the menu takes for a preset's rules is what the dealer plays."""
    told = value_in(
        node,
        """import { PRESETS } from './dealer/web/lobby/presets.js';
        Object.fromEntries(PRESETS)""",
    )
    assert told
    for name, rules in told.items():
        expected = {**PRESETS[name].fields(), **PRESETS[name].new_fields()}
        assert rules == {key: value for key, value in expected.items() if key not in ("preset", "seats")}


def test_the_last_step_of_every_round_shows_the_hands_and_payoffs_of_its_line(
    node: str, history: list[dict[str, Any]]
) -> None:
    ends = value_in(
        node,
        """import { stepsOf } from './dealer/web/replay/steps.js';
        given.map((line) => stepsOf(line).at(-1))""",
        history,
    )
    for line, end in zip(history, ends, strict=True):
        assert [seat["payoff"] for seat in end["seats"]] == [seat["payoff"] for seat in line["seats"]]
        for shown, told in zip(end["seats"], line["seats"], strict=True):
            hands = [(hand["cards"], hand["stake"]) for hand in told["hands"]]
            assert [(hand["cards"], str(hand["stake"])) for hand in shown["hands"]] == hands


def test_exact_versions_are_pinned() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    versions = package["devDependencies"]
    assert [name for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []


def test_the_pages_log_tells_what_the_dealers_does(node: str) -> None:
    """Each in its own words, and each round as a whole: the page tells results last."""
    rounds = [watched_round(number) for number in range(80)]
    script = """
        import { linesBetween } from "./dealer/web/table/log_lines.js";
        given.map((tables) => tables.flatMap((table, at) => linesBetween(tables[at - 1] ?? null, table)))
    """
    for (_, dealers), told in zip(rounds, value_in(node, script, [each for each, _ in rounds]), strict=True):
        happened = [line for line in told if not line.endswith(" sits down")]
        expected = [line for line in dealers if not line.endswith(" sits down")]
        assert sorted(map(in_one_way, happened)) == sorted(map(in_one_way, expected))


def in_one_way(line: str) -> str:
    """A line of either log; the page names the hand after its player, and not the cards of a bust."""
    line = line.replace("\N{MINUS SIGN}", "-")
    line = re.sub(r" \(.*\)", "", line)
    line = re.sub(r"^(\S+) (hits|doubles) (hand \d) and", r"\1, \3, \2 and", line)
    line = re.sub(r"^(\S+) stands with (hand \d) on", r"\1, \2, stands on", line)
    line = re.sub(r"^(\S+) gets (.*) to (hand \d):", r"\1, \3, gets \2:", line)
    return re.sub(r"^(\S+, hand \d):", r"\1,", line)
