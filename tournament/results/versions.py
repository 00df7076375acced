"""The versions of entrants: what a version is made of, and whether another one has come.

Where entrants may come later, a change is another policy or command, other contents of the policy's file, of
a file that the command names or of the folder that is copied, or another `version` of a program that connects
by itself. A file or a folder that only lies somewhere else is no change.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tournament.entrants import file_of, files_named
from tournament.settings import Entrant
from twentyone.support.command import CommandError, os_reason

LEFT_OUT: Final = "__pycache__"
"""A folder that Python makes beside its modules, which is not looked at."""

CHUNK: Final = 1 << 20


def sources_of(entrant: Entrant) -> dict[str, Any]:
    """The contents that make a version of an entrant, each as a SHA-256 in base 16.

    Returns:
        `digest` of the file that its policy plays by (None where there is none); `words` of its command, with
        the digest of a file in place of its folder; `folder`, the digest of what is copied (None for
        nothing).

    Raises:
        CommandError: if anything of that cannot be read.
    """
    try:
        file = None if entrant.policy is None else file_of(entrant)
        return {
            "digest": None if file is None else _digest_of_file(file),
            "words": [_word(word) for word in entrant.command],
            "folder": None if entrant.folder is None else _digest_of_folder(entrant.folder),
        }
    except OSError as error:
        where = error.filename or entrant.folder
        raise CommandError(f"entrant {entrant.name}: {where} cannot be read: {os_reason(error)}") from None


def is_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether two entrants, as `settings_json` keeps them, are the same version."""
    return _made_of(before) == _made_of(now)


def _made_of(told: Mapping[str, Any]) -> list[Any]:
    sources = told["sources"]
    policy = told["policy"] if sources["digest"] is None else _member(told["policy"])
    return [policy, sources, told["listen"] is not None, told["version"]]


def _member(policy: str) -> str:
    """The name of a policy without the path of its file: its kind, and what it takes of a Python file."""
    kind, _, rest = policy.partition(":")
    head, _, member = policy.rpartition(":")
    if head.endswith(".py"):
        return member
    return kind if rest and "/" in rest else Path(policy).suffix


def _word(word: str) -> str:
    """A word of a command; of one that names a file the digest of the file."""
    for path in files_named(word):
        return word.replace(str(path.parent), "", 1) + f" {_digest_of_file(path)}"
    return word


def _digest_of_file(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _digest_of_folder(folder: Path) -> str:
    """The digest of the names and contents of all files in a folder, and of which may be run."""
    found = hashlib.sha256()
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != LEFT_OUT)
        for name in sorted([*files, *(each for each in folders if Path(where, each).is_symlink())]):
            path = Path(where, name)
            is_program = os.access(path, os.X_OK)
            told = f"{path.relative_to(folder)}\n{is_program}\n{_content(path)}\n"
            found.update(told.encode(errors="surrogateescape"))
    return found.hexdigest()


def _content(path: Path) -> str:
    """The digest of a file; of a link to a folder, or to nothing, where it leads."""
    return _digest_of_file(path) if path.is_file() else str(path.readlink()) if path.is_symlink() else "-"
