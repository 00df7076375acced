"""The command `replay`, on histories that dealers have written over sockets."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cards import PRESETS
from dealer.tables.history import chained
from tests.helpers.inside import inside
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import Finished, command, dealing, finish, interruptible, start
from tests.tournament.cups import children
from tests.tournament.replay.made import results_of, settings_of
from tournament.cli import replay_main
from tournament.replay.history import lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the history of a dealer, and that of a tournament."""
    folder = tmp_path_factory.mktemp("replay")
    with dealing(folder, 30, "--history", "rounds.jsonl", "--seed", "3") as port:
        options = ("--name", "ada", "--policy", "random", "--seed", "4")
        done = command("player", "127.0.0.1", port, *options, cwd=folder)
    assert done.status == 0
    cup = lines(results_of(settings_of(PRESETS["course"], rounds=5)))
    (folder / "cup.jsonl").write_text("".join(f"{line}\n" for line in cup))
    return folder


def replay(folder: Path, *options: object) -> Finished:
    return inside(replay_main, "replay", *options, cwd=folder)


def test_a_history_is_verified(folder: Path) -> None:
    sentence = "rounds verified: every card, payoff and cost follows from the rules\n"
    not_verified = "not verified, since nothing else determines them:"
    of_dealer = f"30 {sentence}{not_verified} connection, names, time\n"
    assert replay(folder, "rounds.jsonl") == (0, of_dealer, "")
    of_cup = f"10 {sentence}{not_verified} entrant, late, names, seconds\n"
    assert replay(folder, "cup.jsonl") == (0, of_cup, "")
    text = (folder / "rounds.jsonl").read_text()
    assert command("replay", "-", cwd=folder, typed=text) == (0, of_dealer, "")
    unverified = json.loads(replay(folder, "cup.jsonl", "--json").out)["unverified"]
    assert unverified == ["entrant", "late", "names", "seconds"]


def test_a_forged_cost_is_not_listed_though_its_chain_fits(folder: Path, tmp_path: Path) -> None:
    chain, forged = "", []
    for number, text in enumerate((folder / "cup.jsonl").read_text().splitlines()):
        told = json.loads(text)
        del told["chain"]
        if number == 0:
            told["seats"][0]["hands"][0]["decisions"][0]["cost"] += 0.25
        text, chain = chained(told, chain)
        forged.append(f"{text}\n")
    (tmp_path / "cup.jsonl").write_text("".join(forged))
    for options in ((), ("--worst", "1"), ("--round", "1"), ("--output", "new.jsonl")):
        done = replay(tmp_path, "cup.jsonl", *options)
        assert (done.status, done.out) == (1, ""), options
        assert "line 1: seats[0].hands[0].decisions[0].cost is " in done.err, options


def test_a_change_is_told_by_its_line(folder: Path, tmp_path: Path) -> None:
    written = (folder / "rounds.jsonl").read_text().splitlines(keepends=True)
    told = json.loads(written[6])
    told["time"] = "2020-01-01T00:00:00.000Z"
    written[6] = json.dumps(told) + "\n"
    (tmp_path / "changed.jsonl").write_text("".join(written))
    done = replay(tmp_path, "changed.jsonl")
    assert (done.status, done.out) == (1, "")
    first, second = done.err.splitlines()
    assert first.startswith("replay: changed.jsonl, line 7: chain does not follow from the line before")
    assert second == "replay: 1 of 30 lines does not follow from the rules"
    done = replay(tmp_path, "changed.jsonl", "--json")
    verdict = json.loads(done.out)
    assert (done.status, verdict["rounds"], verdict["lines"], verdict["faulty"]) == (1, 29, 30, 1)
    assert verdict["faults"][0]["line"] == 7
    assert verdict["chain"] == json.loads(written[-1])["chain"]


