"""What is noted of the ways in which a program leaves its seat."""

from __future__ import annotations

from typing import Final

from dealer.lobby.log import Reason

CALLED_OFF: Final = frozenset({Reason.NO_MORE_ROUNDS, Reason.ENDED})
"""Why a program leaves that has done nothing wrong."""

LEFT: Final = {
    Reason.QUIT: "it left with QUIT",
    Reason.CONNECTION_LOST: "its connection ended",
    Reason.SAYS_NO_MORE: "its connection ended",
    Reason.UNREAD: "its connection ended",
    Reason.ROUNDS_PLAYED: "its JOIN asked for no more rounds than it had",
}
"""What is noted of ends that nobody asked for."""

SENT_AWAY: Final = {
    Reason.REFUSED: "it was sent away, since too many of its lines were refused",
    Reason.NO_ANSWER: "it was sent away, since too many decisions in a row were late",
}
"""What is noted of a program that the dealer has sent away."""
