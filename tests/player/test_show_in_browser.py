"""`training --show-in-browser`: the page of a run, its figures and its picture, beside a real dealer."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from cards import Rules
from player.web.figures import points_of
from player.web.snapshot import Learned
from policies.qtable import SHAPE, Origin, load
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import dealing, finish, start
from tests.player.test_training_command import TABLE

pytest.importorskip("matplotlib")

PNG = b"\x89PNG\r\n\x1a\n"
ENDLESS = 10**9

WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from player.cli import training_main
training_main()
"""


class Answer(NamedTuple):
    """What the page's server answers."""

    status: int
    headers: dict[str, str]
    body: bytes


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dealer that the tests share."""
    with dealing(tmp_path_factory.mktemp("dealer")) as port:
        yield port


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window opens on the screen of whoever runs the tests."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


def shown(folder: Path, port: int, rounds: int, *options: object) -> tuple[subprocess.Popen[str], str]:
    """A run that shows its page, and the page's address."""
    run = start("training", "127.0.0.1", port, rounds, "--show-in-browser", *options, cwd=folder)
    assert run.stderr is not None
    said = run.stderr.readline()
    address = re.fullmatch(r"training: the page is (http://127\.0\.0\.1:\d+/)\n", said)
    assert address, said
    return run, address[1]


