"""Verifies a history: every card, payoff and cost follows from the rules, and nothing was changed.

Each line is played again, and written again; it has to be the same. What cannot follow, such as the time, is
held by the chain of the lines only, and named.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from cards import Rules
from tournament.replay.following import expected_entrants
from tournament.replay.lines import (
    LineError,
    Replayed,
    Replayer,
    first_difference,
    object_once,
    parsed,
)
from tournament.replay.ranges import RANGE, line_before, lines_within, over_ranges, whole_lines
from twentyone.support.limits import cores

MAX_FAULTS: Final = 20
"""Faults that are told of a file; further ones are only counted."""

_OTHER_TEXT: Final = "text has other blanks, or another form of a number, than a dealer writes"
_NO_CHAIN: Final = "chain is missing, which every line of a tournament has"
_BROKEN: Final = (
    "chain does not follow from the line before and this one: one of them was changed, taken out, repeated or"
    " moved"
)


_FIRST_AGAIN: Final = "it is the first line once more"
_TURNED: Final = "it follows the last line: expected the parts in the order in which they were written"


class Beginning(NamedTuple):
    """The first line of a file whose chain begins in an earlier file, as after a rotation.

    Attributes:
        line: its number, from 1.
        round: the number of its round.
        text: the text that its chain holds, after `chain` of the line before, which is not known.
        chain: its `chain`.
    """

    line: int
    round: int
    text: str
    chain: str


class Fault(NamedTuple):
    """Something wrong with a line.

    Attributes:
        line: its number, from 1.
        text: what differs, in a sentence without a point.
    """

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line:,}: {self.text}"


@dataclass(slots=True)
class Verdict:
    """The outcome of verifying lines.

    Attributes:
        lines: how many there are.
        rounds: how many of them tell a round, and are in order.
        faults: the first faults.
        faulty: how many lines have one.
        chain: `chain` of the last line; None if it has none.
        starts: where runs begin: each `chain` that does not follow a line before, and its line.
        unverified: the keys of these rounds whose values nothing else tells.
        begins: the first line, where its chain begins in an earlier file; otherwise None.
    """

    lines: int = 0
    rounds: int = 0
    faults: list[Fault] = field(default_factory=list)
    faulty: int = 0
    chain: str | None = None
    starts: dict[str, int] = field(default_factory=dict)
    unverified: set[str] = field(default_factory=set)
    begins: Beginning | None = None

    def blame(self, fault: Fault) -> None:
        """Count a line that has a fault."""
        self.faulty += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)

    def add(self, after: Verdict) -> None:
        """Add the verdict on the lines after these."""
        self.faults += [Fault(self.lines + line, text) for line, text in after.faults]
        self.rounds += after.rounds
        self.unverified |= after.unverified
        self.faulty += after.faulty
        for chain, line in after.starts.items():
            if chain in self.starts:
                self.rounds -= 1
                self.faulty += 1
                self.faults.append(Fault(self.lines + line, _once_more(self.starts[chain])))
            else:
                self.starts[chain] = self.lines + line
        if after.begins is not None:
            self.begins = after.begins._replace(line=self.lines + after.begins.line)
        self.lines += after.lines
        self.chain = after.chain if after.lines else self.chain
        self.faults = sorted(self.faults)[:MAX_FAULTS]

    def close(self) -> Verdict:
        """Blame the first line if the last one comes before it: parts in the wrong order."""
        first = self.begins
        if first is not None and first.chain == _chain_after(self.chain or "", first.text):
            self.rounds -= 1
            self.faulty += 1
            self.faults = sorted([Fault(first.line, _TURNED), *self.faults])[:MAX_FAULTS]
        return self


class Verifier:
    """Verifies one line after the other.

    Args:
        before: the line before the first of them; None if they are the first of the file.
        first: `chain` of the first line of the file; None if it is not known, or has none.
        working: told the rules before costs are worked out that a line tells.
    """

    def __init__(
        self,
        before: bytes | None = None,
        first: str | None = None,
        working: Callable[[Rules], object] = lambda _: None,
    ) -> None:
        self.verdict = Verdict()
        self._replayer = Replayer(working)
        self._chain: str | None = ""  # of the line before; None if it has none
        self._round: int | None = None  # of the line before; None before the first
        self._first = first
        self._is_lost = False  # whether the line before cannot be read, so that nothing has to follow it
        self._before: Mapping[str, Any] | None = None  # the line before as it should be, if it is a round
        if before is not None:
            self._go_on_from(_readable(before))
            with suppress(LineError):
                self._before = self._replayer.replay(parsed(before)).expected

    def verify(self, line: bytes) -> Replayed | None:
        """Verify the next line.

        Returns:
            Its round; None if the line is at fault, or empty.
        """
        verdict, text = self.verdict, line.strip().removeprefix(BOM_UTF8)  # an editor may have put it there
        verdict.lines += 1
        if not text:
            return None
        told: dict[str, Any] | None = None
        replayed: Replayed | None = None
        followed: frozenset[str] | None = None  # None where the line is at fault
        try:
            told = parsed(text)
            replayed = self._replayer.replay(told)
            self._verify_text(text, replayed)
            followed = self._verify_entrants(replayed)
        except LineError as error:
            verdict.blame(Fault(verdict.lines, str(error)))
        self._go_on_from(told)
        self._before = None if replayed is None else replayed.expected
        if replayed is None or followed is None:
            return None
        verdict.rounds += 1
        verdict.unverified |= replayed.unverified - followed
        return replayed

    def _verify_text(self, text: bytes, replayed: Replayed) -> None:
        """See that the line says what it has to, and follows the one before."""
        bare, chain = json.dumps(replayed.expected), replayed.told.get("chain")
        is_chained = "chain" in replayed.told
        whole = f'{bare[:-1]}, "chain": "{chain}"}}' if is_chained else bare
        if whole.encode() != text:
            written = json.loads(text, object_pairs_hook=object_once)
            written.pop("chain", None)
            if difference := first_difference(written, replayed.expected):
                raise LineError(difference)
            if is_chained:
                raise LineError(_OTHER_TEXT)
        if not is_chained:
            self._verify_unchained(replayed.told)
        elif not isinstance(chain, str):
            raise LineError("chain is not text")
        else:
            self._verify_chain(replayed.told, bare, chain)

    def _verify_entrants(self, replayed: Replayed) -> frozenset[str]:
        """See that the seats of a tournament's line follow from the round before; the keys that do."""
        told, followed = replayed.told, frozenset[str]()
        if told["round"] == 1 and "shoe" in told and replayed.round.rules.bets is not None:
            first = str(replayed.round.rules.first_bankroll)
            expected = [{"bankroll": first} for _ in told["seats"]]
        else:
            expected = expected_entrants(told, self._before, replayed.round) or []
        for number, (seat, follows) in enumerate(zip(told["seats"], expected, strict=False)):
            is_told = {key: seat.get(key) for key in follows}
            if is_told != follows:
                raise LineError(first_difference(is_told, follows, f"seats[{number}]"))
            followed |= follows.keys() & {"bankroll"}
        return followed

    def _verify_unchained(self, told: Mapping[str, Any]) -> None:
        """See that a line without a chain follows the one before, by its number at least.

        Lines that were told to a player do not: rounds in which the player had no part are not among them.
        """
        if "shoe" in told or self._chain:
            raise LineError("chain is missing, which the line before has" if self._chain else _NO_CHAIN)
        if "you" not in told:
            self._verify_number(told)

    def _verify_number(self, told: Mapping[str, Any]) -> None:
        """See that a dealer's rounds are numbered one after the other."""
        before = self._round
        if before is not None and not self._is_lost and told["round"] not in (1, before + 1):
            raise LineError(f"round is {told['round']}: expected {before + 1}, or 1 where another run begins")

    def _verify_chain(self, told: Mapping[str, Any], bare: str, chain: str) -> None:
        """See that a line follows the one before, or begins a run."""
        before, number, is_dealers = self._chain, told["round"], "shoe" not in told
        if number > 1 and chain == self._first:
            raise LineError(_FIRST_AGAIN)
        if self._is_lost or (before and chain == _chain_after(before, bare)):
            if is_dealers:
                self._verify_number(told)
            return
        is_first = before == ""
        starts, line = self.verdict.starts, self.verdict.lines
        if chain == _chain_after("", bare):
            if not (is_first or (is_dealers and number == 1)):
                raise LineError(_BROKEN)
        elif is_first and is_dealers and number > 1:
            self.verdict.begins = Beginning(line, number, bare, chain)
            self._first = chain
        else:
            raise LineError(_BROKEN)
        if chain in starts:
            raise LineError(_once_more(starts[chain]))
        starts[chain] = line

    def _go_on_from(self, told: Mapping[str, Any] | None) -> None:
        """Note what the next line has to follow, also after one that is at fault."""
        self._is_lost = told is None
        if told is None:
            self._chain = self._round = None
            return
        chain, number = told.get("chain"), told.get("round")
        self._chain = self.verdict.chain = chain if isinstance(chain, str) else None
        self._round = number if isinstance(number, int) else 0


