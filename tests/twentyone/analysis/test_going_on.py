"""Ctrl-C in work with a checkpoint: how far it is, and the command that goes on, which is typed here."""

from __future__ import annotations

import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import eventually
from tests.helpers.processes import finish, start
from tests.twentyone.analysis.laboratory import analysis, press_after, refusal
from twentyone.analysis.commands import shared
from twentyone.support.command import INTERRUPTED, OK

WORK = {
    "simulate": "analysis simulate 3M --rules=devs",
    "compare": "analysis compare 600k --policy basic --policy mimic --rules devs",
    "variability": "analysis variability --games 100,1000 --repeats 600 --rules devs",
    "learn": "analysis learn 2k --compare qlearning,random-play --seeds 2",
    "betting": "analysis betting --strategy flat --strategy kelly --sessions 300 --rounds 20 --measure 1k",
    "count": "analysis count --rounds 2M --decks 1 --dealer-stands all17 --double-after-split no"
    " --split-aces once --surrender none",
}
"""A command with several parts of work, by the word after `analysis`."""

QUICK = {"variability", "learn", "betting"}

SOLVED_BEFORE = {"count": 11}
"""How many shoes are solved before the work with the checkpoint begins; they are kept in the cache."""

SIMULATE = ("simulate", "3M", "--rules=devs", "--workers=1")

SAID = re.compile(
    r"analysis: interrupted after ([\d,]+) of ([\d,]+) (rounds|games); what is finished is kept in"
    r" a b\.json\. To go on, type: (.*)\n"
)


def figures(text: str) -> Any:
    """The result, without what differs from run to run."""
    return {key: value for key, value in json.loads(text).items() if key != "seconds"}


def whole_run_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch, word: str, *seed: object) -> None:
    """Interrupt a command, type what it says, and compare the result with that of a whole run."""
    line = [*WORK[word].split()[1:], "--workers", "1", "--json", "--checkpoint", "a b.json", *map(str, seed)]
    with monkeypatch.context() as patch:
        press_after(patch, SOLVED_BEFORE.get(word, 0) + 2)
        done = analysis(folder, *line)
    assert (done.status, done.out) == (INTERRUPTED, "")
    said = SAID.search(done.err)
    assert said is not None, done.err
    finished, total = (int(number.replace(",", "")) for number in said.groups()[:2])
    assert 0 < finished < total
    going_on = shlex.split(said[4])[1:]
    assert sorted(line) == sorted(going_on) or not seed
    begun = json.loads((folder / "a b.json").read_text(encoding="utf-8"))["finished"]
    assert 0 < len(begun) <= 2

    with monkeypatch.context() as patch:
        kept: list[int] = []
        patch.setattr(shared.Work, "keep", lambda _, units: kept.append(units))
        done = analysis(folder, *going_on)
    assert done.status == OK
    assert len(kept) == 1 and 0 < kept[0] <= finished
    place = going_on.index("--checkpoint")
    whole = going_on[:place] + going_on[place + 2 :]
    assert figures(done.out) == figures(analysis(folder, *whole).out)


@pytest.mark.parametrize("word", sorted(QUICK))
def test_the_command_that_is_printed_goes_on_and_has_the_result_of_a_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    whole_run_is_found_again(tmp_path, monkeypatch, word)


def test_a_seed_that_was_typed_is_printed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_run_is_found_again(tmp_path, monkeypatch, "betting", "--seed", 7)


@pytest.mark.check
@pytest.mark.parametrize("word", sorted(WORK.keys() - QUICK))
def test_so_does_that_of_work_which_takes_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    whole_run_is_found_again(tmp_path, monkeypatch, word, "--seed", 7)


def test_interrupted_before_a_part_is_done_it_says_that_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "twentyone.analysis.work.shards._Run._submit", lambda *_: signal.raise_signal(signal.SIGINT)
    )
    done = analysis(tmp_path, *SIMULATE, "--checkpoint", "a b.json")
    assert (done.status, done.out) == (INTERRUPTED, "")
    rounds = "interrupted before any of the 3,000,000 rounds were finished"
    assert done.err.endswith(f"analysis: {rounds}; nothing is kept in a b.json\n")
    assert not (tmp_path / "a b.json").exists()
    done = analysis(tmp_path, *SIMULATE)
    assert (done.status, done.err.splitlines()[-1]) == (INTERRUPTED, "analysis: interrupted")


def test_where_the_checkpoint_cannot_be_written_nothing_is_said_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("twentyone.analysis.work.checkpoint.write_atomically", fail)
    press_after(monkeypatch, 1)
    done = analysis(tmp_path, *SIMULATE, "--checkpoint", "c.json")
    assert done.status == INTERRUPTED
    assert "analysis: the checkpoint c.json cannot be written: no space left on device\n" in done.err
    assert done.err.endswith("analysis: interrupted\n")


def test_the_speed_counts_the_new_rounds_only_and_other_work_is_refused(tmp_path: Path) -> None:
    line = ("simulate", "50k", "--rules=devs", "--workers=1", "--checkpoint=c.json")
    assert analysis(tmp_path, *line, "--seed=1").err.endswith(" rounds/s)\n")
    again = analysis(tmp_path, *line, "--seed=1").err
    assert re.fullmatch(r"analysis: 50,000 rounds were kept; 0 new rounds in \d+\.\d s\n", again), again
    for options in (("--seed=2",), ("--seed=1", "--policy=mimic"), ("--seed=1", "--ace=11")):
        assert "is the checkpoint of other work: its " in refusal(tmp_path, *line, *options, status=1)


@pytest.mark.check
def test_ctrl_c_at_a_running_command_says_how_to_go_on(tmp_path: Path) -> None:
    """The work would take days. It is interrupted once something has been finished."""
    options = ("simulate", "1e12", "--rules=devs", "--workers=2", "--checkpoint=c.json")
    running = start("analysis", *options, cwd=tmp_path)
    assert eventually((tmp_path / "c.json").exists)
    running.send_signal(signal.SIGINT)
    done = finish(running)
    assert (done.status, done.out) == (INTERRUPTED, "")
    said = SAID.sub(r"\2 \4", done.err.replace("c.json", "a b.json").splitlines(keepends=True)[-1])
    assert re.fullmatch(r"1,000,000,000,000 analysis simulate --seed \d+ 1e12 --rules=devs .*", said), (
        done.err
    )
