"""Results that took long to compute, kept on the disk in the user's cache.

A file holds its own name as well as its numbers, and a checksum of both (as every zip file does). So a file
that is damaged, truncated, of another format or of other rules is recognised and ignored. None of this is an
error: what cannot be read is computed again, and what cannot be written is not kept.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twentyone.support.cache import mark_used, trim, user_folder
from twentyone.support.files import write_atomically

FORMAT: Final = 2
"""To be increased when the meaning of the numbers or the order of the hands changes."""


def load(name: str, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    """Read values by name from the user's cache; None if it has no valid ones."""
    folder = user_folder()
    if folder is None:
        return None
    values = _read(folder / file_name(name), name, shape)
    mark_used(folder / file_name(name))
    return values


def keep(name: str, values: NDArray[np.float64]) -> None:
    """Keep values in the user's cache, if it can be written."""
    folder = user_folder()
    if folder is not None:
        try:
            write(folder, name, values)
        except OSError:
            return  # they are computed again the next time
        trim(folder)


def write(folder: Path, name: str, values: NDArray[np.float64]) -> None:
    """Write values into a folder, atomically.

    Raises:
        OSError: if they cannot be written.
    """
    content = BytesIO()
    np.savez(content, name=np.array(file_name(name)), values=values)
    write_atomically(folder / file_name(name), content.getvalue())


def file_name(name: str) -> str:
    """The name of the file of values."""
    return f"{name}.v{FORMAT}.npz"


def _read(path: Path, name: str, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            stored, values = file["name"], file["values"]
    except Exception:  # numpy raises many kinds of errors for a damaged or foreign file
        return None
    is_valid = str(stored) == file_name(name) and values.shape == shape and values.dtype == np.float64
    return values if is_valid and bool(np.isfinite(values).all()) else None
