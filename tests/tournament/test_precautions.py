"""What a run does before the first round, so that nobody has to trust the organiser or a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournament.cups import policy, program, write
from tournament import entrants
from tournament.commands import precautions
from tournament.playing import bubblewrap
from tournament.playing.programs import command_of, player_seed
from tournament.results import store
from tournament.settings import Entrant
from twentyone.support.command import CommandError

LARGE = 2**60 + 1


def said(
    file: Path, capsys: pytest.CaptureFixture[str], has_seed: bool = True, is_typed: bool = False
) -> list[str]:
    """What is said before a tournament, but for the hash, which comes first."""
    folder = file.with_suffix("")
    with store.open_for(folder / "results.sqlite", entrants.read(file)) as kept:
        precautions.take(kept, file, folder, has_seed=has_seed, is_typed=is_typed)
        first, *others = capsys.readouterr().err.splitlines()
        assert first == f"tournament: the SHA-256 of the seed and of 128 random bits is {kept.seed_hash}"
    return others


def written(folder: Path, *of: str, head: str, mode: int = 0o600) -> Path:
    """A file of a tournament, in a new folder."""
    folder.mkdir()
    file = write(folder, *of, head=head)
    file.chmod(mode)
    return file


def test_warnings_are_for_tournaments_of_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bubblewrap, "box_for", lambda *_: "of a reason")
    policies = (policy("a", "mimic"), policy("b", "basic"))
    assert said(written(tmp_path / "1", *policies, head="seed = 1\n", mode=0o644), capsys) == []
    programs = (program("p", 15), *policies)
    unconfined, *others = said(written(tmp_path / "2", *programs, head=f"seed = {LARGE}\n"), capsys)
    assert "programs cannot be confined, since of a reason" in unconfined and others == []
    file = written(tmp_path / "3", *programs, head=f"seed = {2**48 - 1}\n", mode=0o640)
    few, modes, unconfined = said(file, capsys, is_typed=True)
    assert "the seed is below 2^48" in few
    assert f"{file} has the seed, and its mode 640 lets others read it" in modes
    assert "the list of processes" in unconfined
    assert file.stat().st_mode & 0o777 == 0o640
    no_seed = written(tmp_path / "4", *programs, head=f"seed = {LARGE}\n", mode=0o644)
    assert len(said(no_seed, capsys, has_seed=False)) == 1


def test_who_cannot_be_confined_is_refused_where_that_is_required(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("def play(observation):\n    return 0\n")
    head = f'confine = "required"\nseed = {LARGE}\n'
    monkeypatch.setattr(bubblewrap, "box_for", lambda *_: "of a reason")
    policies = (policy("a", "mimic"), policy("mine", f"{tmp_path / 'mine.py'}:play"))
    for name, of, why in (
        ("1", (program("p", 15), policies[0]), "programs cannot be confined, since of a reason"),
        ("2", policies, "mine is Python that plays within the tournament itself"),
    ):
        file = written(tmp_path / name, *of, head=head)
        with pytest.raises(CommandError) as caught:
            said(file, capsys)
        assert str(caught.value) == f'{file} has confine = "required", but {why}'
    assert said(written(tmp_path / "3", policies[0], policy("b", "basic"), head=head), capsys) == []


def test_no_process_is_told_the_seed() -> None:
    """Neither the seed nor one near it: from what the project's own player gets, none follows."""
    seeds = {player_seed(LARGE, names, name) for names in ("abc", "abd", "ab") for name in names}
    assert len(seeds) == 8 and all(abs(seed - LARGE) > 1000 and 0 <= seed < 2**63 for seed in seeds)
    words = command_of(Entrant("a", policy="random"), "127.0.0.1", 1, player_seed(LARGE, "ab", "a"))
    assert words[-2:] == ("--seed", str(player_seed(LARGE, "ab", "a")))