def ask(address: str, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return Answer(answer.status, dict(answer.getheaders()), body)


def state_of(address: str, after: int = -1) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(ask(address, f"/state.json?after={after}").body)
    return state


def states(address: str) -> Iterator[dict[str, Any]]:
    """The states that the page shows one after the other, each newer than the one before."""
    version = -1
    while True:
        state = state_of(address, version)
        assert state["version"] >= version
        version = state["version"]
        yield state


@pytest.mark.parametrize(("rounds", "points"), [(0, []), (1, [1])])
def test_a_table_without_a_round_has_no_point_on_a_logarithmic_scale(rounds: int, points: list[int]) -> None:
    cells = prod(SHAPE)
    learned = Learned([0.0] * cells, [0] * cells, Origin(Rules(), "qlearning", rounds), [])
    assert [point["rounds"] for point in points_of(learned)] == points


def interrupt(run: subprocess.Popen[str]) -> int:
    run.send_signal(signal.SIGINT)
    return finish(run).status


def test_the_page_grows_with_training_and_ctrl_c_loses_nothing(tmp_path: Path, port: int) -> None:
    run, address = shown(tmp_path, port, ENDLESS)
    seen = []
    for state in states(address):
        seen.append(state)
        if state["grids"] and state["points"]:
            break
    later = seen[-1]
    assert not later["picture"]
    assert [grid["title"] for grid in later["grids"]] == [
        *("Hard hands: learned", "Hard hands: best", "Hard hands: EV lost"),
        *("Soft hands: learned", "Soft hands: best", "Soft hands: EV lost"),
    ]
    # Basic strategy hits 16 against a 10 and stands on 16 against a 6.
    sixteen = next(row["cells"] for row in later["grids"][1]["rows"] if row["name"] == "16")
    assert (sixteen[8][0], sixteen[4][0]) == ("H", "S")
    done = [state["done"] for state in seen]
    assert done == sorted(done)
    assert later["phase"] == "training"
    assert later["points"][-1]["rounds"] > later["points"][0]["rounds"] == 100
    # The best total-dependent policy of the course's rules.
    assert {round(point["optimum"], 7) for point in later["points"]} == {-0.0428061}
    assert re.search(r"[\d,]+ of [\d,]+ decisions \([\d.]+%\) are the best", later["words"])
    run.send_signal(signal.SIGINT)
    last = next(state for state in states(address) if state["last"])
    assert last["sentence"] == "Training has ended: it was interrupted."
    assert last["picture"]
    assert ask(address, "/picture.png").body.startswith(PNG)
    assert finish(run).status == 130
    rounds = load(tmp_path / TABLE).rounds
    assert dict(last["figures"])["Rounds"] == f"{rounds:,} of {ENDLESS:,}"
    assert f"learned in {rounds:,} rounds" in last["words"]


def test_the_last_picture_is_the_one_that_plot_writes(tmp_path: Path, port: int) -> None:
    run, address = shown(tmp_path, port, 3_000, "--plot=plot.png", "--json")
    last = next(state for state in states(address) if state["last"])
    picture = ask(address, "/picture.png").body
    done = finish(run)
    assert (done.status, done.err) == (0, "training: the picture is plot.png\n")
    assert picture == (tmp_path / "plot.png").read_bytes()
    report = json.loads(done.out)
    assert last["done"] == 1
    assert last["points"][-1]["value"] == pytest.approx(report["grade"]["value"], abs=1e-12)
    reached, differing = report["grade"]["reachable_cells"], report["grade"]["differing_cells"]
    assert f"{reached - differing:,} of {reached:,} decisions" in last["words"]


def test_nobody_looks_and_training_ends_as_always(tmp_path: Path, port: int) -> None:
    started, address = shown(tmp_path, port, 500)
    ended = finish(started)
    assert (ended.status, ended.err) == (0, "")
    assert "500 rounds in " in ended.out
    with pytest.raises(OSError):
        ask(address, "/")


def test_a_run_goes_on_from_its_table(tmp_path: Path, port: int) -> None:
    first, _ = shown(tmp_path, port, 700)
    finish(first)
    second, address = shown(tmp_path, port, ENDLESS)
    state = next(state for state in states(address) if state["phase"] == "training")
    assert [point["rounds"] for point in state["points"]][:4] == [100, 150, 200, 300]
    figures = dict(state["figures"])
    played = int(figures["Rounds"].split()[0].replace(",", ""))
    assert figures["Rounds of all runs"] == f"{played + 700:,}"
    assert interrupt(second) == 130


def test_only_its_own_files_are_served_under_its_own_names(tmp_path: Path, port: int) -> None:
    run, address = shown(tmp_path, port, ENDLESS)
    page = ask(address, "/")
    assert page.status == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert b"style=" not in page.body
    assert b"<style" not in page.body
    for path in re.findall(rb'(?:src|href)="(/[^"]*)"', page.body):
        assert ask(address, path.decode()).status == 200
    here = urlsplit(address).port
    assert ask(address, "/", Host=f"localhost:{here}").status == 200
    # A foreign name that leads here would let its pages read this one.
    assert ask(address, "/state.json", Host=f"example.org:{here}").status == 403
    for path in ("/player/web/watch.js", "/../pyproject.toml", "/qtables/qtable.txt"):
        assert ask(address, path).status == 404
    assert ask(address, "/", "POST").status == 501
    assert state_of(address, -1)["phase"] in ("waiting", "training")
    assert ask(address, "/state.json?after=" + "9" * 5000).status == 200
    assert interrupt(run) == 130


def test_what_happens_to_the_page_does_not_end_training(tmp_path: Path) -> None:
    with dealing(tmp_path) as port:
        run, address = shown(tmp_path, port, 30_000, "--seed=1")
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        if not children.exists():
            pytest.skip("the processes that a process has started are not listed here")
        (page,) = children.read_text().split()
        os.kill(int(page), signal.SIGKILL)
        assert finish(run).status == 0
    assert load(tmp_path / TABLE).rounds == 30_000
    with pytest.raises(OSError):
        ask(address, "/")


def test_the_page_ends_with_training_that_is_killed(tmp_path: Path, port: int) -> None:
    run, address = shown(tmp_path, port, ENDLESS)
    assert state_of(address)["phase"] in ("waiting", "training")
    run.kill()
    run.communicate()
    last = next(state for state in states(address) if state["last"])
    assert last["sentence"] == "Training has ended before its time."

    def is_gone() -> bool:
        try:
            ask(address, "/favicon.svg")
        except OSError:
            return True
        return False

    assert eventually(is_gone)


def test_the_browser_is_opened_where_there_is_one(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\nimport sys, urllib.request\n"
        "opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))\n"
        "state = opener.open(sys.argv[1] + 'state.json').read()\n"
        "open('opened', 'w').write(sys.argv[1])\n"
    )
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    # Training may be over before a browser has started: the page waits for it.
    run, address = shown(tmp_path, port, 50)
    assert finish(run).status == 0
    assert (tmp_path / "opened").read_text() == address


def test_without_matplotlib_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MATPLOTLIB, "127.0.0.1", "1", "10", "--show-in-browser"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "training: pictures need matplotlib, which is not installed: pip install 'twentyone[plot]'\n"
    )


def test_without_a_dealer_the_sentence_is_the_usual_one(tmp_path: Path) -> None:
    run, _ = shown(tmp_path, 1, 10)
    done = finish(run)
    assert done.status == 1
    assert done.err.startswith("training: cannot connect to 127.0.0.1 port 1: ")
