"""The commands `tournament run`, `standings` and `export`, as they are typed."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers.inside import inside
from tests.helpers.processes import Finished, command
from tests.tournament.cups import policy, program, write
from tournament.cli import main
from tournament.results.export import COLUMNS
from tournament.run import Run, Stopped
from twentyone.support.command import CommandError

TWO = (policy("mimic"), policy("thirteen", "threshold:13"))


def tournament(cup: Path, name: str, *options: object) -> Finished:
    """What one of the commands says that look at a tournament."""
    return inside(main, "tournament", name, cup, *options, cwd=cup.parent)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that is over: without exact values, since shoes are kept."""
    file = write(tmp_path_factory.mktemp("run"), *TWO, head='rules = "casino"\n')
    length = ("--rounds", 300, "--seed", 4, "--kept-shoe", "--at-once", 1)
    files = ("--html", "page.html", "--export", "json")
    finished = command("tournament", "run", file, *length, *files, cwd=file.parent)
    rounds = f"tournament: every round is in {file.with_suffix('')}/rounds.json"
    told, *said = finished.err.splitlines()
    assert (finished.status, said) == (0, [rounds, "tournament: the report is in page.html"])
    assert re.fullmatch("tournament: the SHA-256 of the seed and of 128 random bits is [0-9a-f]{64}", told)
    assert told[-64:] in " ".join(finished.out.split())
    assert finished.out.startswith("entrant ")
    return file


def test_options_of_a_run_are_kept_with_its_results(cup: Path) -> None:
    page = (cup.parent / "page.html").read_text()
    assert "thirteen" in page
    rows = json.loads((cup.parent / "cup" / "rounds.json").read_text())
    assert len(rows) == 2 * 300 and list(rows[0]) == list(COLUMNS)
    assert {row["lost"] for row in rows} == {None}


def test_standings_are_those_of_the_run(cup: Path) -> None:
    told = tournament(cup, "standings", "--json", "--html", "again.html")
    assert told.err == "tournament: the report is in again.html\n"
    found = json.loads(told.out)
    assert (found["rounds"], found["is_over"]) == (300, True)
    pages = [(cup.parent / name).read_text() for name in ("again.html", "page.html")]
    first, second = (re.sub(r"Made on \S+", "", text) for text in pages)
    assert first == second
    assert tournament(cup, "standings").out.startswith("entrant ")
    refused = tournament(cup, "standings", "--html", f"{cup.name}/page.html")
    assert (refused.status, refused.out) == (1, "")
    assert refused.err.startswith(f"tournament: the report {cup.name}/page.html cannot be written: ")


def test_a_run_that_is_over_goes_on_with_the_seed_that_was_kept(cup: Path) -> None:
    """The file has none, and that of the first run is not said again."""
    length = ("--rounds", 300, "--kept-shoe", "--json", "--html", "page.html")
    again = tournament(cup, "run", *length)
    assert (again.status, again.err) == (0, "tournament: the report is in page.html\n")
    assert again.out == tournament(cup, "standings", "--json", "--html", "page.html").out
    other = tournament(cup, "run", *length, "--seed", 5)
    assert (other.status, other.out) == (2, "") and "seed was 4, and is 5" in other.err


