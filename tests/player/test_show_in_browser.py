"""`training --show-in-browser`: the page of a run, its figures and its picture, beside a real dealer."""

from __future__ import annotations

import http.client
import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import pytest

from cards import Rules
from cards.words import table_in_words
from player import watching
from player.address import Address
from player.trainer import Plan, Trainer
from player.web import __main__ as page_process
from player.web.board import Board
from player.web.figures import figures_of, picture_of, points_of
from player.web.serving import Server
from player.web.snapshot import Learned, Snapshot
from tests.helpers.house import House
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import finish, start
from tests.helpers.training_page import ENDLESS, no_window
from tests.player.typed import TABLE, sentence, train
from twentyone.exact import solving
from twentyone.exact.named import named
from twentyone.learning.learners import learner_for
from twentyone.learning.methods import End
from twentyone.learning.settings import knobs_for
from twentyone.learning.showing import TableView
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import SHAPE
from twentyone.policies.table_files import load
from twentyone.support.command import CommandError

__all__ = ["no_window"]  # a fixture

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.usefixtures("no_window")

IMPATIENT = """
import player.watching
player.watching.LAST = 1.0
from player.cli import training_main
training_main()
"""
"""The command, which kills the process of the page if that has not drawn the last picture in a second."""

PNG = b"\x89PNG\r\n\x1a\n"


class Answer(NamedTuple):
    """What the page's server answers."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(address: str, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.getheaders()), answer.read())
    finally:
        connection.close()


def states(address: str) -> Iterator[dict[str, Any]]:
    """The states that the page shows one after the other, each newer than the one before."""
    version = -1
    while True:
        state = json.loads(ask(address, f"/state.json?after={version}").body)
        assert state["version"] >= version
        version = state["version"]
        yield state


@contextmanager
def watched(
    folder: Path, port: int, rounds: int, *options: object
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A run that shows its page, and the page's address; what still runs at the end is killed."""
    words = ("127.0.0.1", port, rounds, "--show-in-browser", *options)
    run = start("training", *words, cwd=folder, code=IMPATIENT)
    try:
        assert run.stderr is not None
        said = re.fullmatch(r"training: the page is (http://127\.0\.0\.1:\d+/)\n", run.stderr.readline())
        assert said
        yield run, said[1]
    finally:
        if run.poll() is None:
            run.kill()
            run.communicate()


# What the page says.


def learned(rounds: int, visits: int = 0) -> Learned:
    """A table that knows nothing, although each cell was visited so often."""
    origin = Origin(Rules(), "qlearning", rounds)
    return Learned(ActionValues(np.zeros(SHAPE), np.full(SHAPE, visits), origin), [])


@pytest.mark.parametrize(("rounds", "points"), [(0, []), (1, [1])])
def test_a_table_without_a_round_has_no_point_on_a_logarithmic_scale(rounds: int, points: list[int]) -> None:
    assert [point["rounds"] for point in points_of(learned(rounds))] == points


def test_the_figures_are_those_of_the_snapshot() -> None:
    first = figures_of(Snapshot(0, 50, 0.0, None, None, None))
    assert (first["phase"], first["done"], first["points"]) == ("waiting", 0, [])
    assert first["sentence"] == "Waiting for the dealer's first round."
    assert first["figures"] == [("Rounds", "0 of 50"), ("Rounds per second", "0")]
    going = figures_of(Snapshot(2_000, 8_000, 0.5, -0.25, 0.0123, learned(3_000)))
    assert (going["phase"], going["done"], going["sentence"]) == ("training", 0.25, "Training goes on.")
    # A table that knows nothing stands on everything.
    value = solving.evaluate(Rules(), named("threshold:0", Rules()).hit).value
    best = solving.solve(Rules()).value
    (point,) = going["points"]
    assert point == pytest.approx({"rounds": 3_000, "value": value, "best_chart": best, "gap": best - value})
    assert going["figures"] == [
        ("Rounds", "2,000 of 8,000"),
        ("Rounds per second", "4,000"),
        ("Rounds of all runs", "3,000"),
        ("Mean payoff while learning", "\u22120.2500 \u00b1 0.0123"),
        ("Value of the table after 3,000 rounds", f"\u2212{-value:.4f}"),
        ("Value of the best chart", "\u22120.0428"),
        ("Lost to the best chart", f"{best - value:.6f}"),
        ("Method", "qlearning"),
        ("Rules", table_in_words(Rules())),
    ]
    ended = figures_of(Snapshot(9, 9, 0.5, 1.0, None, learned(9), "It is over."))
    assert (ended["phase"], ended["sentence"], ended["done"]) == ("ended", "It is over.", 1)
    assert dict(ended["figures"])["Mean payoff while learning"] == "+1.0000"
    assert "Rounds of all runs" not in dict(ended["figures"])


