"""The limit on open files, raised in a separate process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="no such limit on this system")

ROOT = Path(__file__).parents[2]
RAISE = """
import resource, sys
from support.limits import raise_open_files
soft, hard, wanted = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(raise_open_files(wanted), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "expected"),
    [
        pytest.param(100, 200, 150, (150, 150, 200), id="raised to what is wanted"),
        pytest.param(100, 200, 200, (200, 200, 200), id="raised to all there is"),
        pytest.param(100, 200, 5000, (200, 200, 200), id="raised as far as it may"),
        pytest.param(100, 200, 50, (100, 100, 200), id="never lowered"),
    ],
)
def test_the_limit_is_raised(soft: int, hard: int, wanted: int, expected: tuple[int, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RAISE, str(soft), str(hard), str(wanted)],
        cwd=ROOT,
        capture_output=True,
        timeout=150,
        check=True,
    )
    assert tuple(map(int, done.stdout.split())) == expected
