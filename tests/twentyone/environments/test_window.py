"""`render_mode="human"`: a window, on a real display of Xvfb; and what is said where there is none."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from cards import PRESETS
from tests.helpers.agents import STAND
from tests.helpers.house import open_house
from tests.helpers.remote import seated
from tests.twentyone.environments.making import python
from twentyone.environments.blackjack import BlackjackEnv


class Quick(BlackjackEnv):
    """The same, whose pictures are shown for a hundredth of a second each."""

    metadata: ClassVar[dict[str, Any]] = BlackjackEnv.metadata | {"render_fps": 100}  # type: ignore[misc]  # theirs is no ClassVar


@contextmanager
def shown() -> Iterator[Quick]:
    """An environment that shows its first round; its window is closed at the end."""
    env = Quick(render_mode="human")
    try:
        env.reset(seed=1)
        yield env
    finally:
        env.close()


def window_of(env: Any) -> Any:
    return env._rendering._window


def on_screen(env: Any) -> Any:
    """What the window shows, uint8 (height, width, 3), as the display has it."""
    from PIL import ImageGrab

    root = window_of(env)._root
    root.update()
    left, top = root.winfo_rootx(), root.winfo_rooty()
    corners = (left, top, left + root.winfo_width(), top + root.winfo_height())
    return np.array(ImageGrab.grab(corners, xdisplay=""))[..., :3]


def drawn(env: Any) -> Any:
    """What it should show."""
    from twentyone.environments.drawing import frame

    return frame(env._shown())


@pytest.mark.usefixtures("display")
def test_the_window_shows_the_table_at_each_reset_and_step_without_being_asked() -> None:
    with shown() as env:
        first = on_screen(env)
        assert first.shape == (620, 900, 3)
        assert (first == drawn(env)).all()
        assert window_of(env)._root.title() == "twentyone"
        assert env.render() is None
        env.step(STAND)
        second = on_screen(env)
        assert (second == drawn(env)).all() and (first != second).any()


@pytest.mark.usefixtures("display")
def test_a_picture_stays_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr("twentyone.environments.window.time", clock)
    env = BlackjackEnv(render_mode="human")
    try:
        env.reset(seed=3)
        assert sum(slept) == pytest.approx(1)
    finally:
        env.close()


@pytest.mark.usefixtures("display")
def test_closing_twice_is_fine_and_the_next_reset_opens_another_window() -> None:
    env = Quick(render_mode="human")
    env.close()
    for _ in range(2):
        env.reset(seed=1)
        assert window_of(env).is_open
        env.close()
        assert not window_of(env).is_open
        env.close()


@pytest.mark.usefixtures("display")
def test_who_closes_the_window_ends_the_pictures_and_not_the_program() -> None:
    with shown() as env:
        other = BlackjackEnv()
        other.reset(seed=1)
        root = window_of(env)._root
        root.after(0, lambda: root.tk.call(*root.tk.splitlist(root.protocol("WM_DELETE_WINDOW"))))
        for _ in range(10):
            assert env.step(STAND)[:4] == other.step(STAND)[:4]
            assert env.reset()[0] == other.reset()[0]
        assert not window_of(env).is_open
        assert env.render() is None


@pytest.mark.usefixtures("display")
def test_a_window_that_is_destroyed_from_elsewhere_is_no_fault() -> None:
    with shown() as env:
        window_of(env)._root.destroy()
        env.step(STAND)
        assert not window_of(env).is_open
        env.reset()


@pytest.mark.check
@pytest.mark.usefixtures("display")
def test_a_copy_has_a_window_of_its_own() -> None:
    with shown() as env:
        for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert not window_of(again).is_open
            assert again.step(STAND)[:4] == copy.deepcopy(env).step(STAND)[:4]
            assert window_of(again).is_open
            again.close()
            assert window_of(env).is_open


@pytest.mark.check
@pytest.mark.usefixtures("display")
def test_at_a_dealer_it_shows_what_the_player_has_seen() -> None:
    with open_house(rules=PRESETS["vegas"], seed=3) as house, seated(house.port, render_mode="human") as env:
        env.reset()
        assert window_of(env).is_open
        assert (on_screen(env) == drawn(env)).all()
        env.close()
        assert not window_of(env).is_open


@pytest.mark.check
@pytest.mark.usefixtures("display")
def test_gymnasium_finds_no_fault_in_any_mode() -> None:
    check_env(gymnasium.make(EnvSpec("twentyone/Quick-v0", f"{__name__}:Quick")).unwrapped)


def test_without_a_display_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tkinter", reason="this Python was built without tkinter", exc_type=ImportError)
    if sys.platform in ("win32", "darwin"):
        pytest.skip("this system always has a display")
    monkeypatch.delenv("DISPLAY", raising=False)
    env = "gymnasium.make('twentyone.environments:twentyone/Blackjack-v0', render_mode='human')"
    _, complaint = python(f"import gymnasium; {env}.reset()")
    told = 'RuntimeError: render_mode="human" opens a window, and that cannot be done here (no display'
    assert complaint.startswith(told)
    assert complaint.endswith('): expected a display, or render_mode="rgb_array"')
