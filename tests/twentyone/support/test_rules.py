"""The rules options: spelt the same on every command, and one `Rules` value for the command."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cards import PRESETS, rules_from
from tests.twentyone.support.apps import app
from twentyone.support.command import USAGE, CommandError
from twentyone.support.rules import options_of


def rules_given(*options: str) -> str:
    """What the example prints about the rules that it received."""
    result = CliRunner().invoke(app, ["rules", *options], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.strip()


def test_without_an_option_a_command_gets_no_rules_and_a_preset_is_one() -> None:
    assert rules_given() == "none"
    for preset, rules in PRESETS.items():
        assert rules_given("--rules", preset) == str(rules)


def test_every_field_can_be_changed_on_its_own() -> None:
    fields = {
        "decks": "inf",
        "reshuffle": "cutoff:26",
        "ace": "11",
        "dealer-stands": "hard17",
        "naturals": "beat",
    }
    for option, value in fields.items():
        assert rules_given(f"--{option}", value) == str(rules_from({option: value}))
        given = {"preset": "devs", option: value}
        assert rules_given("--rules", "devs", f"--{option}", value) == str(rules_from(given))


def test_invalid_rules_are_a_usage_error() -> None:
    bad = "--rules poker|--decks 9|--decks inf --reshuffle cutoff:26|--rules showdown --dealer-stands all17"
    for options in bad.split("|"):
        with pytest.raises(CommandError) as caught:
            rules_given(*options.split())
        assert caught.value.status == USAGE


def test_the_help_shows_every_option() -> None:
    shown = CliRunner(env={"COLUMNS": "200", "TERM": "dumb"}).invoke(app, ["--help"]).stdout
    for option in ("rules", "decks", "reshuffle", "ace", "dealer-stands", "naturals"):
        assert f" --{option} " in shown
    assert "Rules of the table" in shown


def test_the_options_of_rules_give_the_same_rules() -> None:
    for fields in (
        *({"preset": preset} for preset in PRESETS),
        {"preset": "vegas", "insurance": "no", "surrender": "none", "bets": "10-80", "bankroll": "500"},
        {"preset": "europe", "double": "none", "double-after-split": "no", "naturals": "beat"},
        {"preset": "casino", "hole-card": "obo", "bets": "1-1"},
    ):
        rules = rules_from(fields)
        given = dict(option.removeprefix("--").split("=", 1) for option in options_of(rules))
        assert rules_from(given | {"preset": given["rules"]}) == rules, fields
