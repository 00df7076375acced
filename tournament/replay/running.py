"""The work of `replay`: verify, show, list, write again."""

from __future__ import annotations

import heapq
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from cards import Rules
from cards.asking import most_in_play
from dealer.tables.history import chained
from tournament.replay import keys
from tournament.replay.history import add_costs
from tournament.replay.judged import DIGITS, costs_for
from tournament.replay.lines import NOT_JSON, NOT_OBJECT, LineError, Replayed, Replayer, parsed
from tournament.replay.ranges import whole_lines
from tournament.replay.showing import steps
from tournament.replay.verify import Fault, Verdict, Verifier, verify_file, verify_lines
from twentyone.support.command import FAILED, OK, USAGE, CommandError
from twentyone.support.counts import counted
from twentyone.support.files import NOT_REGULAR, check_writable
from twentyone.support.progress import Progress
from twentyone.support.terminal import notice, tell

STANDARD_INPUT: Final = Path("-")
TOLD_EVERY: Final = 256
"""Lines between two looks at how far reading is."""

_NO_OBJECTS: Final = {NOT_JSON, NOT_OBJECT}
_DATABASE: Final = b"SQLite format 3\0"
_OF_DATABASE: Final = (
    "is the database of a tournament: expected a history, which tournament export writes, except while the"
    " tournament is open"
)
_NO_ROUNDS: Final = "{} has no rounds: expected a history, one round on each line"


def verify(path: Path, *, as_json: bool) -> int:
    """Verify a file and say so; the status is FAILED if something is wrong."""
    if path == STANDARD_INPUT:
        verdict = verify_lines(whole_lines(sys.stdin.buffer), working=_tell_of_work)
    else:
        _tell_of_first(path)
        with Progress("verifying", _size(path), "bytes") as bar:
            verdict = verify_file(path, bar.show)
    if as_json:
        print(json.dumps(_as_json(verdict)))
    elif verdict.faulty:
        _tell_faults(path, verdict)
    elif verdict.rounds:
        rounds = f"{verdict.rounds:,} {'round' if verdict.rounds == 1 else 'rounds'}"
        has_costs = "cost" in verdict.unverified
        what = "every card and payoff follows" if has_costs else "every card, payoff and cost follows"
        tell(f"{rounds} verified: {what} from the rules")
        if (first := verdict.begins) is not None:
            tell(
                f"the chain begins at line {first.line:,}, with round {first.round:,}:"
                " the rounds before it are in another file"
            )
        tell(f"not verified, since nothing else determines them: {', '.join(sorted(verdict.unverified))}")
    if not verdict.rounds and not verdict.faulty:
        notice("replay", _NO_ROUNDS.format(_name(path)))
        return FAILED
    return FAILED if verdict.faulty else OK


def show(path: Path, line: int | None, number: int | None, name: str | None, *, as_json: bool) -> int:
    """Show the rounds of a number, or the one on a line, step by step."""
    shown = [_with_costs(at, replayed) for at, replayed in _wanted(path, line, number, name)]
    if not shown:
        of = "" if name is None else f" in which {name} plays"
        where = f"line {line:,}" if line is not None else f"round {number:,}{of}"
        raise CommandError(f"{_name(path)} has no {where}")
    if as_json:
        print(json.dumps([_shown_as_json(at, replayed) for at, replayed in shown]))
        return OK
    told = [step for _, replayed in shown for step in steps(replayed)]
    if path != STANDARD_INPUT and keys.can_ask():
        keys.page(told)
    else:
        tell("\n".join("\n".join(step) for step in told))
    return OK


