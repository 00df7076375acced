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
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

PACKAGE: Final = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))

UNIT_TESTS: Final = sorted(Path(__file__).with_name("unit").glob("*.test.js"))

OLDEST_NODE: Final = 20


def run(command: Sequence[str | Path]) -> None:
    """Run a command at the top of the repository; fail with its output unless it succeeds."""
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def node() -> str:
    """The path of node; skips the test if it is not installed or too old."""
    path = shutil.which("node")
    if path is None:
        pytest.skip(f"node is not installed: expected {OLDEST_NODE} or newer")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version} is too old: expected {OLDEST_NODE} or newer")
    return path


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize(("script", "package"), [("lint", "@biomejs/biome"), ("types", "typescript")])
def test_the_scripts_of_package_json(script: str, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    if not (ROOT / "node_modules" / package).is_dir():
        pytest.skip(f"{package} is not installed (npm install)")
    run([npm, "run", "--silent", script])


def test_the_units(node: str) -> None:
    assert UNIT_TESTS
    run([node, "--test", "--test-reporter=spec", *UNIT_TESTS])


def test_exact_versions_are_pinned() -> None:
    versions = PACKAGE["devDependencies"]
    assert [name for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
