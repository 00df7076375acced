"""The render modes of an environment: text, an array, or a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from gymnasium import logger
from gymnasium.error import DependencyNotInstalled, ResetNeeded

from twentyone.environments.shown import Shown, as_text

if TYPE_CHECKING:
    from twentyone.environments.window import Window

MODES: Final = ("ansi", "human", "rgb_array")


class Rendering:
    """The display of an environment. A copy, by `copy.deepcopy` or `pickle`, has no window yet.

    Args:
        mode: None, "ansi", "human" or "rgb_array".
        frames_per_second: of a window; each picture is shown for its share of a second.

    Raises:
        ValueError: for another mode.
        DependencyNotInstalled: if what draws the pictures, or opens the window, is not installed.
    """

    def __init__(self, mode: str | None, frames_per_second: float) -> None:
        if mode not in (None, *MODES):
            raise ValueError(
                f"render_mode is {mode!r}: expected None, {', '.join(MODES[:-1])} or {MODES[-1]}"
            )
        self._mode = mode
        self._frames_per_second = frames_per_second
        self._window: Window | None = None
        if mode in ("human", "rgb_array"):
            _import_drawing()
        if mode == "human":
            self._window = _window(1 / frames_per_second)

    def __reduce__(self) -> tuple[Callable[..., Rendering], tuple[str | None, float]]:
        return Rendering, (self._mode, self._frames_per_second)

    def follow(self, shown: Callable[[], Shown]) -> None:
        """Show what has happened, if there is a window.

        Raises:
            RuntimeError: if there is no display.
        """
        if self._window is not None:
            from twentyone.environments.drawing import picture

            self._window.show(picture(shown()))

    def render(self, shown: Callable[[], Shown | None]) -> Any:
        """The result of an environment's `render()`.

        The text for "ansi"; uint8 (height, width, 3) for "rgb_array"; None for "human", where it is shown.

        Raises:
            ResetNeeded: if no round has been dealt.
        """
        if self._mode is None:
            logger.warn(
                'render() shows nothing without a mode: expected make(..., render_mode="ansi"), "human" or'
                ' "rgb_array"'
            )
            return None
        seen = shown()
        if seen is None:
            raise ResetNeeded("no round has been dealt: call reset() before render()")
        if self._mode == "ansi":
            return as_text(seen)
        if self._mode == "human":
            return None
        from twentyone.environments.drawing import frame

        return frame(seen)

    def close(self) -> None:
        """Close the window, if there is one; may be called twice. The next picture opens another."""
        if self._window is not None:
            self._window.close()
            self._window = _window(1 / self._frames_per_second)


def _import_drawing() -> None:
    try:
        import twentyone.environments.drawing  # noqa: F401
    except ImportError as error:
        raise DependencyNotInstalled(
            f"pictures of the table need an extra, `pip install 'twentyone[rl]'`: {error}"
        ) from None


def _window(pause: float) -> Window:
    try:
        from twentyone.environments.window import Window
    except ImportError as error:
        raise DependencyNotInstalled(
            f'render_mode="human" needs tkinter, which comes with most builds of Python: {error}'
        ) from None
    return Window(pause)
