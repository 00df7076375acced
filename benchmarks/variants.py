"""Versions and builds of the project that are measured beside each other, each by processes of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from twentyone.support.command import CommandError

ROOT: Final = Path(__file__).resolve().parent.parent
"""The folder of the packages: processes run the code that lies there, as this one does."""

Words = Sequence[str | Path | float]


@dataclass(frozen=True, slots=True)
class Variant:
    """A version or a build.

    Attributes:
        name: its name, as in a table.
        python: the interpreter.
        folder: that of the packages; None for those that are installed beside the interpreter.
    """

    name: str
    python: Path
    folder: Path | None

    @property
    def variables(self) -> dict[str, str]:
        """The variables of the environment of its processes."""
        others = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return others | ({} if self.folder is None else {"PYTHONPATH": str(self.folder)})

    def words(self, arguments: Words) -> list[str]:
        """The command line of a process: its arguments are those of `python`.

        No folder but its own comes before what is installed, neither that of the script nor the present one.
        """
        return [str(self.python), "-P", *map(str, arguments)]

    def command(self, name: str) -> Path:
        """The script of one of the project's commands."""
        return self.python.with_name(name)

    def run(self, *arguments: str | Path | float) -> Any:
        """The JSON document that a process prints, waited for.

        Raises:
            CommandError: if it fails.
        """
        try:
            done = subprocess.run(
                self.words(arguments),
                cwd=ROOT,
                env=self.variables,
                capture_output=True,
                text=True,
                check=True,
            )
        except OSError as error:
            raise CommandError(f"{self.name} cannot be measured: {error}") from None
        except subprocess.CalledProcessError as error:
            said = error.stderr.strip().splitlines() or [f"status {error.returncode}"]
            raise CommandError(f"{self.name} cannot be measured: {said[-1]}") from None
        return json.loads(done.stdout)


PLAIN: Final = Variant("plain", Path(sys.executable), ROOT)
"""This tree."""

COMPILED: Final = Variant("compiled", ROOT / ".venv-fast" / "bin" / "python", None)
"""The one that `make fast` has installed."""

_BUILT: Final = ROOT / ".venv-fast" / "built"
"""It is there once all of that is."""


def is_built() -> bool:
    """Whether there is a compiled build."""
    return _BUILT.exists()


def before(folder: Path) -> Variant:
    """A checkout of another version, run by the interpreter of this one.

    Raises:
        CommandError: if it is none.
    """
    if not (folder / "cards").is_dir():
        raise CommandError(f"{folder} is no checkout of twentyone")
    return Variant("before", Path(sys.executable), folder.resolve())


def builds() -> list[Variant]:
    """The plain build of this tree, and the compiled one where it exists."""
    return [PLAIN, COMPILED] if is_built() else [PLAIN]
