"""Pictures: one style for all of them, written whole or not at all.

`new_figure` loads Matplotlib, without pyplot: no window is opened, and no figure is kept in memory.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twentyone.support.command import FAILED, USAGE, CommandError, os_reason
from twentyone.support.counts import one_of
from twentyone.support.files import check_writable, write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH: Final = 7.2
"""Inches: the width of the text on a printed page, so that fonts keep their size in print."""

BLACK: Final = "#000000"
ORANGE: Final = "#e69f00"
SKY_BLUE: Final = "#56b4e9"
GREEN: Final = "#009e73"
BLUE: Final = "#0072b2"
VERMILION: Final = "#d55e00"
PURPLE: Final = "#cc79a7"
GREY: Final = "#777777"

COLOURS: Final = (BLUE, VERMILION, GREEN, ORANGE, SKY_BLUE, PURPLE, BLACK)
"""The colours of lines, in order, from Okabe, M. and Ito, K. (2008), Color Universal Design. Yellow is left
out, since it is too pale for a line on white."""

LINES: Final = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))
"""The dashes of lines, in the same order, so that lines can be distinguished in grey too."""

DIVERGING: Final = "PuOr"
"""The colour map for values with a sign: orange below 0, white at 0, purple above."""

STYLE: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "figure.constrained_layout.h_pad": 0.08,
    "figure.constrained_layout.w_pad": 0.06,
    "figure.dpi": 100,
    "figure.titlesize": 11,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "grid.alpha": 0.6,
    "grid.color": "#cccccc",
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "lines.markersize": 4,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "twentyone",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
"""The style of every picture. The font comes with Matplotlib, so it is the same everywhere."""

WITHOUT_A_DATE: Final[dict[str, dict[str, None]]] = {
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".svg": {"Date": None, "Creator": None},
}
"""The formats of pictures, each with the metadata to leave out, so that the same picture gives the same
file."""


def check_picture(path: Path) -> None:
    """Check, before any work, that a picture can be drawn and written.

    Raises:
        CommandError: if Matplotlib is not installed, the format is unknown, or the file cannot be written.
    """
    if path.suffix.lower() not in WITHOUT_A_DATE:
        raise CommandError(
            f"the picture {path} has no known format: expected a name that ends in {one_of(WITHOUT_A_DATE)}",
            USAGE,
        )
    check_installed()
    try:
        check_writable(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def new_figure(width: float = WIDTH, height: float = 4.5) -> Figure:
    """An empty figure in the style of the project.

    The style becomes Matplotlib's default in this process. The layout is "constrained", so nothing is cut
    off.

    Args:
        width: in inches.
        height: in inches.

    Raises:
        CommandError: if Matplotlib is not installed.
    """
    check_installed()
    from matplotlib import rcParams
    from matplotlib.figure import Figure
    from matplotlib.rcsetup import cycler

    rcParams.update(STYLE)
    rcParams["axes.prop_cycle"] = cycler(color=COLOURS, linestyle=LINES)
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the file's name: .png, .pdf or .svg.

    The same figure gives the same bytes. Writing is atomic.

    Raises:
        CommandError: if the format is unknown, or the file cannot be written.
    """
    check_picture(path)
    try:
        write_atomically(path, drawn(figure, path.suffix.lower()))
    except OSError as error:
        raise _unwritable(path, error) from None


def drawn(figure: Figure, kind: str) -> bytes:
    """The bytes of a figure's file; `kind` is one of WITHOUT_A_DATE."""
    file = io.BytesIO()
    if kind == ".png":  # `savefig` draws everything once before, to lay it out, which takes as long again
        from matplotlib import rcParams
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figure.set_dpi(rcParams["savefig.dpi"])
        FigureCanvasAgg(figure).print_png(file, metadata=WITHOUT_A_DATE[kind])  # type: ignore[no-untyped-call]
        return file.getvalue()
    figure.savefig(file, format=kind[1:], metadata=WITHOUT_A_DATE[kind])
    return file.getvalue()


def check_installed() -> None:
    """Check that pictures can be drawn.

    Raises:
        CommandError: if Matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise CommandError(
            "pictures need matplotlib, which is not installed: pip install 'twentyone[plot]'", FAILED
        ) from None


def _unwritable(path: Path, error: OSError) -> CommandError:
    return CommandError(f"the picture {path} cannot be written: {os_reason(error)}", FAILED)
