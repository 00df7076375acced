"""A tournament with `open = true`, from its commands on: nobody sees a card before it is closed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cards import CARDS
from tests.helpers.inside import inside
from tests.helpers.processes import Finished, command
from tests.tournament.cups import entrant, policy, program, write
from tournament.cli import main

pytestmark = pytest.mark.check

SEED = 7_205_759_403_792_794
HEAD = f'open = true\nrounds = 120\nseed = {SEED}\nrules = "vegas"\n'


def run(cup: Path, name: str, *options: object) -> Finished:
    return inside(main, "tournament", name, cup, *options, cwd=cup.parent)


def rows_of(finished: Finished) -> dict[str, tuple[int, bool]]:
    ranking = json.loads(finished.out)["ranking"]
    return {row["name"]: (row["rounds"], row["rank"] is None) for row in ranking}


def test_entrants_come_change_and_go_until_it_is_closed(tmp_path: Path) -> None:
    """A term: one program changes in its folder, one entrant comes, one goes; then all is shown."""
    own = tmp_path / "own"
    own.mkdir()
    words = 'command = ["python3", "bot.py", "{host}", "{port}", "{name}", "15", "none"]'
    mine = entrant("mine", 'folder = "own"', words)
    cup = write(tmp_path, policy("basic"), policy("mimic"), mine, head=HEAD)
    (own / "bot.py").write_text((tmp_path / "bot.py").read_text())
    first = command("tournament", "run", cup, "--json", "--at-once", 1, cwd=tmp_path)
    assert rows_of(first) == dict.fromkeys(("basic", "mimic", "mine"), (120, False))

    (own / "bot.py").write_text((tmp_path / "bot.py").read_text() + "# better\n")
    write(tmp_path, program("late", 17), mine, policy("basic"), head=HEAD)
    second = command("tournament", "run", cup, "--json", "--at-once", 1, cwd=tmp_path)
    assert rows_of(second) == {
        "basic": (120, False),
        "late": (120, False),
        "mine": (120, False),
        "mine, version 1": (120, True),
    }
    assert "mine has changed: its rounds so far are kept as mine, version 1" in second.err
    figures = [
        {row["name"]: row["payoff"] for row in json.loads(each.out)["ranking"]} for each in (first, second)
    ]
    assert figures[0]["basic"] == figures[1]["basic"], "who stays keeps its rounds"
    assert figures[1]["mine"] == figures[1]["mine, version 1"], "the same play has the same cards"

    shown = [first, second, run(cup, "standings", "--html", "page.html"), run(cup, "standings", "--json")]
    report = (tmp_path / "page.html").read_text()
    page = re.sub(r"<script>.*?</script>", "", report, flags=re.DOTALL)  # a comment there names a card
    text = page + "".join(each.out + each.err for each in shown)
    assert str(SEED) not in text and not any(str(card) in text for card in CARDS)
    assert "Cards are shown once the tournament is closed." in report and "thousandths in all" in report
    assert json.loads(shown[-1].out)["seed"] is None and json.loads(shown[-1].out)["is_open"]
    for refused in (run(cup, "export"), run(cup, "run", "--export", "history")):
        assert refused.out == "" and refused.status != 0
        assert re.fullmatch(r"tournament: \S+ is open, so no card of its rounds is shown: .*\n", refused.err)

    for options in ((), ("--round", 1), ("--worst", 1), ("--output", "new.jsonl")):
        refused = command("replay", "cup/results.sqlite", *options, cwd=tmp_path)
        assert refused.err.startswith("replay: cup/results.sqlite is the database of a tournament: expected")
        assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)

    closed = run(cup, "close", "--json")
    assert (closed.status, json.loads(closed.out)["seed"]) == (0, SEED)
    assert "Cards are shown" not in (tmp_path / "cup" / "report.html").read_text()
    exported = run(cup, "export", "--format", "history", "h.jsonl")
    assert exported.status == 0
    assert "480 rounds verified" in command("replay", "h.jsonl", cwd=tmp_path).out
    assert run(cup, "close").err.endswith(
        "is closed already: expected the results of a tournament with open = true\n"
    )


def test_who_comes_later_has_the_rounds_of_a_tournament_in_which_it_was_there(tmp_path: Path) -> None:
    """Under showdown too, where policies draw: seats, cards and random numbers go by names."""
    head = (
        HEAD.replace('rules = "vegas"\n', "").replace("120", "12")
        + '[rules]\npreset = "showdown"\nseats = 2\n'
    )
    three = {name: policy(name, text) for name, text in (("x", "random"), ("a", "random"), ("m", "mimic"))}
    exports = []
    for folder, orders in (("late", ("xm", "amx")), ("whole", ("mxa",))):
        (tmp_path / folder).mkdir()
        for order in orders:
            cup = write(tmp_path / folder, *(three[name] for name in order), head=head)
            assert command("tournament", "run", cup, "--at-once", 1, cwd=tmp_path).status == 0
        assert run(cup, "close").status == 0
        lines = run(cup, "export", "--no-times").out.splitlines()[1:]
        exports.append(sorted(line.partition(",")[2] for line in lines))
    assert exports[0] == exports[1] and len(exports[0]) == 3 * 2 * 12


def test_until_sure_a_new_entrant_catches_up_first(tmp_path: Path) -> None:
    cup = write(tmp_path, policy("basic"), policy("random"), head=HEAD.replace("120", "5000"))
    sure = json.loads(command("tournament", "run", cup, "--until-sure", "--json", cwd=tmp_path).out)[
        "sure_after"
    ]
    write(tmp_path, policy("basic"), policy("random"), policy("mimic"), head=HEAD.replace("120", "5000"))
    again = json.loads(command("tournament", "run", cup, "--until-sure", "--json", cwd=tmp_path).out)
    assert again["sure_after"] >= sure
    assert {row["rounds"] for row in again["ranking"]} == {again["sure_after"]}
