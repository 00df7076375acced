"""The files of a table, from one run of learning to the next: how they are read and saved."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.learning.curve import (
    Curve,
    CurveError,
    GreedyValue,
    NoGapError,
    Point,
    curve_file,
    load_points,
)
from twentyone.learning.methods import MethodError, check_method
from twentyone.learning.notes import SLOTS, are_of
from twentyone.learning.settings import SettingError, changed_settings, knobs_for, method_of, method_text
from twentyone.learning.textbook import Knobs
from twentyone.policies import table_files
from twentyone.policies.action_values import ActionValues
from twentyone.policies.files import MODEL
from twentyone.policies.table_files import QTableError
from twentyone.support.command import USAGE, CommandError, os_reason
from twentyone.support.files import check_writable, write_atomically
from twentyone.support.terminal import say

HOW_TO_GO_ON: Final = "give another --table FILE, or --fresh to replace it"

SAVE_EVERY: Final = 5.0
"""Seconds between saves while it learns: a crash loses at most this much learning."""

NO_GAP: Final = "--until-gap is not possible under these rules"


def table_to_resume(path: Path, method: str, fresh: bool) -> tuple[ActionValues | None, list[Point]]:
    """Read the table that learning goes on from, and the points of its curve; check that both can be saved.

    So anything wrong with the files is reported before a round is played.

    Args:
        path: the file of the table, which need not exist.
        method: the learning method.
        fresh: whether to begin with an empty table even if there is a file.

    Returns:
        The table and the points; None and no points to begin with an empty table.

    Raises:
        CommandError: if the files cannot be read or written, or their table cannot be resumed.
    """
    table = None if fresh else _load(path, method)
    if table is not None and method == MODEL:
        table = _with_notes(table, path)
    points = _load_points(path, table.rounds) if table else []
    for name, file in (("table", path), ("learning curve", curve_file(path))):
        try:
            check_writable(file)
        except OSError as error:
            raise CommandError(f"the {name} {file} cannot be written: {os_reason(error)}") from None
    return table, points


def knobs_to_use(method: str, changes: Mapping[str, float], table: ActionValues | None) -> Knobs:
    """The settings of a method: those given, or those of the table, or those of the textbooks.

    It says so on standard error if learning goes on from the table with others than its own.

    Raises:
        CommandError: if the method has no such setting.
    """
    before = "" if table is None else table.method
    try:
        found = changed_settings(method_of(before)) if before else {}
        knobs = knobs_for(method, {**found, **changes})
    except SettingError as error:
        raise CommandError(str(error), USAGE) from None
    if before and method_text(method, knobs) != method_text(*method_of(before)):
        say(f"the table was learned by {before} until now: it goes on by {method_text(method, knobs)}")
    return knobs


def curve_for(rules: Rules, points: list[Point], until: float | None) -> Curve:
    """The curve of a table, which goes on from its points.

    Args:
        rules: the rules.
        points: the points of earlier runs.
        until: the gap at which to stop; None not to stop at a gap.

    Raises:
        NoGapError: if there is a gap at which to stop, but the rules have no exact form.
    """
    try:
        greedy = GreedyValue(rules)
    except NoGapError:
        if until is not None:
            raise
        return Curve(None, points)
    return Curve(greedy, points, until)


def save_learned(table: ActionValues, points: list[Point], path: Path) -> None:
    """Write a table and, next to it, the points of its learning curve, each atomically.

    Raises:
        CommandError: if one of them cannot be written.
    """
    _save(table, path)
    if table.notes is not None:
        _save_notes(table.notes, notes_file(path))
    try:
        Curve(None, points).save(curve_file(path))
    except OSError as error:
        raise CommandError(
            f"the learning curve {curve_file(path)} cannot be written: {os_reason(error)}"
        ) from None


def save_without_curve(table: ActionValues, path: Path) -> None:
    """Write a table that was not learned round by round, and remove the curve of a table that it replaces.

    Raises:
        CommandError: if one of these cannot be done.
    """
    _save(table, path)
    if table.notes is not None:
        _save_notes(table.notes, notes_file(path))
    curve = curve_file(path)
    try:
        curve.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"the learning curve {curve} cannot be removed: {os_reason(error)}") from None


def notes_file(table: Path) -> Path:
    """The file of what the method `model` has counted, next to a table's."""
    return table.with_name(f"{table.name}.model.npz")


def _save_notes(notes: NDArray[np.float64], path: Path) -> None:
    file = io.BytesIO()
    np.savez_compressed(file, notes=notes)
    try:
        write_atomically(path, file.getvalue())
    except OSError as error:
        raise CommandError(f"the counts {path} cannot be written: {os_reason(error)}") from None


def _with_notes(table: ActionValues, path: Path) -> ActionValues:
    """A table with what was counted; an empty one of its rules where that is missing.

    Raises:
        CommandError: if the file is not one of these counts.
    """
    file, expected = notes_file(path), (1 + SLOTS) * table.values.size
    try:
        with np.load(file, allow_pickle=False) as found:
            notes = found["notes"]
    except FileNotFoundError:
        say(f"{file} is missing, so what {path} was worked out from is not known: learning begins again")
        nothing = np.zeros(table.values.shape)
        origin = table.origin._replace(rounds=0)
        return replace(table, values=nothing, counts=nothing.astype(np.int64), origin=origin)
    except OSError as error:
        raise CommandError(f"the counts {file} cannot be read: {os_reason(error)}; {HOW_TO_GO_ON}") from None
    except (ValueError, KeyError, EOFError, BadZipFile):
        notes = np.zeros(0)
    if notes.shape != (expected,) or notes.dtype != np.float64 or not np.isfinite(notes).all():
        raise CommandError(
            f"{file} does not have the counts of {path}: expected an array `notes` of {expected:,} finite"
            f" numbers; {HOW_TO_GO_ON}"
        )
    if not are_of(notes, table.counts):
        raise CommandError(
            f"{file} has counts of another table than {path}, whose visits are others: expected the file that"
            f" was saved with it; {HOW_TO_GO_ON}"
        )
    return replace(table, notes=notes)


def _save(table: ActionValues, path: Path) -> None:
    try:
        table_files.save(table, path)
    except OSError as error:
        raise CommandError(f"the table {path} cannot be written: {os_reason(error)}") from None


def _load(path: Path, method: str) -> ActionValues | None:
    try:
        table = table_files.load(path)
        check_method(method, table)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"the table {path} cannot be read: {os_reason(error)}") from None
    except QTableError as error:
        raise CommandError(f"{error}; {HOW_TO_GO_ON}") from None
    except MethodError as error:
        raise CommandError(f"{path} cannot be resumed: {error}; {HOW_TO_GO_ON}") from None
    return table


def _load_points(path: Path, rounds: int) -> list[Point]:
    try:
        return load_points(curve_file(path), rounds)
    except OSError as error:
        raise CommandError(
            f"the learning curve {curve_file(path)} cannot be read: {os_reason(error)}"
        ) from None
    except CurveError as error:
        raise CommandError(f"{error}; remove the file, or {HOW_TO_GO_ON}") from None