def test_whatever_ends_a_run_is_told_with_how_it_goes_on(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    length = ("--rounds", 300, "--kept-shoe")
    for error, status, said in (
        (Stopped(), 130, "stopped: everybody has 300 of 300 rounds, and all that was played is kept"),
        (CommandError("the disk is full"), 1, "the disk is full"),
    ):

        def ended(_: Run, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(Run, "play", ended)
        again = f"to go on: tournament run {cup} --rounds 300 --kept-shoe"
        assert tournament(cup, "run", *length) == (status, "", f"tournament: {said}; {again}\n")


def test_the_status_says_whether_all_took_part_to_the_end(cup: Path) -> None:
    shutil.copytree(cup.with_suffix(""), cup.parent / "part")
    for kind, status in (("out", 0), ("does not start", 1)):
        with closing(sqlite3.connect(cup.parent / "part" / "results.sqlite")) as database, database:
            row = f"(match, round, entrant, kind, text) VALUES (1, 9, 'mimic', '{kind}', 'it ended')"
            database.execute(f"INSERT INTO faults {row}")
        done = tournament(cup, "run", "--rounds", 300, "--kept-shoe", "--folder", "part")
        assert done.status == status
        assert ("tournament: not ranked: mimic (does not start)\n" in done.err) == bool(status)
        said = (
            "mimic is out in round 10:"
            if not status
            else "mimic does not start in round 10, and is not ranked:"
        )
        assert said in done.out
        assert tournament(cup, "standings", "--folder", "part").status == 0


def test_every_format_has_every_round(cup: Path) -> None:
    for name in ("rounds.csv", "rounds.parquet", "rounds.jsonl"):
        assert tournament(cup, "export", name).status == 0
    from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    table = parquet.read_table(cup.parent / "rounds.parquet")
    assert table.column_names == list(COLUMNS)
    lines = (cup.parent / "rounds.csv").read_text().splitlines()
    assert [float(line.split(",")[5]) for line in lines[1:]] == table["payoff"].to_pylist()
    assert len((cup.parent / "rounds.jsonl").read_text().splitlines()) == 600
    bare = tournament(cup, "export", "--format", "csv", "--no-times")
    assert bare.out.splitlines() == [line.rpartition(",")[0] for line in lines]


def test_what_cannot_be_exported_is_said(cup: Path) -> None:
    for options, status, said in (
        (("--format", "xml"), 2, "there is no format 'xml': expected csv, json, parquet or history"),
        (("--format", "parquet"), 2, "Parquet is not text: expected a FILE"),
        (("none/rounds.csv",), 1, "none/rounds.csv cannot be written: no such file or directory"),
        (("--folder", "none"), 1, "none/results.sqlite is not there: expected one that tournament run"),
    ):
        finished = tournament(cup, "export", *options)
        assert (finished.status, finished.out) == (status, "") and said in finished.err


@pytest.mark.parametrize("name", [".", "/", "a.folder"])
def test_a_folder_in_the_place_of_the_file_of_a_tournament_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.folder").mkdir()
    done = command("tournament", "standings", name, cwd=tmp_path)
    said = f"tournament: {name} is a folder: expected the file of a tournament, or --folder {name}\n"
    assert (done.status, done.out, done.err) == (2, "", said)


def told_of(file: Path, *options: object) -> str:
    """What a run of one process tells as JSON."""
    done = command("tournament", "run", file, "--json", "--at-once", 1, *options, cwd=file.parent)
    assert done.status == 0, done.err
    return done.out


@pytest.mark.check
def test_a_seed_that_was_drawn_is_kept(tmp_path: Path) -> None:
    file = write(tmp_path, *TWO, head="rounds = 50\n")
    assert told_of(file) == told_of(file)


@pytest.mark.check
def test_until_sure_ends_at_the_same_round_whatever_was_played(tmp_path: Path) -> None:
    file = write(tmp_path, policy("basic"), policy("random"), head="rounds = 3000\nseed = 2\n")
    sure = json.loads(told_of(file, "--until-sure"))
    assert sure["rounds"] == sure["sure_after"] < 3000
    whole = json.loads(told_of(file))
    assert (whole["rounds"], whole["sure_after"]) == (3000, None)
    assert json.loads(told_of(file, "--until-sure")) == sure


@pytest.mark.check
def test_programs_are_confined_and_the_report_says_so(tmp_path: Path) -> None:
    """All of it once: the program is started by the name of its Python, and connects from its sandbox."""
    file = write(tmp_path, program("bot", 15), policy("basic"), head='rounds = 20\nconfine = "required"\n')
    done = command("tournament", "run", file, "--json", cwd=file.parent)
    if "programs cannot be confined" in done.err:
        assert done.status == 1
        pytest.skip(done.err.strip())
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert {each["name"]: each["confined"] for each in told["ranking"]} == {"bot": True, "basic": None}
    assert told["seed_hash"] in done.err and str(told["seed"]) not in done.err
    assert "1 entrant ran confined by bubblewrap: bot." in tournament(file, "standings").out
