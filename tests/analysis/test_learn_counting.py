"""`analysis learn --count` and `analysis count --policy counted:FILE`, run as commands."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from policies.counted_values import load, save
from policies.qtable import QTable
from policies.qtable import save as save_qtable
from tests.analysis.test_learn_command import SAVES_ALL_THE_TIME, run, sentence, start
from tests.helpers.patience import eventually
from tests.helpers.processes import command
from tests.policies.test_qtable import numbered

TABLE = "qtables/counted.txt"
ONE_DECK = ("--rules", "reno", "--count", "hi-lo")


def test_it_learns_saves_and_goes_on_with_a_fresh_shoe(tmp_path: Path) -> None:
    first = run(tmp_path, 30_000, *ONE_DECK, "--seed", 1)
    assert first.status == 0, first.err
    lines = first.out.splitlines()
    assert lines[1].split()[:2] == ["learning", "30,000"]
    assert lines[3] == (
        f"{TABLE}: qlearning, 30,000 rounds in all; a layer for each true count of hi-lo from -10 to +10"
    )
    assert lines[-1].endswith(f"analysis count --policy counted:{TABLE}")
    second = run(tmp_path, 20_000, "--count", "hi-lo", "--seed", 1, "--json")
    assert sentence(second).endswith(f"learning goes on from {TABLE} with a fresh one")
    document: dict[str, Any] = json.loads(second.out)
    assert (document["end"], document["rounds"], document["table_rounds"]) == ("done", 20_000, 50_000)
    assert (document["count"], document["seed"], document["rules"]["preset"]) == ("hi-lo", 1, "reno")
    table = load(tmp_path / TABLE)
    assert (table.origin.rounds, table.system.name) == (50_000, "hi-lo")
    visits = table.counts.sum(axis=-1)
    assert document["hands"] == (visits > 0).sum() > document["seldom"] > 0
    assert 0 < document["seldom_share"] < 1


def test_the_same_seed_gives_the_same_table_and_settings_are_kept(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        options = (*ONE_DECK, "--method", "sarsa", "--alpha", 0.05, "--seed", 3, "--table", name)
        assert run(tmp_path, 5_000, *options).status == 0
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()
    assert run(tmp_path, 1_000, "--count", "hi-lo", "--method", "sarsa", "--table", "a.txt").status == 0
    assert load(tmp_path / "a.txt").origin.method == "sarsa alpha=0.05"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--rules=course",), "fresh for every round, so there is nothing to count: expected one seat"),
        (("--rules=vegas", "--decks=inf", "--reshuffle=round"), "nothing to count in an infinite deck"),
        (("--rules=showdown",), "has no dealer"),
        (("--count=lo-hi",), "there is no system 'lo-hi': expected hi-lo"),
        (("--until-gap=0.1",), "--until-gap cannot be given with --count"),
        (("--until-change=0.1",), "--until-change cannot be given with --count"),
        (("--workers=2",), "--workers cannot be given with --count"),
        (("--from=rounds.jsonl",), "--from cannot be given with --count"),
        (("--compare=sarsa,double-q",), "a comparison writes no table: expected no --count with it"),
        (("--alpha=0.1",), "the method qlearning has no alpha"),
    ],
)
def test_what_cannot_be_counted_is_refused(tmp_path: Path, options: tuple[str, ...], problem: str) -> None:
    done = run(tmp_path, 1_000, "--count=hi-lo", *options)
    assert done.status == 2
    assert problem in sentence(done)
    assert not (tmp_path / TABLE).exists()


def test_without_rounds_it_says_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, "--count=hi-lo")
    assert done.status == 2
    assert sentence(done).startswith("analysis: ROUNDS is missing")


def test_a_q_table_is_not_gone_on_from(tmp_path: Path) -> None:
    table: QTable = numbered()
    save_qtable(table, tmp_path / "q.txt")
    done = run(tmp_path, 1_000, *ONE_DECK, "--table", "q.txt")
    assert done.status == 1
    assert "its header does not give the count" in sentence(done)


def test_ctrl_c_saves_and_gives_status_130(tmp_path: Path) -> None:
    learning = start(tmp_path, 10**12, *ONE_DECK, "--seed", 1, code=SAVES_ALL_THE_TIME)
    assert eventually((tmp_path / TABLE).exists)
    learning.send_signal(signal.SIGINT)
    out, err = learning.communicate(timeout=60)
    assert learning.returncode == 130, err
    rounds = load(tmp_path / TABLE).origin.rounds
    assert f"{rounds:,} rounds in all" in out
    last = err.splitlines()[-1]
    assert f"interrupted after {rounds:,} of" in last
    assert f"analysis learn {10**12 - rounds}" in last and "--count hi-lo" in last


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of one deck."""
    folder = tmp_path_factory.mktemp("counted")
    assert run(folder, 400_000, *ONE_DECK, "--seed", 1).status == 0
    return folder


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--count=ko",), "it counts by hi-lo, not ko"),
        (("--count=hi-lo", "--method=sarsa"), "it was learned by qlearning, not sarsa"),
        (("--count=hi-lo", "--rules=vegas"), "it was learned under other rules"),
    ],
)
def test_a_table_of_other_terms_is_not_gone_on_from(
    learned: Path, options: tuple[str, ...], problem: str
) -> None:
    before = (learned / TABLE).read_bytes()
    done = run(learned, 1_000, *options)
    assert done.status == 1
    assert problem in sentence(done) and "or --fresh to replace it" in sentence(done)
    assert (learned / TABLE).read_bytes() == before


