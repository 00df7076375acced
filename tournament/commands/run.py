"""`tournament run`: play a tournament, or go on with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.commands.app import app
from tournament.commands.export import kind_of
from tournament.commands.options import (
    DATABASE,
    IS_OPEN,
    REPORT,
    FileArgument,
    FolderOption,
    HtmlOption,
    export,
    folder_for,
    notice,
    report,
)
from twentyone.support.command import (
    FAILED,
    INTERRUPTED,
    OK,
    USAGE,
    CommandError,
    check_compiler,
    complain,
    describe,
)
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.typed import typed_again

if TYPE_CHECKING:
    from tournament.playing.bubblewrap import Box
    from tournament.results.store import Store


@describe(app, example="tournament run cup.toml --rounds 10k")
def run(
    file: FileArgument,
    *,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, show_default=False, help="The rounds of every match."),
    ] = None,
    seed: SeedOption = None,
    kept_shoe: Annotated[
        bool,
        typer.Option(
            "--kept-shoe",
            help="Keep shoes as the rules say, each entrant its own copy; rounds are then not paired.",
        ),
    ] = False,
    until_sure: Annotated[
        bool, typer.Option("--until-sure", help="Stop as soon as the order of all entrants is certain.")
    ] = False,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            show_default=False,
            help="How many matches of programs are played at once; one for each core if not given.",
        ),
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
    html: HtmlOption = None,
    export_as: Annotated[
        str | None,
        typer.Option(
            "--export",
            metavar="FORMAT",
            show_default=False,
            help="Also write every round to the folder: csv, json, parquet or history.",
        ),
    ] = None,
) -> int:
    """Play a tournament, and say who plays best: every entrant is dealt the same cards.

    FILE is in TOML: rounds, seed, rules, clocks, and a table `entrant` for each with a name and a policy, a
    command that starts a program, or the address at which one connects; --rounds, --seed and --kept-shoe go
    before it. Policies play first, then programs, each at a table of its own.

    It may be stopped at any time, in any way: type the same line again, and it goes on. Results are in a
    folder beside FILE, with the report as an HTML page. More rounds may be asked for later.

    With `open = true` in the file entrants may be added, changed or taken out between two runs, and only what
    is missing is played; tournament close ends that. Until then neither the seed nor any card is shown.

    With --until-sure it ends as soon as the order of all entrants is certain, with an error of 5 % in all,
    however often the order is looked at.

    Programs are confined by bubblewrap where it is installed and works: a program sees the system, its own
    folder, the files that its command names and those of its key `see`; with confine = "required" nothing is
    played without that. The hash of the seed and of 128 random bits is printed before the first round, and
    both at the end, so the seed cannot be chosen afterwards. In a pipe a line is printed every ten seconds.

    The keys of --json: `rounds` that count, `rounds_asked`, `is_over`, `is_open`, `waiting` (the names of
    those that have not played yet),
    `sure_after` (rounds), `is_paired` (by the same cards), `payoffs_in`, `clocks`
    of programs (`decision`, `bank`, `refill`, in seconds), `yardstick` (the `name` and the `value` of what EV
    lost is against), `error` (0.05), `seed_hash`, `seed` and `random_bits` (null until it is over),
    `ranking`, each with `name`, `rounds`, `rank`, `payoff`, `rank_by_lost`, `lost`, `times` (`median` and
    `percentile_99`, in seconds), `faults` (by kind), `confined` (null where no program was started), `played`
    (the first and the last day, null where all were there from the beginning), `is_earlier` (an earlier
    version of an entrant, without a rank), `ended` (`kind`, `round`, `why` and `errors`, lines; null for
    those that took part to the end) and `better_than_possible` (`mean` of payoff plus EV lost, `value` that
    this is for everybody in the long run, standard `error` and `limit`; null for the others); and `pairs`,
    each with `first`, `second` and the first's less the second's `payoff` and `lost`. A mean has `mean`,
    `low` and `high`, a difference also `is_certain` and `more`, the rounds more that would make it so. Ranks
    are null for those that are not ranked.

    An entrant that did not come, that left, or whose program does not start is not ranked, and the others
    play on. The status is then 1.
    """
    from tournament import entrants
    from tournament.commands import precautions
    from tournament.results.store import open_for, seed_kept_in

    kind = None if export_as is None else kind_of(export_as, None)
    where = folder_for(file, folder)
    database = where / DATABASE

    has_seed = seed is None

    def new_seed() -> int:
        nonlocal has_seed
        has_seed = False
        kept = seed_kept_in(database)
        return seed_or_new(None) if kept is None else kept

    settings = entrants.read(file, rounds, seed, kept_shoe, new_seed)
    with open_for(database, settings, notice) as store:
        settings = store.settings
        if kind is not None and settings.is_open:
            raise CommandError(f"{file} {IS_OPEN.format(file)}", USAGE)
        box = None
        if not (until_sure and store.sure_after is not None):
            box = precautions.take(store, file, where, has_seed=has_seed, is_typed=seed is not None)
        try:
            _play(store, where, at_once, until_sure, box)
        except KeyboardInterrupt:
            least = min(store.played(match) for match in settings.matches)
            again = typed_again("tournament", 1)
            return complain(
                "tournament",
                f"stopped: everybody has {least:,} of {counted(settings.rounds, 'round')}, and all that was"
                " played is"
                f" kept; to go on: {again}",
                INTERRUPTED,
            )
        except CommandError as error:
            return complain("tournament", f"{error}; to go on: {typed_again('tournament', 1)}", FAILED)
        results = store.results()
    if kind is not None:
        target = where / f"rounds.{'jsonl' if kind == 'history' else kind}"
        export(results, kind, target, times=True)
        notice(f"every round is in {target}")
    found = report(results, json, html or where / REPORT, file.stem)
    return FAILED if any(row.ended is not None and not row.ended.is_ranked for row in found.rows) else OK


def _play(store: Store, folder: Path, at_once: int | None, until_sure: bool, box: Box | None) -> None:
    """Play what is left."""
    check_compiler("a tournament")
    from tournament.commands.course import Course
    from tournament.playing import policies, tables
    from tournament.results.stopping import Stopping
    from tournament.run import Run

    stopping = Stopping(store) if until_sure else None
    if stopping is None and store.sure_after is not None:
        store.sure_after = None
    if stopping is not None and store.sure_after is not None:
        return
    with Course(store) as course:
        play = partial(
            Run,
            store,
            folder,
            at_once,
            shown=course.show,
            notice=course.notice,
            play_policy=policies.play,
            play_table=partial(tables.play, box=box),
        )
        if (
            stopping is not None and store.floor
        ):  # those who came later play as many rounds as the others first
            play(rounds=min(store.floor, store.settings.rounds)).play()
        play(is_sure=stopping.is_sure if stopping else None).play()
