"""A picture of the lengths of games."""

from __future__ import annotations

from pathlib import Path

from twentyone.mancala.solving.facts import Lengths
from twentyone.support.pictures import BLACK, BLUE, ORANGE, new_figure, save


def draw_lengths(lengths: Lengths, game: str, path: Path) -> None:
    """Draw the probability of each length of a random game as a bar, with the share of ties, and save it.

    Args:
        lengths: the lengths.
        game: the title, which names the game.
        path: the picture, a .png, .pdf or .svg file.

    Raises:
        CommandError: if matplotlib is not installed, or the file cannot be written.
    """
    figure = new_figure()
    axes = figure.add_subplot()
    moves = [*lengths.chances]
    tied = [float(lengths.chances[each] * lengths.ties[each]) for each in moves]
    won = [float(lengths.chances[each]) - tie for each, tie in zip(moves, tied, strict=True)]
    axes.bar(moves, won, color=BLUE, label="a player wins")
    axes.bar(moves, tied, bottom=won, color=ORANGE, label="tie")
    mean = float(lengths.mean)
    axes.axvline(mean, color=BLACK, linestyle=":", label=f"mean {mean:z.2f}")
    axes.set_xlabel("length of a random game (moves)")
    axes.set_ylabel("probability")
    axes.set_title(game)
    axes.legend()
    save(figure, path)
