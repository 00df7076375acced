"""The benchmarks run, end by themselves, and report what their help says; at sizes that measure nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.crowd import percentile
from benchmarks.figures import Goal, markdown_table, ratios, spread_of

ROOT = Path(__file__).parent.parent


def run(module: str, *options: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{module}", "--json", "--runs", "1", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_network_reports_rates_and_ratios() -> None:
    result = run("network", "--seconds", "0.1", "--connections", "2", "--training-rounds", "500")
    settings = {"machine", "command", "load_before", "runs"}
    assert set(result) == settings | {"connections", "training", "engine_rounds_per_second", "goals"}
    rates = result["connections"]["2"]
    echo, lines, websocket = (
        rates[key]["median"]
        for key in ("echoes_per_second", "lines_rounds_per_second", "websocket_rounds_per_second")
    )
    assert min(echo, lines, websocket) > 10
    assert rates["rounds_per_echo"]["median"] == pytest.approx(lines / echo)
    assert rates["websocket_per_lines"]["median"] == pytest.approx(websocket / lines)
    assert result["training"]["rounds"] == 500
    assert 0.05 < result["training"]["seconds"]["median"] < 60
    assert result["engine_rounds_per_second"]["median"] > 1000
    assert all({"name", "median", "min", "max", "met"} < set(goal) for goal in result["goals"])


def test_load_loses_nobody_and_reports_waits_and_memory() -> None:
    result = run("load", "--connections", "30", "--rounds", "2", "--rogues", "12", "--think", "0.05")
    assert result["problems"] == []
    for load in result["loads"].values():
        for arm in (load["alone"], load["among_rogues"]):
            assert (arm["open_at_once"], arm["finished"], arm["lost"], arm["rounds"]) == (30, 30, 0, 60)
            assert 0 < arm["p50_ms"]["median"] <= arm["p99_ms"]["median"] <= arm["max_ms"]["median"]
        assert load["p99_ratio"]["median"] > 0
    assert [load["think"] for load in result["loads"].values()] == [0.05, 0]
    memory = result["memory"]
    assert 5_000 < memory["idle_kib"]["median"] < 500_000
    assert 0 <= memory["asked_kib_per_connection"]["median"] <= memory["peak_kib_per_connection"]["median"]
    assert min(result["rogue_connections"].values()) >= 4  # two of each of the six kinds, under two loads


def test_a_percentile_is_the_nearest_rank() -> None:
    ordered = list(range(1, 201))
    assert [percentile(ordered, percent) for percent in (0, 50, 99, 100)] == [1, 100, 198, 200]
    assert percentile([7.0], 99) == 7.0
    assert percentile([], 99) == 0.0


def test_figures_are_medians_with_their_spread() -> None:
    figure = ratios([2.0, 9.0, 4.0], [1.0, 3.0, 4.0])
    assert (figure.median, figure.least, figure.most) == (2.0, 1.0, 3.0)
    assert figure.text(".1f") == "2.0 (1.0..3.0)"
    assert Goal("ratio", figure, 2.0, is_least=True).is_met
    assert not Goal("ratio", figure, 1.9, is_least=False).is_met
    assert Goal("ratio", spread_of([5.0]), 4.0, False).row() == (
        "ratio",
        "5.00 (5.00..5.00)",
        "<= 4.00",
        "no",
    )
    assert markdown_table([("a", "b"), ("1", "2")]) == "| a | b |\n| --- | ---: |\n| 1 | 2 |"
