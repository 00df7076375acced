"""The benchmarks run, end, and report what their help says, at sizes too small to measure anything."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.crowd import percentile
from benchmarks.figures import Goal, machine_text, markdown_table, ratios, spread_of
from benchmarks.page import forced_layouts, frames_of, slots_of
from benchmarks.processes import Child
from benchmarks.variants import is_built
from tests.helpers.processes import command

ROOT: Final = Path(__file__).parent.parent


def run(name: str, *options: str, first: str = "") -> Any:
    """What a benchmark reports as JSON.

    Args:
        name: its name.
        options: its options.
        first: a program that makes `module`, the benchmark, smaller than its options can.
    """
    code = f"from benchmarks import command, {name} as module\n{first}\ncommand.start(module.app, {name!r})"
    done = command(name, "--json", "--runs", 1, *options, cwd=ROOT, code=code)
    assert done.status == 0, done.err
    return json.loads(done.out)


def medians(rates: dict[str, Any], *keys: str) -> list[float]:
    return [rates[key]["median"] for key in keys]


def bounds(result: dict[str, Any]) -> list[float]:
    """What each goal is at least or at most."""
    return [goal.get("at_least", goal.get("at_most")) for goal in result["goals"]]


def assert_paired(shoes: dict[str, Any]) -> None:
    """Rates of a peer and of this project, and their ratio."""
    for rates in shoes.values():
        peer, ours = medians(rates, "peer_per_second", "per_second")
        assert min(peer, ours) > 0
        assert rates["per_peer"]["median"] == pytest.approx(ours / peer)


@pytest.mark.check
def test_network_reports_rates_and_ratios() -> None:
    sizes = ("--connections", "2", "--training-rounds", "200")
    result = run("network", "--seconds", "0.02", *sizes, first="module.PILOT = 200")
    settings = {"machine", "command", "load_before", "runs"}
    assert set(result) == settings | {"connections", "training", "engine_rounds_per_second", "goals"}
    builds = result["machine"]["builds"]
    assert list(result["connections"]["2"]) == list(result["training"]["seconds"]) == builds
    assert builds[0] == "plain"
    kinds = ("echoes_per_second", "lines_decisions_per_second", "websocket_decisions_per_second")
    for rates in result["connections"]["2"].values():
        echo, lines, websocket = medians(rates, *kinds)
        assert min(echo, lines, websocket) > 0
        assert rates["lines_per_echo"]["median"] == pytest.approx(lines / echo)
        assert rates["websocket_per_echo"]["median"] == pytest.approx(websocket / echo)
    assert result["training"]["rounds"] == 200
    assert min(medians(result["training"]["seconds"], *builds)) > 0
    assert medians(result, "engine_rounds_per_second")[0] > 0
    assert all({"name", "median", "min", "max", "met"} < set(goal) for goal in result["goals"])


@pytest.mark.check
def test_encrypted_reports_what_tls_costs() -> None:
    result = run("encrypted", "--connections", "40", "--rounds", "5")
    plain, tls, more = (medians(result[kind], *result["plain"]) for kind in ("plain", "TLS", "more"))
    assert more == pytest.approx([above - below for above, below in zip(tls, plain, strict=True)])


@pytest.mark.check
def test_watched_reports_what_it_costs_to_be_watched() -> None:
    result = run("watched", "--connections", "20", "--rounds", "50", "--passes", "2")
    without, watching, scrape, held = medians(result, "without", "watched", "scrape_ms", "held_ms")
    assert result["goals"][0]["median"] == pytest.approx(without / watching)
    assert min(held, scrape) > 0
    assert bounds(result) == [0.98]


@pytest.mark.check
def test_replaced_reports_what_a_state_costs() -> None:
    result = run("replaced", "--connections", "8", "--rounds", "20")
    assert bounds(result) == [0.8, 0.7]
    for name in ("course", "vegas"):
        figures = result[name]
        plain, state, not_kept = (
            medians(figures[arm], "decisions_per_second")[0] for arm in ("plain", "state", "state, not kept")
        )
        assert medians(figures, "per_plain", "not_kept_per_plain") == [
            pytest.approx(state / plain),
            pytest.approx(not_kept / plain),
        ]
        assert 200 < figures["state_bytes_per_round"]["median"] < 50_000


@pytest.mark.check
def test_load_loses_nobody_and_reports_waits_and_memory() -> None:
    sizes = ("--connections", "30", "--rounds", "2", "--flat-out", "60", "--rogues", "12", "--think", "0.05")
    result = run("load", *sizes, "--watchers", "5", "--table-rounds", "3")
    assert result["problems"] == []
    for load in result["loads"].values():
        for arm in (load["alone"], load["among_rogues"]):
            assert (arm["open_at_once"], arm["finished"], arm["lost"], arm["rounds"]) == (30, 30, 0, 60)
            assert 0 < arm["p50_ms"]["median"] <= arm["p99_ms"]["median"] <= arm["max_ms"]["median"]
        assert load["p99_ratio"]["median"] > 0
    assert list(result["loads"]) == ["paced, 30 players", "flat out, 30 players"]
    assert [load["think"] for load in result["loads"].values()] == [0.05, 0]
    assert bounds(result) == [12.0, 2.0, 2.0, 1.5, 1.5, 5.0, 10.0]
    memory = result["memory"]
    assert 5_000 < memory["idle_kib"]["median"] < 500_000
    assert 0 <= memory["asked_kib_per_connection"]["median"] <= memory["peak_kib_per_connection"]["median"]
    table = result["table"]
    assert (table["watchers"], table["rounds"]) == (5, 3)
    assert table["bytes_per_round"]["median"] > 18 * 1000  # nine players act twice
    assert 0 < table["p50_ms"]["median"] <= table["p99_ms"]["median"]
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
    row = ("ratio", "5.00 (5.00..5.00)", "<= 4.00", "no")
    assert Goal("ratio", spread_of([5.0]), 4.0, False).row() == row
    assert machine_text(("plain", "compiled")).endswith("plain and compiled builds")
    assert markdown_table([("a", "b"), ("1", "2")]) == "| a | b |\n| --- | ---: |\n| 1 | 2 |"


@pytest.mark.check
def test_kernels_are_paired_with_plain_c() -> None:
    result = run("montecarlo", "--seconds", "0.1", "--scaling-rounds", "0")
    assert len(result["shoes"]) == 6
    assert_paired(result["shoes"])
    assert len(result["other_work"]) >= 8
    assert min(medians(result["other_work"], *result["other_work"])) > 0
    assert bounds(result) == [0.8, 1.8, 0.8, 0.8, 0.8, 0.8, 12e6, 12e6, 10e6]


@pytest.mark.check
def test_tournament_plays_by_policies_and_by_programs() -> None:
    first = "module.RULES, module.WORKERS = ('course',), 1"
    result = run("tournament", "--seconds", "0.4", "--connections", "2", first=first)
    assert set(result["policies"]) == {"course, basic and mimic", "course, random"}
    for rates in result["policies"].values():
        played, simulated = medians(rates, "rounds_per_second", "simulated_rounds_per_second")
        assert min(played, simulated) > 0
        assert rates["per_simulated"]["median"] == pytest.approx(played / simulated)
        assert rates["first_block_rounds_per_second"]["median"] > 0
    rates = result["connections"]["2"]
    alone, played = medians(rates, "dealer_decisions_per_second", "tournament_decisions_per_second")
    assert min(alone, played) > 0
    assert rates["tournament_per_dealer"]["median"] == pytest.approx(played / alone)
    alone, played = medians(rates, "dealer_microseconds", "tournament_microseconds")
    assert min(alone, played) > 0
    assert rates["dealer_per_tournament"]["median"] == pytest.approx(alone / played)
    assert bounds(result) == [200_000, 0.5]


@pytest.mark.check
def test_rounds_are_measured_by_the_cards_of_any_checkout() -> None:
    result = run("rounds", "--before", str(ROOT))
    now, before = (
        medians(result[key], "course", "casino", "vegas") for key in ("rounds_per_second", "before")
    )
    assert min(*now, *before) > 0
    assert result["goals"][0]["median"] == pytest.approx(now[0] / before[0])
    assert bounds(result) == [0.95, 0.95, 0.95, 60_000]


@pytest.mark.check
def test_a_first_use_is_measured_with_empty_caches_and_with_those_it_has_left() -> None:
    result = run("first_use", "--use", "make_vec")
    first, again = (result[key]["make_vec"]["plain"]["median"] for key in ("first", "again"))
    assert again < first, "nothing is compiled again"
    assert bounds(result) == [6]
    assert result["per_before"] == {}


@pytest.mark.check
def test_a_decision_costs_the_same_in_the_same_tree() -> None:
    result = run("decision", "--rounds", "60", "--connections", "2", "--before", str(ROOT))
    assert result["decisions"] > 60
    for side in ("dealer", "learner"):
        calls, times = result["calls"][side], result["microseconds"][side]
        assert list(calls) == list(times) == ["before", *result["machine"]["builds"]]
        before, plain = medians(calls, "before", "plain")
        assert before == pytest.approx(plain, rel=0.05)
        before, plain = medians(times, "before", "plain")
        assert result["per_before"][side]["plain"]["median"] == pytest.approx(plain / before)
    plain_bounds = [goal["at_most"] for goal in result["goals"] if goal["name"].endswith("plain")]
    assert plain_bounds == [60, 45, 0.6, 40, 25, 0.5]


@pytest.mark.check
def test_builds_pairs_the_compiled_one_with_the_plain() -> None:
    if not is_built():
        pytest.skip("there is no compiled build: make fast")
    result = run("builds", "--seconds", "0.05", "--rounds", "20")
    assert result["machine"]["builds"] == ["plain", "compiled"]
    assert len(result["work"]) == 7
    for rates in result["work"].values():
        plain, compiled = medians(rates, "plain_per_second", "compiled_per_second")
        assert min(plain, compiled) > 0
        assert rates["compiled_per_plain"]["median"] == pytest.approx(compiled / plain)
    assert bounds(result) == [2.0] * 7


def test_a_process_may_give_way_to_all_others() -> None:
    with Child(("-c", "input()"), is_least=True) as child:
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == 19


def script(
    start: int, wall: int, cpu: int, url: str = "http://127.0.0.1:1/table/main.js", function: str = ""
) -> dict[str, Any]:
    """A call as chromium's trace has it, in microseconds."""
    return work("FunctionCall", start, wall, cpu) | {"args": {"data": {"url": url, "functionName": function}}}


