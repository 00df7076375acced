"""Charts: basic strategy in the notation that players know, and its file.

    # format: 1
    # rules: preset=vegas decks=6 ...
    # columns: hand 2 3 4 5 6 7 8 9 10 11
    H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
    S18 Ds Ds Ds Ds Ds S S H H H
    P8 P P P P P P P P P Rp

A row has a hand (`twentyone.policies.hands`) and what to do with it against each upcard. Hard and soft rows
have no gap between the lowest and the highest total, which also hold below and above. A pair without a row,
and one that may not be split, is played by its total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cards import Decision, Rules, RulesError
from twentyone.policies.files import CHART_COLUMNS, rules_in
from twentyone.policies.hands import EXPECTED, HANDS, UPCARDS, hand_of, total_of
from twentyone.policies.policy import Observation, Policy
from twentyone.support.counts import counted, one_of
from twentyone.support.files import read_whole, write_atomically

FORMAT: Final = "1"

_HIT, _STAND, _DOUBLE = Decision.HIT, Decision.STAND, Decision.DOUBLE
_SPLIT, _SURRENDER = Decision.SPLIT, Decision.SURRENDER

ENTRIES: Final[Mapping[str, tuple[Decision, ...]]] = {
    "H": (_HIT,),
    "S": (_STAND,),
    "Dh": (_DOUBLE, _HIT),
    "Ds": (_DOUBLE, _STAND),
    "P": (_SPLIT,),
    "Ph": (_SPLIT, _HIT),
    "Pd": (_SPLIT, _DOUBLE, _HIT),
    "Rh": (_SURRENDER, _HIT),
    "Rs": (_SURRENDER, _STAND),
    "Rp": (_SURRENDER, _SPLIT),
}
"""The meaning of each entry: the first of these that is allowed.

Ph and Pd split only where a hand made by a split may be doubled.
"""

AFTER_SPLIT: Final = frozenset({"Ph", "Pd"})


class ChartError(Exception):
    """A file that is not a chart, in one sentence that says where it is wrong."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A policy as a chart.

    Attributes:
        name: what it is called in a sentence.
        rows: for each hand, by its word, the entries against 2 to 11.
        rules: the rules that it is made for; None if it does not say.
    """

    name: str
    rows: Mapping[str, tuple[str, ...]]
    rules: Rules | None = None

    def decide(self, seen: Observation, rules: Rules) -> Decision:
        """The chart's decision, which is always allowed. It never insures.

        Args:
            seen: what a player sees; with an upcard.
            rules: what is played.
        """
        entry = self.entry(seen)
        if Decision.DECLINE in seen.options:
            is_given_up = _SURRENDER in seen.options and entry[0] == "R"
            return _SURRENDER if is_given_up else Decision.DECLINE
        for decision in ENTRIES[entry]:
            is_fine = decision is not _SPLIT or entry not in AFTER_SPLIT or rules.double_after_split
            if decision in seen.options and is_fine:
                return decision
        return _STAND

    def entry(self, seen: Observation) -> str:
        """The entry of the chart for a hand and an upcard."""
        assert seen.upcard is not None, "a chart is for play against a dealer"
        row = self.row(hand_of(seen)) or self.row(total_of(seen))
        return row[seen.upcard - UPCARDS[0]]

    def row(self, hand: str) -> tuple[str, ...]:
        """The entries for a hand by its word: of a total, or the nearest; none for a pair without a row."""
        kind = hand[0]
        if kind == "P":
            return self.rows.get(hand, ())
        totals = _totals(self.rows, kind)
        return self.rows[f"{kind}{min(max(int(hand[1:]), min(totals)), max(totals))}"]


def policy_of(chart: Chart, rules: Rules) -> Policy:
    """A chart as a function of what a seat sees; it looks everything up once."""
    return cache(lambda seen: chart.decide(seen, rules))


def save(chart: Chart, path: Path) -> None:
    """Write a chart as text, atomically.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    header = {"format": FORMAT, "rules": chart.rules, "columns": CHART_COLUMNS}
    lines = [f"# {key}: {text}" for key, text in header.items() if text is not None]
    lines += [f"{hand} {' '.join(chart.rows[hand])}" for hand in HANDS if hand in chart.rows]
    write_atomically(path, "\n".join(lines) + "\n")


def load(path: Path) -> Chart:
    """Read a chart from its file.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        ChartError: if it is not a chart.
    """
    try:
        return from_text(read_whole(path), str(path))
    except UnicodeDecodeError:
        raise ChartError(f"{path} is not a chart: it is not text") from None


def from_text(text: str, name: str) -> Chart:
    """The chart in a text.

    Args:
        text: what the file holds.
        name: the file, for the sentences.

    Raises:
        ChartError: if it is not a chart.
    """
    header: dict[str, str] = {}
    rows: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if line.startswith("#"):
            key, _, said = line[1:].partition(":")
            header[key.strip()] = said.strip()
        elif words:
            where = f"{name}, line {number}"
            _verify_row(words, where)
            if words[0] in rows:
                raise ChartError(f"{where}: {words[0]} has a row already: expected one")
            rows[words[0]] = tuple(words[1:])
    if header.get("format", FORMAT) != FORMAT:
        raise ChartError(f"{name} is of format {header['format'][:40]!r}: expected {FORMAT}")
    _verify_rows(rows, name)
    return Chart(name, rows, _rules(header.get("rules"), name))


def _verify_row(words: list[str], where: str) -> None:
    hand, *entries = words
    if hand not in HANDS:
        raise ChartError(f"{where}: {hand[:20]!r} is not a hand: expected {EXPECTED}")
    if len(entries) != len(UPCARDS):
        many = counted(len(entries), "entry")
        raise ChartError(f"{where}: {hand} has {many}: expected 10, against 2 to 11")
    for entry in entries:
        if entry not in ENTRIES:
            raise ChartError(f"{where}: {entry[:20]!r} is not an entry: expected {one_of(ENTRIES)}")
        if hand[0] != "P" and _SPLIT in ENTRIES[entry]:
            raise ChartError(f"{where}: {hand} is no pair, so {entry} makes no sense")


def _verify_rows(rows: Mapping[str, tuple[str, ...]], name: str) -> None:
    """See that each hand has something to be played by."""
    for kind, called in (("H", "hard"), ("S", "soft")):
        totals = _totals(rows, kind)
        if not totals:
            raise ChartError(f"{name} has no row for {called} hands: expected some, such as {kind}17")
        for total in range(min(totals), max(totals)):
            if total not in totals:
                raise ChartError(f"{name} has no row {kind}{total}: expected one between its other rows")


def _totals(rows: Mapping[str, tuple[str, ...]], kind: str) -> list[int]:
    return [int(hand[1:]) for hand in rows if hand[0] == kind]


def _rules(text: str | None, name: str) -> Rules | None:
    try:
        return None if text is None else rules_in(text)
    except RulesError as error:
        raise ChartError(f"{name} names invalid rules: {error}") from None
