"""Which build of the project this is: plain Python, or with C extensions of the same source."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec


def build_name() -> str:
    """The build that runs: `compiled`, or `plain` where every module is Python."""
    spec = find_spec("cards.round")
    is_compiled = spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))
    return "compiled" if is_compiled else "plain"
