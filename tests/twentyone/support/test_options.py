"""Options that several commands share."""

from __future__ import annotations

import inspect
import math

import pytest
import typer
from typer.testing import CliRunner

from player.cli import player_app, training_app
from tests.twentyone.support.apps import app
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import (
    option,
    optional_seconds,
    pause_seconds,
    replace_parameter,
    seconds,
    seed_or_new,
)


def test_a_number_of_seconds_is_more_than_0_and_a_pause_may_be_none_at_all() -> None:
    for value in (5e-324, 2.5, 1e6):
        assert seconds(value) == value == optional_seconds(value)
    for invalid in (0.0, -1.0, 1e6 + 1, math.inf, math.nan):
        for check in (seconds, optional_seconds):
            with pytest.raises(typer.BadParameter, match="expected more than 0 and at most 1,000,000 s"):
                check(invalid)
    for pause in (None, 0.0, 2.5, 1e6):
        assert pause_seconds(pause) == pause
    for invalid in (-1.0, 1e7, math.nan):
        with pytest.raises(typer.BadParameter, match="s is invalid: expected 0 to 1,000,000 s"):
            pause_seconds(invalid)
    assert optional_seconds(None) is None


def test_the_shared_options_reach_the_command() -> None:
    assert CliRunner().invoke(app, ["options"]).stdout == "1.0 None False\n"
    given_all = CliRunner().invoke(app, ["options", "--wait", "0.5", "--seed", "3", "--json"])
    assert given_all.stdout == "0.5 3 True\n"


def test_no_command_takes_a_negative_seed_and_without_one_there_is_a_new_one_each_time() -> None:
    player, training = (player_app, "--local --rounds 1"), (training_app, "127.0.0.1 1 1")
    for command, arguments in ((app, "options"), player, training):
        refused = CliRunner().invoke(command, [*arguments.split(), "--seed", "-1"])
        assert isinstance(refused.exception, CommandError)
        assert str(refused.exception) == "the seed is -1: expected 0 or more"
        assert refused.exception.status == USAGE
    assert seed_or_new(0) == 0
    assert 0 <= seed_or_new(None) != seed_or_new(None)


def test_a_parameter_becomes_several_options_in_its_place() -> None:
    def command(first: int, area: int, second: int = 2, *, last: bool = False) -> int:
        print(first, area, second, last)
        return 0

    sides = [option("height", int, 3), option("width", int, 4)]
    replaced = replace_parameter(command, "area", sides, lambda height, width: height * width)
    assert list(inspect.signature(replaced).parameters) == ["first", "second", "height", "width", "last"]
    application = typer.Typer(add_completion=False)
    application.command()(replaced)
    assert CliRunner().invoke(application, ["1"]).stdout == "1 12 2 False\n"
    assert CliRunner().invoke(application, ["1", "--width", "10", "--last"]).stdout == "1 30 2 True\n"
    assert replaced(1, height=2) == 0
