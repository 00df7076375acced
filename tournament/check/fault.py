"""What a check finds out, where it is not what it expected."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - it is the other side's, and no error of this one
    """What the other side did wrong, in one sentence, as the transcript shows it."""


class NothingToCheck(Exception):  # noqa: N818 - it is no error
    """Why a situation cannot be had with this program, or this dealer, which is no fault."""
