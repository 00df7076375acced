"""The build: plain Python, or the same source as C extensions by mypyc, where TWENTYONE_COMPILE=1 asks.

`tool.twentyone.compiled` in pyproject.toml says which modules, and why. Without that variable a build needs
neither a C compiler nor mypy.
"""

import os
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).parent


def compiled() -> list[Extension]:
    """The modules that are compiled: a library for each group, so that two compilers work side by side."""
    from mypyc.build import mypycify

    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["twentyone"]["compiled"]
    groups: list[tuple[list[str], str | None]] = [
        (modules_of(group), f"twentyone_{name}") for name, group in listed.items()
    ]
    every = [module for modules, _ in groups for module in modules]
    # More than -O1 takes the compiler nearly twice as long.
    extensions = mypycify(every, opt_level="1", debug_level="0", multi_file=True, separate=groups)
    if sys.platform != "win32":
        for extension in extensions:  # the parts of a group name the other group's table, each for itself
            extension.extra_compile_args.append("-fcommon")
    return extensions


def modules_of(group: dict[str, dict[str, str]]) -> list[str]:
    """The files of a group: those of its patterns, without those that stay plain."""
    files = files_of(group["modules"]) - files_of(group.get("plain", {}))
    return sorted(str(path.relative_to(ROOT)) for path in files)


def files_of(patterns: Iterable[str]) -> set[Path]:
    """The files of some patterns; `{a,b}` stands for either.

    Raises:
        ValueError: for a pattern that no file has.
    """
    found: set[Path] = set()
    for pattern in patterns:
        before, _, rest = pattern.partition("{")
        names, _, after = rest.partition("}")
        each = [path for name in names.split(",") for path in ROOT.glob(f"{before}{name}{after}")]
        if len(each) < len(names.split(",")):
            raise ValueError(f"{pattern} in tool.twentyone.compiled: expected the names of files that exist")
        found.update(each)
    return found


is_asked_for = os.environ.get("TWENTYONE_COMPILE") == "1"
setup(ext_modules=compiled() if is_asked_for else [], options={"build_ext": {"parallel": os.cpu_count()}})
