"""`tournament close`: let no entrant come, change or go any more."""

from __future__ import annotations

from tournament.commands.app import app
from tournament.commands.options import (
    DATABASE,
    REPORT,
    FileArgument,
    FolderOption,
    HtmlOption,
    folder_for,
    notice,
    opened,
    report,
)
from twentyone.support.command import OK, describe
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption


@describe(app, example="tournament close cup.toml")
def close(
    file: FileArgument, *, folder: FolderOption = None, json: JsonOption = False, html: HtmlOption = None
) -> int:
    """End the time in which entrants may come, change and go: for a tournament with `open = true`.

    From then on rounds may be exported and replayed, the report shows the hands that cost most, and the seed
    is shown once every round is played. It cannot be opened again: the cards are known then. Rounds that are
    missing are still played by `tournament run`.

    The standings are printed, and the report in the folder is written again.

    The keys of --json: see tournament run --help.
    """
    from tournament.results.store import Store

    opened(file, folder).close()  # says so if there is none
    where = folder_for(file, folder)
    with Store(where / DATABASE, writes=True) as store:
        store.close_entries()
        results = store.results()
        left = sum(max(results.settings.rounds - store.played(match), 0) for match in store.settings.matches)
    notice(
        f"{file} is closed"
        + ("" if results.is_over else f"; {counted(left, 'round')} are still to be played")
    )
    if results.rounds >= 2:
        report(results, json, html or where / REPORT, file.stem)
    return OK