def list_worst(path: Path, count: int, name: str | None, *, as_json: bool) -> int:
    """List the rounds whose decisions have cost most."""
    costly = heapq.nlargest(count, _costs_of_rounds(path, name), key=lambda one: (one["cost"], -one["line"]))
    if as_json:
        print(json.dumps(costly))
    elif costly:
        tell("  line  round  table  cost      players")
        for one in costly:
            where = f"{one['line']:>6}{one['round']:>7}{one['table']:>7}"
            tell(f"{where}  {one['cost']:z.6f}  {', '.join(one['names'])}")
    else:
        of = "" if name is None else f" in which {name} plays"
        raise CommandError(f"{_name(path)} has no rounds{of} of which the costs are known exactly")
    return OK


def write_costs(path: Path, output: Path) -> int:
    """Write a history once more, with what each decision has cost, if nothing is wrong with it."""
    check_writable(output)
    verifier, chain, known = Verifier(working=_tell_of_work), "", 0
    with _replacing(output) as file, _lines(path) as lines:
        for line in lines:
            replayed = verifier.verify(line)
            if replayed is None:
                if verifier.verdict.faulty:
                    raise CommandError(f"{_name(path)}: {verifier.verdict.faults[0]}; nothing was written")
                continue
            known += _add_costs(replayed)
            text, chain = chained(replayed.expected, chain)
            file.write(text.encode() + b"\n")
        if not verifier.verdict.rounds:
            raise CommandError(_NO_ROUNDS.format(_name(path)))
    rounds = f"{counted(verifier.verdict.rounds, 'round')} verified, and written to {output}"
    tell(f"{rounds}; what the decisions cost is said of {known:,}")
    return OK


def _wanted(
    path: Path, line: int | None, number: int | None, name: str | None
) -> Iterator[tuple[int, Replayed]]:
    """The rounds that are asked for, each with its line; only they are played again."""
    replayer, mark = Replayer(_tell_of_work), re.compile(rf'"round"\s*:\s*{number}\b'.encode())
    with _lines(path) as lines:
        for at, text in enumerate(lines, 1):
            if at == line or (line is None and mark.search(text)):
                if (replayed := _replayed(path, at, text, replayer)) is None:
                    continue
                if line is not None or (replayed.told["round"] == number and _plays(name, replayed.told)):
                    yield at, replayed
            if at == line:
                return


def _replayed(path: Path, at: int, text: bytes, replayer: Replayer) -> Replayed | None:
    """The round of a line; None for an empty one."""
    if not text.strip():
        return None
    try:
        return replayer.replay(parsed(text.strip()))
    except LineError as error:
        raise CommandError(f"{_name(path)}, line {at:,}: {error}") from None


def _costs_of_rounds(path: Path, name: str | None) -> Iterator[dict[str, Any]]:
    """The cost of each round of which it is known."""
    replayer = Replayer(_tell_of_work)
    with _lines(path) as lines:
        for at, text in enumerate(lines, 1):
            replayed = _replayed(path, at, text, replayer)
            if replayed is None or not _plays(name, replayed.told) or not _add_costs(replayed):
                continue
            if "cost" in replayed.unverified:
                _tell_of_trust(path)
            told = replayed.told
            what = {key: told[key] for key in ("round", "table", "names")}
            yield {"line": at, **what, "cost": round(sum(_told_costs(replayed)), DIGITS)}


def _told_costs(replayed: Replayed) -> list[float]:
    return [
        question["cost"]
        for seat in replayed.expected["seats"]
        for hand in seat["hands"]
        for question in hand["decisions"]
        if "cost" in question
    ]


def _with_costs(at: int, replayed: Replayed) -> tuple[int, Replayed]:
    _add_costs(replayed)
    return at, replayed


def _add_costs(replayed: Replayed) -> bool:
    """Add the costs to what a line has to say, if they are not there; whether they are there now."""
    if _told_costs(replayed):
        return True
    costs = costs_for(replayed.told, replayed.round)
    if costs is None:
        return False
    _tell_of_work(replayed.round.rules)
    add_costs(replayed.expected, replayed.round, costs)
    return True


