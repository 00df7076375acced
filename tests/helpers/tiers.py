"""Which parameters of a test are tried before every commit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """The parameters of a test, of which all but the first few are marked `check`; a tuple is of several."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.check if place >= count else ()
        )
        for place, case in enumerate(cases)
    ]
