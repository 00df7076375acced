"""The limit on open files, raised in a separate process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.processes import command

pytest.importorskip("resource", reason="no such limit on this system")

RAISE = """
import resource
from twentyone.support.limits import raise_open_files
for soft, wanted in ((100, 50), (100, 150), (150, 200), (150, 5000)):
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, 200))
    print(raise_open_files(wanted), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_the_limit_is_raised_to_what_is_wanted_as_far_as_it_may_and_never_lowered(tmp_path: Path) -> None:
    done = command("python", cwd=tmp_path, code=RAISE)
    assert done == (0, "100 100 200\n150 150 200\n200 200 200\n200 200 200\n", "")
