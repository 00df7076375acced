"""A window that shows pictures of the table, by tkinter of the standard library."""

from __future__ import annotations

import time
import tkinter

from PIL import Image, ImageTk

TITLE = "twentyone"


class Window:
    """A window, which is open from the first picture on.

    Once its user has closed it, nothing is shown any more.

    Args:
        pause: for how many seconds each picture is shown, before the next one may follow.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._root: tkinter.Tk | None = None
        self._label: tkinter.Label | None = None
        self._photo: ImageTk.PhotoImage | None = None  # tkinter itself keeps none
        self._is_closed = False

    def show(self, picture: Image.Image) -> None:
        """Show a picture for the pause.

        Raises:
            RuntimeError: if there is no display, or it cannot be used.
        """
        if self._is_closed:
            return
        if self._root is None:
            self._open()
        try:
            self._photo = ImageTk.PhotoImage(picture, master=self._root)
            assert self._label is not None
            self._label.configure(image=self._photo)
            self._wait()
        except tkinter.TclError:  # it is gone, or its display is
            self.close()

    def close(self) -> None:
        """Close the window for good; may be called twice."""
        root, self._root, self._label, self._photo = self._root, None, None, None
        self._is_closed = True
        if root is not None:
            try:
                root.destroy()
            except tkinter.TclError:
                return  # its display was there first

    @property
    def is_open(self) -> bool:
        """Whether it can be seen."""
        return self._root is not None

    def _open(self) -> None:
        try:
            self._root = tkinter.Tk(className=TITLE)
        except tkinter.TclError as error:
            raise RuntimeError(
                f'render_mode="human" opens a window, and that cannot be done here ({error}):'
                ' expected a display, or render_mode="rgb_array"'
            ) from None
        self._root.title(TITLE)
        self._root.resizable(width=False, height=False)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()

    def _wait(self) -> None:
        """Let the window live for the pause: it is drawn, and hears that it is to be closed."""
        end = time.monotonic() + self._pause
        while self._root is not None:
            self._root.update()
            left = end - time.monotonic()
            if left <= 0 or self._root is None:
                return
            time.sleep(min(left, 0.02))
