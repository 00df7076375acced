"""A command in this process, as a shell would run it, for tests to which nothing about a process matters."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.processes import PROGRESS, Finished, keyboard_interrupts

COMPILING: Final = re.compile(r"(?m)^[a-z]+: compiling for this machine first.*\n")
"""What a command says if no test before has compiled its kernels."""


def inside(main: Callable[[], object], *words: object, cwd: Path) -> Finished:
    """Run the main function of a command in a folder; give what `tests.helpers.processes.command` gives.

    Args:
        main: the function, which ends by `sys.exit`.
        words: the command line, the name of the command first.
        cwd: the folder.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        pytest.MonkeyPatch.context() as patch,
        keyboard_interrupts(),
        pytest.raises(SystemExit) as ended,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        patch.chdir(cwd)
        patch.setattr(sys, "argv", [*map(str, words)])
        patch.setenv("COLUMNS", "200")
        patch.setenv("NO_COLOR", "1")
        main()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    assert isinstance(ended.value.code, int)
    return Finished(ended.value.code, texts[0], COMPILING.sub("", PROGRESS.sub("", texts[1])))
