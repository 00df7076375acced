"""The database: blocks whole or not at all, for one tournament, written by one run at a time."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS
from tournament.results import store
from tournament.results.export import as_csv, as_json, rows
from tournament.results.stopping import Stopping
from tournament.results.store import Store
from tournament.settings import Block, Entrant, Fault, Settings, first_state
from twentyone.support.command import CommandError

SETTINGS = Settings(
    rules=PRESETS["course"],
    rounds=10,
    seed=1,
    entrants=(Entrant("a", policy="mimic"), Entrant("b", command=("sh", "{port}"))),
)


def block(match: int, first: int, rounds: int, settings: Settings = SETTINGS, seconds: bool = False) -> Block:
    """Rounds of which round r is `H` and `S`, pays r tenths, and took r and r seconds."""
    before = replace(first_state(settings, settings.matches[match]), round=first)
    numbers = np.arange(first, first + rounds)
    return Block(
        match=match,
        before=before,
        after=replace(before, round=first + rounds, starts=(1,)),
        scripts=["HS"] * rounds,
        payoffs=numbers.astype(np.int32)[:, None],
        lost=numbers.astype(np.float64)[:, None] / 8,
        seconds=np.repeat(numbers, 2).astype(np.float32) if seconds else None,
        faults=[Fault(match, match, first, "late", "its clock decided")] if seconds else (),
    )


def filled(path: Path, settings: Settings = SETTINGS) -> Store:
    """Match 0 has 7 rounds in two blocks, match 1 has 6 in two."""
    kept = store.open_for(path, settings)
    for match, first, rounds in ((0, 0, 3), (0, 3, 4), (1, 0, 4), (1, 4, 2)):
        kept.add(block(match, first, rounds, seconds=match == 1))
    return kept


def test_what_counts_is_what_all_have(tmp_path: Path) -> None:
    path = tmp_path / "cup" / "results.sqlite"
    with filled(path), Store(path) as reader:  # it is read while it is written
        results = reader.results()
    assert (results.rounds, results.is_over, results.sure_after) == (6, False, None)
    for payoffs in results.payoffs:
        assert payoffs.dtype == np.int32 and payoffs[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    assert results.lost is not None and results.lost[1][:, 0].tolist() == [n / 8 for n in range(6)]
    assert [times.tolist() for times in results.thinking] == [[], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]]
    assert [(each.round, each.kind) for each in results.faults] == [(0, "late"), (4, "late")]
    assert [len(each.scripts) for each in results.blocks(0)] == [3, 3]
    assert [len(each.faults) for each in results.blocks(1)] == [1, 1]


def test_a_match_goes_on_where_its_last_block_ends(tmp_path: Path) -> None:
    first, second = SETTINGS.matches
    with filled(tmp_path / "r.sqlite") as kept:
        assert kept.state_of(first) == replace(first_state(SETTINGS, first), round=7, starts=(1,))
        assert kept.played(second) == 6
        with pytest.raises(CommandError, match="UNIQUE constraint"):
            kept.add(block(1, 4, 2))
        assert kept.played(second) == 6


def test_rounds_behind_the_decision_do_not_count(tmp_path: Path) -> None:
    with filled(tmp_path / "r.sqlite") as kept:
        kept.sure_after = 4
        results = kept.results()
    assert (results.rounds, results.is_over, results.sure_after) == (4, True, 4)
    assert [each.tolist() for each in results.thinking] == [[], [0, 0, 1, 1, 2, 2, 3, 3]]
    assert len(results.faults) == 1


def test_another_tournament_is_refused_but_not_more_rounds(tmp_path: Path) -> None:
    assert store.seed_kept_in(tmp_path / "r.sqlite") is None
    filled(tmp_path / "r.sqlite").close()
    assert store.seed_kept_in(tmp_path / "r.sqlite") == 1
    a, b = SETTINGS.entrants
    for told, said in (
        (replace(SETTINGS, seed=2), "seed was 1, and is 2"),
        (replace(SETTINGS, rules=PRESETS["vegas"]), "rules: preset was course, and is vegas"),
        (replace(SETTINGS, entrants=(a, replace(b, name="c"))), "entrants were a, b, and are a, c"),
        (replace(SETTINGS, is_open=True), "began without open = true, so its rounds could be seen"),
        (
            replace(SETTINGS, entrants=(replace(a, policy="random"), b)),
            "policy of entrant a was mimic, and is random",
        ),
        (replace(SETTINGS, rounds=9), "rounds is 9, but 10 were asked for before"),
        (replace(SETTINGS, clocks=replace(SETTINGS.clocks, bank=1.0)), "clocks: bank was 10.0, and is 1.0"),
    ):
        with pytest.raises(CommandError) as caught:
            store.open_for(tmp_path / "r.sqlite", told)
        assert said in str(caught.value)
    with store.open_for(tmp_path / "r.sqlite", replace(SETTINGS, rounds=20)) as kept:
        assert kept.settings == replace(SETTINGS, rounds=20)
        assert kept.results().rounds == 6


@pytest.mark.parametrize(("dearer", "sure_after"), [(0.4, 100), (0.0, None)])
def test_it_stops_after_the_first_look_that_is_sure_whatever_was_played(
    dearer: float, sure_after: int | None, tmp_path: Path
) -> None:
    """Looks are after 100 rounds and 125; who has played 130 has been sure since the first, or never."""
    settings = replace(SETTINGS, rounds=150)
    for asked in ((99, 100), (99, 130)):
        path = tmp_path / f"{asked[-1]}.sqlite"
        with store.open_for(path, settings) as kept:
            for match, lost in ((0, 0.0), (1, dearer)):
                played, nothing = block(match, 0, 130, settings), np.zeros((130, 1), np.int32)
                kept.add(replace(played, payoffs=nothing, lost=np.full((130, 1), lost)))
            stopping = Stopping(kept)
            assert [stopping.is_sure(rounds) for rounds in asked] == [False, sure_after is not None]
            assert kept.sure_after == sure_after
            assert kept.results().rounds == (sure_after or 130)


def test_another_content_of_a_policy_file_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def play(observation): return True\n")
    entrants = (Entrant("a", policy=f"{mine}:play"), SETTINGS.entrants[1])
    store.open_for(tmp_path / "r.sqlite", replace(SETTINGS, entrants=entrants)).close()
    mine.write_text("def play(observation): return False\n")
    with pytest.raises(CommandError, match=r"what entrant a plays by, .*, has another content"):
        store.open_for(tmp_path / "r.sqlite", replace(SETTINGS, entrants=entrants))


def test_one_run_at_a_time_writes(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with filled(path), pytest.raises(CommandError, match="is in use: expected one run of this tournament"):
        store.open_for(path, SETTINGS)
    store.open_for(path, SETTINGS).close()


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_text("a text, and long enough to be taken for the header of something")
    with pytest.raises(CommandError, match=r"r\.sqlite cannot be used: file is not a database"):
        store.open_for(tmp_path / "r.sqlite", SETTINGS)
    sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE about (name, value)").close()
    with pytest.raises(CommandError, match="is not the database of a tournament"):
        Store(tmp_path / "other.sqlite")


def test_rows_are_told_as_csv_and_as_json(tmp_path: Path) -> None:
    with filled(tmp_path / "r.sqlite") as kept:
        results = kept.results()
    told = list(as_csv(rows(results)))
    assert [*told[:3], *told[-2:]] == [
        "match,round,entrant,seat,script,payoff,lost,faults,seconds\n",
        "1,1,a,1,HS,0,0.0,,\n",
        "1,2,a,1,HS,0.1,0.125,,\n",
        "2,5,b,1,HS,0.4,0.5,late,8.0\n",
        "2,6,b,1,HS,0.5,0.625,,10.0\n",
    ]
    assert list(as_json(rows(results), times=False))[:2] == [
        '[\n{"match": 1, "round": 1, "entrant": "a", "seat": 1, "script": "HS", "payoff": 0.0, "lost": 0.0,'
        ' "faults": ""}',
        ',\n{"match": 1, "round": 2, "entrant": "a", "seat": 1, "script": "HS", "payoff": 0.1, "lost": 0.125,'
        ' "faults": ""}',
    ]


def test_tokens_are_known_to_who_plays_and_are_in_no_file(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    tls = (tmp_path / "cert.pem", tmp_path / "key.pem")
    far = Entrant("far", listen=("127.0.0.1", 9001), tls=tls, token="a-secret-word")
    told = replace(SETTINGS, entrants=(*SETTINGS.entrants, far))
    for _ in range(2):
        with store.open_for(path, told) as kept:
            assert kept.settings == told
        with Store(path) as reader:
            assert reader.settings.entrants[2] == replace(far, token=None)
    assert b"a-secret-word" not in path.read_bytes()


def test_the_seed_is_fixed_before_the_first_round_and_told_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with filled(path) as kept:
        told_before, trust = kept.seed_hash, kept.results().trust
    assert trust is not None
    assert trust.as_json() == {"seed_hash": told_before, "seed": None, "random_bits": None}
    assert not any(trust.bits in note or "seed was" in note for note in trust.notes())
    with store.open_for(path, SETTINGS) as kept:  # it goes on, with the same bits
        kept.sure_after = 4
        trust = kept.results().trust
    assert trust is not None
    assert trust.as_json() == {"seed_hash": told_before, "seed": 1, "random_bits": trust.bits}
    assert len(trust.bits) == 32 and hashlib.sha256(f"1 {trust.bits}".encode()).hexdigest() == told_before
    with store.open_for(tmp_path / "other.sqlite", SETTINGS) as other:
        assert other.seed_hash != told_before


def test_an_entrant_that_ever_ran_without_being_confined_was_not(tmp_path: Path) -> None:
    with filled(tmp_path / "r.sqlite") as kept:
        for confined in ({"a": True, "b": False}, {"b": True}, {"a": True}):
            kept.note_confined(confined)
        trust = kept.results().trust
    assert trust is not None and trust.confined == {"a": True, "b": False}
    assert trust.notes()[:2] == [
        "1 entrant ran confined by bubblewrap: a.",
        "1 entrant ran without being confined: b.",
    ]


def test_the_database_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    path.touch(0o644)  # as a copy of it may be
    path.chmod(0o644)
    with filled(path):
        files = [each for each in tmp_path.iterdir() if each.suffix != ".lock"]
        assert {each.name for each in files} == {"r.sqlite", "r.sqlite-wal", "r.sqlite-shm"}
        assert {each.stat().st_mode & 0o777 for each in files} == {0o600}
