"""The outcome of a check, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournament.check.running import Found
from twentyone.support.counts import counted


def line(found: Found, width: int, before: Sequence[Found] = ()) -> str:
    """One line, and below a fault what was said.

    Args:
        found: what came of a situation.
        width: the width of the column of names.
        before: what came of the situations before it. A fault that is told there is not told again.
    """
    word = "passed" if found.passed else "FAILED"
    if not found.is_tried:
        word = "-"
    text = f"{found.name.ljust(width)}  {word.ljust(6)}  {found.title}"
    if found.note:
        text += f" ({found.note})"
    if found.passed:
        return text
    same = next((other.name for other in before if other.fault == found.fault), None)
    if same is not None:
        return f"{text}: the same fault as in {same}"
    lines = [text, f"    {found.fault}", *(f"    {entry}" for entry in found.transcript)]
    if found.errors:
        lines += ["    standard error:", *(f"    | {each}" for each in found.errors)]
    return "\n".join(lines)


def summary(all_found: Sequence[Found]) -> str:
    """The last line."""
    tried = [found for found in all_found if found.is_tried]
    failed = [found for found in tried if not found.passed]
    if not failed:
        return f"all {len(tried)} situations passed" if len(tried) > 1 else "the situation passed"
    faults = len({found.fault for found in failed})
    alike = ", all alike" if faults == 1 else f", with {faults} different faults"
    kinds = "" if faults == len(failed) else alike
    names = ", ".join(found.name for found in failed)
    return f"{len(failed)} of {counted(len(tried), 'situation')} failed{kinds}: {names}"


def document(all_found: Sequence[Found], members: dict[str, Any]) -> dict[str, Any]:
    """The same as one object of JSON."""
    return {
        "passed": bool(all_found) and all(found.passed for found in all_found),
        **members,
        "situations": [found.as_json() for found in all_found],
    }
