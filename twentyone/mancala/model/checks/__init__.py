"""The 92 checks that the original makes of its own predicates."""

from __future__ import annotations

from typing import Final

from twentyone.mancala.model.checks.boards import BOARD_CHECKS
from twentyone.mancala.model.checks.check import Check, Kind
from twentyone.mancala.model.checks.steps import STEP_CHECKS
from twentyone.mancala.model.checks.traces import TRACE_CHECKS

CHECKS: Final = (*BOARD_CHECKS, *STEP_CHECKS, *TRACE_CHECKS)
"""All checks: first those about a board, then about a step, then about a trace."""

__all__ = ["CHECKS", "Check", "Kind"]
