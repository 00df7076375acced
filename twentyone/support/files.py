"""Files that are written whole or not at all, and read whole."""

from __future__ import annotations

import codecs
import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

NOT_REGULAR: Final = "it is not a regular file"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, text or bytes, atomically: after a crash it is either the old file or the new one.

    The content is written to a temporary file in the same folder, forced to the disk, and renamed. Missing
    folders are created. If the path is a symbolic link, the file that it points to is written.

    Raises:
        OSError: if it cannot be written. The old file is then unchanged.
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
    """Check that `write_atomically` could write a file, by creating its folder and a temporary file in it.

    Raises:
        OSError: if it could not be written.
    """
    path = _target(path)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
        pass  # it is deleted at once


def read_whole(path: Path) -> str:
    """The text of a file, as `decoded`. A pipe or a device is refused, not waited for: it may never end.

    Raises:
        OSError: if it cannot be read, or is not a regular file.
        UnicodeDecodeError: if it is not text.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(NOT_REGULAR)
    return decoded(path.read_bytes())  # of a folder it says what it is


def decoded(content: bytes, errors: str = "strict") -> str:
    """The text of the bytes of a file: UTF-8, or UTF-16 with its mark; lines end in line feeds.

    Editors and PowerShell on Windows begin a file with a byte order mark, which is no part of the text.

    Args:
        content: the bytes of a file from its start.
        errors: how bytes that are not text are taken, as in `bytes.decode`.

    Raises:
        UnicodeDecodeError: if it is not text, where `errors` is strict.
    """
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return content.decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")


def _target(path: Path) -> Path:
    """The file that a path points to. Its folder is created if it is missing."""
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        # Renaming a file to it would destroy a device, such as /dev/null, for everybody.
        raise OSError(NOT_REGULAR)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _mode_of(path: Path) -> int:
    """The permissions of the file that is replaced, or the default ones of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Force the new name to the disk, as the content was."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
