"""One true start of every command: it loads nothing heavy before it works, so that `--help` comes at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.processes import command

HEAVY: Final = {
    *("numpy", "websockets", "uvloop", "asyncio", "numba", "matplotlib", "distributed", "dask", "z3"),
    "prometheus_client",
}
COMMANDS: Final = ("analysis", "dealer", "devs", "mancala", "player", "replay", "tournament", "training")


def started(folder: Path, name: str, option: str) -> tuple[str, set[str]]:
    """What a new process of a command prints, and the packages that it has imported, as Python tells."""
    done = command(name, option, cwd=folder, is_true=True, TERM="dumb", PYTHONPROFILEIMPORTTIME="1")
    imported = re.findall(r"^import time: +\d+ \| +\d+ \| +([\w.]+)$", done.err, re.MULTILINE)
    assert done.status == 0
    assert [line for line in done.err.splitlines() if not line.startswith("import time: ")] == []
    return done.out, {name.partition(".")[0] for name in imported}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_loads_nothing_heavy(tmp_path: Path, name: str) -> None:
    printed, loaded = started(tmp_path, name, "--help")
    assert f"Usage: {name}" in printed
    assert "typer" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.check
@pytest.mark.parametrize("name", COMMANDS)
def test_the_version_loads_nothing_to_format_a_help_with(tmp_path: Path, name: str) -> None:
    printed, loaded = started(tmp_path, name, "--version")
    assert printed.startswith(f"{name} (twentyone) ")
    assert loaded & (HEAVY | {"rich"}) == set()
