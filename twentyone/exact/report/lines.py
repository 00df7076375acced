"""A chart of basic strategy for standard output: in its colours on a terminal, as plain text elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from twentyone.exact.report.blocks import COLOURS, MEANINGS, Block, Row, entries_used
from twentyone.exact.report.letters import UPCARDS, Line, Piece, short, upcard_name

Margins = Mapping[tuple[str, int], float]
"""The gain of the best option over the next, in initial bets, by the word of the hand and the upcard."""

LABEL: Final = 7
"""Characters for the hands of a row."""


def chart_lines(
    blocks: Sequence[Block], margins: Margins | None = None, marked: Collection[tuple[str, int]] = ()
) -> list[Line]:
    """A chart with its legend.

    Args:
        blocks: the chart, not merged if there are margins or marks.
        margins: the figures next to the entries; None for none.
        marked: the cells, by hand and upcard, with a star before their entry, where there are no margins.
    """
    lines: list[Line] = []
    width = 4 if margins is None else 7
    for block in blocks:
        heads = (Piece(f"{upcard_name(upcard):>{width - 1}} ", "bold") for upcard in UPCARDS)
        lines += [[Piece(f"{block.name:<{LABEL}}", "bold"), *heads]]
        lines += [_row(row, width, margins, marked) for row in block.rows]
        lines.append([])
    return [*lines, *_legend(blocks)]


def style_of(entry: str) -> str:
    """The style of an entry, as rich spells styles."""
    return "{} on {}".format(*COLOURS[entry[0]])


def _row(row: Row, width: int, margins: Margins | None, marked: Collection[tuple[str, int]]) -> Line:
    return [
        Piece(f"{row.label:>{LABEL - 1}} "),
        *(
            Piece(_cell(row, entry, upcard, width, margins, marked), style_of(entry))
            for entry, upcard in zip(row.entries, UPCARDS, strict=True)
        ),
    ]


def _cell(
    row: Row,
    entry: str,
    upcard: int,
    width: int,
    margins: Margins | None,
    marked: Collection[tuple[str, int]],
) -> str:
    if margins is None:
        text = f"{entry:^{width}}" if len(entry) > 1 else f"  {entry} "
        return f"*{text[1:]}" if (row.hands[0], upcard) in marked else text
    margin = margins.get((row.hands[0], upcard))
    return f"{entry:>2}{'' if margin is None else short(margin, signed=False):<4} "


def _legend(blocks: Sequence[Block]) -> list[Line]:
    return [
        [Piece(f"{entry:^4}", style_of(entry)), Piece(f" {MEANINGS[entry]}")]
        for entry in entries_used(blocks)
    ]