def verify_lines(
    lines: Iterable[bytes],
    before: bytes | None = None,
    working: Callable[[Rules], object] = lambda _: None,
) -> Verdict:
    """Verify lines that follow each other; see `Verifier`."""
    return _verdict_on(lines, before, working=working).close()


def _verdict_on(
    lines: Iterable[bytes],
    before: bytes | None,
    first: str | None = None,
    working: Callable[[Rules], object] = lambda _: None,
) -> Verdict:
    verifier = Verifier(before, first, working)
    for line in lines:
        verifier.verify(line)
    return verifier.verdict


def verify_file(
    path: Path,
    progress: Callable[[int], object] = lambda _: None,
    processes: int | None = None,
    size: int = RANGE,
) -> Verdict:
    """Verify a file, in several processes if it is long.

    Args:
        path: the file.
        progress: called with the bytes that have been verified.
        processes: how many; None for one for each core that may be used.
        size: the bytes of a range, which a process verifies at a time.

    Raises:
        OSError: if it cannot be read.
    """
    verdict = Verdict()
    for of_range in over_ranges(verify_range, path, progress, processes or cores(), size):
        verdict.add(of_range)
    return verdict.close()


def verify_range(path: Path, start: int, end: int) -> Verdict:
    """Verify the lines of a file that begin within a range of its bytes."""
    with path.open("rb") as file:
        first = _first_chain(file) if start else None
        return _verdict_on(lines_within(file, start, end), line_before(file, start, end), first)


def _first_chain(file: BinaryIO) -> str | None:
    """`chain` of the first line of a file; None if it has none."""
    told = _readable(next((line for line in whole_lines(file) if line.strip()), b""))
    chain = None if told is None else told.get("chain")
    return chain if isinstance(chain, str) else None


def _readable(line: bytes) -> dict[str, Any] | None:
    try:
        return parsed(line)
    except LineError:
        return None


def _chain_after(before: str, bare: str) -> str:
    """`chain` of a line whose text without it is `bare`."""
    return sha256((before + bare).encode()).hexdigest()


def _once_more(line: int) -> str:
    return f"it is line {line:,} once more"