def test_what_is_wrong_with_several_lines_is_told_once(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text("rounds = 5\n\n[[entrant]]\n" * 30)
    sentence = "replay: cup.toml is no history: expected one round of JSON on each line\n"
    assert replay(tmp_path, "cup.toml") == (1, "", sentence)
    right, wrong = (folder / "rounds.jsonl").read_text().splitlines()[0], '{"round":'
    (tmp_path / "rounds.jsonl").write_text("\n".join([right, wrong, "[]", wrong]))
    assert replay(tmp_path, "rounds.jsonl").err.splitlines() == [
        "replay: rounds.jsonl, lines 2, 4: it is not JSON: it was cut or damaged",
        "replay: rounds.jsonl, line 3: it is not an object of JSON: it was cut or damaged",
        "replay: 3 of 4 lines do not follow from the rules",
    ]


def test_a_part_of_a_history_says_where_its_chain_begins(folder: Path, tmp_path: Path) -> None:
    written = (folder / "rounds.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text("".join(written[20:]))
    done = replay(tmp_path, "part.jsonl")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "10 rounds verified: every card, payoff and cost follows from the rules",
        "the chain begins at line 1, with round 21: the rounds before it are in another file",
        "not verified, since nothing else determines them: connection, names, time",
    ]
    assert json.loads(replay(tmp_path, "part.jsonl", "--json").out)["begins"] == 21


def test_a_round_is_shown_step_by_step(folder: Path) -> None:
    done = replay(folder, "rounds.jsonl", "--round", "5")
    assert done.status == 0
    assert done.out.startswith("Round 5 of table 1, by course: ada\nada gets ")
    assert done.out == replay(folder, "rounds.jsonl", "--line", "5").out
    told = json.loads((folder / "rounds.jsonl").read_text().splitlines()[4])
    for card in told["seats"][0]["hands"][0]["cards"]:
        assert f"ada gets {card}: " in done.out
    assert f"ada: {told['outcomes'][0]} " in done.out
    assert "The decisions cost " in done.out
    shown = json.loads(replay(folder, "cup.jsonl", "--round", "2", "--entrant", "prog1", "--json").out)
    assert [(one["line"], one["history"]["names"]) for one in shown] == [(7, ["prog1"])]
    assert shown[0]["steps"][0][0] == "Round 2 of table 2, by course: prog1"


def test_the_costliest_rounds_are_listed(folder: Path) -> None:
    done = replay(folder, "rounds.jsonl", "--worst", "4", "--json")
    worst = json.loads(done.out)
    assert len(worst) == 4
    assert [one["cost"] for one in worst] == sorted((one["cost"] for one in worst), reverse=True)
    wrote = replay(folder, "rounds.jsonl", "--output", "costs.jsonl")
    assert wrote.out.startswith("30 rounds verified, and written to costs.jsonl; what the decisions cost")
    assert replay(folder, "costs.jsonl").out.startswith("30 rounds verified")
    assert json.loads(replay(folder, "costs.jsonl", "--worst", "4", "--json").out) == worst
    table = replay(folder, "costs.jsonl", "--worst", "1").out.splitlines()
    assert table[0].split() == ["line", "round", "table", "cost", "players"]
    assert table[1].split() == [str(worst[0]["line"])] * 2 + ["1", f"{worst[0]['cost']:.6f}", "ada"]


def test_what_cannot_be_done_is_one_sentence(folder: Path) -> None:
    (folder / "empty.jsonl").touch()
    (folder / "note.txt").write_text("hello\n")
    no_rounds = "empty.jsonl has no rounds: expected a history"
    for options, status, sentence in (
        ("nothing.jsonl", 1, "nothing.jsonl: no such file or directory"),
        ("empty.jsonl", 1, f"{no_rounds}, one round on each line"),
        ("empty.jsonl --output new.jsonl", 1, no_rounds),
        ("rounds.jsonl --round 99", 1, "rounds.jsonl has no round 99"),
        ("rounds.jsonl --line 99", 1, "rounds.jsonl has no line 99"),
        ("rounds.jsonl --round 1 --entrant bob", 1, "has no round 1 in which bob plays"),
        ("rounds.jsonl --worst 1 --entrant bob", 1, "has no rounds in which bob plays of"),
        ("rounds.jsonl --entrant ada", 2, "--entrant is only for --round and --worst"),
        ("rounds.jsonl --round 1 --worst 1", 2, "expected one of --round or --line, --worst"),
        ("rounds.jsonl --round 1 --line 1", 2, "--line names one round"),
        ("note.txt --line 1", 1, "note.txt, line 1: it is not JSON"),
        ("note.txt --output new.jsonl", 1, "line 1: it is not JSON: it was cut or damaged; nothing"),
        (".", 1, "is a directory"),
    ):
        done = replay(folder, *options.split())
        assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), (options, done)
        assert sentence in done.err, (options, done)
        assert not (folder / "new.jsonl").exists(), options


@pytest.mark.check
def test_on_a_terminal_a_round_is_shown_until_q_is_pressed(folder: Path) -> None:
    main, terminal = pty.openpty()
    words = interruptible(Path(sys.executable).parent / "replay", "rounds.jsonl", "--line", "1")
    with subprocess.Popen(words, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        try:
            os.close(terminal)  # so that reading fails, and does not wait, once the process has ended
            shown = ""
            while "q: quit" not in shown:
                assert select.select([main], [], [], PATIENCE)[0], f"nothing more was shown than {shown!r}"
                shown += os.read(main, 4096).decode()
            assert "Round 1 of table 1, by course: ada" in shown
            os.write(main, b"q")
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            os.close(main)


@pytest.mark.check
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the processes of another")
def test_ctrl_c_ends_a_verification(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_bytes((folder / "rounds.jsonl").read_bytes() * 2000)
    process = start("replay", "long.jsonl", cwd=tmp_path)
    assert eventually(lambda: children(process.pid))
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.status, done.out, done.err) == (130, "", "replay: interrupted\n")


def test_a_reader_that_has_enough_is_no_fault_of_the_file(folder: Path) -> None:
    process = start("replay", "rounds.jsonl", "--worst", "30", cwd=folder)
    assert process.stdout is not None
    process.stdout.close()
    _, told = process.communicate(timeout=PATIENCE)
    assert "rounds.jsonl" not in told