def test_the_process_of_the_page_takes_snapshots_until_training_has_ended_or_is_gone() -> None:
    many = 2 * page_process.MOST_PAYOFFS
    snapshots = [Snapshot(0, many, 0.0, None, None, None)]
    snapshots += [Snapshot(n, many, 1.0, n / many, None, learned(n)) for n in (1, 2, 3)]
    for end in (None, "Training has ended: all rounds were played."):
        board = Board()
        sent = io.BytesIO()
        for snapshot in snapshots:
            pickle.dump(snapshot, sent)
        if end is not None:
            pickle.dump(Snapshot(3, many, 1.0, 0.5, None, None, end), sent)
        sent.seek(0)
        inbox = page_process._Inbox(sent, board)
        inbox.read()
        last = inbox.take()
        assert last.end == end or (end is None and last.end == "Training has ended before its time.")
        document = board.wait(-1, 0)
        assert (document["phase"], document["version"]) == ("ended", 5)
        payoffs = [(1, 1 / many), (2, 2 / many), (3, 3 / many)]
        assert document["payoffs"] == (payoffs if end else [*payoffs, (3, 3 / many)])


def test_of_too_many_mean_payoffs_every_other_is_kept() -> None:
    inbox = page_process._Inbox(io.BytesIO(), Board())
    for number in range(page_process.MOST_PAYOFFS + 1):
        inbox._note_payoff(Snapshot(number, 1_000, 1.0, 0.5, None, learned(number)))
    assert inbox._payoffs == [(number, 0.5) for number in range(0, page_process.MOST_PAYOFFS + 1, 2)]


ENDINGS = {
    End.DONE: "all rounds were played",
    End.CONVERGED: "learning has converged",
    End.GAP: "the gap is small enough",
    End.DEALER: "the dealer ended first",
    End.INTERRUPTED: "it was interrupted",
}


@contextmanager
def in_place_of_the_page(folder: Path, script: str) -> Iterator[None]:
    """Another program is started for the page; `$4` is the file of the table."""
    program, started = folder / "page", list[subprocess.Popen[bytes]]()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)

    real = subprocess.Popen

    def popen(*words: Any, **how: Any) -> subprocess.Popen[bytes]:
        started.append(real(*words, **how))
        return started[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(program))
        patch.setattr(subprocess, "Popen", popen)
        yield
    (process,) = started
    with process:  # which closes its streams
        assert process.poll() is not None


@pytest.mark.parametrize(("end", "sentence"), ENDINGS.items(), ids=[end.name for end in ENDINGS])
def test_the_process_of_the_page_is_told_how_training_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: End, sentence: str
) -> None:
    monkeypatch.setattr(watching, "EVERY", PATIENCE)
    trainer = Trainer(Plan(Address("127.0.0.1", 1), 9, 1, seed=7), lambda _: pytest.fail("it plays"), print)
    trainer.learner = learner_for("qlearning", knobs_for("qlearning"), Rules())
    trainer.end, trainer.played = end, 3
    told = tmp_path / "told"
    with (
        in_place_of_the_page(tmp_path, 'echo http://127.0.0.1:1/ && exec cat > "$4"'),
        watching.Watching(told) as page,
    ):
        assert page.address == "http://127.0.0.1:1/"
        page.end(trainer, [])
    snapshot = pickle.loads(told.read_bytes())
    assert (snapshot.played, snapshot.rounds, snapshot.mean_payoff) == (3, 9, None)
    assert snapshot.end == f"Training has ended: {sentence}."
    assert snapshot.learned.table.origin == Origin(Rules(), "qlearning", 0, 7)
    assert snapshot.learned.table.values.ravel().tolist() == trainer.learner.values()


def test_a_page_that_cannot_be_served_is_one_sentence(tmp_path: Path) -> None:
    with (
        in_place_of_the_page(tmp_path, "exit 1"),
        pytest.raises(CommandError, match="the page for the browser cannot be served: expected a free port"),
    ):
        watching.Watching(tmp_path / "told")