def test_fresh_replaces_a_table_of_other_terms(learned: Path, tmp_path: Path) -> None:
    shutil.copy(learned / TABLE, tmp_path / "counted.txt")
    options = ("--count=ko", "--rules=reno", "--table=counted.txt", "--fresh")
    assert run(tmp_path, 1_000, *options).status == 0
    table = load(tmp_path / "counted.txt")
    assert (table.system.name, table.origin.rounds) == ("ko", 1_000)


def test_a_table_is_valued_beside_basic_strategy(learned: Path) -> None:
    options = ("--policy", f"counted:{TABLE}", "--seed=2", "--workers=1", "--plot=counted.png")
    done = command("analysis", "count", "--rounds=150k", *options, "--json", cwd=learned)
    assert done.status == 0, done.err
    document = json.loads(done.out)
    assert (document["rules"]["preset"], document["system"]["name"]) == ("reno", "hi-lo")
    flat, spread = document["beside"]["bets"]
    assert (flat["bets"], spread["bets"], document["beside"]["policy"]) == ("one unit", "count:1-8", "basic")
    for won in (flat, spread):
        difference = won["table"]["per_hundred"] - won["plain"]["per_hundred"]
        assert won["difference"]["per_hundred"] == pytest.approx(difference)
        assert won["difference"]["standard_error"] > 0
    assert document["bets"]["per_hundred"]["mean"] == pytest.approx(spread["table"]["per_hundred"])
    found = document["learned"]
    assert (found["rounds"], found["method"]) == (400_000, "qlearning")
    (insurance,) = (each for each in found["indices"] if each["decision"] == "INSURE")
    assert insurance["published"] == 3 and insurance["computed"] is None
    assert abs(insurance["learned"] - 1) <= 5  # as computed for one deck, after few rounds
    assert (learned / "counted.png").read_bytes().startswith(b"\x89PNG")
    shown = command("analysis", "count", "--rounds=150k", "--policy", TABLE, "--seed=2", cwd=learned)
    assert f"{flat['table']['per_hundred']:+.3f}" in shown.out
    assert "H16 against 10: stand" in shown.out


def test_without_rounds_a_table_shows_its_indices(learned: Path) -> None:
    done = command("analysis", "count", "--rounds=0", "--policy", f"counted:{TABLE}", cwd=learned)
    assert done.status == 0, done.err
    assert "beside" not in done.out and "from the same shoes" not in done.out
    assert "insurance" in done.out and "published" in done.out


def test_another_system_than_that_of_the_table_is_refused(learned: Path) -> None:
    done = command("analysis", "count", "--system=ko", "--policy", f"counted:{TABLE}", cwd=learned)
    assert done.status == 2
    assert "the table counts by hi-lo, and --system is ko: expected the same" in done.err


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = command("analysis", "count", "--policy=counted:none.txt", cwd=tmp_path)
    assert done.status == 1
    assert "the table none.txt cannot be read" in done.err and "--count hi-lo` makes one" in done.err


def test_it_cannot_be_played_where_nobody_counts(learned: Path) -> None:
    for name in (TABLE, f"counted:{TABLE}"):
        done = command("analysis", "simulate", "10", "--rules=reno", "--policy", name, cwd=learned)
        assert done.status == 2
        assert f"the policy '{name}' cannot be used here" in done.err


def test_a_table_can_be_saved_again(learned: Path) -> None:
    table = load(learned / TABLE)
    save(table, learned / "again.txt")
    assert (learned / "again.txt").read_bytes() == (learned / TABLE).read_bytes()
