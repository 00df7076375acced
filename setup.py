"""The build: plain Python, or, where TWENTYONE_COMPILE=1 asks for it, C extensions of the same source by mypyc.

`tool.twentyone.compiled` in pyproject.toml says which modules, and why. A build needs no compiler and no mypy
without that variable.
"""

import os
import tomllib
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).parent


def extensions() -> list[Extension]:
    """The modules that are compiled: one library for each group, so that two compilers can work side by side."""
    from mypyc.build import mypycify

    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = []
    for name, group in config["tool"]["twentyone"]["compiled"].items():
        found = {path for pattern in group["modules"] for path in ROOT.glob(pattern)}
        found -= {path for pattern in group.get("plain", {}) for path in ROOT.glob(pattern)}
        groups.append((sorted(str(path.relative_to(ROOT)) for path in found), f"twentyone_{name}"))
    modules = [module for group, _ in groups for module in group]
    made = mypycify(modules, opt_level=os.environ.get("OPT", "1"), debug_level="0", separate=groups, multi_file=True)
    for extension in made:
        extension.extra_compile_args.append("-fcommon")
    return made


is_compiled = os.environ.get("TWENTYONE_COMPILE") == "1"
setup(ext_modules=extensions() if is_compiled else [], options={"build_ext": {"parallel": 2}})
