"""The learning methods by name, with the settings that textbooks give them.

SB is Sutton and Barto, "Reinforcement Learning: An Introduction", second edition, 2018.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from twentyone.learning.textbook import Kind, Knobs
from twentyone.policies.files import METHODS, MODEL, QLEARNING, RANDOM_PLAY
from twentyone.support.counts import one_of

TEXTBOOK: Final[Mapping[str, Knobs]] = {
    "q-constant": Knobs(Kind.BEST),  # SB 6.5
    "q-decaying": Knobs(Kind.BEST, alpha=1.0, alpha_decay=1.0),  # Watkins and Dayan, 1992
    "double-q": Knobs(Kind.CROSSED),  # SB 6.7
    "sarsa": Knobs(Kind.TAKEN),  # SB 6.4
    "expected-sarsa": Knobs(Kind.MEAN),  # SB 6.6
    "n-step-sarsa": Knobs(Kind.TAKEN, n=2),  # SB 7.2
    "sarsa-lambda": Knobs(Kind.TAKEN, trace=0.8),  # SB 12.7
    "monte-carlo": Knobs(Kind.RETURN, alpha=1.0, alpha_decay=1.0),  # SB 5.4
    "monte-carlo-es": Knobs(  # SB 5.3
        Kind.RETURN, alpha=1.0, alpha_decay=1.0, epsilon=0.0, explores_starts=True
    ),
    RANDOM_PLAY: Knobs(Kind.RETURN, alpha=1.0, alpha_decay=1.0, epsilon=1.0),
    MODEL: Knobs(Kind.NOTED, alpha=1.0, alpha_decay=1.0, epsilon=1.0),  # SB 8.2
}
"""The methods that have settings, and those that play at random, which have none to change."""

MEANINGS: Final[Mapping[str, str]] = {
    QLEARNING: "the project's own, from optimism and by shares",
    "q-constant": "Q-learning with a constant step",
    "q-decaying": "Q-learning with step 1 / visits",
    "double-q": "double Q-learning",
    "sarsa": "SARSA",
    "expected-sarsa": "expected SARSA",
    "n-step-sarsa": "SARSA with n steps",
    "sarsa-lambda": "SARSA with lambda returns",
    "monte-carlo": "every-visit Monte-Carlo control, epsilon-soft",
    "monte-carlo-es": "the same with exploring starts",
    RANDOM_PLAY: "the values of random play, as in the original course",
    MODEL: "a model of the cards and of the dealer, worked out backwards",
}
"""The description of each method, for help texts."""

assert tuple(MEANINGS) == METHODS


class Limits(NamedTuple):
    """The bounds of a setting.

    Attributes:
        least: the least value.
        most: the greatest.
        is_integer: whether it is a whole number.
    """

    least: float
    most: float
    is_integer: bool = False


LIMITS: Final[Mapping[str, Limits]] = {
    "alpha": Limits(1e-9, 1.0),
    "alpha_decay": Limits(0.0, 1.0),
    "epsilon": Limits(0.0, 1.0),
    "epsilon_decay": Limits(0.0, 1.0),
    "gamma": Limits(0.0, 1.0),
    "initial": Limits(-10.0, 10.0),
    "n": Limits(1, 8, is_integer=True),
    "trace": Limits(0.0, 1.0),
}
"""The settings that can be changed, as fields of `Knobs`."""

_ONLY_OF: Final = {"n": "n-step-sarsa", "trace": "sarsa-lambda"}
"""Settings that one method has."""

_SPELT: Final = {"trace": "lambda"}


class SettingError(ValueError):
    """A method or a setting that there is not, in one sentence."""


def option_of(setting: str) -> str:
    """The option of a setting: `alpha-decay`, and `lambda` for the field `trace`."""
    return _SPELT.get(setting, setting).replace("_", "-")


def settings_of(method: str) -> tuple[str, ...]:
    """The settings that a method has, as fields of `Knobs`."""
    if method in (QLEARNING, RANDOM_PLAY, MODEL):
        return ()
    return tuple(each for each in LIMITS if _ONLY_OF.get(each, method) == method)


def knobs_for(method: str, changes: Mapping[str, float] | None = None) -> Knobs:
    """The settings of a method: those of the textbooks, with some changes.

    Args:
        method: its name. `qlearning`, the project's own method, has none: what is returned is not used.
        changes: the changed settings, by the fields of `Knobs`.

    Raises:
        SettingError: if there is no such method, it has no such setting, or a value is out of its limits.
    """
    if method not in METHODS:
        raise SettingError(f"there is no method {method!r}: expected {one_of(METHODS)}")
    knobs = TEXTBOOK.get(method, Knobs())
    for setting, value in (changes or {}).items():
        if setting not in settings_of(method):
            known = [option_of(each) for each in settings_of(method)]
            expected = f"expected {one_of(known)}" if known else "it has no settings"
            raise SettingError(f"the method {method} has no {option_of(setting)}: {expected}")
        changed: dict[str, Any] = {setting: _verified(setting, value)}
        knobs = knobs._replace(**changed)
    return knobs


def _verified(setting: str, value: float) -> float:
    least, most, is_integer = LIMITS[setting]
    if not least <= value <= most or (is_integer and value != int(value)):
        kind = "a whole number" if is_integer else "a number"
        given = f"{option_of(setting)} is {value:g}"
        raise SettingError(f"{given}: expected {kind} from {least:g} to {most:g}")
    return int(value) if is_integer else float(value)


def setting_named(text: str) -> str:
    """The field of `Knobs` for a setting as it is spelt on a command line.

    Raises:
        SettingError: if there is no such setting.
    """
    for setting in LIMITS:
        if option_of(setting) == text:
            return setting
    raise SettingError(f"there is no setting {text!r}: expected {one_of(map(option_of, LIMITS))}")


def changed_settings(method: tuple[str, Knobs]) -> dict[str, float]:
    """Those settings of a method, by their fields, that are not the textbooks'."""
    name, knobs = method
    usual = knobs_for(name)
    given = {each: getattr(knobs, each) for each in settings_of(name)}
    return {each: value for each, value in given.items() if value != getattr(usual, each)}


def method_text(method: str, knobs: Knobs) -> str:
    """A method and those of its settings that are not the textbooks': `sarsa alpha=0.05`, as in a header."""
    changed = changed_settings((method, knobs))
    return " ".join([method, *(f"{option_of(each)}={value!r}" for each, value in changed.items())])


def method_of(text: str) -> tuple[str, Knobs]:
    """The method and the settings of a text as `method_text` makes it.

    Raises:
        SettingError: if it is not such a text.
    """
    method, *words = text.split()
    changes = {}
    for word in words:
        setting, _, value = word.partition("=")
        try:
            if setting_named(setting) in changes:
                raise SettingError(f"{setting} is given twice: expected it once")
            changes[setting_named(setting)] = float(value)
        except ValueError as error:
            sentence = f"{word!r} is not a setting: expected such as alpha=0.1"
            raise error if isinstance(error, SettingError) else SettingError(sentence) from None
    return method, knobs_for(method, changes)
