"""Drawings of boards, read."""

from __future__ import annotations

from twentyone.mancala.core.board import Board, Player


def from_picture(text: str) -> Board:
    """The board of a drawing by `twentyone.mancala.core.board.to_picture`."""
    lines = [line for line in text.splitlines() if line.strip()]
    upper, (second, first), lower = (
        [int(count) for count in line.replace(">", " ").split()] for line in lines
    )
    (to_move,) = (player for player, line in ((Player.TWO, lines[0]), (Player.ONE, lines[2])) if ">" in line)
    return Board((*lower, first, *reversed(upper), second), to_move)
