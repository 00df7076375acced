"""The finding of a check that expected something different."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - it is the other side's, and no error of this one
    """A mistake of the other side, in one sentence, as the transcript shows it.

    Args:
        sentence: what it did.
        supposed: the same sentence with what may be the reason, if anything is supposed.
    """

    def __init__(self, sentence: str, supposed: str = "") -> None:
        super().__init__(supposed or sentence)
        self.plain = sentence


class NothingToCheck(Exception):  # noqa: N818 - it is no error
    """Why a situation cannot be had with this program, or this dealer, which is no fault."""