def work(name: str, start: int, wall: int, cpu: int) -> dict[str, Any]:
    """A piece of work of the page's thread."""
    return {"name": name, "ph": "X", "pid": 7, "tid": 1, "ts": start, "dur": wall, "tdur": cpu}


def test_script_is_counted_once_and_by_both_clocks_in_the_frame_that_it_is_in() -> None:
    events = [
        {"name": "AnimationFrame::Render", "pid": 7, "tid": 1, "ts": 10_000},
        {"name": "AnimationFrame::Render", "pid": 8, "tid": 1, "ts": 2_000},  # of another page
        script(11_000, 3_000, 2_000),
        script(1_000, 500, 400),  # begins as the one that it is called by
        script(1_000, 4_000, 1_000),
        script(6_000, 1_000, 1_000),
        script(7_500, 9_000, 9_000, url="chrome://tools"),
        work("Layout", 2_000, 300, 200),  # within the script, which has its time
        script(17_900, 500, 500, url="http://127.0.0.1:1/v/0/table/main.js", function="next"),
        work("Layout", 18_000, 100, 100),
        work("UpdateLayoutTree", 10_100, 600, 500),
        work("Paint", 10_800, 150, 100),
    ]
    address = "http://127.0.0.1:1/"
    frames = [tuple(round(time, 3) for time in frame) for frame in sorted(frames_of(events, address))]
    assert frames == [(2.0, 2.6, 5.0), (2.5, 2.5, 3.5)]
    assert slots_of(events, address) == [4.0, 0.5]  # each 16.7 ms from its first call, rendered or not
    assert forced_layouts(events) == 1