def test_without_a_dealer_the_sentence_is_the_usual_one_and_the_page_ends(tmp_path: Path) -> None:
    with in_place_of_the_page(tmp_path, "echo http://127.0.0.1:1/ && exec cat > told"):
        done = train(tmp_path, 1, 10, "--show-in-browser")
    page, said = done.err.splitlines()
    assert (done.status, done.out, page) == (1, "", "training: the page is http://127.0.0.1:1/")
    assert said.startswith("training: cannot connect to 127.0.0.1 port 1: ")


# Its server.


@contextmanager
def served(board: Board) -> Iterator[str]:
    """The page of a board; gives its address."""
    server = Server(board)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def test_only_its_own_files_are_served_under_its_own_names() -> None:
    board = Board()
    with served(board) as address:
        page = ask(address, "/")
        assert page.status == 200
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert b"style=" not in page.body and b"<style" not in page.body
        assert b"<noscript>" in page.body
        for path in re.findall(rb'(?:src|href)="(/[^"]*)"', page.body):
            assert ask(address, path.decode()).status == 200
        here = urlsplit(address).port
        assert ask(address, "/", Host=f"localhost:{here}").status == 200
        # A foreign name that leads here would let its pages read this one.
        assert ask(address, "/state.json", Host=f"example.org:{here}").status == 403
        for path in ("/player/web/watch.js", "/../pyproject.toml", "/qtables/qtable.txt"):
            assert ask(address, path).status == 404
        assert (ask(address, "/index.html", "HEAD").status, ask(address, "/", "HEAD").body) == (200, b"")
        absolute = [f"http://{host}:{here}/" for host in ("LOCALHOST", "example.org")]
        assert [ask(address, target).status for target in absolute] == [200, 403]
        assert ask(address, "/", "POST").status == 501
        assert not board.was_looked_at and not board.is_looked_at(PATIENCE)
        board.picture = PNG
        assert ask(address, "/picture.png").body == PNG
        assert board.was_looked_at and board.is_looked_at(PATIENCE)


def test_a_page_waits_for_what_is_newer_than_what_it_has() -> None:
    board = Board()
    with served(board) as address:
        for after in ("", "?after=-1", "?after=" + "9" * 5000, "?after=x"):
            state = json.loads(ask(address, f"/state.json{after}").body)
            assert (state["version"], state["phase"], state["last"]) == (0, "waiting", False)
        answers: list[dict[str, Any]] = []
        waiting = threading.Thread(
            target=lambda: answers.append(json.loads(ask(address, "/state.json?after=0").body))
        )
        waiting.start()
        assert eventually(lambda: board._waiting)
        assert board.is_looked_at(0) and not answers
        board.put(phase="training")
        waiting.join(PATIENCE)
    assert [(state["version"], state["phase"]) for state in answers] == [(1, "training")]


# Runs.


@pytest.mark.check
def test_the_page_grows_with_training_and_ctrl_c_loses_nothing(tmp_path: Path, port: int) -> None:
    with watched(tmp_path, port, ENDLESS) as (run, address):
        done = []
        for later in states(address):
            done.append(later["done"])
            if later["grids"] and len(later["points"]) > 1:
                break
        assert (later["phase"], later["picture"]) == ("training", False)
        assert [grid["title"] for grid in later["grids"]] == [
            f"{kind} hands: {what}" for kind in ("Hard", "Soft") for what in ("learned", "best", "EV lost")
        ]
        # Basic strategy hits 16 against a 10 and stands on 16 against a 6.
        sixteen = next(row["cells"] for row in later["grids"][1]["rows"] if row["name"] == "16")
        assert (sixteen[8][0], sixteen[4][0]) == ("H", "S")
        assert done == sorted(done)
        assert later["points"][-1]["rounds"] > later["points"][0]["rounds"] == 100
        assert re.search(r"[\d,]+ of [\d,]+ decisions \([\d.]+%\) are the best", later["words"])
        run.send_signal(signal.SIGINT)
        assert finish(run).status == 130
    assert load(tmp_path / TABLE).rounds >= later["points"][-1]["rounds"]


