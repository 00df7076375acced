"""Entrants that come later, change or go: what counts for whom, and what is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS
from tournament.results import report
from tournament.results.statistics import standing
from tournament.results.stopping import Stopping
from tournament.results.store import Store, open_for
from tournament.results.versions import is_same, sources_of
from tournament.settings import Block, Entrant, Fault, Settings, first_state
from twentyone.support.command import CommandError

A, B, C = (
    Entrant(name, policy=policy) for name, policy in zip("abc", ("mimic", "basic", "random"), strict=True)
)
OPEN = Settings(PRESETS["course"], 200, 4521, (A, B), is_open=True)
SHOWDOWN = Settings(replace(PRESETS["showdown"], seats=2), 8, 4521, (A, B), is_open=True)


def play(store: Store, number: int, rounds: int, tenths: int = 0) -> None:
    """Rounds of a match, each of which pays its first entrant so much, and the second the opposite."""
    match = store.settings.matches[number]
    before = store.state_of(match)
    places = len(match.entrants)
    lost = np.full((rounds, 1), abs(tenths) / 100) if places == 1 else None
    fault = Fault(
        match.entrants[0], number, before.round, "does not start", "it ended\nKeyError: Queen of Hearts"
    )
    store.add(
        Block(
            match=number,
            before=before,
            after=replace(before, round=before.round + rounds),
            scripts=["S" * places] * rounds,
            payoffs=np.array([[tenths, -tenths][:places]] * rounds, np.int32),
            lost=lost,
            faults=[fault] if tenths == -10 else (),
        )
    )


def told(path: Path, settings: Settings) -> tuple[Store, list[str]]:
    said: list[str] = []
    return open_for(path, settings, said.append), said


def test_only_what_is_missing_is_left_and_rounds_before_a_change_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with told(path, OPEN)[0] as store:
        play(store, 0, 200)
        play(store, 1, 200)
    changed = replace(B, policy="threshold:15")
    kept, said = told(path, replace(OPEN, entrants=(C, changed, A)))  # in another order, too
    assert said == ["c has come", "b has changed: its rounds so far are kept as b, version 1"]
    with kept as store:
        assert [store.played(match) for match in store.settings.matches] == [0, 0, 200]
        assert store.results().waiting == ["c", "b"]
        play(store, 0, 50)
        play(store, 1, 30)
        found = standing(store.results())
    assert [
        (row.name, row.rounds, row.rank is None) for row in (found.rows[each] for each in found.order)
    ] == [
        ("a", 200, False),
        ("b", 30, False),
        ("c", 50, False),
        ("b, version 1", 200, True),
    ]
    assert {(pair.first, pair.second) for pair in found.pairs} == {(0, 1), (0, 2), (1, 2)}
    assert found.unranked == []
    kept, said = told(path, replace(OPEN, entrants=(A, C)))
    assert said == ["b is not in the file any more, and is left out"]
    kept.close()
    kept, said = told(path, replace(OPEN, entrants=(A, changed, C)))  # it comes back, and is the same
    with kept as store:
        assert (said, store.played(store.settings.matches[1])) == (["b has come"], 30)


def test_rows_say_when_each_was_played(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    for day, numbers in ((date(2026, 10, 5), (0, 1)), (date(2026, 11, 2), (0,))):
        with Store(path, writes=True, today=lambda day=day: day) as store:  # type: ignore[misc]
            store.tell(OPEN)
            for number in numbers:
                play(store, number, 10)
    with Store(path) as store:
        found = report.ranking(standing(store.results())).splitlines()
    assert found[1].endswith("2026-10-05 to 2026-11-02") and found[2].endswith("  2026-10-05")


def test_rounds_with_an_earlier_version_count_for_that_version_alone(tmp_path: Path) -> None:
    """Showdown: a wins all against the first b, and loses all against the second."""
    path = tmp_path / "r.sqlite"
    with told(path, SHOWDOWN)[0] as store:
        play(store, 0, 8, 10)
    with told(path, replace(SHOWDOWN, entrants=(replace(B, policy="random"), A)))[0] as store:
        play(store, 0, 8, -10)
        results = store.results()
    rows = {row.name: row for row in standing(results).rows}
    assert {name: (row.payoff.mean, row.rounds) for name, row in rows.items()} == {
        "a": (-1.0, 8),
        "b": (1.0, 8),
        "b, version 1": (-1.0, 8),
    }
    assert rows["a"].ended is not None and rows["b, version 1"].ended is None
    assert rows["a"].ended.errors == [], "they may name cards"


def test_a_seed_that_is_kept_is_in_no_sentence(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    told(path, OPEN)[0].close()
    for settings, expected in (
        (replace(OPEN, seed=2), "seed is another one; give another --folder"),
        (replace(OPEN, rules=PRESETS["vegas"]), "rules: preset was course, and is vegas"),
        (replace(OPEN, is_open=False), "is open: expected open = true in the file until tournament close"),
    ):
        with pytest.raises(CommandError) as caught:
            told(path, settings)
        assert expected in str(caught.value) and "4521" not in str(caught.value)


def test_when_it_is_closed_nothing_may_change_and_the_seed_is_told_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with told(path, OPEN)[0] as store:
        play(store, 0, 200)
        play(store, 1, 200)
        before = store.results()
        assert before.trust is not None and before.trust.as_json()["seed"] is None and not before.is_over
        store.close_entries()
        after = store.results()
        assert after.trust is not None and after.trust.as_json()["seed"] == 4521 and after.is_over
        with pytest.raises(CommandError, match="is closed already"):
            store.close_entries()
    for settings in (OPEN, replace(OPEN, is_open=False)):
        told(path, settings)[0].close()
    for entrants, expected in (
        ((A, B, C), "its entrants were a, b, and are a, b, c"),
        ((A, replace(B, policy="random")), "policy of entrant b was basic, and is random"),
    ):
        with pytest.raises(CommandError, match="is closed, and nothing may change") as caught:
            told(path, replace(OPEN, entrants=entrants))
        assert expected in str(caught.value)


def test_a_new_entrant_is_looked_at_after_as_many_rounds_as_the_others_have(tmp_path: Path) -> None:
    """The others were told apart after 157; the looks before are not for the new one."""
    path = tmp_path / "r.sqlite"
    with told(path, OPEN)[0] as store:
        play(store, 0, 180, 10)
        play(store, 1, 180, 0)
        store.sure_after = 157
    with told(path, replace(OPEN, entrants=(A, B, C)))[0] as store:
        assert (store.floor, store.sure_after) == (157, None)
        play(store, 2, 199, 5)
        assert not Stopping(store).is_sure(156)


def test_an_older_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as database, database:
        database.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        database.execute("INSERT INTO about VALUES ('format', 'twentyone tournament 2')")
    with pytest.raises(
        CommandError, match="knew entrants by their places in the file: expected another --folder"
    ):
        Store(tmp_path / "old.sqlite")


def test_seats_and_cards_go_by_names_and_not_by_the_order_in_the_file() -> None:
    names = [
        {tuple(told.entrants[each].name for each in match.entrants) for match in told.matches}
        for order in ((A, B, C), (C, A, B), (B, C, A))
        for told in [replace(SHOWDOWN, entrants=order)]
    ]
    assert names == [{("a", "b"), ("a", "c"), ("b", "c")}] * 3
    assert first_state(SHOWDOWN, SHOWDOWN.matches[0]).round == 0


def version(entrant: Entrant) -> dict[str, object]:
    return {"policy": entrant.policy, "listen": entrant.listen, "version": entrant.version} | {
        "sources": sources_of(entrant)
    }


def test_a_version_is_its_contents_wherever_they_lie(tmp_path: Path) -> None:
    """The hash of a policy's file, of a file that the command names, and of the folder that is copied."""

    def made(where: str, text: str) -> tuple[Entrant, ...]:
        folder = tmp_path / where
        (folder / "own" / "deep").mkdir(parents=True, exist_ok=True)
        for name in ("play.py", "own/bot.py", "own/deep/table"):
            (folder / name).write_text(text)
        play = str(folder / "play.py")
        return (
            Entrant("a", policy=f"{play}:play"),
            Entrant("b", command=("python3", play, f"--table={play}")),
            Entrant("c", command=("python3", "bot.py"), folder=folder / "own"),
            Entrant("d", listen=("127.0.0.1", 9000 + len(where)), version=text),
        )

    first = [version(each) for each in made("one", "x")]
    for where, text, expected in (("elsewhere", "x", True), ("one", "y", False)):
        for before, now in zip(first, made(where, text), strict=True):
            assert is_same(before, version(now)) is expected, now
    deep = made("two", "x")[2]
    before = version(deep)
    (tmp_path / "two" / "own" / "__pycache__").mkdir()
    (tmp_path / "two" / "own" / "__pycache__" / "bot.pyc").touch()
    assert is_same(before, version(deep)), "Python writes it by itself"
    (tmp_path / "two" / "own" / "deep" / "table").write_text("z")
    assert not is_same(before, version(deep))