@pytest.mark.check
def test_page_measures_script_and_whole_frames() -> None:
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip("chromium is not installed")
    result = run("page", "--rounds", "1")
    assert result["rounds"] == 1
    figures = {key: figure["median"] for key, figure in result["figures"].items()}
    assert figures["frames"] > 20  # nine seats get two cards each
    assert figures["forced_layouts"] == 0
    for kind in ("script", "whole", "wall"):
        median, p95, p99, longest = (figures[f"{kind}_{key}_ms"] for key in ("median", "p95", "p99", "max"))
        assert 0 < median <= p95 <= p99 <= longest
        assert 0 <= figures[f"{kind}_over_goal"] <= figures["frames"]
    assert figures["script_median_ms"] < figures["whole_median_ms"]
    assert figures["files"] <= 7
    for round_trip in (150, 300):  # the page, TCP, and the handshake of the WebSocket
        assert 3 * round_trip / 1000 < figures[f"second_{round_trip}"] < figures[f"first_{round_trip}"]
    assert [goal["at_most"] for goal in result["goals"]] == [2, 2.0, 0.8, 3.5, 1.3]
    assert result["goals"][0]["median"] == figures["slots_over_goal"]


@pytest.mark.check
def test_exact_keeps_its_limits_in_view() -> None:
    result = run("exact")
    assert [goal["at_most"] for goal in result["goals"]] == [0.5, 1.5, 0.01, 2.0, 0.2, 1.0, 1.0, 0.05, 0.05]
    assert all(goal["median"] > 0 for goal in result["goals"])
    assert result["eight_decks"]["median"] > 0


