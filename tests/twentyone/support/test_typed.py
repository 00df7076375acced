"""The command line that is running, typed again."""

from __future__ import annotations

import shlex
import sys

import pytest

from twentyone.support.typed import completed, rest_again, seed_option, typed_again


def test_it_is_what_was_typed_quoted_for_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ["simulate", "1M", "--checkpoint", "a b.json", "--rules=casino"]
    monkeypatch.setattr(sys, "argv", ["/bin/analysis", *typed])
    line = typed_again("analysis", 1, "--seed", "5")
    assert line == "analysis simulate --seed 5 1M --checkpoint 'a b.json' --rules=casino"
    assert shlex.split(typed_again("analysis", 1)) == ["analysis", *typed]


def test_the_rest_of_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = ("--json", "--show", "--fresh")
    for typed, rest in {
        "h 8088 1M --fresh --json": "h 8088 5 --json",
        "--json 1e6 --seed 1000000": "--json 5 --seed 1000000",
        "h 8088 --seed 1000000 --show 1_000_000 --table q": "h 8088 --seed 1000000 --show 5 --table q",
        "ws://h:1/ws 1,000,000 --seed=1000000": "ws://h:1/ws 5 --seed=1000000",
    }.items():
        monkeypatch.setattr(sys, "argv", ["training", *typed.split()])
        line = rest_again("training", 0, "--x", rounds=10**6, left=5, flags=flags, without="--fresh")
        assert line == f"training --x {rest}"
        monkeypatch.setattr(sys, "argv", ["analysis", "learn", *typed.split()])
        line = rest_again("analysis", 1, rounds=10**6, left=5, flags=flags, without="--fresh")
        assert line == f"analysis learn {rest}"


def test_the_arguments_that_are_missing_stand_beside_those_that_were_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for typed, whole in {
        "": "h 1",
        "8088 --until-gap 0.002": "h 8088 1 --until-gap 0.002",
        "--json 8088": "h --json 8088 1",
        "--table 'a b' --show": "h 1 --table 'a b' --show",
        "8088 --seed=8088": "h 8088 1 --seed=8088",
    }.items():
        monkeypatch.setattr(sys, "argv", ["training", *shlex.split(typed)])
        assert completed("training", ["h"], ["1"], ("--json", "--show")) == f"training {whole}"


def test_a_seed_that_was_typed_is_not_typed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for typed, more in (("--seed 3", []), ("--seed=3", []), ("1", ["--seed", "9"])):
        monkeypatch.setattr(sys, "argv", ["dealer", *typed.split()])
        assert seed_option(9) == more
