"""The methods of a comparison of learning: as typed, or one method along the values of a setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from twentyone.learning.settings import (
    SettingError,
    knobs_for,
    method_text,
    option_of,
    setting_named,
    settings_of,
)
from twentyone.learning.textbook import Knobs
from twentyone.policies.files import METHODS
from twentyone.support.command import USAGE, CommandError

ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Contender:
    """A method with its settings.

    Attributes:
        name: what it is called in the comparison.
        method: the name of the method.
        knobs: its settings.
    """

    name: str
    method: str
    knobs: Knobs

    @property
    def settings(self) -> dict[str, float]:
        """Its settings as they are spelt on a command line."""
        return {option_of(each): getattr(self.knobs, each) for each in settings_of(self.method)}


def compared(text: str, changes: Mapping[str, float]) -> list[Contender]:
    """The methods of a list: `qlearning,sarsa:alpha=0.01:epsilon=0.05`, or `all`.

    Args:
        text: the list, separated by commas; each method may be followed by settings of its own.
        changes: settings for all methods that have them, by the fields of `Knobs`; a method's own go first.

    Raises:
        CommandError: if a method or a setting does not exist or is there twice, or no method has a setting of
            `changes`.
    """
    found: dict[str, Contender] = {}
    for words in (
        [[name] for name in METHODS] if text == ALL else [each.split(":") for each in text.split(",")]
    ):
        method, own = words[0].strip(), _own(words)
        general = {name: value for name, value in changes.items() if name in settings_of(method)}
        contender = _contender(method, general | own)
        if contender.name in found:
            raise CommandError(f"--compare names {contender.name} twice: expected each method once", USAGE)
        found[contender.name] = contender
    _check_used(changes, [each.method for each in found.values()])
    return list(found.values())


def swept(text: str, method: str, changes: Mapping[str, float]) -> list[Contender]:
    """One method along the values of a setting: `alpha:0.001,0.01,0.1`.

    Args:
        text: the setting and its values.
        method: the name of the method.
        changes: its other settings, by the fields of `Knobs`.

    Raises:
        CommandError: if the method has no such setting, or a value is not possible or is there twice.
    """
    word, colon, listed = text.partition(":")
    if not colon:
        raise CommandError(
            f"the sweep is {text!r}: expected a setting and its values, as in alpha:0.001,0.01,0.1", USAGE
        )
    setting = _setting(word.strip())
    if setting in changes:
        raise CommandError(f"--sweep varies {word}: expected no --{word} beside it", USAGE)
    if not settings_of(method):
        raise CommandError(
            f"--sweep varies a setting, and the method {method} has none: expected another --method", USAGE
        )
    fixed = _contender(method, changes).name
    values = [_number(word, value) for value in listed.split(",")]
    if len(values) != len(set(values)):
        raise CommandError(f"the sweep is {text!r}: expected each value once", USAGE)
    return [
        Contender(f"{fixed} {word}={value:g}", method, _contender(method, {**changes, setting: value}).knobs)
        for value in values
    ]


def _own(words: Sequence[str]) -> dict[str, float]:
    """The settings that follow a method."""
    own: dict[str, float] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            raise CommandError(
                f"{':'.join(words)!r} is not a method with settings: expected such as sarsa:alpha=0.01", USAGE
            )
        setting = _setting(name)
        if setting in own:
            raise CommandError(f"{':'.join(words)!r} gives {name} twice: expected it once", USAGE)
        own[setting] = _number(name, value)
    return own


def _setting(word: str) -> str:
    try:
        return setting_named(word)
    except SettingError as error:
        raise CommandError(str(error), USAGE) from None


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CommandError(f"{name} is {text!r}: expected a number", USAGE) from None


def _contender(method: str, changes: Mapping[str, float]) -> Contender:
    try:
        knobs = knobs_for(method, changes)
    except SettingError as error:
        raise CommandError(str(error), USAGE) from None
    return Contender(method_text(method, knobs), method, knobs)


def _check_used(changes: Mapping[str, float], methods: Sequence[str]) -> None:
    """Check that every setting for all methods is one that some of them have."""
    for setting in changes:
        if not any(setting in settings_of(method) for method in methods):
            name = option_of(setting)
            raise CommandError(f"--{name} has no effect: none of the compared methods has {name}", USAGE)
