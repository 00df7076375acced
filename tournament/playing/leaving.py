"""Notes about the ways in which a program leaves its seat, and about programs that take none."""

from __future__ import annotations

from typing import Final

from dealer.lobby.log import Reason
from tournament.playing.places import Place

CALLED_OFF: Final = frozenset({Reason.NO_MORE_ROUNDS, Reason.ENDED})
"""Why a program leaves that has done nothing wrong."""

LEFT: Final = {
    Reason.QUIT: "it left with QUIT",
    Reason.CONNECTION_LOST: "its connection ended",
    Reason.SAYS_NO_MORE: "its connection ended",
    Reason.UNREAD: "its connection ended",
    Reason.ROUNDS_PLAYED: "its JOIN asked for no more rounds than it had",
}
"""The notes about ends that were not asked for."""

SENT_AWAY: Final = {
    Reason.REFUSED: "it was sent away, since too many of its lines were refused",
    Reason.NO_ANSWER: "it was sent away, since too many decisions in a row were late",
}
"""The note about a program that the dealer has sent away."""


def missed(place: Place, seconds: float, *, has_ended: bool) -> str:
    """The reason why the seat of a place stayed empty.

    Args:
        place: the place.
        seconds: how long it was waited.
        has_ended: whether the program ended meanwhile.
    """
    is_back = place.told.listen is not None and place.has_come
    if has_ended:
        why = "its program ended before it took its seat"
    elif place.told.listen is not None and place.why_lost:
        why = f"{place.why_lost}, and it did not come back within {seconds:g} s"
    else:
        why = f"it did not {'come back' if is_back else 'join'} within {seconds:g} s"
    return f"{why}; its last line was refused: {place.refusal}" if place.refusal else why
