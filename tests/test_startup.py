"""What a command loads before its arguments are parsed: nothing heavy, so that `--help` comes at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = {"numpy", "websockets", "uvloop", "asyncio", "numba", "matplotlib", "distributed", "dask", "z3"}
COMMANDS = {
    "analysis": ("analysis.cli", "main"),
    "dealer": ("dealer.cli", "main"),
    "devs": ("devs.cli", "main"),
    "mancala": ("mancala.cli", "main"),
    "player": ("player.cli", "player_main"),
    "replay": ("tournament.cli", "replay_main"),
    "tournament": ("tournament.cli", "main"),
    "training": ("player.cli", "training_main"),
}
LABORATORY = [
    f"analysis {word}"
    for word in (
        "simulate",
        "games",
        "compare",
        "variability",
        "betting",
        "solve",
        "value",
        "hand",
        "heatmap",
        "learn",
        "dealer",
        "thresholds",
    )
]
RULES_OPTIONS = ["--rules", "--decks", "--reshuffle", "--ace", "--dealer-stands", "--naturals"]

IMPORT = "import sys; sys.argv[1:] = {arguments}; from {module} import {function} as command\n"
RUN = """
try:
    command()
except SystemExit as ended:
    assert not ended.code, ended.code
"""
REPORT = "\nprint('LOADED', *sys.modules)"


def run(command: str, *arguments: str, calls: bool) -> tuple[str, set[str]]:
    """What a command prints, and the packages that it has loaded by then; imported only, unless called."""
    module, function = COMMANDS[command]
    imports = IMPORT.format(arguments=list(arguments), module=module, function=function)
    done = subprocess.run(
        [sys.executable, "-c", imports + (RUN if calls else "") + REPORT],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "200", "TERM": "dumb"},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    printed, _, loaded = done.stdout.rpartition("LOADED ")
    return printed, {name.partition(".")[0] for name in loaded.split()}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_loads_nothing_heavy(command: str) -> None:
    printed, loaded = run(command, "--help", calls=True)
    assert f"Usage: {command}" in printed
    assert "typer" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_version_loads_nothing_heavy(command: str) -> None:
    printed, loaded = run(command, "--version", calls=True)
    assert printed.startswith(f"{command} (twentyone) ")
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_importing_a_command_loads_nothing_heavy(command: str) -> None:
    printed, loaded = run(command, calls=False)
    assert printed == ""
    assert "typer" in loaded
    assert loaded & (HEAVY | {"rich"}) == set()


@pytest.mark.parametrize("command", ["dealer", "player", "training", *LABORATORY])
def test_every_command_that_deals_cards_has_the_same_rules_options(command: str) -> None:
    name, *words = command.split()
    printed, loaded = run(name, *words, "--help", calls=True)
    assert loaded & HEAVY == set()
    assert [option for option in RULES_OPTIONS if f" {option} " not in printed] == []