@lru_cache(8)
def _tell_of_work(rules: Rules) -> None:
    """Say, once for some rules, that it takes some seconds to value more than HIT and STAND."""
    if most_in_play(rules):
        notice("replay", "working out what decisions cost by these rules")


@lru_cache(8)
def _tell_of_trust(path: Path) -> None:
    """Say, once of a file, that what it says of costs is not held against anything."""
    notice("replay", f"{_name(path)} has costs where there are no exact values: they are not verified")


def _tell_of_first(path: Path) -> None:
    """Say so for the first line of a file: several processes may verify it, and they say nothing."""
    with path.open("rb") as file:
        line = next(whole_lines(file), b"")
    if b'"cost": ' in line:
        with suppress(LineError):
            Replayer(_tell_of_work).replay(parsed(line.strip()))


def _plays(name: str | None, told: Mapping[str, Any]) -> bool:
    return name is None or name in told["names"]


def _shown_as_json(at: int, replayed: Replayed) -> dict[str, Any]:
    return {"line": at, "history": replayed.expected, "steps": steps(replayed)}


def _as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "lines": verdict.lines,
        "rounds": verdict.rounds,
        "faulty": verdict.faulty,
        "faults": [fault._asdict() for fault in verdict.faults],
        "unverified": sorted(verdict.unverified),
        "chain": verdict.chain,
        "begins": None if verdict.begins is None else verdict.begins.round,
    }


def _tell_faults(path: Path, verdict: Verdict) -> None:
    if verdict.faulty > 1 and not verdict.rounds and {each.text for each in verdict.faults} <= _NO_OBJECTS:
        notice("replay", f"{_name(path)} is no history: expected one round of JSON on each line")
        return
    for sentence in _grouped(verdict.faults):
        notice("replay", f"{_name(path)}, {sentence}")
    more = verdict.faulty - len(verdict.faults)
    others = f"; {more:,} of them {'is' if more == 1 else 'are'} not listed" if more else ""
    lines = f"{verdict.faulty:,} of {counted(verdict.lines, 'line')}"
    verb = "does" if verdict.faulty == 1 else "do"
    notice("replay", f"{lines} {verb} not follow from the rules{others}")


def _grouped(faults: Sequence[Fault]) -> Iterator[str]:
    """A sentence for each kind of fault, in the order of the first lines that have it."""
    lines: dict[str, list[str]] = {}
    for fault in faults:
        lines.setdefault(fault.text, []).append(f"{fault.line:,}")
    for text, (first, *others) in lines.items():
        yield f"lines {first}, {', '.join(others)}: {text}" if others else f"line {first}: {text}"


def _size(path: Path) -> int:
    """The bytes of a file that can be read again from any place.

    Raises:
        CommandError: if it is a pipe or a device, or the database of a tournament.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise CommandError(f"{path}: {NOT_REGULAR}; a pipe is read by -", USAGE)
    with path.open("rb") as file:
        if file.read(len(_DATABASE)) == _DATABASE:
            raise CommandError(f"{path} {_OF_DATABASE}", USAGE)
    return path.stat().st_size


@contextmanager
def _lines(path: Path) -> Iterator[Iterator[bytes]]:
    """The lines of a file or of standard input, with the progress of reading."""
    if path == STANDARD_INPUT:
        yield whole_lines(sys.stdin.buffer)
        return
    with ExitStack() as stack:
        bar = stack.enter_context(Progress("reading", _size(path), "bytes"))
        yield _counted(stack.enter_context(path.open("rb")), bar)


def _counted(file: BinaryIO, bar: Progress) -> Iterator[bytes]:
    for at, line in enumerate(whole_lines(file)):
        if at % TOLD_EVERY == 0:
            bar.show(file.tell())
        yield line


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of another once it is whole."""
    path = Path(os.path.realpath(path))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        temporary = Path(file.name)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _name(path: Path) -> str:
    return "standard input" if path == STANDARD_INPUT else str(path)
