"""`analysis learn --count`, and what `analysis count --policy counted:FILE` says of the table."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cards import Rules
from tests.helpers.learned import empty_table
from tests.twentyone.analysis.laboratory import analysis, document, press_when_saved, refusal
from twentyone.analysis.commands import learn_counting
from twentyone.policies.table_files import load_counted, save

TABLE = "qtables/counted.txt"
ONE_DECK = ("--rules", "reno", "--count", "hi-lo")


@pytest.mark.check
def test_it_learns_saves_and_goes_on_with_a_fresh_shoe(tmp_path: Path) -> None:
    first = analysis(tmp_path, "learn", 30_000, *ONE_DECK, "--seed", 1)
    assert first.status == 0, first.err
    lines = first.out.splitlines()
    assert lines[1].split()[:2] == ["learning", "30,000"]
    assert lines[3] == (
        f"{TABLE}: qlearning, 30,000 rounds in all; a layer for each true count of hi-lo from -10 to +10"
    )
    assert lines[-1].endswith(f"analysis count --policy counted:{TABLE}")
    again = ("learn", 20_000, "--count", "hi-lo", "--seed", 1)
    shutil.copytree(tmp_path / "qtables", tmp_path / "b" / "qtables")
    found = document(tmp_path, *again)
    said = analysis(tmp_path / "b", *again).err
    assert said == (
        f"analysis: the shoe is kept from round to round; learning goes on from {TABLE} with a fresh one\n"
    )
    assert (tmp_path / TABLE).read_bytes() == (tmp_path / "b" / TABLE).read_bytes(), "the seed is the same"
    assert (found["end"], found["rounds"], found["table_rounds"]) == ("done", 20_000, 50_000)
    assert (found["count"], found["seed"], found["rules"]["preset"]) == ("hi-lo", 1, "reno")
    table = load_counted(tmp_path / TABLE)
    assert (table.origin.rounds, table.system.name) == (50_000, "hi-lo")
    visits = table.counts.sum(axis=-1)
    assert found["hands"] == (visits > 0).sum() > found["seldom"] > 0
    assert 0 < found["seldom_share"] < 1


@pytest.mark.check
def test_the_settings_of_a_method_are_kept(tmp_path: Path) -> None:
    options = ("--method", "sarsa", "--count", "hi-lo")
    assert analysis(tmp_path, "learn", 1_000, *options, "--rules", "reno", "--alpha", 0.05).status == 0
    assert analysis(tmp_path, "learn", 1_000, *options).status == 0
    assert load_counted(tmp_path / TABLE).origin.method == "sarsa alpha=0.05"


def test_what_cannot_be_counted_is_refused(tmp_path: Path) -> None:
    for options, problem in {
        "--rules=course": "fresh for every round, so there is nothing to count: expected one seat",
        "--rules=vegas --decks=inf --reshuffle=round": "nothing to count in an infinite deck",
        "--rules=showdown": "has no dealer",
        "--count=lo-hi": "there is no system 'lo-hi': expected hi-lo",
        "--until-gap=0.1": "--until-gap cannot be given with --count",
        "--until-change=0.1": "--until-change cannot be given with --count",
        "--workers=2": "--workers cannot be given with --count",
        "--from=rounds.jsonl": "--from cannot be given with --count",
        "--compare=sarsa,double-q": "a comparison writes no table: expected no --count with it",
        "--alpha=0.1": "the method qlearning has no alpha",
    }.items():
        assert problem in refusal(tmp_path, "learn", 1_000, "--count=hi-lo", *options.split())
        assert not (tmp_path / TABLE).exists()


def test_without_rounds_or_from_a_q_table_it_does_not_learn(tmp_path: Path) -> None:
    assert refusal(tmp_path, "learn", "--count=hi-lo").startswith("ROUNDS is missing")
    save(empty_table(Rules(), 1), tmp_path / "q.txt")
    said = refusal(tmp_path, "learn", 1_000, *ONE_DECK, "--table", "q.txt", status=1)
    assert "its header does not give the count" in said


def test_ctrl_c_saves_and_gives_status_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    press_when_saved(monkeypatch, learn_counting, "_save")
    done = analysis(tmp_path, "learn", 10**12, *ONE_DECK, "--seed", 1)
    assert done.status == 130, done.err
    rounds = load_counted(tmp_path / TABLE).origin.rounds
    assert f"{rounds:,} rounds in all" in done.out
    last = done.err.splitlines()[-1]
    assert f"interrupted after {rounds:,} of" in last
    assert f"analysis learn {10**12 - rounds}" in last and "--count hi-lo" in last


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of one deck."""
    folder = tmp_path_factory.mktemp("counted")
    assert analysis(folder, "learn", 400_000, *ONE_DECK, "--seed", 1).status == 0
    return folder


