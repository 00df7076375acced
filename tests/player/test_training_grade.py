"""What `training` says of the table at its end: how good it is, cell by cell, and as a picture."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cards import Rules
from exact import grades, named
from policies import decisions
from policies.qtable import load
from tests.helpers.patience import eventually
from tests.helpers.processes import command, dealing, finish, start


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dealer that many tests share."""
    with dealing(tmp_path_factory.mktemp("dealer")) as port:
        yield port


def test_the_grade_is_that_of_the_table_and_comes_again_when_it_is_resumed(tmp_path: Path, port: int) -> None:
    for rounds in (1000, 2000):
        done = command("training", "127.0.0.1", port, 1000, "--table=q.txt", "--json", cwd=tmp_path)
        document = json.loads(done.out)
        table = load(tmp_path / "q.txt")
        assert table.rounds == rounds
        grade = grades.grade(Rules(), decisions.greedy(table, "q.txt"))
        assert document["grade"] == grade.as_json() | grade.best_values()
        assert document["no_exact_value"] is document["random_play_limit"] is None
    graded = command("analysis", "value", "q.txt", "--json", cwd=tmp_path)
    (policy,) = json.loads(graded.out)["policies"]
    assert policy.items() <= document["grade"].items()


def test_the_text_ends_with_the_grade(tmp_path: Path, port: int) -> None:
    done = command("training", "127.0.0.1", port, 1000, "--table=q.txt", cwd=tmp_path)
    grade = grades.grade(Rules(), decisions.greedy(load(tmp_path / "q.txt"), "q.txt"))
    assert done.out.endswith(f"\n{grades.grade_text(grade)}\n")
    assert len(grade.mistakes) == 5
    assert max(map(len, done.out.splitlines())) <= 80


def test_random_play_is_graded_with_the_limit_of_its_method(tmp_path: Path, port: int) -> None:
    options = ("--method=random-play", "--table=c.txt")
    done = command("training", "127.0.0.1", port, 500, *options, cwd=tmp_path)
    assert "limit of the method random-play, however long it learns" in done.out
    done = command("training", "127.0.0.1", port, 500, *options, "--json", cwd=tmp_path)
    document = json.loads(done.out)
    limit = grades.grade(Rules(), named.random_play_limit(Rules()))
    assert document["random_play_limit"] == {"value": limit.value, "gap": limit.gap}
    assert 0.06 < limit.gap < 0.08


def test_interrupted_it_is_graded_all_the_same(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--history=history") as port:
        training = start("training", "127.0.0.1", port, 10**8, "--json", cwd=tmp_path)
        assert eventually(lambda: (tmp_path / "history").stat().st_size > 10_000)
        training.send_signal(signal.SIGINT)
        done = finish(training)
    assert done.status == 130
    assert json.loads(done.out)["grade"]["gap"] > 0


def test_under_rules_without_an_exact_form_one_line_says_so(tmp_path: Path) -> None:
    with dealing(tmp_path, 0, "--rules=casino") as port:
        done = command("training", "127.0.0.1", port, 300, "--table=q.txt", cwd=tmp_path)
    assert done.status == 0
    assert done.out.splitlines()[-1].startswith("no exact value: a shoe that is reshuffled by penetration:")


def test_the_table_is_shown_and_drawn(tmp_path: Path, port: int) -> None:
    options = ("--table=q.txt", "--show", "--plot=q.png")
    done = command("training", "127.0.0.1", port, 1000, *options, cwd=tmp_path)
    assert (done.status, done.err.splitlines()[-1]) == (0, "training: the picture is q.png")
    lines = done.out.splitlines()
    assert "H hit, S stand; the learned value in initial bets; * not the best decision" in lines
    assert sum(line[:4] == "  21" for line in lines) == 2  # hard and soft
    assert (tmp_path / "q.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_is_refused_before_a_round_is_played(tmp_path: Path, port: int) -> None:
    done = command("training", "127.0.0.1", port, 10, "--plot=q.gif", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("training: the picture q.gif has no known format: expected ")
    assert not any(tmp_path.iterdir())
