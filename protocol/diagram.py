"""The transition table as a diagram: `python -m protocol.diagram` prints what SPEC.md shows."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from protocol.codec import FORMS
from protocol.machine import TRANSITIONS, ClockRanOut, Move, SeatDenied, SeatGranted, State, Unsaid
from protocol.messages import PLAYER_KINDS, BetRequest, HandResult, SideRequest

INDENT: Final = "    "


def diagram() -> str:
    """The states and the moves between them as a Mermaid state diagram, one arrow for each sender."""
    lines = [f"[*] --> {State.CONNECTED.name}"]
    for state, moves in TRANSITIONS.items():
        arrows: dict[tuple[State, str], list[str]] = defaultdict(list)
        for move, after in moves.items():
            who, what = _named(move)
            arrows[after, who].append(what)
        lines += [
            f"{state.name} --> {after.name}: {who} {', '.join(what)}" for (after, who), what in arrows.items()
        ]
    lines.append(f"{State.CLOSED.name} --> [*]")
    return "\n".join(["stateDiagram-v2", *(INDENT + line for line in lines)])


def _named(move: Move) -> tuple[str, str]:
    """The side that makes a move, and the verb of the move."""
    if issubclass(move, Unsaid):
        return "(dealer)", _UNSAID[move]
    verb = _LONGER.get(move) or FORMS[move].split()[0]
    return "player" if move in PLAYER_KINDS else "dealer", verb


_LONGER: Final[dict[Move, str]] = {
    BetRequest: "DECISION BET",
    SideRequest: "DECISION ... DECLINE",
    HandResult: "HAND ... <payoff>",
}
"""Additions that distinguish messages that begin with the same verb."""

_UNSAID: Final[dict[type[Unsaid], str]] = {
    ClockRanOut: "the clock ran out",
    SeatGranted: "there is a seat",
    SeatDenied: "there is no seat",
}


if __name__ == "__main__":
    print(diagram())
