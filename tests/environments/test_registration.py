"""How Gymnasium comes to know the environments, and what is said where something is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

import environments
from environments.registration import BLACKJACK, REMOTE_BLACKJACK, register

ROOT = Path(__file__).parent.parent.parent


def python(program: str) -> tuple[str, str]:
    """The output of a program and the last line of its complaints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    return done.stdout.strip(), (done.stderr.strip().splitlines() or [""])[-1]


@pytest.mark.parametrize("name", [BLACKJACK, REMOTE_BLACKJACK])
def test_naming_the_package_with_the_environment_is_enough(name: str) -> None:
    program = f"import gymnasium; print(gymnasium.make('environments:{name}').unwrapped.spec.id)"
    assert python(program) == (name, "")


def test_importing_the_package_is_enough() -> None:
    program = (
        "import gymnasium, environments; print(gymnasium.make_vec('twentyone/Blackjack-v0', 3).num_envs)"
    )
    assert python(program) == ("3", "")


def test_registering_twice_changes_nothing() -> None:
    gymnasium.register_envs(environments)
    before = dict(gymnasium.registry)
    register()
    assert dict(gymnasium.registry) == before


def test_one_environment_loads_no_compiler() -> None:
    make = "import gymnasium; gymnasium.make('environments:twentyone/Blackjack-v0').reset()"
    program = f"{make}; import sys; print('numba' in sys.modules, 'analysis' in sys.modules)"
    assert python(program) == ("False False", "")


@pytest.mark.parametrize(
    ("missing", "program", "sentence"),
    [
        ("gymnasium", "import environments", "the environments need an extra"),
        (
            "numba",
            "import gymnasium; gymnasium.make_vec('environments:twentyone/Blackjack-v0', num_envs=2)",
            "the vectorised environment needs an extra",
        ),
    ],
)
def test_a_missing_extra_is_one_sentence(missing: str, program: str, sentence: str) -> None:
    _, complaint = python(f"import sys; sys.modules[{missing!r}] = None; {program}")
    assert complaint.startswith(f"ImportError: {sentence}, `pip install 'twentyone[rl]'`: ")
