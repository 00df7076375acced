"""A chart as it is published: hard hands, soft hands and pairs, where rows that are alike stand once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cards import Ace, Rules
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.hand_charts import hands_under, seen_as
from twentyone.policies.hands import UPCARDS

MEANINGS: Final[Mapping[str, str]] = {
    "H": "hit",
    "S": "stand",
    "Dh": "double if that is allowed, otherwise hit",
    "Ds": "double if that is allowed, otherwise stand",
    "P": "split",
    "Ph": "split if a split hand may be doubled, otherwise hit",
    "Pd": "split if a split hand may be doubled, otherwise double",
    "Rh": "surrender if that is allowed, otherwise hit",
    "Rs": "surrender if that is allowed, otherwise stand",
    "Rp": "surrender if that is allowed, otherwise split",
}
"""The meaning of each entry."""

COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "H": ("#000000", "#8fd19e"),
    "S": ("#ffffff", "#b23a2e"),
    "D": ("#ffffff", "#1f5fa8"),
    "P": ("#000000", "#f2d13d"),
    "R": ("#000000", "#d9d9d9"),
}
"""Letters and ground of an entry, by its first letter: green to hit, red to stand, blue to double, yellow to
split, and grey to give up, as charts are printed. The grounds differ in brightness too, for readers who see
no colours, and letters stand out of theirs by at least 4.5 to 1 (WCAG 2.2, 1.4.3)."""


class Row(NamedTuple):
    """A row of a chart.

    Attributes:
        label: the hands, as players write them: `16`, `17+`, `4-8`, `8,8`.
        hands: the words of these hands (`twentyone.policies.hands`).
        entries: what to do against 2 to 10 and the ace.
    """

    label: str
    hands: tuple[str, ...]
    entries: tuple[str, ...]


class Block(NamedTuple):
    """The rows of one kind of hands, from the lowest to the highest.

    Attributes:
        name: `hard`, `soft` or `pairs`.
        rows: its rows.
    """

    name: str
    rows: tuple[Row, ...]


def blocks_of(chart: Chart, rules: Rules, *, merged: bool = True) -> list[Block]:
    """The blocks of a chart: hard hands, soft hands, and pairs if they may be split.

    Args:
        chart: the chart.
        rules: what is played.
        merged: whether rows at the ends of the totals that are alike stand once, as in published charts.
    """
    hands = hands_under(rules)
    blocks = [Block("hard", _totals(chart, [hand for hand in hands if hand[0] == "H"], merged))]
    if rules.ace is Ace.EITHER:
        blocks.append(Block("soft", _totals(chart, [hand for hand in hands if hand[0] == "S"], merged)))
    if rules.split > 1:
        pairs = [*(pair for pair in hands if pair[0] == "P" and pair != "PA"), *({"PA"} & {*hands})]
        rows = (Row(pair_label(hand), (hand,), entries_of(chart, hand, rules.ace)) for hand in pairs)
        blocks.append(Block("pairs", tuple(rows)))
    return blocks


def entries_of(chart: Chart, hand: str, ace: Ace = Ace.EITHER) -> tuple[str, ...]:
    """The entries of a chart for a hand, by upcard; a pair without a row is played by its total."""
    return tuple(chart.entry(seen_as(hand, upcard, ace)) for upcard in UPCARDS)


def pair_label(hand: str) -> str:
    """A pair as players write it: `8,8`."""
    return f"{hand[1:]},{hand[1:]}"


def entries_used(blocks: Iterable[Block]) -> list[str]:
    """The entries that stand in some blocks, in the order of `twentyone.policies.chart.ENTRIES`."""
    used = {entry for block in blocks for row in block.rows for entry in row.entries}
    return [entry for entry in ENTRIES if entry in used]


def _totals(chart: Chart, hands: Sequence[str], merged: bool) -> tuple[Row, ...]:
    rows = [Row(hand[1:], (hand,), entries_of(chart, hand)) for hand in hands]
    if not merged:
        return tuple(rows)
    low = _alike(rows)
    if low == len(rows):
        return (_joined(rows, f"{rows[0].label}+"),)
    high = _alike(rows[::-1])
    first, last = rows[:low], rows[-high:]
    bottom = _joined(first, f"{first[0].label}-{first[-1].label}") if low > 1 else first[0]
    top = _joined(last, f"{last[0].label}+") if high > 1 else last[0]
    return (bottom, *rows[low : len(rows) - high], top)


def _alike(rows: Sequence[Row]) -> int:
    """The number of rows, from the first on, that have the same entries."""
    return next((at for at, row in enumerate(rows) if row.entries != rows[0].entries), len(rows))


def _joined(rows: Sequence[Row], label: str) -> Row:
    return Row(label, tuple(hand for row in rows for hand in row.hands), rows[0].entries)
