"""What every command says of a command line that does not fit: one sentence, and what can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
import typer

import dealer.cli
import player.cli
import tournament.cli
import twentyone.analysis.cli
import twentyone.devs.cli
import twentyone.mancala.cli
from tests.helpers.inside import inside
from tests.helpers.processes import Finished
from tests.helpers.tiers import first_of
from tournament.commands.app import app as tournament_app
from tournament.replay.command import app as replay_app
from twentyone.analysis.commands.app import app as analysis_app
from twentyone.devs.commands.app import app as devs_app
from twentyone.mancala.commands.app import app as mancala_app
from twentyone.support.build import build_name
from twentyone.support.command import OK, USAGE
from twentyone.support.usage import EXAMPLE

GROUPS = {"analysis": analysis_app, "devs": devs_app, "mancala": mancala_app, "tournament": tournament_app}
APPS = GROUPS | {
    "dealer": dealer.cli.app,
    "player": player.cli.player_app,
    "replay": replay_app,
    "training": player.cli.training_app,
}
MAINS: dict[str, Callable[[], None]] = {
    "analysis": twentyone.analysis.cli.main,
    "devs": twentyone.devs.cli.main,
    "mancala": twentyone.mancala.cli.main,
    "dealer": dealer.cli.main,
    "tournament": tournament.cli.main,
    "replay": tournament.cli.replay_main,
    "player": player.cli.player_main,
    "training": player.cli.training_main,
}
COMMANDS: dict[str, Any] = {}
twentyone.analysis.cli.load()
for name, app in APPS.items():
    whole: Any = typer.main.get_command(app)
    words = {f"{name} {word}": command for word, command in getattr(whole, "commands", {}).items()}
    COMMANDS |= words or {name: whole}


RULES_OPTIONS = {"--rules", "--decks", "--reshuffle", "--ace", "--dealer-stands", "--naturals"}
STUDIES = "simulate games compare variability betting solve value explain hand learn dealer thresholds"
DEALING = ["dealer", "player", "training", *(f"analysis {word}" for word in STUDIES.split())]
"""The commands that deal cards have the same options for the rules."""

FOREIGN = ("Input should", "Missing", "Invalid", "No such", "unexpected", "{", "}")
"""What would be in the words of others."""


def say(line: str) -> Finished:
    """Run a command line in this process, as a shell would."""
    name, *arguments = shlex.split(line)
    return inside(MAINS[name], name, *arguments, cwd=Path())


FITS_NOT = {
    "dealer": "PORT is missing: expected PORT ROUNDS...",
    "dealer 8088": "ROUNDS is missing: expected PORT ROUNDS...",
    "dealer foo 0": "PORT is 'foo': expected the number of a port, 0 to 65535...",
    "dealer 8088 x": "ROUNDS is 'x': expected a whole number, 0 or more...",
    "dealer 8088 1e99": "ROUNDS is '1e99': expected no more than 1e30...",
    "dealer 8088 -5": "-5 is no option, and no number here begins with a minus: expected PORT ROUNDS...",
    "dealer 8088 5 6": "'6' does not belong here: expected PORT ROUNDS...",
    "dealer 8088 5 6 x": "'6 x' does not belong here: expected PORT ROUNDS...",
    "dealer 8088 5 --seats": "there is no value after --seats",
    "dealer 8088 5 --seats 10": "--seats is '10': expected a whole number from 1 to 9",
    "dealer 8088 5 --json=yes": "--json takes no value",
    "dealer 8088 5 --histroy x": "there is no option --histroy: did you mean --history, --host or --proxy?",
    "dealer 8088 5 --seat 1": "there is no option --seat: did you mean --seats, --seed or --state?",
    "dealer 8088 5 --zzz": "there is no option --zzz: dealer --help lists the options",
    "dealer 8088 5 -x": "there is no option -x: dealer --help lists the options",
    "dealer 8088 5 --join-timeout 0": "--join-timeout: a time of 0 s is invalid: expected more than 0 and at"
    " most 1,000,000 s",
    "player 0.0.0.0 x": "PORT is 'x': expected the number of a port, 1 to 65535...",
    "analysis simulat": "there is no command 'simulat': did you mean simulate?",
    "devs check": "TRACES.json is missing: expected TRACES.json...",
    "devs foo": "there is no command 'foo': expected one of game, run, check, diagram, trajectory",
    "mancala ''": "there is no command '': expected one of run, check, prove, facts, trace, play, solve",
    "analysis --rounds 5": "there is no option --rounds: analysis --help lists the options",
    "analysis solve x": "'x' does not belong here: expected options only...",
    "analysis simulate 0": "ROUNDS is '0': expected a whole number from 1 to 1,000,000,000,000...",
    "analysis simulate 10 --seed x": "--seed is 'x': expected a whole number",
    "analysis learn 10 --until-gap -1": "--until-gap is '-1': expected a number, 0 or more",
    "devs game --real-time 0": "--real-time is '0': expected a number from 0.001 to 1,000,000",
    "devs game --timing x": "--timing: 'x' is not one of 'reference', 'specification'",
    "mancala solve --holes 0": "--holes is '0': expected a whole number from 1 to 12",
}
"""What is said of each line. `...` stands for `, such as` and the example of its command."""


def test_a_command_line_that_does_not_fit_is_answered_in_one_sentence() -> None:
    for line, sentence in FITS_NOT.items():
        if sentence.endswith("..."):
            (command,) = (command for name, command in COMMANDS.items() if f"{line} ".startswith(f"{name} "))
            sentence = f"{sentence.removesuffix('...')}, such as {command.epilog.removeprefix(EXAMPLE)}"
        said = say(line)
        assert tuple(said) == (USAGE, "", f"{line.split()[0]}: {sentence}\n")
        assert [part for part in FOREIGN if part in said.err] == []


def test_every_command_has_an_example_that_fits_it_and_names_it() -> None:
    for name, command in COMMANDS.items():
        example = command.epilog.removeprefix(EXAMPLE)
        typed, *arguments = shlex.split(example.removeprefix(name) + " --")
        assert example.startswith(name) or typed == name
        command.make_context(name, [typed, *arguments])


def test_every_command_names_its_example_where_an_argument_has_no_place() -> None:
    values = {"dealer": "1 1", "player": "a 1", "training": "a 1 1"}
    for name, command in COMMANDS.items():
        if any(parameter.nargs == -1 for parameter in command.params):
            continue  # it takes any number of arguments
        arguments = [each for each in command.params if each.param_type_name == "argument"]
        said = say(f"{name} {values.get(name, '1 ' * len(arguments))} extra")
        assert (said.status, said.out) == (USAGE, "")
        assert said.err.endswith(f", such as {command.epilog.removeprefix(EXAMPLE)}\n"), name


def test_every_command_tells_the_version() -> None:
    some = {name.split()[0]: name for name in COMMANDS}
    for name in {*APPS, *some.values()}:
        said = say(f"{name} --version")
        assert said == (OK, f"{name.split()[0]} (twentyone) {version('twentyone')}, {build_name()}\n", "")


def test_the_version_of_what_is_not_installed_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> Any:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", none)
    sentence = "twentyone is not installed here, so its version is not known: expected pip install twentyone"
    assert say("dealer --version") == (1, "", f"dealer: {sentence}\n")


def test_the_first_word_alone_shows_the_help_where_no_script_takes_it_for_a_result() -> None:
    for name in GROUPS:
        said = say(name)
        assert (said.status, said.out) == (USAGE, "")
        assert f"Usage: {name}" in said.err
        assert f"{name}: " not in said.err
        assert said.err.endswith("\N{BOX DRAWINGS LIGHT ARC UP AND LEFT}\n"), "there is no empty line"
        assert say(f"{name} -h").out.rstrip() == said.err.rstrip()


def test_every_command_that_deals_cards_has_the_same_rules_options() -> None:
    for name in DEALING:
        taken = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert RULES_OPTIONS - taken == set(), name


@pytest.mark.parametrize("place", first_of([slice(1), slice(1, None)]))
def test_the_help_has_a_short_option_too_and_ends_with_the_example(place: slice) -> None:
    for app in APPS:
        for name in [name for name in COMMANDS if name.split()[0] == app][place]:
            said = say(f"{name} -h")
            assert (said.status, said.err) == (OK, "")
            assert f"Usage: {name}" in said.out
            assert said.out.rstrip().endswith(f" {COMMANDS[name].epilog}")


def test_the_help_shows_the_range_of_a_number() -> None:
    assert "<int range> [1<=x<=9]" in say("dealer --help").out
