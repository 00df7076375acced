"""Names at the limits of SPEC ("Names"), through everything that writes and reads a tournament."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from html import escape
from pathlib import Path

import pytest

from cards import PRESETS
from tests.tournament.cups import policy, program, write
from tests.tournament.replay.made import results_of, settings_of
from tournament import entrants
from tournament.playing.programs import command_of, file_name
from tournament.replay.frames import rounds
from tournament.replay.history import lines
from tournament.replay.verify import verify_file
from tournament.results.export import as_csv, as_json, rows, write_parquet
from tournament.results.page import page
from tournament.results.statistics import standing
from tournament.settings import Entrant, Results
from twentyone.support.csv_lines import MARKED

NAMES = (
    "😀" * 16,  # four bytes each, as many as a message takes
    "王" * 22,
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθ",
    "x" * 32,
    "100%25",
    "a/b",
    "..",
    "\u1ebf\u0301\u0301",
    "two words",
    "NA",
    "-1",
    "<b>&amp;",
    "\",'{port}",
)


@pytest.fixture(scope="module")
def results() -> Results:
    settings = settings_of(PRESETS["course"], len(NAMES), rounds=4)
    named = tuple(Entrant(name, command=("./prog",)) for name in NAMES)
    return results_of(replace(settings, entrants=named))


def test_every_name_that_join_takes_is_one_of_a_file(tmp_path: Path) -> None:
    of = [program(json.dumps(name, ensure_ascii=False)[1:-1], 15) for name in NAMES]
    found = entrants.read(write(tmp_path, *of)).entrants
    assert tuple(each.name for each in found) == NAMES
    assert entrants.read(write(tmp_path, policy("e\u0301", "mimic"), of[0])).entrants[0].name == "é"


def test_a_program_is_given_the_word_that_its_join_takes() -> None:
    entrant = Entrant("Zoë {port}", command=("bot", "{host}:{port}", "{name}"))
    assert command_of(entrant, "h", 1, 0) == ("bot", "h:1", "Zo%C3%AB%20{port}")
    assert "Zoë {port}" in command_of(replace(entrant, policy="mimic"), "h", 1, 0)


def test_names_of_files_are_no_paths_and_short_enough_for_a_file_system() -> None:
    files = [file_name(name) for name in NAMES]
    assert not any("/" in file or file.startswith(".") for file in files)
    assert len(set(files)) == len(files) and max(map(len, files)) <= 255 - len(".log")


def test_exports_keep_names(results: Results, tmp_path: Path) -> None:
    said: list[str] = []
    told = csv.DictReader(io.StringIO("".join(as_csv(rows(results), notify=said.append)), newline=""))
    read = [row["entrant"] for row in told]
    assert read[::4] == [f"'{name}" if name in ("NA", "-1") else name for name in NAMES]
    assert said == [MARKED]
    assert [row["entrant"] for row in json.loads("".join(as_json(rows(results))))][::4] == list(NAMES)
    pytest.importorskip("pyarrow")
    from pyarrow.parquet import read_table  # type: ignore[import-untyped, import-not-found, unused-ignore]

    with (tmp_path / "cup.parquet").open("wb") as file:
        write_parquet(rows(results), file)
    assert read_table(tmp_path / "cup.parquet")["entrant"].to_pylist()[::4] == list(NAMES)


def test_a_history_and_its_array_keep_names(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines(results)))
    assert rounds(path)["name"][::4].tolist() == list(NAMES)
    assert verify_file(path).faulty == 0


def test_the_page_shows_names_and_takes_none_for_markup(results: Results) -> None:
    text = page(results, standing(results), "<b>&amp;", date(2026, 2, 3))
    assert all(escape(name) in text for name in NAMES)
    assert "<b>&amp;" not in text
