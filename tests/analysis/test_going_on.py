"""Ctrl-C in work with a checkpoint: how far it is, and the command that goes on, which is typed here."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import main
from analysis.commands import parts
from support.command import INTERRUPTED, OK
from tests.helpers.patience import eventually
from tests.helpers.processes import command, finish, keyboard_interrupts, start

Captured = pytest.CaptureFixture[str]

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

SOLVED_BEFORE = {"count": 11}
"""How many shoes are solved before the work with the checkpoint begins; they are kept in the cache."""

SAID = re.compile(
    r"analysis: interrupted after ([\d,]+) of ([\d,]+) (rounds|games); what is finished is kept in"
    r" a b\.json\. To go on, type: (.*)\n"
)


def run(monkeypatch: pytest.MonkeyPatch, capsys: Captured, line: str) -> tuple[object, str, str]:
    """Run a command in this process as a shell would; its status, and what it printed."""
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with keyboard_interrupts(), pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, *capsys.readouterr()


def interrupt_after(monkeypatch: pytest.MonkeyPatch, parts_done: int) -> None:
    """Press Ctrl-C when so many parts of the next work are done."""
    done, calls = parts.Work.done, 0

    def press(work: parts.Work, units: int) -> None:
        nonlocal calls
        done(work, units)
        calls += 1
        if calls == parts_done:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(parts.Work, "done", press)


def figures(text: str) -> Any:
    """The result, without what differs from run to run."""
    return {key: value for key, value in json.loads(text).items() if key != "seconds"}


@pytest.mark.parametrize("word", WORK)
@pytest.mark.parametrize("seed", ["", "--seed 7"])
def test_the_command_that_is_printed_goes_on_and_has_the_result_of_a_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, word: str, seed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    line = f"{WORK[word]} --workers 1 --json --checkpoint 'a b.json' {seed}"
    with monkeypatch.context() as patch:
        interrupt_after(patch, SOLVED_BEFORE.get(word, 0) + 2)
        status, out, err = run(patch, capsys, line)
    assert (status, out) == (INTERRUPTED, "")
    said = SAID.search(err)
    assert said is not None, err
    done, total = (int(number.replace(",", "")) for number in said.groups()[:2])
    assert 0 < done < total
    going_on = said[4]
    assert sorted(shlex.split(line)) == sorted(shlex.split(going_on)) or not seed
    begun = json.loads(Path("a b.json").read_text(encoding="utf-8"))["finished"]
    assert 0 < len(begun) <= 2

    with monkeypatch.context() as patch:
        kept: list[int] = []
        patch.setattr(parts.Work, "keep", lambda _, units: kept.append(units))
        status, out, _ = run(patch, capsys, going_on)
    assert status == OK
    assert len(kept) == 1 and 0 < kept[0] <= done
    whole = re.sub(r"--checkpoint '.*?'", "", going_on)
    assert figures(out) == figures(run(monkeypatch, capsys, whole)[1])


def test_interrupted_before_a_part_is_done_it_says_that_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)

    def press(*given: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("analysis.work.shards._Run._submit", press)
    line = f"{WORK['simulate']} --workers 1"
    status, out, err = run(monkeypatch, capsys, f"{line} --checkpoint 'a b.json'")
    assert (status, out) == (INTERRUPTED, "")
    assert err.endswith(
        "analysis: interrupted before any of the 3,000,000 rounds were finished;"
        " nothing is kept in a b.json\n"
    )
    assert not Path("a b.json").exists()
    status, _, err = run(monkeypatch, capsys, line)
    assert (status, err.splitlines()[-1]) == (INTERRUPTED, "analysis: interrupted")


def test_an_interrupted_comparison_of_methods_without_a_checkpoint_names_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    interrupt_after(monkeypatch, 1)
    status, out, err = run(monkeypatch, capsys, "analysis learn 500 --compare sarsa --seeds 3 --workers 1")
    assert (status, out) == (INTERRUPTED, "")
    assert err.splitlines()[-1] == (
        "analysis: interrupted, and nothing is kept; with --checkpoint FILE finished curves would be"
    )


def test_where_the_checkpoint_cannot_be_written_nothing_is_said_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)

    def fail(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("analysis.work.checkpoint.write_atomically", fail)
    interrupt_after(monkeypatch, 1)
    status, _, err = run(monkeypatch, capsys, f"{WORK['simulate']} --workers 1 --checkpoint c.json")
    assert status == INTERRUPTED
    assert "analysis: the checkpoint c.json cannot be written: no space left on device\n" in err
    assert err.endswith("analysis: interrupted\n")


def test_the_speed_counts_the_new_rounds_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    line = f"{WORK['simulate']} --workers 1 --seed 1 --checkpoint c.json"
    assert run(monkeypatch, capsys, line)[2].endswith(" rounds/s)\n")
    again = run(monkeypatch, capsys, line)[2]
    assert re.fullmatch(r"analysis: 3,000,000 rounds were kept; 0 new rounds in \d+\.\d s\n", again), again


def test_ctrl_c_at_a_running_command_says_how_to_go_on(tmp_path: Path) -> None:
    """The work would take days. It is interrupted once something has been finished."""
    file = tmp_path / "c.json"
    options = ("simulate", "1e12", "--rules=devs", "--workers=2", "--checkpoint=c.json")
    running = start("analysis", *options, cwd=tmp_path)
    assert eventually(file.exists)
    running.send_signal(signal.SIGINT)
    done = finish(running)
    assert (done.status, done.out) == (INTERRUPTED, "")
    assert re.search(
        r"^analysis: interrupted after [\d,]+ of 1,000,000,000,000 rounds; what is finished is kept in"
        r" c\.json\. To go on, type:"
        r" analysis simulate --seed \d+ 1e12 --rules=devs --workers=2 --checkpoint=c\.json$",
        done.err,
        re.MULTILINE,
    ), done.err
    seed = re.search(r"--seed \d+", done.err)
    assert seed is not None
    assert command("analysis", *options, "--seed=0", cwd=tmp_path).status == 1, "that is other work"