@pytest.mark.check
def test_devs_pairs_each_kind_of_work_with_xdevs() -> None:
    pytest.importorskip("xdevs")
    result = run("devs", "--seconds", "0.05")
    assert set(result["work"]) == {"game", "ping-pong", "DEVStone HI"}
    assert_paired(result["work"])
    assert bounds(result) == [5.0, 3.0, 3.0]


@pytest.mark.check
def test_mancala_keeps_its_limits_in_view() -> None:
    first = """
for name, program in zip(list(module.SMALL)[-2:], (module.SOLVE, module.SOLVE_MOVES)):
    module.SMALL[name] = module.Kind(program.format(holes=4, marbles=3, value=8))
module.PEERS["mancala"] = module.MOVES.format(moves=500)
"""
    result = run("mancala", "--small", first=first)
    assert bounds(result) == [0.1, 5.0, 5.0, 3.0, 2048.0]
    assert min(medians(result["seconds"], *result["seconds"])) > 0
    kalah = "Kalah of 5 holes and 4 marbles"
    assert {kalah, f"{kalah}, first moves too"} <= result["seconds"].keys()
    assert ("open_spiel" in result["seconds"]) == (result["per_open_spiel"] is not None)


@pytest.mark.check
def test_environments_pairs_ours_with_gymnasium_s() -> None:
    result = run("environments", "--seconds", "0.05")
    rates = {name: rate["median"] for name, rate in result["steps_per_second"].items()}
    ours, theirs = rates["twentyone/Blackjack-v0"], rates["Gymnasium's Blackjack-v1"]
    assert min(rates.values()) > 0
    assert bounds(result)[:2] == [1.1, 1.0]
    assert result["goals"][0]["median"] == pytest.approx(rates["twentyone/Blackjack-v0, 4096 compiled"] / 1e6)
    assert result["goals"][1]["median"] == pytest.approx(ours / theirs)


@pytest.mark.check
def test_learning_is_paired_with_plain_c_and_grades_the_tables() -> None:
    sizes = ("--rounds", "2000", "--more", "10000", "--seeds", "1", "--vegas-seeds", "1", "--tutorials", "1")
    result = run("learning", "--seconds", "0.1", *sizes)
    gaps = result["gaps"]
    for name in ("course, fresh", "course, infinite"):
        assert all(
            0 <= gap < 0.4 for point in ("2000", "10000") for gap in gaps[f"the kernel, {name}"][point]
        )
    for learner in ("the kernel", "C"):
        found = gaps[f"{learner}, vegas, fresh"]
        assert 0 < found["40000"][0] < 0.1 and 0 < found["1000000"][0] < 0.02
    assert set(result["rates"]) == {"course, fresh", "course, infinite", "vegas, fresh"}
    assert_paired(result["rates"])
    assert min(medians(result["random_play"], "course, fresh", "course, infinite")) > 0
    tutorial = result["tutorial_rounds_per_second"]
    assert tutorial is None or tutorial["median"] > 0
    assert bounds(result) == [0.005, *[0.6] * 3, *[400.0] * (tutorial is not None)]


@pytest.mark.check
def test_replay_reports_lines_a_second() -> None:
    result = run("replay", "--rounds", "200")
    rates = result["lines_per_second"]
    works = ("verified", "read", "json")
    assert set(rates) == {f"{kind}_{work}" for kind in ("course", "vegas") for work in works}
    assert min(medians(rates, *rates)) > 0
    minutes = 10_000_000 / 2 / rates["vegas_verified"]["median"] / 60
    assert result["minutes"]["vegas"] == pytest.approx(minutes)
    goals = [f"{kind}: lines verified a second" for kind in ("course", "vegas")]
    assert [goal["name"] for goal in result["goals"]] == goals
