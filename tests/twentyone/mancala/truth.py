"""The exact figures of twelve variants, made independently, and how their rules are ours."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.tiers import first_of
from twentyone.mancala.core.board import initial
from twentyone.mancala.core.rules import Capture, Extra, Rules, Wrap
from twentyone.mancala.solving.space import Space, explore

DATA: Final = Path(__file__).with_name("data")

TRUTH: Final[dict[str, dict[str, Any]]] = {
    f"{size} {name}": figures
    for size in ("2x2", "3x2")
    for name, figures in json.loads((DATA / f"mancala_truth_{size}.json").read_text(encoding="utf-8")).items()
}
"""By the size of the board, holes x marbles, and the variant's name."""

SIZES: Final = pytest.mark.parametrize("size", first_of(["2x2", "3x2"]))
"""All rules are different on the smaller board already."""


def names_of(size: str) -> list[str]:
    """The variants of one size."""
    return [name for name in TRUTH if name.startswith(size)]


def rules_of(figures: dict[str, Any]) -> Rules:
    """The rules that figures are about."""
    said = figures["rules"]
    wrap = Wrap.ILLEGAL if said["wrap"] == "forbid" else Wrap.SKIP if said["skip_origin"] else Wrap.ALLOWED
    return Rules(wrap, Capture(said["capture"]), Extra(said["extra"]), said["sweep"] == "owner")


@cache
def space_of(name: str) -> Space:
    """The boards that a variant reaches."""
    said = TRUTH[name]["rules"]
    return explore(initial(said["holes"], said["marbles"]), rules_of(TRUTH[name]))