def test_a_table_of_other_terms_is_not_gone_on_from_but_replaced_if_that_is_wanted(learned: Path) -> None:
    before = (learned / TABLE).read_bytes()
    for options, problem in {
        ("--count=ko",): "it counts by hi-lo, not ko",
        ("--count=hi-lo", "--method=sarsa"): "it was learned by qlearning, not sarsa",
        ("--count=hi-lo", "--rules=vegas"): "it was learned under other rules",
    }.items():
        said = refusal(learned, "learn", 1_000, *options, status=1)
        assert problem in said and "or --fresh to replace it" in said
    assert (learned / TABLE).read_bytes() == before
    shutil.copy(learned / TABLE, learned / "other.txt")
    options = ("--count=ko", "--rules=reno", "--table=other.txt", "--fresh")
    assert analysis(learned, "learn", 1_000, *options).status == 0
    table = load_counted(learned / "other.txt")
    assert (table.system.name, table.origin.rounds) == ("ko", 1_000)


@pytest.mark.check
def test_a_table_is_valued_beside_basic_strategy(learned: Path) -> None:
    options = ("count", "--rounds=150k", "--seed=2", "--workers=1", "--policy")
    found = document(learned, *options, f"counted:{TABLE}", "--plot=counted.png")
    assert (found["rules"]["preset"], found["system"]["name"]) == ("reno", "hi-lo")
    flat, spread = found["beside"]["bets"]
    assert (flat["bets"], spread["bets"], found["beside"]["policy"]) == ("one unit", "count:1-8", "basic")
    for won in (flat, spread):
        difference = won["table"]["per_hundred"] - won["plain"]["per_hundred"]
        assert won["difference"]["per_hundred"] == pytest.approx(difference)
        assert won["difference"]["standard_error"] > 0
    assert found["bets"]["per_hundred"]["mean"] == pytest.approx(spread["table"]["per_hundred"])
    assert (found["learned"]["rounds"], found["learned"]["method"]) == (400_000, "qlearning")
    (insurance,) = (each for each in found["learned"]["indices"] if each["decision"] == "INSURE")
    assert insurance["published"] == 3 and insurance["computed"] is None
    assert abs(insurance["learned"] - 1) <= 5  # as computed for one deck, after few rounds
    assert (learned / "counted.png").read_bytes().startswith(b"\x89PNG")
    shown = analysis(learned, *options, TABLE)
    assert f"{flat['table']['per_hundred']:+.3f}" in shown.out
    assert "H16 against 10: stand" in shown.out


def test_without_rounds_a_table_shows_its_indices(learned: Path) -> None:
    done = analysis(learned, "count", "--rounds=0", "--workers=1", "--policy", f"counted:{TABLE}")
    assert done.status == 0, done.err
    assert "beside" not in done.out and "from the same shoes" not in done.out
    assert "insurance" in done.out and "published" in done.out


def test_what_cannot_be_valued_is_told(learned: Path, tmp_path: Path) -> None:
    counted = f"counted:{TABLE}"
    assert refusal(learned, "count", "--system=ko", "--policy", counted).endswith(
        "the table counts by hi-lo, and --system is ko: expected the same"
    )
    missing = refusal(tmp_path, "count", "--policy=counted:none.txt", status=1)
    assert "the table none.txt cannot be read" in missing and "--count hi-lo` makes one" in missing
    for name in (TABLE, counted):
        nobody_counts = refusal(learned, "simulate", 10, "--rules=reno", "--policy", name)
        assert f"the policy '{name}' cannot be used here" in nobody_counts
