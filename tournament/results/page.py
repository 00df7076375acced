"""The result of a tournament as one web page, which needs no other file and no network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Final

from cards.words import table_in_words
from tournament.results import drawing, heatmaps, linked_rounds
from tournament.results.certain import certain
from tournament.results.deals import Deals, by_deal, payoffs_by_deal
from tournament.results.errors import Errors, errors_of
from tournament.results.report import (
    BETTER,
    EITHER,
    WORSE,
    estimate,
    has_days,
    last_errors,
    notes,
    played,
    reasons,
    sign,
)
from tournament.results.statistics import Difference, Row, Standing
from tournament.results.viewer import viewer_script, viewer_style
from tournament.settings import FAULTS, Results
from twentyone.support.command import PROJECT
from twentyone.support.counts import counted
from twentyone.support.sheets import header, rules_part, shared_style, with_minus
from twentyone.support.terminal import printable

CLASSES: Final = {BETTER: "better", WORSE: "worse", EITHER: "either"}
SIGNS: Final = {BETTER: "+", WORSE: "\N{MINUS SIGN}", EITHER: "="}
WORDS: Final = ("entrant", "played", "decided", "best")
LEFT: Final = ' class="left"'
"""Heads of columns of words stand at the left, as the words do."""

AS_IT_IS: Final = ("POLICY", "STYLE", "SCRIPT", "HISTORY")
"""The parts of the page that are not read by people."""

SAID: Final = {BETTER: "better for certain", WORSE: "worse for certain", EITHER: "not told apart"}


def page(results: Results, standing: Standing, name: str, day: date) -> str:
    """The result as an HTML page: light or dark as its reader has it, for a phone and for paper too.

    Where exact values hold, rounds are played again for the errors: a few seconds.

    Args:
        results: what was played.
        standing: what follows from it.
        name: what the tournament is called.
        day: when this page is made.
    """
    errors = errors_of(results)
    style = shared_style() + viewer_style() + _beside("page.css")
    script = viewer_script() + _beside("page.js")
    rules = results.settings.rules
    parts = {
        "TITLE": escape(f"{name}: a tournament of {counted(len(standing.compared), 'entrant')}"),
        "ABOUT": _about(results, day),
        "POLICY": _policy(style, script),
        "STYLE": style,
        "SCRIPT": script,
        "HEADER": header("A tournament"),
        "RULES": rules_part(table_in_words(rules), str(rules)),
        "CERTAIN": escape(" ".join(certain(standing))),
        "NOTES": _notes(standing),
        "RANKING": _ranking(standing),
        "PAIRS": _pairs(standing),
        "COURSE": _course(results, standing),
        "ERRORS": heatmaps.of(errors, standing),
        "DEAREST": _dearest(results, standing, errors),
        "TROUBLES": _troubles(standing),
        "HISTORY": "" if standing.is_open else linked_rounds.history(results, errors),
    }
    shown = {name: part if name in AS_IT_IS else with_minus(part) for name, part in parts.items()}
    return re.sub(rf"\b({'|'.join(parts)})\b", lambda found: shown[found[0]], _beside("page.html"))


def _about(results: Results, day: date) -> str:
    """The facts that are needed to play the tournament again, and when this was made."""
    settings = results.settings
    most = "Up to " if results.days else ""
    count = f"{most}{results.rounds:,} of {counted(settings.rounds, 'round')} for each"
    seed = f", seed {settings.seed}" if results.is_over else ""
    return f"{count}{seed}. Made on {day.isoformat()} by {PROJECT} {_version()}."


def _version() -> str:
    try:
        return metadata.version(PROJECT)
    except metadata.PackageNotFoundError:
        return "of no known version"


def _policy(style: str, script: str) -> str:
    """The policy that lets the page load and run only what it brings along."""
    styles, scripts = (
        f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action 'none'"
    )


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _notes(standing: Standing) -> str:
    return f'<ul class="notes">{"".join(f"<li>{escape(note)}</li>" for note in notes(standing))}</ul>'


def table(heads: Sequence[str], rows: Sequence[str], caption: str, name: str = "") -> str:
    """A table that is moved sideways where it does not fit; heads and rows are HTML."""
    shown = "".join(f'<th scope="col"{LEFT if head in WORDS else ""}>{head}</th>' for head in heads)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(caption)}"><table{name}>'
        f'<caption class="unseen">{escape(caption)}</caption>'
        f"<thead><tr>{shown}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _ranking(standing: Standing) -> str:
    rows = [standing.rows[number] for number in standing.order]
    payoffs = drawing.scale_of([row.payoff for row in rows])
    lost = drawing.scale_of([row.lost for row in rows if row.lost is not None]) if standing.has_lost else None
    has_played = has_days(standing)
    heads = ["rank", "entrant", "rounds", *(["played"] if has_played else [])]
    heads += ["mean payoff", "±", "with its interval"]
    if lost is not None:
        heads += ["rank by EV lost", "EV lost", "±", "with its interval"]
    shown = [_ranked(row, payoffs, lost, has_played=has_played) for row in rows]
    return table(heads, shown, "Ranking") + _unranked(standing)


def _unranked(standing: Standing) -> str:
    """Why entrants are not ranked, or took no part to the end, with the last lines of their errors."""
    return "".join(_why_unranked(standing.rows[number]) for number in standing.order)


def _why_unranked(row: Row) -> str:
    said = "".join(f"<p>{escape(why)}</p>" for why in reasons(row))
    errors = "\n".join(map(printable, last_errors(row)))
    return f'{said}<pre class="quiet">{escape(errors)}</pre>' if errors else said


def _ranked(row: Row, payoffs: drawing.Scale, lost: drawing.Scale | None, *, has_played: bool) -> str:
    mean, reach = estimate(row.payoff, signed=True)
    days = f'<td class="words">{played(row)}</td>' if has_played else ""
    cells = (
        f'<td>{_place(row.rank)}</td><th scope="row">{escape(row.name)}</th><td>{row.rounds:,}</td>'
        f"{days}<td>{mean}</td><td>{reach}</td>"
        f'<td class="wide">{drawing.interval_svg(row.payoff, payoffs)}</td>'
    )
    if lost is not None and row.lost is not None:
        mean, reach = estimate(row.lost)
        cells += (
            f"<td>{_place(row.rank_by_lost)}</td><td>{mean}</td><td>{reach}</td>"
            f'<td class="wide">{drawing.interval_svg(row.lost, lost)}</td>'
        )
    return f"<tr>{cells}</tr>"


def _place(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


def _pairs(standing: Standing) -> str:
    """The crosstables: by payoff, and by EV lost where it is known."""
    legend = ", ".join(f"{SIGNS[each]} {SAID[each]}" for each in (BETTER, WORSE, EITHER))
    made = [
        f"<p class=\"quiet\">The row's entrant beside the column's: {legend}. Point at a cell, or go there"
        " with the arrow keys, for its numbers.</p>",
        _cross(standing, by_lost=False),
    ]
    if standing.has_lost:
        made.append(_cross(standing, by_lost=True))
    return "\n".join(made)


def _cross(standing: Standing, *, by_lost: bool) -> str:
    by, told = ("EV lost", "told-lost") if by_lost else ("mean payoff", "told-payoff")
    heads = [
        "entrant",
        *(
            f'<abbr title="{escape(standing.rows[number].name)}">{place + 1}</abbr>'
            for place, number in enumerate(standing.compared)
        ),
    ]
    rows = [
        f'<tr><th scope="row">{place + 1} {escape(standing.rows[number].name)}</th>'
        + "".join(_crossed(standing, number, other, by_lost=by_lost) for other in standing.compared)
        + "</tr>"
        for place, number in enumerate(standing.compared)
    ]
    shown = table(heads, rows, f"Every pair by {by}", f' class="cross" data-told="{told}"')
    return f'<h3>By {by}</h3>{shown}<p class="told" id="{told}"></p>'


def _crossed(standing: Standing, number: int, other: int, *, by_lost: bool) -> str:
    if number == other:
        return '<td class="self"></td>'
    pair = standing.between(number, other)
    found = pair.lost if by_lost and pair.lost is not None else pair.payoff
    word = sign(found, less_is_better=by_lost)
    names = f"{standing.rows[number].name} less {standing.rows[other].name}"
    said = f"{names}: {_said(found)}; {SAID[word]}"
    return (
        f'<td class="{CLASSES[word]}"><span aria-hidden="true">{SIGNS[word]}</span>'
        f'<span class="unseen">{escape(said)}</span></td>'
    )


def _said(found: Difference) -> str:
    """A difference with its interval, and how many rounds it still takes."""
    if found.low is None or found.high is None:
        return f"{found.mean:+z.5f}"
    more = (
        ""
        if found.is_certain
        else ", never"
        if found.more is None
        else f", {counted(found.more, 'round')} more"
    )
    return f"{found.mean:+z.5f} ({found.low:+z.5f} to {found.high:+z.5f}{more})"


def _course(results: Results, standing: Standing) -> str:
    """Charts of the mean payoff against rounds, and of EV lost."""
    made = _charts(standing, payoffs_by_deal(results.settings, results.payoffs), "mean payoff", "payoffs")
    if results.lost is not None:
        made += _charts(standing, by_deal(results.settings, results.lost), "EV lost", "lost")
    return made


def _charts(standing: Standing, deals: Deals, what: str, name: str) -> str:
    lines = {number: drawing.line_of(deals, number, standing.rounds) for number in standing.order}
    scale = drawing.height_of(list(lines.values()))
    charts = "".join(
        _chart(standing.rows[number].name, line, scale, what, name) for number, line in lines.items()
    )
    behind = drawing.all_lines_svg(list(lines.values()), scale, name)
    return (
        f"<h3>{what[0].upper()}{what[1:]}</h3>"
        f'<p class="quiet">Each mean from the first round to round {standing.rounds:,}, or the last, with its'
        " interval of 95 %, before the lines of the others in grey. The bottom is"
        f" {scale.low:+z.3f}, the top {scale.high:+z.3f}.</p>"
        f'{behind}<div class="charts">{charts}</div>'
    )


def _chart(name: str, line: drawing.Line, scale: drawing.Scale, what: str, behind: str) -> str:
    places = sorted({len(line.means) // 4, len(line.means) // 2, len(line.means) - 1})
    said = "; ".join(
        f"{line.means[place]:+z.4f} after {counted(line.rounds[place], 'round')}" for place in places
    )
    shown = drawing.chart_svg(line, scale, behind, escape(f"{name}, {what}: {said}"))
    return f"<figure>{shown}<figcaption><b>{escape(name)}</b> {line.means[-1]:+z.4f}</figcaption></figure>"


def _dearest(results: Results, standing: Standing, errors: Errors | None) -> str:
    if standing.is_open:
        return '<p class="quiet">Cards are shown once the tournament is closed.</p>'
    if errors is None or not errors.dearest:
        return '<p class="quiet">No decision is known to have cost anything.</p>'
    rows = [linked_rounds.row(results, standing, each) for each in errors.dearest]
    heads = ["entrant", "round", "hand", "upcard", "decided", "best", "cost"]
    shown = table(heads, rows, "The hands that cost most")
    steps = linked_rounds.folded(results, standing, errors)
    return f'{shown}<div id="viewer" class="replay" hidden></div><div id="steps">{steps}</div>'


def _troubles(standing: Standing) -> str:
    kinds = [kind for kind in FAULTS if any(kind in row.faults for row in standing.rows)]
    if not kinds and all(row.times is None for row in standing.rows):
        return '<p class="quiet">Nothing went wrong, and policies have no clock.</p>'
    rows = [_troubled(standing.rows[number], kinds) for number in standing.order]
    said = "".join(f"<li>{kind}: {FAULTS[kind]}</li>" for kind in kinds)
    heads = ["entrant", "median time", "99 % within", *kinds]
    return table(heads, rows, "Times and faults") + (f'<ul class="notes quiet">{said}</ul>' if said else "")


def _troubled(row: Row, kinds: Sequence[str]) -> str:
    times = (
        ("-", "-") if row.times is None else map(_milliseconds, (row.times.median, row.times.percentile_99))
    )
    cells = [*times, *(f"{row.faults.get(kind, 0):,}" for kind in kinds)]
    return f'<tr><th scope="row">{escape(row.name)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:z.2f} ms"
