"""A chart of basic strategy as one web page, which needs no other file and no network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from twentyone.exact.report.blocks import MEANINGS, Block, Row, entries_used
from twentyone.exact.report.letters import UPCARDS, short, upcard_name
from twentyone.exact.report.lines import Margins
from twentyone.support.sheets import header, rules_part, shared_style, with_minus

UPCARDS_IN_WORDS: Final = "dealer's upcard"


def page_of(
    blocks: Sequence[Block],
    title: str,
    rules: tuple[str, str],
    worth: Sequence[tuple[str, str]],
    note: str,
    margins: Margins | None = None,
) -> str:
    """A chart as an HTML page: light or dark as its reader has it, for a phone and for paper too.

    Args:
        blocks: the chart, not merged if there are margins.
        title: what it is.
        rules: the rules in prose, and as words of options.
        worth: what play by these rules is worth: names and figures.
        note: what the figures mean.
        margins: the figures below the entries, in initial bets; None for none.
    """
    parts = {
        "TITLE": escape(title),
        "STYLE": shared_style() + _beside("page.css"),
        "HEADER": header("A chart of basic strategy"),
        "RULES": rules_part(*rules),
        "WORTH": with_minus(
            "\n".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in worth)
        ),
        "TABLES": "\n".join(_table(block, margins) for block in blocks),
        "LEGEND": "\n".join(_meaning(entry) for entry in entries_used(blocks)),
        "NOTE": escape(note),
    }
    return re.sub(rf"\b({'|'.join(parts)})\b", lambda found: parts[found[0]], _beside("page.html"))


def _table(block: Block, margins: Margins | None) -> str:
    name = "Pairs" if block.name == "pairs" else f"{block.name.capitalize()} hands"
    heads = "".join(f'<th scope="col">{upcard_name(upcard)}</th>' for upcard in UPCARDS)
    rows = "\n".join(_row(row, margins) for row in block.rows)
    return (
        f"<table>\n<caption>{name} against the {UPCARDS_IN_WORDS}</caption>\n"
        f'<thead><tr><th scope="col">hand</th>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>'
    )


def _row(row: Row, margins: Margins | None) -> str:
    cells = "".join(
        _cell(row, entry, upcard, margins) for entry, upcard in zip(row.entries, UPCARDS, strict=True)
    )
    return f'<tr><th scope="row">{escape(row.label)}</th>{cells}</tr>'


def _cell(row: Row, entry: str, upcard: int, margins: Margins | None) -> str:
    margin = None if margins is None else margins.get((row.hands[0], upcard))
    figure = "" if margin is None else f"<small>{short(margin, signed=False)}</small>"
    meant = f'<abbr title="{row.label} against {upcard_name(upcard)}: {MEANINGS[entry]}">{entry}</abbr>'
    return f'<td class="kind-{entry[0]}">{meant}{figure}</td>'


def _meaning(entry: str) -> str:
    return f'<dt class="kind-{entry[0]}">{entry}</dt><dd>{MEANINGS[entry]}</dd>'


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
