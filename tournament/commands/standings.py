"""`tournament standings`: who is ahead, while a tournament runs or when it is over."""

from __future__ import annotations

from tournament.commands.app import app
from tournament.commands.options import FileArgument, FolderOption, HtmlOption, opened, report
from twentyone.support.command import OK, describe
from twentyone.support.options import JsonOption


@describe(app, example="tournament standings cup.toml --html cup.html")
def standings(
    file: FileArgument, *, folder: FolderOption = None, json: JsonOption = False, html: HtmlOption = None
) -> int:
    """Show who is ahead, of the rounds that all entrants have played; the tournament may still run.

    Mean payoffs are in initial bets per round, with 95 % intervals; entrants that share a rank cannot be told
    apart. Then the difference of every pair on the same cards, corrected for the number of pairs, the times,
    and what went wrong.

    The keys of --json: see tournament run --help.
    """
    with opened(file, folder) as store:
        results = store.results()
    report(results, json, html, file.stem)
    return OK
