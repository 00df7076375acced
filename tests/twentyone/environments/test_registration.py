"""The registration of the environments, and the errors if something is not installed."""

from __future__ import annotations

import re
import sys

import gymnasium
import pytest
from gymnasium.error import DependencyNotInstalled

from tests.twentyone.environments.making import python
from twentyone import environments
from twentyone.environments.registration import BLACKJACK, REMOTE_BLACKJACK, register
from twentyone.environments.rendering import Rendering

MAKE = f"import gymnasium; gymnasium.make('twentyone.environments:{BLACKJACK}'"


def test_naming_the_package_with_the_environment_is_enough() -> None:
    names = [BLACKJACK, REMOTE_BLACKJACK]
    made = f"[gymnasium.make(f'twentyone.environments:{{name}}').unwrapped.spec.id for name in {names}]"
    assert python(f"import gymnasium; print({made})") == (str(names), "")


@pytest.mark.check
def test_importing_the_package_is_enough() -> None:
    program = (
        f"import gymnasium, twentyone.environments; print(gymnasium.make_vec('{BLACKJACK}', 3).num_envs)"
    )
    assert python(program) == ("3", "")


def test_registering_twice_changes_nothing() -> None:
    gymnasium.register_envs(environments)
    before = dict(gymnasium.registry)
    register()
    assert dict(gymnasium.registry) == before


@pytest.mark.check
def test_one_environment_loads_no_compiler() -> None:
    program = f"{MAKE}).reset(); print(*(each in sys.modules for each in ('numba', 'twentyone.analysis')))"
    assert python(program, is_true=True) == ("False False", "")


def test_without_gymnasium_one_sentence_says_what_to_install() -> None:
    _, complaint = python("sys.modules['gymnasium'] = None; from twentyone import environments")
    told = "ImportError: the environments need an extra, `pip install 'twentyone[rl]'`: "
    assert complaint.startswith(told)


@pytest.mark.check
def test_without_numba_the_vectorised_environment_says_what_to_install() -> None:
    make = f"import gymnasium; gymnasium.make_vec('twentyone.environments:{BLACKJACK}', num_envs=2)"
    _, complaint = python(f"sys.modules['numba'] = None; {make}", is_true=True)
    sentence = "the vectorised environment needs an extra, `pip install 'twentyone[rl]'`"
    assert complaint.startswith(f"ImportError: {sentence}: ")


PICTURES = "pictures of the table need an extra, `pip install 'twentyone[rl]'`: "
TKINTER = 'render_mode="human" needs tkinter, which comes with most builds of Python: '


@pytest.mark.parametrize(
    ("missing", "mode", "sentence"), [("PIL", "rgb_array", PICTURES), ("tkinter", "human", TKINTER)]
)
def test_what_draws_is_missed_when_the_environment_is_made(missing: str, mode: str, sentence: str) -> None:
    _, complaint = python(f"sys.modules['{missing}'] = None; {MAKE}, render_mode='{mode}')")
    assert complaint.startswith(f"DependencyNotInstalled: {sentence}")


def test_a_window_needs_what_draws_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "twentyone.environments.drawing", None)
    with pytest.raises(DependencyNotInstalled, match=f"^{re.escape(PICTURES)}"):
        Rendering("human", 1)


def test_text_needs_nothing_that_draws() -> None:
    hide = "sys.modules['PIL'] = sys.modules['tkinter'] = None"
    show = "env.reset(seed=1); print(env.render())"
    output, complaint = python(f"{hide}; {MAKE.replace('; ', '; env = ')}, render_mode='ansi'); {show}")
    assert output.startswith("dealer: ") and complaint == ""
