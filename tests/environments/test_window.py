"""`render_mode="human"`: a window, on a real display of Xvfb; and what is said where there is none."""

from __future__ import annotations

import copy
import pickle
import sys
import time
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import environments
from cards import PRESETS
from environments.blackjack import BlackjackEnv
from tests.environments.test_registration import python
from tests.environments.test_remote import seated
from tests.helpers.house import open_house

gymnasium.register_envs(environments)

STAND = 1


class Quick(BlackjackEnv):
    """The same, whose pictures are shown for a hundredth of a second each."""

    metadata: ClassVar[dict[str, Any]] = BlackjackEnv.metadata | {"render_fps": 100}  # type: ignore[misc]  # theirs is no ClassVar


def window_of(env: Any) -> Any:
    return env._rendering._window


def on_screen(env: BlackjackEnv) -> Any:
    """What the window shows, uint8 (height, width, 3), as the display has it."""
    from PIL import ImageGrab

    root = window_of(env)._root
    root.update()
    left, top = root.winfo_rootx(), root.winfo_rooty()
    corners = (left, top, left + root.winfo_width(), top + root.winfo_height())
    return np.array(ImageGrab.grab(corners, xdisplay=""))[..., :3]


def drawn(env: BlackjackEnv) -> Any:
    """What it should show."""
    from environments.drawing import frame

    return frame(env._shown())


@pytest.mark.usefixtures("display")
def test_the_window_shows_the_table_at_each_reset_and_step_without_being_asked() -> None:
    env = Quick(render_mode="human")
    try:
        env.reset(seed=3)
        first = on_screen(env)
        assert first.shape == (620, 900, 3)
        assert (first == drawn(env)).all()
        assert env.render() is None
        env.step(STAND)
        second = on_screen(env)
        assert (second == drawn(env)).all() and (first != second).any()
    finally:
        env.close()


@pytest.mark.usefixtures("display")
def test_a_picture_stays_for_its_share_of_a_second() -> None:
    assert BlackjackEnv.metadata["render_fps"] == 1
    env = BlackjackEnv(render_mode="human")
    try:
        started = time.monotonic()
        env.reset(seed=3)
        assert time.monotonic() - started >= 1
    finally:
        env.close()


@pytest.mark.usefixtures("display")
def test_closing_twice_is_fine_and_the_next_reset_opens_another_window() -> None:
    env = Quick(render_mode="human")
    env.close()
    env.reset(seed=1)
    assert window_of(env).is_open
    env.close()
    assert not window_of(env).is_open
    env.close()
    env.reset(seed=1)
    assert window_of(env).is_open
    env.close()


@pytest.mark.usefixtures("display")
def test_who_closes_the_window_ends_the_pictures_and_not_the_program() -> None:
    env, other = Quick(render_mode="human"), BlackjackEnv()
    env.reset(seed=1)
    root = window_of(env)._root
    root.after(0, lambda: root.tk.call(*root.tk.splitlist(root.protocol("WM_DELETE_WINDOW"))))
    other.reset(seed=1)
    for _ in range(20):
        assert env.step(STAND)[:4] == other.step(STAND)[:4]
        assert env.reset()[0] == other.reset()[0]
    assert not window_of(env).is_open
    assert env.render() is None
    env.close()


@pytest.mark.usefixtures("display")
def test_a_window_that_is_destroyed_from_elsewhere_is_no_fault() -> None:
    env = Quick(render_mode="human")
    env.reset(seed=1)
    window_of(env)._root.destroy()
    env.step(STAND)
    assert not window_of(env).is_open
    env.reset()
    env.close()


@pytest.mark.usefixtures("display")
def test_a_copy_has_a_window_of_its_own() -> None:
    env = Quick(render_mode="human")
    env.reset(seed=1)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert not window_of(again).is_open
        assert again.step(STAND)[:4] == copy.deepcopy(env).step(STAND)[:4]
        assert window_of(again).is_open
        again.close()
        assert window_of(env).is_open
    env.close()


@pytest.mark.usefixtures("display")
def test_at_a_dealer_it_shows_what_the_player_has_seen() -> None:
    with open_house(rules=PRESETS["vegas"], seed=3) as house, seated(house.port, render_mode="human") as env:
        env.reset()
        assert window_of(env).is_open
        assert (on_screen(env) == drawn(env)).all()  # type: ignore[arg-type]
        env.close()
        assert not window_of(env).is_open


@pytest.mark.usefixtures("display")
def test_gymnasium_finds_no_fault_in_any_mode() -> None:
    spec = gymnasium.envs.registration.EnvSpec("twentyone/Quick-v0", f"{__name__}:Quick")
    check_env(gymnasium.make(spec).unwrapped)


HUMAN = "import gymnasium; gymnasium.make('environments:twentyone/Blackjack-v0', render_mode='human').reset()"


def test_without_a_display_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tkinter", reason="this Python was built without tkinter", exc_type=ImportError)
    if sys.platform in ("win32", "darwin"):
        pytest.skip("this system always has a display")
    monkeypatch.delenv("DISPLAY", raising=False)
    _, complaint = python(HUMAN)
    assert complaint.startswith(
        'RuntimeError: render_mode="human" opens a window, and that cannot be done here (no display'
    )
    assert complaint.endswith('): expected a display, or render_mode="rgb_array"')


@pytest.mark.parametrize(
    ("missing", "mode", "sentence"),
    [
        ("PIL", "rgb_array", "pictures of the table need an extra, `pip install 'twentyone[rl]'`: "),
        ("PIL", "human", "pictures of the table need an extra, `pip install 'twentyone[rl]'`: "),
        ("tkinter", "human", 'render_mode="human" needs tkinter, which comes with most builds of Python: '),
    ],
)
def test_what_is_missing_is_said_when_the_environment_is_made(missing: str, mode: str, sentence: str) -> None:
    make = f"gymnasium.make('environments:twentyone/Blackjack-v0', render_mode='{mode}')"
    _, complaint = python(f"import sys, gymnasium; sys.modules[{missing!r}] = None; {make}")
    assert complaint.startswith(f"gymnasium.error.DependencyNotInstalled: {sentence}")


def test_text_and_no_mode_need_neither() -> None:
    hide = "import sys; sys.modules['PIL'] = sys.modules['tkinter'] = None"
    make = "import gymnasium; env = gymnasium.make('environments:twentyone/Blackjack-v0', render_mode='ansi')"
    output, complaint = python(f"{hide}; {make}; env.reset(seed=1); print(env.render())")
    assert output.startswith("dealer: ") and complaint == ""
