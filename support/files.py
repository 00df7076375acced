"""Files that are whole or not there."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, text or bytes, so that, killed at any instant, it is the old one or the new one.

    The content goes to a temporary file in the same folder, is forced to the disk, and takes the name in one
    step. Folders that are missing are made. A link stays one: the file that it leads to is written.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    path = _target(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, _mode_of(path))
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(handle)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def check_writable(path: Path) -> None:
    """Check that `write_atomically` could write a file, by making its folder and a temporary file in it.

    Raises:
        OSError: if it could not.
    """
    path = _target(path)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
        pass  # it is gone again at once


def user_folder() -> Path | None:
    """The folder of this user's cache, by the XDG base directory specification; None if there is no home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():  # the specification: relative paths are to be ignored
        return Path(given) / "twentyone"
    try:
        return Path.home() / ".cache" / "twentyone"
    except RuntimeError:
        return None


def _target(path: Path) -> Path:
    """The file that a path leads to, in a folder that is there."""
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        # Taking its name would destroy a device such as /dev/null for everybody.
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _mode_of(path: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the new name last as well as the file's text."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