@pytest.mark.check
def test_the_page_shows_snapshots_and_keeps_the_last_picture_until_it_has_been_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its process, as a thread here: the time in which a page may ask is the test's."""
    servers: list[Server] = []

    def new_server(board: Board) -> Server:
        servers.append(Server(board))
        return servers[0]

    monkeypatch.setattr(page_process, "NICENESS", 0)
    monkeypatch.setattr(page_process, "SHARE", 1.0)  # it leaves no time to training between its looks
    for name in ("LOOKED_AT", "LAST_LOOK", "QUIET"):
        monkeypatch.setattr(page_process, name, PATIENCE)
    monkeypatch.setattr(page_process, "Server", new_server)
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as snapshots, os.fdopen(writing, "wb", 0) as training:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(snapshots))
        page = threading.Thread(target=page_process.main, args=(tmp_path / "q.txt",), daemon=True)
        page.start()
        assert eventually(lambda: servers)
        address = f"http://127.0.0.1:{servers[0].port}/"
        shown_states = states(address)
        assert next(shown_states)["phase"] == "waiting"
        pickle.dump(Snapshot(2_000, 8_000, 0.5, -0.25, 0.0123, learned(3_000, 1)), training)
        state = next(state for state in shown_states if state["grids"])
        assert (state["phase"], state["picture"], state["last"]) == ("training", False, False)
        assert state["words"].startswith("What was learned in 3,000 rounds, beside the best decisions. ")
        pickle.dump(Snapshot(8_000, 8_000, 0.9, -0.25, 0.0123, learned(9_000, 1), "It is over."), training)
        state = next(state for state in shown_states if state["last"])
        assert (state["sentence"], state["picture"], state["done"]) == ("It is over.", True, 1)
        assert "learned in 9,000 rounds" in state["words"]
        assert ask(address, "/picture.png").body.startswith(PNG)
        assert page.is_alive()
        servers[0].board.is_looked_at = lambda within: False  # type: ignore[method-assign]
        page.join(PATIENCE)
        assert not page.is_alive()
        servers[0].shutdown()
        servers[0].server_close()
    assert capsys.readouterr().out == f"{address}\n"


@pytest.mark.check
def test_the_last_picture_is_the_one_that_plot_writes(tmp_path: Path) -> None:
    what = learned(3_000, visits=1)
    TableView(what.table, Path("q.txt")).draw(tmp_path / "plot.png", what.points)
    assert picture_of(what, Path("q.txt")) == (tmp_path / "plot.png").read_bytes()


@pytest.mark.check
def test_what_happens_to_the_page_does_not_end_training(tmp_path: Path, house: House) -> None:
    with watched(tmp_path, house.port, ENDLESS) as (run, address):
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        if not children.exists():
            pytest.skip("the processes that a process has started are not listed here")
        (page,) = children.read_text().split()
        os.kill(int(page), signal.SIGKILL)
        before = house.tally("training").rounds
        assert eventually(lambda: house.tally("training").rounds > before + 500)
        run.send_signal(signal.SIGINT)
        assert finish(run).status == 130
    assert load(tmp_path / TABLE).rounds > 400
    with pytest.raises(OSError):
        ask(address, "/")


@pytest.mark.check
def test_the_page_ends_with_training_that_is_killed(tmp_path: Path, port: int) -> None:
    with watched(tmp_path, port, ENDLESS) as (run, address):
        assert next(states(address))["phase"] in ("waiting", "training")
        run.kill()
        run.communicate()

    def is_gone() -> bool:
        try:
            ask(address, "/favicon.svg")
        except (OSError, http.client.HTTPException):  # the latter: it was killed in the middle of its answer
            return True
        return False

    assert eventually(is_gone)


@pytest.mark.check
def test_the_browser_is_opened_where_there_is_one_and_training_ends_as_always(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > opening && mv opening opened\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with watched(tmp_path, port, 500) as (run, address):
        ended = finish(run)
        assert eventually((tmp_path / "opened").exists)
    assert (tmp_path / "opened").read_text() == f"{address}\n"
    assert (ended.status, ended.err) == (0, "")
    assert "500 rounds in " in ended.out
    with pytest.raises(OSError):
        ask(address, "/")


def test_without_matplotlib_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = sentence(train(tmp_path, 1, 10, "--show-in-browser"), 1)
    missing = "pictures need matplotlib, which is not installed: pip install 'twentyone[plot]'"
    assert said == f"training: {missing}"
